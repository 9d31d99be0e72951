"""Asks every accountant the same questions in one run; writes peers.md, ratios.md, growth.csv, growth.svg to a folder.
usage: python compare.py FOLDER [--quick] [--only TEXT]     (bash tools/bench makes the environment and calls this)
--quick: one delta a workload, which is all of ratios.md, and few counts; --only: the workloads whose titles hold the
text, without growth."""
import argparse
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys

import tables
import verdicts
from accountants import ACCOUNTANTS
from questions import Question, growing, questions

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 60  # seconds for one accountant on one question
PACKAGES = ("dp-accounting", "prv-accountant", "opacus", "riskcal", "PLD_accounting", "numpy")
GROWTH = [10**power for power in range(2, 10)]


def ask(accountant, question):
    command = [sys.executable, os.path.join(HERE, "worker.py"), accountant, question.method]
    asked = json.dumps(question.arguments)
    try:
        done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"no answer in {LIMIT} s"}
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"failed": (done.stderr.strip().splitlines() or ["died"])[-1][:120]}


def ours(question):
    answer = ask("pld", question)
    if "bounds" not in answer:
        sys.exit(f"pld does not answer {question.title}, {question.asked}: {answer}")
    return answer


def epsilon_at(sigma, question):
    """Our bounds of epsilon for the run that a calibration chose this sigma for."""
    asked = question.arguments
    run = [{"type": "gaussian", "sigma": sigma, "q": asked["rate"], "count": asked["count"]}]
    (epsilon,) = ours(Question(question.title, "epsilon", "epsilon", {"run": run, "delta": asked["delta"]}))["bounds"]
    return epsilon


def judged(answer, question, certified):
    if "bounds" not in answer:
        return verdicts.without_answer(answer)
    if question.method != "calibrate":
        return verdicts.of_bounds(answer["bounds"], certified)
    ((_, _, sigma),), ((missing, _, _),) = answer["bounds"], certified
    if not 0 < sigma < math.inf:
        return verdicts.Verdict(f"FAILED: {sigma} is no noise multiplier")
    return verdicts.of_sigma(sigma, epsilon_at(sigma, question), question.arguments["epsilon"], missing)


def first_of_each(asked):
    """The first question of each workload."""
    return [question for i, question in enumerate(asked) if i == 0 or question.title != asked[i - 1].title]


def compared(asked, progress):
    """The rows of the whole table, and of the ratios: one a workload."""
    rows, ratios, first = [], [], first_of_each(asked)
    for question in asked:
        answers = {"pld": ours(question)}
        for name in ACCOUNTANTS:
            progress(f"{question.title}, {question.asked}, {name}")
            answers[name] = answers.get(name) or ask(name, question)
        judgements = {name: judged(answer, question, answers["pld"]["bounds"]) for name, answer in answers.items()}
        rows += [tables.row(question, name, answers[name], judgements[name]) for name in answers]
        if question in first:
            ratios.append(tables.ratio_row(question, answers, judgements))
    return rows, ratios


def growth(counts, progress):
    rows = ["count," + ",".join(ACCOUNTANTS)]
    for count in counts:
        progress(f"growth, {count:g} steps")
        times = [ask(name, growing(count)).get("seconds") for name in ACCOUNTANTS]
        rows.append(f"{count}," + ",".join("" if t is None else f"{t:.6g}" for t in times))
    return rows


def draw(folder):
    script = f"""set terminal svg size 760,480 font 'DejaVu Sans,13' background '#ffffff'
set output '{folder}/growth.svg'
set datafile separator ','
set logscale xy
set format x '10^{{%T}}'
set xlabel 'steps (sampled Gaussian, sigma 0.8, epsilon about 2)'
set ylabel 'seconds of processor time a query'
set key outside right top
set grid
plot for [i=2:{len(ACCOUNTANTS) + 1}] '{folder}/growth.csv' using 1:i with linespoints lw 2 title columnheader(i)
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def measured():
    """Where the numbers come from."""
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True, text=True)
    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return (f"Measured at commit {commit.stdout.strip() or 'unknown'} on one core of {processor()}, "
            f"Python {platform.python_version()}, {packages}.")


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    folder, quick = chosen.folder, chosen.quick
    os.makedirs(folder, exist_ok=True)

    def progress(text):
        print(text, file=sys.stderr)

    asked = [question for question in questions() if chosen.only in question.title]
    if not asked:
        parser.error(f"no workload's title holds '{chosen.only}'")
    if quick:
        asked = first_of_each(asked)
    head = [measured(), "", *tables.MEANING, ""]
    rows, ratios = compared(asked, progress)
    write(f"{folder}/peers.md", ["# Accountants side by side", "", *head, *tables.HEAD, *rows])
    write(f"{folder}/ratios.md", [*head[:-1], *tables.RATIO_MEANING, "", *tables.RATIO_HEAD, *ratios])
    if chosen.only:
        return
    write(f"{folder}/growth.csv", growth(GROWTH[:3] if quick else GROWTH, progress))
    draw(folder)


main()
