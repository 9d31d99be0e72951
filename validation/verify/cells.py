"""The masses that a piece's two laws have between many neighbouring cuts: by Chebyshev's interpolation on panels, and its antiderivative."""
from functools import lru_cache

from flint import acb, arb, arb_mat, arb_poly, ctx, fmpz_poly

from enclosure import Uncertain, up_to, within

DEGREE = 40
NEAR = arb(2) ** -70  # the interpolation's error relative to the largest value
DEEPEST = 40          # halvings of a panel
KEPT = 64             # pieces


@lru_cache(maxsize=None)
def _interpolation(bits):
    """cos(pi j / DEGREE), and the matrix that takes values there to the interpolating polynomial's coefficients."""
    size = DEGREE + 1
    places = [(arb(j) / DEGREE).cos_pi() for j in range(size)]
    def weight(k, j):
        return (arb(j * k) / DEGREE).cos_pi() * 2 / (DEGREE * (2 if k in (0, DEGREE) else 1) * (2 if j in (0, DEGREE) else 1))

    to_chebyshev = arb_mat(size, size, [weight(k, j) for k in range(size) for j in range(size)])
    monomials = [list(fmpz_poly.chebyshev_t(k).coeffs()) + [0] * (DEGREE - k) for k in range(size)]
    return places, arb_mat(size, size, [arb(monomials[k][power]) for power in range(size) for k in range(size)]) * to_chebyshev


class _Panel:
    """The integrals of both densities from a to any place up to b. A polynomial that interpolates at Chebyshev's points is off by no more
    than 4 M rho^-degree / (rho - 1), M the largest modulus on the ellipse with half-axes (rho +- 1/rho) / 2 (Trefethen 2013, theorem 8.2)."""

    def __init__(self, at, a, b):
        self.a, self.b, self.middle, self.half = a, b, (a + b) / 2, (b - a) / 2
        places, matrix = _interpolation(ctx.prec)
        outcomes = [at(acb(self.middle + self.half * x)) for x in places]
        values = [[(log_q + power * loss).real.exp() for log_q, loss in outcomes] for power in (0, 1)]
        largest = [max(values, key=lambda v: float(v.log().mid())) for values in values]
        self.errors = self._errors(at)
        self.good = all(error <= NEAR * most for error, most in zip(self.errors, largest))
        if self.good:
            columns = [matrix * arb_mat(DEGREE + 1, 1, row) for row in values]
            self.integrals = [arb_poly(column.entries()).integral() for column in columns]

    def _errors(self, at):
        least = [arb.pos_inf(), arb.pos_inf()]
        for rho in (arb(6), arb(4)):
            wide, tall = self.half * (rho + 1 / rho) / 2, self.half * (rho - 1 / rho) / 2
            log_q, loss = at(acb((self.middle - wide).union(self.middle + wide), (-tall).union(tall)))
            for power in (0, 1):
                most = (log_q + power * loss).real.exp().upper()
                if most.is_finite():
                    least[power] = least[power].min(4 * most * rho**-DEGREE / (rho - 1)).upper()
        return least

    def up_to(self, x):
        place = (x - self.middle) / self.half
        return [self.half * whole(place) for whole in self.integrals]


def cell_masses(piece, cuts):
    """`cuts`: exact places from piece.low to piece.high inside, rising. Q's and P's mass of each cell, between neighbours of the places
    that are returned with them: the cuts, the ends of the piece and those of the panels."""
    low, high = piece.low, piece.high
    places = [low.mid(), *cuts, high.mid()]
    panels = _panels(piece, ctx.prec)
    ends, masses = [places[0]], []
    inner = iter(places[1:-1])
    nxt = next(inner, None)
    for panel in panels:
        here = []
        while nxt is not None and nxt < panel.b:
            if nxt > panel.a:
                here.append(nxt)
            nxt = next(inner, None)
        here.append(panel.b)
        masses += _masses_within(panel, here)
        ends += here
    masses[0] = _widened(masses[0], piece, low)
    masses[-1] = _widened(masses[-1], piece, high)
    return ends, masses


def _widened(masses, piece, end):
    """By what lies between an end and its midpoint."""
    if end.is_exact():
        return masses
    log_q, loss = piece.at(acb(end))
    return [mass + within(2 * end.rad() * (log_q + power * loss).real.exp()) for power, mass in enumerate(masses)]


def _masses_within(panel, ends):
    before, at, found = panel.up_to(panel.a), panel.a, []
    for end in ends:
        here = panel.up_to(end)
        found.append([(new - old + within(error * (end - at))) for new, old, error in zip(here, before, panel.errors)])
        before, at = here, end
    return found


@lru_cache(KEPT)
def _panels(piece, _):
    """At the working precision: whatever the cuts are."""
    found = []
    stack = [(piece.low.mid(), piece.high.mid(), 0)]
    while stack:
        a, b, depth = stack.pop()
        panel = _Panel(piece.at, a, b) if depth >= 3 else None
        if panel is not None and panel.good:
            found.append(panel)
        elif depth == DEEPEST:
            raise Uncertain
        else:
            middle = ((a + b) / 2).mid()
            stack += [(middle, b, depth + 1), (a, middle, depth + 1)]
    return found
