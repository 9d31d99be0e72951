"""A composition in doubles: where to put the line of integration and how far to follow it, which nothing that is proved depends on."""
import bisect
import math
from functools import cached_property

from flint import acb, arb

from enclosure import OutOfReach, log_of, precision

ENOUGH = 3.0    # nats below an error that is asked for
MOST_ATOMS = 500  # of a release, those next to each other taken together
NOTHING = -50.0  # nats of one value beside another, which doubles do not tell
LOWEST_TILT, HIGHEST_TILT, TILTS = -8.0, 20.0, 0.03  # logarithms, and how far apart they are
RESOLVED = 3.0  # nats between the largest of many values and the next one


def log_sum(logs):
    top = max(logs, default=-math.inf)
    return top + math.log(sum([math.exp(value - top) for value in logs if not value - top < NOTHING])) if top > -math.inf else top


def least(f, low, high, steps=56):
    """Where a function with one minimum has it, by golden section."""
    share = (math.sqrt(5) - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(steps):
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - share * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + share * (high - low)
            fb = f(b)
    return (low + high) / 2


class Path:
    """Points along a path through the upper half plane: log |q| times their distance, real and imaginary part of the loss."""

    def __init__(self, piece, height, many):
        self.piece, self.height, self.many = piece, height, many

    @cached_property
    def points(self):
        """Only once they are looked at."""
        with precision(64):
            piece, height, width = self.piece, self.height, (self.piece.high - self.piece.low) / self.many
            places = [(acb((piece.low + (i + arb(0.5)) * width).mid(), height), width) for i in range(self.many)]
            if height:  # up and down at the ends, where what counts may be next to the real axis
                shares = [arb(2) ** -i for i in range(25)]
                places += [(acb(end.mid(), 0.75 * share * height), share * height / 2) for end in (piece.low, piece.high) for share in shares]
            found = [(*piece.at(x), log_width) for x, log_width in ((x, width.log()) for x, width in places)]
            return [(float((log_q.real + log_width).mid()), float(loss.real.mid()), float(loss.imag.mid()))
                    for log_q, loss, log_width in found if log_q.is_finite() and loss.is_finite()]

    def log_size(self, power, s=0):
        return log_sum([size + (1 + power) * loss - s * imaginary for size, loss, imaginary in self.points])

    def resolves(self, power):
        """Whether the largest value is one among many that are about as large."""
        sizes = [size + (1 + power) * loss for size, loss, _ in self.points] or [math.inf]
        place = sizes.index(max(sizes))
        return all(sizes[place] - size < RESOLVED for size in sizes[max(0, place - 1) : place + 2])


def paths_through(piece):
    """The real axis, and those in the strip."""
    return [Path(piece, 0, 1200)] + [Path(piece, float(piece.strip.lower()) / 4.0**k, 400) for k in range(13) if piece.strip is not None]


class _Neighbours:
    """Atoms next to each other, by their mass, and their losses' mean and variance: the third moments are left out."""

    def __init__(self, atoms):
        (self.mass, self.mean), self.half_variance, self.reach = atoms[0], 0.0, 0.0
        if len(atoms) > 1:
            self.mass = log_sum([mass for mass, _ in atoms])
            shares = [(math.exp(mass - self.mass), loss) for mass, loss in atoms if mass > -math.inf]
            self.mean = sum(share * loss for share, loss in shares)
            self.half_variance = sum(share * (loss - self.mean) ** 2 for share, loss in shares) / 2
            self.reach = max((abs(loss - self.mean) for _, loss in shares), default=0.0)

    def log_size(self, power):
        size = self.mass + power * self.mean
        return size + min(power * power * self.half_variance, abs(power) * self.reach) if self.reach else size


class _Factor:
    def __init__(self, pair, count):
        self.count = count
        atoms, stride = [(log_of(a.p), float(a.loss.mid())) for a in pair.atoms], 1 + len(pair.atoms) // MOST_ATOMS
        self.atoms = [_Neighbours(atoms[i : i + stride]) for i in range(0, len(atoms), stride)]
        self.pieces, self.last = [paths_through(piece) for piece in pair.pieces], {}
        finite = [log_of(1 - only) for only in (pair.only_q, pair.only_p)]  # the moments at -1 and 0, of which a power of many releases takes all digits
        self.off = [self.by_points(power) - known if known > -math.inf else 0.0 for power, known in zip((-1, 0), finite)]

    def _of_atoms(self, power):
        return [few.log_size(power) for few in self.atoms]

    def by_points(self, power):
        return log_sum(self._of_atoms(power) + [paths[0].log_size(power) for paths in self.pieces])

    def log_moment(self, power):
        share = min(1.0, max(0.0, 1.0 + power))
        return self.by_points(power) - share * self.off[1] - (1 - share) * self.off[0]

    def resolves(self, power):
        return all(paths[0].resolves(power) for paths in self.pieces)

    def beyond(self, power, s):
        """log of the least bounds of the atoms' share and of the pieces', and the height of the path through each piece, 0 for the real axis."""
        best = [self._best(i, power, s) for i in range(len(self.pieces))]
        return log_sum(self._of_atoms(power)), log_sum([size for size, _ in best]), [y for _, y in best]

    def _best(self, piece, power, s):
        """The least of its paths' bounds, and the height: from the one that was best last time downhill, as long as the next one is better."""
        paths = sorted(self.pieces[piece], key=lambda path: path.height)
        place = min(self.last.get(piece, 0), len(paths) - 1)
        value = paths[place].log_size(power, s)
        for side in (1, -1):
            moved = False
            while 0 <= place + side < len(paths) and (next_value := paths[place + side].log_size(power, s)) < value:
                place, value, moved = place + side, next_value, True
            if moved:
                break
        self.last[piece] = place
        return value, paths[place].height


class _SmoothFactor:
    """Of a law with a normal part, whose moments are asked for one by one."""

    def __init__(self, pair, count):
        self.pair, self.count, self.variance = pair, count, float(pair.smooth.variance.mid())

    def resolves(self, power):
        return self.log_moment(power) < math.inf

    def log_moment(self, power):
        try:
            return log_of(self.pair.moment(power, 1))
        except OutOfReach:
            return math.inf

    by_points = log_moment

    def beyond(self, power, s):
        return -math.inf, self.log_moment(power) - self.variance * s * s / 2, [math.inf]


class Outline:
    def __init__(self, factors, mu_squared):
        self.mu_squared = float(mu_squared)
        with precision(64):
            self.factors = [(_SmoothFactor if hasattr(pair, "smooth") else _Factor)(pair, count) for pair, count in factors]
        self.releases = sum(count for _, count in factors)

    def log_moment(self, power):
        return self.mu_squared * power * (power + 1) / 2 + sum(f.count * f.log_moment(power) for f in self.factors)

    def resolves(self, power):
        """Whether there are points enough for the moment."""
        return all(factor.resolves(power) for factor in self.factors)

    def usable(self, tilt):
        return all(factor.resolves(tilt) for factor in self.factors if isinstance(factor, _SmoothFactor))

    def best_tilt(self, epsilon):
        """Where the integrand on the real axis is smallest within one of its three ranges, and that range."""
        def exponent(tilt):
            if not self.usable(tilt):
                return math.inf
            return self.log_moment(tilt) - tilt * epsilon - math.log(abs(tilt * (tilt + 1)))

        found = []
        for tilt_of, ends, highest in [(math.exp, (0, math.inf), 45), (lambda u: -1 / (1 + math.exp(u)), (-1, 0), 25),
                                       (lambda u: -1 - math.exp(u), (-math.inf, -1), 45)]:
            while highest > 0 and not self.usable(tilt_of(highest)):
                highest -= 1
            tilt = tilt_of(least(lambda u: exponent(tilt_of(u)), -25, highest, steps=30))
            found.append((exponent(tilt), tilt, ends))
        return min(found)[1:]

    def quick_tilt(self, epsilon, log_size):
        """The best one; above 0 no larger than it takes to bound delta well below the size, as integrals next to the largest loss are slow."""
        tilt = self.best_tilt(epsilon)[0]
        while tilt > 1 and self.log_moment(tilt / 2) - tilt / 2 * epsilon < log_size - ENOUGH:
            tilt /= 2
        return tilt

    def variance(self, tilt):
        d = 1e-3 * min(abs(tilt), abs(tilt + 1))
        return max((self.log_moment(tilt - d) - 2 * self.log_moment(tilt) + self.log_moment(tilt + d)) / d**2, 1e-300)

    def log_profile(self, high):
        """log delta up to about that epsilon as a function of it, by the saddle points of many tilts: there its slope is that of the line e^(-tilt e)."""
        told, log_tilt = [], LOWEST_TILT
        while log_tilt < HIGHEST_TILT and (not told or told[-1][0] < high):
            tilt = math.exp(log_tilt)
            d, moment = 1e-3 * tilt, self.log_moment(tilt)
            epsilon = (self.log_moment(tilt + d) - self.log_moment(tilt - d)) / (2 * d) - 1 / tilt - 1 / (tilt + 1)
            width = self.variance(tilt) + tilt**-2 + (tilt + 1) ** -2
            if not told or epsilon > told[-1][0]:
                told.append((epsilon, moment - tilt * epsilon - math.log(tilt * (tilt + 1)) - math.log(2 * math.pi * width) / 2, -tilt))
            log_tilt += TILTS

        def between(epsilon):
            i = min(max(1, bisect.bisect_right(told, (epsilon,))), len(told) - 1)
            (a, left, fall), (b, right, fall_after) = told[i - 1 : i + 1]
            if not a < epsilon < b:
                return min(0.0, left + fall * (epsilon - a) if epsilon <= a else right + fall_after * (epsilon - b))
            t, width = (epsilon - a) / (b - a), b - a
            ends = (1 + 2 * t) * (1 - t) ** 2 * left + t * t * (3 - 2 * t) * right
            return min(0.0, ends + t * (1 - t) * width * ((1 - t) * fall - t * fall_after))

        return between

    def decay(self, tilt, s, vague=0.0):
        """Roughly log |M(tilt + i s') / M(tilt)| for s' >= s, without the Gaussians' share, and the heights of the paths it is from. `vague`: as much is left
        off for each release."""
        total, heights = 0.0, []
        for factor in self.factors:
            *bounds, chosen = factor.beyond(tilt, s)
            total += factor.count * min(0, log_sum(bounds) - factor.by_points(tilt) + vague)
            heights.append(chosen)
        return total, heights
