"""What an answer of `pld --json` claims; each query gives the claims of one answer."""
import math
import sys
from fractions import Fraction

from attempts import in_child
from audits import audit_claims
from claims import CHECK_FAILED, FALSE, NOT_PROVED, PLACES, PROVED, QUANTITIES, BadInput, Checker, Claim, bracket, failed, field, flag, named, number, of_kind, word
from enclosure import OutOfReach, ball
from ledgers import ledger_claims, receipt_claims
from mechanisms import read_number

ALWAYS_ENOUGH = 1e-9  # width of an epsilon's bracket
SHARES = {"poisson": "poisson", "fixed-size": "without_replacement", "truncated": "truncated_poisson"}  # of the data, by a sampler's name
CLOSE, LEAST_LOG = 1e-12, math.log(5e-324)  # of logarithms: what rounding makes of a width, and of the least double
NEXT_TO = 1e-9  # the largest loss, a share of it
ROUND_OFF = 1e-15  # of a quotient, by which it is no whole number more


def epsilon_claims(answer, attempts):
    delta, ends = number(field(answer, "delta"), "delta"), bracket(field(answer, "epsilon"), "epsilon")
    checker = Checker(answer, field(answer, "mechanisms"), field(answer, "asked_direction"), attempts)
    yield from _claims_about_epsilon(answer, checker, ends, delta)


def _claims_about_epsilon(answer, checker, ends, delta):
    yield from checker.exactness()
    yield from checker.epsilon(ends, delta)
    yield from _routes(answer, lambda ends: checker.epsilon(ends, delta))
    yield from checker.worst_direction(ends, lambda one, few: one.epsilon(few, delta))
    yield from checker.narrowness(ends, max(map(abs, (end for end in ends if end is not None)), default=0.0), ALWAYS_ENOUGH)


def _routes(answer, claims):
    """The upper end of each Renyi route bounds what is asked by itself."""
    for name, found in field(answer, "renyi_routes", dict).items() if "renyi_routes" in answer else ():
        yield from named(name, claims((None, bracket(found, name)[1])))


def delta_claims(answer, attempts):
    epsilon = number(field(answer, "epsilon"), "epsilon")
    checker = Checker(answer, field(answer, "mechanisms"), field(answer, "asked_direction"), attempts)
    yield from checker.exactness()
    ends = bracket(field(answer, "delta"), "delta")
    yield from checker.delta(ends, epsilon)
    yield from _routes(answer, lambda ends: checker.delta(ends, epsilon))
    yield from checker.worst_direction(ends, lambda one, few: one.delta(few, epsilon))
    yield from checker.narrowness(ends, ends[1] or 0.0, sys.float_info.min)
    if "log_delta" in answer:
        yield from checker.delta(bracket(answer["log_delta"], "log_delta"), epsilon, "log delta", logarithm=True)


def curve_claims(answer, attempts):
    of, asked = word(answer, "of", ("profile", "tradeoff")), field(answer, "asked_direction")
    if answer.get("direction", asked) != asked:
        raise BadInput(f"direction is {answer['direction']!r}, but must be {asked!r}, the asked_direction")
    for curve in field(answer, "compositions", list):
        checker = Checker(curve, field(curve, "mechanisms"), asked, attempts)
        yield from checker.exactness()
        if of == "profile":
            for column, logarithm in (("delta", False), ("log_delta", True)):
                for epsilon, ends in _points(curve, "epsilon", column):
                    yield from checker.delta(ends, epsilon, f"{column}({epsilon!r})", logarithm)
        else:
            for column in ("type_two_error", "power"):
                for alpha, ends in _points(curve, "alpha", column):
                    yield from checker.trade_off(ends, alpha, column)
        if checker.converged and checker.said_exact:
            yield _narrowness(answer, _log_widths_of_delta(curve, checker) if of == "profile" else _log_widths_of_errors(curve))


def _points(curve, place, column):
    columns, places = field(curve, column, dict), field(curve, place, list)
    brackets = {end: field(columns, end, list) for end in ("lower", "estimate", "upper") if end in columns}
    if not brackets.keys() >= {"lower", "upper"} or any(len(values) != len(places) for values in brackets.values()):
        raise BadInput(f"{column} must have a lower and an upper end for each {place}, {len(places)} of them")
    for i, x in enumerate(places):
        yield number(x, place), bracket({end: values[i] for end, values in brackets.items()}, column)


def _narrowness(answer, widths):
    """That all points of an exact curve are as narrow as its tolerance asks: the widths are of logarithms, each with how often the tolerance it may have."""
    tolerance = math.log1p(number(field(answer, "tolerance"), "tolerance"))
    width, times = max(widths, key=lambda each: each[0] / each[1], default=(0.0, 1))
    return Claim("converged", PROVED if width <= times * tolerance * 1.001 + CLOSE else FALSE, f"a width of {width:.3g}, of {times * tolerance:.3g} at the most")


def _log_widths_of_delta(curve, checker):
    """Before the largest loss, next to which rounding makes them wider, and where a double has the delta."""
    losses = [ball(loss) for loss in checker.asked.largest_losses() if loss is not None]
    for epsilon, ends in _points(curve, "epsilon", "log_delta"):
        if None not in ends and ends[1] > LEAST_LOG and all(loss - epsilon > NEXT_TO * abs(loss) for loss in losses):
            yield ends[1] - ends[0], 1


def _log_widths_of_errors(curve):
    """Of the power or of the type II error, whichever is the narrower one."""
    for (_, error), (_, power) in zip(_points(curve, "alpha", "type_two_error"), _points(curve, "alpha", "power")):
        if None not in (*error, *power):
            yield min(0.0 if upper == lower else math.log(upper / lower) if lower > 0 else math.inf for lower, upper in (error, power)), 8


def calibrate_claims(answer, attempts):
    open_mechanisms, targets = field(answer, "mechanisms", list), field(answer, "targets", list)
    for name in ("chosen", "next", *(["failing"] if "failing" in answer else [])):
        trial = field(answer, name)
        if trial is None:
            continue
        value = number(field(trial, "value"), f"{name}.value")
        mechanisms, met, failed, proved = [_settled(_filled(entry, value)) for entry in open_mechanisms], True, False, True
        checkers = {}  # by the flags, which are mostly the same of all targets
        for target, attained in zip(targets, field(trial, "attained", list), strict=True):
            lower, upper = ends = bracket(attained, f"{name}.attained")
            flags = flag(attained, "exact"), flag(attained, "only_guaranteed")
            if flags not in checkers:
                checkers[flags] = Checker(answer, mechanisms, field(answer, "asked_direction"), attempts, attained)
                yield from checkers[flags].exactness()
            limit, claims = _target(checkers[flags], target, ends)
            for claim in claims:
                proved = proved and (claim.verdict == PROVED or " <= " not in claim.what)
                yield claim
            met, failed = met and upper is not None and upper <= limit, failed or (lower is not None and lower > limit and not flags[1])
        if name == "chosen":
            verdict = (PROVED if proved else NOT_PROVED) if met and value == answer.get("value", value) else FALSE
            yield Claim(f"? = {value!r} meets the target", verdict)
        elif name == "failing" or flag(trial, "fails"):
            yield Claim(f"? = {value!r} fails", PROVED if failed else FALSE)


def _target(checker, target, ends):
    """The limit, and the claims about what is attained."""
    of_kind(target, dict, "target")
    quantity = next((name for name in QUANTITIES if target.keys() == {name, *PLACES.get(name, ())}), None)
    if quantity is None:
        raise BadInput(f"a target has {', '.join(target)}, but must have one of {', '.join(QUANTITIES)} and its place")
    return number(target[quantity], "target"), checker.attained(quantity, target, ends)


def quantity_claims(answer, attempts):
    """What a batch answers besides: the quantities that a calibration has targets of."""
    quantity = answer["query"]
    checker = Checker(answer, field(answer, "mechanisms"), field(answer, "asked_direction"), attempts)
    yield from checker.exactness()
    yield from checker.attained(quantity, answer, bracket(field(answer, quantity), quantity))


def _filled(entry, value):
    """The mechanism with its open numbers, "?" or "?*FACTOR", at a value; of a selection those of what it tries."""
    if isinstance(entry, dict):
        return {key: item if key == "type" else _filled(item, value) for key, item in entry.items()}
    if isinstance(entry, list):
        return [_filled(item, value) for item in entry]
    if isinstance(entry, str) and entry.startswith("?"):
        return value * float(entry[2:]) if entry.startswith("?*") else value
    return entry


def _positive(entry, name):
    found = number(field(entry, name), name)
    if not 0 < found < math.inf:
        raise BadInput(f"{name} is {found!r}, but must be > 0 and finite")
    return found


def _settled(entry):
    """The mechanism with a sampling and a count for the words of a training run: a share is the least double not below batch / dataset,
    and epochs are of one release each, or of as many as the share takes to be 1."""
    if isinstance(entry, dict) and isinstance(entry.get("mechanisms"), list):
        return {**entry, "mechanisms": [_settled(one) for one in entry["mechanisms"]]}
    if not isinstance(entry, dict) or not ("sampler" in entry or "epochs" in entry):
        return entry
    settled = {key: item for key, item in entry.items() if key not in ("sampler", "batch", "dataset", "cap", "epochs")}
    if "sampler" in entry:
        batch, dataset = _positive(entry, "batch"), _positive(entry, "dataset")
        share = batch / dataset
        if Fraction(share) * Fraction(dataset) < Fraction(batch):
            share = math.nextafter(share, math.inf)
        settled["sampling"] = {SHARES[word(entry, "sampler", SHARES)]: share}
        if entry["sampler"] == "truncated":
            settled["sampling"].update(largest_batch=_positive(entry, "cap"), records=dataset)
    if "epochs" in entry:
        sampling = of_kind(settled.get("sampling", {}), dict, "sampling")
        share = next((_positive(sampling, name) for name in sampling if name in SHARES.values()), 1.0)
        settled["count"] = float(math.ceil(min(_positive(entry, "epochs") / share, sys.float_info.max) * (1 - ROUND_OFF)))
    return settled


def compare_claims(answer, attempts):
    """The bracket, somebody's claim or the table of bounds. A row is above or below epsilon, or its verdict is undecided."""
    delta = number(field(answer, "delta"), "delta")
    checker = Checker(answer, field(answer, "mechanisms"), field(answer, "asked_direction"), attempts)
    yield from _claims_about_epsilon(answer, checker, bracket(field(answer, "epsilon"), "epsilon"), delta)
    if "claim" in answer:
        claimed = number(field(answer["claim"], "epsilon"), "claim.epsilon")
        verdicts = {"valid": True, "under-reports": False, "undecided": None}
        yield from _compared(checker, "the claim", claimed, verdicts[word(answer["claim"], "verdict", verdicts)], delta)
    for row in field(answer, "bounds", list) if "bounds" in answer else ():
        if "refused" not in of_kind(row, dict, "a bound"):
            yield from _compared(checker, field(row, "name"), number(field(row, "epsilon"), "epsilon"), _is_above(row), delta)


def _is_above(row):
    words = {"sound": True, "above here": True, "UNSOUND": False, "undecided": None}
    said = word({**row, "verdict": field(row, "verdict", str).split(",")[0]}, "verdict", words)
    sound = None if said == "undecided" else said == "sound"
    if row.get("sound", sound) is not sound:
        raise BadInput(f"sound is {row['sound']!r}, but the verdict is {said}")
    return words[said]


def _compared(checker, name, epsilon, holds, delta):
    if holds is not None:
        yield from named(name, checker.epsilon((None, epsilon) if holds else (epsilon, None), delta))


def explain_claims(answer, attempts):
    mechanisms = field(answer, "mechanisms", list)

    def about(direction, releases=mechanisms):
        return Checker(answer, releases, direction, attempts)

    worst = about("worst")
    yield from worst.exactness()
    for point in field(answer, "epsilons", list):
        yield from worst.epsilon(bracket(field(point, "epsilon"), "epsilon"), number(field(point, "delta"), "delta"))
    directions = field(answer, "directions", dict)
    delta = number(field(directions, "delta"), "delta")
    for name in ("remove", "add"):
        yield from named(name, about(name).epsilon(bracket(field(directions, name), name), delta))
    yield from worst.delta(bracket(field(answer, "advantage"), "advantage"), 0.0, "advantage")
    ends = bracket(field(answer, "bayes_error"), "bayes_error")  # (1 - delta(0)) / 2
    yield from worst.delta([end if end is None else 1 - 2 * read_number(end, "bayes_error") for end in reversed(ends)], 0.0, "1 - 2 bayes_error")
    for fpr, ends in field(answer, "tpr_at_fpr", dict).items():
        yield from worst.trade_off(bracket(ends, "tpr"), float(fpr), "power")
    yield from named("pure", worst.epsilon(bracket(field(answer, "pure_epsilon"), "pure_epsilon"), 0.0))
    for share in field(answer, "shares", list):
        place = field(share, "place", int)
        if not 0 <= place < len(mechanisms):
            raise BadInput(f"place is {place}, but must be that of one of {len(mechanisms)} mechanisms")
        others = mechanisms[:place] + mechanisms[place + 1 :]
        yield from named(f"without {field(share, 'mechanism')}",
                          about("worst", others).epsilon(bracket(field(share, "epsilon_without"), "epsilon_without"), delta))
    yield from _of_all(answer, worst)


def _of_all(answer, checker):
    """What is about all epsilons, or all orders, at once: mu and rho."""
    asked, noise = checker.asked, field(answer, "gaussian", dict)
    least = number(field(noise, "least_delta"), "least_delta")
    if not 0 < least < 1:
        raise BadInput(f"least_delta is {least!r}, but must be from above 0 to below 1")
    for name, at_most, at_least in (("smallest_mu", asked.smallest_mu_is_at_most, asked.smallest_mu_is_at_least),
                                    ("largest_mu", asked.largest_mu_is_at_most, asked.largest_mu_is_at_least)):
        yield from checker.of_all(name, bracket(field(noise, name), name), at_most, at_least, least)
    yield from checker.of_all("rho", bracket(field(answer, "zcdp_rho"), "zcdp_rho"), asked.rho_is_at_most, asked.rho_is_at_least)


CLAIMS = {**dict.fromkeys(QUANTITIES, quantity_claims), "epsilon": epsilon_claims, "delta": delta_claims, "curve": curve_claims,
          "calibrate": calibrate_claims, "compare": compare_claims, "explain": explain_claims, "audit": audit_claims}


def claims_of(answer, seconds):
    """The claims of an answer, or of a tuple of the lines of a ledger's export, checked one by one: `seconds` for each. Raises BadInput."""
    try:
        return in_child(lambda attempts: list(_claims(answer, attempts)), seconds, lambda why: (NOT_PROVED, why))
    except OutOfReach as reason:
        return [Claim("all of it", NOT_PROVED, str(reason))]
    except CHECK_FAILED as failure:
        return [Claim("all of it", NOT_PROVED, failed(failure))]


def _claims(answer, attempts):
    if isinstance(answer, tuple):
        return ledger_claims(answer, attempts)
    of_kind(answer, dict, "an answer")
    if "error" in answer:
        raise BadInput("the answer is a refusal, which claims nothing")
    if "accepted" in answer:
        return receipt_claims(answer, attempts)
    return CLAIMS[word(answer, "query", CLAIMS)](answer, attempts)


def verdict_of(claims):
    found = {claim.verdict for claim in claims}
    return FALSE if FALSE in found else NOT_PROVED if NOT_PROVED in found or not claims else PROVED
