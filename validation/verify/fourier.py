"""Sums of many waves at many equally spaced frequencies."""
from flint import acb, arb, ctx

from enclosure import Uncertain, log_of, precision, within

SPARE = 10  # binary digits


def wave_sums(losses, weights, step, count, error):
    """The sums over all points of weight e^(i n step loss), n = 0, ..., count, as balls; `error` is how wide they may be made."""
    few = len(losses) * count < 20_000 or len(losses) <= 6
    return _one_by_one(losses, weights, step, count) if few else _by_transform(losses, weights, step, count, error)


def _one_by_one(losses, weights, step, count):
    return [sum((weight * acb(0, n * step * loss).exp() for loss, weight in zip(losses, weights)), acb(0)) for n in range(count + 1)]


def _by_transform(losses, weights, step, count, error):
    """By a sum of Gaussians on a grid of N > 2 count places 2 pi l / N. With b = (pi / N)^2 / tau, Poisson's summation formula says of
    a place x in units of the grid

        sum over l of e^(-b (l - x)^2) e^(2 pi i n l / N) = N sqrt(tau / pi) sum over m of e^(-tau (n - m N)^2) e^(2 pi i (n - m N) x / N).

    What m = 0 gives, over e^(-tau n^2), is the wave. All other m have at most 2 r / (1 - r) of that, r = e^(-tau N (N - 2 count)). Left out on
    the left are l that are farther from x than `reach`."""
    mass = sum(map(abs, weights), arb(0))
    nats = max(1.0, log_of(mass / error)) + 3
    spare = max(0, (3 * count).bit_length() - 3)
    size = -(-3 * count >> spare) << spare  # 4 to 8 times a power of two
    tau = arb(nats) / (size * (size - 2 * count))
    growth = (tau * count**2).exp()
    fall = (arb.pi() / size) ** 2 / tau
    reach = int(((nats + growth.log()) / fall).sqrt().upper().ceil().unique_fmpz())
    with precision(ctx.prec + log_of(growth) / log_of(arb(2)) + SPARE):
        waves = acb.dft(_spread(losses, weights, size * step / (2 * arb.pi()), size, fall, reach))
        scale = size * (tau / arb.pi()).sqrt()
        repeated = (-tau * size * (size - 2 * count)).exp()
        beyond = 2 * (-reach * reach * fall).exp() / (1 - (-2 * reach * fall).exp())
        rest = mass * (2 * repeated / (1 - repeated) + beyond * growth / scale)
        wide = acb(within(rest), within(rest))
        return [wave * ((tau * n**2).exp() / scale) + wide for n, wave in enumerate(waves[: count + 1])]


def _spread(losses, weights, places, size, fall, reach):
    """Gaussians about all points, `places` of the grid in a unit of the loss; in the order that makes Flint's transform one with e^(+2 pi i n l / N)."""
    grid, falls = [arb(0)] * size, [(-fall * k * k).exp() for k in range(reach + 1)]
    for loss, weight in zip(losses, weights):
        place = loss * places
        nearest = int((place.mid() + arb(0.5)).floor().unique_fmpz())
        ahead = place - nearest
        if not abs(ahead) < 0.75:
            raise Uncertain
        rise, middle = (2 * fall * ahead).exp(), weight * (-fall * ahead * ahead).exp()
        for side, factor in ((1, rise), (-1, 1 / rise)):  # l = nearest + side k
            height, place = middle, -nearest
            for k in range(1, reach + 1):
                height, place = height * factor, place - side
                grid[place % size] += height * falls[k]
        grid[-nearest % size] += middle
    return grid
