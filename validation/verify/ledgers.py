"""Ledgers as `pld ledger export` writes them, and the receipts of `pld ledger spend --json`: that nothing was changed; of an adaptive budget, that no
release costs more than it was counted for, that the sums stay within the caps, and that these imply the targets; of a planned one, that the plan
composes to the targets and has what was spent (docs/budgets.md has the theorems); and what releases compose to."""
import hashlib
import json
import math
from collections import Counter

from flint import fmpq

from asked import require_neighbours
from claims import FALSE, NOT_PROVED, PROVED, BadInput, Checker, Claim, attempted, field, named, number, of_kind, parsed, word
from enclosure import OutOfReach, ball, precision
from filters import Filter, as_written, is_at_most, written_number
from mechanisms import read_count
from schemes import releases_above

KINDS = "planned", "adaptive"
TARGETS = {"epsilon", "delta"}, {"rho"}, {"mu"}
BITS = 256


def fraction(object, name, where):
    text = field(object, name)
    try:
        return fmpq(*(int(part) for part in text.split("/")))
    except (AttributeError, TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"{where}: {name} is {text!r}, but must be a fraction in quotes") from None


def shown(bound):
    """The first number that is no less, as budgets read numbers."""
    near = int(bound.p) / int(bound.q)
    while as_written(near) < bound:
        near = math.nextafter(near, math.inf)
    return repr(near)


def _with_delta(loss, delta):
    return shown(loss) + (f" and a delta of {shown(delta)}" if delta else "")


class Rules:
    """What a ledger's header says, and a receipt repeats."""

    def __init__(self, object):
        self.adjacency, self.group = field(object, "adjacency"), object.get("group", 1)
        require_neighbours(self.adjacency, self.group)
        self.planned = word(object, "kind", KINDS) == "planned"
        self.filter = None if self.planned else Filter.read(field(object, "filter", dict))
        self.targets = field(object, "targets", list)
        for target in self.targets:
            if set(of_kind(target, dict, "a target")) not in TARGETS:
                raise BadInput(f"a target is {json.dumps(target)}, but must have epsilon and delta, rho or mu")

    def cost(self, spent, loss, delta, attempts, name):
        """That it is no more than what was counted."""
        return self.sums_within(self.filter, spent, (loss, delta), attempts, f"{name} costs at most {_with_delta(loss, delta)}", name)

    def sums_within(self, filter, spent, limits, attempts, what, where):
        """That what releases cost in a filter adds up to a loss and a delta of no more than the limits."""
        def compare():
            with precision(BITS):
                sums = list(filter.sums(releases))
                found = next((each for each in sums if all(map(is_at_most, each, limits))), None)
                seen = [ball(cost).str(12) for cost in found or sums[0] if cost != 0]
                if not found and filter.is_within_as_one(releases, *limits):
                    return True, "by their divergences together, without those of infinite losses"
                return found and True, f"by {filter.name} composition {' and a delta of '.join(seen) or 'nothing'}"

        try:
            releases = [releases_above(as_written(entry), self.adjacency, where, self.group) for entry in spent]
        except OutOfReach as reason:
            return Claim(what, NOT_PROVED, str(reason))
        return attempted(what, compare, attempts)

    def implications(self):
        """That sums within the caps imply each target."""
        for target in self.targets:
            with precision(BITS):
                holds = self.filter.implies(target)
            yield Claim(f"the cap implies {json.dumps(target)}", PROVED if holds else NOT_PROVED, "" if holds else "no theorem here says so")

    def composed(self, spent, attempts, claims):
        """claims(checker) of the composition of these releases."""
        try:
            checker = Checker({"adjacency": self.adjacency, "group": self.group, "only_guaranteed": True}, spent, "worst", attempts)
        except OutOfReach as reason:
            return [Claim("what is composed", NOT_PROVED, str(reason))]
        return claims(checker)


def releases_of(record, name="spend"):
    releases = field(record, name, list)
    if not releases:
        raise BadInput(f"{name} is [], but must be one release or more")
    return [of_kind(entry, dict, f"a release of {name}") for entry in releases]


def receipt_claims(receipt, attempts):
    """Of one spend."""
    if field(receipt, "accepted") is not True:
        raise BadInput("the spend was refused, which claims nothing")
    rules, spent, first = Rules(receipt), releases_of(receipt), field(receipt, "id", int) == 1
    if rules.planned:
        yield Claim("this spend is in the plan", NOT_PROVED, "a receipt has no plan: check the ledger's export")
    else:
        yield from _counted(receipt, rules, spent, first, attempts)
    for place in field(receipt, "composed", list):
        epsilon, upper = (number(field(place, name), name) for name in ("epsilon", "delta_upper"))
        if first and not rules.planned:
            yield from rules.composed(spent, attempts, lambda checker: checker.delta((None, upper), epsilon))
        else:
            yield Claim(f"{'the plan composes' if rules.planned else 'all spends compose'} to delta({epsilon!r}) <= {upper!r}", NOT_PROVED,
                        "a receipt has one spend only: check the ledger's export")


def _counted(receipt, rules, spent, first, attempts):
    """Of an adaptive budget. Deltas may be left out where none is reserved; the first spend's are all."""
    filter, counted = rules.filter, field(receipt, "counted", dict)
    by_this, upper = (written_number(counted, name, "counted") for name in ("by_this", "upper"))
    says = "delta_upper" in counted
    delta, deltas = (written_number(counted, name, "counted") for name in ("delta_by_this", "delta_upper")) if says else (filter.delta_cap,) * 2
    yield rules.cost(spent, by_this, delta, attempts, "this spend")
    within = by_this <= upper <= filter.cap and delta <= deltas <= filter.delta_cap
    yield Claim(f"the sum {_with_delta(upper, deltas if says else 0)} is within the cap", PROVED if within else FALSE)
    if filter.delta_cap > 0 and not (says or first):
        yield Claim(f"the releases' own deltas add up to at most {shown(filter.delta_cap)}", NOT_PROVED, "the receipt does not say to what: check the ledger's export")
    yield from rules.implications()


def ledger_claims(lines, attempts):
    """Of an export: its header, records and last line."""
    records = [of_kind(parsed(line), dict, "a line") for line in lines]
    rules = Rules(records[0])
    yield from _chained(lines, records)
    budget = (Planned if rules.planned else Adaptive)(rules, records[1:-1], attempts)
    yield from budget.targets()
    standing = {}
    for place, record in enumerate(records[1:-1], 1):
        kind, name = _kind_of(record, place), f"record {place}"
        if kind == "plan":
            yield from budget.plan(name)
        elif kind == "undo":
            if field(record, "undo", int) not in standing:
                raise BadInput(f"{name}: undo is {record['undo']}, but must be a spend that stands")
            budget.undo(record["undo"], standing.pop(record["undo"]))
        else:
            standing[place] = releases_of(record)
            yield from budget.spend(name, place, record)
            yield from _composed(rules, name, record, standing, attempts)


def _kind_of(record, place):
    if field(record, "id", int) != place:
        raise BadInput(f"id is {record['id']}, but must be {place}, the place of the record")
    kinds = record.keys() & {"spend", "undo", "plan"}
    if len(kinds) != 1:
        raise BadInput(f"record {place} must have one of spend, undo and plan")
    return kinds.pop()


def _composed(rules, name, record, standing, attempts):
    """What stands composes to no more than the record says, at each target's epsilon."""
    said = field(record, "composed", list) if "composed" in record else []
    if said:
        ends = [(target["epsilon"], number(upper, "composed"))
                for target, upper in zip((target for target in rules.targets if "epsilon" in target), said, strict=True)]
        yield from named(f"up to {name}", rules.composed([entry for spent in standing.values() for entry in spent], attempts, lambda checker: (
            claim for epsilon, upper in ends for claim in checker.delta((None, upper), number(epsilon, "epsilon")))))


class Adaptive:
    """What was counted of the spends that stand, by the places of their records."""

    def __init__(self, rules, _, attempts):
        self.rules, self.attempts, self.counted = rules, attempts, {}
        self.loss = self.delta = fmpq(0)

    def targets(self):
        return self.rules.implications()

    def plan(self, name):
        raise BadInput(f"{name}: plan is that of an adaptive budget, which has none")

    def undo(self, place, _):
        loss, delta = self.counted.pop(place)
        self.loss, self.delta = self.loss - loss, self.delta - delta

    def spend(self, name, place, record):
        counts, filter = field(record, "counts", dict), self.rules.filter
        loss, delta = self.counted[place] = [fraction(counts, key, name) for key in ("loss", "delta")]
        self.loss, self.delta, said = self.loss + loss, self.delta + delta, written_number(counts, "sum", name)
        yield self.rules.cost(record["spend"], loss, delta, self.attempts, name)
        within = self.loss <= said and self.loss <= filter.cap and self.delta <= filter.delta_cap
        yield Claim(f"{name}: the sum is at most {_with_delta(said, self.delta)}, within the cap", PROVED if within else FALSE)


class Planned:
    """How many of each kind of release are planned and not made."""

    def __init__(self, rules, records, attempts):
        self.rules, self.attempts, self.begun = rules, attempts, False
        self.planned = [entry for record in records if "plan" in record for entry in releases_of(record, "plan")]
        self.left = Counter()
        self._make(self.planned, -1)

    def _make(self, releases, times):
        for entry in releases:
            self.left[_kind_of_release(entry)] -= times * read_count(entry, "a release")

    def targets(self):
        """That the plan implies each: by the sums of what its releases cost, as they are written, or as they compose."""
        for target in self.rules.targets:
            quantity, sums = "delta" if "delta" in target else next(iter(target)), Filter.of_target(target)
            limit, limits = number(target[quantity], quantity), (sums.cap, sums.delta_cap)
            claim = self.rules.sums_within(sums, self.planned, limits, self.attempts, f"the plan implies {json.dumps(target)}", "the plan")
            yield from [claim] if claim.verdict == PROVED else named("the plan", self.rules.composed(
                self.planned, self.attempts, lambda checker: checker.attained(quantity, target, (None, limit))))

    def plan(self, name):
        if self.begun:
            yield Claim(f"{name}: all is planned before the first release", FALSE)

    def undo(self, _, spent):
        self._make(spent, -1)

    def spend(self, name, _, record):
        self.begun = True
        self._make(record["spend"], 1)
        beyond = [entry for entry in record["spend"] if self.left[_kind_of_release(entry)] < 0]
        yield Claim(f"{name} is in the plan", FALSE if beyond else PROVED, f"which has no more of {json.dumps(beyond[0])}" if beyond else "")


def _kind_of_release(entry):
    return json.dumps({key: value for key, value in entry.items() if key != "count"}, sort_keys=True)


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
