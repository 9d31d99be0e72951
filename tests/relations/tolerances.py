"""Random compositions of the whole zoo, each question asked at twelve tolerances from 1e-1 to 1e-9: of how many a tolerance
is missed though a smaller one is met, of how many the width grows by more than a tenth as the tolerance falls, and of how
many `converged` is not what the width says.

usage: PLD=build/bin/pld python3 tolerances.py COUNT SEED
Exit status 4 if there are any.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "verify"))
from random_answers import question  # noqa: E402

TOLERANCES = [1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
GROWTH, ROUNDING = 1.1, 1e-12
NEAREST_ZERO = 1e-9  # an epsilon nearer to zero is not sought to any relative width
PLD = os.environ.get("PLD", "pld")


def answers_to(asked):
    lines = "".join(json.dumps({**asked, "tolerance": tolerance}) + "\n" for tolerance in TOLERANCES)
    told = subprocess.run([PLD, "batch", "--threads", "1"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def ends(answer):
    """What a tolerance is of: the ends of epsilon, or of log delta."""
    found = answer["log_delta"] if answer["query"] == "delta" else answer["epsilon"]
    lower, upper = (math.nan if found[end] is None else float(found[end]) for end in ("lower", "upper"))
    return lower, upper, float(found["estimate"])


def is_close(answer, tolerance):
    """Whether the width says that the tolerance is met; None of bounds, which are never met from below."""
    lower, upper, estimate = ends(answer)
    if not answer["exact"] or not upper - lower < math.inf:
        return None
    most = math.log1p(tolerance) if answer["query"] == "delta" else max(tolerance * abs(estimate), NEAREST_ZERO)
    return upper - lower <= most * (1 + ROUNDING)


def faults_of(asked, answers):
    """(missed, grown, wrongly told)."""
    missed = any(not larger["converged"] and any(a["converged"] for a in answers[i + 1:]) for i, larger in enumerate(answers))
    wrong = any(is_close(a, t) is not None and is_close(a, t) != a["converged"] for a, t in zip(answers, TOLERANCES))
    grown = 0.0
    for before, after in zip(answers, answers[1:]):
        a, b = (upper - lower for lower, upper, _ in map(ends, (before, after)))
        scale = max(1.0, abs(ends(after)[1])) if math.isfinite(ends(after)[1]) else 1.0
        if b > GROWTH * a + ROUNDING * scale:
            grown = max(grown, b - a)
    return missed, grown, wrong


def main():
    count, seed = map(int, sys.argv[1:])
    drawn = random.Random(seed)
    asked_in_all = grew = failed = number = 0
    while asked_in_all < count:
        asked = question(drawn, number)
        number += 1
        if asked["query"] not in ("epsilon", "delta"):
            continue
        asked = {key: value for key, value in asked.items() if key not in ("tolerance", "engine")}
        answers = answers_to(asked)
        asked_in_all += 1
        if any("error" in answer for answer in answers):
            continue
        missed, grown, wrong = faults_of(asked, answers)
        grew += grown > 0
        failed += missed or wrong
        if missed or wrong or grown > 0:
            print("missed" if missed else "converged is wrong" if wrong else f"grew by {grown:.1e}", json.dumps(asked), flush=True)
    print(f"{asked_in_all} questions at {len(TOLERANCES)} tolerances: {failed} missed or wrongly told, {grew} grew")
    return 4 if failed or grew else 0


if __name__ == "__main__":
    sys.exit(main())
