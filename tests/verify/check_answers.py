"""Checks random answers, and such with an end moved inward past the truth, and says what came of them.

usage: PLD=... python3 check_answers.py ANSWERS MUTATED SECONDS [SEED [PROCESSES]]   how many of each; SECONDS of processor time for each end
How many there were of each verdict is said after every ROUND answers; Ctrl-C or SIGTERM ends the run with a report of what it has.
Exit status 4 if an answer is FALSE or a mutated one PROVED, 1 if fewer than three quarters were decided.
"""
import collections
import copy
import itertools
import math
import os
import pathlib
import signal
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "validation" / "verify"))
from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of  # noqa: E402
from random_answers import random_answers  # noqa: E402

STEP = 1e-6
ROUND = 25


def mutated(answers):
    """Answers of which one end, the only one that is left, lies on the far side of the other; and audits of which one test says more."""
    for answer in answers:
        yield from moved_audits(answer) if answer["query"] == "audit" else moved_ends(answer)


def moved_ends(answer):
    """Of epsilon, delta, powers and mu."""
    query = answer["query"]
    if query not in ("epsilon", "delta", "tpr", "mu"):
        return
    for end, other, side in (("lower", "upper", 1), ("upper", "lower", -1)):
        value = answer[query].get(other)
        if not isinstance(value, (int, float)) or value == 0:
            continue
        wrong = copy.deepcopy(answer)
        for more in ("log_delta", "exact"):
            wrong.pop(more, None)
        wrong[query] = {end: value + side * STEP * abs(value)}
        yield wrong


def moved_audits(answer):
    """Of a larger epsilon that is refuted, or of a claim that is refuted at a lower level. Of the lines of f-DP there may be better ones than the library's, and of a composition's deltas."""
    first, *_ = tests = list(answer["epsilon"]["by_test"])
    epsilon, claim = answer["epsilon"]["by_test"][first], answer["hypotheses"][0]
    if epsilon > 0:
        larger = epsilon * (1 + STEP)
        yield {**answer, "epsilon": {"lower": larger, "by_test": {**dict.fromkeys(tests, 0.0), first: larger}}, "hypotheses": []}
    if claim["by_test"][first] < 1:
        lower = claim["by_test"][first] * (1 - STEP)
        told = {**claim, "refuted": lower <= 1 - answer["confidence"], "p_value": lower, "by_test": {**dict.fromkeys(tests, 1.0), first: lower}}
        yield {**answer, "epsilon": {"lower": 0.0, "by_test": dict.fromkeys(tests, 0.0)}, "hypotheses": [told]}


def check(job):
    answer, seconds = job
    start = sum(os.times()[:4])
    claims = claims_of(answer, seconds)
    parts = answer["compositions"] if answer["query"] == "curve" else [answer]
    return {"id": answer["id"], "engine": answer.get("engine", answer["query"]), "verdict": verdict_of(claims),
            "types": sorted({entry["type"] for part in parts for entry in part["mechanisms"]}),
            "schemes": sorted({next(iter(entry.get("sampling", {"all data": 1}))) for part in parts for entry in part["mechanisms"]}),
            "seconds": sum(os.times()[:4]) - start, "claims": claims}


def table(rows, key):
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        for name in row[key] if isinstance(row[key], list) else [row[key]]:
            counts[name][row["verdict"]] += 1
    for name, found in sorted(counts.items()):
        print(f"    {name:22} {found[PROVED]:5} {found[NOT_PROVED]:5} {found[FALSE]:5}")


def report(title, rows):
    if not rows:
        return
    print(f"{len(rows)} {title}; PROVED, NOT PROVED, FALSE by engine:")
    table(rows, "engine")
    print("by type:")
    table(rows, "types")
    print("by sampling:")
    table(rows, "schemes")
    times = sorted(row["seconds"] for row in rows)
    print(f"seconds: median {statistics.median(times):.2f}, 95 % {times[int(0.95 * len(times))]:.1f}, most {times[-1]:.1f}", flush=True)


def told(row, expected):
    """Prints what was not expected."""
    for claim in row["claims"]:
        if claim.verdict != expected:
            print(f"{claim.verdict}: {row['id']}, {row['engine']}, {', '.join(row['types'])}: {claim.what} ({claim.detail})", flush=True)
    return row


def tally(title, rows):
    found = collections.Counter(row["verdict"] for row in rows)
    return f"{len(rows)} {title}: " + ", ".join(f"{found[verdict]} {verdict}" for verdict in (PROVED, NOT_PROVED, FALSE))


def rounds(answers, mutations):
    """ROUND answers at a time, and the mutated ones of them while there are to be more."""
    answers, left = iter(answers), mutations
    while here := list(itertools.islice(answers, ROUND)):
        wrong = list(itertools.islice(mutated(here), left))
        left -= len(wrong)
        yield here, wrong


def deaf():
    """Of the processes that check: the one that started them hears the first signal, and lets them finish what they are at."""
    for stop in signal.SIGINT, signal.SIGTERM:
        signal.signal(stop, signal.SIG_IGN)


def check_all(answers, count, mutations, seconds, processes):
    """The rows of `count` answers and of `mutations` mutated ones, or of as many as there were until a signal to stop."""
    found, wrong = [], []
    with ProcessPoolExecutor(processes, initializer=deaf) as pool:
        try:
            for here, mutants in rounds(answers, mutations):
                for rows, asked, expected in ((found, here[: count - len(found)], PROVED), (wrong, mutants, FALSE)):
                    for row in pool.map(check, [(answer, seconds) for answer in asked]):
                        rows.append(told(row, expected))
                print(f"so far: {tally('answers', found)}; {tally('mutated', wrong)}", flush=True)
                if len(found) >= count and len(wrong) >= mutations:
                    break
        except KeyboardInterrupt:
            deaf()
            print("stopped", flush=True)
    return found, wrong


def main(count, mutations, seconds, seed="1", processes=None):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    count, mutations = int(count), int(mutations)
    found, wrong = check_all(random_answers(math.inf, int(seed)), count, mutations, float(seconds), processes and int(processes))
    report("answers", found)
    report("mutated answers", wrong)
    print(tally("answers", found) + "\n" + tally("mutated answers", wrong))
    alarms = sum(row["verdict"] == FALSE for row in found) + sum(row["verdict"] == PROVED for row in wrong)
    few = any(sum(row["verdict"] == expected for row in rows) < 0.75 * len(rows) for rows, expected in ((found, PROVED), (wrong, FALSE)))
    return 4 if alarms else 1 if few else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
