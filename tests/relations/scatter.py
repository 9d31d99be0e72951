"""Time, memory and width of answers to random questions about the whole zoo, by one command or by two (before and after),
as a table and a scatter picture. Each question has a process of its own, one after another.

usage: python3 scatter.py PICTURE.svg COUNT SEED PLD [PLD]
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "verify"))
from random_answers import calibration_or_question  # noqa: E402

NARROWEST, WIDEST = 1e-16, 1e6  # what a picture tells from an exact answer, and from one that says nothing


def questions(count, seed):
    rng = random.Random(seed)
    return [calibration_or_question(rng, n) for n in range(count)]


def width(answer):
    """Relative, absolute below 1; of delta that of its logarithm; none of refusals, calibrations and where no loss is known."""
    bracket = answer.get("log_delta") or answer.get("epsilon")
    if answer.get("query") not in ("epsilon", "delta") or not isinstance(bracket, dict):
        return None
    ends = [bracket[end] for end in ("lower", "upper")]
    if None in ends or not all(math.isfinite(float(end)) for end in ends):
        return None
    low, high = map(float, ends)
    return (high - low) / max(1, abs(high) if answer["query"] == "epsilon" else 1)


def measured(pld, asked):
    """Seconds of processor time, megabytes at most, and the answer."""
    child = subprocess.Popen([pld, "batch", "--threads", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write(json.dumps(asked) + "\n")
    child.stdin.close()
    answer = json.loads(child.stdout.read())
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, answer


def table(runs):
    """A row for each command: its times, its memory, and how many answers are as narrow as asked."""
    rows = ["| | median | 90 % | 99 % | most | above 1 s | above 2 s | MB | converged |", "|---|---|---|---|---|---|---|---|---|"]
    for name, run in runs.items():
        times = sorted(seconds for seconds, _, _ in run)
        at = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.9, 0.99, 1)]
        converged = [answer["converged"] for _, _, answer in run if "converged" in answer]
        rows.append(f"| {name} | " + " | ".join(f"{time:.3f} s" for time in at) +
                    f" | {sum(t > 1 for t in times)} | {sum(t > 2 for t in times)} | {max(mb for _, mb, _ in run):.0f} | "
                    f"{sum(converged)} of {len(converged)} |")
    return "\n".join(rows)


def draw(runs, picture):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(runs), sharex=True, sharey=True, squeeze=False, figsize=(5 * len(runs), 4))
    for panel, (name, run) in zip(axes[0], runs.items()):
        points = [(seconds, min(max(width(answer), NARROWEST), WIDEST)) for seconds, _, answer in run if width(answer) is not None]
        panel.loglog(*zip(*points), ".", markersize=2)
        panel.set(title=name, xlabel="seconds of processor time")
    axes[0][0].set_ylabel("width, relative to 1 or more")
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


def main(picture, count, seed, *commands):
    asked = questions(int(count), int(seed))
    names = ["now"] if len(commands) == 1 else ["before", "after"]
    runs = {name: [measured(pld, one) for one in asked] for name, pld in zip(names, commands)}
    print(table(runs), flush=True)
    draw(runs, picture)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
