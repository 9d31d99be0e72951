"""Mechanisms as a ledger of pld writes them, and the dominating pair that one has under an adjacency and a sampling scheme."""
from copy import copy
from functools import cache

from flint import arb, fmpq

import laws
import renyi
from domains import what_is_wrong
from enclosure import OutOfReach, ball, exact

MOST_COUNT = 10**12
OF_ONE, ANY = "of one", "any"  # records whose moves on a Poisson sample are known
STEPS = 256  # of outcomes, in which those without a gain are told
ONLY_GUARANTEED = "dp", "dp-points", "trade-off", "zcdp", "tcdp", "rdp"  # types of which the one at hand may lose less


class BadInput(Exception):
    """One line: what it is, its value, and what it must be."""


class Type:
    """A type of mechanism. `law` takes its parameters and nats to the pair; `lists` names the parameters that are lists.

    replaced: what replacing a record does to the parameters, where that is known: "sensitivity", which doubles, "epsilon", likewise, or
    nothing at all; a `guarantee` is read as one under the adjacency asked about. moves: of what has the pair of log-concave noise, for whose moves on a Poisson
    sample there is a theorem: OF_ONE record, or of ANY number of them, of noise on the whole line; then `law` takes the moves, too (laws.py). grouped: what takes the parameters and a number of records to the parameters for such a group, or to None. either_order: the type it is where a
    record is replaced, and either neighbour may be the one with the record. below: where no neighbours need have that pair in all releases, a law that those
    of some mechanism of the type have, and also_below others, of other neighbours; `alone`: at each epsilon some have its profile. mu_squared: of a type that is Gaussian noise;
    laplace: the shift, of one whose pair is that of Laplace noise; renyi: the guarantee of Renyi divergences. These three are functions of the parameters.
    """

    def __init__(self, law, required, defaults=None, lists=(), replaced="sensitivity", guarantee=False, symmetric=True, below=None,
                 also_below=(), alone=False, either_order=None, moves=None, grouped=None, mu_squared=None, laplace=None, renyi=None):
        self.law, self.required, self.lists, self.replaced, self.guarantee = law, required, lists, replaced, guarantee
        self.defaults = {name: fmpq(value) for name, value in (defaults or {}).items()}
        self.symmetric = symmetric if callable(symmetric) else lambda p: symmetric
        self.below, self.also_below, self.alone, self.either_order, self.moves = below, also_below, alone, either_order, moves
        self.grouped = grouped or (lambda p, group: _times(p, group, replaced, "replace_sensitivity") if replaced in p else None)
        self.mu_squared, self.laplace, self.renyi = mu_squared, laplace, renyi


def _times(parameters, factor, *names):
    return {**parameters, **{name: factor * parameters[name] for name in names if name in parameters}}


def _falling(epsilons, deltas):
    """Points by epsilon, and only those where delta falls: the others say nothing more."""
    kept = []
    for epsilon, delta in sorted(zip(epsilons, deltas)):
        if not kept or delta < kept[-1][1]:
            kept.append((epsilon, delta))
    return kept


def _of_points(p, _):
    points = _falling(p["epsilons"], p["deltas"])
    pair = laws.guarantee([(ball(epsilon).exp() if epsilon > 0 else fmpq(1), 1 - delta) for epsilon, delta in points])
    farthest, _ = points[-1]  # that of the least delta, which its line alone has
    pair.range = -farthest, farthest
    return pair


def _lines_through(p):
    """Those that join neighbouring points of a trade-off function, or the mirror images: with a slope of 1 or more."""
    points, highest = list(zip(p["alphas"], p["betas"])), {}
    for (a, b), (c, d) in zip(points, points[1:]):
        if b - d < c - a:
            a, b, c, d = d, c, b, a
        slope = (b - d) / (c - a)
        highest[slope] = max(highest.get(slope, fmpq(0)), b + slope * a)
    return list(highest.items())


def _shift(scale):
    return lambda p: p["sensitivity"] / p[scale]


def _twice_shift(p):
    return 2 * p["sensitivity"] / p["scale"]


def _noise(law, scale, *others):
    """Noise of unit scale: `law` takes other lengths, in units of `scale`, then the shift."""
    def of(p, nats, moves=laws.MOVED):
        return law(*(p[name] / p[scale] for name in others), p["sensitivity"] / p[scale], nats, moves)
    return of


def _laplace(shift):
    return lambda p, nats, moves=laws.MOVED: laws.laplace(shift(p), nats, moves)


def _truncated_laplace(p, nats, moves=laws.MOVED):
    return laws.laplace(p["sensitivity"] / p["scale"], nats, moves, p["bound"] / p["scale"])


def _generalized(p, nats, moves=laws.MOVED):
    shift = p["sensitivity"] / p["scale"]
    if p["shape"] == 1:
        return laws.laplace(shift, nats, moves)
    if p["shape"] == 2:  # of variance 1/2
        return laws.gaussian(arb(2).sqrt() * ball(shift), nats, moves)
    return laws.generalized(p["shape"], shift, nats, moves)


def _integer_noise(masses):
    return lambda p, _, moves=laws.MOVED: laws.integer_noise(masses(p), p["sensitivity"], moves)


def _poisson_difference(means):
    return lambda p, nats, moves=laws.MOVED: laws.poisson_difference(*means(p), p["sensitivity"], nats, moves)


def _mixture(p, nats):
    total = sum(p["weights"], fmpq(0))
    if all(shift == 0 for shift in p["shifts"]):
        return laws.nothing()
    return laws.gaussian_mixture([s / p["sigma"] for s in p["shifts"]], [w / total for w in p["weights"]], nats)


def _table(p):
    return laws.normalized(list(zip(p["p"], p["q"])))


def _symmetric_table(p):
    masses = _table(p)
    return sorted(masses) == sorted((y, x) for x, y in masses)


# What some mechanism of a type attains. Of selections: there are two candidates, and the record draws their utilities apart by twice the
# sensitivity, evenly to both sides.


def _below(law, mu_squared=None):
    return Type(law, [], mu_squared=mu_squared)


def _noisy_max_of_two(p, _):
    """The difference of two Laplace variables of scale 1 exceeds x with probability e^-x (2 + x) / 4."""
    return laws.two_answers(_noisy_max_behind(ball(p["sensitivity"] / p["scale"])))


def _permute_and_flip_of_two(p, _):
    """The worse candidate is chosen where it comes first, and its coin of e^(-epsilon / 2) says so."""
    return laws.two_answers(_flip_behind(ball(p["epsilon"]) / 2))


# The record draws the utilities of two candidates apart as far, but from another place.


def _first_loses(share):
    def law(p, _):
        loss = exact(share * float(p["epsilon"]))
        return laws.two_losses(loss, loss - p["epsilon"])
    return Type(law, [], symmetric=False)


def _ahead_by(place, move, behind):
    """By place(move) at last. `behind(y)`: with which chance the first one wins nevertheless."""
    def chances(x):
        return (behind(-x), 1 - behind(-x)) if x < 0 else (1 - behind(x), behind(x))

    def law(p, _):
        far = move(p)
        return laws.two_chances(chances(ball(place(far))), chances(ball(place(far) - far)))
    return Type(law, [], symmetric=False)


def _noisy_max_behind(x):
    return (-x).exp() * (2 + x) / 4


def _flip_behind(x):
    return (-x).exp() / 2


def _zcdp_of_group(p, group):
    """Bun, Steinke 2016, proposition 27."""
    return {"rho": group**2 * p["rho"], "xi": group * p["xi"] * sum((fmpq(1, i) for i in range(1, group + 1)), fmpq(0))}


def _renyi_type(guarantee, slope, required, defaults=None, lists=(), grouped=None):
    """D_a is known to be at most guarantee(p)(a); Gaussian noise has a mu^2 / 2, and keeps slope(p) a."""
    def gaussian(p, nats):
        return laws.gaussian(ball(2 * slope(p)).sqrt(), nats) if slope(p) > 0 else laws.nothing()

    converted = cache(lambda items: renyi.pair_of(guarantee(dict(items))))

    def law(p, nats):
        return converted(tuple((name, tuple(value) if name in lists else value) for name, value in sorted(p.items())))(nats)

    return Type(law, required, defaults, lists, replaced=None, guarantee=True, grouped=grouped,
                below=_below(gaussian, lambda p: 2 * slope(p)), renyi=guarantee)


_WHOLE = {"sensitivity": 1}
TYPES = {
    "gaussian": Type(_noise(laws.gaussian, "sigma"), ["sigma"], {**_WHOLE, "attained_sensitivity": 0}, moves=ANY,
                     mu_squared=lambda p: _shift("sigma")(p) ** 2),
    "laplace": Type(_laplace(_shift("scale")), ["scale"], _WHOLE, moves=ANY, laplace=_shift("scale")),
    "logistic": Type(_noise(laws.logistic, "scale"), ["scale"], _WHOLE, moves=ANY),
    "generalized": Type(_generalized, ["shape", "scale"], _WHOLE, moves=ANY,
                        mu_squared=lambda p: 2 * _shift("scale")(p) ** 2 if p["shape"] == 2 else None,
                        laplace=lambda p: _shift("scale")(p) if p["shape"] == 1 else None),
    "sinh-normal": Type(_noise(laws.sinh_normal, "sigma", "a"), ["sigma", "a"], _WHOLE, moves=ANY),
    "truncated-laplace": Type(_truncated_laplace, ["scale", "bound"], _WHOLE, moves=OF_ONE),
    "randomized-response": Type(lambda p, _: laws.randomized_response(p["p"], p["k"]), ["p"], {"k": 2}, replaced=None),
    "exponential": Type(lambda p, _: laws.bounded_range(p["epsilon"]), ["epsilon"], replaced="epsilon",
                        below=_below(lambda p, _: laws.approximate_dp(p["epsilon"] / 2, fmpq(0))),
                        also_below=[_first_loses(share) for share in (0.65, 0.8, 0.95)], alone=True,
                        renyi=renyi.bounded_range),
    "report-noisy-max": Type(_laplace(_twice_shift), ["scale"], _WHOLE, moves=OF_ONE, laplace=_twice_shift, below=_below(_noisy_max_of_two),
                             also_below=[_ahead_by(place, _twice_shift, _noisy_max_behind) for place in
                                         (lambda move: move / 4, *(lambda _, x=x: -x for x in (fmpq(1, 2), fmpq(1), fmpq(2), fmpq(4))))]),
    "permute-and-flip": Type(_laplace(lambda p: p["epsilon"]), ["epsilon"], replaced="epsilon", moves=OF_ONE,
                             laplace=lambda p: p["epsilon"], below=_below(_permute_and_flip_of_two), alone=True,
                             also_below=[_ahead_by(lambda move, share=share: share * move, lambda p: p["epsilon"], _flip_behind)
                                         for share in (fmpq(1, 4), fmpq(1, 10), fmpq(0))]),
    "dp": Type(lambda p, _: laws.approximate_dp(p["epsilon"], p["delta"]), ["epsilon"], {"delta": 0}, replaced=None, guarantee=True),
    "discrete-laplace": Type(lambda p, _, moves=laws.MOVED: laws.discrete_laplace(p["a"], p["sensitivity"], moves), ["a"], _WHOLE, moves=ANY),
    "discrete-gaussian": Type(lambda p, nats, moves=laws.MOVED: laws.discrete_gaussian(p["sigma"], p["sensitivity"], nats, moves), ["sigma"], _WHOLE, moves=ANY),
    "binomial": Type(_integer_noise(lambda p: laws.heads_of_coins(p["n"], p["p"])), ["n"], {"p": fmpq(1, 2), "sensitivity": 1},
                     symmetric=lambda p: p["p"] == fmpq(1, 2), moves=OF_ONE),
    "skellam": Type(_poisson_difference(lambda p: (p["variance"] / 2, p["variance"] / 2)), ["variance"], _WHOLE, moves=ANY),
    "poisson-difference": Type(_poisson_difference(lambda p: (p["plus"], p["minus"])), ["plus", "minus"], _WHOLE,
                               symmetric=lambda p: p["plus"] == p["minus"], moves=ANY),
    "integer-noise": Type(_integer_noise(lambda p: p["masses"]), ["masses"], _WHOLE, ["masses"],
                          symmetric=lambda p: p["masses"] == p["masses"][::-1], moves=OF_ONE),
    "mass-table": Type(lambda p, _: laws.of_masses(_table(p)), ["p", "q"], lists=["p", "q"], replaced=None, guarantee=True,
                       symmetric=_symmetric_table,
                       either_order=Type(lambda p, _: laws.in_either_order(_table(p)), [], replaced=None, guarantee=True, alone=True,
                                         below=_below(lambda p, _: laws.of_masses(_table(p))))),
    "gaussian-mixture": Type(_mixture, ["sigma", "shifts", "weights"], lists=["shifts", "weights"], symmetric=False),
    "dp-points": Type(_of_points, ["epsilons", "deltas"], lists=["epsilons", "deltas"],
                      replaced=None, guarantee=True),
    "trade-off": Type(lambda p, _: laws.guarantee(_lines_through(p)), ["alphas", "betas"], lists=["alphas", "betas"], replaced=None,
                      guarantee=True),
    "zcdp": _renyi_type(renyi.zcdp, lambda p: p["rho"], ["rho"], {"xi": 0}, grouped=_zcdp_of_group),
    "tcdp": _renyi_type(renyi.tcdp, lambda p: p["rho"], ["rho", "omega"]),
    "rdp": _renyi_type(renyi.rdp, lambda p: min(e / a for a, e in zip(p["orders"], p["epsilons"])), ["orders", "epsilons"],
                       lists=["orders", "epsilons"]),
}


# Whose pairs are those of noise with a density on the whole line.
ON_THE_LINE = ("gaussian", "laplace", "logistic", "generalized", "sinh-normal", "report-noisy-max", "permute-and-flip")

# Of which it may be said how far a replaced record moves the query, where that is less than twice its sensitivity.
OF_COUNTS = ("gaussian", "laplace", "discrete-laplace", "discrete-gaussian", "binomial", "skellam", "poisson-difference", "integer-noise")


class Release:
    """`count` releases of one mechanism under an adjacency. `pair(nats)` is the pair of removing the record; adding it swaps the pair.

    exact: some neighbours have that pair, the same ones in all releases; exact_alone: at every epsilon some have its profile.
    either_way: of what is attained, whether other neighbours have the swapped pair, in all releases together.
    scheme: "poisson" or "without_replacement" with a rate, or None; further ones are made of such releases (schemes.py).
    """

    def __init__(self, mechanism, adjacency, scheme, rate, count):
        name, type, parameters = mechanism
        if adjacency == "replace-one" and type.either_order and not type.symmetric(parameters):
            type = type.either_order
        if rate == 1 and scheme:  # no sample, but for a batch of all data that a neighbour with a record more draws from them
            scheme = "all" if scheme == "without_replacement" and adjacency == "add-remove" else None
        self.name, self.type, self.count, self.rate = name, type, count, rate
        self.parameters = self.asked = parameters
        self.opposite = adjacency == "replace-one" and scheme == "poisson" and bool(type.moves) and type.symmetric(parameters)
        if adjacency == "replace-one" and scheme == "poisson" and "replace_sensitivity" in parameters:
            raise OutOfReach(f"{name}: two values on a sample that are not opposite")
        if adjacency == "replace-one" and scheme == "poisson" and type.guarantee and 0 < rate < 1:
            raise OutOfReach(f"{name}: samples with and without the record differ by a removal, of which a guarantee for replacements says nothing")
        self.zeroed = scheme == "without_replacement" and adjacency == "zero-out" and name in ON_THE_LINE
        if self.zeroed and "replace_sensitivity" in parameters:
            raise OutOfReach(f"{name}: a batch of values that are not opposite")
        if not self.zeroed and ((adjacency == "replace-one" and not self.opposite) or scheme in ("without_replacement", "all")):
            self.parameters = self._replaced(adjacency)
        self.scheme, self.whole_batch = None if scheme == "all" else scheme, scheme == "all"
        without_replacement = self.scheme == "without_replacement"
        self.blanked_out = without_replacement and adjacency == "zero-out"
        self.splices = self.scheme is not None and not self.opposite and (adjacency == "replace-one" or self.blanked_out)
        own_symmetry = type.symmetric(self.parameters)
        if self.splices and not own_symmetry:
            raise OutOfReach(f"{name}: sampling under {adjacency} of a pair that is not symmetric")
        self.symmetric = own_symmetry if self.scheme is None else bool((self.splices and not self.zeroed) or self.opposite)
        self.among_opposite = False
        self.others_alike = self.splices and without_replacement and adjacency == "replace-one"
        self.exact = type.below is None and not self.splices and not self.whole_batch
        # What has a profile at each epsilon alone has that of a sample, too; not that of a batch, which is told by the likelihoods of two records.
        self.exact_alone = (type.below is None or (type.alone and not self.zeroed)) and (not self.splices or self.others_alike or self.zeroed) and not self.whole_batch
        self.renyi, self.guaranteed = bool(type.renyi), type.guarantee

    def _replaced(self, adjacency):
        """The parameters of the pair of two data sets with one record's value replaced."""
        if self.type.replaced:
            if not self.type.symmetric(self.parameters):
                raise OutOfReach(f"{self.name}: no pair is known for the replacement of a record")
            if "replace_sensitivity" in self.parameters:
                return {**self.parameters, "sensitivity": self.parameters["replace_sensitivity"]}
            return _times(self.parameters, 2, self.type.replaced)
        if self.type.guarantee and adjacency != "replace-one":
            raise OutOfReach(f"{self.name}: a guarantee under {adjacency} says nothing of a replacement, as sampling without replacement "
                             "asks about")
        return self.parameters

    @property
    def others(self):
        """Of how many other pairs of neighbours it is known what they have."""
        return 0 if self.exact or self.scheme or self.whole_batch else len(self.type.also_below)

    def attained(self, other=0):
        """What one pair of neighbours, the same in all releases, has, or one of the others. Sampling: all other records of a batch are like one of the two, or
        opposite to one that is zeroed; or one of the two contributes nothing. Either value may be the one that the others have, or that counts. A batch of all n records is n/(n + 1) of a neighbour's, at least half."""
        if self.exact:
            return self
        below = copy(self)
        below.type = (other and self.type.also_below[other - 1]) or self.type.below or self.type
        below.symmetric = below.symmetric and below.type.symmetric(below.parameters)
        if self.splices or self.opposite:
            below.splices = below.opposite = below.zeroed = below.symmetric = False
            below.among_opposite = self.zeroed and bool(below.type.moves)
            below.either_way = not below.among_opposite
            below.parameters = self.parameters if self.others_alike else self.asked
        if self.whole_batch:
            below.scheme, below.rate, below.whole_batch, below.symmetric = "without_replacement", fmpq(1, 2), False, False
        return below

    def pair(self, nats):
        if self.scheme and self.rate == 0:
            return laws.nothing()
        if self.opposite:
            return self.type.law(self.parameters, nats, laws.on_a_sample(1, self.rate, True))
        if self.zeroed or self.among_opposite:
            among_opposite = self.type.law(self.parameters, nats, laws.among_opposite(self.rate))
            if self.among_opposite:
                return among_opposite.gains_and_steps(STEPS)
            return among_opposite.spliced(self.type.law(self.parameters, nats).swapped().sampled(self.rate))
        pair = self.type.law(self.parameters, nats)
        if self.scheme is None:
            return pair
        sampled = pair.sampled(self.rate)
        return sampled.spliced() if self.splices else sampled

    def _on_all_data(self, property):
        return property(self.parameters) if property and self.scheme is None else None

    @property
    def mu_squared(self):
        """Of Gaussian noise on all data; None otherwise."""
        return self._on_all_data(self.type.mu_squared)

    @property
    def laplace_shift(self):
        """Of Laplace noise on all data; None otherwise."""
        return self._on_all_data(self.type.laplace)

    @property
    def guarantee(self):
        """Of Renyi divergences, on all data; None otherwise."""
        return self._on_all_data(self.type.renyi)


def _where_less_is_attained(type, share):
    """The type where some record is only known to move the query by a share of the sensitivity: upper ends are by all of it."""
    def less(parameters):
        return _times(parameters, share, "sensitivity")

    above, below = copy(type), copy(type)
    above.below = below
    below.law = lambda parameters, *rest: type.law(less(parameters), *rest)
    below.mu_squared = lambda parameters: type.mu_squared(less(parameters))
    return above


def read_mechanism(entry, where):
    """Name, type and parameters, and the count and the sampling, of an entry of a ledger. Raises BadInput."""
    if not isinstance(entry, dict):
        raise BadInput(f"{where} is no object")
    entry = dict(entry)
    name = entry.pop("type", None)
    if not isinstance(name, str) or name not in TYPES:
        raise BadInput(f"{where}: type is {name!r}, but must be one of {', '.join(TYPES)}")
    type = TYPES[name]
    count = read_count(entry, where)
    entry.pop("count", None)
    sampling = entry.pop("sampling", None)
    entry.pop("assumed_sampler", None)  # what nobody named: the sampling says what it is
    parameters = dict(type.defaults)
    for key, value in entry.items():
        if key not in type.required and key not in type.defaults and not (key == "replace_sensitivity" and name in OF_COUNTS):
            raise BadInput(f"{where}: {key} is no parameter of {name}")
        parameters[key] = (read_numbers if key in type.lists else read_number)(value, f"{where}: {key}")
    for key in type.required:
        if key not in parameters:
            raise BadInput(f"{where}: {key} of {name} is missing")
    if parameters.get("replace_sensitivity") == 0:  # twice the sensitivity
        del parameters["replace_sensitivity"]
    attained = parameters.pop("attained_sensitivity", 0)  # 0: the sensitivity
    wrong = what_is_wrong(name, parameters, type.lists)
    if not wrong and not 0 <= attained <= parameters.get("sensitivity", attained):
        wrong = f"attained_sensitivity is {attained}, but must be from 0 to the sensitivity"
    if wrong:
        raise BadInput(f"{where}: {wrong}")
    if 0 < attained < parameters.get("sensitivity", 0):
        type = _where_less_is_attained(type, attained / parameters["sensitivity"])
    return (name, type, parameters), count, sampling


def read_count(entry, where):
    count = read_number(entry.get("count", 1), f"{where}: count")
    if count.q != 1 or not 0 <= count <= MOST_COUNT:
        raise BadInput(f"{where}: count is {count}, but must be a whole number from 0 to 1e12")
    return int(count)


def read_numbers(values, where):
    if not isinstance(values, list) or not values:
        raise BadInput(f"{where} is {values!r}, but must be a JSON array of numbers")
    return [read_number(value, where) for value in values]


def read_number(value, where):
    if isinstance(value, fmpq):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput(f"{where} is {value!r}, but must be a number")
    if value != value or value in (float("inf"), float("-inf")):
        raise BadInput(f"{where} is {value!r}, but must be finite")
    return exact(value)
