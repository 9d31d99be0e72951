"""Where to split an epsilon over steps, by chords of their profiles in numbers, which nothing that is proved depends on. With X_i = e^(a_1 + ... + a_i) the sum of
all e^(a_1 + ... + a_(i-1)) delta_i(a_i) is convex in the X_i. It is least where step i loses more than a_i under its P as often as the step before lost more under its Q."""
import bisect

from flint import arb

HALVINGS, MARGIN = 100, 1e30


class Chords:
    """The lower hull of what is told of a profile, as a function of e^epsilon. `delta(place)`: a ball."""

    def __init__(self, delta):
        self._delta, self._told, self._corners = delta, {}, []

    def tell_near(self, place, stride):
        """There, and midway to the corners on both sides, or a stride beyond; and where chords on both sides meet, as those of few losses do at one of them."""
        self._tell(place)
        told = sorted(self._told)
        i = bisect.bisect_left(told, place)
        before, behind = told[:i], told[i + 1 :]
        more = [(place + before[-1]) / 2 if before else place - stride, (place + behind[0]) / 2 if behind else place + stride]
        if len(before) > 1 and len(behind) > 1:
            far = max((corner[0] for corner in self._corners if corner[0] < before[-1]), default=before[0])
            farther = min((corner[0] for corner in self._corners if corner[0] > behind[0]), default=behind[-1])
            more.append(_meeting(*map(self._point, (far, before[-1], behind[0], farther))))
        self._tell(*more)

    def _point(self, place):
        return place, arb(place).exp().mid(), self._told[place]

    def _tell(self, *places):
        for place in places:
            if place is not None and place not in self._told:
                self._told[place] = self._delta(place).mid()
        self._corners = []
        for place in sorted(self._told):
            new = self._point(place)
            while len(self._corners) > 1 and _fall(self._corners[-2], self._corners[-1]) <= _fall(self._corners[-1], new):
                self._corners.pop()
            self._corners.append(new)
        falls = [_fall(one, other) for one, other in zip(self._corners, self._corners[1:])]
        self._losing = [(corner[2] + corner[1] * fall).mid() for corner, fall in zip(self._corners, falls)]  # P's mass beyond, of each chord; it falls

    def at(self, share):
        """The corner beyond which P has less than that, and before which more; and what Q has beyond it, then."""
        corner = self._corners[bisect.bisect_left(self._losing, -share, key=lambda mass: -mass)]
        return corner[0], ((share - corner[2]) / corner[1]).nonnegative_part().mid()

    def shares(self):
        """From above all to below all that are not 0."""
        told = [share for share in self._losing if share > 0]
        return 2 * max(told, default=arb(1)), min(told, default=arb(1)) / MARGIN


def _fall(one, other):
    """How fast delta falls with e^epsilon."""
    return ((one[2] - other[2]) / (other[1] - one[1])).mid()


def _meeting(a, b, c, d):
    """Where the line through two corners meets the one through two others, if that is between the inner ones."""
    before, behind = _fall(a, b), _fall(c, d)
    if not before > behind:
        return None
    x = (b[1] + (b[2] - c[2] - behind * (c[1] - b[1])) / (before - behind)).mid()
    return float(x.log().mid()) if b[1] < x < c[1] else None


def best_places(steps, epsilon):
    """Of the chords of each step: places of all that add up to about epsilon, between those of two next shares, which jump there."""
    def places_of(share):
        places = []
        for chords in steps:
            place, share = chords.at(share)
            places.append(place)
        return places

    often, rarely = steps[0].shares()
    for _ in range(HALVINGS):
        middle = (often * rarely).sqrt().mid()
        often, rarely = (middle, rarely) if sum(places_of(middle)) <= epsilon else (often, middle)
    below, above = places_of(often), places_of(rarely)
    short, long = sum(below), sum(above)
    part = (epsilon - short) / (long - short) if long > short else 0.0
    return [a + part * (b - a) for a, b in zip(below, above)]
