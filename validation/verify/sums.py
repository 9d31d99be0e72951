"""Compositions of releases with few outcomes, outcome by outcome."""
from math import comb, gcd

from flint import arb, arb_poly

from enclosure import ball, up_to

MOST_OUTCOMES = 200_000
LONGEST = 8_000  # of the powers of a polynomial


class Outcomes:
    """Masses (p, q), one of each outcome. `only_p`, `lost_p`: as of a pair."""

    def __init__(self, masses, only_p, lost_p):
        self.masses, self.only_p, self.lost_p = masses, only_p, lost_p

    def times(self, other):
        masses = [(p * r, q * s) for p, q in self.masses for r, s in other.masses]
        return Outcomes(masses, _either(self.only_p, other.only_p), _either(self.lost_p, other.lost_p))

    def profile(self, epsilon, of_the_rest=None):
        """Together with releases of another profile: the mean of that at epsilon less the loss."""
        if of_the_rest is None:
            factor = epsilon.exp()
            total = sum(((p - factor * q).nonnegative_part() for p, q in self.masses), arb(0))
        else:
            total = sum((p * of_the_rest(epsilon - (p / q).log()) for p, q in self.masses), arb(0))
        return total + self.only_p + up_to(self.lost_p)


def _either(one, two):
    return one + two - one * two


def outcomes_of(pair, count):
    """All outcomes of `count` releases, or None where there are too many or not only atoms."""
    if pair.dense:
        return None
    kinds = len(pair.atoms)
    if kinds == 0 or (min(count, kinds) < 40 and comb(count + kinds - 1, kinds - 1) <= MOST_OUTCOMES):
        masses = list(_by_counts(pair.atoms, count))
    elif pair.spacing is not None and count * _range(pair) <= LONGEST:
        masses = _by_loss(pair, count)
    else:
        return None
    return Outcomes(masses, 1 - (1 - pair.only_p) ** count, 1 - (1 - pair.lost_p) ** count)


def _by_counts(atoms, count):
    """By how many releases have which outcome: count! times the product of each one's mass^n / n!."""
    def powers(mass):
        out = [arb(1)]
        for n in range(1, count + 1):
            out.append(out[-1] * mass / n)
        return out

    powers_of = [(powers(atom.p), powers(atom.q)) for atom in atoms]

    def list_from(first, left, p, q):
        """What the releases that are left can have, none of them an outcome before the first one."""
        for kind in range(first, len(atoms)):
            of_p, of_q = powers_of[kind]
            for n in range(1, left if kind + 1 < len(atoms) else 1):
                yield from list_from(kind + 1, left - n, p * of_p[n], q * of_q[n])
            yield p * of_p[left], q * of_q[left]

    ways = arb.fac_ui(count)
    return list_from(0, count, ways, ways)


def _range(pair):
    """Of the labels, in steps that all their differences are multiples of."""
    labels = [atom.label for atom in pair.atoms]
    return (max(labels) - min(labels)) // (gcd(*(label - labels[0] for label in labels)) or 1)


def _by_loss(pair, count):
    """Of losses on a lattice: P's masses are a polynomial's coefficients, and Q's are e^-loss of them."""
    least = min(atom.label for atom in pair.atoms)
    step = gcd(*(atom.label - least for atom in pair.atoms)) or 1
    masses = [arb(0)] * (_range(pair) + 1)
    for atom in pair.atoms:
        masses[(atom.label - least) // step] += atom.p
    power, spacing = (arb_poly(masses) ** count).coeffs(), ball(pair.spacing)
    return [(p, p * (-(count * least + n * step) * spacing).exp()) for n, p in enumerate(power)]
