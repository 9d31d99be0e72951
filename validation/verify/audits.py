"""What `pld audit` claims: of each test the least level at which what was counted refutes a hypothesis, and the largest epsilon that it refutes at a
confidence. The tests are those of docs/audit.md; whether it was counted so is not for this program to say."""
import math
from functools import cache, reduce

from flint import arb, fmpq

import independent_runs
import one_run
from asked import Asked
from binomial import rest_above
from claims import FALSE, NOT_PROVED, PROVED, BadInput, Claim, attempted, field, flag, named, number, of_kind
from enclosure import OutOfReach, ball, double_below, exact, precision

MOST = 10**9
BITS = 192
FIRST, FINER, FINEST = 1e-3, 1e-4, 1e-300  # errors of a delta: at first, from one time to the next, and where it is nothing


class OfClaim:
    """(epsilon, delta)-DP, by its line and the complement's."""

    def __init__(self, epsilon, delta):
        self.epsilon, self.delta = epsilon, arb(delta)

    def has_no_attack(self, false_positives, true_positives):
        """Whether no attack has so few false and so many true positives; and what was seen."""
        with precision(BITS):
            alpha, beta, factor = arb(false_positives), arb(true_positives), arb(self.epsilon).exp()
            beyond = beta - self.delta - factor * alpha, 1 - alpha - self.delta - factor * (1 - beta)
            found = True if any(each > 0 for each in beyond) else False if all(each <= 0 for each in beyond) else None
            return found, f"of (epsilon, delta) they are beyond by {max(beyond, key=lambda each: each.mid()).str(6)}"

    def places(self):
        return [-self.epsilon, self.epsilon] if self.epsilon else [0.0]

    def lines(self, cut, _):
        return lambda e: (self.delta if e >= 0 else 1 - arb(e).exp() * (1 - self.delta)) / (2 if cut.only_in else 1)


class OfComposition:
    """What its releases' pairs allow: remove has the record under P, so that P's events are those of \"in\"."""

    def __init__(self, answer):
        adjacency, mechanisms, group = answer.get("adjacency"), field(answer, "mechanisms"), answer.get("group", 1)
        self._replaced = adjacency == "replace-one"
        self._both = [Asked(adjacency, mechanisms, direction, group) for direction in (("worst",) if self._replaced else ("remove", "add"))]
        self._told = cache(self._delta)

    def has_no_attack(self, false_positives, true_positives):
        """Of \"in\" by one direction's power, of \"out\" by the other's."""
        found, seen = self._both[0].power_is_at_most(false_positives, true_positives, True)
        if found:
            return True, seen
        opposite, told = self._both[-1].power_is_at_most(rest_above(true_positives), false_positives, False)
        return (True, told) if opposite else (False if found is opposite is False else None, seen)

    def places(self):
        """Any."""

    def end(self):
        """A double that no loss is above."""
        with precision(BITS):
            losses = self._both[0].largest_losses()
            return math.inf if None in losses else max(-double_below(-ball(loss)) for loss in losses)

    def lines(self, cut, share):
        """With the larger of both deltas where either value of a record may be the one that is in."""
        def deltas(e):
            return [self._told(adding, e, share) for adding in ((False,) if self._both[0].symmetric else (False, True))]

        if self._replaced:
            return lambda e: reduce(arb.max, deltas(e)) / (2 if cut.only_in else 1)
        return lambda e: deltas(e)[0] / 2 if cut.only_in else sum(deltas(e), arb(0)) / len(deltas(e))

    def _delta(self, adding, epsilon, share):
        """At least that, by as small a share of it as is within reach."""
        size, found = FIRST, None
        while found is None or (found.rad() > share * found.mid() and size > FINEST):
            try:
                found = self._both[0].delta_above(adding, epsilon, arb(size))
            except OutOfReach:
                if found is None:
                    raise
                break
            size = max(size * FINER, share / 2 * float(found.mid()))
        return found.upper().min(arb(1))


def audit_claims(answer, attempts):
    tests, cuts = _observed(answer)
    delta, confidence = (number(field(answer, name), name) for name in ("delta", "confidence"))
    if not 0 <= delta <= 1 or not 0 < confidence < 1:
        raise BadInput(f"delta is {delta!r} and confidence {confidence!r}, but must be from 0 to 1, and above 0 and below 1")
    level = 1 - exact(confidence)

    def refuted(hypothesis, test, level):
        return _any_cut(cuts, test, hypothesis, level)

    found = field(answer, "epsilon", dict)
    claims = [attempted(f"{test}: epsilon >= {end!r}", lambda: _is_refuted_up_to(end, delta, lambda of: refuted(of, test, level)), attempts)
              for test, end in _by_test(found, tests)]
    yield from claims
    lower = number(field(found, "lower"), "epsilon.lower")
    yield _of_the_best(f"epsilon >= {lower!r}", [claim for (_, end), claim in zip(_by_test(found, tests), claims) if end >= lower])
    for said in field(answer, "hypotheses", list):
        yield from named(field(said, "hypothesis", str), _hypothesis_claims(answer, said, tests, delta, level, refuted, attempts))


def _hypothesis_claims(answer, said, tests, delta, level, refuted, attempts):
    hypothesis = OfClaim(_at_least_0(said, "claim"), delta) if "claim" in said else OfComposition(answer)
    values = _by_test(said, tests)
    claims = [attempted(f"{test}: p <= {value!r}", lambda: (True, "trivially") if value >= 1 else refuted(hypothesis, test, exact(value)), attempts)
              for test, value in values]
    yield from claims
    p_value = _probability(field(said, "p_value"), "p_value")
    best = _of_the_best(f"p <= {p_value!r}", [claim for (_, value), claim in zip(values, claims) if value <= p_value])
    yield best
    if flag(said, "refuted"):
        yield Claim("refuted", best.verdict if exact(p_value) <= level else FALSE)
    elif exact(p_value) <= level:
        yield Claim("not refuted", FALSE, f"p <= {p_value!r}")


def _of_the_best(what, claims):
    """What one of these tests says by itself; FALSE where none says it."""
    verdicts = {claim.verdict for claim in claims}
    return Claim(what, PROVED if PROVED in verdicts else NOT_PROVED if NOT_PROVED in verdicts else FALSE)


def _is_refuted_up_to(epsilon, delta, refuted):
    """Whether (e, delta)-DP is for all e below, which it is where it is at epsilon."""
    if epsilon == 0:
        return True, "trivially"
    return (False, "no line is beyond all doubles") if epsilon == math.inf else refuted(OfClaim(epsilon, delta))


def _any_cut(cuts, test, hypothesis, level):
    """Whether one of them refutes it at its share of the level; and what was seen. Those that look best come first."""
    share, told = fmpq(level) / len(cuts), []
    for cut in sorted(cuts, key=lambda cut: -cut.outlook()):
        told.append(cut.excludes(test, hypothesis, share))
        if told[-1][0]:
            return told[-1]
    return False if all(found is False for found, _ in told) else None, told[0][1]


def _by_test(object, tests):
    values = field(object, "by_test", dict)
    if values.keys() != set(tests):
        raise BadInput(f"by_test has {', '.join(values)}, but must have {', '.join(tests)}")
    return [(test, _at_least_0(values, test)) for test in tests]


def _at_least_0(object, name):
    value = number(field(object, name), name)
    if value < 0:
        raise BadInput(f"{name} is {value!r}, but must be 0 or more")
    return value


def _probability(value, what):
    value = number(value, what)
    if not 0 < value <= 1:
        raise BadInput(f"{what} is {value!r}, but must be above 0, and 1 at the most")
    return value


def _observed(answer):
    """The tests that take what was observed, and it at each cut: one, or those that are fixed in advance."""
    cuts = [of_kind(cut, dict, "what was observed") for cut in field(answer, "observed", list)]
    if not cuts:
        raise BadInput("observed is [], but must be of one cut or more")
    if "correct" in cuts[0]:
        guesses = [_guesses(cut) for cut in cuts]
        _require_fixed([cut.guessed for cut in guesses], 0, {(cut.canaries, cut.only_in) for cut in guesses}, guesses[0].canaries)
        return one_run.TESTS, guesses
    runs = [_runs(cut) for cut in cuts]
    _require_fixed([cut.false_positives for cut in runs], 1, {(cut.runs, cut.others) for cut in runs}, runs[0].others)
    return independent_runs.TESTS, runs


def _runs(cut):
    counts = [_part(cut, part, _part(cut, whole, MOST, 1)) for part, whole in (("true_positives", "in"), ("false_positives", "out"))]
    return independent_runs.Cut(counts[0], cut["in"], counts[1], cut["out"])


def _guesses(cut):
    canaries = _part(cut, "canaries", MOST, 1)
    guessed = _part(cut, "guessed", canaries, 1)
    return one_run.Cut(_part(cut, "correct", guessed), guessed, canaries, flag(cut, "only_in"))


def _part(cut, name, most, least=0):
    found = field(cut, name, int)
    if not least <= found <= most:
        raise BadInput(f"{name} is {found}, but must be from {least} to {most}")
    return found


def _require_fixed(ranks, before, others, most):
    """Of several cuts of the same scores: at the ranks 1, 2, 4, ... up to the last, which no score decides."""
    fixed = [2**i - before for i in range(most.bit_length())]
    if len(ranks) > 1 and (ranks != fixed or len(others) > 1):
        raise BadInput(f"cuts are at {ranks}, but must be at {fixed}, of the same scores")
