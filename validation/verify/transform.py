"""The profile of any composition by an inverse Laplace transform; theorems 1 to 5 of docs/verify.md, whose notation this keeps.

With M(t) the product of E_P e^(t loss) over the releases, and t = tilt + i s,

    delta(epsilon) = rest + 1 / (2 pi i) * integral of M(t) e^(-t epsilon) / (t (t + 1)) dt,

rest = 0 for tilt > 0, M(0) for -1 < tilt < 0, M(0) - e^epsilon M(-1) below. The release of a narrow Gaussian pair, of mu = w, is
composed with it: from above that is a bound, from below one after w^2 (1 + w) times the density of the loss at epsilon is taken off.
The integral is summed by the trapezoidal rule, whose error is a sum of like integrals at epsilon + m period, all of one sign.
"""
import math

from flint import acb, acb_mat, arb, fmpq

from enclosure import OutOfReach, Uncertain, ball, log_of, precision, up_to, within


BITS = 32
STEEPEST = 1e18  # of tilts that are looked for
VAGUE = 1e-3     # of the logarithm of one release's share
LONGEST = 1e300  # of the periods of a lattice, in its spacings


class Line:
    """The integrand on one vertical line; good for every epsilon near the one it was placed for.

    `make()` gives the factors, pairs and counts, at the working precision; `mu_squared` is that of the Gaussians among the releases,
    joined; `size`: how far delta may be off; `most`: how many nodes there may be.
    """

    def __init__(self, make, mu_squared, epsilon, size, outline, most=1 << 19, more_bits=0):
        epsilon, log_size = float(epsilon.mid()), log_of(size)
        self.outline, self.most = outline, most
        tilt, self.range = outline.best_tilt(epsilon)
        log_value = outline.log_moment(tilt) - tilt * epsilon
        if not (math.isfinite(log_value) and math.isfinite(log_size)):
            raise OutOfReach("a moment of the loss is no number here")
        if abs(tilt) > STEEPEST:
            raise OutOfReach("no tilt is best, as next to the largest loss")
        self.left, self.right, period = self._period(tilt, epsilon, log_size)
        largest = log_value if self.range[0] == 0 else max(log_value, 0)  # of the terms that are added up
        told = max(30, (largest - log_size) / math.log(2) + math.log2(outline.releases + 1))  # of the digits of the largest term
        self.bits = BITS * math.ceil((told + 50) / BITS) + more_bits  # few different ones, as moments are kept
        self.share = arb(2) ** -(int(told) + 12 + more_bits)
        with precision(self.bits):
            self.factors, self.tilt = make(), arb(tilt)
            self.at_tilt = [pair.moment(self.tilt, count) for pair, count in self.factors]
            self._prepare(period, mu_squared, log_value, log_size)
            self.nodes = self._nodes()
            self.series = self._series()

    def _prepare(self, period, mu_squared, log_value, log_size):
        """The width w, the step, and how many of them."""
        tilt = float(self.tilt.mid())
        log_density = log_value - 0.5 * math.log(2 * math.pi * self.outline.variance(tilt))
        # What the narrow Gaussian adds is at most size / 4, and does not outgrow the integrand.
        self.width = arb(math.exp(min(-1.2, (log_size - math.log(4) - log_density) / 2, -math.log(2 * abs(tilt * (tilt + 1))) / 2)))
        self.spread = ball(mu_squared) + self.width**2
        self.step = 2 * arb.pi() / arb(period)
        allowed, step, spread = log_size - log_value - math.log(64), float(self.step.mid()), float(self.spread.mid())
        if spread == 0:
            raise OutOfReach("an error so small that no double holds the width for it")
        most = math.sqrt(max(-2 * allowed, 1) / spread) / step
        log_whole = sum(count * log_of(whole) for (_, count), whole in zip(self.factors, self.at_tilt)) + math.log(64)

        def enough(log_fall, s):
            return log_fall - spread * s * s / 2 - math.log(s) < allowed

        for vague in (0.0, VAGUE):  # the outline has too few points to say how fast a power of very many falls
            self._follow(most, lambda s: enough(self.outline.decay(tilt, s, vague)[0], s))
            if enough(log_of(self.beyond) - log_whole, self.count * step):
                break

    def _follow(self, most, enough):
        """As many nodes as it takes, and the bound beyond them."""
        self.count = self._fewest(most, enough)
        self.beyond = self._most_beyond(self.count * self.step)

    def _fewest(self, most, enough):
        """How many nodes it takes until enough(s), at the most `most`."""
        step, low, high = float(self.step.mid()), 2, max(4, math.ceil(most))
        while high > 1.1 * low + 1:
            middle = math.ceil(math.sqrt(low * high))
            low, high = (low, middle) if enough(middle * step) else (middle, high)
        if high > self.most:
            raise OutOfReach(f"a sum of {high} terms, more than {self.most}")
        return high

    def _period(self, tilt, epsilon, log_size):
        """Two tilts at which the repetitions on either side are bounded, and a period that makes them small."""
        best = []
        for end, side in ((self.range[0], -1), (self.range[1], 1)):
            reach = abs(end - tilt)
            steps = [abs(tilt) * 2.0**k for k in range(-12, 8)] + [reach * share for share in (0.9, 0.7, 0.5, 0.3)]
            powers = [tilt + side * d for d in steps if d < reach] + ([end] if math.isfinite(end) else [])
            powers = [power for power in powers if self.outline.resolves(power)] or powers[:1]
            best.append(min((max(self.outline.log_moment(power) - power * epsilon - log_size + math.log(64), 1) / abs(power - tilt), power)
                            for power in powers))
        return best[0][1], best[1][1], max(best[0][0], best[1][0])

    def _most_beyond(self, s):
        """Bounds |M(tilt + i s')| for s' >= s, without the Gaussians' share."""
        total = arb(1)
        heights = self.outline.decay(float(self.tilt.mid()), float(s.mid()))[1]
        with precision(64):
            for (pair, count), whole, chosen in zip(self.factors, self.at_tilt, heights):
                total *= (whole.min(pair.most_beyond(self.tilt, s, chosen, count)) if any(chosen) else whole).upper() ** count
        return total.upper()

    def _nodes(self):
        nodes = [acb(1)] * (self.count + 1)
        for (pair, count), whole in zip(self.factors, self.at_tilt):
            if not whole > 0:
                raise Uncertain
            error = whole.lower() * self.share
            nodes = [node * value**count for node, value in zip(nodes, pair.waves(self.tilt, self.step, self.count, error))]
        return nodes

    def _moment(self, power, roughly=False):
        """M at a real power, the narrow Gaussian included."""
        power, total = arb(power), arb(1)
        for pair, count in self.factors:
            total *= pair.moment(power, count if roughly else None) ** count
        return total * (self.spread * power * (power + 1) / 2).exp()

    def profile(self, epsilon):
        """Of the finite losses of the outcomes that the pairs have."""
        with precision(self.bits):
            repeated = arb(0)
            for power in (self.left, self.right):
                fall = (-abs(power - self.tilt) * 2 * arb.pi() / self.step).exp()
                repeated += self._moment(power, roughly=True) * (-power * epsilon).exp() * fall / (1 - fall)
            value = self._integral(epsilon) + (up_to(repeated) if self.range == (-1, 0) else -up_to(repeated))
            if self.range[0] < 0:
                value += self._moment(0)
            if self.range[1] < 0:
                value -= epsilon.exp() * self._moment(-1)
            return value

    def _series(self):
        """Of the sums of the integrand and of the density of the loss, what stands before each e^(-i n step epsilon)."""
        places = [acb(self.tilt, n * self.step) for n in range(self.count + 1)]
        terms = _halved_first([node * (self.spread * t * (t + 1) / 2).exp() for node, t in zip(self.nodes, places)])
        return _rows([term / (t * (t + 1)) for term, t in zip(terms, places)], terms)

    def _at_angle(self, angle):
        """The real parts of the sums of what stands there times e^(i n angle)."""
        turn = acb(0, angle).exp()
        powers = [acb(1), turn]
        for n in range(2, self.count + 1):
            powers.append(powers[n // 2] * powers[n - n // 2])  # of few factors, as each makes balls wider
        return [total.real for total in (self.series * acb_mat(len(powers), 1, powers)).entries()]

    def _sums(self, epsilon):
        scale = (-self.tilt * epsilon).exp() * self.step / arb.pi()
        sums = [total * scale for total in self._at_angle(-self.step * epsilon)]
        self.rounding = sums[0].rad()
        return sums

    def _integral(self, epsilon):
        """The trapezoidal sum, and from below the one of the density of the loss times w^2 (1 + w) less."""
        integral, density = self._sums(epsilon)
        s = self.count * self.step
        left_out = self.beyond * (self.spread * (self.tilt * (self.tilt + 1) - s * s) / 2 - self.tilt * epsilon).exp() / (arb.pi() * s)
        most_density = density + within(left_out / self.spread)
        return integral + within(left_out) - up_to(self.width**2 * (1 + self.width) * most_density)


def _rows(one, two):
    return acb_mat(2, len(one), [*one, *two])


def _halved_first(terms):
    return [terms[0] / 2, *terms[1:]]


class LatticeLine(Line):
    """The same for releases all of whose losses are offset + m spacing, m whole: the integrand has a period, over which the sum goes, and
    the kernel is that of all m at once. No Gaussian is needed."""

    def _prepare(self, period, mu_squared, log_value, log_size):
        self.spread, self.width = arb(0), arb(0)
        self.spacing, self.offset = lattice_of(self.factors)
        h, tilt = float(self.spacing.mid()), float(self.tilt.mid())
        if not h > period / LONGEST:
            raise OutOfReach("a lattice so fine that no sum goes over its period")
        self.size = 2 * math.ceil(max(period / h, 2) / 2)
        self.step = 2 * arb.pi() / (self.size * self.spacing)
        allowed = log_size - log_value + min(0, math.log(abs(tilt * (tilt + 1)) * h)) - math.log(64)
        self.count = min(self.size // 2, self._fewest(self.size / 2, lambda s: self._log_decay(tilt, s) < allowed))
        self.beyond = self._most_beyond(self.count * self.step)

    def _log_decay(self, tilt, s):
        with precision(64):
            total = 0.0
            for (pair, count), whole in zip(self.factors, self.at_tilt):
                total += count * min(0, log_of(_paired(pair, self.tilt, s, self.spacing) / whole))
        return total

    def _most_beyond(self, s):
        if self.count == self.size // 2:
            return arb(0)
        total = arb(1)
        with precision(64):
            for pair, count in self.factors:
                total *= _paired(pair, self.tilt, s, self.spacing).upper() ** count
        return total.upper()

    def _series(self):
        """Of the sums of the kernel's two parts, what stands before each e^(-i n step loss)."""
        h = self.spacing
        nodes = _halved_first(self.nodes)
        if self.count == self.size // 2:
            nodes[-1] /= 2
        places = [acb(self.tilt, n * self.step) for n in range(self.count + 1)]
        return _rows(*([node / (1 - (-(t + more) * h).exp()) for node, t in zip(nodes, places)] for more in (0, 1)))

    def _integral(self, epsilon):
        h, tilt = self.spacing, self.tilt
        place = (epsilon - self.offset) / h
        first = place.mid().floor().unique_fmpz() + 1
        start = self.offset + first * h  # the first loss above epsilon, or one that is epsilon as far as is known
        gained, lost = self._at_angle(-self.step * start)
        total = gained * (-tilt * start).exp() - lost * (epsilon - (tilt + 1) * start).exp()
        most = (-tilt * start).exp() / abs(1 - (-tilt * h).exp())
        most += (epsilon - (tilt + 1) * start).exp() / abs(1 - (-(tilt + 1) * h).exp())
        misplaced = arb(0)
        for loss in (start - h, start):
            if loss.overlaps(epsilon):
                misplaced += abs(1 - (epsilon - loss).exp())
        self.rounding = (total * self.step * h / arb.pi()).rad()
        return total * self.step * h / arb.pi() + within(self.beyond * most + misplaced)


def lattice_of(factors):
    """The spacing of a lattice that all composed losses are on, and one point of it; None where no common one is known."""
    if any(pair.dense or pair.spacing is None or not pair.atoms for pair, _ in factors):
        return None
    steps = [pair.spacing * math.gcd(*(a.label - pair.atoms[0].label for a in pair.atoms)) for pair, _ in factors]
    if len(steps) > 1 and not all(isinstance(step, fmpq) for step in steps):
        return None
    common = steps[0]
    for step in steps[1:]:
        common = fmpq(math.gcd(int(common.p * step.q), int(step.p * common.q)), common.q * step.q)
    if common == 0:
        return None
    return ball(common), sum((count * pair.atoms[0].label * ball(pair.spacing) for pair, count in factors), arb(0))


def _paired(pair, tilt, s, spacing):
    """Bounds |E_P e^((tilt + i s') loss)| for s <= s' <= pi / spacing: of two atoms that far apart the waves' sum shrinks with s'."""
    step = (spacing / ball(pair.spacing)).unique_fmpz()
    left = {a.label: a.p * (tilt * a.loss).exp() for a in pair.atoms}
    total, turn = arb(0), acb(0, s * spacing).exp()
    for label in sorted(left):
        if label in left:
            mass = left.pop(label)
            other = arb(0) if step is None else left.pop(label + int(step), arb(0))
            total += abs(mass + other * turn)
    return total
