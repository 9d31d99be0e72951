"""mu of Gaussian DP at all epsilons, however small delta is (Dong, Roth, Su 2022): mu^2 add up where each release is no worse than noise of its mu."""
from flint import arb, fmpq

from all_orders import has_ends, in_turn, mu_squared_of, of_fewer, on_all_data, slope_of, told
from enclosure import ball, exact, precision

BITS = 128


def mu_of_pure(epsilon):
    """Of epsilon-DP: what meets Phi(mu / 2) = e^epsilon / (1 + e^epsilon)."""
    return 2 * arb(2).sqrt() * (2 / (1 + epsilon.exp())).erfcinv()


class Mu:
    """Of a composition's profiles. Each comparison gives True, or None; and what was seen."""

    def __init__(self, profiles):
        self.releases, self.adding = profiles.composition.releases, profiles.directions == [True]

    def is_at_most(self, mu):
        with precision(BITS):
            squares = [(mu_squared_above(release), count) for release, count in map(told, self.releases)]
            if any(square is None for square, _ in squares):
                return None, "a release's losses have no end, nor is it Gaussian noise"
            total = _sum(squares)
            holds = total <= exact(mu) ** 2 if isinstance(total, fmpq) else total <= arb(mu) ** 2
            return bool(holds) or None, f"mu^2 add up to {ball(total).str(12)} or less"

    def is_at_least(self, mu):
        """Noise on a sample has P >= q times what it is on all data, so that of k releases delta(e) >= q^k times that of all data at e - k log q, which is more than
        that of any smaller mu where e is large."""
        slopes = [(slope_of(release, self.adding), release) for release in self.releases]
        total = _sum([(slope[0], release.count) for slope, release in slopes if slope and not getattr(release, "opposite", False)])
        return bool(total >= exact(mu) ** 2) or None, f"noise has mu^2 of {total}"


def _sum(squares):
    """Exactly where all are rational numbers."""
    return sum((count * square for square, count in squares), fmpq(0))


def mu_squared_above(release):
    """Of noise, or of pure DP; None of what has neither. A sample has no more than all data, nor has an epoch."""
    if part := getattr(release, "part", None):
        square = mu_squared_above(part[0])
        return None if square is None else part[1] * square
    base, parameters = on_all_data(release)
    if parameters and base.name != "discrete-gaussian":
        square = mu_squared_of(base, parameters)
        if square is not None:
            return square
    if (one := in_turn(release)) and has_ends(one[0]):  # k records of losses up to L lose at most k L
        return mu_of_pure(fmpq(release.group * one[1], release.count) * largest_loss(one[0])) ** 2
    if has_ends(release):
        return mu_of_pure(largest_loss(release)) ** 2
    return of_fewer(release, mu_squared_above)


def largest_loss(release):
    """Of both directions, where losses have ends."""
    low, high = map(ball, release.pair(30).range)
    return high.max(-low)
