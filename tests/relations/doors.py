"""One question at every door: the library (through the package), the same composition asked twice, `pld delta` or `pld epsilon`,
`pld batch`, a profile that is read, `pld curve`, and for epsilon `epsilon_many`, on random compositions of the whole zoo. Of how
many both ends are the same doubles, the same to rounding, inside one another, overlapping or disjoint, each compared with the
library; and of how many only the library's is as narrow as asked.

usage: PLD=build/bin/pld python3 doors.py COUNT SEED   COUNT compositions, an epsilon and a delta each
Exit status 4 if two are disjoint, if the command tells of a contradiction inside, or if only one door refuses.
"""
import collections
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time

import pld

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "verify"))
from random_answers import question  # noqa: E402

TOLERANCE = 1e-3
SECONDS = 0.3  # of processor time for the library's answer: compositions that take longer are counted and left out
ROUNDING = 1e-12  # of an end, or of 1
PLD = os.environ.get("PLD", "pld")


def asked_of(drawn):
    """Both questions about a drawn composition, whichever it was drawn with."""
    common = {key: drawn[key] for key in ("mechanisms", "adjacency", "direction")} | {"tolerance": TOLERANCE}
    epsilon, delta = drawn.get("epsilon", 0.7), drawn.get("delta", 1e-6)
    return [{**common, "query": "delta", "epsilon": float(epsilon)}, {**common, "query": "epsilon", "delta": delta}]


def ledger_of(asked):
    return json.dumps({key: asked[key] for key in ("adjacency", "mechanisms")})


def given(asked):
    return "epsilon" if asked["query"] == "delta" else "delta"


def number(end, unknown=-math.inf):
    return unknown if end is None else float(end)


def ends_of(answer):
    """Of an object of JSON; of delta those of its logarithm."""
    bracket = answer["log_delta"] if answer["query"] == "delta" else answer["epsilon"]
    return number(bracket["lower"]), number(bracket["upper"])


def run(words, asked):
    """A command's answer, or none where it refuses."""
    done = subprocess.run([PLD, *words, "--json", "--ledger", "-", "--direction", asked["direction"], "--tolerance", repr(TOLERANCE)],
                          input=ledger_of(asked), capture_output=True, text=True)
    if "internal error" in done.stderr or done.returncode not in (0, 2, 3):
        raise RuntimeError(f"{words} {ledger_of(asked)}: {done.returncode} {done.stderr}")
    return None if done.returncode == 2 else json.loads(done.stdout)


def asked_of_composition(composition, asked):
    options = {"tolerance": TOLERANCE, "direction": asked["direction"]}
    if asked["query"] == "delta":
        found = composition.delta(asked["epsilon"], **options).log_delta
    else:
        found = composition.epsilon(asked["delta"], **options)
    return found.lower, found.upper


def library(asked):
    return asked_of_composition(pld.from_json(ledger_of(asked)), asked)


def again(asked):
    """The second answer of one composition: the first leaves behind what it was made of."""
    composition = pld.from_json(ledger_of(asked))
    asked_of_composition(composition, asked)
    return asked_of_composition(composition, asked)


def command(asked):
    found = run([asked["query"], f"--{given(asked)}={asked[given(asked)]!r}"], asked)
    return found and ends_of(found)


def batch(asked):
    done = subprocess.run([PLD, "batch"], input=json.dumps(asked) + "\n", capture_output=True, text=True)
    if "internal error" in done.stderr:
        raise RuntimeError(f"{json.dumps(asked)}: {done.stderr}")
    answer = json.loads(done.stdout)
    return None if "error" in answer else ends_of(answer)


def profile(asked):
    """What an array is read off."""
    composition = pld.from_json(ledger_of(asked))
    options = {"tolerance": TOLERANCE, "direction": asked["direction"]}
    if asked["query"] == "delta":
        found = composition.profile(tolerance=TOLERANCE).log_delta(asked["epsilon"], direction=asked["direction"])
        return found.lower, found.upper
    found = composition.epsilon([asked["delta"]], **options)
    return float(found.lower[0]), float(found.upper[0])


def curve(asked):
    """The first of three points."""
    low = asked[given(asked)]
    high, of = (low + 1, ["--of", "profile"]) if asked["query"] == "delta" else (min(1, 3 * low), ["--of", "epsilon", "--against", "delta"])
    found = run(["curve", *of, f"--range={low!r}:{high!r}:3"], asked)
    if not found:
        return None
    of_points = found["compositions"][0]["log_delta" if asked["query"] == "delta" else "epsilon"]
    return number(of_points["lower"][0]), number(of_points["upper"][0])


def many(asked):
    if asked["query"] == "delta":
        return None
    found = pld.epsilon_many([pld.from_json(ledger_of(asked))], asked["delta"], tolerance=TOLERANCE, direction=asked["direction"], threads=1)
    return float(found.lower[0]), float(found.upper[0])


DOORS = [again, command, batch, many, profile, curve]


def kinship(a, b):
    """How two intervals lie to each other."""
    if a == b:
        return "the same"
    if max(a[0], b[0]) > min(a[1], b[1]):
        return "disjoint"
    if all(x == y or abs(x - y) <= ROUNDING * max(1, abs(x)) for x, y in zip(a, b)):
        return "to rounding"
    inside = (a[0] >= b[0] and a[1] <= b[1]) or (b[0] >= a[0] and b[1] <= a[1])
    return "inside" if inside else "overlapping"


def is_narrow(ends, asked):
    """Whether an interval meets the tolerance: of delta its logarithm does."""
    scale = 1 if asked["query"] == "delta" or ends[0] == -math.inf else max(1e-9, *map(abs, ends))
    return ends[0] == ends[1] or ends[1] - ends[0] <= TOLERANCE * scale


COLUMNS = ["the same", "to rounding", "inside", "overlapping", "disjoint", "refused by one", "wider than asked"]


def questions(count, seed):
    rng, found, left_out = random.Random(seed), [], 0
    while len(found) < count:
        asked = asked_of(question(rng, len(found)))
        start = time.process_time()
        try:
            answers = [library(one) for one in asked]
        except pld.DomainError:
            continue
        if time.process_time() - start > SECONDS:
            left_out += 1
            continue
        found.append(list(zip(asked, answers)))
        yield found[-1]
    print(f"{left_out} compositions took longer than {SECONDS} s and were left out")


def compared(count, seed, doors=DOORS):
    """Counts by door and kinship, and how many should not be. What should not be is printed, and what is wider than asked."""
    counts, wrong = collections.defaultdict(collections.Counter), 0
    for pairs in questions(count, seed):
        for (asked, here), door in ((pair, door) for pair in pairs for door in doors):
            there = door(asked)
            if there is None and door is many and asked["query"] == "delta":
                continue
            name = f"{asked['query']} {door.__name__}"
            kind = kinship(here, there) if there else "refused by one"
            counts[name][kind] += 1
            wider = bool(there) and is_narrow(here, asked) and not is_narrow(there, asked)
            counts[name]["wider than asked"] += wider
            contradicts = kind in ("disjoint", "refused by one")
            wrong += contradicts
            if wider or contradicts:
                print(json.dumps({"door": name, "asked": asked, "library": here, "there": there}), flush=True)
    return counts, wrong


def main(count, seed):
    counts, wrong = compared(int(count), int(seed))
    print(f"{'door':18}", *(f"{column:>16}" for column in COLUMNS))
    for name in sorted(counts):
        print(f"{name:18}", *(f"{counts[name][column]:16}" for column in COLUMNS))
    return 4 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
