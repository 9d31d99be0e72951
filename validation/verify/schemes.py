"""Releases of a ledger with the scheme by which records get into them; docs/verify.md says why each pair is one.

Of the schemes that are no mere rate each is made of releases of the mechanism itself: `pair(nats)` as theirs, and `attained()`.
"""
from contextlib import suppress
from copy import copy
from functools import cache
from math import ceil

from flint import arb, fmpq

import laws
from allocation import epoch_of, log_choices, product_of
from best_of import read_tries
from enclosure import OutOfReach, Uncertain, ball, precision
from gaussian_epoch import GaussianEpoch, smooth_law
from mechanisms import ANY, ONLY_GUARANTEED, TYPES, BadInput, Release, read_count, read_mechanism, read_number
from pairs import Pair
from selection import Selection
from shuffled import LargestOf, share_far_out

FIXED_SIZES = {"without_replacement"}, {"batch", "dataset"}, {"truncated_poisson", "largest_batch", "records"}  # fields of a sampling
ALLOCATED = {"allocation"}, {"allocation", "participations"}, {"allocation", "passes"}
NATS, BITS = 80, 128  # an epoch's law from below is made of few different nats, and with so much precision beyond them
BY_THEMSELVES = {"poisson"}, {"shuffled"}, *ALLOCATED  # records that take no other's place


class Scheme:
    """Releases that are neither Gaussian nor Laplace noise on all data, nor a guarantee of Renyi divergences. `part`: a release, a number and a share: who is told what was drawn knows
    the outputs of so many of them; and P is at least that share of theirs."""
    mu_squared = laplace_shift = guarantee = part = None

    def __init__(self, base, count, symmetric, exact=False):
        self.base, self.count, self.symmetric, self.exact = base, count, symmetric, exact
        self.exact_alone, self.renyi, self.guaranteed = exact, base.renyi, base.guaranteed


class Attained(Scheme):
    """What one pair of neighbours has, the same ones in all releases."""

    def __init__(self, base, count, pair, part=None):
        super().__init__(base, count, symmetric=False, exact=True)
        self.pair, self.part = pair, part


def _nothing(_):
    return laws.nothing()


class TruncatedPoisson(Scheme):
    """A Poisson sample of which a largest number is kept. Let K be how many of the other records are drawn, the same under both data
    sets. Given K < B the record takes part with chance q; given K >= B with chance E(q B / (K + 1) | K >= B) = B P(Bin(N, q) > B) /
    (N P(Bin(N - 1, q) >= B)), in the place of one of B others, which are any B of them alike, whatever K and whether it takes part.
    Both laws, told apart, dominate. Neighbours whose other records contribute nothing attain a Poisson sample of the mean chance.

    Under add-remove N is `records`, or one more, a last one. Of the second case given the N - 1 others: where they are B - 1 and the last
    is drawn too, the batch is full, and the record takes part with chance q B / (B + 1); in the first case it is open, with q. A batch
    without replacement at rate q is above both. Where they are B or more, the record's chance is the larger in the first case."""

    def __init__(self, mechanism, adjacency, count, rate, cap, records):
        self.one_more = adjacency == "add-remove"
        self.rate, self.cap, self.records = rate, int(cap), int(records)
        self.full = self.on_all_data = Release(mechanism, adjacency, "without_replacement", fmpq(1, 2), count)
        self.drawn = Release(mechanism, adjacency, "poisson", fmpq(1, 2), count)
        self.alone = Release(mechanism, "zero-out", None, fmpq(1), count).attained()
        super().__init__(self.drawn, count, self.full.symmetric and self.drawn.symmetric)

    def _at_least(self, records, least):
        """P(Bin(records, rate) >= least)."""
        if least > records:
            return arb(0)
        return arb(1) if self.rate == 1 else ball(self.rate).beta_lower(least, records - least + 1, regularized=1)

    def _by_the_last(self):
        """P(Bin(records - 1, rate) = cap - 1), and one more drawn."""
        if not self.one_more or self.cap > self.records or (self.rate == 1 and self.cap < self.records):
            return arb(0)
        if self.rate == 1:
            return arb(1)
        rate, left_out = ball(self.rate), self.records - self.cap
        ways = arb(self.records).lgamma() - arb(self.cap).lgamma() - arb(left_out + 1).lgamma()
        return (ways + self.cap * rate.log() + left_out * (-rate).log1p()).exp()

    def _chances(self):
        filled, overfull = self._at_least(self.records - 1, self.cap), self._at_least(self.records, self.cap + 1) * self.cap / self.records
        return filled, overfull, (1 - filled) * ball(self.rate) + overfull

    def pair(self, nats):
        filled, overfull, _ = self._chances()
        parts = []
        if self.records > self.cap:
            if not filled > 0:
                raise Uncertain
            parts.append((filled, self._at(self.full, overfull / filled).pair(nats)))
        last = self._by_the_last()
        if not last.is_zero():
            parts.append((last, self._at(self.full, ball(self.rate)).pair(nats)))
        if self.rate < 1:
            parts.append((1 - filled - last, self._at(self.drawn, self.rate).pair(nats)))
        mixed, weight = parts[0][1], parts[0][0]
        for more, pair in parts[1:]:
            weight += more
            mixed = mixed.told_apart(more / weight, pair)
        return mixed

    @staticmethod
    def _at(release, rate):
        """With another rate, in (0, 1]."""
        other = Release.__new__(Release)
        other.__dict__.update(release.__dict__, rate=rate)
        return other

    def attained(self):
        if self.alone.type.guarantee:
            return Attained(self.base, self.count, _nothing)
        return Attained(self.base, self.count, lambda nats: self.alone.pair(nats).sampled(self._chances()[2]), (self.alone, 1, self._chances()[2]))


def _shuffled(mechanism, adjacency, count, batches):
    """An epoch over shuffled batches: dominated by one release on all data, as divergences are jointly convex. With all other records at the
    opposite end, the batch with the record stands out: it is moved by 2 mu from the rest, by mu where the record contributes nothing,
    and not at all where it is replaced by the opposite (Chua, Ghazi, Kamath et al. 2024). Of the outputs the largest alone is looked at."""
    if adjacency == "add-remove":
        raise OutOfReach("shuffled batches of data with one record more or less")
    on_all_data = Release(mechanism, adjacency, None, fmpq(1), count)
    _, type, parameters = mechanism
    of_some = (type.below or type).mu_squared
    if not of_some or type.guarantee or "replace_sensitivity" in parameters or (squared := of_some(parameters)) is None:
        return _above(on_all_data, Attained(on_all_data, count, _nothing))

    def shifts():
        mu = ball(squared).sqrt()
        return 2 * mu, arb(0) if adjacency == "replace-one" else mu

    below = Attained(on_all_data, count, LargestOf(batches, shifts).pair)
    below.far_out = on_all_data.attained(), 1, share_far_out(batches, shifts()[0])
    return _above(on_all_data, below)


class Allocation(Scheme):
    """Each record in one of the steps of an epoch (allocation.py)."""

    def __init__(self, step, count, steps):
        super().__init__(step, count, symmetric=False, exact=step.exact)
        self.steps, self.part = steps, (step, 1, fmpq(1, steps))
        self.smooth = smooth_law(step.mu_squared, steps)

    def pair(self, nats):
        nats += self.steps.bit_length()
        step = self.base.pair(nats)
        return GaussianEpoch(step, self.smooth) if self.smooth else epoch_of(step, self.steps, nats)

    def attained(self):
        return self if self.exact else Allocation(self.base.attained(), self.count, self.steps)


class Repeated:
    """A step of an epoch of several passes, in all of which a record keeps its step: as many releases."""

    def __init__(self, step, passes):
        self.step, self.passes, self.part = step, passes, (step, passes, fmpq(1))
        self.exact, self.renyi, self.guaranteed = step.exact, step.renyi, step.guaranteed
        self.mu_squared = None if step.mu_squared is None else passes * step.mu_squared

    def pair(self, nats):
        if self.mu_squared is not None:
            return laws.gaussian(ball(self.mu_squared).sqrt(), nats)
        return product_of(self.step.pair(nats + self.passes.bit_length()), self.passes)

    def attained(self):
        return self if self.exact else Repeated(self.step.attained(), self.passes)


def _above(release, below):
    """Of which it is known that it dominates, and that neighbours attain what is below it."""
    release = copy(release)
    release.exact = release.exact_alone = False
    release.attained = lambda other=0: below
    return release


def _allocated(mechanism, adjacency, count, steps, chosen, passes):
    """Each record in `chosen` of the steps of an epoch, and in the same ones of all its passes. Given its steps it is in releases on all data, which by joint convexity
    dominate: all that is known of a record that is replaced. Divided into as many blocks at random, of each of which it is in one step, epochs have these blocks' composition at
    most. From below one of two values may contribute nothing; and steps are told by the sum of their ratios alone (`Chosen`)."""
    on_all_data, replaced = Release(mechanism, adjacency, None, fmpq(1), count * chosen * passes), adjacency == "replace-one"
    if chosen == steps:
        return [on_all_data]
    step = Release(mechanism, "zero-out" if replaced else adjacency, None, fmpq(1), count)
    alone = step.attained()
    told = alone, chosen * passes, (-log_choices(steps, chosen)).exp()
    kept, alone = (Repeated(each, passes) if passes > 1 else each for each in (step, alone))
    if chosen == 1 and not replaced:
        return [Allocation(kept, count, steps)]

    @cache  # balls are good at every precision
    def epoch(nats):
        with precision(BITS + 2 * nats):
            return epoch_of(alone.pair(nats), steps, nats, chosen)

    def pair(nats):
        return epoch(NATS * ceil((nats + steps.bit_length()) / NATS))

    nothing = replaced and step.type.guarantee
    below = Attained(step, count, _nothing if nothing else pair, None if nothing else told)
    if replaced:
        return [_above(on_all_data, below)]
    size, more = divmod(steps, chosen)
    kinds = [(each, n) for each, n in ((size, chosen - more), (size + 1, more)) if n]
    blocks = [Allocation(kept, count * n, each) if each > 1 else Release(mechanism, adjacency, None, fmpq(1), count * n * passes) for each, n in kinds]
    return [_above(block, below if i == 0 else Attained(step, 0, _nothing)) for i, block in enumerate(blocks)]


class SampledGroup(Scheme):
    """On a Poisson sample of which each record of a group is drawn by itself (docs/groups.md). Records that all move the query one way, by their
    sensitivity, attain it; or by as much as some are known to move it."""

    def __init__(self, one, parameters, adjacency, group):
        replaced = adjacency == "replace-one"
        super().__init__(one, one.count, symmetric=replaced, exact=one.type.below is None)
        self.attained = lambda: self if self.exact else SampledGroup(one.attained(), parameters, adjacency, group)
        self.pair = lambda nats: one.type.law(parameters, nats, laws.on_a_sample(group, one.rate, replaced))
        together = one.name, one.type, one.type.grouped(parameters, group)
        self.on_all_data = Release(together, adjacency, None, fmpq(1), one.count)
        self.opposite, self.far_out = replaced, (Release(together, "zero-out", None, fmpq(1), one.count), 1, one.rate**group / (2 if replaced else 1))


class Ungrouped(Scheme):
    """Of a group of which no pair is known: two outputs that have nothing in common. A group may be of one record. `fewer`: None, or takes a number of the group's records
    to all releases of an epoch as if all of these were in each that one is in. `in_turn`: whether they may be changed one after the other."""

    def __init__(self, one, group, fewer=None, in_turn=False):
        super().__init__(one, one.count, one.symmetric)
        self.attained, self.group, self.fewer, self.in_turn = one.attained, group, fewer, in_turn

    @staticmethod
    def pair(_):
        return Pair(only_p=1, only_q=1, range=(fmpq(0), fmpq(0)))


class Stepped(Ungrouped):
    """Of a group whose records step one after another through one's pair, all outcomes of which are told. Canonical noise attains it for a guarantee
    on all data (docs/groups.md)."""

    def __init__(self, one, group, fewer, in_turn, on_all_data):
        super().__init__(one, group, fewer, in_turn)
        if on_all_data and one.symmetric and one.name in ONLY_GUARANTEED:
            self.attained = lambda: Attained(one, one.count, self.pair)

    def pair(self, nats):
        one = self.base.pair(nats)
        if not (self.base.symmetric or (one.only_p.is_zero() and one.only_q.is_zero())):
            raise OutOfReach("steps of unlike infinite losses")
        return laws.in_steps(one, self.group)


def _by_steps(one, group, entry, adjacency, fewer=None):
    """As no pair is known of a group; or with that of its steps, where one's is told and its own swapped one, and no step changes a batch's share of the data.
    All steps are removals, or all additions, so that a pair need not be its own swapped one but where records are replaced. Not where each record is in several releases: a step's
    power function is of all of them together."""
    several, in_turn = "participations" in fields_of_sampling(entry), not (adjacency == "add-remove" and is_of_fixed_size(entry))
    if (one.symmetric or (in_turn and adjacency != "replace-one")) and not several and not getattr(one, "whole_batch", False):
        stepped = Stepped(one, group, fewer, in_turn, entry.get("sampling") is None)
        with suppress(OutOfReach, Uncertain):
            stepped.pair(0)
            return stepped
    return Ungrouped(one, group, fewer, in_turn)


def _of_group(entry, adjacency, where, group):
    """A release as a group of records loses: noise as by that many times the sensitivity, on Poisson samples a mixture."""
    one = read_releases(entry, adjacency, where)[0]
    (name, type, parameters), count, sampling = read_mechanism(entry, where)
    if fields_of_sampling(entry) == {"allocation", "participations"}:  # blocks are one record's: of a group only what is on all data is known
        one = _above(on_all_data(entry, adjacency, where, 1), one.attained())
    poisson, replaced = sampling is not None and set(sampling) == {"poisson"}, adjacency == "replace-one"
    if sampling is None or (poisson and one.rate == 1):
        together = None if replaced and _is_two_cells(name, parameters) else type.grouped(parameters, group)
        return Release((name, type, together), adjacency, None, fmpq(1), count) if together else _by_steps(one, group, entry, adjacency)
    if poisson and one.rate == 0:
        return one
    mixes = type.moves is ANY and not (replaced and not type.symmetric(parameters))
    if poisson and mixes:
        return SampledGroup(one, parameters, adjacency, group)
    fewer, allocated = _all_drawn(entry, adjacency, where), fields_of_sampling(entry) in ALLOCATED
    if allocated and sampling["allocation"] == sampling.get("participations", 1):
        return fewer(group)
    if fewer and type.mu_squared and not type.guarantee and type.mu_squared(parameters) is not None:
        return _above(fewer(group), one.attained() if replaced or not allocated else _all_in_the_same(one, fewer(group), sampling, group))
    return _by_steps(one, group, entry, adjacency, fewer)


def _all_drawn(entry, adjacency, where):
    """What takes a number of records to the releases on all data of as many as one record is in, all of those in each of them (docs/groups.md); None where the number of records counts."""
    fields = fields_of_sampling(entry)
    if fields not in FIXED_SIZES + BY_THEMSELVES or (adjacency == "add-remove" and fields not in ({"poisson"}, *ALLOCATED)):
        return None
    times = read_count(entry, where)
    for name in fields & {"participations", "passes"}:
        times *= int(_whole(read_number(entry["sampling"][name], where), where))
    whole = {**{key: value for key, value in entry.items() if key != "sampling"}, "count": times}
    return lambda records: read_release(whole, adjacency, where, records)


def _all_in_the_same(one, together, sampling, group):
    """What one record of random allocation has, and how much all have in the same steps: far out that is more."""
    below, chosen = copy(one.attained()), int(sampling.get("participations", 1))
    below.part = together.attained(), together.count // max(1, below.count), (-group * log_choices(int(sampling["allocation"]), chosen)).exp()
    return below


def _rate(value, where):
    if not 0 <= value <= 1:
        raise BadInput(f"{where}: the rate is {value}, but must be from 0 to 1")
    return value


def _whole(value, where):
    if value.q != 1 or not 1 <= value <= 10**9:
        raise BadInput(f"{where}: {value} must be a whole number from 1 to 1e9")
    return value


def _is_two_cells(name, parameters):
    """Whether integers move by sqrt(2)."""
    return name == "discrete-gaussian" and 1 < parameters.get("replace_sensitivity", 1) < 2


def _in_two_cells(mechanism, adjacency, count, sampling):
    """Discrete Gaussian noise on a histogram of which a replaced record leaves one cell and enters another: two releases of one cell each."""
    name, type, parameters = mechanism
    one = {key: value for key, value in parameters.items() if key != "replace_sensitivity"}
    if sampling is not None:
        raise OutOfReach("a sample of a histogram of which a replaced record leaves one cell and enters another")
    if adjacency != "replace-one":
        return Release((name, type, one), adjacency, None, fmpq(1), count)
    return Release((name, type, one), "add-remove", None, fmpq(1), 2 * count)


def _selection(entry, adjacency, where, group):
    """The best of several runs of "mechanisms"."""
    if not set(entry) <= {"tries", "mechanisms", "count"}:
        raise BadInput(f"{where} must have tries, mechanisms and count alone")
    entries = entry.get("mechanisms")
    if not isinstance(entries, list) or not entries:
        raise BadInput(f"{where}: mechanisms is {entries!r}, but must be an array of one or more")
    run = [release for i, each in enumerate(entries) for release in read_releases(each, adjacency, f"{where}: mechanisms[{i}]", group)]
    return Selection(read_tries(entry["tries"], BadInput), run, read_count(entry, where))


def read_release(entry, adjacency, where, group=1):
    """As `read_releases`, of what is of one kind."""
    release, *others = read_releases(entry, adjacency, where, group)
    if others:
        raise OutOfReach(f"{where}: blocks of two sizes")
    return release


def read_releases(entry, adjacency, where, group=1):
    """The releases that an entry of a ledger is about, as one record loses or a group of them. Raises BadInput, and OutOfReach where no theorem is known."""
    if isinstance(entry, dict) and "tries" in entry:
        return [_selection(entry, adjacency, where, group)]
    if group > 1:
        return [_of_group(entry, adjacency, where, group)]
    if (sampling := entry.get("sampling") if isinstance(entry, dict) else None) and isinstance(sampling, dict) and "allocation" in sampling:
        return _read_allocation(entry, adjacency, where)
    return [_read_one(entry, adjacency, where)]


def _read_allocation(entry, adjacency, where):
    mechanism, count, sampling = read_mechanism(entry, where)
    where += ": sampling"
    if not set(sampling) <= {"allocation", "participations", "passes"}:
        raise OutOfReach(f"{where} by {', '.join(sampling)}")
    steps, chosen, passes = (int(_whole(read_number(sampling.get(name, 1), f"{where}: {name}"), where)) for name in ("allocation", "participations", "passes"))
    if chosen > steps:
        raise BadInput(f"{where}: participations is {chosen}, but must be {steps} or less")
    if _is_two_cells(mechanism[0], mechanism[2]):
        return [_in_two_cells(mechanism, adjacency, count, sampling)]
    return _allocated(mechanism, adjacency, count, steps, chosen, passes)


def _read_one(entry, adjacency, where):
    mechanism, count, sampling = read_mechanism(entry, where)
    if _is_two_cells(mechanism[0], mechanism[2]):
        return _in_two_cells(mechanism, adjacency, count, sampling)
    if sampling is None:
        return Release(mechanism, adjacency, None, fmpq(1), count)
    where += ": sampling"
    if not isinstance(sampling, dict):
        raise BadInput(f"{where} is no object")
    fields = {key: read_number(value, f"{where}: {key}") for key, value in sampling.items()}
    names = set(fields)
    if names == {"poisson"}:
        return Release(mechanism, adjacency, "poisson", _rate(fields["poisson"], where), count)
    if names == {"without_replacement"}:
        return Release(mechanism, adjacency, "without_replacement", _rate(fields["without_replacement"], where), count)
    if names == {"batch", "dataset"} and fields["dataset"] > 0:
        return Release(mechanism, adjacency, "without_replacement", _rate(fields["batch"] / fields["dataset"], where), count)
    if names == {"shuffled"}:
        batches = int(_whole(fields["shuffled"], where))
        return _shuffled(mechanism, adjacency, count, batches) if batches > 1 else Release(mechanism, adjacency, None, fmpq(1), count)
    if names == {"truncated_poisson", "largest_batch", "records"}:
        rate, cap, records = (fields[name] for name in ("truncated_poisson", "largest_batch", "records"))
        if records + (adjacency == "add-remove") <= cap or rate == 0:
            return Release(mechanism, adjacency, "poisson", _rate(rate, where), count)
        return TruncatedPoisson(mechanism, adjacency, count, _rate(rate, where), _whole(cap, where), _whole(records, where))
    raise OutOfReach(f"{where} by {', '.join(sampling)}")


def fields_of_sampling(entry):
    sampling = entry.get("sampling")
    return set(sampling) if isinstance(sampling, dict) else set()


def is_of_fixed_size(entry):
    """Whether another record takes the place in a batch of one that is left out."""
    return fields_of_sampling(entry) in FIXED_SIZES


def releases_above(entry, adjacency, where, group=1):
    """Releases of which each loses no less than the entry's: its own, and the one on all data. Raises as read_release does."""
    if group > 1 and adjacency == "add-remove" and is_of_fixed_size(entry):
        raise OutOfReach(f"{where}: batches of a fixed size of which several records leave the data")
    found, reason = [], None
    for read in (read_release, on_all_data) if fields_of_sampling(entry) else (read_release,):
        try:
            found.append(read(entry, adjacency, where, group))
        except OutOfReach as why:
            reason = reason or why
    if not found:
        raise reason
    return found


def may_be_looser_than_all_data(entry, adjacency, group):
    """Whether releases on all data may be told to lose less than a sample's pair: a record is blanked out in one, divergences of a guarantee are known of
    these, or several records may be in the same one."""
    fields, fixed = fields_of_sampling(entry), is_of_fixed_size(entry)
    if fixed and group > 1 and adjacency == "add-remove":
        return False  # with every record that leaves, the others' share changes
    if fixed and adjacency == "zero-out" and group == 1:
        return True
    return (fixed or fields == {"poisson"}) and "type" in entry and (group > 1 or TYPES[entry["type"]].renyi is not None)


def on_all_data(entry, adjacency, where, group):
    """Given who is drawn, both data sets' laws are those of one release on all data, and divergences are jointly convex. In a batch of a fixed size a record that
    leaves the data is replaced by another."""
    whole = {key: value for key, value in entry.items() if key != "sampling"}
    fields = fields_of_sampling(entry)
    if fields in FIXED_SIZES and adjacency == "add-remove":
        if TYPES[whole["type"]].guarantee:
            raise OutOfReach(f"{where}: a guarantee that says nothing of a replacement")
        return read_release(whole, "replace-one", where)
    if fields not in FIXED_SIZES + BY_THEMSELVES or (fields == {"shuffled"} and adjacency == "add-remove"):
        raise OutOfReach(f"{where}: sampling by {', '.join(sorted(fields))}")
    for name in fields & {"participations", "passes"}:
        whole["count"] = read_count(whole, where) * int(_whole(read_number(entry["sampling"][name], where), where))
    if group > 1 and fields in ({"shuffled"}, *ALLOCATED):  # whose records may be in different releases
        return Ungrouped(read_release(whole, adjacency, where), group)
    return read_release(whole, adjacency, where, group)
