"""Sums of many waves at many equally spaced frequencies."""
from flint import acb, arb

from enclosure import Uncertain, within


def wave_sums(losses, weights, step, count, error):
    """The sums over all points of weight e^(i n step loss), n = 0, ..., count, as balls; `error` is how wide they may be made."""
    few = len(losses) * count < 20_000 or len(losses) <= 30
    return _one_by_one(losses, weights, step, count) if few else _by_transforms(losses, weights, step, count, error)


def _one_by_one(losses, weights, step, count):
    return [sum((weight * acb(0, n * step * loss).exp() for loss, weight in zip(losses, weights)), acb(0)) for n in range(count + 1)]


def _by_transforms(losses, weights, step, count, error):
    """With N >= 2 count grid points g h, h = 2 pi / (N step), every loss is (g + u) h with |u| <= 1/2, and step h n = 2 pi n / N:
    e^(i n step loss) is the wave of g, which a discrete transform sums, times e^(i theta), theta = 2 pi n u / N, |theta| <= pi / 2,
    whose Taylor series is cut where its rest, |theta|^m / m!, is below the error. Two orders are transformed at once."""
    size = 1 << (2 * count).bit_length()
    width = 2 * arb.pi() / (size * step)
    points, mass = [], arb(0)
    for loss, weight in zip(losses, weights):
        place = loss / width
        g = int((place.mid() + arb(0.5)).floor().unique_fmpz())
        if not abs(place - g) < 0.5 + arb(2) ** -21:
            raise Uncertain
        points.append((-g % size, place - g))
        mass += abs(weight)
    angle = arb.pi() * count / size * (1 + arb(2) ** -20)
    unit = acb(0, 2 * arb.pi() / size)
    factors, sums = [acb(1)] * (count + 1), [acb(0)] * (count + 1)
    order, rest = 0, mass
    while not rest < error:
        moments = [[arb(0)] * size, [arb(0)] * size]
        for part in moments:
            for (g, _), weight in zip(points, weights):
                part[g] += weight
            weights = [weight * u for weight, (_, u) in zip(weights, points)]
        for part in _two_transforms(*moments, count):
            sums = [total + factor * wave for total, factor, wave in zip(sums, factors, part)]
            order += 1
            rest *= angle / order
            factors = [factor * (unit * n) / order for n, factor in enumerate(factors)]
    return [total + acb(within(rest), within(rest)) for total in sums]


def _two_transforms(one, other, count):
    """The transforms of two real sequences from that of one + i other, by their symmetry."""
    waves = acb.dft([acb(a, b) for a, b in zip(one, other)])
    mirrored = [waves[-n].conjugate() for n in range(count + 1)]
    return [(a + b) / 2 for a, b in zip(waves, mirrored)], [(a - b) / acb(0, 2) for a, b in zip(waves, mirrored)]
