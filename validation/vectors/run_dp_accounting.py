"""Sets dp_accounting's upper bounds against the vectors: python3 run_dp_accounting.py [FILE.json...] (pip install
dp-accounting). Few lines, so that another accountant's runner can be made of them."""
import json
import pathlib
import sys
from fractions import Fraction

from dp_accounting.pld import privacy_loss_distribution as pld

VECTORS = pathlib.Path(__file__).parents[2] / "tests" / "vectors"
MAKERS = {"gaussian": ("sigma", pld.from_gaussian_mechanism), "laplace": ("scale", pld.from_laplace_mechanism)}


def composed(row, step):
    """None where this package has no such mechanism."""
    total = pld.identity(step)
    for entry in row["mechanisms"]:
        sampling = entry.get("sampling", {"poisson": 1})
        if entry["type"] not in MAKERS or "poisson" not in sampling or row["adjacency"] != "add-remove":
            return None
        name, make = MAKERS[entry["type"]]
        one = make(entry[name], sensitivity=entry.get("sensitivity", 1), sampling_prob=sampling["poisson"],
                   value_discretization_interval=step)
        total = total.compose(one.self_compose(entry.get("count", 1)))
    return total


def answer(row, step=1e-4):
    found = composed(row, step)
    if found is None:
        return None
    return found.get_delta_for_epsilon(row["epsilon"]) if row["query"] == "delta" else found.get_epsilon_for_delta(row["delta"])


def main(*names):
    for file in sorted(VECTORS.glob("*.json")):
        if names and file.name not in names:
            continue
        rows = json.loads(file.read_text())["rows"]
        answers = [(row, answer(row)) for row in rows]
        taken = [(row, found) for row, found in answers if found is not None]
        below = [(row, found) for row, found in taken if not found >= Fraction(row["lower"])]
        print(f"{file.name}: {len(taken)} of {len(rows)} rows taken, {len(below)} upper bounds below the truth")
        for row, found in below:
            asked = {key: row[key] for key in ("query", "epsilon", "delta", "direction", "mechanisms") if key in row}
            print(f"    {found!r} < {float(row['lower'])!r}: {json.dumps(asked)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
