"""Runs every accountant on the same workloads in one run and writes peers.md, growth.csv and growth.svg to a folder.
usage: python compare.py FOLDER [--quick] [--only TEXT]     (bash tools/bench makes the environment and calls this)
--quick: the first workload and few counts; --only: the workloads whose titles hold the text, without growth."""
import argparse
import json
import math
import os
import platform
import subprocess
import sys

from accountants import ACCOUNTANTS

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 60  # seconds for one accountant on one workload
DELTAS = (1e-6, 1e-10, 1e-15, 1e-25)
WORKLOADS = {
    "DP-SGD: sigma 0.8, q 0.005, 1e3 steps": {"mechanism": "gaussian", "noise": 0.8, "q": 0.005, "count": 1000},
    "sigma 1, q 0.01, 1e4 steps": {"mechanism": "gaussian", "noise": 1.0, "q": 0.01, "count": 10000},
    "sigma 4, q 3.3e-4, 1e4 steps": {"mechanism": "gaussian", "noise": 4.0, "q": 0.00033, "count": 10000},
    "Gaussian, sigma 100, 300 releases": {"mechanism": "gaussian", "noise": 100.0, "q": 1, "count": 300},
    "Laplace, scale 50, 200 releases": {"mechanism": "laplace", "noise": 50.0, "q": 1, "count": 200},
    "random allocation: sigma 1, 100 steps": {"mechanism": "gaussian", "noise": 1.0, "allocation": 100, "count": 1},
    "random allocation: sigma 1, 195 steps, 30 epochs": {"mechanism": "gaussian", "noise": 1.0, "allocation": 195, "count": 30},
    "randomized response, p 0.75, 1000 releases": {"mechanism": "randomized-response", "noise": 0.75, "q": 1, "count": 1000},
}
GROWTH = [10**power for power in range(2, 10)]


def growing(count):
    """Epsilon of about 2 at any count."""
    return {"mechanism": "gaussian", "noise": 0.8, "q": 0.005 * math.sqrt(1000 / count), "count": count}


def ask(accountant, workload, delta):
    command = [sys.executable, os.path.join(HERE, "worker.py"), accountant, json.dumps(workload), repr(delta)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"no answer in {LIMIT} s"}
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"failed": (done.stderr.strip().splitlines() or ["died"])[-1][:120]}


def verdict(answer, certified):
    """Against our certified bracket: what the interval or the upper bound claimed is worth."""
    if "refused" in answer:
        return "not supported: " + answer["refused"]
    if "failed" in answer:
        return "FAILED: " + answer["failed"]
    lower, estimate, upper = (None if end is None else float(end) for end in answer["bracket"])
    if upper is None or math.isnan(upper):
        return "FAILED: not a number"
    if math.isinf(upper):
        return "useless: inf"
    if upper < certified[0]:
        return "WRONG: below the truth"
    if lower is not None and lower > certified[2]:
        return "WRONG: lower end above the truth"
    return f"upper end {upper / certified[0] - 1:.1e} above" if certified[0] > 0 else "holds"


def shown(answer):
    if "bracket" not in answer:
        return "", ""
    ends = ["" if end is None else f"{float(end):.10g}" for end in answer["bracket"]]
    return f"{ends[0]} .. {ends[2]}" if ends[0] else f"<= {ends[2]}", f"{1e3 * answer['seconds']:.3g}"


def table(workloads, deltas, progress):
    rows = ["| workload | delta | accountant | epsilon | ms | verdict |", "|---|---|---|---|---|---|"]
    for title, workload in workloads.items():
        for delta in deltas:
            answers = {name: ask(name, workload, delta) for name in ACCOUNTANTS}
            certified = [float(end) for end in answers["pld"]["bracket"]]
            for name, answer in answers.items():
                progress(f"{title}, delta {delta:g}, {name}")
                value, milliseconds = shown(answer)
                said = f"width {certified[2] - certified[0]:.1e}" if name == "pld" else verdict(answer, certified)
                rows.append(f"| {title} | {delta:g} | {name} | {value} | {milliseconds} | {said} |")
    return rows


def growth(counts, progress):
    rows = ["count," + ",".join(ACCOUNTANTS)]
    for count in counts:
        progress(f"growth, {count:g} steps")
        times = [ask(name, growing(count), 1e-6).get("seconds") for name in ACCOUNTANTS]
        rows.append(f"{count}," + ",".join("" if t is None else f"{t:.6g}" for t in times))
    return rows


def draw(folder):
    script = f"""set terminal svg noenhanced size 760,480 font 'DejaVu Sans,13' background '#ffffff'
set output '{folder}/growth.svg'
set datafile separator ','
set logscale xy
set format x '10^{{%T}}'
set xlabel 'steps (sampled Gaussian, sigma 0.8, epsilon about 2)'
set ylabel 'seconds a query'
set key outside right top
set grid
plot for [i=2:{len(ACCOUNTANTS) + 1}] '{folder}/growth.csv' using 1:i with linespoints lw 2 title columnheader(i)
"""
    subprocess.run(["gnuplot"], input=script.replace("svg noenhanced", "svg"), text=True, check=True)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("folder")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    folder, quick = asked.folder, asked.quick
    os.makedirs(folder, exist_ok=True)

    def progress(text):
        print(text, file=sys.stderr)

    workloads = {title: workload for title, workload in WORKLOADS.items() if asked.only in title}
    if not workloads:
        parser.error(f"no workload's title holds '{asked.only}'")
    workloads = dict(list(workloads.items())[:1]) if quick else workloads
    versions = subprocess.run([sys.executable, "-m", "pip", "freeze"], capture_output=True, text=True).stdout.split()
    known = [v for v in versions if v.startswith(("dp-accounting", "prv", "opacus", "riskcal", "numpy", "PLD_accounting", "pld_accounting"))]
    head = [
        "# Accountants side by side",
        "",
        f"One run on {platform.processor() or platform.machine()}, Python {platform.python_version()}, {', '.join(known)}.",
        "Milliseconds are the median of up to five calls after the first; ours include the start of the process.",
        "",
    ]
    write(f"{folder}/peers.md", head + table(workloads, DELTAS, progress))
    if asked.only:
        return
    write(f"{folder}/growth.csv", growth(GROWTH[:3] if quick else GROWTH, progress))
    draw(folder)


main()
