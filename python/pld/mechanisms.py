"""A function for each type of mechanism. Written by python/write_mechanisms.py from the library's registry.

All take count= or steps= (how often it is released), adjacency= ("add-remove", "replace-one" or "zero-out") and how a
record gets into a release: poisson= (a sampling rate), or without_replacement= (the share of the data in a batch), or
batch= with dataset= (two sizes whose quotient that is), or allocation= (steps of an epoch, in one of which each record
takes part, drawn at random; with participations= in so many of them, with passes= in the same one of so many epochs), or
shuffled= (batches of an epoch over shuffled data), or truncated_poisson= with largest_batch= and records= (a sampling
rate, the size the sample is cut to, and of how many it is drawn), or sampler= by its name, with batch=, dataset= and
epochs=; the command's shorter words do too. A parameter or a count that is None is not given. Any one number may
be pld.unknown, for calibrate(). They raise DomainError, a ValueError, for a value out of range and MissingTheorem where
no theorem is known.
"""
from __future__ import annotations

from .composition import Composition, by_name, mechanism

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arguments import Numbers
    from .composition import Number

__all__ = [
    "gaussian", "laplace", "logistic", "generalized", "sinh_normal", "truncated_laplace", "randomized_response",
    "exponential", "report_noisy_max", "permute_and_flip", "dp", "discrete_laplace", "discrete_gaussian", "binomial",
    "skellam", "poisson_difference", "integer_noise", "mass_table", "gaussian_mixture", "dp_points", "trade_off",
    "zcdp", "tcdp", "rdp",
]


@by_name
def gaussian(*, sigma: Number | None = None, sensitivity: Number | None = None,
             replace_sensitivity: Number | None = None, attained_sensitivity: Number | None = None,
             count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Gaussian noise (Dong, Roth, Su 2022).

    sigma: standard deviation of the noise; > 0 and finite; sensitivity / sigma from 1e-100 to 1e100; or
        noise_multiplier=
    sensitivity: l2 sensitivity of the query; > 0 and finite; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given
    attained_sensitivity: what some record is known to move the query by, if less than sensitivity; 0: sensitivity;
        0, or up to sensitivity; 0 beside replace_sensitivity; 0 where it is not given

    >>> import pld
    >>> pld.gaussian(sigma=1, count=2)
    Composition(2 * gaussian:sigma=1)
    """
    return mechanism("gaussian", {"sigma": sigma, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity, "attained_sensitivity": attained_sensitivity}, count,
                     adjacency, words)


@by_name
def laplace(*, scale: Number, sensitivity: Number | None = None, replace_sensitivity: Number | None = None,
            count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Laplace noise (Dwork, McSherry, Nissim, Smith 2006).

    scale: mean absolute value of the noise; > 0 and finite; sensitivity / scale from 1e-100 to 1e100
    sensitivity: l1 sensitivity of the query; > 0 and finite; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.laplace(scale=1, count=2)
    Composition(2 * laplace:scale=1)
    """
    return mechanism("laplace", {"scale": scale, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def logistic(*, scale: Number, sensitivity: Number | None = None, count: Number | None = None,
             adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Logistic noise (Dong, Roth, Su 2022).

    scale: scale of the noise, sqrt(3)/pi of its standard deviation; > 0 and finite; sensitivity / scale from 0.001
        to 300
    sensitivity: sensitivity of the query, one number; > 0 and finite; 1 where it is not given

    >>> import pld
    >>> pld.logistic(scale=1, count=2)
    Composition(2 * logistic:scale=1)
    """
    return mechanism("logistic", {"scale": scale, "sensitivity": sensitivity}, count, adjacency, words)


@by_name
def generalized(*, shape: Number, scale: Number, sensitivity: Number | None = None, count: Number | None = None,
                adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Noise with density proportional to e^(-|x/scale|^shape) (Subbotin 1923; Dong, Roth, Su 2022).

    shape: 1 is Laplace, 2 Gaussian; from 1 to 64
    scale: scale of the noise; > 0 and finite; sensitivity / scale from 0.001 to 300; (sensitivity / scale)^shape at
        most 1e5
    sensitivity: sensitivity of the query, one number; > 0 and finite; 1 where it is not given

    >>> import pld
    >>> pld.generalized(scale=1, shape=1.5, count=2)
    Composition(2 * generalized:shape=1.5,scale=1)
    """
    return mechanism("generalized", {"shape": shape, "scale": scale, "sensitivity": sensitivity}, count, adjacency,
                     words)


@by_name
def sinh_normal(*, sigma: Number, a: Number, sensitivity: Number | None = None, count: Number | None = None,
                adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Noise a arsinh(N(0, sigma^2) / a) (Bun, Dwork, Rothblum, Steinke 2018).

    sigma: standard deviation of the normal inside; > 0 and finite; sensitivity / sigma from 0.001 to 300
    a: where its tails begin to shrink; from 1 sigma to 1e6 sigma
    sensitivity: sensitivity of the query, one number; > 0 and finite; 1 where it is not given

    >>> import pld
    >>> pld.sinh_normal(a=2, sigma=1, count=2)
    Composition(2 * sinh-normal:sigma=1,a=2)
    """
    return mechanism("sinh-normal", {"sigma": sigma, "a": a, "sensitivity": sensitivity}, count, adjacency, words)


@by_name
def truncated_laplace(*, scale: Number, bound: Number, sensitivity: Number | None = None, count: Number | None = None,
                      adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Laplace noise conditioned on |x| <= bound (Geng, Ding, Guo, Kumar 2020).

    scale: scale of the Laplace law; > 0 and finite; sensitivity / scale from 0.001 to 300
    bound: largest noise; from 0.001 scale to 700 scale
    sensitivity: sensitivity of the query, one number; > 0 and finite; 1 where it is not given

    >>> import pld
    >>> pld.truncated_laplace(bound=20, scale=1, count=2)
    Composition(2 * truncated-laplace:scale=1,bound=20)
    """
    return mechanism("truncated-laplace", {"scale": scale, "bound": bound, "sensitivity": sensitivity}, count,
                     adjacency, words)


@by_name
def randomized_response(*, p: Number, k: Number | None = None, count: Number | None = None,
                        adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """One of k answers: the true one, or any other (Warner 1965; Kairouz, Bonawitz, Ramage 2016).

    p: probability of the true answer; from 0 to 1
    k: number of answers; a whole number from 2 to 1e9; 2 where it is not given

    >>> import pld
    >>> pld.randomized_response(p=0.75, count=2)
    Composition(2 * randomized-response:p=0.75)
    """
    return mechanism("randomized-response", {"p": p, "k": k}, count, adjacency, words)


@by_name
def exponential(*, epsilon: Number, count: Number | None = None, adjacency: str = "add-remove",
                **words: Number | str) -> Composition:
    """The exponential mechanism, probabilities proportional to e^(epsilon u / (2 sensitivity)) (one release: bounded
    range; several: upper bound) (Dong, Durfee, Rogers 2020).

    epsilon: its epsilon, the length of the range of its losses; from 1e-6 to 500

    >>> import pld
    >>> pld.exponential(epsilon=0.5, count=2)
    Composition(2 * exponential:epsilon=0.5)
    """
    return mechanism("exponential", {"epsilon": epsilon}, count, adjacency, words)


@by_name
def report_noisy_max(*, scale: Number, sensitivity: Number | None = None, count: Number | None = None,
                     adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """The largest of counts with Laplace noise (upper bound: Laplace noise of its epsilon) (Dwork, Roth 2014).

    scale: mean absolute value of the noise; give twice it where a record that is added moves all counts one way,
        none down (epsilon is then sensitivity / scale); > 0 and finite; 2 sensitivity / scale from 1e-6 to 500
    sensitivity: sensitivity of each count; > 0 and finite; 1 where it is not given

    >>> import pld
    >>> pld.report_noisy_max(scale=4, count=2)
    Composition(2 * report-noisy-max:scale=4)
    """
    return mechanism("report-noisy-max", {"scale": scale, "sensitivity": sensitivity}, count, adjacency, words)


@by_name
def permute_and_flip(*, epsilon: Number, count: Number | None = None, adjacency: str = "add-remove",
                     **words: Number | str) -> Composition:
    """Permute-and-flip selection (one release: Laplace noise of its epsilon; several: upper bound) (McKenna, Sheldon
    2020).

    epsilon: its epsilon; from 1e-6 to 500

    >>> import pld
    >>> pld.permute_and_flip(epsilon=0.5, count=2)
    Composition(2 * permute-and-flip:epsilon=0.5)
    """
    return mechanism("permute-and-flip", {"epsilon": epsilon}, count, adjacency, words)


@by_name
def dp(*, epsilon: Number, delta: Number | None = None, count: Number | None = None, adjacency: str = "add-remove",
       **words: Number | str) -> Composition:
    """The worst (epsilon, delta)-DP mechanism (Kairouz, Oh, Viswanath 2015).

    epsilon: its epsilon; >= 0 and finite
    delta: its delta; from 0 to 1; 0 where it is not given

    >>> import pld
    >>> pld.dp(delta=1e-09, epsilon=0.5, count=2)
    Composition(2 * dp:epsilon=0.5,delta=1e-09)
    """
    return mechanism("dp", {"epsilon": epsilon, "delta": delta}, count, adjacency, words)


@by_name
def discrete_laplace(*, a: Number, sensitivity: Number | None = None, replace_sensitivity: Number | None = None,
                     count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Integer noise with mass proportional to e^(-a|x|) (Ghosh, Roughgarden, Sundararajan 2012).

    a: rate of decay of the noise; from 1e-100 to 1e100
    sensitivity: sensitivity of the query; a whole number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.discrete_laplace(a=0.5, count=2)
    Composition(2 * discrete-laplace:a=0.5)
    """
    return mechanism("discrete-laplace", {"a": a, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def discrete_gaussian(*, sigma: Number, sensitivity: Number | None = None, replace_sensitivity: Number | None = None,
                      count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Integer noise with mass proportional to e^(-x^2/(2 sigma^2)) (Canonne, Kamath, Steinke 2020).

    sigma: sigma of the noise; from 0.01 to 1e6
    sensitivity: sensitivity of the query; a whole number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; a whole number, or 1.41422 (two cells by 1 each; sigma >= 2); 0 where it is not
        given

    >>> import pld
    >>> pld.discrete_gaussian(sigma=3, count=2)
    Composition(2 * discrete-gaussian:sigma=3)
    """
    return mechanism("discrete-gaussian", {"sigma": sigma, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def binomial(*, n: Number, p: Number | None = None, sensitivity: Number | None = None,
             replace_sensitivity: Number | None = None, count: Number | None = None, adjacency: str = "add-remove",
             **words: Number | str) -> Composition:
    """Integer noise: the number of heads of n coins (Agarwal, Suresh, Yu, Kumar, McMahan 2018).

    n: number of coins; a whole number from 1 to 1000
    p: probability of heads; from 0.01 to 0.99; 0.5 where it is not given
    sensitivity: sensitivity of the query, which a record only raises where the noise is not symmetric; a whole
        number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.binomial(n=100, count=2)
    Composition(2 * binomial:n=100)
    """
    return mechanism("binomial", {"n": n, "p": p, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def skellam(*, variance: Number, sensitivity: Number | None = None, replace_sensitivity: Number | None = None,
            count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Integer noise: the difference of two Poisson variables of one mean (Agarwal, Kairouz, Liu 2021).

    variance: variance of the noise, twice that mean; from 0.001 to 1e6
    sensitivity: sensitivity of the query; a whole number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.skellam(variance=10, count=2)
    Composition(2 * skellam:variance=10)
    """
    return mechanism("skellam", {"variance": variance, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def poisson_difference(*, plus: Number, minus: Number, sensitivity: Number | None = None,
                       replace_sensitivity: Number | None = None, count: Number | None = None,
                       adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Integer noise: the difference of two Poisson variables (Skellam 1946; Dong, Roth, Su 2022).

    plus: mean of the first; > 0 and finite; plus + minus from 0.001 to 1e6
    minus: mean of the other; from 0.0001 plus to 10000 plus
    sensitivity: sensitivity of the query, which a record only raises where the noise is not symmetric; a whole
        number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.poisson_difference(minus=4, plus=8, count=2)
    Composition(2 * poisson-difference:plus=8,minus=4)
    """
    return mechanism("poisson-difference", {"plus": plus, "minus": minus, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def integer_noise(*, masses: Numbers, sensitivity: Number | None = None, replace_sensitivity: Number | None = None,
                  count: Number | None = None, adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Integer noise with any log-concave masses at consecutive integers (Dong, Roth, Su 2022).

    masses: the masses, in order; cells >= 0 with a sum of 1
    sensitivity: sensitivity of the query, which a record only raises where the noise is not symmetric; a whole
        number from 1 to 1e6; 1 where it is not given
    replace_sensitivity: what a replaced record moves the query by; 0: twice the sensitivity; 0, or between
        sensitivity and twice that; 0 where it is not given

    >>> import pld
    >>> pld.integer_noise(masses=[0.25, 0.5, 0.25], count=2)
    Composition(2 * integer-noise:masses=0.25/0.5/0.25)
    """
    return mechanism("integer-noise", {"masses": masses, "sensitivity": sensitivity,
                     "replace_sensitivity": replace_sensitivity}, count, adjacency, words)


@by_name
def mass_table(*, p: Numbers, q: Numbers, count: Number | None = None, adjacency: str = "add-remove",
               **words: Number | str) -> Composition:
    """Any pair of mass functions on the same outcomes (Zhu, Dong, Wang 2022).

    p: masses with the record (replace-one: with one value); cells >= 0 with a sum of 1
    q: masses without it (replace-one: with the other value); cells >= 0 with a sum of 1, as many as p

    >>> import pld
    >>> pld.mass_table(p=[0.75, 0.25], q=[0.25, 0.75], count=2)
    Composition(2 * mass-table:p=0.75/0.25,q=0.25/0.75)
    """
    return mechanism("mass-table", {"p": p, "q": q}, count, adjacency, words)


@by_name
def gaussian_mixture(*, sigma: Number, shifts: Numbers, weights: Numbers, count: Number | None = None,
                     adjacency: str = "add-remove", **words: Number | str) -> Composition:
    """Gaussian noise on a query whose sensitivity is random (Choquette-Choo, Ganesh, Steinke, Thakurta 2024).

    sigma: standard deviation of the noise; > 0 and finite
    shifts: the sensitivities; 0, or from 1e-6 sigma to 100 sigma
    weights: their probabilities; one a shift, with a sum of 1, > 0 and up to 1

    >>> import pld
    >>> pld.gaussian_mixture(sigma=1, shifts=[0, 1], weights=[0.5, 0.5], count=2)
    Composition(2 * gaussian-mixture:sigma=1,shifts=0/1,weights=0.5/0.5)
    """
    return mechanism("gaussian-mixture", {"sigma": sigma, "shifts": shifts, "weights": weights}, count, adjacency,
                     words)


@by_name
def dp_points(*, epsilons: Numbers, deltas: Numbers, count: Number | None = None, adjacency: str = "add-remove",
              **words: Number | str) -> Composition:
    """The worst mechanism that is (epsilon, delta)-DP at each of some points (Zhu, Dong, Wang 2022).

    epsilons: the epsilons; from 0 to 1e6
    deltas: the deltas; one an epsilon, from 0 to 1

    >>> import pld
    >>> pld.dp_points(deltas=[1e-05, 1e-09], epsilons=[0.5, 1], count=2)
    Composition(2 * dp-points:epsilons=0.5/1,deltas=1e-05/1e-09)
    """
    return mechanism("dp-points", {"epsilons": epsilons, "deltas": deltas}, count, adjacency, words)


@by_name
def trade_off(*, alphas: Numbers, betas: Numbers, count: Number | None = None, adjacency: str = "add-remove",
              **words: Number | str) -> Composition:
    """The worst mechanism that is f-DP, f joining points by straight lines (Dong, Roth, Su 2022).

    alphas: false positive rates; from 0, increasing, <= 1
    betas: least false negative rates; one an alpha, convex, decreasing to 0, alpha + beta <= 1

    >>> import pld
    >>> pld.trade_off(alphas=[0, 0.25, 1], betas=[0.75, 0.375, 0], count=2)
    Composition(2 * trade-off:alphas=0/0.25/1,betas=0.75/0.375/0)
    """
    return mechanism("trade-off", {"alphas": alphas, "betas": betas}, count, adjacency, words)


@by_name
def zcdp(*, rho: Number, xi: Number | None = None, count: Number | None = None, adjacency: str = "add-remove",
         **words: Number | str) -> Composition:
    """Any (xi, rho)-zCDP mechanism (upper bound: converted) (Bun, Steinke 2016; Canonne, Kamath, Steinke 2020).

    rho: its rho; from 1e-12 to 1e6
    xi: its xi; from 0 to 1e6; 0 where it is not given

    >>> import pld
    >>> pld.zcdp(rho=0.02, count=2)
    Composition(2 * zcdp:rho=0.02,xi=0)
    """
    return mechanism("zcdp", {"rho": rho, "xi": xi}, count, adjacency, words)


@by_name
def tcdp(*, rho: Number, omega: Number, count: Number | None = None, adjacency: str = "add-remove",
         **words: Number | str) -> Composition:
    """Any (rho, omega)-tCDP mechanism (upper bound: converted) (Bun, Dwork, Rothblum, Steinke 2018; Canonne, Kamath,
    Steinke 2020).

    rho: its rho; from 1e-12 to 1e6
    omega: its omega; from 1.01 to 1e9

    >>> import pld
    >>> pld.tcdp(omega=100, rho=0.02, count=2)
    Composition(2 * tcdp:rho=0.02,omega=100)
    """
    return mechanism("tcdp", {"rho": rho, "omega": omega}, count, adjacency, words)


@by_name
def rdp(*, orders: Numbers, epsilons: Numbers, count: Number | None = None, adjacency: str = "add-remove",
        **words: Number | str) -> Composition:
    """Any mechanism with these Renyi divergences (upper bound: converted) (Mironov 2017; Canonne, Kamath, Steinke
    2020).

    orders: the orders; from 1.01 to 1e9, increasing
    epsilons: the divergences; one an order, from 0 to 1e6

    >>> import pld
    >>> pld.rdp(epsilons=[0.04, 0.16, 0.64], orders=[2, 8, 32], count=2)
    Composition(2 * rdp:orders=2/8/32,epsilons=0.04/0.16/0.64)
    """
    return mechanism("rdp", {"orders": orders, "epsilons": epsilons}, count, adjacency, words)
