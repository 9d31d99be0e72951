"""Claims about one composition, and whether each is true: PROVED, NOT PROVED, or FALSE."""
import json
import math
import sys
from copy import copy
from fractions import Fraction

from asked import Asked
from enclosure import OutOfReach, Uncertain
from mechanisms import BadInput
from profiles import Level

PROVED, NOT_PROVED, FALSE = "PROVED", "NOT PROVED", "FALSE"


CHECK_FAILED = Uncertain, ArithmeticError, MemoryError


def failed(failure):
    return f"the check itself failed: {type(failure).__name__} {failure}"


class Claim:
    """What it is about, the verdict, and how far it came."""

    def __init__(self, what, verdict, detail=""):
        self.what, self.verdict, self.detail = what, verdict, detail


def attempted(what, compare, attempts):
    """The claim; compare() says whether it is so, or None, and what was seen."""
    def outcome():
        try:
            truth, seen = compare()
        except OutOfReach as reason:
            return NOT_PROVED, str(reason)
        except (*CHECK_FAILED, ValueError) as failure:
            return NOT_PROVED, failed(failure)
        return {True: PROVED, False: FALSE, None: NOT_PROVED}[truth], seen

    return Claim(what, *attempts.run(outcome))


def named(name, claims):
    for claim in claims:
        claim.what = f"{name}: {claim.what}"
        yield claim


QUANTITIES = ("delta", "advantage", "tpr", "mu", "rho")  # that targets bound
PLACES = {"delta": ("epsilon",), "tpr": ("fpr",)}  # where they do
KINDS = {dict: "a JSON object", list: "a JSON array", str: "a string", int: "a whole number", bool: "true or false"}


def parsed(text):
    """JSON, of which no object has a field twice: readers differ about which of them counts."""
    def once_each(pairs):
        if len(dict(pairs)) < len(pairs):
            raise BadInput(f"one of the fields {', '.join(name for name, _ in pairs)} stands there twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once_each)


def field(object, name, kind=None):
    """What stands there, of the kind asked for."""
    if not isinstance(object, dict):
        raise BadInput(f"{object!r} stands where a JSON object with {name} must be")
    if name not in object:
        raise BadInput(f"the answer carries no {name}")
    return of_kind(object[name], kind, name) if kind else object[name]


def of_kind(value, kind, name):
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadInput(f"{name} is {value!r}, but must be {KINDS[kind]}")
    return value


def word(object, name, words):
    """One of these."""
    value = field(object, name, str)
    if value not in words:
        raise BadInput(f"{name} is {value!r}, but must be one of {', '.join(words)}")
    return value


def number(value, what):
    """A double as pld writes it; infinities are strings."""
    if value in ("inf", "-inf"):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise BadInput(f'{what} is {value!r}, but must be a number, "inf" or "-inf"')
    return float(value)


def bracket(object, what):
    """Its two ends; None where it has none, about which nothing is claimed. An estimate lies between them."""
    of_kind(object, dict, what)
    lower, upper, estimate = (None if object.get(end) is None else number(object[end], f"{what}.{end}") for end in ("lower", "upper", "estimate"))
    if estimate is not None and not (-math.inf if lower is None else lower) <= estimate <= (math.inf if upper is None else upper):
        raise BadInput(f"{what}.estimate is {estimate!r}, but must lie between the ends")
    return lower, upper


def flag(object, name):
    """Whether it is said; what is not there is not."""
    return of_kind(object.get(name, False), bool, name)


class Checker:
    """Checks claims about one composition."""

    def __init__(self, answer, mechanisms, direction, attempts, said=None):
        """`said`: what has the flags, where that is not the answer itself."""
        said = answer if said is None else said
        self.answer, self.mechanisms, self.direction, self.attempts = answer, mechanisms, direction, attempts
        self.said_exact, self.only_guaranteed, self.converged = (flag(said, name) for name in ("exact", "only_guaranteed", "converged"))
        self.asked = self._about(direction)

    def _about(self, direction):
        return Asked(self.answer.get("adjacency"), self.mechanisms, direction, self.answer.get("group", 1), self.only_guaranteed)

    def _attempt(self, what, compare):
        return attempted(what, compare, self.attempts)

    def exactness(self):
        """Whether one pair of neighbours attains the composed pair, where the answer says so."""
        if self.said_exact:
            yield Claim("exact", PROVED) if self.asked.exact else Claim("exact", NOT_PROVED, "some release's pair need not be attained")

    def worst_direction(self, ends, claims):
        """That a direction is the worse one: it has the lower end, but for the width of the bracket. Where it is not exact, only which bound is larger is said."""
        said = word(self.answer, "direction", ("remove", "add")) if "direction" in self.answer else None
        if said and self.direction != "worst":
            yield Claim(f"direction {said}", PROVED if said == self.direction else FALSE, f"asked about {self.direction}")
        elif said and self.said_exact and None not in ends and all(map(math.isfinite, ends)):
            alone = copy(self)
            alone.asked = self.asked.towards(said) if self.asked.exact else self._about(said)
            yield from named(f"worst direction {said}", claims(alone, (2 * ends[0] - ends[1], None)))

    def narrowness(self, ends, share, enough):
        """That the bracket of an exact answer is no wider than a share of its upper end, and as much as is always enough."""
        if self.converged and self.said_exact and None not in ends and all(map(math.isfinite, ends)):
            width, most = ends[1] - ends[0], number(field(self.answer, "tolerance"), "tolerance") * share + enough
            yield Claim("converged", PROVED if width <= most * 1.001 else FALSE, f"a width of {width:.3g}, of {most:.3g} at the most")

    def epsilon(self, ends, delta):
        if not 0 <= delta <= 1:
            raise BadInput(f"delta is {delta}, but must be from 0 to 1")
        lower, upper = ends
        if lower is not None:
            yield self._epsilon_is_at_least(lower, delta)
        if upper is not None:
            yield self._epsilon_is_at_most(upper, delta)

    def _epsilon_is_at_most(self, epsilon, delta):
        """Where delta(epsilon) <= delta."""
        what = f"epsilon <= {epsilon!r}"
        if epsilon == math.inf or delta == 1:
            return Claim(what, PROVED, "trivially")
        if epsilon == -math.inf:
            return Claim(what, FALSE, "delta(-inf) is 1")
        return self._attempt(what, lambda: self.asked.delta_is_at_most(epsilon, Level(delta)))

    def _epsilon_is_at_least(self, epsilon, delta):
        """Where delta(e) > delta for all e < epsilon: as the profile falls strictly as long as it can, where delta(epsilon) >= delta > 0."""
        what = f"epsilon >= {epsilon!r}"
        if epsilon == -math.inf:
            return Claim(what, PROVED, "trivially")
        if delta == 1:
            return Claim(what, FALSE, "delta(-inf) is 1")
        if epsilon == math.inf or delta == 0:
            return self._attempt(what, lambda: self.asked.delta_stays_above_until(epsilon, delta))
        return self._attempt(what, lambda: self.asked.delta_is_at_least(epsilon, Level(delta)))

    def delta(self, ends, epsilon, what="delta", logarithm=False):
        least, most = (-math.inf, 0) if logarithm else (0, 1)
        for end, at_most in zip(ends, (False, True)):
            if end is None:
                continue
            name = f"{what} {'<=' if at_most else '>='} {end!r}"
            if end >= most if at_most else end <= least:
                yield Claim(name, PROVED, "trivially")
            elif end < least or end > most:
                yield Claim(name, FALSE, f"it is from {least} to {most}")
            else:
                compare = self.asked.delta_is_at_most if at_most else self.asked.delta_is_at_least
                yield self._attempt(name, lambda: compare(epsilon, Level(end, logarithm)))

    def of_all(self, name, ends, at_most, at_least, *more):
        """Of a number that is about all epsilons or orders at once, from 0 up."""
        for end, compare, sign in zip(ends, (at_least, at_most), (">=", "<=")):
            if end is None:
                continue
            what = f"{name} {sign} {end!r}"
            if end < 0:
                raise BadInput(f"{name} is {end!r}, but must be 0 or more")
            if end == (0 if sign == ">=" else math.inf):
                yield Claim(what, PROVED, "trivially")
            else:
                yield self._attempt(what, lambda: compare(end, *more))

    def attained(self, quantity, place, ends):
        """Of one of QUANTITIES; `place` has the epsilon of a delta, the fpr of a tpr."""
        if quantity == "delta":
            epsilon = number(field(place, "epsilon"), "epsilon")
            return self.delta(ends, epsilon, f"delta({epsilon!r})")
        if quantity == "advantage":
            return self.delta(ends, 0.0, "advantage")
        if quantity == "tpr":
            return self.trade_off(ends, number(field(place, "fpr"), "fpr"), "power")
        if quantity == "mu":
            return self.of_all("mu", ends, self.asked.mu_is_at_most, self.asked.mu_is_at_least)
        return self.of_all("rho", ends, self.asked.rho_is_at_most, self.asked.rho_is_at_least)

    def trade_off(self, ends, alpha, column):
        """Of the least type II error f(alpha), or of the power 1 - f(alpha)."""
        is_power = column == "power"
        for end, at_most in zip(ends, (False, True)):
            if end is None:
                continue
            what = f"{column}({alpha!r}) {'<=' if at_most else '>='} {end!r}"
            if end >= 1 if at_most else end <= 0:
                yield Claim(what, PROVED, "trivially")
            elif not 0 <= end <= 1:
                yield Claim(what, FALSE, "it is from 0 to 1")
            elif at_most != is_power and (Fraction(end) if is_power else 1 - Fraction(end)) <= Fraction(alpha):
                yield Claim(what, PROVED, "a guess has the power alpha")
            else:
                compare = self.asked.power_is_at_most if at_most == is_power else self.asked.power_is_at_least
                yield self._attempt(what, lambda: compare(alpha, end, is_power))
