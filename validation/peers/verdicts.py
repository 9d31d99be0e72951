"""What an answer is worth, by our certified bounds of the same run."""
import math
from typing import NamedTuple


class Verdict(NamedTuple):
    text: str
    error: float | None = None  # where it holds: how far above the truth it is at most, as a part of the truth


def of_bounds(found, certified):
    """found, certified: (lower, estimate, upper) at the same points."""
    pairs = list(zip(found, certified, strict=True))
    uppers = [upper for _, _, upper in found]
    if None in uppers:
        off = max(abs(one[1] / truth[1] - 1) for one, truth in pairs)
        return Verdict(f"no bound; the estimate is off by up to {off:.1e}")
    if any(map(math.isnan, uppers)):
        return Verdict("FAILED: not a number")
    if wrong := sum(one[2] < truth[0] for one, truth in pairs):
        return Verdict("WRONG: below the truth" + of_points(wrong, pairs))
    if wrong := sum(one[0] is not None and one[0] > truth[2] for one, truth in pairs):
        return Verdict("WRONG: lower end above the truth" + of_points(wrong, pairs))
    error = max(one[2] / truth[0] - 1 for one, truth in pairs)
    return Verdict("useless: inf") if math.isinf(error) else Verdict(f"upper end {error:.1e} above", error)


def of_points(some, pairs):
    return f" at {some} of {len(pairs)} points" if len(pairs) > 1 else ""


def of_sigma(sigma, epsilon, target, missing):
    """epsilon: our bounds at that sigma; missing: a smaller sigma, which is certain to miss the target."""
    lower, _, upper = epsilon
    if lower > target:
        return Verdict(f"WRONG: epsilon is {lower / target - 1:.1e} above the target")
    if upper > target:
        return Verdict("undecided: the target is within our bounds of epsilon")
    waste = sigma / missing - 1
    below = 1 - upper / target
    return Verdict(f"holds: epsilon {below:.1e} below the target, at most {waste:.1e} more noise than needed", waste)


def without_answer(answer):
    """Where there are no bounds."""
    return Verdict("not supported: " + answer["refused"] if "refused" in answer else "FAILED: " + answer["failed"])
