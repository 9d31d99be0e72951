"""A pair in finitely many outcomes, from above and from below: its pieces are cut into cells. What has an outcome told apart no
further than to its cell is dominated; a cell whose mass lies at the two ends of its losses dominates, as merging both gives it back;
so does one whose loss is raised."""
import bisect

from flint import arb

from cells import cell_masses
from enclosure import precision
from pairs import Atom, Pair

SAMPLES = 1000
NARROW = arb(2) ** -40  # losses that are one


def above(pair, following):
    """`following(loss)`: where the next cut may be after a loss, in doubles."""
    atoms, vague = _told(pair.atoms)
    for piece in pair.pieces:
        ends, masses = cell_masses(piece, _cuts(piece, following))
        losses = [piece.loss(x) for x in (piece.low, *ends[1:-1], piece.high)]
        at_ends = [arb(0)] * len(ends)
        for i, (q, p) in enumerate(masses):
            low, high = losses[i], losses[i + 1]
            up = (p - q * low.exp()) / -(low - high).expm1() if high - low > NARROW else p
            at_ends[i] += p - up
            at_ends[i + 1] += up
        atoms += [Atom(p, p * (-loss).exp(), loss=loss) for p, loss in zip(at_ends, losses)]
    only_p, only_q = (sum((getattr(a, law) for a in vague), start) for law, start in (("p", pair.only_p), ("q", pair.only_q)))
    return Pair(atoms, only_p=only_p, only_q=only_q, lost_p=pair.lost_p, lost_q=pair.lost_q)


def below(pair, following):
    atoms = _told(pair.atoms)[0]
    for piece in pair.pieces:
        masses = cell_masses(piece, _cuts(piece, following))[1]
        atoms += [Atom(p, q) for q, p in masses if p > 0 and q > 0]
    return Pair(atoms, only_p=pair.only_p, only_q=pair.only_q)


def _told(atoms):
    """Those of a loss that is known, and the others, whose masses are next to 0: they dominate as two outcomes, of which each law has one."""
    return [a for a in atoms if a.loss.rad() < NARROW], [a for a in atoms if not a.loss.rad() < NARROW]


def _cuts(piece, following):
    """Places at about these losses: by interpolation in doubles, as any will do."""
    low, high = float(piece.low.mid()), float(piece.high.mid())
    places = [low + (high - low) * i / SAMPLES for i in range(SAMPLES + 1)]
    with precision(64):
        losses = [float(piece.loss(arb(x)).mid()) for x in places]
    cuts, loss = [], losses[0]
    while (loss := following(loss)) < losses[-1]:
        i = min(max(bisect.bisect_left(losses, loss), 1), SAMPLES)
        rise = losses[i] - losses[i - 1]
        x = places[i] if rise <= 0 else places[i - 1] + (places[i] - places[i - 1]) * min(1.0, (loss - losses[i - 1]) / rise)
        if low < x < high and not (cuts and cuts[-1] >= x):
            cuts.append(x)
    return [arb(x) for x in cuts]
