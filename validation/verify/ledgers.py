"""Ledgers as `pld ledger export` writes them, and the receipts of `pld ledger spend --json`: that nothing was changed, that each release
costs no more than it was counted for, that the sums stay within the cap and the cap implies the targets (docs/budgets.md has the
theorems), and what all releases compose to."""
import hashlib
import json

from flint import arb, fmpq

import closed_forms
import laws
import renyi
from all_orders import divergence, of_pure, rho_on_all_data
from claims import FALSE, NOT_PROVED, PROVED, BadInput, Checker, Claim, field, number, of_kind, word
from enclosure import OutOfReach, ball, precision
from mechanisms import read_number
from schemes import Ungrouped, read_release
from selection import Selection


def fraction(text, what):
    try:
        return fmpq(*(int(part) for part in text.split("/")))
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"{what} is {text!r}, but must be a fraction in quotes") from None


def double(number):
    """About a fraction, whose terms may be too long for doubles."""
    with precision(53):
        return float(ball(number).mid())


class Filter:
    """What a privacy filter adds up: `cap` of its quantity, `delta_cap` of releases' own deltas."""

    def __init__(self, object):
        self.name, self.cap = word(object, "name", ("basic", "zcdp", "renyi", "gdp")), read_number(field(object, "cap"), "filter.cap")
        self.delta_cap = read_number(object.get("delta_cap", object.get("delta", 0)), "filter.delta")
        self.order = read_number(field(object, "order"), "filter.order") if self.name == "renyi" else None

    def implies(self, target):
        """Whether a sum within the cap implies the target."""
        if "rho" in target or "mu" in target:
            squared = 2 * read_number(target["rho"], "rho") if "rho" in target else read_number(target["mu"], "mu") ** 2
            mu_squared = {"gdp": self.cap, "zcdp": 2 * self.cap if "rho" in target else None}.get(self.name)
            return mu_squared is not None and mu_squared <= squared and self.delta_cap == 0
        epsilon, delta = (read_number(field(target, name), name) for name in ("epsilon", "delta"))
        if self.name == "basic":
            return self.cap <= epsilon and self.delta_cap <= delta
        return bool(self._delta_of_cap(epsilon) + ball(self.delta_cap) <= ball(delta))

    def _delta_of_cap(self, epsilon):
        if self.name == "gdp":
            return closed_forms.gaussian(ball(self.cap).sqrt())(ball(epsilon))
        if self.name == "zcdp":
            return renyi.converted(renyi.zcdp({"rho": self.cap, "xi": fmpq(0)}), epsilon)
        return (ball(self.order - 1) * ball(self.cap - epsilon)).exp() * renyi.kernel(ball(self.order))

    def counts(self, entry, neighbours, loss, delta, where):
        """Whether the release costs at most `loss` and `delta`, all its repetitions together; None where no theorem here says."""
        of_kind(entry, dict, where)
        adjacency, group = neighbours
        whole = {key: value for key, value in entry.items() if key != "sampling"}
        release = read_release(whole, adjacency, where, group)
        count = release.count
        if count == 0:
            return True
        each, noise = ball(loss) / count, self._cost_of_noise(release)
        if noise is not None and (count * noise <= loss if isinstance(noise, fmpq) else noise <= each):
            return True
        if self.name == "renyi" and not isinstance(release, Selection) and (own := divergence(release, self.order)) is not None and own <= each:
            return True
        worst, infinite = _one_by_one(read_release(whole, adjacency, where), group) if isinstance(release, Ungrouped) else _worst(release)
        if worst is None or not (infinite.is_zero() or count * infinite <= ball(delta)):
            return None
        return True if self._bounded_costs_at_most(worst, each) else None

    def _cost_of_noise(self, release):
        if self.name == "gdp":
            return release.mu_squared
        found = [] if self.name == "basic" or not hasattr(release, "parameters") else rho_on_all_data(release, release.parameters)
        rho = next((bound for bound in found if isinstance(bound, fmpq)), found[0] if found else None)
        return None if rho is None else rho * self.order if self.name == "renyi" else rho

    def _bounded_costs_at_most(self, epsilon, cost):
        if self.name == "basic":
            return epsilon <= cost
        if self.name == "gdp":
            return 1 - laws.normal_tail(cost.sqrt() / 2) >= 1 / (1 + (-epsilon).exp())
        if self.name == "zcdp":
            return of_pure(epsilon) <= cost
        a = ball(self.order)  # of a randomized response, which dominates
        return (((a - 0.5) * epsilon).cosh() / (epsilon / 2).cosh()).log() / (a - 1) <= cost


def _worst(release):
    """The largest loss in either direction but for infinite ones, None where there is none, and the mass of those. A number of runs that are epsilon-DP is (2 + shape) epsilon-DP (Papernot,
    Steinke 2022)."""
    if isinstance(release, Selection):
        runs = [(*_worst(run), run.count) for run in release.run]
        law, numbers = release.tries
        if law == "poisson" or any(worst is None or not infinite.is_zero() for worst, infinite, _ in runs):
            return None, arb(0)
        return ball(2 + numbers["shape"]) * sum((count * worst for worst, _, count in runs), arb(0)), arb(0)
    pair = release.pair(30)
    if None in pair.range:
        return None, arb(0)
    return ball(pair.range[1]).max(-ball(pair.range[0])), pair.only_p.max(pair.only_q)


def _one_by_one(release, group):
    """Of a group, by single steps: k epsilon and delta (1 + e^epsilon + ... + e^((k - 1) epsilon))."""
    worst, infinite = _worst(release)
    return None if worst is None else group * worst, infinite if infinite.is_zero() else infinite * sum(((i * worst).exp() for i in range(group)), arb(0))


def releases_of(record):
    spent = field(record, "spend", list)
    if not spent:
        raise BadInput("spend is [], but must be one release or more")
    return spent


def neighbours_of(rules):
    return field(rules, "adjacency"), rules.get("group", 1)


def receipt_claims(receipt, attempts):
    """Of one spend."""
    if field(receipt, "accepted") is not True:
        raise BadInput("the spend was refused, which claims nothing")
    spent, neighbours = releases_of(receipt), neighbours_of(receipt)
    if receipt.get("kind") == "adaptive":
        filter, counted = Filter(field(receipt, "filter", dict)), field(receipt, "counted", dict)
        by_this, upper = (read_number(field(counted, name), name) for name in ("by_this", "upper"))
        yield _cost(spent, neighbours, filter, by_this, filter.delta_cap, "this spend")
        yield Claim(f"the sum {double(upper)!r} is within the cap", PROVED if upper <= filter.cap else FALSE)
        yield from _targets(receipt, filter)
    for place in field(receipt, "composed", list):
        epsilon, upper = (number(field(place, name), name) for name in ("epsilon", "delta_upper"))
        if field(receipt, "id", int) != 1:
            yield Claim(f"all spends compose to delta({epsilon!r}) <= {upper!r}", NOT_PROVED,
                        "a receipt has one spend only: check the ledger's export")
        else:
            yield from Checker(receipt, spent, "worst", attempts).delta((None, upper), epsilon)


def _cost(spent, neighbours, filter, loss, delta, what):
    """That the releases of one spend cost no more together: each by itself, with the share of the loss that it has."""
    what = f"{what} costs at most {double(loss)!r}"
    try:
        with precision(128):
            found = _together(spent, neighbours, filter, loss, delta, what)
    except OutOfReach as reason:
        return Claim(what, NOT_PROVED, str(reason))
    return Claim(what, PROVED if found else NOT_PROVED, "" if found else "no theorem here gives its cost")


def _together(spent, neighbours, filter, loss, delta, what):
    if len(spent) == 1:
        return filter.counts(spent[0], neighbours, loss, delta, what)
    left = loss
    for entry in spent[:-1]:  # the least cost that is proved, by bisection
        low, high = fmpq(0), left
        if not filter.counts(entry, neighbours, high, delta, what):
            return None
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if filter.counts(entry, neighbours, middle, delta, what) else (middle, high)
        left -= high
    return filter.counts(spent[-1], neighbours, left, delta, what)


def targets_of(rules):
    return [of_kind(target, dict, "a target") for target in field(rules, "targets", list)]


def _targets(rules, filter):
    for target in targets_of(rules):
        with precision(128):
            holds = filter.implies(target)
        yield Claim(f"the cap implies {json.dumps(target)}", PROVED if holds else NOT_PROVED, "" if holds else "no theorem here says so")


def ledger_claims(lines, attempts):
    """Of an export: its header, records and last line."""
    records = [of_kind(json.loads(line), dict, "a line") for line in lines]
    header, neighbours = records[0], neighbours_of(records[0])
    yield from _chained(lines, records)
    adaptive = field(header, "kind") == "adaptive"
    filter = Filter(field(header, "filter", dict)) if adaptive else None
    if adaptive:
        yield from _targets(header, filter)
    epsilons = [number(target["epsilon"], "epsilon") for target in targets_of(header) if "epsilon" in target]
    standing = {}
    for place, record in enumerate(records[1:-1], 1):
        name, spent = f"record {place}", _changed(standing, place, record)
        if spent is None:
            continue
        loss = delta = fmpq(0)
        if adaptive:
            counts = field(record, "counts", dict)
            loss, delta = (fraction(field(counts, key), f"{name}: {key}") for key in ("loss", "delta"))
            yield _cost(spent, neighbours, filter, loss, delta, name)
        standing[place] = spent, loss, delta
        if adaptive:
            total, deltas = (sum((entry[i] for entry in standing.values()), fmpq(0)) for i in (1, 2))
            said = read_number(field(counts, "sum"), f"{name}: sum")
            yield Claim(f"{name}: the sum is at most {counts['sum']!r}, within the cap",
                        PROVED if total <= said and total <= filter.cap and deltas <= filter.delta_cap else FALSE)
        composed = field(record, "composed", list) if "composed" in record else []
        if composed:
            adjacency, group = neighbours
            checker = Checker({"adjacency": adjacency, "group": group}, [entry for spent, *_ in standing.values() for entry in spent], "worst", attempts)
            for epsilon, upper in zip(epsilons, composed, strict=True):
                for claim in checker.delta((None, number(upper, "composed")), epsilon):
                    claim.what = f"up to {name}: {claim.what}"
                    yield claim


def _changed(standing, place, record):
    """What a record spends, or None where it takes a spend back, which then stands no longer."""
    if field(record, "id", int) != place:
        raise BadInput(f"id is {record['id']}, but must be {place}, the place of the record")
    if len(record.keys() & {"spend", "undo", "plan"}) != 1:
        raise BadInput(f"record {place} must have one of spend, undo and plan")
    if "undo" in record and standing.pop(field(record, "undo", int), None) is None:
        raise BadInput(f"record {place}: undo is {record['undo']}, but must be a spend that stands")
    return releases_of(record) if "spend" in record else None


def _chained(lines, records):
    """That each record's link is the SHA-256 of the one before, a line end and the record."""
    before = ""
    for line, record in zip(lines, records):
        body = line[: line.rindex(',"chain"')] + "}"
        link = hashlib.sha256((before + "\n" + body).encode()).hexdigest()
        if link != field(record, "chain"):
            yield Claim(f"the chain at {record.get('id', 'its ends')!r}", FALSE, "the record was changed")
            return
        before = link
    whole = "end" in records[-1] and records[-1]["end"] == len(records) - 2
    yield Claim(f"{len(records) - 2} records, unchanged and all there", PROVED if whole else FALSE)
