"""mu of Gaussian DP at all epsilons, however small delta is (Dong, Roth, Su 2022): mu^2 add up where each of several parts is no worse than noise of its mu. Of losses that have
ends all releases together are one part, whose mu is the largest of those of which noise has its delta at some epsilon >= 0, in either direction."""
import math

from flint import arb, fmpq

from all_orders import has_ends, in_turn, mu_squared_of, of_fewer, on_all_data, slope_of, told
from beside_noise import BesideNoise
from composition import Composition
from enclosure import ball, exact, precision
from profiles import Profiles

BITS = 128


def mu_of_pure(epsilon):
    """Of epsilon-DP: what meets Phi(mu / 2) = e^epsilon / (1 + e^epsilon)."""
    return 2 * arb(2).sqrt() * (2 / (1 + epsilon.exp())).erfcinv()


class Mu:
    """Of a composition's profiles. Each comparison gives True, False, or None; and what was seen."""

    def __init__(self, profiles, ways=()):
        """`ways`: numbers of steps from one data set to the other, and what one step is."""
        self.composition, self.directions, self._ways = profiles.composition, profiles.directions, ways

    def is_at_most(self, mu):
        found, seen = self._is_bounded_by(mu)
        if found is not None:
            return found, seen
        exceeds, counterexample = self._exceeds(mu, strictly=True)
        return (False, counterexample) if exceeds else (None, seen)

    def is_at_least(self, mu):
        found, seen = self._exceeds(mu, strictly=False)
        if found:
            return True, seen
        bounded, counterexample = self._is_bounded_by(math.nextafter(mu, 0))
        return (False, counterexample) if bounded else (None, seen)

    def _is_bounded_by(self, mu):
        """Or so many times what a step has is (same source, theorem 2.14)."""
        found, seen = self._is_bounded_at_once(mu)
        for steps, composition in self._ways:
            if not found:
                bounded, told = Mu(Profiles(composition, "worst"))._is_bounded_at_once(math.nextafter(mu / steps, 0))
                found, seen = (True, f"in {steps} steps, {told}") if bounded else (found, seen)
        return found, seen

    def _is_bounded_at_once(self, mu):
        """Whether it is at most mu: True, or None; or False, where the search for it finds more. mu^2 of all releases add up; or those of which losses have ends taken together, beside noise of what the others leave."""
        with precision(BITS):
            every = self.composition.releases
            ended = [release for release in every if has_ends(release)]
            alone, others = _squares_of(every), _squares_of([release for release in every if release not in ended])
            if alone is None and others is None:
                return None, "a release's losses have no end, nor is it Gaussian noise"
            if alone is not None and not_above(alone, exact(mu) ** 2):
                return True, f"mu^2 add up to {ball(alone).str(12)} or less"
            left = arb(mu) ** 2 - others if others is not None else arb(0)
            if not (ended and left > 0):
                return None, f"mu^2 add up to {'more' if alone is None else ball(alone).str(12)}"
            together = Composition(ended)
            for adding in [False] if together.symmetric else [False, True]:
                found, seen = BesideNoise(together, adding, left.sqrt()).is_below()
                if not found:
                    return False if found is False and len(ended) == len(every) and adding in self.directions else None, seen
            return True, seen

    def _exceeds(self, mu, strictly):
        """Whether it is more than mu, or as much: by noise far out, or where delta is at some epsilon in some direction. None where that is not known."""
        squared, noise = exact(mu) ** 2 if mu < math.inf else arb(math.inf), self._noise_far_out()
        if not_above(squared, noise) and not (strictly and not_above(noise, squared)):
            return True, f"noise has mu^2 of {noise}"
        for adding in self.directions:
            if self.composition._masses(adding)[0] > 0:
                return True, "some losses are infinite"
            if 0 < mu < math.inf and any(map(has_ends, self.composition.releases)):
                found, seen = BesideNoise(self.composition, adding, mu).is_above_somewhere(strictly)
                if found:
                    return True, seen
        return None, f"noise has mu^2 of {noise}"

    def _noise_far_out(self):
        """Noise on a sample has P >= q times what it is on all data, so that of k releases delta(e) >= q^k times that of all data at e - k log q, which is more than
        that of any smaller mu where e is large."""
        slopes = [(slope_of(release, self.directions == [True]), release) for release in self.composition.releases]
        return _sum([(slope[0], release.count) for slope, release in slopes if slope and not getattr(release, "opposite", False)])


def not_above(one, other):
    """one <= other for certain; exactly where both are rational numbers."""
    return one <= other if isinstance(one, fmpq) and isinstance(other, fmpq) else bool(ball(one) <= ball(other))


def _squares_of(releases):
    """Added up; None where that of one is not known."""
    squares = [(mu_squared_above(release), count) for release, count in map(told, releases)]
    return None if any(square is None for square, _ in squares) else _sum(squares)


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
