"""Compositions of thousands of different kinds of random types, schemes and relations, each asked one question: the
processor seconds and megabytes that it takes. Says all that take more than two seconds or 200 MB.

usage: PLD=build/bin/pld python3 many_kinds.py COUNT SEED [KINDS=3000]
Exit status 4 if there are any.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SECONDS, MEGABYTES, LONGEST = 2, 200, 60
PLD = os.environ.get("PLD", "pld")
QUESTIONS = {
    "epsilon": ["--delta", "1e-6"],
    "delta": ["--epsilon", "2"],
    "explain": ["--delta", "1e-6"],
    "curve": ["--of", "tradeoff", "--range", "0.01:0.1:5"],
    "calibrate": ["--epsilon", "8", "--delta", "1e-6", "gaussian:sigma=?"],
}


class Draws:
    def __init__(self, seed):
        self.random = random.Random(seed)
        log = self.log
        self.types = {
            "gaussian": lambda: {"sigma": log(5, 400)},
            "laplace": lambda: {"scale": log(5, 400)},
            "logistic": lambda: {"scale": log(5, 290)},
            "generalized": lambda: {"shape": round(self.random.uniform(1.2, 5), 4), "scale": log(5, 200)},
            "sinh-normal": lambda: {"sigma": log(5, 200), "a": log(600, 5000)},
            "truncated-laplace": lambda: {"scale": log(5, 290), "bound": log(300, 3000)},
            "randomized-response": lambda: {"p": round(self.random.uniform(0.501, 0.56), 6)},
            "exponential": lambda: {"epsilon": log(1e-3, 0.1)},
            "permute-and-flip": lambda: {"epsilon": log(1e-3, 0.1)},
            "report-noisy-max": lambda: {"scale": log(20, 400)},
            "dp": lambda: {"epsilon": log(1e-3, 0.1), "delta": log(1e-12, 1e-9)},
            "discrete-laplace": lambda: {"a": log(2e-3, 0.1)},
            "discrete-gaussian": lambda: {"sigma": log(5, 400)},
            "skellam": lambda: {"variance": log(100, 3000)},
            "zcdp": lambda: {"rho": log(1e-6, 1e-3)},
            "rdp": lambda: {"orders": [2, 4, 16], "epsilons": [log(1e-5, 1e-3)] * 3},
        }
        self.schemes = {
            "none": lambda: None,
            "poisson": lambda: {"poisson": log(1e-3, 0.1)},
            "wor": lambda: {"wor": log(1e-3, 0.1)},
        }

    def log(self, low, high):
        return float(f"{low * (high / low) ** self.random.random():.5g}")

    def ledger(self, kinds):
        """What is asked about, in words, and the composition."""
        types = self.random.sample(list(self.types), self.random.choice([1, 1, 2]))
        scheme = self.random.choice(list(self.schemes))
        adjacency = self.random.choice(["add-remove", "add-remove", "replace-one", "zero-out"])
        group = self.random.choice([1, 1, 1, 3])
        releases = []
        for i in range(kinds):
            release = {"type": types[i % len(types)], **self.types[types[i % len(types)]]()}
            sampling = self.schemes[scheme]()
            releases.append({**release, "sampling": sampling} if sampling else release)
        words = f"{'+'.join(types)} {scheme} {adjacency} group {group}"
        return words, {"mechanisms": releases, "adjacency": adjacency, "group": group}


def cost(arguments):
    """Processor seconds, megabytes and exit status."""
    process = subprocess.Popen(["timeout", str(LONGEST), PLD, *arguments], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    draws, beyond, answered = Draws(seed), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "ledger.json")
        while answered < count:
            words, ledger = draws.ledger(int(sys.argv[3]) if len(sys.argv) > 3 else 3000)
            path.write_text(json.dumps(ledger))
            question = draws.random.choice(list(QUESTIONS))
            seconds, megabytes, status = cost([question, *QUESTIONS[question], "--ledger", str(path)])
            if status == 2:
                continue  # refused: no theorem, or no noise meets the target
            answered += 1
            if seconds > SECONDS or megabytes > MEGABYTES:
                beyond += 1
                print(f"{seconds:6.2f} s {megabytes:6.0f} MB  {question} of {words}", flush=True)
    print(f"{answered} answered, {beyond} above {SECONDS} s or {MEGABYTES} MB")
    sys.exit(4 if beyond else 0)


main()
