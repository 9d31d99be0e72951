"""Writes docs/published.md: numbers that others printed, and what pld proves of them.

usage: write.py PLD OUTPUT.md
"""
import json
import math
import pathlib
import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

HERE = pathlib.Path(__file__).parent
TEXT = """\
# Published numbers, re-proved

Written by `bash tools/published`; the test `cli.published` writes it again and compares. Each interval is pld's, rounded outward; every
question can be asked as it stands (`pld QUESTION`). A calibration's interval is a part in 1e6 wide; where that decides nothing, delta was asked
between its ends.

| claim | right | valid | wrong | under-reports | undecided |
|---|---|---|---|---|---|
| is | all of the interval is within what the source allows (else half a unit of the last digit printed) | | all of it is outside | | neither |
| at most | | the interval's upper end is no larger | | its lower end is larger: real neighbours exceed what is claimed | neither |
| at least | | its lower end is no smaller: real neighbours have it | its upper end is smaller | | neither |

Sources' names are those of papers, of texts and of test files of the packages. Where a text's table has a formula, it stands at numbers chosen here,
rounded up.

"""


def answered(pld, *words, stdin=None):
    """What pld prints; an interval wider than asked is certified too (status 3)."""
    done = subprocess.run([pld, *words, "--json"], input=stdin, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"pld {' '.join(words)}: status {done.returncode}")
    return json.loads(done.stdout)


def asked(pld, question):
    """The ends of what pld answers, the lower one None where nothing is known from below."""
    words = question.split()
    answer = answered(pld, *words)
    if words[0] != "calibrate":
        found = answer[words[0]]
        return None if found["lower"] is None else float(found["lower"]), float(found["upper"])
    if answer["unknown"] == "count":
        return answer["value"], answer["value"]
    ends = [answer["value"], answer["next"]["value"]]
    return (min(ends), max(ends)) if answer["next"].get("fails") else (None, max(ends))


def narrowed(pld, question, lower, upper):
    """The ends of a calibration to an epsilon at a delta, drawn together by what pld proves of delta between them."""
    words = question.split()
    epsilon, limit = words[words.index("--epsilon") + 1], float(words[words.index("--delta") + 1])
    safe = answered(pld, *words)["value"]
    fails = upper if safe == lower else lower
    for _ in range(20):
        middle = (safe + fails) / 2
        found = answered(pld, "delta", "--epsilon", epsilon, "--tolerance", "1e-9", words[-1].replace("?", repr(middle)))["delta"]
        if found["upper"] <= limit:
            safe = middle
        elif found["lower"] > limit:
            fails = middle
        else:
            break
    return min(safe, fails), max(safe, fails)


def half_unit(printed):
    """Half of a unit in the last digit printed."""
    mantissa, _, exponent = printed.partition("e")
    digits = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - digits) / 2


def verdict(claim, printed, allowed, lower, upper):
    value = Fraction(printed)
    if claim == "at most":
        if value >= Fraction(upper):
            return "valid"
        return "**under-reports**" if lower is not None and value < Fraction(lower) else "undecided"
    if claim == "at least":
        return "valid" if lower is not None and value <= Fraction(lower) else "**wrong**" if value > Fraction(upper) else "undecided"
    slack = Fraction(allowed) if allowed else half_unit(printed)
    if lower is not None and value - slack <= Fraction(lower) and Fraction(upper) <= value + slack:
        return "right"
    outside = Fraction(upper) < value - slack or lower is not None and Fraction(lower) > value + slack
    return "**wrong**" if outside else "undecided"


def outward(value, up, digits=8):
    """To so many digits, by decimal arithmetic on the double's exact value."""
    if value is None or value == 0:
        return "?" if value is None else "0"
    exact = Fraction(value)
    unit = Fraction(10) ** (math.floor(math.log10(abs(value))) - digits + 1)
    whole = math.ceil(exact / unit) if up else math.floor(exact / unit)
    return f"{float(whole * unit):.{digits}g}"


def row(pld, line):
    what, question, claim, printed, allowed, source = line.split("\t")
    lower, upper = asked(pld, question)
    if question.startswith("calibrate --epsilon ") and verdict(claim, printed, allowed, lower, upper) == "undecided":
        lower, upper = narrowed(pld, question, lower, upper)
    shown = printed if len(printed) <= 18 else printed[:18] + "..."
    interval = outward(lower, False) if lower == upper else f"{outward(lower, False)} .. {outward(upper, True)}"
    typed = " ".join(f"'{word}'" if "?" in word else word for word in question.split(" "))
    cells = (what, f"`{typed}`", f"{claim} {shown}", interval, verdict(claim, printed, allowed, lower, upper))
    return source, "| " + " | ".join(cells) + " |\n"


def tables(pld):
    """A table for each source, in the order of the rows."""
    lines = [line for line in (HERE / "rows.tsv").read_text().splitlines() if line and not line.startswith("#")]
    rows = {}
    for line in lines:
        source, text = row(pld, line)
        rows.setdefault(source, []).append(text)
    for source, texts in rows.items():
        yield f"## {source}\n\n| what | question | printed | interval | verdict |\n|---|---|---|---|---|\n" + "".join(texts) + "\n"


ALPHA_DIVERGENCE = [  # figure, sigma, the orders in the captions, epsilons of one release in section 8.1
    (6, 100, (136, "5.00e-5"), (152, "5.05e-5"), (164, "5.24e-5")),
    (7, 100, (13, "5.29e-5"), (64, "5.19e-5"), (127, "5.12e-5")),
    (8, 10, (14, "5.02e-3")), (8, 50, (67, "2.01e-4")), (8, 100, (133, "5.04e-5"))]


def alpha_divergences():
    """The paper's proposition 7 at its own orders, with no query of pld: (e^(a (a - 1) / (2 sigma^2)) - 1) / (a (a - 1))."""
    yield """\
## Liu and Wang, alpha divergence: section 8.1, beside the orders in the captions of figures 6 to 8

| what | printed | at that order | verdict |
|---|---|---|---|
"""
    with localcontext() as context:
        context.prec = 40
        for figure, sigma, *points in ALPHA_DIVERGENCE:
            for order, printed in points:
                product = Decimal(order * (order - 1))
                value = ((product / (2 * sigma**2)).exp() - 1) / product
                what = f"figure {figure}, epsilon of one Gaussian release, sigma {sigma}, order {order}"
                yield f"| {what} | is {printed} | {value:.8g} | {verdict('is', printed, '', value, value)} |\n"
    yield """
Computed to 40 digits by the paper's own formula; pld has no such query. `bash tools/validate` has every claim of the five texts, formulas
and figures too, most of which are no numbers.

"""


def census(pld, name):
    """Rho, what pld says of the noise, what it says of rho alone, and what there is. A record changes two cells of every query's histogram,
    each with noise of its own."""
    data = json.loads((HERE / name).read_text())
    rho = sum(Fraction(share) * Fraction(query) for level, share in data["geographic_levels"].items() for query in data["queries"][level])
    rho /= Fraction(data["global_scale"]) ** 2
    releases = {}
    for level, share in data["geographic_levels"].items():
        for query in data["queries"][level]:
            sigma = math.sqrt(Fraction(data["global_scale"]) ** 2 / (Fraction(share) * Fraction(query)))
            releases[sigma] = releases.get(sigma, 0) + 2
    ledger = {"mechanisms": [{"type": "discrete-gaussian", "sigma": sigma, "count": count}
                             for sigma, count in releases.items()]}
    found = answered(pld, "epsilon", "--delta", "1e-10", "--tolerance", "1e-4", "--ledger", "-",
                     stdin=json.dumps(ledger))["epsilon"]
    _, converted = asked(pld, f"epsilon --delta 1e-10 zcdp:rho={float(rho)!r}")
    size = f"{sum(map(len, data['queries'].values()))} queries at {len(data['geographic_levels'])} geographic levels"
    return float(rho), found, converted, f"## {data['source']}", size


def redistricting(pld):
    rho, found, converted, heading, size = census(pld, "census_2020.json")
    lower, upper = outward(found["lower"], False, 6), outward(found["upper"], True, 6)
    return f"""\
{heading}

| what | printed | interval | verdict |
|---|---|---|---|
| rho of all queries | is 2.56 | {outward(rho, False)} | {verdict("is", "2.56", "", rho, rho)} |
| epsilon at delta 1e-10 | at most 17.14 | {lower} .. {upper} | {verdict("at most", "17.14", "", found["lower"], found["upper"])} |
| the same, known by its rho only | is 17.14 | at most {outward(converted, True)} | {verdict("is", "17.14", "", None, converted)} |

{size}: discrete Gaussian noise of variance 1 / (rho share-of-level share-of-query) in every cell,
rho = 1 / scale^2 = (542/339)^2. A record that is replaced (bounded neighbours, as the bureau counts) is one less in a cell and one more in
another, of each query: two releases of sensitivity 1. Epsilon 17.14 is the bureau's for the persons file (June 2021), by the conversion of
rho; that the noise itself has less was found, geographic level by level, by Su, Su, Wang 2024 (arXiv 2410.09296).

"""


def housing(pld):
    rho, found, converted, heading, size = census(pld, "census_2020_dhc.json")
    by_code = f"{rho + 2 * math.sqrt(-rho * math.log(1e-10)):.4f}"
    lower, upper = outward(found["lower"], False, 6), outward(found["upper"], True, 6)
    return f"""\
{heading}

| what | the code's | interval | verdict |
|---|---|---|---|
| rho of all queries | - | {outward(rho, False)} | - |
| epsilon at delta 1e-10, rho + 2 sqrt(-rho log delta) | at most {by_code} | {lower} .. {upper} | {verdict("at most", by_code, "", found["lower"], found["upper"])} |
| the same, known by its rho only | - | at most {outward(converted, True)} | - |

{size}, noise as above with 1 / scale^2 = (485/254)^2; the shares of a level's queries are precisions and
do not add up to 1, so that rho is (485/254)^2 times the sum of share-of-level share-of-query (programs/engine/budget.py, whose conversion
of rho, of Bun and Steinke 2016, is the second row). The first of the levels' shares is the nation's. The bureau's printed number for this file
was not to be had. Two papers compose the same releases otherwise and were not compared number by number: arXiv 2410.09296 by the
trade-off functions of single levels, arXiv 2606.29835 by quadrature.
"""


def main():
    pld, output = sys.argv[1:]
    pathlib.Path(output).write_text(TEXT + "".join([*tables(pld), *alpha_divergences()]) + redistricting(pld) + housing(pld))


if __name__ == "__main__":
    main()
