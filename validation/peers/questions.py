"""What every accountant is asked. A run is a list of mechanisms in the words of the command."""
import math
from typing import NamedTuple

DELTAS = (1e-6, 1e-10, 1e-15, 1e-25)
DP_SGD = {"type": "gaussian", "sigma": 0.8, "q": 0.005, "count": 1000}
COUNTS = {"type": "laplace", "scale": 50, "count": 200}
HISTOGRAMS = {"type": "discrete-gaussian", "sigma": 20, "count": 100}
RUNS = {
    "DP-SGD: sigma 0.8, q 0.005, 1e3 steps": [DP_SGD],
    "mixed: that run, 200 Laplace counts of scale 50, 100 discrete Gaussians of sigma 20": [DP_SGD, COUNTS, HISTOGRAMS],
    "sigma 1, q 0.01, 1e4 steps": [{"type": "gaussian", "sigma": 1, "q": 0.01, "count": 10000}],
    "sigma 4, q 3.3e-4, 1e4 steps": [{"type": "gaussian", "sigma": 4, "q": 0.00033, "count": 10000}],
    "Gaussian, sigma 100, 300 releases": [{"type": "gaussian", "sigma": 100, "count": 300}],
    "Laplace, scale 50, 200 releases": [COUNTS],
    "random allocation: sigma 1, 100 steps": [{"type": "gaussian", "sigma": 1, "allocation": 100, "count": 1}],
    "random allocation: sigma 1, 195 steps, 30 epochs": [
        {"type": "gaussian", "sigma": 1, "allocation": 195, "count": 30}
    ],
    "randomized response, p 0.75, 1000 releases": [{"type": "randomized-response", "p": 0.75, "count": 1000}],
}
TARGET = {"epsilon": 2.0, "delta": 1e-6}


class Question(NamedTuple):
    title: str
    asked: str
    method: str  # of an Accountant
    arguments: dict


def evenly(low, high, count):
    """In the command's own arithmetic, so that its points are these to the last bit."""
    return [low + (high - low) * (i / (count - 1)) for i in range(count - 1)] + [high]


def questions():
    """Those of one title follow each other; the first of them is the one in the table of ratios."""
    epsilons = [
        Question(title, f"epsilon at delta {delta:g}", "epsilon", {"run": run, "delta": delta})
        for title, run in RUNS.items()
        for delta in DELTAS
    ]
    sigma = "sigma for epsilon {epsilon:g} at delta {delta:g}".format(**TARGET)
    rate_and_count = {"rate": DP_SGD["q"], "count": DP_SGD["count"]}
    return epsilons + [
        Question("calibration: q 0.005, 1e3 steps", sigma, "calibrate", rate_and_count | TARGET),
        # Delta falls from 1e-2 to 4e-11: all of it within reach of double precision without a tilt.
        Question("curve: the DP-SGD run, 1,000 points", "delta at epsilon 0.5 to 4", "profile",
                 {"run": [DP_SGD], "epsilons": evenly(0.5, 4.0, 1000)}),
    ]


def growing(count):
    """Epsilon of about 2 at any count."""
    run = [DP_SGD | {"q": DP_SGD["q"] * math.sqrt(DP_SGD["count"] / count), "count": count}]
    return Question("growth", f"{count:g} steps", "epsilon", {"run": run, "delta": DELTAS[0]})
