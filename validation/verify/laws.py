"""The dominating pair of each type of mechanism: P with the record, Q without it, under add-remove. Their sources: docs/verify.md.

Parameters are rational numbers. `nats`: what is left out of a pair with infinitely many outcomes has mass e^-nats or less.
"""
from itertools import pairwise
from math import comb, log1p

from flint import acb, arb, fmpq, fmpz

from closed_forms import normal_tail
from enclosure import OutOfReach, Uncertain, ball, up_to
from pairs import Atom, Pair, Piece, sign_of

MOST_ATOMS = 400_000
FAR_APART = 100_000  # standard deviations, or scales, between laws that are as good as disjoint


def nothing():
    return Pair([Atom(1, 1, arb(0), 0)], range=(fmpq(0), fmpq(0)), spacing=fmpq(1))


# Noise. Its law is moved under P and under Q, by multiples of a shift that a record, some of a group's, or others in its place make.

MOVED = [(1, fmpq(1))], [(0, fmpq(1))]  # of P and of Q: by how many shifts, and with which weights


def on_a_sample(group, rate, replaced):
    """The moves on a Poisson sample of which each of a group's records is drawn by itself: those that are drawn all move one way, and under Q not at all or, where
    they are replaced, the other way (docs/groups.md; of one record docs/poisson_replace_one.md, where the noise may have bounded support)."""
    chances = [(j, comb(group, j) * rate**j * (1 - rate) ** (group - j)) for j in range(group + 1)]
    return chances, [(-j, weight) for j, weight in chances] if replaced else MOVED[1]


def among_opposite(rate):
    """The moves of a batch that has the record with this chance, and else another one that moves the noise as far the other way; under Q the record is zeroed. From
    where the other one moves it (docs/fixed_batches.md)."""
    return [(0, 1 - rate), (2, rate)], [(0, 1 - rate), (1, rate)]


def _centres(shift, moves):
    return [[(j * shift, weight) for j, weight in law] for law in moves]


def _log_mixtures(laws, places):
    """Of P and of Q: what takes the logarithms for noise at each of these places to the one of the mixture; exactly, where there is one of weight 1."""
    def of(law):
        terms = [(places.index(centre), ball(weight)) for centre, weight in law]
        if len(terms) == 1 and law[0][1] == 1:
            return lambda logs: logs[terms[0][0]]
        return lambda logs: sum((weight * logs[place].exp() for place, weight in terms), acb(0)).log(analytic=True)
    return [of(law) for law in laws]


def _lowest(moves):
    """The infimum of the losses of noise whose own have no end: where what is moved in P has next to nothing; None where Q is moved, or all of P."""
    still = sum((weight for j, weight in moves[0] if j == 0), fmpq(0))
    return ball(still).log() if still > 0 and len(moves[1]) == 1 else None


def _log_of_real(terms):
    """log of a sum of weight e^x, rational numbers or balls; exactly of one term of weight 1."""
    if len(terms) == 1 and terms[0][0] == 1:
        return terms[0][1]
    return sum((ball(weight) * ball(x).exp() for weight, x in terms), arb(0)).log()


def _reach(tail, nats):
    """Beyond it lies e^-nats or less, by a rigorous comparison; not much less."""
    least = (-arb(nats)).exp()
    high = arb(1)
    while not tail(high) <= least:
        high *= 2
    low = high / 2
    for _ in range(6):
        middle = (low + high) / 2
        if tail(middle) <= least:
            high = middle
        else:
            low = middle
    return high


def _on_the_line(noise, tail, shift, moves, nats, strip_of, highest=None, linear=False):
    """Symmetric noise with an analytic density f. `noise(s, x)`: log f(x) and the loss of a move by s > 0, log f(x - s) - log f(x); `highest(s)`: its
    supremum. `strip_of(s, reach)`: within it of real x, up to `reach` away from both centres, that loss has an imaginary part from 0 to pi. A mixture's
    argument is between those of its parts; where Q's moves are the other ones the loss has two such parts. Where both laws are moved up, `linear` is whether the loss of a move
    is, in x: where P's part is the larger one, and turned twice as far by pi / 2 at most, the argument of P's sum is the larger one."""
    steps = sorted({j for law in moves for j, _ in law if j != 0})
    sizes, (log_p_of, log_q_of) = [(j > 0, ball(abs(j) * shift)) for j in steps], _log_mixtures(moves, [*steps, 0])
    (_, top), reach, one_way = sizes[-1], _reach(tail, nats), moves[1] == MOVED[1]
    replaced = steps[0] < 0

    def at(x):
        found = [noise(size, x if ahead else -x) for ahead, size in sizes]
        losses = [*(loss for _, loss in found), acb(0)]
        log_q = log_q_of(losses)
        return found[-1][0] + log_q, log_p_of(losses) - log_q

    def end(side):
        """Of the range of losses, where outcomes are far out to this side."""
        if highest is not None:
            log_p, log_q = (_log_of_real([(weight, side * (1 if j > 0 else -1) * highest(abs(j) * shift)) for j, weight in law]) for law in moves)
            return log_p - log_q
        return _lowest(moves) if side < 0 else None

    strip = strip_of and (one_way or replaced or linear or None) and strip_of(top, reach) / (1 if one_way else 2)
    piece = Piece(-(reach + top if replaced else reach), reach + top, at, strip)
    lost = 2 * tail(reach)
    return Pair(pieces=[piece], lost_p=lost, lost_q=lost, range=(end(-1), end(1)))


def _log_normal_density(x):
    return -(x * x + (2 * arb.pi()).log()) / 2


def _far_apart(tail, shift, moves):
    """Of noise whose centres are all far apart an outcome for each, with what each law has nearest to it; else None. With nothing from other centres the pair dominates, as noise is
    added to it; with all that is beyond the middles it is dominated, as outcomes are told apart no further. So what noise has is in the balls."""
    centres = sorted({j for law in moves for j, _ in law})
    gap = ball(shift) * min((b - a for a, b in pairwise(centres)), default=0)
    if not gap > FAR_APART:
        return None
    rest = up_to(2 * tail(gap / 2))
    own = [[sum((ball(weight) for j, weight in law if j == centre), arb(0)) for law in moves] for centre in centres]
    return [Atom(*(weight * (1 - rest) + (1 - weight) * rest for weight in weights)) for weights in own]


def gaussian(mu, nats, moves=MOVED):
    """Of standard deviation 1."""
    if apart := _far_apart(normal_tail, mu, moves):
        return Pair(apart)
    return _on_the_line(lambda s, x: (_log_normal_density(x), s * x - s * s / 2), normal_tail, mu, moves, nats, lambda s, _: arb.pi() / (2 * s), linear=True)


def gaussian_mixture(shifts, weights, nats):
    """The mixture of the N(shift, 1) of these weights against N(0, 1), shifts >= 0."""
    return gaussian(fmpq(1), nats, (list(zip(shifts, weights)), MOVED[1]))


def logistic(shift, nats, moves=MOVED):
    """f = e^-x / (1 + e^-x)^2. At x + i y with y <= pi / 2 the loss has the imaginary part 2 arg cosh((x + i y) / 2) less the same of
    x - shift, and arg cosh(u + i v) rises with u, from -v to v."""
    def noise(s, x):  # the loss in one logarithm, whose imaginary part is as small as the move
        away = -x if x.real.mid() > 0 else x
        return away - 2 * (1 + away.exp()).log(analytic=True), s - 2 * (1 + s.expm1() / (1 + x.exp())).log(analytic=True)

    return _on_the_line(noise, lambda x: 1 / (1 + x.exp()), shift, moves, nats, lambda *_: arb.pi() / 2, lambda s: s)


def sinh_normal(a, shift, nats, moves=MOVED):
    """a arsinh(N(0, 1) / a). The difference of two squares of sinh is a product.

    At x + i y its imaginary part is (a^2 / 2) sinh(s / a) cosh((2 x - s) / a) sin(2 y / a) >= a s sin(y / a) cos(y / a); arg cosh(x / a)
    rises with x at most at the rate tan(y / a) / a, so that the loss has one above 0 as long as cos(y / a) >= 1 / a."""
    a = ball(a)

    def log_cosh(x):
        return (x / a).cosh().log(analytic=True)

    def noise(s, x):
        growth = a * a / 2 * ((2 * x - s) / a).sinh() * (s / a).sinh()
        return log_cosh(x) + _log_normal_density(a * (x / a).sinh()), growth + log_cosh(x - s) - log_cosh(x)

    def strip(s, reach):
        steepest = a * (s / a).sinh() * ((2 * reach + 3 * s) / a).cosh()
        return (a * (1 / a).acos()).min(arb.pi() / steepest)

    return _on_the_line(noise, lambda x: normal_tail(a * (x / a).sinh()), shift, moves, nats, strip if a > 1 else None)


def generalized(shape, shift, nats, moves=MOVED):
    """f proportional to e^(-|x|^shape), analytic but at the centres. Outcomes on one side of the nearest one are told by the logarithm of their distance
    from it, in which everything is analytic; what lies within e^-nats / 8 of a centre or so is left out."""
    p, laws = ball(shape), _centres(shift, moves)
    scale, ends = (2 * (1 + 1 / p).gamma()).log(), sorted({centre for law in laws for centre, _ in law})
    (log_p_of, log_q_of), zero = _log_mixtures(laws, ends), ends.index(0)

    def tail(x):
        return (x**p).gamma_upper(1 / p, regularized=1) / 2

    def power(x):
        return x.pow(acb(p), analytic=True)

    def beside(own_place, side):
        """Outcomes at a distance to this side of a centre, e^v or e^-v, which let the outcome rise with v. Of every centre: its gap to this one, and whether it lies on this side."""
        others = [(ball(abs(end - ends[own_place])), (end > ends[own_place]) == (side > 0)) for end in ends]

        def at(v):
            distance, own = (side * v).exp(), (p * side * v).exp()

            def ahead(place):
                """The distance's power less that from another centre; in the form that does not cancel."""
                gap, before = others[place]
                if place == own_place:
                    return acb(0)
                if before:
                    return own - power(gap - distance)
                return own * (1 - power(1 + gap / distance)) if distance.real.mid() > gap else own - power(gap + distance)

            from_zero = ahead(zero)
            losses = [acb(0) if place == zero else ahead(place) - from_zero for place in range(len(ends))]  # of the noise moved there against itself
            log_q = log_q_of(losses)
            return side * v - scale - own + from_zero + log_q, log_p_of(losses) - log_q
        return at

    reach, near, s = _reach(tail, nats), arb(nats + 3) + arb(len(ends)).log(), ball(shift)
    # Turned by an angle y, the loss of one move is an integral of p |distance|^(p - 1) over a length s, turned by at most (p - 1) y or, inside, p y.
    outside, inside = (arb.pi() / (p * (1 + s * (reach + s) ** (p - 1) * (p - 1))), arb.pi() / (2 * p * (1 + s**p))) if moves is MOVED else (None, None)
    pieces = [Piece(-reach.log(), near, beside(0, -1), outside), Piece(-near, reach.log(), beside(len(ends) - 1, 1), outside)]
    for i, (one, other) in enumerate(zip(ends, ends[1:])):
        middle = (ball(other - one) / 2).log()
        pieces += [Piece(-near, middle, beside(i, 1), inside), Piece(-middle, near, beside(i + 1, -1), inside)]
    lost = 2 * tail(reach) + 2 * len(ends) * (-near).exp()
    return Pair(pieces=pieces, lost_p=lost, lost_q=lost, range=(_lowest(moves), None))


def laplace(shift, nats, moves=MOVED, bound=None):
    """Of scale 1; or conditioned on |x| <= bound. Between neighbouring centres and ends of a law's outcomes each density is A e^x + B e^-x. Where both have one of
    the terms alone all outcomes have one loss; else it rises, as P's moves are up and Q's down, and at x + i y each argument is from -y to y. Farther than `reach` from
    all centres each law has no more than twice e^-reach. Of far apart centres only the range is told so."""
    laws, reach = _centres(shift, moves), arb(nats)
    scale = arb(2) if bound is None else 2 * (1 - (-ball(bound)).exp())
    ends = sorted({centre + d for law in laws for centre, _ in law for d in ([0] if bound is None else [-bound, 0, bound])})
    parts = [*zip(ends, ends[1:]), *([(None, ends[0]), (ends[-1], None)] if bound is None else [])]
    pair, losses = Pair(), []

    def terms_between(law, low, high):
        """Of the law's density there: a weight and how far the centre is ahead, of the rising terms, and behind, of the falling ones."""
        here = [(c, weight) for c, weight in law if bound is None or abs(low + high - 2 * c) < 2 * bound]
        return [(w, -c) for c, w in here if high is not None and c >= high], [(w, c) for c, w in here if low is not None and c <= low]

    for low, high in parts:
        both = p_terms, q_terms = [terms_between(law, low, high) for law in laws]
        share = arb(1) if None in (low, high) else -(-ball(high - low)).expm1()
        masses = [sum((ball(w) * ball(x + high).exp() for w, x in rising), arb(0)) + sum((ball(w) * ball(x - low).exp() for w, x in falling), arb(0))
                  for rising, falling in both]
        p, q = (mass * share / scale for mass in masses)
        if not (any(p_terms) and any(q_terms)):
            pair.only_p, pair.only_q = pair.only_p + p, pair.only_q + q
            continue
        if not (p_terms[0] or q_terms[0]) or not (p_terms[1] or q_terms[1]):
            ahead, behind = (rising or falling for rising, falling in both)
            losses.append(fmpq(0) if ahead == behind else _log_of_real(ahead) - _log_of_real(behind))
            pair.atoms.append(Atom(p, q, loss=ball(losses[-1])))
            continue
        for x in (low, high):
            log_p, log_q = (_log_of_real([(w, c + x) for w, c in rising] + [(w, c - x) for w, c in falling]) for rising, falling in both)
            losses.append(log_p - log_q)
        low, high, at = ball(low), ball(high), _between(p_terms, q_terms, scale)
        far_apart = high - low > 2 * reach
        for start, end in ([(low, low + reach), (high - reach, high)] if far_apart else [(low, high)]):
            pair.pieces.append(Piece(start, end, at, arb.pi() / 4))
        if far_apart:
            pair.lost_p = pair.lost_q = 2 * (-reach).exp()
    pair.range = _range_of(losses)
    apart = bound is None and _far_apart(lambda x: (-x).exp() / 2, shift, moves)
    return Pair(apart, range=pair.range) if apart else pair


def _between(p_terms, q_terms, scale):
    """The density of a piece where the laws have these rising and falling terms. Of e^x or e^-x one is taken out of both laws: P's where it has one alone."""
    side = -1 if p_terms[1] else 1

    def rest(rising, falling):
        """The logarithm of what is left of a density."""
        own, other = (rising, falling) if side > 0 else (falling, rising)
        if not (own and other):
            log, steps = ball(_log_of_real(own or other)), 0 if own else 2 * side
            return lambda x: log - steps * x
        a, b = (_log_of_real(terms).exp() for terms in (own, other))
        return lambda x: (a + b * (-2 * side * x).exp()).log(analytic=True)

    of_p, of_q, log_scale = rest(*p_terms), rest(*q_terms), scale.log()

    def at(x):
        log_q = of_q(x)
        return side * x + log_q - log_scale, of_p(x) - log_q
    return at


def bounded_range(length):
    """The pair that dominates all pairs of two losses t and t - length: P's density of the loss z is e^(-(length - z) / 2) over
    2 (1 - e^-length), Q's the same of -z."""
    ends = ball(length)
    scale = (2 * (1 - (-ends).exp())).log()
    piece = Piece(-ends, ends, lambda x: (-(ends + x) / 2 - scale, x), arb.pi() / 2)
    return Pair(pieces=[piece], range=(-length, length))


# Noise on whole numbers, moved by whole numbers.


def _on_integers(mass, first, last, shift, moves, lost=0, symmetric=True, spacing=None):
    """Of these masses, from `first` of the lowest centre to `last` of the highest one. With a spacing, one move is all there is, and the loss of x is that times 2 x less
    the move."""
    laws = [[(int(centre), ball(weight)) for centre, weight in law] for law in _centres(int(shift), moves)]
    low, high = _ends(laws)

    def atom(x):
        p, q = (sum((weight * mass(x - centre) for centre, weight in law), arb(0)) for law in laws)
        alike = symmetric and 2 * x == low + high and len(laws[0]) == len(laws[1])  # half way between laws that mirror each other
        return Atom(p, q, arb(0) if alike else None, None if spacing is None else 2 * x - high)

    return Pair([atom(x) for x in range(low + first, high + last + 1)], lost_p=lost, lost_q=lost, range=(_lowest(moves), None), spacing=spacing)


def _ends(laws):
    centres = [centre for law in laws for centre, _ in law]
    return min(centres), max(centres)


def _width(shift, moves):
    """From the lowest centre to the highest one."""
    low, high = _ends(_centres(int(shift), moves))
    if high - low > MOST_ATOMS:
        raise OutOfReach(f"a law of {high - low} losses, more than {MOST_ATOMS}")
    return high - low


def discrete_laplace(a, shift, moves=MOVED):
    """Mass proportional to e^(-a |x|). All outcomes from the last centre on to either side have one loss."""
    ratio, powers, spacing = (-ball(a)).exp(), [arb(1)], a if moves is MOVED else None
    for _ in range(_width(shift, moves)):
        powers.append(powers[-1] * ratio)
    pair = _on_integers(lambda x: (1 - ratio) / (1 + ratio) * powers[abs(x)], 1, -1, shift, moves, spacing=spacing)
    laws = _centres(int(shift), moves)
    low, high = _ends(laws)
    tails = [Atom(*(sum((ball(weight) * powers[abs(end - centre)] for centre, weight in law), arb(0)) / (1 + ratio) for law in laws), label=2 * end - high)
             for end in (low, high)]
    pair.atoms += tails
    pair.range = tuple(tail.loss if spacing is None else tail.label * spacing for tail in tails)
    return pair


def discrete_gaussian(sigma, shift, nats, moves=MOVED):
    """Mass proportional to e^(-x^2 / (2 sigma^2)). The loss of one move is proportional to 2 x - shift."""
    width, scale = _width(shift, moves), ball(1 / (2 * sigma * sigma))
    # The masses beyond x are at most those of a geometric series.
    reach = int((2 * ball(sigma * sigma) * arb(nats + 30)).sqrt().upper().floor().unique_fmpz())
    if 2 * reach + width > MOST_ATOMS:
        raise OutOfReach(f"a discrete Gaussian law of {2 * reach + width} outcomes, more than {MOST_ATOMS}")

    def weight(x):
        return (-scale * (x * x)).exp()

    weights = [weight(x) for x in range(reach + width + 1)]
    outside = 2 * weight(reach + 1) / (1 - weight(reach + 1) / weight(reach))
    total = 2 * sum(weights[1 : reach + 1], arb(0)) + weights[0] + arb(0).union(outside)
    return _on_integers(lambda x: weights[abs(x)] / total, -reach, reach, shift, moves, outside / total,
                        spacing=fmpq(int(shift)) / (2 * sigma * sigma) if moves is MOVED else None)


def poisson_difference(plus, minus, shift, nats, moves=MOVED):
    """Of two Poisson variables of these means, e^(-plus - minus) (plus / minus)^(x / 2) I_x(2 sqrt(plus minus)). I_(n-1) = I_(n+1) + (2 n / z) I_n gives all from the
    last two, by sums of positive terms."""
    mean, spread, margin = float(plus - minus), float(plus + minus), _width(shift, moves) + 1
    lowest, highest = (int(mean + side * _poisson_reach(spread, nats)) for side in (-1, 1))
    if highest - lowest + margin > MOST_ATOMS:
        raise OutOfReach(f"a law of {highest - lowest + margin} outcomes, more than {MOST_ATOMS}")
    centre, root = 2 * ball(plus * minus).sqrt(), ball(plus / minus).sqrt()
    last = max(abs(lowest), abs(highest)) + margin + 1
    bessel = {last + 1: centre.bessel_i(last + 1, scaled=True), last: centre.bessel_i(last, scaled=True)}
    for n in range(last, 0, -1):
        bessel[n - 1] = bessel[n + 1] + 2 * n / centre * bessel[n]
    scale = (centre - ball(plus + minus)).exp()
    masses, power = {}, scale * root ** (lowest - margin)
    for x in range(lowest - margin, highest + margin + 1):
        masses[x] = power * bessel[abs(x)]
        power *= root
    lost = _log_concave_tail(masses, lowest - 1, -1) + _log_concave_tail(masses, highest + 1, 1)
    return _on_integers(masses.__getitem__, lowest, highest, shift, moves, lost, symmetric=plus == minus)


def _poisson_reach(spread, nats):
    """Bennett's bound says roughly e^-nats is left beyond on either side; what is left is bounded by its masses afterwards."""
    reach = 1.0
    while (spread + reach) * log1p(reach / spread) - reach < nats + 5:
        reach *= 1.1
    return reach + 2


def _log_concave_tail(masses, first, step):
    """Bounds the masses from `first` on, on the far side of the mode: they fall at least as fast as before it."""
    ratio = masses[first] / masses[first - step]
    if not ratio < 1:
        raise Uncertain
    return masses[first] / (1 - ratio)


def integer_noise(masses, shift, moves=MOVED):
    """Noise of these masses at consecutive whole numbers."""
    laws = _centres(int(shift), moves)
    outcomes = sorted({centre + i for law in laws for centre, _ in law for i in range(len(masses))})

    def mass(law, x):
        return sum((weight * masses[x - centre] for centre, weight in law if 0 <= x - centre < len(masses)), fmpq(0))

    return of_masses([tuple(mass(law, x) for law in laws) for x in outcomes])


def heads_of_coins(coins, heads):
    masses, ways = [], fmpz(1)
    for x in range(int(coins) + 1):
        masses.append(ways * heads**x * (1 - heads) ** (int(coins) - x))
        ways = ways * (int(coins) - x) // (x + 1)
    return masses


# Finitely many outcomes.


def normalized(masses):
    p_total, q_total = (sum((m[i] for m in masses), fmpq(0)) for i in (0, 1))
    return [(p / p_total, q / q_total) for p, q in masses]


def of_masses(masses):
    """Outcomes by their masses (p, q), rational numbers that are proportional to the probabilities."""
    atoms, only_p, only_q = [], fmpq(0), fmpq(0)
    for p, q in normalized(masses):
        if p > 0 and q > 0:
            atoms.append(Atom(ball(p), ball(q), arb(0) if p == q else None))
        only_p += p if q == 0 else 0
        only_q += q if p == 0 else 0
    return Pair(atoms, only_p=ball(only_p), only_q=ball(only_q), range=_range_of([atom.loss for atom in atoms]))


def in_either_order(masses):
    """The pair whose profile is the larger one of (P, Q)'s and (Q, P)'s: with x = e^epsilon, the maximum of two functions made of lines,
    which has its corners where one of them has, or where they meet."""
    def profile(x, order):
        return sum((max(m[order] - x * m[1 - order], fmpq(0)) for m in masses), fmpq(0))

    def gap(x):
        return profile(x, 0) - profile(x, 1)

    corners = sorted({fmpq(1)} | {x for p, q in masses if p > 0 and q > 0 for x in (p / q, q / p) if x > 1})
    meetings = [a + (b - a) * gap(a) / (gap(a) - gap(b)) for a, b in zip(corners, corners[1:]) if gap(a) * gap(b) < 0]
    return guarantee([(x, 1 - max(profile(x, 0), profile(x, 1))) for x in corners + meetings])


def _range_of(losses):
    """Exactly where all are rational numbers, else as balls; 0 where there is none."""
    if all(isinstance(loss, fmpq) for loss in losses):
        return min(losses, default=fmpq(0)), max(losses, default=fmpq(0))
    lowest = highest = ball(losses[0])
    for loss in map(ball, losses[1:]):
        lowest, highest = lowest.min(loss), highest.max(loss)
    return lowest, highest


def _exchanged(likely, unlikely, loss, alike=fmpq(0), only=fmpq(0)):
    """Two outcomes whose masses P and Q exchange, with losses of +-loss; what both have alike, and what each has alone."""
    atoms = [Atom(likely, unlikely, label=1), Atom(unlikely, likely, label=-1)] if loss != 0 else []
    if alike > 0:
        atoms.append(Atom(alike, alike, arb(0), 0))
    return Pair(atoms, only_p=ball(only), only_q=ball(only), range=(-loss, loss), spacing=loss if loss != 0 else fmpq(1))


def randomized_response(p, k):
    """One of k answers, the true one with probability p."""
    other = (1 - p) / (k - 1)
    likely, unlikely = max(p, other), min(p, other)
    if unlikely == 0:
        return _exchanged(0, 0, fmpq(0), 1 - likely, likely)
    return nothing() if p == other else _exchanged(likely, unlikely, ball(likely / unlikely).log(), (k - 2) * other)


def two_answers(rare):
    """The likelier of two answers changes; the other has this probability."""
    return _exchanged(1 - rare, rare, ((1 - rare) / rare).log())


def two_losses(loss, other):
    """Two answers whose losses these are."""
    p = (1 - ball(other).exp()) / (1 - ball(other - loss).exp())
    return Pair([Atom(p, p * (-ball(loss)).exp(), ball(loss)), Atom(1 - p, (1 - p) * (-ball(other)).exp(), ball(other))], range=(other, loss))


def two_chances(p, q):
    """Two answers of which the first one has these chances, each with the other's."""
    atoms = [Atom(p[0], q[0]), Atom(p[1], q[1])]
    return Pair(atoms, range=(atoms[1].loss, atoms[0].loss))


def approximate_dp(epsilon, delta):
    """Losses of +-epsilon and +-infinity."""
    finite, loss = ball(1 - delta), ball(epsilon)
    if epsilon == 0 or delta == 1:
        return _exchanged(0, 0, fmpq(0), 1 - delta, delta)
    return _exchanged(finite / (1 + (-loss).exp()), finite / (1 + loss.exp()), epsilon, only=delta)


MOST_OF_STEPS = 600  # outcomes

# Guarantees: the pair whose trade-off function is the largest that certain lines allow.


def guarantee(lines, loosely=False):
    """The worst pair whose trade-off function, and the inverse of it, lies nowhere below the lines beta = height - slope alpha with
    slope >= 1, nor below 0; `loosely`: or below some of them, where that is easier. Where the function is one of these lines there is
    one outcome, with Q's mass the length of alpha there and P's the fall of beta. It is its own inverse: as much of either law is left at once."""
    lines = sorted(lines, key=lambda line: -float(ball(line[0]).mid()))
    mirrored = [(1 / slope, height / slope) for slope, height in reversed(lines) if not slope == 1]
    hull = []
    for line in [*lines, *mirrored, (fmpq(0), fmpq(0))]:
        if loosely and hull and not hull[-1][0] > line[0]:  # two that may be parallel: one says enough
            continue
        while hull and _hidden(hull, line, loosely):
            hull.pop()
        hull.append(line)
    ends = [fmpq(0)] + [_meeting(one, next_one) for one, next_one in zip(hull, hull[1:])]
    atoms = []
    for (slope, _), start, end in zip(hull, ends, ends[1:]):
        length = ball(end - start)
        atoms.append(Atom(ball(slope) * length, length, ball(slope).log()))
    only = ball(1 - hull[0][1])
    return Pair(atoms, only_p=only, only_q=1 - ball(ends[-1]) if loosely else only, range=_range_of([atom.loss for atom in atoms]))


def under_points(points):
    """The worst pair of which both orders have no more than delta at each of some ratios e^epsilon, which rise. With more of them it has larger losses, and less is told at
    once, so that neither is known."""
    lines = [(fmpq(1) if ratio <= 1 else ratio, 1 - delta) for ratio, delta in points]
    pair = guarantee([line for line in lines if line[0] == 1][-1:] + [line for line in lines if line[0] > 1], loosely=True)
    pair.only_p, pair.only_q, pair.range = up_to(pair.only_p), up_to(pair.only_q), (None, None)
    return pair


def in_steps(one, steps):
    """The pair whose power function is that of `one`, atoms alone, composed so many times (docs/groups.md); its own swapped pair, or without infinite losses."""
    atoms = sorted(_joined_at_zero(one.atoms), key=lambda atom: -float(atom.loss.mid()))
    if one.dense or one.lost_p != 0 or one.lost_q != 0 or len(atoms) * steps > MOST_OF_STEPS:
        raise OutOfReach("a step of which not all outcomes are told")
    if not all(a.loss > b.loss for a, b in zip(atoms, atoms[1:])):
        raise Uncertain
    one = found = Pair(atoms, only_p=one.only_p, only_q=one.only_q, range=one.range, spacing=one.spacing)
    for _ in range(steps - 1):
        found = _one_after_another(found, one)
    return found


def _joined_at_zero(atoms):
    """Those with a loss of exactly 0, alike in both laws, as one."""
    alike = [atom for atom in atoms if atom.loss.is_zero()]
    mass = sum((atom.p for atom in alike), arb(0))
    return [atom for atom in atoms if not atom.loss.is_zero()] + ([Atom(mass, mass, arb(0), alike[0].label)] if alike else [])


def _one_after_another(first, second):
    """(P, R) of (P, M) and (M, R), whose atoms stand by falling loss. As a test that is best against R rejects as often under M as one against M does, both fill M's mass from
    the largest losses on, and outcomes are the parts that they share. A part that may be empty is left out. What P has alone R has: each pair is its own swapped one, or has nothing of that."""
    ends, told, atoms, lost_p, lost_q = [arb(0)], [second.only_p], [], arb(0), arb(0)
    for atom in first.atoms:
        ends.append(ends[-1] + atom.q)
    for atom in second.atoms:
        told.append(told[-1] + atom.p)
    only_p = first.only_p
    if not second.only_p.is_zero():
        only_p += sum((a.p / a.q * _shared(start, end, arb(0), told[0]) for a, start, end in zip(first.atoms, ends, ends[1:])), arb(0))
    for a, start, end in zip(first.atoms, ends, ends[1:]):
        for b, from_, to in zip(second.atoms, told, told[1:]):
            mass = _shared(start, end, from_, to)
            if mass > 0:
                label = None if a.label is None or b.label is None else a.label + b.label
                atoms.append(Atom(a.p / a.q * mass, b.q / b.p * mass, a.loss + b.loss, label))
            else:
                lost_p, lost_q = lost_p + (a.p / a.q * mass).upper(), lost_q + (b.q / b.p * mass).upper()
    all_told = lost_p.is_zero() and atoms
    return Pair(atoms, only_p=only_p, only_q=only_p, lost_p=lost_p, lost_q=lost_q, range=(atoms[-1].loss, atoms[0].loss) if all_told else (None, None),
                spacing=first.spacing)


def _shared(start, end, from_, to):
    """The length that two intervals have in common."""
    return (end.min(to) - start.max(from_)).nonnegative_part()


def _meeting(one, other):
    return (one[1] - other[1]) / (one[0] - other[0])


def _hidden(hull, line, loosely):
    """Whether the last line is nowhere above the others, once a flatter line is there; `loosely`: or it may be so."""
    try:
        if len(hull) == 1:
            return _compared(hull[0][1], line[1]) <= 0
        return _compared(_meeting(hull[-2], line), _meeting(hull[-2], hull[-1])) <= 0
    except Uncertain:
        if loosely:
            return True
        raise


def _compared(a, b):
    """-1, 0 or 1; numbers are compared exactly, balls as far as they tell."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return (a > b) - (a < b)
    return sign_of(ball(a) - ball(b))
