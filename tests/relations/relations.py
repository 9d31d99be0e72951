"""Answers that theorems bind to each other, over random compositions of the whole zoo: none may exclude another.

usage: python3 relations.py COUNT SEED   COUNT relations, seeded; pld is the package (PYTHONPATH=build/python)
Exit status 4 if two intervals exclude each other; each such pair is printed with the question of both.

What is compared are truths, the largest over all neighbours and all mechanisms of a type. A relation says that one truth
is at most another one, perhaps transformed: then the lower end of the first is at most the upper end of the second.
"""
import collections
import itertools
import json
import math
import pathlib
import random
import sys
import time
from decimal import Context, Decimal, setcontext
from fractions import Fraction

import pld

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "verify"))
from random_answers import log_uniform, mechanism  # noqa: E402

setcontext(Context(prec=500))  # 1 - e^x for every double x of size 1e-324 to 300
NOISE = {"gaussian", "laplace", "logistic", "generalized", "sinh-normal", "truncated-laplace"}  # continuous
OTHER = {"remove": "add", "add": "remove"}
SECONDS = 0.3  # of processor time for one composition; what is left to ask of it then is not asked


def exp(x):
    return Decimal(x).exp()


def log(x):
    return x.ln() if x > 0 else Decimal("-inf")


class Asked:
    """Answers to questions about one composition and its relatives, each asked once."""

    def __init__(self, tolerance):
        self.tolerance, self.answers, self.compositions = tolerance, {}, {}

    def ask(self, run, query, value, direction, **options):
        options = {"tolerance": self.tolerance, **options}
        key = json.dumps([run, query, value, direction, options])
        if key not in self.answers:
            self.answers[key] = getattr(self.composition(run), query)(value, direction=direction, **options)
        return self.answers[key]

    def composition(self, run):
        key = json.dumps(run)
        if key not in self.compositions:
            ledger = json.dumps({"adjacency": run["adjacency"], "mechanisms": run["mechanisms"]})
            self.compositions[key] = pld.from_json(ledger).in_groups(run.get("group", 1))
        return self.compositions[key]

    def told(self):
        """All questions, each with the ends of its answer."""
        return [[*json.loads(key), ends(answer)] for key, answer in self.answers.items()]

    def log_delta(self, run, epsilon, direction, **options):
        return self.ask(run, "delta", epsilon, direction, **options).log_delta

    def epsilon(self, run, delta, direction, **options):
        return self.ask(run, "epsilon", delta, direction, **options)


def stretched(rng, entry):
    """Now and then far more or less noise, or a rate next to 0 or 1."""
    if entry["type"] in NOISE and rng.random() < 0.2:
        entry = {**entry, "sensitivity": entry.get("sensitivity", 1) * log_uniform(rng, 0.01, 100)}
    for scheme in ("poisson", "without_replacement"):
        if scheme in entry.get("sampling", {}) and rng.random() < 0.3:
            small = log_uniform(rng, 1e-9, 1e-3)
            entry = {**entry, "sampling": {scheme: rng.choice([small, 1 - small])}}
    return entry


class Question:
    """One composition, direction, epsilon and delta, to be related to others."""

    def __init__(self, rng, ask):
        self.rng, self.ask = rng, ask
        entries = [stretched(rng, mechanism(rng)) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        self.run = {"adjacency": rng.choice(["add-remove", "add-remove", "replace-one", "zero-out"]), "mechanisms": entries}
        ask.composition(self.run)
        self.direction = rng.choice(["remove", "add", "worst"])
        self.delta = rng.choice([0.3, 1e-2, 1e-6, log_uniform(rng, 1e-30, 0.99), log_uniform(rng, 1e-300, 1e-30), 1 - log_uniform(rng, 1e-9, 0.1)])
        self.epsilon = self.drawn_epsilon()

    def drawn_epsilon(self):
        """Anywhere, where delta is about self.delta, or where the losses end: next to there or there."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.3:
            return rng.choice([0.0, 0.1, 1.0, -0.5, 4.0, log_uniform(rng, 1e-12, 50), -log_uniform(rng, 1e-12, 50)])
        found = self.ask.epsilon(self.run, 0.0 if kind < 0.45 else self.delta, self.direction)
        ends = [end for end in (found.lower, found.estimate, found.upper) if math.isfinite(end)]
        if not ends:
            return log_uniform(rng, 0.01, 20)
        end = rng.choice(ends)
        return rng.choice([end, end, math.nextafter(end, math.inf), math.nextafter(end, -math.inf), float(f"{end:.3g}"), end * rng.uniform(0.5, 1.2)])

    def log_delta(self, run=None, epsilon=None, direction=None, **options):
        return self.ask.log_delta(run or self.run, self.epsilon if epsilon is None else epsilon, direction or self.direction, **options)

    def epsilon_of(self, run=None, delta=None, direction=None, **options):
        return self.ask.epsilon(run or self.run, self.delta if delta is None else delta, direction or self.direction, **options)

    def with_entries(self, entries):
        return {**self.run, "mechanisms": entries}

    def some_entry(self, usable=lambda entry: True):
        """The place of an entry, or none."""
        places = [i for i, entry in enumerate(self.run["mechanisms"]) if usable(entry)]
        return self.rng.choice(places) if places else None

    def replaced(self, place, *entries):
        mechanisms = self.run["mechanisms"]
        return self.with_entries([*mechanisms[:place], *entries, *mechanisms[place + 1:]])


class Claim:
    """The truth inside `less` is at most the one inside `more`; of the same truth in both, equal."""

    def __init__(self, less, more, equal=False):
        self.less, self.more, self.equal = less, more, equal

    def holds(self):
        return self.less.lower <= self.more.upper and (not self.equal or self.more.lower <= self.less.upper)

    def is_sharp(self):
        """Whether both are narrow, so that little would be enough to exclude each other."""
        return all(b.upper == b.lower or float(b.upper) - float(b.lower) <= 0.02 for b in (self.less, self.more))


Ends = collections.namedtuple("Ends", "lower upper")


def point(value):
    return Ends(value, value)


# Each relation: a question in, its claims out, or none where it says nothing.

def epsilon_of_delta(ask):
    """epsilon(delta(e)) is at most e; epsilon of less than that is at least e."""
    found = ask.ask.ask(ask.run, "delta", ask.epsilon, ask.direction)
    claims = [Claim(ask.epsilon_of(delta=found.upper), point(ask.epsilon))]
    if found.lower > 0:
        below = ask.epsilon_of(delta=math.nextafter(found.lower, 0))
        claims.append(Claim(point(ask.epsilon), below))
    return claims


def delta_of_epsilon(ask):
    """delta(epsilon(d)) is at most d where it is attained, and no less just before."""
    found, target = ask.epsilon_of(), log(Decimal(ask.delta))
    claims = []
    if math.isfinite(found.upper):
        claims.append(Claim(ask.log_delta(epsilon=found.upper), point(target)))
    if math.isfinite(found.lower):
        claims.append(Claim(point(target), ask.log_delta(epsilon=found.lower)))
    return claims


def farther_epsilon(ask):
    return ask.rng.choice([math.nextafter(ask.epsilon, math.inf), ask.epsilon + abs(ask.epsilon) * 1e-12, ask.epsilon + log_uniform(ask.rng, 1e-9, 1)])


def delta_falls(ask):
    """And by no more than e^epsilon rises."""
    farther = farther_epsilon(ask)
    here, there = ask.log_delta(), ask.log_delta(epsilon=farther)
    claims = [Claim(there, here)]
    if max(abs(ask.epsilon), abs(farther)) < 300:
        rise = exp(farther) - exp(ask.epsilon)
        claims.append(Claim(here, point(log(exp(there.upper) + rise))))
    return claims


def delta_is_convex(ask):
    """In e^epsilon."""
    if abs(ask.epsilon) > 100:
        return []
    near, far = (ask.epsilon - log_uniform(ask.rng, 1e-6, 1), ask.epsilon + log_uniform(ask.rng, 1e-6, 1))
    left, middle, right = (exp(e) for e in (near, ask.epsilon, far))
    share = (right - middle) / (right - left)
    chord = share * exp(ask.log_delta(epsilon=near).upper) + (1 - share) * exp(ask.log_delta(epsilon=far).upper)
    return [Claim(ask.log_delta(), point(log(chord)))]


def epsilon_falls(ask):
    less = ask.delta * ask.rng.choice([1 - 1e-12, 0.9, 1e-3])
    return [Claim(ask.epsilon_of(), ask.epsilon_of(delta=less))]


def directions_swapped(ask):
    """H_g(P||Q) = 1 - g + g H_(1/g)(Q||P), g = e^epsilon."""
    if ask.direction == "worst" or abs(ask.epsilon) > 300:
        return []
    g, other = exp(ask.epsilon), ask.log_delta(epsilon=-ask.epsilon, direction=OTHER[ask.direction])
    swapped = [log(1 - g * (1 - exp(end))) for end in (other.lower, other.upper)]
    return [Claim(ask.log_delta(), Ends(*swapped), equal=True)]


def worst_of_two(ask):
    both = [ask.log_delta(direction=direction) for direction in OTHER]
    two = [ask.epsilon_of(direction=direction) for direction in OTHER]
    return [Claim(ask.log_delta(direction="worst"), larger(both), equal=True), Claim(ask.epsilon_of(direction="worst"), larger(two), equal=True)]


def larger(brackets):
    return Ends(max(b.lower for b in brackets), max(b.upper for b in brackets))


def both(ask, other, equal=False):
    """delta and epsilon of this composition are at most (or as large as) those of the other one."""
    if ask.rng.random() < 0.5:
        return [Claim(ask.log_delta(), ask.log_delta(other), equal)]
    return [Claim(ask.epsilon_of(), ask.epsilon_of(other), equal)]


def no_less_of(ask, other):
    return both(ask, other)


def same_as(ask, other):
    return both(ask, other, equal=True)


def split(ask):
    place = ask.some_entry(lambda entry: entry.get("count", 1) > 1)
    if place is None:
        return []
    entry = ask.run["mechanisms"][place]
    first = ask.rng.randint(1, entry["count"] - 1)
    halves = [{**entry, "count": first}, {**entry, "count": entry["count"] - first}]
    ask.rng.shuffle(halves)
    run = ask.replaced(place, halves[0])
    run["mechanisms"].insert(ask.rng.randint(0, len(run["mechanisms"])), halves[1])
    return same_as(ask, run)


def permuted(ask):
    entries = list(ask.run["mechanisms"])
    if len(entries) < 2:
        place = ask.some_entry(lambda entry: entry["type"] == "mass-table")
        return [] if place is None else same_as(ask, with_outcomes_in_another_order(ask, place))
    ask.rng.shuffle(entries)
    return same_as(ask, ask.with_entries(entries))


def with_outcomes_in_another_order(ask, place):
    entry = ask.run["mechanisms"][place]
    outcomes = list(zip(entry["p"], entry["q"]))
    ask.rng.shuffle(outcomes)
    return ask.replaced(place, {**entry, "p": [p for p, _ in outcomes], "q": [q for _, q in outcomes]})


WIDTHS = {"gaussian": ["sigma"], "laplace": ["scale"], "logistic": ["scale"], "generalized": ["scale"], "sinh-normal": ["sigma", "a"],
          "truncated-laplace": ["scale", "bound"], "report-noisy-max": ["scale"]}


def rescaled(ask):
    """Noise and sensitivity times one factor: of a power of two the same doubles, of another one rounded to a side."""
    place = ask.some_entry(lambda entry: entry["type"] in WIDTHS)
    if place is None:
        return []
    entry = ask.run["mechanisms"][place]
    widths, sensitivity = WIDTHS[entry["type"]], entry.get("sensitivity", 1)
    factor = 2.0 ** ask.rng.randint(-30, 30)
    if len(widths) > 1 or ask.rng.random() < 0.5:
        scaled = {name: entry[name] * factor for name in widths}
        return same_as(ask, ask.replaced(place, {**entry, **scaled, "sensitivity": sensitivity * factor}))
    factor *= ask.rng.uniform(1, 2)
    width = entry[widths[0]] * factor
    exact = Fraction(width) / Fraction(entry[widths[0]]) * Fraction(sensitivity)
    less, more = ends_of(exact)
    smaller = ask.replaced(place, {**entry, widths[0]: width, "sensitivity": less})
    larger_one = ask.replaced(place, {**entry, widths[0]: width, "sensitivity": more})
    return [Claim(ask.log_delta(smaller), ask.log_delta()), *no_less_of(ask, larger_one)]


def ends_of(exact):
    """The doubles next to a fraction, or itself twice."""
    near = float(exact)
    if Fraction(near) == exact:
        return near, near
    return (near, math.nextafter(near, math.inf)) if Fraction(near) < exact else (math.nextafter(near, 0), near)


def merged(ask):
    """Gaussian releases are one, 1/sigma^2 their sum; rounded to a side."""
    rng = ask.rng
    sigmas, count = [log_uniform(rng, 0.4, 30) for _ in range(rng.randint(1, 3))], int(log_uniform(rng, 1, 1e6))
    parts = [{"type": "gaussian", "sigma": sigma, "count": count} for sigma in sigmas]
    squared = sum(count / Fraction(sigma) ** 2 for sigma in sigmas)
    root = (Decimal(squared.denominator) / Decimal(squared.numerator)).sqrt()
    near = float(root)
    low, high = (near, math.nextafter(near, math.inf)) if Decimal(near) <= root else (math.nextafter(near, 0), near)
    rest = [entry for entry in ask.run["mechanisms"] if rng.random() < 0.7]
    apart = ask.with_entries([*parts, *rest])
    one = [ask.with_entries([*rest, {"type": "gaussian", "sigma": sigma}]) for sigma in (low, high)]
    here = ask.log_delta(apart)
    return [Claim(here, ask.log_delta(one[0])), Claim(ask.log_delta(one[1]), here)]


def more_often(ask):
    place = ask.some_entry(lambda entry: entry.get("count", 1) < 1e12)
    if place is None:
        return []
    entry = ask.run["mechanisms"][place]
    count = entry.get("count", 1)
    return no_less_of(ask, ask.replaced(place, {**entry, "count": count + ask.rng.choice([1, 1, count])}))


def one_release_more(ask):
    return no_less_of(ask, ask.with_entries([*ask.run["mechanisms"], mechanism(ask.rng)]))


def up(rng, value):
    return rng.choice([math.nextafter(value, math.inf), value * (1 + 1e-9), value * rng.uniform(1, 3)])


def down(rng, value):
    return rng.choice([math.nextafter(value, 0), value * (1 - 1e-9), value * rng.uniform(0.3, 1)])


def whole_up(rng, value):
    return value + rng.randint(1, 5)


def whole_down(rng, value):
    return max(1, value - rng.randint(1, 5))


# In which way a parameter makes a composition lose more. Noise: a law of more width is one of less with noise added (the laws of
# Gaussian, Laplace, logistic, two-sided geometric, Skellam and binomial noise are sums with the same one of less width), or a
# query that moves by less, which `sensitivity` allows; guarantees of more cover what those of less do.
WORSE = {
    "gaussian": {"sigma": down, "sensitivity": up}, "laplace": {"scale": down, "sensitivity": up}, "logistic": {"scale": down, "sensitivity": up},
    "generalized": {"scale": down, "sensitivity": up}, "sinh-normal": {"sensitivity": up}, "truncated-laplace": {"sensitivity": up},
    "discrete-laplace": {"a": up, "sensitivity": whole_up}, "discrete-gaussian": {"sensitivity": whole_up}, "skellam": {"variance": down, "sensitivity": whole_up},
    "binomial": {"n": whole_down, "sensitivity": whole_up}, "poisson-difference": {"plus": down, "minus": down, "sensitivity": whole_up},
    "integer-noise": {"sensitivity": whole_up}, "exponential": {"epsilon": up}, "dp": {"epsilon": up, "delta": up},
    "zcdp": {"rho": up}, "tcdp": {"rho": up, "omega": down},
}
DEFAULTS = {"sensitivity": 1}


def worse_parameter(ask):
    place = ask.some_entry(lambda entry: entry["type"] in WORSE)
    if place is None:
        return []
    entry = ask.run["mechanisms"][place]
    name, change = ask.rng.choice(list(WORSE[entry["type"]].items()))
    return no_less_of(ask, ask.replaced(place, {**entry, name: change(ask.rng, entry.get(name, DEFAULTS.get(name)))}))


def larger_share(ask):
    """A smaller sample is one of a larger one, or nothing: H_g is jointly convex. Fewer steps of an allocation: a mean of independent
    ratios is larger in convex order the fewer they are."""
    place = ask.some_entry(lambda entry: next(iter(entry.get("sampling", {"none": 0}))) in ("poisson", "without_replacement", "allocation"))
    if place is None:
        return []
    entry = ask.run["mechanisms"][place]
    (scheme, value), = entry["sampling"].items()
    larger_value = whole_down(ask.rng, value) if scheme == "allocation" else min(1.0, up(ask.rng, value))
    return no_less_of(ask, ask.replaced(place, {**entry, "sampling": {scheme: larger_value}}))


def sampled_in_full(ask):
    """All of the data is one step of one, or a Poisson sample of rate 1."""
    place = ask.some_entry(lambda entry: "sampling" not in entry)
    if place is None or ask.run["adjacency"] == "replace-one":
        return []
    entry = ask.run["mechanisms"][place]
    return same_as(ask, ask.replaced(place, {**entry, "sampling": ask.rng.choice([{"poisson": 1.0}, {"allocation": 1}])}))


def another_name(ask):
    """One law under two names: the parameters of both are the same doubles."""
    rng, kind = ask.rng, ask.rng.randint(0, 6)
    sampling = {"sampling": {"poisson": rng.randint(1, 1023) / 1024}} if rng.random() < 0.5 and ask.run["adjacency"] == "add-remove" else {}
    more = {"count": int(log_uniform(rng, 1, 1000)), **sampling}
    if kind == 0:
        scale = log_uniform(rng, 0.4, 50)
        names = {"type": "laplace", "scale": scale}, {"type": "generalized", "shape": 1, "scale": scale}
    elif kind == 1:
        epsilon, delta = log_uniform(rng, 0.01, 3), log_uniform(rng, 1e-12, 1e-3)
        names = {"type": "dp", "epsilon": epsilon, "delta": delta}, {"type": "dp-points", "epsilons": [epsilon], "deltas": [delta]}
    elif kind == 2:
        p = rng.randint(1, 1023) / 1024
        names = {"type": "randomized-response", "p": p}, {"type": "mass-table", "p": [p, 1 - p], "q": [1 - p, p]}
    elif kind == 3:
        n, shift = rng.randint(1, 50), rng.randint(1, 3)
        names = ({"type": "binomial", "n": n, "p": 0.5, "sensitivity": shift},
                 {"type": "integer-noise", "masses": [math.comb(n, i) / 2**n for i in range(n + 1)], "sensitivity": shift})
    elif kind == 4:
        variance = log_uniform(rng, 0.1, 100)
        names = {"type": "skellam", "variance": variance}, {"type": "poisson-difference", "plus": variance / 2, "minus": variance / 2}
    elif kind == 5 and ask.run["adjacency"] == "add-remove":
        sigma, rate, more = log_uniform(rng, 0.5, 20), rng.randint(1, 1023) / 1024, {"count": more["count"]}
        names = ({"type": "gaussian", "sigma": sigma, "sampling": {"poisson": rate}},
                 {"type": "gaussian-mixture", "sigma": sigma, "shifts": [0, 1], "weights": [1 - rate, rate]})
    else:
        # Known by an upper bound: the larger half of it.
        scale = log_uniform(rng, 1, 50)
        names = {"type": "report-noisy-max", "scale": scale}, {"type": "permute-and-flip", "epsilon": 2 / scale}
        if 2 / Fraction(scale) != Fraction(2 / scale):
            return []
    rest = [entry for entry in ask.run["mechanisms"] if rng.random() < 0.5]
    return [Claim(*(ask.log_delta(ask.with_entries([*rest, {**name, **more}])) for name in names), equal=True)]


def other_adjacency(ask):
    """Additive noise on all data: a replaced record moves the query by twice as much; one that is null in the other data set is added."""
    places = [entry for entry in ask.run["mechanisms"] if entry["type"] in NOISE and "sampling" not in entry]
    if not places:
        return []
    added = {"adjacency": "add-remove", "mechanisms": [{**entry, "sensitivity": entry.get("sensitivity", 1) * 2} for entry in places]}
    return [Claim(ask.log_delta({"adjacency": "replace-one", "mechanisms": places}), ask.log_delta(added), equal=True),
            Claim(ask.log_delta({"adjacency": "zero-out", "mechanisms": places}), ask.log_delta({"adjacency": "add-remove", "mechanisms": places}), equal=True)]


def other_tolerance(ask):
    tolerance = ask.rng.choice([0.1, 1e-3, 1e-5])
    return [Claim(ask.log_delta(), ask.log_delta(tolerance=tolerance), equal=True), Claim(ask.epsilon_of(), ask.epsilon_of(tolerance=tolerance), equal=True)]


def other_engine(ask):
    engine = ask.rng.choice(["lattice", "contour", "closed-form"])
    return [Claim(ask.log_delta(), ask.log_delta(engine=engine), equal=True)]


def larger_group(ask):
    return no_less_of(ask, {**ask.run, "group": 2})


RELATIONS = [epsilon_of_delta, delta_of_epsilon, delta_falls, delta_is_convex, epsilon_falls, directions_swapped, worst_of_two, split, permuted, rescaled,
             merged, more_often, one_release_more, worse_parameter, larger_share, sampled_in_full, another_name, other_adjacency, other_tolerance,
             other_engine, larger_group]


class Tally:
    """Of each relation: how often it was looked at, with narrow intervals, and how many claims did not hold."""

    def __init__(self):
        self.related, self.sharp, self.refused, self.contradicted = (collections.Counter() for _ in range(4))

    def added(self, relation, question, claims):
        """The claims that do not hold, with all that was asked of the composition."""
        name = relation.__name__
        self.related[name] += bool(claims)
        self.sharp[name] += bool(claims) and all(claim.is_sharp() for claim in claims)
        wrong = [claim for claim in claims if not claim.holds()]
        self.contradicted[name] += len(wrong)
        return [{"relation": name, "less": ends(claim.less), "more": ends(claim.more), "asked": question.ask.told()} for claim in wrong]

    def total(self):
        return sum(self.related.values())


def ends(bracket):
    return [f"{end:.25g}" for end in (bracket.lower, bracket.upper)]


def look(count, seed, asked=Asked, relations=RELATIONS, tell=lambda found: None):
    """`count` relations, of each composition as many as can be had in its time; what is drawn does not depend on that."""
    tally = Tally()
    for number in itertools.count():
        rng = random.Random(f"{seed} {number}")
        try:
            question = Question(rng, asked(rng.choice([1e-1, 1e-2, 1e-2, 1e-3])))
        except pld.DomainError:
            continue
        start = time.process_time()
        for relation in rng.sample(relations, len(relations)):
            if tally.total() == count:
                return tally
            if time.process_time() - start > SECONDS:
                break
            question.rng = random.Random(f"{seed} {number} {relation.__name__}")
            try:
                claims = relation(question)
            except pld.DomainError:
                tally.refused[relation.__name__] += 1
                continue
            for found in tally.added(relation, question, claims):
                tell(found)


def main(count, seed):
    tally = look(int(count), int(seed), tell=lambda found: print(json.dumps(found), flush=True))
    print(f"{'relation':20} looked at, with narrow intervals, refused, contradicted")
    counts = [tally.related, tally.sharp, tally.refused, tally.contradicted]
    for relation in RELATIONS:
        print(f"{relation.__name__:20}", *(f"{count[relation.__name__]:9}" for count in counts))
    print(f"{'all':20}", *(f"{count.total():9}" for count in counts), f"   {time.process_time():.0f} s of processor time")
    return 4 if tally.contradicted.total() else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
