"""A change of several records as a way of single steps: with M_0, M_1, ..., M_k the outputs on it, H_{e^(a+b)}(M_0 || M_2) <=
H_{e^a}(M_0 || M_1) + e^a H_{e^b}(M_1 || M_2) for all a and b, as M_0(S) - e^(a+b) M_2(S) is no more for any event S. So
delta(a_1 + ... + a_k) <= sum_i e^(a_1 + ... + a_(i-1)) delta_i(a_i), by the composed profiles of the steps, whatever the a_i."""
import itertools
import math

from flint import arb

from chords import Chords, best_places
from composition import Composition
from enclosure import OutOfReach, ball, double_below, log_of, precision
from outline import least
from profiles import Profiles
from renyi import added_first, bound_of_all
from schemes import Ungrouped, is_of_fixed_size, may_be_looser_than_all_data, on_all_data, read_releases
from trade_off import PowerInSteps

WIDTHS = (1e-3, 1e-6, 1e-9, 1e-12, 1e-15)  # errors relative to what is claimed
FINEST = 1000                  # of grids, in cells of the first
HOPE = 0.01                    # how far a good sketch may be off, and how much is left to be gained from its places, relative to the same
STRIDES = 40                   # of a grid of places, for each step
COARSE = 0.01                  # an error of delta
TOLD = 1e-4                    # of what chords are drawn through, relative to what is claimed
FAR, LITTLE, IDLE = 0.5, 0.02, 8   # of chords, where it is given up: far above what is claimed, or where so many rounds gained little of what is missing
NEARER, ROUNDS = 0.2, 5        # strides in which bounds are looked at on both sides of a place, from one time to the next, and how often
LOOKS, SWEEPS, MORE = 40, 3, 40  # of a search, and how often two neighbouring steps share by themselves; far out
NATS_TO_BITS, MOST_BITS = 1.5, 20_000  # of a guarantee at a place, for what cancels there
FAR_OUT = 5000                 # an epsilon at which what the first steps leave is less than all that is claimed
GAINED = 1e-7                  # of the bound's logarithm, without which they do not again


def in_steps(mechanisms, guaranteed, adjacency, group, direction, otherwise):
    """`otherwise`, or better by a way from one data set to the other: a replacement as the removal of all records and the addition of the
    others, or of one after the other; a group's change record by record. What is sampled in one step, by releases on all data: given who is drawn,
    which is alike on both data sets, these are no less, and divergences are jointly convex."""
    found = otherwise
    directions = (False, True) if direction == "worst" else (direction == "add",)
    if adjacency == "replace-one" and not guaranteed:  # that is of replaced records, not of removed ones
        found = _better(found, mechanisms, "add-remove", group, [[False, True]])
        if group > 1:
            found = _better(found, mechanisms, "add-remove", 1, [[False, True] * group])
    if group > 1:
        found = _better(found, mechanisms, adjacency, 1, [[adding] * group for adding in directions])
    if any(may_be_looser_than_all_data(entry, adjacency, group) for entry in mechanisms):
        found = _better(found, mechanisms, adjacency, group, [[adding] for adding in directions], _read_on_all_data)
    return found


def _read_on_all_data(entry, adjacency, where, group):
    if may_be_looser_than_all_data(entry, adjacency, group):
        return [on_all_data(entry, adjacency, where, group)]
    return read_releases(entry, adjacency, where, group)


def _better(otherwise, mechanisms, adjacency, group, orders, read=read_releases):
    """Where the steps have pairs. A batch of fixed size is another share of the data where a second record is removed after the first."""
    again = any(one == next_one for one, next_one in itertools.pairwise(orders[0]))
    if adjacency == "add-remove" and again and any(map(is_of_fixed_size, mechanisms)):
        return otherwise
    try:
        releases = [release for entry in mechanisms for release in read(entry, adjacency, "", group)]
    except OutOfReach:
        return otherwise
    composition = Composition(releases)
    says_nothing = any(isinstance(release, Ungrouped) for release in composition.releases)
    if says_nothing or (adjacency == "replace-one" and not composition.symmetric):
        return otherwise
    orders = orders[:1] if composition.symmetric else orders
    together = added_first(composition.releases)
    return Steps([composition, Composition(together)] if together else [composition], orders, otherwise, bound_of_all(composition.releases))


def ways_of(profiles):
    """How many steps each way has, and what one of them is."""
    while isinstance(profiles, Steps):
        yield len(profiles.orders[0]), profiles.above[0]
        profiles = profiles.otherwise


class Steps:
    """As Profiles, from above only. `above`: compositions that are all above a step; `orders`: of each direction asked about, in which direction
    each step's record goes: True where it is added; `guarantee`: what bounds delta in a direction by Renyi guarantees alone, or None."""

    def __init__(self, above, orders, otherwise, guarantee):
        self.above, self.orders, self.otherwise, self.guarantee = above, orders, otherwise, guarantee
        self._seen, self._sketches, self._grids = {}, {}, {}
        self.at_least, self.stays_above_until = otherwise.at_least, otherwise.stays_above_until

    def powers(self, direction):
        """As Power, by these steps; and by those of `otherwise`. Where either direction is asked about, each step is the worse one."""
        alone = len(self.orders) == 1
        ways = [("add" if adding else "remove") if alone else direction for adding in self.orders[0]]
        here = PowerInSteps([[Profiles(composition, way) for composition in self.above] for way in ways])
        return [here, *(self.otherwise.powers(direction) if isinstance(self.otherwise, Steps) else [])]

    def at_most(self, epsilon, level):
        found, seen = self.otherwise.at_most(epsilon, level)
        if found or not math.isfinite(epsilon):
            return found, seen
        try:
            values = [self._least(order, float(epsilon), level) for order in self.orders]
        except OutOfReach as reason:
            return None, f"{seen}; in steps: {reason}"
        seen_there = f"in {len(self.orders[0])} steps, delta({abs(epsilon)!r}) is at most {max(values, key=lambda found: float(found[1].mid()))[1].str(12)}"
        return (True, seen_there) if all(holds for holds, _ in values) else (None, f"{seen}; {seen_there}")

    def _least(self, order, epsilon, level):
        """Whether a bound at some places is no more than the level, and the least bound that was met."""
        with precision(256):
            ahead, most = arb(abs(epsilon)), level.ball()
            if epsilon < 0:  # delta(-e) = 1 - e^-e + e^-e delta(e) of the way back
                order, most = [not adding for adding in reversed(order)], 1 + ahead.exp() * (most - 1)
            beyond = self._beyond_all(order, ahead)
            if beyond is not None and beyond <= most:
                return True, beyond
            room = most.min(1 - most)
            if not room > 0:
                raise OutOfReach("nothing is left to 0 or 1")
            found, reason = None, None
            for places in self._nearer_and_nearer(order, ahead, most, room):
                try:
                    for width in WIDTHS:
                        value = self._bound(order, places, ahead, room * width)
                        if value <= most:
                            return True, value
                        if value > most:
                            break
                except OutOfReach as why:
                    reason = why
                    continue
                found = value if found is None or value < found else found
            if found is None:
                raise reason
            return False, found

    def _beyond_all(self, order, ahead):
        """The bound at the largest losses a_i, which is of infinite losses alone; None where these do not all end before."""
        ends = [self.above[0].largest_loss(adding) for adding in order]
        if None in ends:
            return None
        total, before = arb(0), arb(0)
        for adding, end in zip(order, ends):
            total, before = total + before.exp() * self.above[0].known(adding, math.inf), before + ball(end)
        return total if before <= ahead else None

    def _nearer_and_nearer(self, order, ahead, most, room):
        """Places of all steps but the last, in doubles: at the largest losses, one step or another taking what is left; all alike; the best by sketches of
        the profiles, as fine as it takes; those moved to where parabolas through nearby bounds are least. It ends where there is no hope."""
        ends = [self.above[0].largest_loss(adding) for adding in order]
        if None not in ends:
            ends = [-double_below(-ball(end)) for end in ends]
            for i in {order.index(adding) for adding in order}:  # of alike steps the first: what it has counts least
                rest = double_below(ahead - sum(map(arb, ends[:i] + ends[i + 1 :])))
                places = (ends[:i] + [rest] + ends[i + 1 :])[:-1]
                if rest >= 0 and not self._bound(order, places, ahead, arb(COARSE)) > most:
                    yield places
        alike = [float(ahead) / len(order)] * (len(order) - 1)
        fineness, finer, value = 1, 4, None
        while fineness <= FINEST:
            look, places, stride = self._sketched(order, float(ahead), room * WIDTHS[0], fineness)
            if look(alike) < look(places) + HOPE:
                yield alike
            yield places
            coarser, value = value, self._bound(order, places, ahead, room * WIDTHS[0])
            if any(self._grids.values()):
                for places in self._by_chords(order, places, ahead, most, room, stride):
                    yield places
                    value = value.min(self._bound(order, places, ahead, room * WIDTHS[0]))
                finer = finer if coarser is None else _finer(coarser, value, finer, most)
            elif abs(look(places) - log_of(value)) < HOPE or fineness == 16:
                break
            fineness *= finer
        if not any(self._grids.values()):
            yield from self._by_chords(order, places, ahead, most, room, stride)

    def _sketched(self, order, epsilon, size, fineness):
        """A sketch of the bound's logarithm, the a_i but the last where it is least, and how far apart places are told. Of so many steps with r left the least is that of delta(a) + e^a times the least of
        one step less with r - a left, over all a: of whole multiples of a stride, and from there by searches."""
        loss = 2 * math.pi * float(self._delta(order[0], arb(0), COARSE).mid()) ** 2  # mu^2 of Gaussian noise, by which its best places grow from step to step
        margin = STRIDES * len(order) // 2
        stride = (epsilon + len(order) * loss + 0.3) / (2 * margin)
        left = int(epsilon / stride)
        places = range(-margin, left + margin + 1)
        size *= (-arb(epsilon)).exp()  # as e^epsilon may be before what the last step loses
        for adding in set(order):
            about = adding, places[0] * stride, places[-1] * stride, size, fineness
            self._sketches[adding] = [each.sketch(*about) for each in self.above]
            self._grids[adding] = [bound for bound in (each.above(*about) for each in self.above) if bound]
        deltas = {adding: {a: self._looked(adding, a * stride)[0] for a in places} for adding in set(order)}
        least_left, chosen = deltas[order[-1]], []
        for adding in reversed(order[:-1]):
            first = deltas[adding]
            best = {r: min((_log_of_both(first[a], a * stride + least_left[r - a]), a) for a in places if r - a in least_left) for r in places}
            least_left = {r: value for r, (value, _) in best.items()}
            chosen.append({r: a for r, (_, a) in best.items()})
        found = []
        for choice in reversed(chosen):
            found.append(choice[left])
            left -= found[-1]

        def look(tried):
            total, before = -math.inf, 0.0
            for adding, place in zip(order, [*tried, epsilon - sum(tried)]):
                total = _log_of_both(total, before + self._looked(adding, place)[0])
                before += place
            return total

        return look, self._shared(look, [a * stride for a in found], stride, MORE if epsilon > FAR_OUT else SWEEPS), stride

    def _looked(self, adding, place):
        """The least of the sketches, and whose it is."""
        return min((sketch(place), which) for which, sketch in enumerate(self._sketches[adding]))

    @staticmethod
    def _shared(look, places, reach, sweeps):
        """The same or better ones: two steps at a time share what they have by themselves, neighbours or with the last, whose share is what is left."""
        lines = [(i, j) for i in range(len(places)) for j in {i + 1, len(places)}]
        value = look(places)
        for _ in range(sweeps if len(places) > 1 else 1):
            before = value
            for i, j in lines:
                def moved(share):
                    return [a + share * ((n == i) - (n == j)) for n, a in enumerate(places)]

                tried = moved(least(lambda share: look(moved(share)), -reach, reach, LOOKS))
                if look(tried) < value:
                    places, value = tried, look(tried)
            if sweeps == MORE and not value < before - GAINED:
                break
        return places

    def _by_chords(self, order, places, ahead, most, room, stride):
        """Places that are best for chords of what was told, which is more and more next to them. It ends where little is gained."""
        def told(adding, place):
            """Far out by as many digits as count, if it is about what the sketch says."""
            log_delta = max(self._looked(adding, place)[0], -float(ahead)) if ahead > FAR_OUT else 0.0
            return self._delta(adding, arb(place), (room * TOLD).min(arb(log_delta).exp() * TOLD))

        chords = {adding: Chords(lambda a, adding=adding: told(adding, a)) for adding in set(order)}
        value, best, idle = self._bound(order, places, ahead, room * WIDTHS[1]), places, 0
        while idle < IDLE and not value - most > FAR * room:
            for adding, place in zip(order, [*places, float(ahead) - sum(places)]):
                chords[adding].tell_near(place, stride)
            places = best_places([chords[adding] for adding in order], float(ahead))[:-1]
            yield places
            before, value, best = value, *min((value, best), (self._bound(order, places, ahead, room * WIDTHS[1]), places), key=_of_value)
            idle = 0 if before - value > LITTLE * (value - most) else idle + 1
        if not value - most > FAR * room:
            yield from self._by_parabolas(order, best, ahead, room, stride)

    def _by_parabolas(self, order, places, ahead, room, stride):
        """From these to where parabolas through the bounds at three places are least, one place after the other, nearer and nearer: as finely told as those differ."""
        def bound(tried):
            return self._bound(order, tried, ahead, size).mid(), tried

        size = room * TOLD
        for _ in range(ROUNDS):
            stride, size = stride * NEARER, size * NEARER**2
            for i in range(len(places)):
                def moved(share):
                    return [*places[:i], places[i] + share * stride, *places[i + 1 :]]

                found = [bound(moved(share)) for share in (-1, 0, 1)]
                fall, rise = (float(((behind - ahead_of) / room).mid()) for (ahead_of, _), (behind, _) in itertools.pairwise(found))
                if rise > fall:
                    found.append(bound(moved(max(-2.0, min(2.0, -(rise + fall) / (rise - fall) / 2)))))
                places = min(found, key=_of_value)[1]
            yield places

    def _bound(self, order, places, ahead, size):
        """sum_i e^(a_1 + ... + a_(i-1)) delta_i(a_i); the last place is what is left of all."""
        total, before = arb(0), arb(0)
        for adding, place in zip(order, [*map(arb, places), None]):
            place = ahead - before if place is None else place
            total += before.exp() * self._delta(adding, place, size / (len(order) * before.exp()))
            before += place
        return total

    def _delta(self, adding, epsilon, size):
        """At the double below, where it is no less; from above alone where a grid is all that is quick."""
        key = adding, double_below(epsilon)
        if self._grids.get(adding):
            return min((bound(key[1]) for bound in self._grids[adding]), key=log_of)
        if key not in self._seen or self._seen[key].rad() > size:
            which = self._looked(*key)[1] if adding in self._sketches else -1
            self._seen[key] = self.above[which].at(*key, size)
            if self.guarantee:  # the pair is above what it gives at a ratio between those that the pair is made of
                bits = NATS_TO_BITS * (abs(key[1]) - log_of(arb(size)))
                with precision(256 + max(0, min(bits, MOST_BITS))):
                    self._seen[key] = self._seen[key].min(self.guarantee(*key))
        return self._seen[key]


def _of_value(found):
    """Of a bound and its places."""
    return found[0].mid()


def _finer(coarser, value, finer, most):
    """How much finer a grid must be, after one that was so much finer than the one before, if errors fall with the square of the cells."""
    error = 1.5 * (coarser - value) / (finer**2 - 1)  # what is first seen of it may be less
    enough = float((error / (most - (value - error))).mid())
    if not enough > 0:  # corners tell less of the error
        return 4.0 if value - 3 * error < most else math.inf
    return max(1.5, min(4.0, math.sqrt(1.5 * enough)))


def _log_of_both(one, other):
    """The logarithm of the sum of two numbers with these ones."""
    low, high = sorted((one, other))
    return high + math.log1p(math.exp(low - high)) if low > -math.inf else high
