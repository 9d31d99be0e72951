"""For which parameters a mechanism exists: an answer about any others is refused."""
from flint import fmpq

POSITIVE = (lambda x: x > 0), "> 0"
AT_LEAST_ZERO = (lambda x: x >= 0), ">= 0"
AT_LEAST_ONE = (lambda x: x >= 1), ">= 1"
ABOVE_ONE = (lambda x: x > 1), "> 1"
SHARE = (lambda x: 0 <= x <= 1), "from 0 to 1"
WHOLE = (lambda x: x.q == 1 and x >= 1), "a whole number >= 1"
ANSWERS = (lambda x: x.q == 1 and x >= 2), "a whole number >= 2"

# Of each number, and of each one of a list.
OF_PARAMETERS = {
    "sigma": POSITIVE, "scale": POSITIVE, "sensitivity": POSITIVE, "replace_sensitivity": POSITIVE, "shape": AT_LEAST_ONE, "a": POSITIVE,
    "bound": POSITIVE, "variance": POSITIVE,
    "plus": POSITIVE, "minus": POSITIVE, "p": SHARE, "q": SHARE, "k": ANSWERS, "n": WHOLE, "epsilon": AT_LEAST_ZERO, "delta": SHARE,
    "rho": POSITIVE, "xi": AT_LEAST_ZERO, "omega": ABOVE_ONE, "masses": AT_LEAST_ZERO, "shifts": AT_LEAST_ZERO, "weights": POSITIVE,
    "epsilons": AT_LEAST_ZERO, "deltas": SHARE, "orders": ABOVE_ONE, "alphas": SHARE, "betas": SHARE}
OF_INTEGER_NOISE = {"sensitivity": WHOLE, "replace_sensitivity": WHOLE}
CELLS = (lambda x: x.q == 1 or 1 < x < fmpq(3, 2)), "a whole number, or sqrt(2)"
OF_SELECTION = {"epsilon": POSITIVE}
OF_TYPES = {"discrete-laplace": OF_INTEGER_NOISE, "discrete-gaussian": {**OF_INTEGER_NOISE, "replace_sensitivity": CELLS},
            "binomial": OF_INTEGER_NOISE, "skellam": OF_INTEGER_NOISE, "poisson-difference": OF_INTEGER_NOISE, "integer-noise": OF_INTEGER_NOISE,
            "exponential": OF_SELECTION, "permute-and-flip": OF_SELECTION}


def _is_convex(p):
    """Whether the points are those of a convex function that falls to 0."""
    points = list(zip(p["alphas"], p["betas"]))
    rising = all(a < c for (a, _), (c, _) in zip(points, points[1:]))
    slopes = rising and [(b - d) / (c - a) for (a, b), (c, d) in zip(points, points[1:])]
    return rising and slopes == sorted(slopes, reverse=True) and all(slope >= 0 for slope in slopes) and points[0][0] == points[-1][1] == 0


ROUNDED = fmpq(10**9 - 1, 10**9)  # masses that were written as doubles


def _is_log_concave(p):
    """No mass below the geometric mean of its neighbours, and no gap: else smaller moves than by the sensitivity may tell more."""
    masses, some = p["masses"], [i for i, mass in enumerate(p["masses"]) if mass > 0]
    return bool(some) and len(some) == some[-1] - some[0] + 1 and all(
        ROUNDED * masses[i - 1] * masses[i + 1] <= masses[i] ** 2 for i in some[1:-1])


def _has_masses(*names):
    return lambda p: all(sum(p[name]) > 0 for name in names)


# What the parameters of a type must be together.
TOGETHER = {"trade-off": (_is_convex, "points of a convex function, alphas from 0 on and rising, betas falling to 0"),
            "sinh-normal": (lambda p: p["a"] >= p["sigma"], "an a of sigma or more"),
            "integer-noise": (_is_log_concave, "log-concave masses, not all 0"),
            "mass-table": (_has_masses("p", "q"), "masses, not all 0")}


def what_is_wrong(name, parameters, lists):
    """In words, or None."""
    for key, value in parameters.items():
        holds, rule = OF_TYPES.get(name, {}).get(key, OF_PARAMETERS[key])
        for number in value if key in lists else [value]:
            if not holds(number):
                return f"{key} is {number}, but must be {rule}"
    if "replace_sensitivity" in parameters and not 1 <= parameters["replace_sensitivity"] / parameters["sensitivity"] <= 2:
        return f"replace_sensitivity is {parameters['replace_sensitivity']}, but must be from the sensitivity to twice that"
    if len({len(parameters[key]) for key in lists}) > 1:
        return f"{' and '.join(lists)} must be of the same length"
    holds, rule = TOGETHER.get(name, (lambda _: True, ""))
    return None if holds(parameters) else f"the parameters of {name} must be {rule}"
