"""The files: which mechanisms, which questions. Every number is a binary fraction, the same in decimals and in double precision."""
from flint import arb, ctx

import contour
import laws
import profiles
import schemes
from enclosure import certified, crossing, decimals

TINY = [2.0**-4, 2.0**-20, 2.0**-50, 2.0**-83]
TINIEST = [2.0**-20, 2.0**-83, 2.0**-332, 2.0**-960]


EXACT, FROM_ABOVE, FROM_BELOW = "the answer", "an upper bound", "a lower bound"


class File:
    """Rows that share their method. `about`: whose number it is. See tests/vectors/README.md for the format."""

    def __init__(self, name, method, about=EXACT):
        self.name, self.method, self.about, self.rows = name, method, about, []

    def add(self, mechanisms, make, epsilons=(), deltas=(), direction="both", adjacency="add-remove"):
        """Rows for one composition, whose profile make() computes at the precision of the moment."""
        made = {}

        def profile(epsilon):
            if ctx.prec not in made:
                made[ctx.prec] = make()
            return made[ctx.prec](epsilon)

        def row(query, given, value):
            lower, upper = decimals(value)
            self.rows.append({"query": query} | given | {"adjacency": adjacency, "direction": direction,
                              "mechanisms": mechanisms, "lower": lower, "upper": upper})

        for epsilon in epsilons:
            row("delta", {"epsilon": epsilon}, certified(lambda: profile(arb(epsilon))))
        for delta in deltas:
            row("epsilon", {"delta": delta}, certified(lambda: crossing(profile, arb(delta))))


def release(type, count=1, sampling=None, **parameters):
    """A mechanism as a ledger of pld writes it."""
    entry = {"type": type} | parameters
    if sampling:
        entry["sampling"] = sampling
    return [entry | {"count": count}] if count > 1 else [entry]


def poisson(rate):
    return {"poisson": rate}


def add_sampled(file, mechanism, profile, rate, remove, add, deltas=()):
    """One release of a symmetric pair on a Poisson sample, in both directions."""
    entry = [mechanism[0] | {"sampling": poisson(rate)}]
    file.add(entry, lambda: profiles.sampled(profile(), arb(rate), "remove"), remove, deltas, "remove")
    file.add(entry, lambda: profiles.sampled(profile(), arb(rate), "add"), add, (), "add")


def add_batches(file, mechanism, doubled, rate, remove, add):
    """One release on a batch without replacement; `doubled` is the profile of twice the sensitivity."""
    entry = [mechanism[0] | {"sampling": {"without_replacement": rate}}]
    file.add(entry, lambda: profiles.sampled(doubled(), arb(rate), "remove"), remove, (), "remove")
    file.add(entry, lambda: profiles.sampled(doubled(), arb(rate), "add"), add, (), "add")
    file.add(entry, lambda: profiles.batch_replacing(doubled(), arb(rate)), remove + add, (), "both", "replace-one")


def gaussian():
    file = File("gaussian.json", "k releases are one with mu = sqrt(k) sensitivity / sigma, and several add their mu^2: delta = "
                "Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) (Balle, Wang 2018)")
    for sigma, sensitivity, count, epsilons, deltas in [
            (1, 1, 1, [-2, -0.5, 0, 0.5, 4, 20], TINY + TINIEST), (0.5, 1, 1, [-1, 0, 1, 16, 64], TINY + TINIEST),
            (2.5, 1, 40, [-1, 0, 2, 8, 32], TINY + TINIEST), (100, 1, 300, [-0.5, 0, 0.25, 1, 4], TINY + TINIEST),
            (4, 3, 1000, [-64, 0, 250, 512], TINY), (64, 1, 1000000, [0, 64, 128, 512], TINY),
            (1024, 0.125, 1, [-2.0**-10, 0, 2.0**-10, 2.0**-8], TINIEST)]:
        file.add(release("gaussian", count, sigma=sigma, sensitivity=sensitivity),
                 lambda: profiles.gaussian(arb(count).sqrt() * sensitivity / sigma), epsilons, deltas)
    several = release("gaussian", 10, sigma=2) + release("gaussian", 100, sigma=16, sensitivity=3)
    file.add(several, lambda: profiles.gaussian((arb(10) / 4 + arb(900) / 256).sqrt()), [-1, 0, 4, 16, 64], TINIEST)
    file.add(release("gaussian", 4, sigma=2), lambda: profiles.gaussian(arb(2)), [-1, 0, 2, 8], TINY, "both", "replace-one")
    return file


def sampled_gaussian():
    file = File("sampled-gaussian.json", "one release on a Poisson sample (q = rate): delta is q delta'(log(1 + (e^epsilon - 1) / q)) "
                "of the Gaussian's delta', and e^epsilon (q + e^-epsilon - 1) delta'(-log(1 + (e^-epsilon - 1) / q)) where the "
                "other has the record; on batches without replacement the same of twice the sensitivity")
    for sigma in [0.5, 1, 3]:
        for rate in [2.0**-10, 0.125, 0.75]:
            add = [-0.25, 0, rate / 2]  # below the largest loss, -log(1 - rate)
            add_sampled(file, release("gaussian", sigma=sigma), lambda: profiles.gaussian(1 / arb(sigma)), rate,
                        [-0.25, 0, 2.0**-7, 1, 4], add, [2.0**-20, 2.0**-50, 2.0**-83])
    add_batches(file, release("gaussian", sigma=2), lambda: profiles.gaussian(arb(1)), 0.125, [0, 0.25, 1, 3],
                [-0.0625, -1])
    return file


def sampled_gaussian_many():
    file = File("sampled-gaussian-many.json", "k releases on Poisson samples: the inverse Laplace integral of the k-th power of the moment "
                "function by the trapezoidal rule, with bounds of its aliases and of the nodes left out; moments by verified quadrature")
    for sigma, rate, count, direction, tilts, epsilons in [
            (1, 2.0**-7, 1000, "remove", (6, 8), [-0.25, 0, 0.5, 1, 2, 3]), (1, 2.0**-7, 1000, "add", (8, 16), [-0.25, 0, 0.5, 1]),
            (2, 2.0**-5, 4000, "remove", (4, 8), [-1, 0, 2, 5, 8])]:
        file.add(release("gaussian", count, poisson(rate), sigma=sigma),
                 lambda: contour.profile(contour.SampledGaussian(1 / arb(sigma), arb(rate), direction), count, *map(arb, tilts)),
                 epsilons, [2.0**-20], direction)
    return file


def gaussian_mixture():
    file = File("gaussian-mixture.json", "one release: the loss grows with the outcome; where it passes epsilon is found by certified "
                "bisection, and there P's tail less e^epsilon times Q's is delta")
    for sigma, shifts, weights, epsilons in [(1, [0, 1], [0.75, 0.25], [-0.125, 0, 0.5, 3]),
                                             (2, [0.5, 1, 4], [0.5, 0.375, 0.125], [-0.5, 0, 1, 6])]:
        entry = release("gaussian-mixture", sigma=sigma, shifts=shifts, weights=weights)
        for direction, sign in [("remove", 1), ("add", -1)]:
            asked = epsilons if direction == "remove" else [-1, -0.25, 0, 0.125]
            file.add(entry, lambda: profiles.gaussian_mixture(arb(sigma), shifts, weights, direction), asked, [2.0**-10], direction)
    return file


def laplace():
    file = File("laplace.json", "k releases: the law of the summed losses is a finite sum of atoms and moved truncated powers times an "
                "exponential, integrated by parts; sampled: one release, the unsampled delta at another epsilon")
    for scale, sensitivity, count, epsilons, deltas in [
            (1, 1, 1, [-2, -0.5, 0, 0.5, 0.96875], TINY[:2]), (2, 1, 2, [-0.75, 0, 0.25, 0.75], TINY[:2]),
            (1, 2, 5, [-3, 0, 2.5, 7.5, 9.5], TINY), (4, 1, 20, [-0.5, 0, 0.625, 2.125, 4.5], TINY),
            (8, 1, 50, [-1, 0, 0.3125, 1.8125, 4, 6.1875], TINY)]:
        file.add(release("laplace", count, scale=scale, sensitivity=sensitivity),
                 lambda: profiles.laplace(arb(sensitivity) / scale, count), epsilons, deltas)
    file.add(release("laplace", 3, scale=2), lambda: profiles.laplace(arb(1), 3), [-1, 0, 1, 2.5], TINY[:2], "both", "replace-one")
    one = release("laplace", scale=1)
    add_sampled(file, one, lambda: profiles.laplace(arb(1), 1), 0.25, [-0.25, 0, 0.125, 0.3125], [-0.125, 0, 0.0625, 0.15625])
    add_batches(file, one, lambda: profiles.laplace(arb(2), 1), 0.25, [0, 0.5], [-0.125, -0.5])
    return file


def additive_noise():
    file = File("additive-noise.json", "one release of symmetric log-concave noise: P's tail less e^epsilon times Q's at the outcome whose "
                "loss is epsilon, which is found by certified bisection where it has no closed form")
    file.add(release("logistic", scale=1), lambda: profiles.logistic(arb(1)), [-0.5, 0, 0.25, 0.5, 0.9375], TINY[:2])
    file.add(release("logistic", scale=2, sensitivity=3), lambda: profiles.logistic(arb(1.5)), [-1, 0, 0.5, 1.25])
    add_sampled(file, release("logistic", scale=1), lambda: profiles.logistic(arb(1)), 0.5, [-0.25, 0, 0.25], [0, 0.25])
    for shape, scale, sensitivity, epsilons in [(1, 2, 3, [-1, 0, 1]), (1.25, 1, 1, [-0.5, 0, 0.5, 1.5]),
                                                (2, 2, 3, [-1, 0, 1, 16]), (4, 1, 0.5, [-1, 0, 0.5, 2, 16]),
                                                (16, 1, 0.25, [0, 1, 8])]:
        file.add(release("generalized", shape=shape, scale=scale, sensitivity=sensitivity),
                 lambda: profiles.generalized(arb(shape), arb(sensitivity) / scale), epsilons, TINY[:2] if shape > 1 else ())
    for sigma, a, sensitivity, epsilons in [(1, 2, 1, [-0.5, 0, 1, 4]), (2, 4, 0.5, [-0.25, 0, 0.5, 1])]:
        file.add(release("sinh-normal", sigma=sigma, a=a, sensitivity=sensitivity),
                 lambda: profiles.sinh_normal(arb(sigma), arb(a), arb(sensitivity)), epsilons, TINY)
    entry = release("truncated-laplace", scale=1, bound=8)
    file.add(entry, lambda: profiles.truncated_laplace(arb(1), arb(8)), [-2, -0.5, 0, 0.5, 0.96875, 2])
    add_sampled(file, entry, lambda: profiles.truncated_laplace(arb(1), arb(8)), 0.25, [-0.125, 0, 0.25, 1], [-0.125, 0, 0.0625])
    add_batches(file, entry, lambda: profiles.truncated_laplace(arb(2), arb(8)), 0.25, [0, 0.5, 2], [-0.25])
    return file


def add_finite(file, mechanism, law, count, epsilons, deltas=(), sampling=None, directions=("both",)):
    """Releases of a law with few outcomes; `law(direction)` is one release."""
    entry = [mechanism[0] | ({"sampling": sampling} if sampling else {}) | ({"count": count} if count > 1 else {})]
    for direction in directions:
        file.add(entry, lambda: law(direction).repeated(count).profile, epsilons, deltas, direction)


def add_sampled_law(file, mechanism, law, rate, count, epsilons):
    add_finite(file, mechanism, lambda direction: law().sampled(arb(rate), direction), count, epsilons, (), poisson(rate),
               ("remove", "add"))


def randomized_response():
    file = File("randomized-response.json", "sum over the counts of each answer of the positive part of p - e^epsilon q")
    for p, k, count, epsilons, deltas in [
            (0.75, 2, 1, [-2, -0.5, 0, 0.5, 1], ()), (0.75, 2, 10, [-4, 0, 1.5, 8], [2.0**-4]),
            (0.625, 2, 100, [-8, 0, 4, 20, 48], TINY), (0.53125, 2, 1000, [-2, 0, 3, 16, 64], TINY),
            (0.625, 4, 1, [-1, 0, 1, 1.5], ()), (0.5, 4, 30, [-4, 0, 4, 16, 32], TINY[:2])]:
        add_finite(file, release("randomized-response", p=p, k=k), lambda _: laws.randomized_response(arb(p), k), count, epsilons,
                   deltas)
    bit, of_five = release("randomized-response", p=0.75), release("randomized-response", p=0.5, k=5)
    add_sampled_law(file, bit, lambda: laws.randomized_response(arb(0.75)), 0.125, 1, [-0.0625, 0, 0.0625])
    add_sampled_law(file, bit, lambda: laws.randomized_response(arb(0.75)), 0.125, 200, [-1, 0, 2, 8])
    add_sampled_law(file, of_five, lambda: laws.randomized_response(arb(0.5), 5), 0.25, 20, [-1, 0, 1, 2])
    return file


def guarantees():
    file = File("guarantees.json", "the worst pair under the guarantees as a finite law, of which the outcomes of several releases are "
                "multiplied out: (epsilon, delta) has losses of +-epsilon and +-infinity (Kairouz, Oh, Viswanath 2015), several such "
                "points or a trade-off function have an outcome for each straight piece of the trade-off function (Dong, Roth, Su 2022)")
    for epsilon, delta, count, epsilons in [
            (1, 0, 1, [-0.5, 0, 0.5, 0.9375]), (0.5, 2.0**-20, 1, [-0.25, 0, 0.25, 0.5, 2]),
            (0.25, 2.0**-10, 64, [-1, 0, 2.125, 8, 15.875, 20]), (0.03125, 2.0**-40, 1000, [-0.5, 0, 1.015625, 4, 10])]:
        add_finite(file, release("dp", epsilon=epsilon, delta=delta), lambda _: laws.approximate_dp(arb(epsilon), arb(delta)), count,
                   epsilons)
    add_sampled_law(file, release("dp", epsilon=1, delta=2.0**-20), lambda: laws.approximate_dp(arb(1), arb(2) ** -20), 0.25, 1,
                    [-1, -0.25, 0, 0.125, 1])
    add_sampled_law(file, release("dp", epsilon=1, delta=2.0**-20), lambda: laws.approximate_dp(arb(1), arb(2) ** -20), 0.25, 10,
                    [-2, 0, 1])
    points = [(arb(0.5), arb(0.0625)), (arb(1.5), arb(2) ** -10)]
    entry = release("dp-points", epsilons=[0.5, 1.5], deltas=[0.0625, 2.0**-10])
    for count, epsilons in [(1, [-2, -0.5, 0, 0.25, 1, 2]), (4, [-1, 0, 1, 4])]:
        add_finite(file, entry, lambda _: laws.guarantee([(1 - delta, epsilon.exp()) for epsilon, delta in points]), count, epsilons)
    entry = release("trade-off", alphas=[0, 0.25, 1], betas=[0.75, 0.25, 0])
    for count, epsilons in [(1, [-2, -0.5, 0, 0.25, 1]), (4, [-1, 0, 1, 4])]:
        add_finite(file, entry, lambda _: laws.guarantee([(arb(3) / 4, arb(2)), (arb(1) / 3, arb(1) / 3)]), count, epsilons)
    return file


def selection():
    file = File("selection.json", "exponential: the largest delta of all pairs of two losses t and t - epsilon (Dong, Durfee, Rogers "
                "2020), one release, of which no mechanism need attain all", FROM_ABOVE)
    for length, epsilons in [(1, [-0.5, 0, 0.25, 0.9375]), (4, [-3, 0, 1, 3.5])]:
        file.add(release("exponential", epsilon=length), lambda: profiles.bounded_range(arb(length)), epsilons, TINY[:2])
    add_sampled(file, release("exponential", epsilon=1), lambda: profiles.bounded_range(arb(1)), 0.25, [-0.125, 0, 0.25],
                [-0.125, 0, 0.0625])
    return file


def integer_noise():
    file = File("integer-noise.json", "every outcome: sum of the positive parts of p - e^epsilon q; outcomes whose losses are equally "
                "spaced are convolved; tails left out are bounded by geometric series and lie in the enclosure")
    for a, sensitivity, count, epsilons, deltas in [
            (1, 1, 1, [-2, -0.5, 0, 0.5, 0.9375], ()), (0.5, 4, 1, [-1, 0, 0.25, 1.75], ()),
            (0.125, 1, 100, [-1, 0, 1.0625, 4, 10], TINY), (0.25, 3, 20, [-2, 0, 2.125, 7, 13], TINY)]:
        add_finite(file, release("discrete-laplace", a=a, sensitivity=sensitivity),
                   lambda _: laws.discrete_laplace(arb(a), sensitivity), count, epsilons, deltas)
    of_two = release("discrete-laplace", a=0.5, sensitivity=2)
    for count, epsilons in [(1, [-0.125, 0, 0.125]), (20, [-1, 0, 1, 2])]:
        add_sampled_law(file, of_two, lambda: laws.discrete_laplace(arb(0.5), 2), 0.25, count, epsilons)

    for sigma, sensitivity, reach, count, epsilons, deltas in [
            (1, 1, 24, 1, [-1, 0, 1, 4, 8], ()), (2, 1, 44, 8, [-1, 0, 1.3125, 5, 10], TINY),
            (1.5, 2, 36, 3, [-2, 0, 3, 11, 20], TINY)]:
        add_finite(file, release("discrete-gaussian", sigma=sigma, sensitivity=sensitivity),
                   lambda _: laws.discrete_gaussian(arb(sigma), sensitivity, reach), count, epsilons, deltas)
    add_sampled(file, release("discrete-gaussian", sigma=2), lambda: laws.discrete_gaussian(arb(2), 1, 44).profile, 0.25,
                [-0.125, 0, 0.5, 1.5], [-0.125, 0, 0.125, 0.25])

    for coins, heads, sensitivity, count, epsilons in [(20, 0.5, 1, 1, [-0.5, 0, 0.25, 1, 4]), (20, 0.5, 1, 2, [-0.5, 0, 1, 4]),
                                                       (500, 0.5, 4, 1, [-0.5, 0, 0.5, 2, 4])]:
        add_finite(file, release("binomial", n=coins, p=heads, sensitivity=sensitivity),
                   lambda _: laws.binomial(coins, arb(heads), sensitivity), count, epsilons)
    add_sampled_law(file, release("binomial", n=20), lambda: laws.binomial(20, arb(0.5), 1), 0.5, 1, [-1, -0.25, 0, 0.25, 0.5, 2])

    def in_order(law, direction):
        return law if direction == "remove" else law.swapped()

    both = ("remove", "add")
    add_finite(file, release("binomial", n=20, p=0.25), lambda direction: in_order(laws.binomial(20, arb(0.25), 1), direction), 1,
               [-0.5, 0, 0.5, 1], directions=both)
    for variance, sensitivity, reach, epsilons in [(8, 1, 90, [-0.5, 0, 0.5, 2]), (64, 4, 180, [-1, 0, 1, 3])]:
        half = arb(variance) / 2
        add_finite(file, release("skellam", variance=variance, sensitivity=sensitivity),
                   lambda _: laws.poisson_difference(half, half, sensitivity, -reach, reach), 1, epsilons)
    add_finite(file, release("poisson-difference", plus=8, minus=4),
               lambda direction: in_order(laws.poisson_difference(arb(8), arb(4), 1, -80, 110), direction), 1, [-0.5, 0, 0.5, 1.5],
               directions=both)

    masses = [0.0625, 0.25, 0.375, 0.25, 0.0625]
    for count, epsilons in [(1, [-1, 0, 0.5, 1.25, 2]), (6, [-2, 0, 1, 4])]:
        add_finite(file, release("integer-noise", masses=masses),
                   lambda _: laws.integer_noise([arb(m) for m in masses], 1), count, epsilons)
    p, q = [0.5, 0.25, 0.125, 0.125, 0], [0.25, 0.25, 0.25, 0, 0.25]
    for count, epsilons in [(1, [-1, -0.25, 0, 0.5, 1]), (8, [-2, 0, 1, 4])]:
        add_finite(file, release("mass-table", p=p, q=q),
                   lambda direction: in_order(laws.of_outcomes(list(zip(p, q))), direction), count, epsilons, directions=both)
    add_sampled_law(file, release("mass-table", p=p, q=q), lambda: laws.of_outcomes(list(zip(p, q))), 0.25, 8, [-1, 0, 1, 2])
    return file


def mixed():
    file = File("mixed.json", "several mechanisms: products of the outcomes of finite laws, and with one of continuous noise the sum over "
                "these outcomes of p delta(epsilon - log(p / q))")
    rr, dp = release("randomized-response", 20, p=0.625), release("dp", 10, epsilon=0.25, delta=2.0**-30)
    counts = release("discrete-laplace", 10, a=0.125, sensitivity=2)

    def bits():
        return laws.randomized_response(arb(0.625)).repeated(20)

    def guarantee():
        return laws.approximate_dp(arb(0.25), arb(2) ** -30).repeated(10)

    def noise():
        return laws.discrete_laplace(arb(0.125), 2).repeated(10)

    file.add(rr + dp, lambda: bits().times(guarantee()).profile, [-1, 0, 2, 6, 12])
    file.add(rr + dp + counts, lambda: bits().times(guarantee()).times(noise()).profile, [-1, 0, 2, 6, 12])
    file.add(rr + release("gaussian", 10, sigma=2), lambda: bits().then(profiles.gaussian(arb(10).sqrt() / 2)), [-1, 0, 4, 16, 64],
             TINY)
    file.add(rr + counts + release("laplace", 5, scale=2), lambda: bits().times(noise()).then(profiles.laplace(arb(0.5), 5)),
             [-1, 0, 4, 12])
    for direction, epsilons in [("remove", [-1, 0, 1, 4]), ("add", [-1, 0, 1])]:
        file.add(release("randomized-response", 20, poisson(0.25), p=0.625) + release("gaussian", 1, poisson(0.125), sigma=1),
                 lambda: laws.randomized_response(arb(0.625)).sampled(arb(0.25), direction).repeated(20).then(
                     profiles.sampled(profiles.gaussian(arb(1)), arb(0.125), direction)), epsilons, [2.0**-20], direction)
    return file


def replaced_samples():
    file = File("replaced-samples.json", "one release on a Poisson sample whose record is replaced, of symmetric log-concave noise: P = "
                "(1 - q) f(x) + q f(x - s) against its mirror image; where the loss is epsilon is found by certified bisection")
    for sigma, rate, epsilons in [(1, 0.125, [-0.5, 0, 0.5, 2]), (0.5, 2.0**-10, [0, 2.0**-7, 1, 4]), (2, 0.75, [-0.25, 0, 1, 4])]:
        file.add(release("gaussian", 1, poisson(rate), sigma=sigma),
                 lambda: schemes.replaced_in_a_sample(profiles.normal_tail, lambda x: -x * x / 2, 1 / arb(sigma), arb(rate)), epsilons,
                 [2.0**-20, 2.0**-83], "both", "replace-one")
    file.add(release("logistic", 1, poisson(0.25), scale=2),
             lambda: schemes.replaced_in_a_sample(lambda x: 1 / (1 + x.exp()), lambda x: -x - 2 * (-x).exp().log1p(), arb(0.5), arb(0.25)),
             [-0.0625, 0, 0.125], (), "both", "replace-one")
    return file


def zeroed_batches():
    file = File("zeroed-batches.json", "one release on a batch of fixed size whose record is zeroed, of symmetric log-concave noise f: P = (1 - q) f(x) + "
                "q f(x - 2 s) against (1 - q) f(x) + q f(x - s), the others opposite to the record, where P has more, found by certified bisection; "
                "where it has less the others are like it, and delta is that of a sample")
    normal, logistic = (profiles.normal_tail, lambda x: -x * x / 2), (lambda x: 1 / (1 + x.exp()), lambda x: -x - 2 * (-x).exp().log1p())
    for entry, (tail, log_density), shift, rate, remove, add in [
            (release("gaussian", sigma=1), normal, 1, 0.125, [-0.5, 0, 2.0**-7, 0.5, 4], [-1, 0, 0.0625]),
            (release("gaussian", sigma=0.25), normal, 4, 2.0**-10, [-0.25, 0, 1, 8, 64], [-4, 0, 2.0**-11]),
            (release("gaussian", sigma=16), normal, 0.0625, 0.75, [0, 0.0625, 0.25], [-0.125, 0, 0.125]),
            (release("logistic", scale=2), logistic, 0.5, 0.25, [-0.0625, 0, 0.125], [-0.125, 0, 0.0625])]:
        entry[0]["sampling"] = {"without_replacement": rate}
        for direction, epsilons in (("remove", remove), ("add", add)):
            file.add(entry, lambda: schemes.zeroed_in_a_batch(tail, log_density, arb(shift), arb(rate), direction), epsilons, (), direction, "zero-out")
    return file


def truncated_samples():
    file = File("truncated-samples.json", "one release on a Poisson sample cut to a size: where the other records do not fill the batch the "
                "profile of a sample, else that of a batch without replacement, weighted by exact fractions. A neighbour may have one record "
                "less or one more, and the bound is of both. No neighbours are known to attain it", FROM_ABOVE)
    for rate, cap, records, remove, add in [(0.125, 4, 20, [-0.25, 0, 0.5, 2], [-0.25, 0, 0.0625]),
                                            (2.0**-5, 40, 1000, [0, 0.25, 1], [-0.25, 0])]:
        entry = release("gaussian", 1, {"truncated_poisson": rate, "largest_batch": cap, "records": records}, sigma=1)
        for direction, epsilons in (("remove", remove), ("add", add)):
            file.add(entry, lambda: schemes.truncated(profiles.gaussian(arb(1)), profiles.gaussian(arb(2)), rate, cap, records, direction),
                     epsilons, (), direction)
    return file


def shuffled():
    file = File("shuffled.json", "one epoch over shuffled batches with Gaussian noise, all other records at the opposite end: the largest of "
                "the outputs, whose distribution functions are Phi(x - move) Phi(x)^(batches - 1); where the loss is epsilon is found by "
                "certified bisection", FROM_BELOW)
    for sigma, batches, epsilons in [(1, 5, [0, 1, 4]), (0.5, 100, [0, 2, 8]), (2, 1000, [0, 0.25])]:
        entry = release("gaussian", 1, {"shuffled": batches}, sigma=sigma)
        for adjacency in ("zero-out", "replace-one"):
            file.add(entry, lambda: schemes.largest_of_batches(1 / arb(sigma), batches, adjacency == "replace-one"), epsilons, (), "remove",
                     adjacency)
    return file


def random_allocation():
    file = File("random-allocation.json", "epochs of which each record takes part in one step: of randomized response by all outcomes, in exact "
                "fractions; of Gaussian noise, one epoch of two steps, a closed form of the second step's ratio averaged over the first's "
                "by verified integration")
    for p, steps, count, epsilons in [(0.75, 6, 2, [-0.5, 0.125, 0.5]), (0.625, 40, 1, [0.0625])]:
        entry = release("randomized-response", count, {"allocation": steps}, p=p)
        for direction in ("remove", "add"):
            file.add(entry, lambda: schemes.allocated_response(p, steps, count, direction), epsilons, (), direction)
    for sigma, epsilons in [(1, [0, 0.5, 2]), (2, [0.25])]:
        entry = release("gaussian", 1, {"allocation": 2}, sigma=sigma)
        for direction in ("remove", "add"):
            file.add(entry, lambda: schemes.gaussian_in_one_of_two(1 / arb(sigma), direction),
                     epsilons if direction == "remove" else [min(e, 0.5) for e in epsilons[:2]], (), direction)
    return file


FAMILIES = [gaussian, sampled_gaussian, sampled_gaussian_many, gaussian_mixture, laplace, additive_noise, randomized_response,
            guarantees, selection, integer_noise, mixed, replaced_samples, zeroed_batches, truncated_samples, shuffled, random_allocation]
