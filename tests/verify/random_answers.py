"""Random compositions of all types, sampling schemes, adjacencies and queries, and the answers of `pld batch` to them.

usage: python3 random_answers.py COUNT SEED   prints answers, one a line; PLD names the command
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile


def log_uniform(rng, low, high, digits=5):
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.{digits}g}")


def of_noise(name, low, high):
    def parameters(rng):
        out = {name: log_uniform(rng, low, high)}
        if rng.random() < 0.3:
            out["sensitivity"] = log_uniform(rng, 0.3, 3)
        return out
    return parameters


def with_whole_sensitivity(parameters):
    def drawn(rng):
        out = parameters(rng)
        if rng.random() < 0.5:
            out["sensitivity"] = rng.randint(1, 5)
        return out
    return drawn


def shares(rng, parts):
    """Binary fractions with a sum of 1."""
    cuts = sorted(rng.sample(range(1, 1024), parts - 1))
    return [(b - a) / 1024 for a, b in zip([0, *cuts], [*cuts, 1024])]


def log_concave(rng):
    middle, spread = rng.randint(1, 4), rng.uniform(0.1, 1)
    masses = [math.exp(-spread * (i - middle) ** 2) for i in range(2 * middle + 1)]
    return [mass / sum(masses) for mass in masses]


def dp_points(rng):
    epsilons = sorted(log_uniform(rng, 0.05, 2) for _ in range(rng.randint(1, 4)))
    deltas = sorted((log_uniform(rng, 1e-8, 0.1) for _ in epsilons), reverse=True)
    return {"epsilons": epsilons, "deltas": deltas}


def trade_off(rng):
    """Points of a convex function."""
    slopes = sorted((log_uniform(rng, 0.2, 8) for _ in range(rng.randint(1, 4))), reverse=True)
    widths = [rng.uniform(0.05, 0.4) for _ in slopes]
    falls = [slope * width for slope, width in zip(slopes, widths)]
    scale = rng.uniform(0.3, 0.999) / max(sum(falls), sum(widths), *(sum(falls[i:]) + sum(widths[:i]) for i in range(len(falls))))
    alphas, betas = [0.0], [sum(falls) * scale]
    for width, fall in zip(widths, falls):
        alphas.append(alphas[-1] + width * scale)
        betas.append(betas[-1] - fall * scale)
    betas[-1] = 0.0
    return {"alphas": alphas, "betas": betas}


def mixture(rng):
    parts = rng.randint(1, 4)
    return {"sigma": log_uniform(rng, 0.5, 5), "shifts": [rng.choice([0, 0.5, 1, 2, log_uniform(rng, 0.1, 4)]) for _ in range(parts)],
            "weights": shares(rng, parts)}


def rdp(rng):
    orders = sorted({float(rng.choice([1.5, 2, 3, 4, 8, 16, 32, 64])) for _ in range(rng.randint(1, 5))})
    slope = log_uniform(rng, 0.001, 0.2)
    return {"orders": orders, "epsilons": [slope * order for order in orders]}


TYPES = {
    "gaussian": of_noise("sigma", 0.4, 30),
    "laplace": of_noise("scale", 0.4, 50),
    "logistic": of_noise("scale", 0.4, 50),
    "generalized": lambda rng: {"shape": rng.choice([1, 1.5, 2, 3, log_uniform(rng, 1.05, 12)]), "scale": log_uniform(rng, 0.7, 20)},
    "sinh-normal": lambda rng: (lambda sigma: {"sigma": sigma, "a": sigma * log_uniform(rng, 1.1, 50)})(log_uniform(rng, 0.5, 20)),
    "truncated-laplace": lambda rng: (lambda scale: {"scale": scale, "bound": scale * log_uniform(rng, 2, 40)})(log_uniform(rng, 0.5, 20)),
    "randomized-response": lambda rng: {"p": round(rng.uniform(0.3, 0.99), 4), **({"k": rng.randint(2, 9)} if rng.random() < 0.5 else {})},
    "exponential": lambda rng: {"epsilon": log_uniform(rng, 0.01, 3)},
    "report-noisy-max": of_noise("scale", 1, 50),
    "permute-and-flip": lambda rng: {"epsilon": log_uniform(rng, 0.01, 3)},
    "dp": lambda rng: {"epsilon": log_uniform(rng, 0.01, 3), "delta": rng.choice([0, log_uniform(rng, 1e-12, 1e-3)])},
    "discrete-laplace": with_whole_sensitivity(lambda rng: {"a": log_uniform(rng, 0.02, 2)}),
    "discrete-gaussian": with_whole_sensitivity(lambda rng: {"sigma": log_uniform(rng, 0.6, 40)}),
    "binomial": with_whole_sensitivity(lambda rng: {"n": rng.randint(5, 300), "p": rng.choice([0.5, 0.5, 0.3])}),
    "skellam": with_whole_sensitivity(lambda rng: {"variance": log_uniform(rng, 1, 300)}),
    "poisson-difference": lambda rng: {"plus": log_uniform(rng, 2, 60), "minus": log_uniform(rng, 2, 60)},
    "integer-noise": lambda rng: {"masses": log_concave(rng)},
    "mass-table": lambda rng: (lambda parts: {"p": shares(rng, parts), "q": shares(rng, parts)})(rng.randint(2, 5)),
    "gaussian-mixture": mixture,
    "dp-points": dp_points,
    "trade-off": trade_off,
    "zcdp": lambda rng: {"rho": log_uniform(rng, 1e-4, 0.5)},
    "tcdp": lambda rng: {"rho": log_uniform(rng, 1e-4, 0.5), "omega": log_uniform(rng, 5, 500)},
    "rdp": rdp,
}


def truncated(rng):
    records, rate = int(log_uniform(rng, 2, 1e5)), log_uniform(rng, 1e-3, 1)
    mean = records * rate
    return {"truncated_poisson": rate, "largest_batch": max(1, round(mean + rng.uniform(-1, 5) * math.sqrt(mean))), "records": records}


SCHEMES = [(0.3, lambda rng: {"poisson": log_uniform(rng, 1e-3, 1)}),
           (0.42, lambda rng: {"without_replacement": log_uniform(rng, 1e-3, 1)}),
           (0.47, lambda rng: {"allocation": int(log_uniform(rng, 2, 2000))}),
           (0.485, lambda rng: {"allocation": int(log_uniform(rng, 2, 2000)), "passes": int(log_uniform(rng, 2, 50))}),
           (0.5, lambda rng: (lambda steps: {"allocation": steps, "participations": rng.randint(2, min(steps, 20))})(int(log_uniform(rng, 2, 2000)))),
           (0.56, lambda rng: {"shuffled": int(log_uniform(rng, 2, 500))}),
           (0.62, truncated)]


def mechanism(rng, name=None):
    name = name or rng.choice(list(TYPES))
    entry = {"type": name, **TYPES[name](rng)}
    chance = rng.random()
    scheme = next((scheme for end, scheme in SCHEMES if chance < end), None)
    if scheme:
        entry["sampling"] = scheme(rng)
    count = rng.random()
    if count > 0.25:
        entry["count"] = int(log_uniform(rng, 2, 30 if count < 0.5 else 3000 if count < 0.85 else 1e6 if count < 0.97 else 1e12))
    return entry


def question(rng, number):
    # Every type in its turn, most compositions of one or two.
    names = list(TYPES)
    entries = [mechanism(rng, names[number % len(names)])] + [mechanism(rng) for _ in range(rng.choice([0, 0, 0, 1, 1, 2]))]
    if rng.random() < 0.05 and entries[0]["type"] in ("gaussian", "laplace"):
        entries[0]["replace_sensitivity"] = rng.uniform(1, 2) * entries[0].get("sensitivity", 1)
    group = {"group": rng.randint(2, 4)} if rng.random() < 0.15 else {}
    asked = {"id": number, **group, "mechanisms": entries, "adjacency": rng.choice(["add-remove", "add-remove", "replace-one", "zero-out"]),
             "direction": rng.choice(["worst", "worst", "remove", "add"])}
    kind = rng.random()
    if kind < 0.55:
        return {**asked, "query": "epsilon", "delta": rng.choice([0.3, 0.01, 1e-5, 1e-6, 1e-10, log_uniform(rng, 1e-30, 0.99)])}
    if kind > 0.9:
        return {**asked, "query": "tpr", "fpr": log_uniform(rng, 1e-6, 0.5)}
    return {**asked, "query": "delta", "epsilon": rng.choice([0, 0.1, 1, -0.5, 4, log_uniform(rng, 0.01, 50)])}


def calibration(rng, number):
    """One number of the first mechanism left open."""
    name, unknown = rng.choice([("gaussian", "sigma"), ("laplace", "scale"), ("logistic", "scale"), ("discrete-gaussian", "sigma"),
                                ("randomized-response", "p"), ("dp", "epsilon"), ("generalized", "scale")])
    entry = mechanism(rng, name)
    entry["count"] = min(entry.get("count", 1), 3000)
    if "allocation" in entry.get("sampling", {}):  # seconds for each trial
        del entry["sampling"]
    if rng.random() < 0.3:
        unknown = "count"
    entry[unknown] = "?"
    target = rng.choice([{"epsilon": log_uniform(rng, 0.1, 5), "delta": log_uniform(rng, 1e-9, 1e-3)}, {"advantage": rng.uniform(0.05, 0.9)},
                         {"fpr": log_uniform(rng, 1e-4, 0.2), "tpr": rng.uniform(0.25, 0.9)}])
    return {"id": number, "query": "calibrate", "mechanisms": [entry], "targets": [target], "adjacency": "add-remove"}


def calibration_or_question(rng, number):
    """The first of three numbers in 25; and two of mu, which many have not."""
    if number % 25 in (3, 11, 19):
        return calibration(rng, number)
    asked = question(rng, number)
    return {key: asked[key] for key in ("id", "group", "mechanisms", "adjacency") if key in asked} | {"query": "mu"} if number % 25 in (5, 13) else asked


WORDS = {"without_replacement": "wor", "truncated_poisson": "truncated", "largest_batch": "cap"}


def answers_to(questions):
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([os.environ["PLD"], "batch"], input=lines, capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: an answer is wider than asked
        raise RuntimeError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def words_of(entry):
    """A mechanism as the command takes it."""
    return entry["type"] + ":" + ",".join(
        [f"{key}={'/'.join(map(repr, value)) if isinstance(value, list) else repr(value)}" for key, value in entry.items()
         if key not in ("type", "sampling", "count")]
        + [f"{WORDS.get(key, key)}={value!r}" for key, value in entry.get("sampling", {}).items()]
        + [f"count={entry.get('count', 1)}"])


def answer_to(number, *words):
    done = subprocess.run([os.environ["PLD"], *words], capture_output=True, text=True)
    return {"id": number, **json.loads(done.stdout)} if done.returncode in (0, 3, 4) else {"id": number, "error": done.stderr}  # 4: data refute


def curves(rng, number):
    """A few points of a profile or a trade-off function, which batches do not take."""
    words = words_of(mechanism(rng))
    of, points = rng.choice([("profile", "0:2:3"), ("tradeoff", "0.001:0.5:3")])
    return answer_to(number, "curve", "--json", "--of", of, "--range", points, words)


def counts(rng):
    """Of independent runs, or of guesses about the canaries of one."""
    many = int(log_uniform(rng, 4, 2000))
    if rng.random() < 0.5:
        return ["--true-positives", f"{rng.randint(many // 2, many)}/{many}", "--false-positives", f"{rng.randint(0, many // 2)}/{many}"]
    guessed = rng.randint(1, many)
    return ["--correct", f"{rng.randint(guessed // 2, guessed)}/{guessed}", "--canaries", str(many)]


def scores(rng, folder):
    """Of runs or canaries with the record and without."""
    means = {"in": rng.uniform(0.5, 4), "out": 0.0}
    for name, mean in means.items():
        (folder / name).write_text("".join(f"{rng.gauss(mean, 1)!r}\n" for _ in range(rng.randint(4, 300))))
    return ["--in", str(folder / "in"), "--out", str(folder / "out"), *rng.choice([[], ["--threshold", "1"], ["--one-run"]])]


def audit(rng, number):
    """Of one mechanism, and of a claim."""
    entry = mechanism(rng)
    entry["count"] = min(entry.get("count", 1), 100)
    asked = ["--delta", repr(log_uniform(rng, 1e-9, 1e-2)), "--claim", repr(log_uniform(rng, 0.05, 5)), words_of(entry)]
    with tempfile.TemporaryDirectory() as folder:
        observed = counts(rng) if rng.random() < 0.6 else scores(rng, pathlib.Path(folder))
        return answer_to(number, "audit", "--json", *observed, *asked)


BESIDE_BATCHES = {7: curves, 15: curves, 17: audit}  # by the number modulo 25


def random_answers(count, seed):
    """`count` answers that are no refusals, or without end: of 100, 68 of epsilon, delta and powers of tests, 12 calibrations, 8 of mu, 8
    curves and 4 audits, less what is refused."""
    rng, left, number = random.Random(seed), count, 0
    while left > 0:
        asked = []
        for _ in range(min(50, left)):
            asked.append(calibration_or_question(rng, number))
            number += 1
        found = [*answers_to([q for q in asked if q["id"] % 25 not in BESIDE_BATCHES]),
                 *(BESIDE_BATCHES[q["id"] % 25](rng, q["id"]) for q in asked if q["id"] % 25 in BESIDE_BATCHES)]
        found = [answer for answer in found if "error" not in answer]
        left -= len(found)
        yield from found


if __name__ == "__main__":
    for answer in random_answers(int(sys.argv[1]), int(sys.argv[2])):
        print(json.dumps(answer))
