"""Random allocation: one epoch of T steps, each record in one of them. Its likelihood ratio is the mean of T independent ones;
delta = E(R - e^epsilon)_+ with the record against without it, E(1 - e^epsilon R)_+ the other way round."""
from functools import cache

from flint import acb, arb, ctx

from enclosure import Uncertain
from laws import Law
from profiles import normal_tail


def finite(outcomes, steps):
    """The law of an epoch of a mechanism with these (p, q), no q zero: by how often each outcome came."""
    parts = {(): (arb(0), arb(1))}  # P's mass summed over the record's step so far, and Q's

    def joined(a, b):
        out = {}
        for x, (w, q) in a.items():
            for y, (v, r) in b.items():
                label = tuple(m + n for m, n in zip(x, y)) if x and y else x or y
                before = out.get(label, (0, 0))
                out[label] = before[0] + w * r + q * v, before[1] + q * r
        return out

    step = {tuple(int(i == j) for j in range(len(outcomes))): (arb(p), arb(q)) for i, (p, q) in enumerate(outcomes)}
    for bit in bin(steps)[2:]:
        parts = joined(parts, parts)
        if bit == "1":
            parts = joined(parts, step)
    # Labels of their own: under composition no two of them add up to a third.
    size = len(parts)
    return Law({tuple(int(i == j) for j in range(size)): (w / steps, q) for i, (w, q) in enumerate(parts.values())})


def gaussian(mu, steps, direction):
    """The put E(K - S)_+ of the sum S of T lognormals L is the inverse Laplace integral of e^(s K) phi(s)^T / s^2 over Re s = a,
    phi(s) = E e^(-s L), by the trapezoidal rule with step h. Its aliases are e^(-2 pi n a / h) times the puts at K + 2 pi n / h,
    which for n < 0 are zero while K < 2 pi / h. |phi(a + i t)| is at most twice the density's maximum, over t: e^-aL times
    the density has one maximum, and the integral is by parts. The other direction's call is by put-call parity."""
    bits = ctx.prec + 40
    spread = (arb(steps) * ((mu**2).exp() - 1)).sqrt()
    a = (arb(4) / spread).mid()
    step = (2 * arb.pi() * a / (bits * arb(0.7) + 60)).mid()
    bound = 2 * (mu**2).exp() / (mu * (2 * arb.pi()).sqrt())
    last = int(((bound * ((bits * arb(0.7) + 2 * a * steps) / (steps + 1)).exp()) / step).upper().ceil().unique_fmpz())
    nodes = [acb(a, j * step) for j in range(last + 1)]

    @cache
    def powers():
        return [_transform(s, a, mu, bits) ** steps / s**2 for s in nodes]

    def put(level):
        if not level < 2 * arb.pi() / step:
            raise Uncertain
        total = sum((((s * level).exp() * f).real * (1 if j == 0 else 2) for j, (s, f) in enumerate(zip(nodes, powers()))), arb(0))
        first_left_out = nodes[-1].imag
        rest = (a * level).exp() / arb.pi() * (bound / first_left_out) ** steps / first_left_out / (steps + 1)
        alias = (-2 * arb.pi() * a / step).exp()
        aliases = 4 * (level + 2 * arb.pi() / step) * alias
        return total * step / (2 * arb.pi()) + arb(0, rest.upper()) + arb(0, aliases.upper())

    def profile(epsilon):
        if direction == "add":
            return epsilon.exp() / steps * put(steps * (-epsilon).exp())
        return put(steps * epsilon.exp()) / steps + 1 - epsilon.exp()

    return profile


def _transform(s, a, mu, bits):
    """E e^(-s L) for Re s = a."""
    reach = (arb(bits) * 1.4).sqrt()
    right = ((arb(bits) * 0.7 / a).log() / mu + mu / 2)
    right = right.mid() if right < reach else reach.mid()
    inside = acb.integral(lambda x, _: (-x * x / 2 - s * (mu * x - mu**2 / 2).exp()).exp(), acb(-reach.mid()), acb(right))
    tail = normal_tail(reach.mid()) + normal_tail(right) * (-a * (mu * right - mu**2 / 2).exp()).exp()
    return inside / (2 * arb.pi()).sqrt() + acb(arb(0, tail.upper()), arb(0, tail.upper()))
