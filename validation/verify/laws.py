"""The dominating pair of each type of mechanism: P with the record, Q without it, under add-remove. Their sources: docs/verify.md.

Parameters are rational numbers. `nats`: what is left out of a pair with infinitely many outcomes has mass e^-nats or less.
"""
from math import comb, log1p

from flint import acb, arb, fmpq, fmpz

from enclosure import OutOfReach, Uncertain, ball, up_to
from pairs import Atom, Pair, Piece, sign_of_difference

MOST_ATOMS = 400_000
FAR_APART = 100_000  # standard deviations between two laws that are as good as disjoint


def normal_tail(x):
    return (x / arb(2).sqrt()).erfc() / 2


def nothing():
    return Pair([Atom(1, 1, 0, 0)], range=(fmpq(0), fmpq(0)), spacing=fmpq(1))


# Noise with a density f, moved by a shift: q = f(x), p = f(x - shift).


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


def _moved(at, tail, shift, nats, strip=None, highest=None):
    """Noise on the whole line, of this tail at x > 0; the loss is 0 half way."""
    reach = _reach(tail, nats)
    piece = Piece(-reach, reach + ball(shift), at, ball(shift) / 2, strip)
    lost = 2 * tail(reach)
    return Pair(pieces=[piece], lost_p=lost, lost_q=lost, range=(None if highest is None else -highest, highest))


def _log_normal_density(x):
    return -(x * x + (2 * arb.pi()).log()) / 2


def gaussian(mu, nats):
    return gaussian_mixture([mu], [1], nats)


def gaussian_or_apart(mu, nats):
    """Of far apart centres two outcomes, each law's own one and the rest of it at the other's. With no rest the pair dominates, with all that is beyond
    the middle it is dominated, as outcomes are told apart no further; so that what noise has is in the balls."""
    if not ball(mu) > FAR_APART:
        return gaussian(mu, nats)
    rest = up_to(normal_tail(ball(mu) / 2))
    return Pair([Atom(1 - rest, rest, 1), Atom(rest, 1 - rest, -1)])


def gaussian_mixture(shifts, weights, nats):
    """The mixture of the N(shift, 1) of these weights against N(0, 1), shifts >= 0. The ratio of densities at x + i y is a sum of terms
    with arguments from 0 to y times the largest shift, so that its own is one of those."""
    parts = [(ball(shift), ball(weight)) for shift, weight in zip(shifts, weights)]
    top = max((shift for shift, _ in parts), key=lambda shift: float(shift.mid()))
    single = len(parts) == 1

    def at(x):
        terms = [shift * x - shift * shift / 2 for shift, _ in parts]
        loss = terms[0] if single else sum((w * term.exp() for term, (_, w) in zip(terms, parts)), acb(0)).log(analytic=True)
        return _log_normal_density(x), loss

    pair = _moved(at, normal_tail, top, nats, arb.pi() / (2 * top))
    at_zero = sum((weight for shift, weight in parts if shift.is_zero()), arb(0))
    pair.range = (at_zero.log() if at_zero > 0 else None, None)
    return pair


def logistic(shift, nats):
    """f = e^-x / (1 + e^-x)^2. At x + i y with y <= pi / 2 the loss has the imaginary part 2 arg cosh((x + i y) / 2) less the same of
    x - shift, and arg cosh(u + i v) rises with u, from -v to v."""
    s = ball(shift)

    def softplus(x):
        return (1 + x.exp()).log(analytic=True)

    def at(x):  # in the form that does not cancel
        if x.real.mid() > s / 2:
            near = softplus(-x)
            return -x - 2 * near, s + 2 * near - 2 * softplus(s - x)
        far = softplus(x)
        return x - 2 * far, 2 * far - s - 2 * softplus(x - s)

    return _moved(at, lambda x: 1 / (1 + x.exp()), shift, nats, arb.pi() / 2, shift)


def sinh_normal(a, shift, nats):
    """a arsinh(N(0, 1) / a). The difference of two squares of sinh is a product.

    At x + i y its imaginary part is (a^2 / 2) sinh(s / a) cosh((2 x - s) / a) sin(2 y / a) >= a s sin(y / a) cos(y / a); arg cosh(x / a)
    rises with x at most at the rate tan(y / a) / a, so that the loss has one above 0 as long as cos(y / a) >= 1 / a."""
    a, s = ball(a), ball(shift)

    def log_cosh(x):
        return (x / a).cosh().log(analytic=True)

    def at(x):
        growth = a * a / 2 * ((2 * x - s) / a).sinh() * (s / a).sinh()
        return log_cosh(x) + _log_normal_density(a * (x / a).sinh()), growth + log_cosh(x - s) - log_cosh(x)

    pair = _moved(at, lambda x: normal_tail(a * (x / a).sinh()), shift, nats)
    piece, = pair.pieces
    steepest = a * (s / a).sinh() * ((2 * piece.high + s) / a).cosh()  # as far to the left as to the right
    if a > 1:
        piece.strip = (a * (1 / a).acos()).min(arb.pi() / steepest)
    return pair


def generalized(shape, shift, nats):
    """f proportional to e^(-|x|^shape), analytic but at the two centres, 0 and shift. Outcomes on one side of one are told by the
    logarithm of their distance from it, in which everything is analytic; what lies within e^-nats / 8 of a centre is left out."""
    p, s = ball(shape), ball(shift)
    scale = (2 * (1 + 1 / p).gamma()).log()

    def tail(x):
        return (x**p).gamma_upper(1 / p, regularized=1) / 2

    def outer(side):
        """Beyond both centres: of the distances own and own + s one is from 0, the other from shift."""
        def at(v):
            own, distance = (p * side * v).exp(), (side * v).exp()
            if distance.real.mid() > s:  # in the form that does not cancel
                more = own * ((1 + s / distance).pow(acb(p), analytic=True) - 1)
            else:
                more = (s + distance).pow(acb(p), analytic=True) - own
            return side * v - scale - own - (more if side > 0 else 0), side * more
        return at

    def inner(side):
        def at(v):
            own, other = (p * side * v).exp(), (s - (side * v).exp()).pow(acb(p), analytic=True)
            return side * v - scale - (own if side > 0 else other), side * (own - other)
        return at

    # The distance is e^v to the right of a centre and e^-v to the left of it, so that the outcome rises with v.
    # Turned by an angle y, each loss is an integral of p |distance|^(p - 1) over a length s, turned by at most (p - 1) y or, inside, p y.
    reach, near = _reach(tail, nats), arb(nats + 3)
    far, middle = reach.log(), (s / 2).log()
    outside = arb.pi() / (p * (1 + s * (reach + s) ** (p - 1) * (p - 1)))
    inside = arb.pi() / (2 * p * (1 + s**p))
    pieces = [Piece(-far, near, outer(-1), near, outside), Piece(-near, middle, inner(1), near, inside),
              Piece(-middle, near, inner(-1), -middle, inside), Piece(-near, far, outer(1), -near, outside)]
    lost = 2 * tail(reach) + 4 * (-near).exp()
    return Pair(pieces=pieces, lost_p=lost, lost_q=lost)


def laplace(shift, nats):
    """Scale 1. All outcomes on the far side of either centre have one loss. Farther than `reach` from both each law has e^-reach / 2 or less."""
    s, reach = ball(shift), arb(nats)
    atoms = [Atom((-s).exp() / 2, arb(0.5), -1), Atom(arb(0.5), (-s).exp() / 2, 1)]
    if not s > 2 * reach:
        return Pair(atoms, [_laplace_between(arb(0), s, s, arb(2))], range=(-shift, shift))
    pieces = [_laplace_between(arb(0), reach, s, arb(2)), _laplace_between(s - reach, s, s, arb(2))]
    pieces[0].zero, pieces[1].zero = pieces[0].high, pieces[1].low
    lost = (-reach).exp() / 2
    return Pair(atoms, pieces, lost_p=lost, lost_q=lost, range=(-shift, shift))


def _laplace_between(low, high, s, scale):
    return Piece(low, high, lambda x: (-x - scale.log(), 2 * x - s), s / 2, arb.pi() / 4)


def truncated_laplace(bound, shift, nats=0):
    """Laplace noise of scale 1 conditioned on |x| <= bound."""
    s, b = ball(shift), ball(bound)
    if shift >= 2 * bound:
        return Pair(only_p=1, only_q=1, range=(fmpq(0), fmpq(0)))
    scale = 2 * (1 - (-b).exp())  # f = e^-|x| / scale
    low, high = (arb(0), s) if shift <= bound else (s - b, b)
    atoms = []
    if shift < bound:
        far = (1 - (s - b).exp()) / scale
        atoms = [Atom((-s).exp() * far, far, -1), Atom(far, (-s).exp() * far, 1)]
        only = ((s - b).exp() - (-b).exp()) / scale
        highest = shift
    else:
        only = 1 - ((b - s).exp() - (-b).exp()) / scale
        highest = 2 * bound - shift
    return Pair(atoms, [_laplace_between(low, high, s, scale)], only, only, range=(-highest, highest))


def bounded_range(length):
    """The pair that dominates all pairs of two losses t and t - length: P's density of the loss z is e^(-(length - z) / 2) over
    2 (1 - e^-length), Q's the same of -z."""
    ends = ball(length)
    scale = (2 * (1 - (-ends).exp())).log()
    piece = Piece(-ends, ends, lambda x: (-(ends + x) / 2 - scale, x), arb(0), arb.pi() / 2)
    return Pair(pieces=[piece], range=(-length, length))


# The opposite pair: what a Poisson sample makes of noise that a record moves by s in one data set and by -s in the other,
# P = (1 - rate) f(x) + rate f(x - s), Q the same with f(x + s) (docs/poisson_replace_one.md, for symmetric log-concave noise). With l the loss of x where f moves by s, Q has f(x) times mixed(l(-x)), and the loss is log mixed(l(x)) less
# log mixed(l(-x)), mixed(l) = 1 - rate + rate e^l. The pair is its own mirror image.


def _log_mixed(rate):
    return lambda loss: (1 - rate + rate * loss.exp()).log(analytic=True)


def _opposite_range(highest, rate):
    if highest is None:
        return None, None
    log_mixed = _log_mixed(rate)
    most = (log_mixed(acb(highest)) - log_mixed(-acb(highest))).real
    return -most, most


def opposite(moved, rate):
    """From the pair (f moved, f) of noise with one piece on the whole line."""
    piece, = moved.pieces
    log_mixed = _log_mixed(rate)

    def at(x):
        (log_q, right), (_, left) = piece.at(x), piece.at(-x)
        return log_q + log_mixed(left), log_mixed(right) - log_mixed(left)

    highest = None if moved.range[1] is None else ball(moved.range[1])
    return Pair(pieces=[Piece(-piece.high, piece.high, at, arb(0), piece.strip)], lost_p=moved.lost_p, lost_q=moved.lost_q,
                range=_opposite_range(highest, rate))


def _with_mirror(atoms, pieces, lost, range):
    """The outcomes x > 0 and their mirror images."""
    return Pair([*atoms, *(a.swapped() for a in atoms)], [*pieces, *(p.swapped() for p in pieces)], lost_p=lost, lost_q=lost, range=range)


def opposite_laplace(shift, rate):
    """Scale 1; all x >= shift have one loss, and l is -shift for x <= 0."""
    s, log_mixed = ball(shift), _log_mixed(rate)
    left = log_mixed(-acb(s))
    far_p, far_q = ((1 - rate) * (-s).exp() + rate) / 2, ((1 - rate) * (-s).exp() + rate * (-2 * s).exp()) / 2

    def at(x):
        return -x - arb(2).log() + left, log_mixed(2 * x - s) - left

    return _with_mirror([Atom(far_p, far_q, 1)], [Piece(arb(0), s, at, arb(0), arb.pi() / 4)], 0, _opposite_range(s, rate))


def opposite_truncated_laplace(bound, shift, rate):
    """Of x >= 0: those up to bound - shift have both laws' moved noise, the others up to bound P's alone; where shift is larger, both
    have none up to shift - bound. Then come those that P alone has."""
    s, b, log_mixed = ball(shift), ball(bound), _log_mixed(rate)
    scale, common, moved_from = 2 * (1 - (-b).exp()), ball(bound - shift), max(shift - bound, fmpq(0))
    if shift >= 2 * bound:
        still = 1 - rate
        return Pair([Atom(still, still, 0)], only_p=rate, only_q=rate, range=(fmpq(0), fmpq(0)))

    def between(low, high):
        return ((-ball(low)).exp() - (-ball(high)).exp()) / scale

    def part(low, high, mixed_left):
        """Outcomes from low to high, where Q has f times mixed_left: with the moved noise they rise to shift."""
        atoms, pieces, log_left = [], [], mixed_left.log()
        if max(low, shift) < high:
            flat = between(max(low, shift), high)
            atoms.append(Atom(flat * (1 - rate + rate * s.exp()), flat * mixed_left, 1))
        if low < min(high, shift):
            def at(x):
                return -x - scale.log() + log_left, log_mixed(2 * x - s) - log_left
            pieces.append(Piece(ball(low), ball(min(high, shift)), at, arb(0), arb.pi() / 4))
        return atoms, pieces

    near = part(fmpq(0), bound - shift, 1 - rate + rate * (-s).exp()) if shift < bound else ([], [])
    far = part(max(bound - shift, moved_from), bound, 1 - rate)
    # P alone: the moved noise beyond bound, which is X beyond bound - shift, at or below 0 where shift is larger.
    alone = rate * (between(bound - shift, bound) if shift < bound else 1 - between(shift - bound, bound))
    top = ((1 - rate + rate * s.exp()) / (1 - rate)).log()
    pair = _with_mirror([*near[0], *far[0]], [*near[1], *far[1]], 0, (-top, top))
    pair.only_p = pair.only_q = alone
    if moved_from > 0:
        still = (1 - rate) * 2 * between(0, moved_from)
        pair.atoms.append(Atom(still, still, 0))
    return pair


def opposite_generalized(shape, shift, rate, nats):
    """f proportional to e^(-|x|^shape); by the logarithms of the distances from 0 and from shift, as in `generalized`."""
    p, s, log_mixed = ball(shape), ball(shift), _log_mixed(rate)
    scale, near = (2 * (1 + 1 / p).gamma()).log(), arb(nats + 3)

    def tail(x):
        return (x**p).gamma_upper(1 / p, regularized=1) / 2

    def power(x):
        return x.pow(acb(p), analytic=True)

    def growth(distance, own):
        """|distance + s|^p less |distance|^p, which is `own`; in the form that does not cancel."""
        return own * (power(1 + s / distance) - 1) if distance.real.mid() > s else power(s + distance) - own

    def outcome(jacobian, own, right, x):
        left = log_mixed(-growth(x, own))
        return jacobian - scale - own + left, log_mixed(right) - left

    def by_zero(v):
        x, own = v.exp(), (p * v).exp()
        return outcome(v, own, own - power(s - x), x)

    def before_shift(v):
        x = s - (-v).exp()
        return outcome(-v, power(x), power(x) - (-p * v).exp(), x)

    def behind_shift(v):
        distance, near_power = v.exp(), (p * v).exp()
        right = growth(distance, near_power)
        return outcome(v, near_power + right, right, s + distance)

    reach, middle = _reach(tail, nats), (s / 2).log()
    pieces = [Piece(-near, middle, by_zero, -near), Piece(-middle, near, before_shift, -middle),
              Piece(-near, reach.log(), behind_shift, -near)]
    return _with_mirror([], pieces, 2 * tail(reach) + 6 * (-near).exp(), (None, None))


def opposite_on_integers(mass, reach, shift, rate, lost, highest=None):
    """Of masses at whole numbers; all x from `reach` on are left out, or have one loss where it is the highest one."""
    def sides(x):
        return ((1 - rate) * mass(x) + rate * mass(abs(x - shift)), (1 - rate) * mass(x) + rate * mass(x + shift))

    here = sides(0)[0]
    pair = _with_mirror([Atom(*sides(x), 1) for x in range(1, reach)], [], lost, _opposite_range(highest, rate))
    pair.atoms.append(Atom(here, here, 0))
    return pair


def opposite_discrete_laplace(a, shift, rate):
    shift, fall = int(shift), ball(a)
    if shift > MOST_ATOMS:
        raise OutOfReach(f"a discrete Laplace law of {shift} losses, more than {MOST_ATOMS}")
    ratio = (-fall).exp()

    def mass(x):
        return (1 - ratio) / (1 + ratio) * ratio**x

    pair = opposite_on_integers(mass, shift, shift, rate, arb(0), shift * fall)
    far = [sum(w * ratio**d for w, d in ((1 - rate, shift), (rate, d))) / (1 + ratio) for d in (0, 2 * shift)]
    atom = Atom(*far, 1)
    pair.atoms += [atom, atom.swapped()]
    return pair


# A group's pair on a Poisson sample, each of the k records drawn by itself: P = sum w_j (X + j s) with w_j = C(k,j) q^j (1-q)^(k-j), against
# Q = X where the group is removed, against sum w_j (X - j s) where it is replaced (docs/groups.md, for log-concave noise on the whole line,
# symmetric where the group is replaced).


def chances(group, rate):
    return [ball(comb(group, j) * rate**j * (1 - rate) ** (group - j)) for j in range(group + 1)]


def mixed(moved, weights, replaced):
    """`moved`: the pairs (f moved by j s, f), j = 1, ..., k, of noise with one piece on the whole line. At x + i y the loss of a move has an
    imaginary part that grows with the move, and the mixture's is between 0 and that of the largest."""
    pieces, last = [pair.pieces[0] for pair in moved], moved[-1].pieces[0]

    def log_mixed(x):
        terms = [weight * piece.at(x)[1].exp() for weight, piece in zip(weights[1:], pieces)]
        return sum(terms, acb(weights[0])).log(analytic=True)

    def removed(x):
        return last.at(x)[0], log_mixed(x)

    def opposite_moves(x):
        left = log_mixed(-x)
        return last.at(x)[0] + left, log_mixed(x) - left

    piece = Piece(-last.high if replaced else last.low, last.high, opposite_moves if replaced else removed, None, last.strip)
    lowest, highest = (None if moved[-1].range[end] is None else _log_mean(weights, [pair.range[end] for pair in moved]) for end in (0, 1))
    if not replaced:
        ends = weights[0].log() if lowest is None else lowest, highest
    else:
        ends = (None, None) if highest is None else (lowest - highest, highest - lowest)
    return Pair(pieces=[piece], lost_p=moved[-1].lost_p, lost_q=moved[-1].lost_q, range=ends)


def _log_mean(weights, losses):
    return sum((weight * ball(loss).exp() for weight, loss in zip(weights[1:], losses)), weights[0]).log()


def _centres(shift, weights, replaced):
    """Where P's and Q's noise is moved to, and with which weights."""
    right = [(j * shift, weight) for j, weight in enumerate(weights)]
    return right, [(-centre, weight) for centre, weight in right] if replaced else [(fmpq(0), arb(1))]


def mixed_laplace(shift, weights, replaced):
    """Scale 1. Between neighbouring centres each density is A e^x + B e^-x, with A / B larger in P as the loss rises: at x + i y its argument is
    that of P less that of Q, both from -y to y."""
    laws = _centres(shift, weights, replaced)
    ends = sorted({centre for law in laws for centre, _ in law})

    def tail(law, end):
        return sum((weight * (-ball(abs(end - centre))).exp() for centre, weight in law), arb(0)) / 2

    def log_density(law, low, high):
        rising = sum((weight * (-ball(centre)).exp() for centre, weight in law if centre >= high), arb(0)) / 2
        falling = sum((weight * ball(centre).exp() for centre, weight in law if centre <= low), arb(0)) / 2
        return lambda x: (rising * x.exp() + falling * (-x).exp()).log(analytic=True)

    def between(low, high):
        log_p, log_q = (log_density(law, low, high) for law in laws)
        return Piece(ball(low), ball(high), lambda x: (log_q(x), log_p(x) - log_q(x)), None, arb.pi() / 4)

    atoms = [Atom(*(tail(law, end) for law in laws), sign) for end, sign in ((ends[0], -1), (ends[-1], 1))]
    return Pair(atoms, [between(low, high) for low, high in zip(ends, ends[1:])], range=(atoms[0].loss, atoms[1].loss))


def _log_sum(terms):
    """log of a sum of weight e^x, exactly of one."""
    if len(terms) == 1:
        (weight, x), = terms
        return weight.log() + x
    return sum((weight * x.exp() for weight, x in terms), acb(0)).log(analytic=True)


def mixed_generalized(shape, shift, weights, replaced, nats):
    """f proportional to e^(-|x|^shape), by the logarithms of the distances from the nearest centre, as in `generalized`."""
    p, laws = ball(shape), _centres(shift, weights, replaced)
    scale, ends = (2 * (1 + 1 / p).gamma()).log(), sorted({centre for law in laws for centre, _ in law})

    def tail(x):
        return (x**p).gamma_upper(1 / p, regularized=1) / 2

    def power(x):
        return x.pow(acb(p), analytic=True)

    def beside(centre, side):
        """Outcomes at a distance to this side of a centre, e^v or e^-v, which let the outcome rise with v."""
        gaps = {other: ball(abs(other - centre)) for other in ends}

        def at(v):
            distance, own = (side * v).exp(), (p * side * v).exp()

            def ahead(other):
                """The distance's power less that from another centre; in the form that does not cancel."""
                gap = gaps[other]
                if other == centre:
                    return acb(0)
                if (other > centre) == (side > 0):
                    return own - power(gap - distance)
                return own * (1 - power(1 + gap / distance)) if distance.real.mid() > gap else own - power(gap + distance)

            from_zero = ahead(fmpq(0))
            losses = {other: ahead(other) - from_zero if other else acb(0) for other in ends}  # of the noise moved there against itself
            log_p, log_q = (_log_sum([(weight, losses[other]) for other, weight in law]) for law in laws)
            return side * v - scale - own + from_zero + log_q, log_p - log_q
        return at

    reach, near = _reach(tail, nats), arb(nats + 3) + arb(len(ends)).log()
    pieces = [Piece(-reach.log(), near, beside(ends[0], -1)), Piece(-near, reach.log(), beside(ends[-1], 1))]
    for one, other in zip(ends, ends[1:]):
        middle = (ball(other - one) / 2).log()
        pieces += [Piece(-near, middle, beside(one, 1)), Piece(-middle, near, beside(other, -1))]
    lost = 2 * tail(reach) + 2 * len(ends) * (-near).exp()
    return Pair(pieces=pieces, lost_p=lost, lost_q=lost, range=(None if replaced else weights[0].log(), None))


def mixed_on_integers(mass, outcomes, shift, weights, replaced, lost):
    """Of masses at whole numbers, those at the outcomes."""
    laws = _centres(int(shift), weights, replaced)

    def mixture(law, x):
        return sum((weight * mass(x - int(centre)) for centre, weight in law), arb(0))

    lowest = None if replaced else weights[0].log()
    return Pair([Atom(*(mixture(law, x) for law in laws)) for x in outcomes], lost_p=lost, lost_q=lost, range=(lowest, None))


def mixed_discrete_laplace(a, shift, weights, replaced):
    """All outcomes beyond the last centre on either side have one loss."""
    ratio, laws = (-ball(a)).exp(), _centres(int(shift), weights, replaced)
    low, high = (int(extreme(centre for law in laws for centre, _ in law)) for extreme in (min, max))
    if high - low > MOST_ATOMS:
        raise OutOfReach(f"a discrete Laplace law of {high - low} losses, more than {MOST_ATOMS}")
    pair = mixed_on_integers(lambda x: (1 - ratio) / (1 + ratio) * ratio ** abs(x), range(low + 1, high), shift, weights, replaced, arb(0))
    tails = [Atom(*(sum((weight * ratio ** abs(end - int(centre)) for centre, weight in law), arb(0)) / (1 + ratio) for law in laws), sign)
             for end, sign in ((low, -1), (high, 1))]
    return Pair([*pair.atoms, *tails], range=(tails[0].loss, tails[1].loss))


def mixed_discrete_gaussian(sigma, shift, weights, replaced, nats):
    far = int(shift) * (len(weights) - 1)
    mass, reach, outside = _gaussian_masses(sigma, far, nats)
    return mixed_on_integers(mass, range(-reach - far * replaced, reach + far + 1), shift, weights, replaced, outside)


def mixed_poisson_difference(plus, minus, shift, weights, replaced, nats):
    far = int(shift) * (len(weights) - 1)
    masses, lowest, highest, lost = _poisson_masses(plus, minus, 2 * far + 1, nats)
    return mixed_on_integers(masses.__getitem__, range(lowest - far * replaced, highest + far + 1), shift, weights, replaced, lost)


# Finitely many outcomes.


def normalized(masses):
    p_total, q_total = (sum((m[i] for m in masses), fmpq(0)) for i in (0, 1))
    return [(p / p_total, q / q_total) for p, q in masses]


def of_masses(masses):
    """Outcomes by their masses (p, q), rational numbers that are proportional to the probabilities."""
    atoms, only_p, only_q = [], fmpq(0), fmpq(0)
    for p, q in normalized(masses):
        if p > 0 and q > 0:
            atoms.append(Atom(ball(p), ball(q), (p > q) - (p < q)))
        only_p += p if q == 0 else 0
        only_q += q if p == 0 else 0
    return Pair(atoms, only_p=ball(only_p), only_q=ball(only_q), range=_range_of(atoms))


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


def _range_of(atoms):
    """As balls; 0 where there is no atom."""
    losses = [a.loss for a in atoms] or [arb(0)]
    lowest = highest = losses[0]
    for loss in losses[1:]:
        lowest, highest = lowest.min(loss), highest.max(loss)
    return lowest, highest


def randomized_response(p, k):
    """One of k answers, the true one with probability p."""
    other = (1 - p) / (k - 1)
    if p == 0 or p == 1:
        rest = (k - 2) * other
        atoms = [Atom(ball(rest), ball(rest), 0)] if rest > 0 else []
        return Pair(atoms, only_p=ball(1 - rest), only_q=ball(1 - rest), range=(fmpq(0), fmpq(0)))
    sign = (p > other) - (p < other)
    true, false = ball(p), ball(other)
    atoms = [Atom(true, false, sign, sign), Atom(false, true, -sign, -sign)] if sign else [Atom(2 * true, 2 * true, 0, 0)]
    if k > 2:
        atoms.append(Atom((k - 2) * false, (k - 2) * false, 0, 0))
    largest = abs((true / false).log()) if sign else fmpq(0)
    return Pair(atoms, range=(-largest, largest), spacing=abs((true / false).log()) if sign else fmpq(1))


def two_answers(rare):
    """The likelier of two answers changes; the other has this probability."""
    largest = ((1 - rare) / rare).log()
    return Pair([Atom(1 - rare, rare, 1, 1), Atom(rare, 1 - rare, -1, -1)], range=(-largest, largest), spacing=largest)


def approximate_dp(epsilon, delta):
    """Losses of +-epsilon and +-infinity."""
    finite, loss = ball(1 - delta), ball(epsilon)
    if delta == 1:
        atoms = []
    elif epsilon == 0:
        atoms = [Atom(finite, finite, 0, 0)]
    else:
        likely, unlikely = finite / (1 + (-loss).exp()), finite / (1 + loss.exp())
        atoms = [Atom(likely, unlikely, 1, 1), Atom(unlikely, likely, -1, -1)]
    return Pair(atoms, only_p=ball(delta), only_q=ball(delta), range=(-epsilon, epsilon) if atoms else (fmpq(0), fmpq(0)),
                spacing=epsilon if epsilon > 0 else fmpq(1))


def discrete_laplace(a, shift):
    """Mass proportional to e^(-a |x|) about shift and about 0. All x <= 0 have the loss -shift a, all x >= shift the opposite."""
    shift = int(shift)
    if shift > MOST_ATOMS:
        raise OutOfReach(f"a discrete Laplace law of {shift} losses, more than {MOST_ATOMS}")
    ratio = (-ball(a)).exp()
    near, far = 1 / (1 + ratio), ratio**shift / (1 + ratio)
    atoms = [Atom(far, near, -1, -shift), Atom(near, far, 1, shift)]
    powers = [(1 - ratio) / (1 + ratio)]
    for _ in range(1, shift):
        powers.append(powers[-1] * ratio)
    for x in range(1, shift):
        atoms.append(Atom(powers[shift - x], powers[x], (2 * x > shift) - (2 * x < shift), 2 * x - shift))
    return Pair(atoms, range=(-a * shift, a * shift), spacing=a)


def _gaussian_masses(sigma, shift, nats):
    """Proportional to e^(-x^2 / (2 sigma^2)): a function of |x| up to reach + 2 shift, the reach, and what lies beyond that."""
    scale = ball(1 / (2 * sigma * sigma))
    # The masses beyond x are at most those of a geometric series.
    reach = int((2 * ball(sigma * sigma) * arb(nats + 30)).sqrt().upper().floor().unique_fmpz())
    if 2 * reach + shift > MOST_ATOMS:
        raise OutOfReach(f"a discrete Gaussian law of {2 * reach + shift} outcomes, more than {MOST_ATOMS}")

    def weight(x):
        return (-scale * (x * x)).exp()

    weights = [weight(x) for x in range(reach + 2 * shift + 1)]
    outside = 2 * weight(reach + 1) / (1 - weight(reach + 1) / weight(reach))
    total = 2 * sum(weights[1 : reach + 1], arb(0)) + weights[0] + arb(0).union(outside)
    return lambda x: weights[abs(x)] / total, reach, outside / total


def discrete_gaussian(sigma, shift, nats):
    """The loss is proportional to 2 x - shift."""
    shift = int(shift)
    mass, reach, outside = _gaussian_masses(sigma, shift, nats)
    return _integer_atoms(mass, range(-reach, reach + shift + 1), shift, outside, lambda x: (2 * x > shift) - (2 * x < shift),
                          spacing=fmpq(shift) / (2 * sigma * sigma))


def opposite_discrete_gaussian(sigma, shift, rate, nats):
    shift = int(shift)
    mass, reach, outside = _gaussian_masses(sigma, shift, nats)
    return opposite_on_integers(mass, reach + shift + 1, shift, rate, outside)


def _integer_atoms(mass, outcomes, shift, lost, sign, spacing=None):
    """The noise moved by shift against the noise; with a spacing, the loss of x is that times 2 x - shift."""
    atoms = [Atom(mass(x - shift), mass(x), sign(x), None if spacing is None else 2 * x - shift) for x in outcomes]
    return Pair(atoms, lost_p=lost, lost_q=lost, spacing=spacing)


def _poisson_masses(plus, minus, margin, nats):
    """Of the difference of two Poisson variables of these means, e^(-plus - minus) (plus / minus)^(x / 2) I_x(2 sqrt(plus minus)), from
    lowest - margin to highest + margin, the two, and what lies beyond them. I_(n-1) = I_(n+1) + (2 n / z) I_n gives all from the last
    two, by sums of positive terms."""
    mean, spread = float(plus - minus), float(plus + minus)
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
    return masses, lowest, highest, _log_concave_tail(masses, lowest - 1, -1) + _log_concave_tail(masses, highest + 1, 1)


def poisson_difference(plus, minus, shift, nats):
    shift = int(shift)
    masses, lowest, highest, lost = _poisson_masses(plus, minus, shift + 1, nats)
    symmetric = plus == minus

    def sign(x):  # a symmetric mass falls with |x|
        return (2 * x > shift) - (2 * x < shift) if symmetric else None

    return _integer_atoms(masses.__getitem__, range(lowest, highest + shift + 1), shift, lost, sign)


def opposite_skellam(mean, shift, rate, nats):
    shift = int(shift)
    masses, _, highest, lost = _poisson_masses(mean, mean, 2 * shift + 1, nats)
    return opposite_on_integers(masses.__getitem__, highest + shift + 1, shift, rate, lost)


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


def integer_noise(masses, shift):
    """Noise of these masses at consecutive integers, moved by shift."""
    none = [fmpq(0)] * min(int(shift), len(masses))
    return of_masses(list(zip(none + masses, masses + none)))


def opposite_integer_noise(masses, shift, rate):
    """Of symmetric masses."""
    none, total = [fmpq(0)] * min(int(shift), len(masses)), sum(masses, fmpq(0))
    outcomes = zip(none + none + masses, none + masses + none, masses + none + none)
    atoms, alone = [], arb(0)
    for right, still, left in outcomes:
        p, q = ((1 - rate) * still + rate * right) / total, ((1 - rate) * still + rate * left) / total
        if still > 0 or (left > 0 and right > 0):
            atoms.append(Atom(p, q, (right > left) - (right < left)))
        elif right > 0:
            alone += p
    return Pair(atoms, only_p=alone, only_q=alone, range=_range_of(atoms))


def heads_of_coins(coins, heads):
    masses, ways = [], fmpz(1)
    for x in range(int(coins) + 1):
        masses.append(ways * heads**x * (1 - heads) ** (int(coins) - x))
        ways = ways * (int(coins) - x) // (x + 1)
    return masses


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
        atoms.append(Atom(ball(slope) * length, length, _compared(slope, fmpq(1)), loss=ball(slope).log()))
    only = 1 - ball(hull[0][1])
    return Pair(atoms, only_p=only, only_q=1 - ball(ends[-1]) if loosely else only, range=_range_of(atoms))


def under_points(points):
    """The worst pair of which both orders have no more than delta at each of some ratios e^epsilon, which rise. With more of them it has larger losses, and less is told at
    once, so that neither is known."""
    lines = [(fmpq(1) if ratio <= 1 else ratio, 1 - delta) for ratio, delta in points]
    pair = guarantee([line for line in lines if line[0] == 1][-1:] + [line for line in lines if line[0] > 1], loosely=True)
    pair.only_p, pair.only_q, pair.range = up_to(pair.only_p), up_to(pair.only_q), (None, None)
    return pair


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
    return sign_of_difference(ball(a), ball(b))
