"""Sets dp_accounting's upper bounds against the vectors: python3 run_dp_accounting.py [FILE.json...] (pip install dp-accounting)."""
import json
import pathlib
import sys
from fractions import Fraction

from dp_accounting.pld import privacy_loss_distribution as pld

MAKERS = {"gaussian": ("sigma", pld.from_gaussian_mechanism), "laplace": ("scale", pld.from_laplace_mechanism),
          "discrete-gaussian": ("sigma", pld.from_discrete_gaussian_mechanism), "discrete-laplace": ("a", pld.from_discrete_laplace_mechanism)}


def taken(row):
    """Whether this package has such mechanisms."""
    return row["adjacency"] == "add-remove" and all(
        entry["type"] in MAKERS and "poisson" in entry.get("sampling", {"poisson": 1}) for entry in row["mechanisms"])


def answer(row, step=1e-4):
    total = pld.identity(step)
    for entry in row["mechanisms"]:
        name, make = MAKERS[entry["type"]]
        one = make(entry[name], sensitivity=entry.get("sensitivity", 1), sampling_prob=entry.get("sampling", {"poisson": 1})["poisson"],
                   value_discretization_interval=step)
        total = total.compose(one.self_compose(entry.get("count", 1)))
    return total.get_delta_for_epsilon(row["epsilon"]) if row["query"] == "delta" else total.get_epsilon_for_delta(row["delta"])


for file in sorted((pathlib.Path(__file__).parents[2] / "tests" / "vectors").glob("*.json")):
    if sys.argv[1:] and file.name not in sys.argv[1:]:
        continue
    rows = json.loads(file.read_text())["rows"]
    answers = [(row, float(answer(row))) for row in rows if taken(row)]
    below = [(row, found) for row, found in answers if not found >= Fraction(row["lower"])]
    print(f"{file.name}: {len(answers)} of {len(rows)} rows taken, {len(below)} upper bounds below the truth", flush=True)
    for row, found in below:
        print(f"    {found!r} < {float(row['lower'])!r}: {json.dumps({k: row.get(k) for k in ('epsilon', 'delta', 'direction', 'mechanisms')})}")
