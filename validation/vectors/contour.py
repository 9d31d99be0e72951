"""Any number of releases of Gaussian noise on Poisson samples, by the inverse Laplace integral of their moment function.

With M(t) = E_P e^(t loss), F(epsilon) = e^(tilt epsilon) delta(epsilon) has the Fourier transform M(t)^count / (t (t + 1)) at
t = tilt + i s (tilt > 0), so that by Poisson's summation formula the trapezoidal rule of step 2 pi / period along that line is
the sum of F(epsilon + m period) over all integers m. All but m = 0 are bounded, and so are the nodes beyond the last.
"""
from flint import acb, arb, ctx

from profiles import normal_tail


class SampledGaussian:
    """r(x) = 1 - rate + rate e^(mu x - mu^2/2) of x from N(0, 1); M(t) = E r^a with a = 1 + t, and -t where P and Q are swapped."""

    def __init__(self, mu, rate, direction):
        self.mu, self.rate, self.remove = mu, rate, direction == "remove"

    def ratio(self, x):
        return 1 - self.rate + self.rate * (self.mu * x - self.mu**2 / 2).exp()

    def power(self, t):
        return 1 + t if self.remove else -t

    def _reach(self, tilt):
        shift = self.mu * max(self.power(tilt), arb(0))
        return (shift + (2 * arb(2).log() * (ctx.prec + 8)).sqrt()).ceil()

    def _outside(self, tilt, reach):
        """E |r|^a of |x| > reach: r is at most 1 on the left and e^(mu x) on the right, and at least 1 - rate."""
        if self.remove:
            shift = self.power(tilt) * self.mu
            return normal_tail(reach) + (shift**2 / 2).exp() * normal_tail(reach - shift)
        return 2 * (1 - self.rate) ** -tilt * normal_tail(reach)

    def moment(self, t):
        power, reach = self.power(t), self._reach(t.real)

        def integrand(x, analytic):
            return (power * self.ratio(x).log(analytic=analytic) - x * x / 2).exp()

        outside = self._outside(t.real, reach).upper()
        rest = arb(-outside).union(outside)
        return acb.integral(integrand, -reach, reach) / (2 * arb.pi()).sqrt() + acb(rest, rest)

    def most_beyond(self, tilt, s):
        """Bounds |M(tilt + i s')| for s' >= s. At x +- iy, 0 < y <= pi / (2 mu), the argument of r has the sign of y, so that
        |r^(i s)| falls with s on one of the two lines; there |r| is at most r(x) and at least 1 - rate."""
        power, reach = self.power(tilt), self._reach(tilt)

        def on_line(y):
            def integrand(x, analytic):
                above, below = (self.ratio(x + acb(0, end)).log(analytic=analytic) for end in (y, -y))
                return (power * (above + below) / 2 - s * (above - below) / acb(0, 2) - x * x / 2).exp()

            inside = acb.integral(integrand, -reach, reach).real / (2 * arb.pi()).sqrt()
            return ((y**2 / 2).exp() * (inside + self._outside(tilt, reach))).upper()

        with ctx.workprec(64):
            return min(on_line(arb.pi() / (2 * self.mu) * arb(share)) for share in (1, 0.5, 0.25, 0.125, 0.0625))


def profile(release, count, tilt, higher_tilt):
    """The profile of `count` releases by the line at `tilt`; the moments at `higher_tilt` bound the aliases."""
    period = (ctx.prec * arb(2).log() / min(tilt, higher_tilt - tilt)).ceil()
    step = 2 * arb.pi() / period
    total_moment, higher_moment = (release.moment(acb(t)).real ** count for t in (tilt, higher_tilt))
    highest = 8 * tilt
    while not release.most_beyond(tilt, highest) ** count < total_moment * arb(2) ** -ctx.prec:
        highest *= arb(5) / 4
    nodes = []
    for n in range(int((highest / step).ceil().unique_fmpz()) + 1):
        t = acb(tilt, n * step)
        nodes.append(release.moment(t) ** count / (t * (t + 1)))
    last = (len(nodes) - 1) * step
    beyond = release.most_beyond(tilt, last) ** count / (arb.pi() * last)  # 1 / |t (t + 1)| <= 1 / s^2

    def delta(epsilon):
        turn, factor = (acb(0, -1) * step * epsilon).exp(), acb(1)
        total = nodes[0].real / 2
        for node in nodes[1:]:
            factor *= turn
            total += (node * factor).real
        # delta(epsilon - m period) <= 1, and delta(epsilon + m period) <= the higher moment e^(-higher_tilt (epsilon + m period)).
        below, above = (-tilt * period).exp(), (-(higher_tilt - tilt) * period).exp()
        aliases = (tilt * epsilon).exp() * below / (1 - below)
        aliases += higher_moment * (-(higher_tilt - tilt) * epsilon).exp() * above / (1 - above)
        error = (beyond + aliases).upper()
        return (-tilt * epsilon).exp() * (total * step / arb.pi() + arb(-error).union(error))

    return delta
