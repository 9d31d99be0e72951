"""The composition an answer is about, from above and from below: what its releases' dominating pairs compose to, and what one pair of
real neighbours attains. Where it is exact the two are one. Each comparison gives whether it is so, or None, and what was seen."""
from contextlib import suppress
from copy import copy
from functools import reduce

from flint import arb

from all_epsilons import BesideGaussians, LargestBesideGaussians
from all_orders import Orders
from composition import Composition
from enclosure import OutOfReach
from gdp import Mu
from mechanisms import ONLY_GUARANTEED, BadInput
from profiles import Profiles
from renyi import GuaranteedPower, GuaranteedProfiles, added_first, added_of_all
from schemes import read_releases
from selection import Selection, SelectionProfiles
from steps import Steps, in_steps, ways_of
from trade_off import Power, PowersAbove

ADJACENCIES = ("add-remove", "replace-one", "zero-out")
DIRECTIONS = ("worst", "remove", "add")
LARGEST_GROUP = 1000


def require_neighbours(adjacency, group):
    if adjacency not in ADJACENCIES:
        raise BadInput(f"adjacency is {adjacency!r}, but must be one of {', '.join(ADJACENCIES)}")
    if isinstance(group, bool) or not isinstance(group, int) or not 1 <= group <= LARGEST_GROUP:
        raise BadInput(f"group is {group!r}, but must be a whole number from 1 to {LARGEST_GROUP}")


def any_of(ones):
    ones = list(ones)
    return AnyOf(ones) if len(ones) > 1 else ones[0]


class AnyOf:
    """What one of several pairs of neighbours has is a lower bound: it proves what is said from below, and refutes what is said from above."""

    def __init__(self, ones):
        self._ones = ones

    def __getattr__(self, comparison):
        telling = not comparison.endswith("at_most")

        def ask(*asked):
            first = None
            for one in self._ones:
                found = getattr(one, comparison)(*asked)
                if found[0] is telling:
                    return found
                first = first or found
            return first
        return ask


class Asked:
    """`only_guaranteed`: whether what is attained may be by the worst mechanisms that have the guarantees, or else by the other mechanisms alone."""

    def __init__(self, adjacency, mechanisms, direction, group=1, only_guaranteed=True):
        require_neighbours(adjacency, group)
        if direction not in DIRECTIONS:
            raise BadInput(f"asked_direction is {direction!r}, but must be one of {', '.join(DIRECTIONS)}")
        if mechanisms is None:
            raise OutOfReach("the answer does not say what it is about: mechanisms is null, as of private selection")
        if not isinstance(mechanisms, list):
            raise BadInput(f"mechanisms is {mechanisms!r}, but must be a list")
        told = [(entry, release) for i, entry in enumerate(mechanisms) for release in read_releases(entry, adjacency, f"mechanisms[{i}]", group)]
        told = [(entry, release) for entry, release in told if release.count > 0]
        releases = [release for _, release in told]
        known = releases if only_guaranteed else [release for entry, release in told if entry.get("type") not in ONLY_GUARANTEED]
        single = len(releases) == 1 and releases[0].count == 1
        self._together = len(known) == len(releases) and all(r.exact for r in releases)
        self.exact = self._together or (single and known == releases and releases[0].exact_alone)
        pairs = Profiles(Composition(releases), direction)
        below = [r.attained() for r in known]
        others = max((getattr(r, "others", 0) for r in known), default=0)
        by_others = [[r.attained(i) if i <= getattr(r, "others", 0) else r.attained() for r in known] for i in range(1, others + 1)]
        either_way = adjacency == "replace-one" or all(r.symmetric or getattr(r, "either_way", False) for r in below)  # any two neighbours, in either order
        in_direction = pairs if self._together else Profiles(Composition(below), direction)
        of_neighbours = Profiles(in_direction.composition, "worst") if either_way and not self._together else in_direction
        attained = pairs if self.exact else of_neighbours
        others = [] if self.exact else [Profiles(Composition(releases), direction) for releases in by_others]
        together = added_first(releases)
        above = [pairs, Profiles(Composition(together), direction)] if together else [pairs]
        self._above = GuaranteedProfiles(releases, direction, above[::-1]) if any(r.renyi for r in releases) else pairs
        if single and isinstance(releases[0], Selection):
            self._above = SelectionProfiles(releases[0])
        elif not self.exact:
            self._above = in_steps(mechanisms, any(r.guaranteed for r in releases), adjacency, group, direction, self._above)
        powers = [Power(profiles) for profiles in above]
        of_attained = powers[0] if attained is pairs else Power(in_direction)
        if guarantee := added_of_all(releases):
            powers.insert(0, GuaranteedPower(guarantee))
        if isinstance(self._above, Steps):
            powers += self._above.powers(direction)
        self._each = [attained, *others]
        self._attained, self._powers = any_of(self._each), (PowersAbove(powers), any_of([of_attained, *map(Power, others)]))
        of_one_pair = [of_neighbours, *others]
        self._orders, self._mu = (Orders(pairs), any_of(map(Orders, of_one_pair))), (Mu(pairs, tuple(ways_of(self._above))), any_of(map(Mu, of_one_pair)))
        self._dominating, self._pairs, self._least = above, above[-1], {}

    def towards(self, direction):
        """Of an exact one delta in one direction: the composition is the same, so that what is told of it is of use again."""
        one = copy(self)
        one._attained = one._above = Profiles(self._each[0].composition, direction)
        return one

    def delta_above(self, adding, epsilon, size):
        """What the least of the dominating pairs has in one direction, to within `size`."""
        found = []
        for profiles in self._dominating:
            with suppress(OutOfReach):
                found.append(profiles.composition.at(adding, epsilon, size))
        if not found:
            raise OutOfReach(f"delta({epsilon!r}) is not told to within {size.str(3)}")
        return reduce(arb.min, found)

    @property
    def symmetric(self):
        return all(profiles.composition.symmetric for profiles in self._dominating)

    def largest_losses(self):
        """Of what dominates, in the one direction and in the other; None where there is none, or it is not known."""
        return [self._pairs.composition.largest_loss(adding) for adding in (False, True)]

    def delta_is_at_most(self, epsilon, level):
        return self._judge(self._above.at_most, self._attained.at_most, epsilon, level)

    def delta_is_at_least(self, epsilon, level):
        return self._judge(self._attained.at_least, self._above.at_least, epsilon, level)

    def delta_stays_above_until(self, epsilon, delta):
        """Whether delta(e) > delta for every e < epsilon; for delta = 0 or epsilon = inf."""
        return self._judge(self._attained.stays_above_until, self._above.stays_above_until, epsilon, delta)

    def power_is_at_most(self, alpha, end, is_power):
        """`end` is one of the power, or of the type II error."""
        above, attained = self._powers
        return self._judge(above.at_most, attained.at_most, alpha, end, is_power)

    def power_is_at_least(self, alpha, end, is_power):
        above, attained = self._powers
        return self._judge(attained.at_least, above.at_least, alpha, end, is_power)

    def smallest_mu_is_at_most(self, mu, least):
        above, attained = self._beside_gaussians(least)
        return self._judge(above.smallest_is_at_most, attained.smallest_is_at_most, mu)

    def smallest_mu_is_at_least(self, mu, least):
        above, attained = self._beside_gaussians(least)
        return self._judge(attained.smallest_is_at_least, above.smallest_is_at_least, mu)

    def largest_mu_is_at_most(self, mu, least):
        above, attained = self._beside_gaussians(least)
        return self._judge(above.largest_is_at_most, attained.largest_is_at_most, mu)

    def largest_mu_is_at_least(self, mu, least):
        above, attained = self._beside_gaussians(least)
        return self._judge(attained.largest_is_at_least, above.largest_is_at_least, mu)

    def _beside_gaussians(self, least):
        if least not in self._least:
            attained = LargestBesideGaussians([BesideGaussians(one, least) for one in self._each]) if len(self._each) > 1 else BesideGaussians(self._each[0], least)
            self._least[least] = attained if self.exact else BesideGaussians(self._pairs, least, attained), attained
        return self._least[least]

    def rho_is_at_most(self, rho):
        above, attained = self._orders
        return self._judge(above.is_at_most, attained.is_at_most, rho, exact=self._together)

    def rho_is_at_least(self, rho):
        above, attained = self._orders
        return self._judge(attained.is_at_least, above.is_at_least, rho, exact=self._together)

    def mu_is_at_most(self, mu):
        above, attained = self._mu
        return self._judge(above.is_at_most, attained.is_at_most, mu, exact=self._together)

    def mu_is_at_least(self, mu):
        above, attained = self._mu
        return self._judge(attained.is_at_least, above.is_at_least, mu, exact=self._together)

    def _judge(self, proves, refutes, *asked, exact=None):
        """True if `proves` says so, False if `refutes` does; which are one where it is exact."""
        found, seen = proves(*asked)
        if found or (self.exact if exact is None else exact):
            return found, seen
        refuted, counterexample = refutes(*asked)
        if refuted is False:
            return False, counterexample
        return None, f"{seen}, where the composition is not exact"
