"""Checks random answers, and such with an end moved inward past the truth, and says what came of them.

usage: PLD=... python3 check_answers.py ANSWERS MUTATED SECONDS [SEED]   how many of each; SECONDS of processor time for each end
Exit status 4 if an answer is FALSE or a mutated one PROVED, 1 if fewer than three quarters were decided.
"""
import collections
import copy
import multiprocessing
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "validation" / "verify"))
from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of  # noqa: E402
from random_answers import random_answers  # noqa: E402

STEP = 1e-6


def mutated(answers):
    """Answers of epsilon and delta of which one end, the only one that is left, lies on the far side of the other."""
    for answer in answers:
        query = answer["query"]
        if query not in ("epsilon", "delta"):
            continue
        for end, other, side in (("lower", "upper", 1), ("upper", "lower", -1)):
            value = answer[query].get(other)
            if not isinstance(value, (int, float)) or value == 0:
                continue
            wrong = copy.deepcopy(answer)
            wrong.pop("log_delta", None)
            wrong[query] = {end: value + side * STEP * abs(value)}
            yield wrong


def check(job):
    answer, seconds = job
    start = time.process_time()
    claims = claims_of(answer, seconds)
    parts = answer["compositions"] if answer["query"] == "curve" else [answer]
    return {"id": answer["id"], "engine": answer.get("engine", answer["query"]), "verdict": verdict_of(claims),
            "types": sorted({entry["type"] for part in parts for entry in part["mechanisms"]}),
            "schemes": sorted({next(iter(entry.get("sampling", {"all data": 1}))) for part in parts for entry in part["mechanisms"]}),
            "seconds": time.process_time() - start, "claims": claims}


def table(rows, key):
    counts = collections.defaultdict(collections.Counter)
    for row in rows:
        for name in row[key] if isinstance(row[key], list) else [row[key]]:
            counts[name][row["verdict"]] += 1
    for name, found in sorted(counts.items()):
        print(f"    {name:22} {found[PROVED]:5} {found[NOT_PROVED]:5} {found[FALSE]:5}")


def report(title, rows):
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


def checked(answers, seconds, title, expected):
    """How many verdicts are the opposite of the one expected, and the share that are that one."""
    with multiprocessing.Pool() as pool:
        rows = [told(row, expected) for row in pool.imap(check, [(answer, seconds) for answer in answers])]
    report(title, rows)
    opposite = FALSE if expected == PROVED else PROVED
    return sum(row["verdict"] == opposite for row in rows), sum(row["verdict"] == expected for row in rows) / len(rows)


def main(count, mutations, seconds, seed="1"):
    answers = random_answers(int(count), int(seed))
    wrong_answers, proved = checked(answers, float(seconds), "answers", PROVED)
    believed, refuted = checked(list(mutated(answers))[: int(mutations)], float(seconds), "mutated answers", FALSE)
    print(f"{proved:.1%} of the answers PROVED, {wrong_answers} FALSE; of the mutated ones {refuted:.1%} FALSE, {believed} PROVED")
    return 4 if wrong_answers or believed else 1 if min(proved, refuted) < 0.75 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
