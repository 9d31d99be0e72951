"""The checker of validation/verify: what it proves, what it does not, and a sample of random and of mutated answers.

PLD names the command. What is true here is known without either program: closed forms, and sums by hand.
"""
import copy
import json
import math
import multiprocessing
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from itertools import combinations, product
from statistics import NormalDist
from types import SimpleNamespace
from unittest import mock

from flint import acb, arb, fmpq

from check_answers import check, mutated
from random_answers import answers_to, random_answers
import apart
from all_orders import slope_of
from allocation import Epoch, Product, epoch_of, listed_epoch, product_of, told_by_a_sum, told_in_cells
from best_of import bounds_of
from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of
from claims import BadInput
from asked import Asked
import laws
import renyi
from closed_forms import gaussian, gaussian_power, laplace
from composition import Composition
from enclosure import OutOfReach, Uncertain, double_below, precision
from fourier import _by_transform, _one_by_one
from gaussian_epoch import smooth_law
from gdp import mu_squared_above
from grid import Law, LossesAbove, power
from outline import Outline, least
from pairs import Atom, Pair
from profiles import Profiles
from quadrature import integral
from schemes import read_release, read_releases
from shuffled import LargestOf
from sketch import Sketch
from sums import FEW_OUTCOMES, Outcomes, SortedOutcomes, TwoLists, _by_counts, in_two, outcomes_of
from trade_off import Power, PowerInSteps, PowersAbove, _least_among, _Search
from transform import Line
from two_sides import TwoSides, _Above, _Below
from vectors import answers_of

VERIFY = pathlib.Path(__file__).parents[2] / "validation" / "verify"


def asked(mechanisms, **fields):
    return {"mechanisms": mechanisms, "adjacency": "add-remove", "asked_direction": "worst", "only_guaranteed": True, **fields}


def delta_at(epsilon, lower, upper, mechanisms, **fields):
    return asked(mechanisms, query="delta", epsilon=epsilon, delta={"lower": lower, "upper": upper}, **fields)


def epsilon_at(delta, lower, upper, mechanisms, **fields):
    return asked(mechanisms, query="epsilon", delta=delta, epsilon={"lower": lower, "upper": upper}, **fields)


def deltas_at(epsilon, brackets, mechanisms, asked_direction="worst", **fields):
    """Several brackets of one delta, checked on one composition."""
    lower, upper = map(list, zip(*brackets))
    nothing = [None] * len(brackets)
    return {"query": "curve", "of": "profile", "asked_direction": asked_direction, "compositions": [asked(
        mechanisms, epsilon=[epsilon] * len(brackets), delta={"lower": lower, "upper": upper}, log_delta={"lower": nothing, "upper": nothing}, **fields)]}


def epsilons_at(delta, uppers, mechanisms, **fields):
    """Several upper ends of one epsilon, checked on one composition."""
    first, *others = uppers
    rows = [{"name": "a bound", "epsilon": upper, "verdict": "sound"} for upper in others]
    return asked(mechanisms, query="compare", delta=delta, epsilon={"lower": None, "upper": first}, bounds=rows, **fields)


def trade_off_at(alpha, lower, upper, mechanisms, power=None, direction="worst"):
    """Of the type II error; and a power from below."""
    return {"query": "curve", "of": "tradeoff", "asked_direction": direction, "compositions": [asked(
        mechanisms, alpha=[alpha], type_two_error={"lower": [lower], "upper": [upper]}, power={"lower": [power], "upper": [None]})]}


def verdict(answer, seconds=20):
    return verdict_of(claims_of(answer, seconds))


def verdicts(answer, seconds=20):
    """Of each end."""
    return [claim.verdict for claim in claims_of(answer, seconds)]


def answer_of(*words):
    done = subprocess.run([os.environ["PLD"], *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class KnownTruths(unittest.TestCase):
    """A bracket that holds the truth is PROVED, one that lies beside it by a part in a million is FALSE."""

    def check_around(self, make, truth):
        self.assertEqual(verdict(make(truth * (1 - 1e-9), truth * (1 + 1e-9))), PROVED)
        self.assertEqual(verdict(make(truth * (1 + 1e-6), truth * (1 + 2e-6))), FALSE)
        self.assertEqual(verdict(make(truth * (1 - 2e-6), truth * (1 - 1e-6))), FALSE)

    def test_gaussian(self):
        """Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = 1/2: nine releases of noise 6."""
        def phi(x):
            return math.erfc(-x / math.sqrt(2)) / 2

        truth = phi(0.25 - 2) - math.e * phi(-0.25 - 2)
        self.check_around(lambda low, high: delta_at(1, low, high, [{"type": "gaussian", "sigma": 6.0, "count": 9}]), truth)

    def test_noise_beside_what_less_than_the_sensitivity_is_attained(self):
        """Upper ends are those of mu = 1/2, lower ones those of mu = 1/4."""
        def delta(mu):
            return (math.erfc((1 / mu - mu / 2) / math.sqrt(2)) - math.e * math.erfc((1 / mu + mu / 2) / math.sqrt(2))) / 2

        noise = [{"type": "gaussian", "sigma": 4, "sensitivity": 2, "attained_sensitivity": 1}]
        self.assertEqual(verdict(delta_at(1, delta(0.25) * (1 - 1e-9), delta(0.5) * (1 + 1e-9), noise)), PROVED)
        self.assertNotEqual(verdict(delta_at(1, delta(0.25) * (1 + 1e-6), None, noise)), PROVED)
        self.assertNotEqual(verdict(delta_at(1, None, delta(0.5) * (1 - 1e-6), noise)), PROVED)
        for wrong in (-1, 3):
            with self.assertRaises(BadInput):
                verdict(delta_at(1, None, 1, [{**noise[0], "attained_sensitivity": wrong}]))

    def test_laplace(self):
        """1 - e^((epsilon - 1 / scale) / 2), on a sample of rate 1/4 at log(1 + 3 (e^epsilon - 1) / 4)."""
        truth = 0.25 * (1 - math.exp((0.5 - 1) / 2))
        epsilon = math.log1p(0.25 * math.expm1(0.5))
        sampled = [{"type": "laplace", "scale": 1.0, "sampling": {"poisson": 0.25}}]
        self.check_around(lambda low, high: delta_at(epsilon, low, high, sampled, asked_direction="remove"), truth)

    def test_a_record_blanked_out_in_a_batch_in_either_direction(self):
        """Where the others have what the record has, adding it is a sample; where they are opposite to it, of noise about 0, removing it tells
        outcomes above x, where (3 + e^(2 x - 2)) / (3 + e) is e^epsilon."""
        epsilon = math.log1p(0.25 * math.expm1(0.5))
        x = 1 + math.log(math.exp(epsilon) * (3 + math.e) - 3) / 2
        of_others = 0.75 * math.exp(-x) / 2
        removed = of_others + 0.25 * (1 - math.exp(x - 2) / 2) - math.exp(epsilon) * (of_others + 0.25 * math.exp(1 - x) / 2)
        batch = [{"type": "laplace", "scale": 1.0, "sampling": {"without_replacement": 0.25}}]
        for (direction, truth), (side, expected) in product((("remove", removed), ("add", 0.25 * (1 - math.exp((0.5 - 1) / 2)))),
                                                            ((1 - 1e-9, PROVED), (1 + 1e-6, FALSE))):
            answer = delta_at(epsilon, truth * side, None, batch, asked_direction=direction, adjacency="zero-out")
            self.assertEqual(verdict(answer), expected, direction)

    def test_guarantees_for_replacements_on_a_sample(self):
        """They say nothing of a removal, by which samples differ; where all records are drawn there is none."""
        for entry in {"type": "dp", "epsilon": 0.1}, {"type": "zcdp", "rho": 0.001}:
            for rate, expected in ((0.1, NOT_PROVED), (1.0, PROVED)):
                sampled = [{**entry, "sampling": {"poisson": rate}}]
                self.assertEqual(verdict(delta_at(0.1, None, 0.9, sampled, adjacency="replace-one")), expected)

    def test_laplace_noise_beside_many_outcomes(self):
        """A row of tests/vectors, to all digits that doubles have; the sums of both lists of outcomes are averaged over."""
        file = json.loads((VERIFY.parents[1] / "tests" / "vectors" / "mixed.json").read_text())
        rows = [row for row in answers_of(file) if {entry["type"] for entry in row["mechanisms"]} == {"randomized-response", "discrete-laplace", "laplace"}]
        self.assertTrue(rows)
        for row in rows:
            self.assertEqual(verdict(row, 20), PROVED, row["id"])
            row["delta"] = {"lower": None, "upper": row["delta"]["upper"] * (1 - 1e-6)}
            self.assertEqual(verdict(row, 20), FALSE, row["id"])

    def test_randomized_response(self):
        """Two answers, true with probability 3/4: losses 2 log 3, 0, -2 log 3 with masses 9/16, 6/16, 1/16."""
        response = [{"type": "randomized-response", "p": 0.75, "count": 2}]
        self.check_around(lambda low, high: epsilon_at(0.25, low, high, response), math.log((9 / 16 - 0.25) * 16))

    def test_a_mass_at_infinity_is_exact(self):
        """Beyond the largest loss all of delta is 2^-20, or a quarter of it."""
        guarantee = {"type": "dp", "epsilon": 0.5, "delta": 2.0**-20}
        for truth, mechanism in ((2.0**-20, guarantee), (2.0**-22, {**guarantee, "sampling": {"poisson": 0.25}})):
            self.assertEqual(verdict(delta_at(2, truth, truth, [mechanism], asked_direction="remove")), PROVED)

    def test_sampled_gaussian_of_many_steps(self):
        """As quoted in README.md, from an evaluation in 50 digits."""
        steps = [{"type": "gaussian", "sigma": 0.8, "sampling": {"poisson": 0.005}, "count": 1000}]
        self.check_around(lambda low, high: epsilon_at(1e-6, low, high, steps), 2.004106293171)

    def test_trade_off_of_a_gaussian(self):
        """f(1/2) = Phi(-1) at mu = 1."""
        truth = math.erfc(1 / math.sqrt(2)) / 2
        self.check_around(lambda low, high: {"query": "curve", "of": "tradeoff", "asked_direction": "worst", "compositions": [asked(
            [{"type": "gaussian", "sigma": 1.0}], alpha=[0.5],
            type_two_error={"lower": [low], "upper": [high]}, power={"lower": [None], "upper": [None]})]}, truth)


    def test_trade_off_next_to_a_power_of_one(self):
        """f(1/2) = Phi(-10), of Gaussian noise that is called a mixture."""
        noise = [{"type": "gaussian-mixture", "sigma": 0.1, "shifts": [1.0], "weights": [1.0]}]
        self.check_around(lambda low, high: trade_off_at(0.5, low, high, noise), math.erfc(10 / math.sqrt(2)) / 2)

    def test_noise_next_to_nothing(self):
        """A sample of 1/4 that is told: the record is found with 1/4 + 3/4 alpha; with what is seen, it is certain that it was drawn."""
        noise = [{"type": "gaussian", "sigma": 1e-8, "sampling": {"poisson": 0.25}}]
        self.check_around(lambda low, high: trade_off_at(0.5, low, high, noise, direction="remove"), 0.375)
        self.check_around(lambda low, high: delta_at(3.0, low, high, noise), 0.25)

    def test_a_power_of_one(self):
        """The one law gives the first two answers of three, the other one the last two: to reject both halves of the first costs an alpha of 1/2."""
        table = [{"type": "mass-table", "p": [0.5, 0.5, 0.0], "q": [0.0, 0.5, 0.5]}]
        self.assertEqual(verdict(trade_off_at(0.5, None, 0.0, table)), PROVED)
        self.assertEqual(verdict(trade_off_at(0.49, None, 0.0, table)), FALSE)
        self.assertEqual(verdict(trade_off_at(0.49, 0.0, 0.0, table, power=1.0)), FALSE)

    def test_trade_off_at_an_alpha_of_zero(self):
        """What P has alone: nothing of noise, nor of finite Renyi divergences, whatever is composed with them."""
        guarantee, noise = {"type": "rdp", "orders": [8.0], "epsilons": [0.1]}, {"type": "laplace", "scale": 1.0, "count": 3}
        for mechanisms in ([noise], [{"type": "gaussian", "sigma": 1.0, "sampling": {"poisson": 0.1}}], [guarantee], [guarantee, noise],
                           [{**guarantee, "sampling": {"poisson": 0.25}}, noise]):
            self.assertEqual(verdict(trade_off_at(0.0, 1.0, 1.0, mechanisms)), PROVED, mechanisms)
        alone = [guarantee, {"type": "dp", "epsilon": 1.0, "delta": 0.25}]
        self.assertEqual([verdict(trade_off_at(0.0, end, None, alone)) for end in (0.75, 0.75 * (1 + 1e-6))], [PROVED, FALSE])

    def test_trade_off_next_to_zero(self):
        """Below the smallest double: of Gaussian noise that is called a mixture, f(1/2) = Phi(-50) = 1.08e-545."""
        noise = [{"type": "gaussian-mixture", "sigma": 0.02, "shifts": [1.0], "weights": [1.0]}]
        self.assertEqual(verdict(trade_off_at(0.5, 0.0, 5e-324, noise, power=1 - 2**-53)), PROVED)
        noise[0]["sigma"] = 0.04  # f(1/2) = Phi(-25) = 3e-138
        self.assertEqual(verdict(trade_off_at(0.5, 0.0, 5e-324, noise), 5), NOT_PROVED)

    def test_masses_of_epochs_from_below(self):
        """P's are rounded down and Q's up, whichever law is P: as no outcome is dropped, they have no more than 1, and no less."""
        for steps, bits, adding in product((3, 12), (64, 192), (False, True)):
            with precision(300):
                cells = Epoch(laws.randomized_response(fmpq(7, 10), 2), steps, adding).in_cells(False, 1e-3, 1e-3, bits)
                for law, ahead in (("p", -1), ("q", 1)):
                    beyond = ahead * (sum((getattr(atom, law) for atom in cells.atoms), arb(0)) - 1)
                    self.assertFalse(beyond < 0)
                    self.assertLess(beyond, 2.0 ** (20 - bits))

    def test_type_two_errors_of_epochs(self):
        """That of what is told in cells is no smaller than it is; of 611,560 epochs it is next to 0, which no search tells in seconds."""
        with precision(192):
            step = laws.randomized_response(fmpq(7, 10), 2)
            listed, hidden = listed_epoch(step, 12, 30), Epoch(step, 12)
            for pair, cells in ((listed, told_in_cells(hidden)), (listed.swapped(), told_in_cells(hidden.swapped()))):
                self.assertTrue(0 <= cells.lost_p < 1e-40)
                for power in (-0.1, -0.5, -0.9):
                    self.assertTrue(pair.moment(power) * (1 - 1e-15) <= cells.moment(power) <= pair.moment(power) * (1 + 1e-4))
        epochs = [{"type": "sinh-normal", "a": 5.30131014, "sigma": 0.98765, "count": 12},
                  {"type": "laplace", "scale": 2.9289, "sensitivity": 0.39272, "sampling": {"allocation": 11}, "count": 611560}]
        self.assertEqual(verdict(trade_off_at(0.023704, None, 1e-15, epochs, power=1 - 2**-50), 5), PROVED)

    def test_many_releases_of_laplace_noise(self):
        """By a transform, as the sum over all ways takes the square of their number; and where that is no more than seconds both are one."""
        few = Composition([read_release({"type": "laplace", "scale": 20.0, "count": 460}, "add-remove", "")])
        exact = laplace(arb(fmpq(1, 20)), 460)
        for epsilon in (0.5, 3.0):
            with precision(900):
                self.assertTrue(few.profile(False, arb(epsilon), arb(1e-6)).overlaps(exact(arb(epsilon))))
        answer = answer_of("epsilon", "--json", "--delta", "1e-6", "laplace:scale=50,count=2000")
        self.assertEqual(verdict(answer, 5), PROVED)

    def test_many_tables_of_discrete_gaussian_noise(self):
        """Losses of each are on a lattice of its own; no double holds the spacing of what is common to all."""
        tables = [f"discrete-gaussian:sigma={5 + i}.{i}" for i in range(1, 13)]
        self.assertEqual(verdict(answer_of("epsilon", "--json", "--delta=1e-10", *tables), 60), PROVED)

    def test_powers_of_a_guarantee_to_all_digits(self):
        """The answer of pld to a power whose best order, ratio and lower point of tangency lean on each other."""
        self.assertEqual(verdict(trade_off_at(0.5, 0.3181819676666397, None, [{"type": "tcdp", "omega": 19.104, "rho": 0.071334}])), PROVED)

    def test_tiny_type_two_errors(self):
        """f(1/2) = Phi(-20) and Phi(-30), 10^-89 and 10^-198, of Gaussian noise that is called a mixture."""
        for sigma in (1 / 20, 1 / 30):
            noise = [{"type": "gaussian-mixture", "sigma": sigma, "shifts": [1.0], "weights": [1.0]}]
            with precision(64):
                truth = float((1 / arb(sigma) / arb(2).sqrt()).erfc() / 2)
            self.check_around(lambda low, high: trade_off_at(0.5, low, high, noise), truth)

    def test_powers_of_many_corners(self):
        """Of a logistic mechanism on a cut sample beside whole-number noise, which has a loss for each number: of few deltas, to a part in 10^7."""
        mechanisms = [{"type": "logistic", "scale": 3.0494, "sampling": {"poisson": 0.0023}},
                      {"type": "discrete-laplace", "a": 0.028065, "sampling": {"without_replacement": 0.0075111}, "count": 89}]
        attained = Profiles(Composition([read_release(entry, "zero-out", "").attained() for entry in mechanisms]), "add")
        with mock.patch.object(Composition, "profile", autospec=True, side_effect=Composition.profile) as profile:
            search = _Search(attained, 1.5348e-05, 1.548e-05, 1 - 1.548e-05)
            while search.power.rad() > 1e-7 * 1.548e-05:
                search.narrow()
        self.assertLess(profile.call_count, 50)

    def test_trade_off_by_a_search(self):
        """Of Gaussian noise that is called a mixture, to a part in 10^12."""
        with precision(128):
            truth = float(gaussian_power(arb(1), arb(0.01)))
        noise = [{"type": "gaussian-mixture", "sigma": 1.0, "shifts": [1.0], "weights": [1.0]}]

        def power(low, high):
            points = {"alpha": [0.01], "power": {"lower": [low], "upper": [high]}, "type_two_error": {"lower": [1 - high], "upper": [1 - low]}}
            return {"query": "curve", "of": "tradeoff", "asked_direction": "worst", "compositions": [{**asked(noise), **points}]}

        self.assertEqual(verdict(power(truth - 1e-12, truth + 1e-12)), PROVED)
        self.assertEqual(verdict(power(truth + 1e-9, truth + 2e-9)), FALSE)
        self.assertEqual(verdict(power(truth - 2e-9, truth - 1e-9)), FALSE)

    def test_the_least_value_of_a_convex_function(self):
        """By five values of functions with a corner, a flat part or a bend: never above the least one, which it is where all between are lines."""
        rng, found = random.Random(3), []
        for of, truth in ((lambda x: abs(x - 2), 0), (lambda x: max(1 - x, 0, x - 3), 0), (lambda x: (x - 2) ** 2, 0), (lambda x: max(5 - 3 * x, x / 7), 5 / 22)):
            for _ in range(200):
                places = sorted(rng.uniform(0.01, 9) for _ in range(5))
                values = [of(x) for x in places]
                if values[0] > values[1] and values[4] > values[3]:
                    bound, _ = _least_among([(arb(x), arb(y, 1e-9)) for x, y in zip(places, values)])
                    self.assertFalse(bound > truth + 1e-15)
                    found.append(bound > truth - 1e-5)
        self.assertGreater(sum(found), 50)

    def test_a_guess_has_the_power_alpha(self):
        """Of two steps of nine answers 415 times, whose power is not told in seconds; a bit less than the guess's own is known of any."""
        epochs = [{"type": "randomized-response", "k": 9, "p": 0.4714, "sampling": {"allocation": 2}, "count": 415}]
        nothing = [{"type": "randomized-response", "p": 0.5}]

        def least(mechanisms, power):
            points = {"alpha": [0.01], "power": {"lower": [power], "upper": [None]}, "type_two_error": {"lower": [None], "upper": [1 - power]}}
            return {"query": "curve", "of": "tradeoff", "asked_direction": "worst", "compositions": [{**asked(mechanisms), **points}]}

        self.assertEqual(verdict(least(epochs, 0.01 * (1 - 1e-12)), 1), PROVED)
        self.assertEqual(verdict(least(nothing, 0.01 * (1 + 1e-9))), FALSE)

    def test_truncated_laplace(self):
        """Both laws have all their mass, and delta is as a sum over many outcomes has it: alone, and of a replaced record on a sample."""
        def density(law, shift, bound, x):
            return sum(float(w) * math.exp(-abs(x - j * shift)) for j, w in law if abs(x - j * shift) <= bound) / (2 - 2 * math.exp(-bound))

        shift = 0.75
        for bound, moves in product((3.5, 0.5, 0.375), (laws.MOVED, laws.on_a_sample(1, fmpq(3, 8), True))):
            with precision(100):
                pair = laws.laplace(fmpq(3, 4), 40, moves, fmpq(*bound.as_integer_ratio()))
                masses = pair.moment(0) + pair.only_p, pair.moment(-1) + pair.only_q
                found = float(pair.profile(arb(0.25)).mid())
            self.assertTrue(all(abs(mass - 1) < 1e-20 for mass in masses), masses)
            places = [-5 + (i + 0.5) / 2000 for i in range(20_000)]
            truth = sum(max(0.0, density(moves[0], shift, bound, x) - math.exp(0.25) * density(moves[1], shift, bound, x)) for x in places) / 2000
            self.assertAlmostEqual(found, truth, delta=1e-3)

    def test_laplace_noise_of_a_tiny_scale(self):
        """Of scale 10^-9 a sample has the record or not: delta(0) is its rate, 1/4."""
        noise = [{"type": "laplace", "scale": 1e-9, "sampling": {"poisson": 0.25}}]
        self.assertEqual(verdict(delta_at(0.0, 0.25 - 1e-15, 0.25 + 1e-15, noise)), PROVED)
        self.assertEqual(verdict(delta_at(0.0, None, 0.25 - 1e-9, noise)), FALSE)
        self.assertEqual(verdict(delta_at(0.0, 0.25 + 1e-9, None, noise)), FALSE)

    def test_noise_that_hides_next_to_nothing_in_several_samples(self):
        """Whether one of k records is drawn in one of three samples is told: 1 - (1 - q)^(3 k) of both laws' mass, also where a record is replaced. What no sample tells has a loss of
        3 k log(1 - q), and where it is replaced of 0, so that at epsilon < 0 there is 1 - e^epsilon of it."""
        q = 0.125
        for name, parameter, group in product(("gaussian", "laplace"), (1e-9, 1e-6), (1, 3)):
            noise = [{"type": name, {"gaussian": "sigma", "laplace": "scale"}[name]: parameter, "sampling": {"poisson": q}, "count": 3}]
            hidden = (1 - q) ** (3 * group)
            for adjacency in ("add-remove", "replace-one"):
                self.check_around(lambda low, high: delta_at(0.0, low, high, noise, adjacency=adjacency, group=group), 1 - hidden)
            self.check_around(lambda low, high: delta_at(-0.25, low, high, noise, adjacency="replace-one", group=group), 1 - hidden * math.exp(-0.25))

    def test_noise_that_hides_next_to_nothing_has_a_largest_loss(self):
        """3 log(1 - q + q e^(10^6)), of Laplace noise of that scale."""
        noise, largest = [{"type": "laplace", "scale": 1e-6, "sampling": {"poisson": 0.25}, "count": 3}], 3 * (1e6 + math.log(0.25))
        self.assertEqual(verdict(epsilon_at(0.0, largest * (1 - 1e-9), largest * (1 + 1e-9), noise)), PROVED)
        self.assertEqual(verdict(epsilon_at(0.0, None, largest * (1 - 1e-6), noise)), FALSE)


class Flags(unittest.TestCase):
    """What an answer says besides its ends: none of it may be wrong where all is PROVED."""

    BOTH = [{"type": "gaussian", "sigma": 2.0}, {"type": "dp", "epsilon": 1.0}]

    def test_exact(self):
        answer = answer_of("epsilon", "--json", "--delta", "1e-3", "--adjacency", "replace-one", "laplace:scale=4,wor=0.1,count=2")
        self.assertEqual(verdict(answer), PROVED)
        self.assertNotEqual(verdict({**answer, "exact": True}), PROVED)
        for no_flag in (1, "true", None):
            with self.assertRaisesRegex(BadInput, "exact"):
                verdict({**answer, "exact": no_flag})

    def test_what_only_a_guarantee_has(self):
        """Of the mechanism at hand only what the others have is known from below."""
        answer = answer_of("delta", "--json", "--epsilon", "0.5", "gaussian:sigma=2", "dp:epsilon=1")
        alone = answer_of("delta", "--json", "--epsilon", "0.5", "gaussian:sigma=2")["delta"]["lower"]
        self.assertEqual(verdict(answer), PROVED)
        del answer["only_guaranteed"], answer["log_delta"]
        self.assertEqual(verdict(answer), NOT_PROVED)
        answer.update(exact=False, converged=False)
        self.assertEqual(verdict(answer), NOT_PROVED)
        self.assertEqual(verdict({**answer, "delta": {**answer["delta"], "lower": alone}}), PROVED)

    def test_direction(self):
        answer = answer_of("epsilon", "--json", "--delta", "1e-6", "gaussian:sigma=0.8,q=0.005,count=1000")
        self.assertEqual((answer["direction"], verdict(answer)), ("remove", PROVED))
        self.assertEqual(verdict({**answer, "direction": "add"}), FALSE)
        self.assertEqual(verdict({**answer, "asked_direction": "add"}), FALSE)

    def test_direction_of_what_bounds_both(self):
        for words in (["epsilon", "--delta", "1e-6"], ["delta", "--epsilon", "3"]):
            answer = answer_of(*words, "--json", "--direction", "add", "--group", "2", "zcdp:rho=0.1")
            self.assertEqual(answer["direction"], "add")
            self.assertNotEqual(verdict(answer), FALSE)  # an end of steps is short of proof by some 1e-6
            self.assertEqual(verdict({**answer, "direction": "remove"}), FALSE)

    def test_converged(self):
        answer = answer_of("epsilon", "--json", "--delta", "1e-6", "gaussian:sigma=0.8,q=0.005,count=1000")
        wide = {**answer, "epsilon": {"lower": 1.9, "upper": 2.1}}
        self.assertEqual([verdict(wide), verdict({**wide, "converged": False})], [FALSE, PROVED])

    def test_an_estimate_outside(self):
        with self.assertRaisesRegex(BadInput, "estimate"):
            verdict(delta_at(0.0, None, None, self.BOTH) | {"delta": {"lower": 0.1, "estimate": 0.05, "upper": 1.0}})

    def test_what_is_nested_in_curves(self):
        """Of each composition each end that is moved past the other, each estimate beside its ends, and each list that is too short."""
        for words, columns in ((("--range", "0.1:1:2", "gaussian:sigma=2,count=3", "vs", "laplace:scale=1,count=2"), ("delta", "log_delta")),
                               (("--of", "tradeoff", "--range", "0.01:0.5:2", "gaussian:sigma=2,count=3", "vs", "laplace:scale=2,count=2"), ("type_two_error", "power"))):
            answer = answer_of("curve", "--json", *words)
            self.assertEqual(verdict(answer), PROVED)
            silent = self.saying_nothing(answer)
            for i, column, place in product((0, 1), columns, (0, 1)):
                found = answer["compositions"][i][column]
                for end, other, sign in (("lower", "upper", 1), ("upper", "lower", -1)):
                    moved = copy.deepcopy(silent)
                    moved["compositions"][i][column][end][place] = found[other][place] + sign * 1e-5 * abs(found[other][place])
                    with self.subTest(words, i=i, column=column, end=end):
                        self.assertEqual(verdict(moved), FALSE)
                for end in ("lower", "estimate", "upper"):
                    short = copy.deepcopy(silent)
                    short["compositions"][i][column][end].pop()
                    with self.assertRaisesRegex(BadInput, "2 of them"):
                        verdict(short)
                wrong = copy.deepcopy(silent)
                wrong["compositions"][i][column]["lower"][place], wrong["compositions"][i][column]["estimate"][place] = found["lower"][place], found["lower"][place] - 1e-6
                with self.assertRaisesRegex(BadInput, "estimate"):
                    verdict(wrong)

    def saying_nothing(self, curve):
        """All of it but its ends and estimates."""
        curve = copy.deepcopy(curve)
        for composition in curve["compositions"]:
            for column in ("delta", "log_delta", "type_two_error", "power"):
                if column in composition:
                    composition[column] = {end: [None] * len(values) for end, values in composition[column].items()}
        return curve

    def test_whether_a_curve_converged(self):
        """Widths of logarithms are at most that of the tolerance before the largest loss, 2; of errors eight times that, of the narrower one."""
        noise = [{"type": "laplace", "scale": 1.0, "count": 2}]
        for width, place, expected in ((0.9e-3, 1.0, PROVED), (1.1e-3, 1.0, FALSE), (1.1e-3, 2 - 1e-10, PROVED), (1.1e-3, 2 - 1e-8, FALSE)):
            with self.subTest(width, place=place):
                curve = deltas_at(place, [(0.0, 1.0)], noise, exact=True, converged=True)
                curve["compositions"][0]["log_delta"] = {"lower": [-50.0], "upper": [-50.0 + width]}
                claims = claims_of({**curve, "tolerance": 1e-3}, 1)
                self.assertEqual([claim.verdict for claim in claims if claim.what == "converged"], [expected])
        for width, expected in ((7.9e-3, PROVED), (8.1e-3, FALSE)):
            curve = trade_off_at(0.1, 0.2, 0.9, noise)
            curve["compositions"][0].update(exact=True, converged=True, power={"lower": [0.5], "upper": [0.5 * math.exp(width)]})
            claims = claims_of({**curve, "tolerance": 1e-3}, 1)
            self.assertEqual([claim.verdict for claim in claims if claim.what == "converged"], [expected])

    def test_calibrated_values(self):
        answer = answer_of("calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,count=10")
        self.assertEqual(verdict(answer), PROVED)
        self.assertEqual(verdict({**answer, "value": 0.5 * answer["value"]}), FALSE)
        unproved = answer_of("calibrate", "--json", "--epsilon", "3", "--delta", "0", "--tries", "geometric:mean=10", "laplace:scale=?")
        meets = [claim.verdict for claim in claims_of(unproved, 20) if "meets the target" in claim.what]
        self.assertEqual(meets, [NOT_PROVED], "a bound that is not proved meets nothing")
        for words in ("q=?,epochs=3", "q=0.01,epochs=?", "sampler=poisson,batch=?,dataset=50000,epochs=3", "sampler=fixed-size,batch=?,dataset=3000,epochs=1",
                      "sampler=truncated,batch=?,cap=90,dataset=50000,count=20"):
            answer = answer_of("calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=2," + words)
            self.assertEqual(verdict(answer), PROVED, words)
            [mechanism] = answer["mechanisms"]
            for field in {"epochs", "dataset"} & mechanism.keys():
                wrong = {**answer, "mechanisms": [{**mechanism, field: 2 * mechanism[field]}]} if mechanism[field] != "?" else None
                self.assertNotEqual(wrong and verdict(wrong), PROVED, words)
                for value in (0, -1, "inf", "x", None):
                    with self.assertRaises(BadInput, msg=(words, field, value)):
                        verdict({**answer, "mechanisms": [{**mechanism, field: value}]})
        for run in ("gaussian:sigma=?,count=10", "gaussian:sigma=1,sampler=poisson,batch=?,dataset=500,epochs=3"):
            best = answer_of("calibrate", "--json", "--epsilon", "4", "--delta", "1e-6", "--tolerance", "1e-3", "--tries", "geometric:mean=5", run)
            self.assertEqual(verdict(best), PROVED, run)
            more = [{**best["mechanisms"][0], "tries": "geometric:mean=50"}]
            self.assertNotEqual(verdict({**best, "mechanisms": more}), PROVED, run)
        shuffled = answer_of("calibrate", "--json", "--advantage", "0.1", "--adjacency", "zero-out", "gaussian:sigma=?,shuffled=20")
        said = [claim.verdict for claim in claims_of(shuffled, 20) if claim.what == f"? = {shuffled['failing']['value']!r} fails"]
        self.assertEqual(said, [PROVED])
        wrong = {**shuffled, "failing": {**shuffled["failing"], "attained": shuffled["chosen"]["attained"]}}
        self.assertEqual(verdict(wrong), FALSE)
        guaranteed = answer_of("calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "zcdp:rho=?")
        self.assertEqual(verdict(guaranteed), PROVED)
        for trial in ("chosen", "next"):
            [attained] = guaranteed[trial]["attained"]
            self.assertNotEqual(verdict({**guaranteed, trial: {**guaranteed[trial], "attained": [{**attained, "exact": True}]}}), PROVED)
        self.assertNotEqual(verdict({**guaranteed, "next": {**guaranteed["next"], "fails": True}}), PROVED)

    def test_a_target_is_of_one_quantity(self):
        answer = answer_of("calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,count=10")
        for target in ({"epsilon": 1.0, "delta": 1e-5, "mu": 0.01}, {"epsilon": 1.0, "delta": 1e-5, "group": 2}, {"delta": 1e-5}, {}):
            with self.assertRaises(BadInput, msg=target):
                verdict({**answer, "targets": [target]})

    def test_a_value_is_not_said_to_be_of_another_parameter(self):
        answer = answer_of("calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,count=10")
        self.assertFalse(any("count" in claim.what for claim in claims_of({**answer, "unknown": "count"}, 20)))

    def test_renyi_routes_bound_what_is_asked(self):
        """Neither may be below the lower end, which Gaussian noise of mu^2 = 2 rho has."""
        for words in (["delta", "--epsilon", "1"], ["epsilon", "--delta", "1e-7"]):
            answer = answer_of(*words, "--json", "zcdp:rho=0.01", "zcdp:rho=0.01")
            self.assertEqual((set(answer["renyi_routes"]), verdict(answer)), ({"added_first", "converted_first"}, PROVED))
        less = {**answer["renyi_routes"], "converted_first": {"lower": None, "upper": 0.9 * answer["epsilon"]["lower"]}}
        self.assertEqual(verdict({**answer, "renyi_routes": less}), FALSE)

    def test_a_sample_of_a_guarantee_has_what_it_has_on_all_data(self):
        for words in (["zcdp:rho=0.01,q=0.95,count=100"], ["exponential:epsilon=0.3,wor=0.999,count=30"],
                      ["--adjacency", "replace-one", "exponential:epsilon=0.3,q=0.99,count=30"]):
            self.assertEqual(verdict(answer_of("epsilon", "--json", "--delta", "1e-6", *words)), PROVED)

    def test_a_bound_is_as_sound_as_its_verdict(self):
        answer = answer_of("compare", "--json", "--delta", "1e-5", "gaussian:sigma=2,count=3")
        self.assertEqual(verdict(answer), PROVED)
        for i, row in enumerate(answer["bounds"]):
            if "sound" in row:
                wrong = [*answer["bounds"][:i], {**row, "sound": not row["sound"]}, *answer["bounds"][i + 1 :]]
                with self.assertRaisesRegex(BadInput, "sound"):
                    verdict({**answer, "bounds": wrong})

    def test_a_curve_is_of_the_direction_it_says(self):
        answer = answer_of("curve", "--json", "--range", "0:1:2", "gaussian:sigma=3,q=0.5")
        self.assertEqual((answer["direction"], verdict(answer)), ("worst", PROVED))
        with self.assertRaisesRegex(BadInput, "direction"):
            verdict({**answer, "direction": "remove"})


class Schemes(unittest.TestCase):
    def check_around(self, truth, mechanisms, **fields):
        """At epsilon = log 2, to within rounding of that."""
        self.assertEqual(verdict(delta_at(math.log(2), truth - 1e-12, truth + 1e-12, mechanisms, **fields)), PROVED)
        self.assertNotEqual(verdict(delta_at(math.log(2), truth * (1 + 1e-6), None, mechanisms, **fields)), PROVED)
        self.assertNotEqual(verdict(delta_at(math.log(2), None, truth * (1 - 1e-6), mechanisms, **fields)), PROVED)

    def test_selections_on_samples_are_bounded_by_laplace_noise(self):
        """P - g Q of the opposite pair (docs/poisson_replace_one.md), from where it is 0 to the shift, and beyond that."""
        shift, q, g = 0.3, 0.2, math.exp(0.02)
        left = 1 - q + q * math.exp(-shift)
        start = (shift + math.log((g * left - (1 - q)) / q)) / 2
        truth = ((1 - q - g * left) * (math.exp(-start) - math.exp(-shift)) + q * (1 - math.exp(start - shift))
                 + math.exp(-shift) * (1 - q + q * math.exp(shift) - g * left)) / 2
        sample = {"sampling": {"poisson": q}}
        for mechanism, attained in (({"type": "permute-and-flip", "epsilon": shift}, True), ({"type": "report-noisy-max", "scale": 2 / shift}, False),
                                    ({"type": "laplace", "scale": 1 / shift}, True)):
            def verdict_of_bracket(lower, upper):
                return verdict(delta_at(math.log(g), lower, upper, [{**mechanism, **sample}], adjacency="replace-one"))
            self.assertEqual(verdict_of_bracket(None, truth + 1e-12), PROVED)
            self.assertNotEqual(verdict_of_bracket(None, truth * (1 - 1e-6)), PROVED)
            self.assertEqual(verdict_of_bracket(truth - 1e-12, None) == PROVED, attained)

    def test_a_sketch_of_losses_that_all_lie_beyond_its_grid(self):
        selections = [{"type": "report-noisy-max", "scale": 1.0894, "sensitivity": 0.37298, "sampling": {"allocation": 10}, "count": 173700},
                      {"type": "report-noisy-max", "scale": 32.726, "sensitivity": 1.7537, "count": 1255,
                       "sampling": {"largest_batch": 6975, "records": 9008, "truncated_poisson": 0.74559}}]
        self.assertEqual(verdict(delta_at(4, None, 0.9999989780652115, selections, adjacency="replace-one", asked_direction="remove")), FALSE)

    def test_a_law_without_any_loss_on_its_grid_is_composed(self):
        for kind in (_Above.kind(64), _Below.kind(64)):
            total = power(Law(kind, arb(1), arb(0), 64).gathered(), 29, lambda _: 64, 10)
            self.assertEqual(sum(sum(map(int, masses)) for masses, _ in total.places()), 0)

    def test_random_allocation(self):
        """Two steps, ratios 3 and 1/3 with masses 1/4 and 3/4: means 3, 5/3, 1/3 with 1/16, 6/16, 9/16; (3 - 2) / 16, (1 - 2/3) 9/16."""
        response = [{"type": "randomized-response", "p": 0.75, "sampling": {"allocation": 2}}]
        self.check_around(1 / 16, response, asked_direction="remove")
        self.check_around(3 / 16, response, asked_direction="add")

    def test_epochs_of_random_allocation(self):
        """Products of two such means: 9, 5, 25/9 and 1, 5/9, 1/9 with 1, 12 and 36 parts, and 18, 108, 81, of 256."""
        response = [{"type": "randomized-response", "p": 0.75, "count": 2, "sampling": {"allocation": 2}}]
        self.check_around((7 + 12 * 3 + 36 * 7 / 9) / 256, response, asked_direction="remove")

    def test_what_has_no_gains_is_no_part_of_a_batch(self):
        """Of noise with a density in four pieces two have losses below 0 alone."""
        batch = {"type": "generalized", "scale": 8.5708, "shape": 1.5, "sampling": {"without_replacement": 0.1395}}
        with precision(128):
            pieces = read_release(batch, "zero-out", "").pair(25).pieces
        self.assertEqual([piece.low < piece.high for piece in pieces], [True] * 4)

    def test_a_batch_that_is_always_full(self):
        """Of two records one is kept: the record's answer with chance 1/2, which is a sample of that rate. At epsilon = log(5/4) it is half of
        the profile at log(1 + (1/4) / (1/2)) = log(3/2), 3/4 - (3/2) / 4."""
        response = [{"type": "randomized-response", "p": 0.75,
                     "sampling": {"truncated_poisson": 1.0, "largest_batch": 1, "records": 2}}]
        truth = (3 / 4 - 3 / 2 / 4) / 2
        self.assertEqual(verdict(delta_at(math.log(1.25), None, truth + 1e-12, response)), PROVED)
        self.assertEqual(verdict(delta_at(math.log(1.25), None, truth - 1e-9, response)), FALSE)

    def test_a_zeroed_record_is_told_by_two_likelihoods(self):
        """So that what has a profile at each epsilon by itself need not have a batch's; and where values are not opposite other records are none."""
        batch = {"sampling": {"without_replacement": 0.1}}
        for mechanism, exact in (({"type": "gaussian", "sigma": 2.0}, True), ({"type": "permute-and-flip", "epsilon": 1.0}, False)):
            self.assertEqual(Asked("zero-out", [{**mechanism, **batch}], "worst").exact, exact)
        with self.assertRaises(OutOfReach):
            Asked("zero-out", [{"type": "gaussian", "sigma": 2.0, "replace_sensitivity": 1.0, **batch}], "worst")

    def test_rows_of_the_vectors(self):
        """Computed by other ways, to 40 digits."""
        for name in ("random-allocation", "shuffled", "truncated-samples", "replaced-samples", "zeroed-batches", "selection"):
            file = json.loads((VERIFY.parents[1] / f"tests/vectors/{name}.json").read_text())
            for answer in list(answers_of(file))[:: len(file["rows"]) // 2]:
                with self.subTest(f"{name} {answer['id']}"):
                    self.assertEqual(verdict(answer), PROVED)
                    query = answer["query"]
                    wrong = {end: answer[query][end] + side * 1e-6 * abs(answer[query][end])
                             for end, side in (("lower", 1), ("upper", -1)) if end in answer[query]}
                    self.assertNotIn(PROVED, verdicts({**answer, query: wrong}))


class WhoseNumber(unittest.TestCase):
    """Upper ends are proved for what dominates, lower ends for what real neighbours attain."""

    # Of the exponential mechanism with two candidates: randomized response of half its epsilon has most at this delta.
    selection = [{"type": "exponential", "epsilon": 1.0, "count": 2}]
    attained = math.log((1 / (1 + math.exp(-0.5)) ** 2 - 0.1) / (1 / (1 + math.exp(0.5)) ** 2))

    def test_a_lower_end_is_what_neighbours_attain(self):
        self.assertEqual(verdict(epsilon_at(0.1, self.attained - 1e-9, None, self.selection)), PROVED)
        self.assertEqual(verdict(epsilon_at(0.1, self.attained + 1e-6, None, self.selection)), NOT_PROVED)

    def test_other_neighbours_attain_more_at_other_deltas(self):
        """The even draw has half of epsilon in either release, another one nearly all of it, but rarely."""
        for name, loss, chance, beyond in (("exponential", 1.9, math.expm1(-0.05) / math.expm1(-1), NOT_PROVED),
                                           ("permute-and-flip", 2.0, 0.5, FALSE)):  # no pair of any neighbours has more
            release = [{"type": name, "epsilon": 1.0, "count": 2}]
            delta = -math.expm1(-0.001) * chance**2
            for end, expected in ((loss - 0.001 - 1e-9, PROVED), (loss - 0.001 + 1e-4, beyond)):
                self.assertEqual(verdict(epsilon_at(delta, end, None, release)), expected, (name, end))

    def test_a_replaced_record_is_either_of_two(self):
        """Neighbours come in both orders, whichever direction is asked about: that of less than 0.1 as that of more than 0.12."""
        epoch = [{"type": "laplace", "scale": 1.0, "sampling": {"allocation": 3}}]
        for direction, adjacency, expected in (("remove", "zero-out", [PROVED, FALSE, FALSE]), ("add", "zero-out", [PROVED, PROVED, FALSE]),
                                               ("remove", "replace-one", [PROVED, PROVED, NOT_PROVED]), ("add", "replace-one", [PROVED, PROVED, NOT_PROVED])):
            lowers = [(lower, None) for lower in (0.09, 0.12, 0.15)]
            self.assertEqual(verdicts(deltas_at(0.3, lowers, epoch, direction, adjacency=adjacency)), expected, (direction, adjacency))

    def test_the_largest_of_shuffled_outputs(self):
        """Where a strip is told the loss turns into the upper half plane; and a delta by transforms is that of the masses of small cells, from below."""
        for batches, shifts in ((196, (2, 1)), (50, (1, 0)), (100_000, (2, 1))):
            pair = LargestOf(batches, lambda shifts=shifts: tuple(map(arb, shifts))).pair(40)
            (piece,), few = pair.pieces, random.Random(1)
            self.assertGreater(piece.strip, 0.01)
            for _ in range(300):
                x = acb(few.uniform(float(piece.low.mid()), float(piece.high.mid())), few.uniform(0, 1) * float(piece.strip.mid()))
                self.assertTrue(0 < piece.at(x)[1].imag < arb.pi(), x)
        shuffled = [{"type": "gaussian", "sigma": 1.0, "sampling": {"shuffled": 50}, "count": 2}]
        value = Asked("zero-out", shuffled, "remove")._attained.composition.at(False, 3.0, arb(1e-8))
        self.assertLess(abs(value - self.of_two_passes(50, 3.0)), 2e-4)

    @staticmethod
    def of_two_passes(batches, epsilon, step=0.02):
        """By the differences of distribution functions in doubles."""
        phi, places = NormalDist().cdf, [step * i for i in range(-200, 450)]

        def masses(shift):
            whole = [phi(x - shift) * phi(x) ** (batches - 1) for x in places]
            return [b - a for a, b in zip(whole, whole[1:])]

        cells = [(p, q) for p, q in zip(masses(2), masses(1)) if p > 1e-9]
        return sum(max(0, p * r - math.exp(epsilon) * q * s) for p, q in cells for r, s in cells)

    def test_a_conversion_below_zero(self):
        """At a negative epsilon the tangent of the optimal conversion must not turn over: -0.3084291 is what the library has."""
        eighteen = [{"type": "exponential", "epsilon": 0.022107, "count": 18}]
        self.assertNotEqual(verdict(epsilon_at(0.2654, None, -0.308429454025716, eighteen), 5), PROVED)

    def test_an_upper_end_below_what_neighbours_attain_is_false(self):
        self.assertEqual(verdicts(epsilons_at(0.1, (self.attained + 1e-6, self.attained - 1e-6), self.selection)), [NOT_PROVED, FALSE])

    def test_ends_that_are_absent_claim_nothing(self):
        answer = epsilon_at(0.1, None, 10.0, self.selection)
        self.assertEqual([claim.what for claim in claims_of(answer, 20)], ["epsilon <= 10.0"])

    def test_a_delta_of_one_takes_losses_that_are_all_infinite(self):
        """As the library once answered for a release with a Renyi guarantee, beside others whose delta is next to 1."""
        disjoint, alike = {"type": "mass-table", "p": [1.0, 0.0], "q": [0.0, 1.0]}, {"type": "gaussian", "sigma": 1.0, "count": 50000}
        sampled = {"type": "gaussian", "sigma": 1.0, "sampling": {"poisson": 0.5}, "count": 50000}
        guaranteed = {"type": "rdp", "orders": [64.0], "epsilons": [1.087616]}
        for expected, mechanisms in ((PROVED, [disjoint]), (NOT_PROVED, [disjoint, alike]), (FALSE, [alike]), (FALSE, [sampled]),
                                     (NOT_PROVED, [sampled, guaranteed])):
            for answer in (delta_at(4.0, 1.0, None, mechanisms),
                           asked(mechanisms, query="delta", epsilon=4.0, delta={}, log_delta={"lower": 0.0})):
                claims = claims_of(answer, 20)
                self.assertEqual([claim.verdict for claim in claims], [expected], [claim.detail for claim in claims])
                self.assertNotIn("failed", claims[0].detail)

    def test_a_mass_that_is_one_as_far_as_is_known(self):
        """In four steps a test of error 0 has the powers 0.289, 0.660, 1 and 1, in two 0.660; beside others all the same."""
        function = {"type": "trade-off", "alphas": [0.0, 0.5528828319143037], "betas": [0.7113943398241345, 0.0], "count": 3}
        others = {"type": "dp-points", "epsilons": [0.1], "deltas": [0.001], "count": 5}
        for mechanisms in ([function], [function, others]):
            self.assertEqual(verdict(delta_at(1.0, 1 - 2**-50, 1.0, mechanisms, group=4, log_delta={"lower": -5e-324})), PROVED)
            self.assertEqual(verdict(delta_at(1.0, None, 0.999999, mechanisms, group=4)), FALSE)
        power = 1 - 0.7113943398241345 * (1 - (1 - 0.7113943398241345) / 0.5528828319143037)
        for side, expected in ((1, FALSE), (-1, PROVED)):
            self.assertEqual(verdict(delta_at(50.0, None, power - side * 1e-6, [{**function, "count": 1}], group=2)), expected)

    def test_mechanisms_that_do_not_exist_are_refused(self):
        for named, entry in (("sigma", {"type": "gaussian", "sigma": -1.0}), ("p is", {"type": "randomized-response", "p": 1.5}),
                             ("k is", {"type": "randomized-response", "p": 0.5, "k": 1}), ("sensitivity", {"type": "skellam", "variance": 4.0, "sensitivity": 1.5}),
                             ("same length", {"type": "rdp", "orders": [2.0, 3.0], "epsilons": [0.1]}), ("array", {"type": "integer-noise", "masses": 1.0}),
                             ("log-concave", {"type": "integer-noise", "masses": [0.4, 0.2, 0.4]}), ("log-concave", {"type": "integer-noise", "masses": [0.5, 0.0, 0.5]}),
                             ("replace_sensitivity", {"type": "gaussian", "sigma": 1.0, "replace_sensitivity": 0.5}),
                             ("replace_sensitivity", {"type": "logistic", "scale": 1.0, "replace_sensitivity": 1.5}),
                             ("convex", {"type": "trade-off", "alphas": [0.0, 0.5, 1.0], "betas": [0.5, 0.4, 0.0]}),
                             ("not all 0", {"type": "mass-table", "p": [0.0, 0.0], "q": [0.5, 0.5]})):
            with self.assertRaisesRegex(BadInput, named):
                claims_of(epsilon_at(0.1, None, 10.0, [entry]), 20)

    def test_exact_is_a_claim(self):
        gaussian = [{"type": "gaussian", "sigma": 1.0}]
        self.assertEqual(verdict(epsilon_at(0.1, None, 10.0, gaussian, exact=True)), PROVED)
        self.assertEqual(verdict(epsilon_at(0.1, None, 10.0, self.selection, exact=True)), NOT_PROVED)

    def test_a_replaced_table_meets_both_orders(self):
        """Two releases, one in each order: delta(1/2) = .0667 as both, .0479 in one order (sums over the four outcomes)."""
        def delta(tables):
            (p, q), (r, s) = tables
            return sum(max(0, a * b - math.exp(0.5) * c * d) for a, c in zip(p, q) for b, d in zip(r, s))

        table = ([0.26, 0.74], [0.13, 0.87])
        mixed = delta([table, table[::-1]])
        mechanisms = [{"type": "mass-table", "p": table[0], "q": table[1], "count": 2}]
        self.assertNotEqual(verdict(delta_at(0.5, 0.0, mixed * (1 - 1e-6), mechanisms, adjacency="replace-one")), PROVED)


def _releases(mechanisms, adjacency):
    return [release for entry in mechanisms for release in read_releases(entry, adjacency, "")]


def check_generalized(test, group, bits, nats, error):
    """A group's sampled noise of density e^(-|x|^shape): of shapes 1 and 2 it is Laplace and Gaussian noise; of others both laws have all their mass, and the
    loss rises."""
    with precision(bits):
        for replaced in (False, True):
            moves = laws.on_a_sample(group, fmpq(1, 5), replaced)
            known = {1: laws.laplace(fmpq(3, 4), nats, moves), 2: laws.gaussian(arb(2).sqrt() * arb(0.75), nats, moves)}
            for shape, pair in known.items():
                found = laws.generalized(fmpq(shape), fmpq(3, 4), nats, moves)
                for other, one in ((pair, found), (pair.swapped(), found.swapped())):
                    test.assertTrue(abs(other.profile(arb(0.1)) - one.profile(arb(0.1))) < error, (replaced, shape))
                    test.assertTrue(abs(other.moment(-0.6) - one.moment(-0.6)) < error, (replaced, shape))
            pair = laws.generalized(fmpq(5, 2), fmpq(3, 4), nats, moves)
            for power in (-1, 0)[replaced:]:  # replaced, both laws are each other's mirror image
                test.assertTrue(abs(pair.moment(power) - 1) < error, (replaced, power))
            test.assertFalse(1 - pair.moment(0) > pair.lost_p)
            for piece in pair.pieces:
                places = [(piece.low + (piece.high - piece.low) * k / 40).mid() for k in range(41)]
                losses = [piece.loss(x) for x in places]
                test.assertFalse(any(after < before for before, after in zip(losses, losses[1:])))


class Groups(unittest.TestCase):
    """Of several records at once. Tails in doubles tell what mixtures have."""

    def check_around(self, truth, mechanisms, error=1e-9, **fields):
        brackets = (truth - error, truth + error), (truth * (1 + 1e-6), truth * (1 - 1e-6))
        found = verdicts(deltas_at(0.1, brackets, mechanisms, **fields))
        self.assertEqual((found[:2], len(found), PROVED in found[2:]), ([PROVED] * 2, 4, False), (brackets, found))

    def test_noise_on_a_query(self):
        """Three records move it by three times as much: sigma / 3; half the noise of a replaced record's."""
        for fields, sigma in (({"group": 3}, 1.0), ({"group": 3, "adjacency": "replace-one"}, 0.5)):
            with precision(100):
                truth = float(gaussian(1 / arb(sigma))(arb(0.1)).mid())
            self.check_around(truth, [{"type": "gaussian", "sigma": 3.0}], **fields)

    def check_sampled(self, mechanism, beyond, highest):
        """Of two records, each drawn with chance 1/4, removed, added and replaced. As the loss rises, delta is the largest P - e^epsilon Q of what lies
        beyond a place. `beyond(x)`: of the symmetric noise; `highest`: of a function of places."""
        def mixture(x, move):
            return sum(w * beyond(x - j * move) for j, w in enumerate((9 / 16, 6 / 16, 1 / 16)))

        sampled = [{**mechanism, "sampling": {"poisson": 0.25}}]
        for p, q, fields in ((1, 0, {"asked_direction": "remove"}), (0, -1, {"asked_direction": "add"}), (1, -1, {"adjacency": "replace-one"})):
            with self.subTest(mechanism["type"], moves=(p, q)):
                truth = highest(lambda x: mixture(x, p) - math.exp(0.1) * mixture(x, q))
                self.check_around(truth, sampled, error=1e-12, group=2, **fields)

    def test_whole_numbers_on_a_sample(self):
        masses = {x: math.exp(-x * x / 8) for x in range(-60, 61)}
        total, ratio = sum(masses.values()), math.exp(-0.5)

        def highest(f):
            return max(map(f, range(-60, 61)))

        def of_laplace(x):
            return ratio ** (x + 1) / (1 + ratio) if x >= 0 else 1 - of_laplace(-x - 1)

        self.check_sampled({"type": "discrete-gaussian", "sigma": 2.0}, lambda x: sum(masses.get(y, 0) for y in range(x + 1, 61)) / total, highest)
        self.check_sampled({"type": "discrete-laplace", "a": 0.5}, of_laplace, highest)

    def test_losses_of_whole_numbers(self):
        """Each is that of the masses: of one record, and of two on a sample."""
        with precision(100):
            for moves in (laws.MOVED, *(laws.on_a_sample(2, fmpq(1, 4), replaced) for replaced in (False, True))):
                for pair in (laws.discrete_laplace(fmpq(1, 3), 2, moves), laws.discrete_gaussian(fmpq(2), 2, 20, moves),
                             laws.poisson_difference(fmpq(3), fmpq(3), 2, 20, moves), laws.poisson_difference(fmpq(3), fmpq(2), 2, 20, moves)):
                    for atom in pair.atoms:
                        self.assertTrue(atom.loss.overlaps((atom.p / atom.q).log()))
                        self.assertTrue(pair.spacing is None or atom.loss.overlaps(atom.label * arb(pair.spacing)))
                    total = sum((atom.p for atom in pair.atoms), arb(0))
                    self.assertFalse(total > 1 or total + pair.lost_p < 1)

    def test_densities_on_a_sample(self):
        def highest(f):
            """By finer and finer grids."""
            low, high = -20.0, 20.0
            for _ in range(9):
                step = (high - low) / 20
                best = max((low + step * i for i in range(21)), key=f)
                low, high = best - step, best + step
            return f(best)

        self.check_sampled({"type": "gaussian", "sigma": 1.0}, lambda x: math.erfc(x / math.sqrt(2)) / 2, highest)
        self.check_sampled({"type": "logistic", "scale": 1.0}, lambda x: 1 / (1 + math.exp(x)), highest)
        self.check_sampled({"type": "laplace", "scale": 1.0}, lambda x: math.exp(-x) / 2 if x > 0 else 1 - math.exp(x) / 2, highest)

    def test_generalized_noise_on_a_sample(self):
        check_generalized(self, 2, 48, 25, 1e-10)

    def test_losses_have_ends(self):
        """Where few are drawn P is no less than (9/16) Q, which is the largest loss of the group that is added."""
        sampled = [{"type": "gaussian", "sigma": 1.0, "sampling": {"poisson": 0.25}}]
        most = -math.log(9 / 16)
        self.assertEqual(verdict(epsilon_at(0.0, most - 1e-9, most + 1e-9, sampled, group=2, asked_direction="add")), PROVED)
        self.assertEqual(verdict(epsilon_at(0.0, "inf", None, sampled, group=2, asked_direction="add")), FALSE)
        self.assertEqual(verdict(epsilon_at(0.0, "inf", None, sampled, group=2)), PROVED)

    def test_step_by_step(self):
        """Of an answer that is true with chance 3/4 delta(a) = 3/4 - e^a / 4; with x = e^a two steps to log 4.5 have x/2 - 3/8, x from 3/2 to 3."""
        response = [{"type": "randomized-response", "p": 0.75}]
        at = math.log(4.5)
        for epsilon, ends in ((at, (3 / 8 + 1e-9, 3 / 8 - 1e-6)), (-at, (1 - 1 / 4.5 + (3 / 8 + 1e-9) / 4.5, 1 - 1 / 4.5 + (3 / 8 - 1e-6) / 4.5))):
            self.assertEqual(verdicts(deltas_at(epsilon, [(None, end) for end in ends], response, group=2)), [PROVED, NOT_PROVED])
        self.assertEqual(verdict(delta_at(0.5, 3 / 4 - math.exp(0.5) / 4 - 1e-9, None, response, group=2)), PROVED)
        self.assertEqual(verdict(delta_at(0.5, 3 / 4 - math.exp(0.5) / 4 + 1e-6, None, response, group=2)), NOT_PROVED)

    def test_a_pair_of_steps(self):
        """Geometric noise on a query that each record moves by 1 attains pure guarantees (docs/groups.md); of others the infinite losses are geometric sums; and of
        a table no chosen level has more power than its power function thrice in a row."""
        steps = laws.in_steps(laws.approximate_dp(fmpq(3, 10), fmpq(0)), 3)
        noise = laws.discrete_laplace(fmpq(3, 10), 3)
        for epsilon in (0.0, 0.05, 0.3, 0.55, 0.85):
            self.assertTrue(abs(steps.profile(arb(epsilon)) - noise.profile(arb(epsilon))) < 1e-12, epsilon)
        lossy = laws.in_steps(laws.approximate_dp(fmpq(3, 10), fmpq(1, 1000)), 4)
        self.assertTrue(abs(lossy.only_p - arb(1) / 1000 * (arb(1.2).expm1() / arb(0.3).expm1())) < 1e-12)
        self.assertTrue(abs(lossy.moment(0) + lossy.only_p - 1) < 1e-12)

        masses = [(fmpq(p, 20), fmpq(q, 20)) for p, q in ((9, 2), (5, 4), (4, 5), (2, 9))]

        def power(level):
            total = fmpq(0)
            for p, q in masses:
                taken = min(q, level)
                total, level = total + p * taken / q, level - taken
            return total

        pair = laws.in_steps(laws.of_masses(masses), 3)
        for epsilon in (-1.0, 0.2, 1.0, 3.0):
            tests = max(float(power(power(power(fmpq(i, 4000))))) - math.exp(epsilon) * i / 4000 for i in range(4001))
            self.assertTrue(tests - 1e-12 <= pair.profile(arb(epsilon)) and pair.profile(arb(epsilon)) <= tests + 1e-3, epsilon)

    def test_a_pair_of_steps_one_way(self):
        """A sampled answer is told worse where its record is added. Twice in a row: the largest of P(S) - x M(S) + x (M(S') - x' Q(S')), x x' = e^epsilon, at the two ratios there are."""
        sample = laws.randomized_response(fmpq(3, 4), 2).sampled(fmpq(1, 10))
        steps = laws.in_steps(sample, 2)
        for pair, one in ((steps, sample), (steps.swapped(), sample.swapped())):
            ratios = [float(atom.loss.exp().mid()) for atom in one.atoms]
            for epsilon in (-0.2, 0.0, 0.05, 0.15, 0.2):
                x = math.exp(epsilon)
                least = min(float((one.profile(arb(r).log()) + r * one.profile(arb(x / r).log())).mid()) for r in [*ratios, *(x / r for r in ratios)])
                self.assertAlmostEqual(float(pair.profile(arb(epsilon)).mid()), least, delta=1e-12)

    def test_steps_of_one_pair_of_a_batch_are_no_steps(self):
        """As each leaves a smaller number of records, of which a batch is a larger share."""
        for sampling, said in (({"poisson": 0.1}, PROVED), ({"without_replacement": 0.1}, NOT_PROVED), ({"truncated_poisson": 0.1, "largest_batch": 2, "records": 20}, NOT_PROVED)):
            sampled = [{"type": "randomized-response", "p": 0.75, "sampling": sampling}]
            self.assertEqual(verdict(delta_at(0.1, None, 0.9, sampled, group=2)), said)

    def test_mu_of_a_sampled_answer_in_groups(self):
        """.41788518 as the command has it, by steps at many epsilons."""
        answer = answer_of("explain", "--json", "--group", "3", "randomized-response:p=.75,q=.1")
        self.assertEqual([claim.verdict for claim in claims_of(answer, 20) if "smallest_mu" in claim.what], [PROVED, PROVED])

    def test_steps_that_tell_all(self):
        """The true answer: neither step has a finite loss."""
        self.assertEqual(verdict(delta_at(1.0, 1.0, 1.0, [{"type": "randomized-response", "p": 1.0}], group=2)), PROVED)

    def test_epsilons_of_guarantees_at_their_own_delta(self):
        """Where delta is the mass of infinite losses itself, the largest other loss is the least epsilon; a double less, none is."""
        points = "dp-points:epsilons=2/1,deltas=1e-6/1e-5"
        for mechanisms in (["dp:epsilon=2,delta=1e-6"], [points], [points, "laplace:scale=4,count=8"]):
            answer = answer_of("epsilon", "--json", "--delta", "1e-6", *mechanisms)
            self.assertEqual(verdict(answer), PROVED, mechanisms)
            self.assertEqual(answer["epsilon"]["upper"], 2 * len(mechanisms))
            answer["delta"] = math.nextafter(1e-6, 0)
            self.assertEqual(verdict(answer), FALSE, mechanisms)

    def test_epsilons_of_sampled_guarantees_at_their_own_delta(self):
        """A rate times delta is a double at a quarter alone: elsewhere the double above has an epsilon, the one below has none."""
        for rate, own, more in ((".25", 2.5e-7, 2.5e-7), (".1", 1e-7, math.nextafter(1e-7, 1))):
            answer = answer_of("epsilon", "--json", "--delta", repr(more), f"dp:epsilon=1,delta=1e-6,q={rate}")
            self.assertEqual(verdict(answer), PROVED, rate)
            self.assertLess(answer["epsilon"]["upper"], 0.36)
            answer["delta"] = math.nextafter(own, 0)
            self.assertEqual(verdict(answer), FALSE, rate)

    def test_parts_that_may_be_empty_are_lost(self):
        """Masses of which balls do not tell whether one ends where the other does: what is left out of either law is bounded by what they leave open."""
        first = Pair([Atom(0.75, arb(0.25, 1e-10)), Atom(0.25, 0.75)])
        pair = laws._one_after_another(first, Pair([Atom(0.25, 0.1), Atom(0.75, 0.9)]))
        self.assertEqual(len(pair.atoms), 2)
        self.assertTrue(0 < pair.lost_p < 1e-8 and 0 < pair.lost_q < 1e-8 and pair.range == (None, None))

    def test_guarantees_in_groups_beside_others(self):
        """The command's pairs of groups, re-made: both ends; and none of those that lie 1e-6 beyond."""
        questions = [("delta", "--epsilon", "1.5", "--group", "2", "dp:epsilon=.3,delta=1e-4,count=3", "gaussian:sigma=3"),
                     ("delta", "--epsilon", "4", "--group", "3", "dp-points:epsilons=.1/.5,deltas=.01/.0001", "dp-points:epsilons=.2/.6,deltas=.01/0,count=2"),
                     ("delta", "--epsilon", "6", "--group", "2", "randomized-response:p=.7,count=9", "gaussian:sigma=2")]
        for words in questions:
            answer = answer_of(words[0], "--json", *words[1:])
            self.assertEqual(verdict(answer), PROVED, words)
            lower, upper = (answer["delta"][end] for end in ("lower", "upper"))
            del answer["delta"]["estimate"]
            answer["delta"]["upper"] = upper * (1 - 1e-6)
            answer["log_delta"] = {"lower": None, "upper": None}
            if lower < upper * (1 - 1e-4):
                answer["delta"]["lower"] = None
            self.assertNotEqual(verdict(answer), PROVED, words)

    def test_pairs_of_steps_of_what_is_told(self):
        """Of losses that are finitely many, on batches that keep their size, also beside others and where outcomes of two kinds lose nothing."""
        for words in (["--adjacency", "zero-out", "--group", "2", "discrete-laplace:a=0.3,wor=0.2,count=5", "gaussian:sigma=3"],
                      ["--adjacency", "replace-one", "--group", "3", "integer-noise:masses=.25/.5/.25,truncated=.25,cap=3,records=9,count=4"]):
            answer = answer_of("delta", "--json", "--epsilon", "0.5", *words)
            upper = answer["delta"]["upper"]
            answer["log_delta"] = {"lower": None, "upper": None}
            for side, expected in ((0, PROVED), (1, NOT_PROVED)):
                answer["delta"] = {"lower": None, "upper": upper * (1 - side * 1e-6)}
                self.assertEqual(verdict(answer), expected, words)

    def test_groups_in_several_releases(self):
        """Of an epoch canonical noise says nothing from below, nor does a step's pair from above of records that are in several of its releases."""
        guarantee = {"type": "dp", "epsilon": 1.0}
        upper = answer_of("delta", "--json", "--epsilon", "0.5", "--group", "2", "dp:epsilon=1")["delta"]["upper"]
        for sampling in {"allocation": 5}, {"shuffled": 5}:
            ends = delta_at(0.5, upper * (1 - 1e-6), upper, [{**guarantee, "sampling": sampling}], adjacency="replace-one", group=2)
            self.assertEqual(verdicts(ends), [NOT_PROVED, PROVED], sampling)
        twice = [{**guarantee, "sampling": {"allocation": 5, "participations": 2}}]
        found = read_release(*twice, "replace-one", "", 2)
        self.assertEqual(found.pair(30).only_p, 1)

    def test_steps_of_gaussian_noise(self):
        """Of Gaussian noise, here a mixture of which no group's pair is known, steps at their best have what the group has."""
        noise = [{"type": "gaussian-mixture", "sigma": 1.0, "shifts": [1.0], "weights": [1.0]}]
        for group, epsilon in ((2, 1.0), (3, 3.0)):
            with precision(100):
                truth = float(gaussian(arb(group))(arb(epsilon)).mid())
            ends = (None, truth + 1e-9), (None, truth * (1 - 1e-6))
            self.assertEqual(verdicts(deltas_at(epsilon, ends, noise, group=group)), [PROVED, NOT_PROVED])

    def test_steps_of_a_sampled_mixture(self):
        """265.805533 as the library has it, by sketches on a grid: an integral at each place takes long."""
        mixture = [{"type": "gaussian-mixture", "sigma": 0.56674, "shifts": [3.9926, 1.0], "weights": [0.087890625, 0.912109375], "sampling": {"poisson": 0.032067}}]
        self.assertEqual(verdict(epsilon_at(1e-6, None, 265.80553335, mixture, group=3, asked_direction="remove")), PROVED)

    def test_steps_whose_best_places_are_told_closely(self):
        """A replacement as a removal and an addition: 42.0419546378 as the library has it; chords lead to a place .001 off, and to a millionth more."""
        releases = [{"type": "exponential", "epsilon": 0.020692, "sampling": {"poisson": 0.0016785}}, {"type": "permute-and-flip", "epsilon": 0.037441, "count": 1367}]
        answer = epsilon_at(1.5352e-7, None, 42.0419546378, releases, group=2, adjacency="replace-one", asked_direction="add")
        self.assertEqual(verdict(answer, 60), PROVED)

    def test_steps_whose_last_one_is_far_out(self):
        """Three steps of mu = 2 to epsilon 56, where the last delta counts e^38 times."""
        noise = [{"type": "gaussian-mixture", "sigma": 0.5, "shifts": [1.0], "weights": [1.0]}]
        with precision(100):
            truth = float(gaussian(arb(6))(arb(56)).mid())
        self.assertEqual(verdict(delta_at(56.0, None, truth * 1.001, noise, group=3)), PROVED)

    def test_steps_to_large_epsilons(self):
        """Two of mu = 50, each of which has a half: -1463 is the logarithm of what the last one loses. Saddle points say where to look, to a millionth."""
        noise = [{"type": "gaussian-mixture", "sigma": 0.02, "shifts": [1.0], "weights": [1.0]}]
        with precision(8000):
            truth = float(gaussian(arb(100))(arb(5400)).mid())
        ends = (None, truth * (1 + 1e-5)), (None, truth * (1 - 1e-6))
        self.assertEqual(verdicts(deltas_at(5400.0, ends, noise, group=2)), [PROVED, NOT_PROVED])
        [release] = read_releases(noise[0], "add-remove", "")
        look = Composition([release]).sketch(False, -100.0, 8000.0, arb(-8000).exp(), 1)
        for epsilon in (1400.0, 1450.0, 3950.0, 6450.0):
            with precision(20000):
                truth = gaussian(arb(50))(arb(epsilon)).log()
            self.assertLess(abs(look(epsilon) - float(truth.mid())), 0.01, epsilon)

    def test_steps_of_guarantees_far_out(self):
        """Of Renyi guarantees, at places where more digits cancel than a hundred bits hold: next to the command's end, and 1e-6 inside of it."""
        answer = answer_of("epsilon", "--json", "--delta", "1e-5", "--adjacency", "replace-one", "--group", "3", "rdp:orders=2/8,epsilons=3/20,count=20")
        upper = answer["epsilon"]["upper"]
        self.assertEqual([verdict(epsilon_at(1e-5, None, end, answer["mechanisms"], group=3, adjacency="replace-one"), 30) for end in (upper * (1 + 1e-4), upper * (1 - 1e-6))],
                         [PROVED, NOT_PROVED])

    def test_steps_beyond_what_doubles_hold(self):
        """Four records to epsilon 910.1893, as the library has it, where e^epsilon is no double."""
        releases = [{"type": "poisson-difference", "minus": 7.2204, "plus": 14.936, "sampling": {"poisson": 0.001103}, "count": 27},
                    {"type": "dp", "epsilon": 0.020922, "sampling": {"poisson": 0.027269}, "count": 533},
                    {"type": "gaussian", "sigma": 0.4642, "count": 22}]
        self.assertEqual(verdict(epsilon_at(0.01, None, 910.19, releases, group=4, asked_direction="add"), 60), PROVED)

    def test_epochs_in_steps(self):
        """Two records replaced in 14 epochs of 16 steps, on finer and finer grids: -.3158342 as the library has it."""
        epochs = [{"type": "discrete-gaussian", "sigma": 10.772, "sampling": {"allocation": 16}, "count": 14}]
        asked_about = {"adjacency": "replace-one", "group": 2, "asked_direction": "add"}
        self.assertEqual(verdicts(epsilons_at(0.3, (-0.315834, -0.3163), epochs, **asked_about)), [PROVED, NOT_PROVED])

    def test_steps_at_a_corner(self):
        """Next to the sum of the largest losses, 12 log(1 + q (e - 1)) each, one step alone has a delta: the mass of that loss times 1 - e^-x."""
        noise = [{"type": "truncated-laplace", "scale": 1.0, "bound": 200.0, "sampling": {"poisson": 0.5}, "count": 12}]
        largest, mass = 12 * math.log(0.5 + 0.5 * math.e), (0.5 * (0.5 + 0.5 * math.exp(-1))) ** 12
        epsilon, asked_about = 2 * largest - 1e-4, {"asked_direction": "remove", "group": 2}
        truth = mass * -math.expm1(-1e-4)
        self.assertEqual(verdict(delta_at(epsilon, None, truth * 1.001, noise, **asked_about)), PROVED)

    def test_steps_of_few_losses(self):
        """Their best places are corners. Of one release the least bound is the profile of its power function thrice in a row, here of a table on a sample."""
        table = {"type": "mass-table", "p": [1 / 2, 5 / 16, 1 / 8, 1 / 16], "q": [1 / 8, 1 / 4, 5 / 16, 5 / 16], "sampling": {"poisson": 0.5}}
        power = _power_of([((p + q) / 2, q) for p, q in zip(table["p"], table["q"])])

        for epsilon in (0.2, 0.7, 1.3):
            def missed(level):
                return math.exp(epsilon) * level - power(power(power(level)))

            truth = -missed(least(missed, 0.0, 1.0, 120))
            ends = [(None, truth * (1 + 1e-9)), (None, truth * (1 - 1e-6))]
            found = verdicts(deltas_at(epsilon, ends, [table], "remove", adjacency="zero-out", group=3))
            self.assertEqual(found, [PROVED, NOT_PROVED], epsilon)
        flipped = answer_of("delta", "--json", "--epsilon", "0", "--adjacency", "zero-out", "--group", "3", "permute-and-flip:epsilon=.10144,q=.80514,count=17")
        self.assertEqual(verdict(flipped), PROVED)
        twice = [{"type": "dp", "epsilon": 1.0, "sampling": {"allocation": 5, "participations": 2}}]
        upper = answer_of("delta", "--json", "--epsilon", "0.5", "--adjacency", "replace-one", "--group", "2", "dp:epsilon=1,allocation=5,participations=2")
        for side, expected in ((0, PROVED), (1, NOT_PROVED)):
            end = upper["delta"]["upper"] * (1 - side * 1e-6)
            self.assertEqual(verdict(delta_at(0.5, None, end, twice, adjacency="replace-one", group=2)), expected)

    def test_epochs_in_steps_at_a_corner(self):
        """Of epochs grids are finer and finer, as they tell corners late."""
        for words in (["--epsilon", "1", "--group", "2", "dp-points:epsilons=.1007/.25674/.34289/.36404,deltas=.0027874/.00046377/9.7522e-8/4.2672e-8,allocation=599,count=3"],
                      ["--epsilon", "4", "--group", "2", "dp-points:epsilons=.55395/.7422/1.134,deltas=.013156/4.7849e-6/7.7837e-8,allocation=2,passes=5,count=11"]):
            answer = answer_of("delta", "--json", *words)
            self.assertEqual(verdict(answer), PROVED, words)
            upper = answer["delta"]["upper"]
            answer["delta"], answer["log_delta"] = {"lower": None, "upper": upper - 0.01 * min(upper, 1 - upper)}, {"lower": None, "upper": None}
            self.assertEqual(verdict(answer), NOT_PROVED, words)

    def test_steps_beyond_all_losses(self):
        """Two steps of log(1 + q (e^(2/5) - 1)) - log(1 + q (e^(1/5) - 1)) each, as another record takes the place: nothing is left. Of guarantees what is infinite in either
        step counts, the second time e^(1/2) times."""
        sampled = [{"type": "laplace", "scale": 5.0, "sampling": {"without_replacement": 0.1}}]
        most = 2 * (math.log1p(0.1 * math.expm1(0.4)) - math.log1p(0.1 * math.expm1(0.2)))
        for epsilon, expected in ((most + 1e-12, PROVED), (most - 1e-6, NOT_PROVED)):
            self.assertEqual(verdict(delta_at(epsilon, None, 0.0, sampled, adjacency="zero-out", group=2)), expected)
        guarantee, least = [{"type": "dp", "epsilon": 0.5, "delta": 2.0**-20}], 2.0**-20 * (1 + math.exp(0.5))
        for upper, expected in ((least * (1 + 1e-12), PROVED), (least * (1 - 1e-9), FALSE)):
            self.assertEqual(verdict(delta_at(1.0, None, upper, guarantee, group=2)), expected)

    def test_a_record_blanked_out_in_a_batch(self):
        """Ten releases on all data lose no less, at 1/2 each; ten batches as much as where the others are opposite. Cut samples are either, by a share that is less."""
        batches = 10 * (math.log1p(0.9 * math.expm1(1)) - math.log1p(0.9 * math.expm1(0.5)))
        cut = {"truncated_poisson": 0.9, "largest_batch": 90, "records": 100}
        for sampling, less in (({"without_replacement": 0.9}, FALSE), (cut, NOT_PROVED)):
            noise = [{"type": "laplace", "scale": 2.0, "sampling": sampling, "count": 10}]
            for epsilon, expected in ((batches + 1e-9, PROVED), (0.98 * batches, less)):
                self.assertEqual(verdict(delta_at(epsilon, None, 0.0, noise, adjacency="zero-out")), expected)

    def test_steps_far_below_zero(self):
        """Of four records the best first place is below -.7 where all come to 4, of three guarantees below -.3 where they come to 0; and
        each takes what is least, guarantees added up first or composed."""
        answers = [delta_at(4.0, None, 0.8236315697070443, [{"type": "gaussian", "sigma": 2.8203, "count": 7},
                                                            {"type": "randomized-response", "p": 0.4274, "count": 3}], group=4, asked_direction="add"),
                   delta_at(0.0, None, 0.8234990822647079, [{"type": "tcdp", "omega": 48.785, "rho": 0.089551, "count": 3}], group=3,
                            adjacency="zero-out")]
        for answer in answers:
            self.assertEqual(verdict(answer), PROVED)

    def test_groups_on_a_sample_of_which_less_is_attained(self):
        """Of two records, each drawn with 1/2: what moves the query by 1 each is proved, not by the sensitivity of 4."""
        def delta(move):
            """Of the mixture of N(0, 1), N(m, 1) and N(2 m, 1), m = move / 4, with weights of 1/4, 1/2 and 1/4."""
            masses = [(j * move / 4, math.comb(2, j) / 4) for j in (0, 1, 2)]
            low, high = -50.0, 50.0
            for _ in range(200):
                x = (low + high) / 2
                ratio = sum(weight * math.exp(m * x - m * m / 2) for m, weight in masses)
                low, high = (x, high) if ratio < math.e else (low, x)
            return sum(weight * math.erfc((low - m) / math.sqrt(2)) / 2 for m, weight in masses) - math.e * math.erfc(low / math.sqrt(2)) / 2

        noise = [{"type": "gaussian", "sigma": 4, "sensitivity": 4, "attained_sensitivity": 1, "sampling": {"poisson": 0.5}}]
        ends = [delta_at(1, end, None, noise, group=2) for end in (delta(1) * (1 - 1e-9), delta(1) * (1 + 1e-6))]
        self.assertEqual(verdict(ends[0]), PROVED)
        self.assertNotEqual(verdict(ends[1]), PROVED)
        self.assertEqual([verdict(delta_at(1, None, delta(4) * (1 + side), noise, group=2)) == PROVED for side in (1e-9, -1e-6)], [True, False])

    def test_powers_in_steps(self):
        """Of three steps of Gaussian noise that of thrice its mu. Of a removal that shows itself with 1/2 and an addition that halves a mass: 1/2 + alpha,
        and 1 the other way round."""
        noise = Profiles(Composition([read_release({"type": "gaussian", "sigma": 3.0}, "add-remove", "")]), "remove")
        steps = PowerInSteps([[noise]] * 3)
        for alpha in (1e-4, 0.05, 0.7):
            with precision(256):
                truth = gaussian_power(arb(1), arb(alpha))
                above, below = (float((truth + side * 1e-9 * truth * (1 - truth)).mid()) for side in (1, -1))
            self.assertEqual([steps.at_most(alpha, end, True)[0] for end in (above, below)], [True, None])
            self.assertEqual([steps.at_most(alpha, 1 - end, False)[0] for end in (above, below)], [True, None])
        table = Composition([read_release({"type": "mass-table", "p": [0.5, 0.5], "q": [1.0, 0.0]}, "add-remove", "")])
        remove, add = ([Profiles(table, direction)] for direction in ("remove", "add"))
        self.assertEqual([PowerInSteps([remove, add]).at_most(0.25, end, True)[0] for end in (0.7501, 0.7499)], [True, None])
        self.assertEqual(PowerInSteps([add, remove]).at_most(0.25, 0.99, True)[0], None)
        answer = answer_of("explain", "--json", "--group", "2", "gaussian:sigma=5,count=7", "randomized-response:p=0.7,q=0.05,count=3")
        told = [claim for claim in claims_of(answer, 20) if "power" in claim.what]
        self.assertEqual([claim.verdict for claim in told], [PROVED] * 4)

    def test_sketches(self):
        """Within a percent of what they are of, and nothing where no losses are."""
        for entry in ({"type": "gaussian", "sigma": 1.0, "sampling": {"poisson": 0.1}, "count": 20},
                      {"type": "laplace", "scale": 2.0, "sampling": {"poisson": 0.1}, "count": 9}):
            composition = Composition([read_release(entry, "add-remove", "")])
            sketch = composition.sketch(False, -0.5, 2.0, arb(1e-6), 4)
            self.assertLess(sketch(99.0), math.log(1e-15))
            for epsilon in (-0.5, 0.0, 0.123, 0.3456):
                truth = float(composition.at(False, epsilon, arb(1e-9)))
                self.assertAlmostEqual(sketch(epsilon), math.log(truth), delta=0.01)

    def test_a_sketch_of_one_loss_told_twice(self):
        once, twice = (Sketch([(0.1 * i, arb(0.05) / times) for i in range(20) for _ in range(times)], arb(0)) for times in (1, 2))
        self.assertEqual([once(0.01 * i) for i in range(-9, 210, 3)], [twice(0.01 * i) for i in range(-9, 210, 3)])

    def test_steps_to_the_largest_losses(self):
        """A replaced record is removed and another one is added, whose largest losses are log(1 + q (e - 1)) and -log(1 - q (1 - 1/e))."""
        sampled = [{"type": "permute-and-flip", "epsilon": 1.0, "sampling": {"poisson": 0.5}}]
        most = math.log1p(0.5 * math.expm1(1)) - math.log1p(0.5 * math.expm1(-1))
        self.assertEqual(verdict(epsilon_at(1e-18, None, most + 1e-15, sampled, adjacency="replace-one")), PROVED)
        self.assertEqual(verdict(epsilon_at(1e-18, None, most - 1e-9, sampled, adjacency="replace-one")), FALSE)

    def test_places_are_doubles_below(self):
        with precision(200):
            for number in (arb(1) / 3, arb(2) / 3, -arb(1) / 3, -arb(2) / 3, arb(0.1), arb(0), arb(1).union(arb(2)), 1 + arb(2) ** -80, 1 - arb(2) ** -80):
                place = double_below(number)
                self.assertTrue(arb(place) <= number, number)
                self.assertFalse(arb(math.nextafter(place, math.inf)) <= number.lower(), number)
        self.assertRaises(Uncertain, double_below, arb("nan"))

    def test_what_one_record_has_is_no_bound_of_a_group(self):
        for entry in ({"type": "gaussian", "sigma": 2.0, "sampling": {"allocation": 3}}, {"type": "dp", "epsilon": 0.5, "delta": 1e-6, "count": 2},
                      {"type": "gaussian-mixture", "sigma": 1.0, "shifts": [0.0, 1.0], "weights": [0.5, 0.5]},
                      {"type": "truncated-laplace", "scale": 1.0, "bound": 9.0, "sampling": {"poisson": 0.25}}):
            found, = answers_to([{"id": 0, "query": "delta", "epsilon": 0.3, "mechanisms": [entry]}])
            self.assertNotEqual(verdict(delta_at(0.3, None, found["delta"]["upper"], [entry], group=2), 2), PROVED)

    def test_batches_of_fixed_size_of_groups(self):
        """Under add-remove the share of a batch changes with every record: nothing is proved from above."""
        entry = {"type": "gaussian", "sigma": 5.0, "sampling": {"without_replacement": 0.1}}
        self.assertEqual(verdict(delta_at(0.5, None, 0.5, [entry], group=2)), NOT_PROVED)
        self.assertEqual(verdict(delta_at(0.5, None, 0.5, [entry], group=2, adjacency="zero-out")), PROVED)

    def test_replaced_records_that_move_less(self):
        """By r in place of 2: sigma / r. A histogram of which two cells move is two releases of one."""
        def epsilon_of(mu):
            with precision(100):
                return float(gaussian(arb(mu))(arb(0.1)).mid())

        less = {"type": "gaussian", "sigma": 1.0, "replace_sensitivity": 1.25}
        self.check_around(epsilon_of(1.25), [less], adjacency="replace-one")
        self.check_around(epsilon_of(2.5), [less], adjacency="replace-one", group=2)
        self.check_around(epsilon_of(1.0), [less])
        self.assertEqual(verdict(delta_at(0.1, None, 1.0 - 1e-9, [{**less, "sampling": {"poisson": 0.5}}], adjacency="replace-one")), NOT_PROVED)
        noise = {"type": "discrete-gaussian", "sigma": 2.0}
        two, = answers_to([{"id": 0, "query": "delta", "epsilon": 0.1, "mechanisms": [{**noise, "count": 2}]}])
        self.assertEqual(verdict({**two, "adjacency": "replace-one", "mechanisms": [{**noise, "replace_sensitivity": 1.41422}]}), PROVED)

    def test_mutated_answers_of_groups(self):
        entries = ({"type": "gaussian", "sigma": 3.0, "sampling": {"poisson": 0.1}}, {"type": "zcdp", "rho": 0.01},
                   {"type": "randomized-response", "p": 0.6}, {"type": "laplace", "scale": 5.0, "sampling": {"without_replacement": 0.1}})
        questions = [{"id": f"{entry['type']} {adjacency}", "query": "delta", "epsilon": 0.2, "group": 2, "adjacency": adjacency, "mechanisms": [entry]}
                     for entry in entries for adjacency in ("zero-out", "replace-one")]
        answers = answers_to(questions)
        for expected, made in ((FALSE, answers), (PROVED, list(mutated(answers)))):
            self.assertEqual([(answer["id"], answer["delta"]) for answer in made if verdict(answer, 5) == expected], [])


class Selections(unittest.TestCase):
    """The best of several runs. What is claimed of simple runs follows from the theorems by hand."""

    response = {"type": "randomized-response", "p": 0.75}

    def bound(self, tries, epsilon, upper, run=None, **fields):
        return verdict(delta_at(epsilon, None, upper, [{"tries": tries, "mechanisms": [run or self.response], **fields}]))

    def test_one_run_is_a_run(self):
        """K = 1; 3/4 - e^epsilon / 4."""
        truth = 0.75 - math.exp(0.5) / 4
        self.assertEqual(self.bound("negative-binomial:shape=1,gamma=1", 0.5, truth + 1e-9), PROVED)
        self.assertEqual(self.bound("negative-binomial:shape=1,gamma=1", 0.5, truth - 1e-6), NOT_PROVED)

    def test_geometric(self):
        """With gamma = 1/2 and e^b = 1 + delta(b) = 7/4 - e^b / 4 = 7/5 there is nothing at 3 (7/5)^2, and half of it below: E K delta = 2 (3/4 - x / 4)
        at x (7/5)^2, where a chord from (1/y, 1 - 1/y) to (y, 0), y = 3 (7/5)^2, is (y - z) / (y + 1) at z."""
        y = 3 * 1.4**2
        self.assertEqual(self.bound("geometric:mean=2", math.log(y) + 1e-9, 1e-9), PROVED)
        self.assertEqual(self.bound("geometric:mean=2", math.log(y) - 1e-4, 1e-9), NOT_PROVED)
        near = (1 - math.exp(-1e-6)) * y / (y + 1)
        self.assertEqual(self.bound("geometric:mean=2", math.log(y) - 1e-6, near * 1.001), PROVED)
        self.assertEqual(self.bound("geometric:mean=2", math.log(y) - 1e-6, near * 0.999), NOT_PROVED)
        chord, bound = (y - 4) / (y + 1), 2 * (0.75 - 4 / 1.4**2 / 4)
        self.assertEqual(self.bound("geometric:mean=2", math.log(4), min(chord, bound) * (1 + 1e-6)), PROVED)
        self.assertEqual(self.bound("geometric:mean=2", math.log(4), min(chord, bound) * (1 - 1e-6)), NOT_PROVED)

    def test_poisson_numbers_beside_fine_sums(self):
        """The best one of many e, with h summed in doubles over the two losses of a run; further out a chord to the end, y = 3 e^{mean delta(0)}, is below."""
        mean, epsilon = 2.0, 2.0
        least = math.inf
        for e in (i / 100 for i in range(1, 110)):
            c, gain = math.expm1(e), math.exp(epsilon - mean * max(0, 0.75 - math.exp(e) / 4))
            us = [math.exp(-mean * i / 4000) for i in range(4001)]
            least = min(least, mean * sum(q * max(0.0, *(u * (loss - gain * u**c) for u in us)) for loss, q in ((3.0, 0.25), (1 / 3, 0.75))))
        selection = read_release({"tries": "poisson:mean=2", "mechanisms": [self.response]}, "add-remove", "")
        with precision(128):
            by_sums = bounds_of(selection.tries, selection.run).at(epsilon, arb("1e-9"), 600)
        self.assertTrue(0.99 * least < by_sums < 1.01 * least, by_sums)
        y = 3 * math.exp(mean * 0.5)
        chord = (y - math.exp(2)) / (y + 1)
        self.assertEqual(self.bound("poisson:mean=2", 2.0, 1.001 * chord), PROVED)
        self.assertEqual(self.bound("poisson:mean=2", 2.0, 0.999 * chord), NOT_PROVED)

    def test_no_bound_is_below_the_truth(self):
        """Of runs whose one answer is better than the other: the better one comes with chance 1 - E (1 - p)^K, p = 3/4 or 1/4."""
        laws = {"poisson:mean=2": lambda z: math.exp(2 * (z - 1)), "geometric:mean=2": lambda z: z / 2 / (1 - z / 2),
                "negative-binomial:shape=0,gamma=0.25": lambda z: math.log(1 - 0.75 * z) / math.log(0.25)}
        for tries, law in laws.items():
            for epsilon in (0.0, 0.5, 1.0):
                best = [(law(1) - law(1 - p), law(1 - p) - law(0), law(0)) for p in (0.75, 0.25)]
                for count in (1, 2):
                    both = [[math.prod(masses) for masses in product(each, repeat=count)] for each in best]
                    truth = max(sum(max(0.0, x - math.exp(epsilon) * y) for x, y in zip(*pair)) for pair in (both, both[::-1]))
                    self.assertGreater(truth, 0.05)
                    self.assertEqual(self.bound(tries, epsilon, truth * (1 - 1e-6), count=count), NOT_PROVED, (tries, epsilon, count))

    def test_a_pair_of_a_selection(self):
        """Its profile is the bound by itself, but for chords between places."""
        noise = {"type": "gaussian", "sigma": 3.0}
        for tries in ("geometric:mean=5", "poisson:mean=5"):
            selection = read_release({"tries": tries, "mechanisms": [noise]}, "add-remove", "")
            with precision(128):
                pair, bounds = selection.pair(30), bounds_of(selection.tries, selection.run)
                for epsilon in (1.5, 2.5):
                    whole, bound = pair.profile(arb(epsilon)), bounds.at(epsilon, arb("1e-12"), 600)
                    self.assertTrue(0.9 * bound < whole < 1.1 * bound, (tries, epsilon, whole, bound))

    def test_selections_beside_others(self):
        """Runs that have one loss, at which the bound is known by hand: 3/4 - e^epsilon / 4 has none beyond log 3, nor have two best ones beyond twice log(3 (7/5)^2)."""
        y = 2 * math.log(3 * 1.4**2)
        self.assertEqual(self.bound("geometric:mean=2", y + 1e-9, 1e-12, count=2), PROVED)
        self.assertEqual(self.bound("geometric:mean=2", y - 1e-3, 1e-12, count=2), NOT_PROVED)
        for tries in ("geometric:mean=10", "poisson:mean=3"):
            releases = [{"tries": tries, "mechanisms": [{"type": "gaussian", "sigma": 3.0}]}, {"type": "gaussian", "sigma": 2.0}]
            found, = answers_to([{"query": "epsilon", "delta": 1e-5, "mechanisms": releases}])
            self.assertEqual(verdict(found), PROVED)
            self.assertNotEqual(verdict({**found, "epsilon": {"upper": 0.97 * found["epsilon"]["upper"]}}), PROVED)

    def test_answers_of_the_command(self):
        for tries in ("geometric:mean=10", "negative-binomial:shape=0,gamma=0.02", "poisson:mean=10"):
            answer = answer_of("epsilon", "--json", "--delta", "1e-5", "--tries", tries, "gaussian:sigma=3")
            self.assertEqual(verdict(answer), PROVED)
            self.assertEqual(verdict({**answer, "mechanisms": None}), NOT_PROVED)
            self.assertNotEqual(verdict({**answer, "epsilon": {"upper": 0.9 * answer["epsilon"]["upper"]}}, 5), PROVED)

    def test_what_is_not_known(self):
        self.assertEqual(self.bound("geometric:mean=2", -0.5, 0.9), NOT_PROVED)
        self.assertEqual(self.bound("geometric:mean=2", 9.0, 0.5, run={"type": "dp", "epsilon": 0.1, "delta": 1.0}), NOT_PROVED)
        answer = delta_at(0.1, 1e-9, None, [{"tries": "geometric:mean=2", "mechanisms": [self.response]}])
        self.assertEqual(verdict(answer), NOT_PROVED)
        group = delta_at(2.0, None, 0.5, [{"tries": "geometric:mean=2", "mechanisms": [self.response]}], group=2)
        self.assertEqual(verdict(group), NOT_PROVED)
        for tries in ("geometric:mean=0.5", "geometric", "poisson:mean=-1", "poisson:shape=1", 3, "negative-binomial:shape=-1,gamma=0.5"):
            with self.assertRaisesRegex(BadInput, "tries"):
                self.bound(tries, 1.0, 0.5)


class Transform(unittest.TestCase):
    """The inverse transform beside closed forms: its ball holds them, also where its errors are made large on purpose."""

    def check_profile(self, releases, truth, epsilon, share):
        """With a period of that share of the one that would be chosen."""
        composition = Composition([read_release(entry, "add-remove", "") for entry in releases])
        whole = Line._period
        with precision(256), mock.patch.object(Line, "_period", lambda *asked: (*whole(*asked)[:2], share * whole(*asked)[2])):
            truth = truth(arb(epsilon))
            line = composition._line(False, arb(epsilon), arb(1e-6), 0, 1 << 19)
            value = composition._finish(line, arb(epsilon))
        self.assertTrue(value.contains(truth), f"{epsilon} {share}: {value} is not about {truth}")
        return float(value.rad())

    def test_an_outline_of_many_releases(self):
        """P and Q have all their mass, to what is told of 10^9 powers of it."""
        replaced = read_release({"type": "sinh-normal", "sigma": 1.5, "a": 15.0, "sampling": {"without_replacement": 0.01}}, "replace-one", "")
        with precision(100):
            outline = Outline([(replaced.pair(40), 10**9)], 0)
        for power in (0, -1):
            self.assertLess(abs(outline.log_moment(power)), 1e-3)
            self.assertLess(abs(outline.log_moment(power + 1e-12)), 1e-3)

    def test_a_line_for_very_many_releases(self):
        """Each falls by less than an outline tells: .0099999980 as two lines of other lengths have it, where the grid has two digits."""
        replaced = [{"type": "sinh-normal", "a": 14.62269946, "sigma": 1.4803, "sampling": {"without_replacement": 0.0095962}, "count": 1350500000}]
        asked_about = {"adjacency": "replace-one", "asked_direction": "remove"}
        self.assertEqual(verdicts(epsilons_at(0.01, (571124.3438256949, 571124.34), replaced, **asked_about)), [PROVED, NOT_PROVED])

    def test_logistic_losses_turn_no_more_than_they_move(self):
        """Of a small move a few points are enough. Two releases: the mean over one's outcomes of the other's closed form, by Simpson's rule."""
        s, e = 0.05, 0.06
        with precision(96):
            losses, _ = laws.logistic(fmpq(1, 20), 30).points(arb(0), arb(40000), arb(1e-10))
        self.assertLess(len(losses), 20_000)

        def loss(x):
            return s - 2 * math.log1p(math.expm1(s) / (1 + math.exp(x)))

        def one(epsilon):
            if epsilon >= s:
                return 0.0
            if epsilon <= -s:
                return -math.expm1(epsilon)
            least = math.log(math.expm1(s) / math.expm1((s - epsilon) / 2) - 1)
            return 1 / (1 + math.exp(least - s)) - math.exp(epsilon) / (1 + math.exp(least))

        steps, low, width = 40000, -30.0, 60.0
        truth = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * math.exp(s - x) / (1 + math.exp(s - x)) ** 2 * one(e - loss(x))
                    for i in range(steps + 1) for x in [low + width * i / steps]) * width / steps / 3
        both = [{"type": "logistic", "scale": 20.0, "count": 2}]
        self.assertEqual(verdicts(deltas_at(e, [(truth * (1 - 1e-6), truth * (1 + 1e-6)), (truth * (1 + 1e-5), None)], both), 5), [PROVED, PROVED, FALSE])

    def test_bounds_beyond_a_line_are_rough(self):
        """But no rougher than their power shows."""
        pair = laws.sinh_normal(fmpq(5), fmpq(1, 2), 30)
        heights = [float(piece.strip.lower()) / 2 for piece in pair.pieces]
        looks = []
        for piece in pair.pieces:
            piece.at = lambda x, at=piece.at: looks.append(x) or at(x)
        with precision(96):
            fine = pair.most_beyond(arb(1), arb(10), heights, 1 << 80)
            for count in (10**9, 1):
                every = len(looks)
                looks.clear()
                rough = (pair.most_beyond(arb(1), arb(10), heights, count) / fine) ** count
                self.assertTrue(0.98 < rough and rough < 1.02, f"{count}: {rough}")
                self.assertLess(len(looks), every)

    def test_a_moment_of_a_high_power(self):
        """The integral of e^(-x) / 2 e^((1 + t) (2 x - 1)) over [0, 1], in few looks at it: its values are from e^-10^6 to e^10^6."""
        with precision(128):
            power, looks = arb(10) ** 6, []
            piece, = laws.laplace(fmpq(1), 30).pieces
            density = piece.density(1 + power)
            found = integral(lambda x: looks.append(x) or density(x), piece.low, piece.high)
            rate = 2 * power + 1
            truth = (-(1 + power)).exp() * rate.expm1() / (2 * rate)
            self.assertTrue(found.contains(truth) and found.rad() < truth * arb(2) ** -60)
        self.assertLess(len(looks), 1000)

    def test_atoms_beside_densities(self):
        """Laplace noise three times, in closed form; with what one release has of its density by itself, and on the line, at tilts on all sides of the poles."""
        release = read_release({"type": "laplace", "scale": 1.0, "count": 3}, "add-remove", "")
        unnamed = SimpleNamespace(count=3, symmetric=True, mu_squared=None, laplace_shift=None, pair=release.pair)
        for epsilon in (2.9, 1.0, 0.125, -0.5, -2.5):
            for few_means in (apart.FEW_MEANS, 0):
                with precision(200), mock.patch.object(apart, "FEW_MEANS", few_means):
                    truth = laplace(arb(1), 3)(arb(epsilon))
                    size = arb(1e-9) if few_means else arb(1e-4)
                    composition = Composition([unnamed])
                    for _ in range(2):  # the same line
                        found = composition._apart(False, arb(epsilon), size, None, 1 << 16)
                        self.assertTrue(found.contains(truth) and found.rad() < size, f"{epsilon} {few_means}: {found} is not {truth}")

    def test_atoms_beside_densities_of_two_kinds(self):
        """As the library has it, by its lattice; in a second, where any line that does not leave out the atoms takes 10^12 terms."""
        noises = [{"type": "report-noisy-max", "scale": 5.3136}, {"type": "dp", "delta": 5.3086e-11, "epsilon": 0.32902}, {"type": "laplace", "scale": 4.6537}]
        self.assertEqual(verdict(epsilon_at(1e-6, None, 0.920288561494419, noises, adjacency="zero-out"), 5), PROVED)

    def test_atoms_beside_densities_next_to_the_largest_loss(self):
        """Where what two releases have of their densities is less than the smallest double."""
        noise = [{"type": "truncated-laplace", "bound": 16.885346199999997, "scale": 5.834, "sampling": {"without_replacement": 0.003432}, "count": 2}]
        low, high = 0.006875108519059494, 0.006875108519059709
        self.assertEqual(verdict(epsilon_at(1e-10, low, high, noise, asked_direction="add")), PROVED)
        for ends in ((high * (1 + 1e-6), None), (None, low * (1 - 1e-6))):
            self.assertEqual(verdict(epsilon_at(1e-10, *ends, noise, asked_direction="add")), FALSE)

    def test_repetitions_are_inside(self):
        noise = [{"type": "laplace", "scale": 3.0, "count": 6}]
        for epsilon in (-1.0, 0.25, 1.5):
            radii = [self.check_profile(noise, laplace(arb(1) / 3, 6), epsilon, share) for share in (1, 0.3, 0.15)]
            self.assertGreater(radii[-1], 10 * radii[0])  # the repetitions are what widens it

    def test_a_moment_that_is_no_number_is_out_of_reach(self):
        atoms = [Atom(arb(0.5), arb(0.5)), Atom(arb("nan"), arb("nan"))]
        release = SimpleNamespace(count=2000, symmetric=False, mu_squared=None,
                                  pair=lambda _: Pair([*atoms, *atoms], lost_p=arb(0)))
        with self.assertRaisesRegex(OutOfReach, "no number"):
            Composition([release]).profile(False, arb(0.1), arb(1e-6))

    def test_a_mass_that_may_be_zero_has_a_loss(self):
        """The converted guarantee leaves Q's mass at infinite losses next to 0: of a sample all of it has the loss log(1 - rate)."""
        entry = {"type": "zcdp", "rho": 0.020633, "sampling": {"poisson": 0.80477}}
        with precision(100):
            pair = read_release(entry, "zero-out", "").pair(30)
        self.assertEqual([atom for atom in pair.atoms if not atom.loss.is_finite()], [])
        mechanisms = [{"type": "logistic", "scale": 1.0997, "count": 5}, entry]
        self.assertEqual(verdict(delta_at(0.5, None, 0.999, mechanisms, adjacency="zero-out")), PROVED)

    def test_moments_that_doubles_do_not_resolve(self):
        """Of a sample the moments of a high power are those of its last outcomes alone."""
        mixture = {"type": "gaussian-mixture", "sigma": 1.1392, "shifts": [0.5, 0.23722], "weights": [0.65, 0.35], "sampling": {"poisson": 0.0019081}, "count": 5}
        with precision(100):
            outline = Outline([(read_release(mixture, "add-remove", "").pair(86), 5)], 0)
        self.assertTrue(all(outline.resolves(power) for power in (-50, 0, 200, 800)))
        self.assertFalse(outline.resolves(30_000))
        self.assertEqual(verdict(delta_at(0.15259, 3.1867e-31, 3.1871e-31, [{**mixture, "weights": [0.6572265625, 0.3427734375]}]), 10), PROVED)

    def test_a_width_that_no_double_holds(self):
        """An error of e^-3000 is out of reach, and no failure of the check."""
        noise = [(laws.gaussian(arb(0.1), 40), 1)]
        with self.assertRaisesRegex(OutOfReach, "no double holds"):
            Line(lambda: noise, fmpq(0), arb(0.2), arb(-3000).exp(), Outline(noise, 0))

    def test_no_tilt_beyond_the_largest_loss(self):
        """The more the better: there a line would take ever more digits."""
        noise = Composition([read_release({"type": "laplace", "scale": 1.0, "count": 3}, "add-remove", "")])
        with self.assertRaisesRegex(OutOfReach, "no tilt is best"):
            noise._by_transform(False, arb(3.1), arb(1e-20), None, 1 << 14)

    def test_rough_moments(self):
        with precision(128):
            pair = laws.logistic(fmpq(1, 2), 60)
            for count in (1, 10**6):
                exact, rough = (moment**count for moment in (pair.moment(3.7), pair.moment(3.7, count)))
                self.assertTrue(rough.contains(exact) and rough.rad() < 1e-7 * rough, rough)

    def test_many_oscillations(self):
        """A wave of 400 turns over a sample, weighted by e^(19000 loss): the sum does not depend on the points, which are not too many."""
        with precision(160):
            pair, reach, power = laws.bounded_range(fmpq(14, 100)).sampled(fmpq(14, 1000)).swapped(), arb(600_000), arb(19_000)
            found, whole = [], pair.moment(power)
            for bits, most in ((40, 600), (80, 1500)):
                losses, weights = pair.points(power, reach, whole * arb(2) ** -bits)
                found.append(sum((w * acb(0, reach * loss).exp() for loss, w in zip(losses, weights)), acb(0)))
                self.assertLess(len(losses), most)
        self.assertTrue(abs(found[0] - found[1]) < whole * arb(2) ** -39, found)

    def test_waves(self):
        """By a transform as one by one."""
        rng = random.Random(1)
        with precision(90):
            losses, weights = [[arb(rng.uniform(low, 9)) for _ in range(60)] for low in (-9, 0)]
            for count in (3, 700):
                error = arb(2) ** -45
                found, truth = (waves(losses, weights, arb(0.37), count, *more) for waves, more in ((_by_transform, [error]), (_one_by_one, [])))
                self.assertEqual(len(found), len(truth))
                for n, (one, other) in enumerate(zip(found, truth)):
                    self.assertTrue(one.contains(other.mid()) and abs(one.rad()) < 4 * error, f"{n} of {count}: {one} {other}")

    def test_quick_bounds(self):
        """Of 60 answers, true with probability .9: of what lies between 0, 1 - e^epsilon or 1 and delta, bounds that are never wrong tell most."""
        composition = Composition([read_release({"type": "randomized-response", "p": 0.9, "count": 60}, "add-remove", "")])
        with precision(300):
            for epsilon, basis in ((125.0, arb(0)), (0.5, arb(1)), (-125.0, 1 - arb(-125).exp())):
                bounds, truth = composition.quick_bounds(False, epsilon, arb(1e-75)), composition.profile(False, arb(epsilon), arb(1e-75))
                self.assertTrue(bounds.contains(truth), epsilon)
                self.assertTrue(abs(bounds - basis).upper() < 50 * abs(truth - basis), f"{epsilon}: {bounds - basis} {truth - basis}")

    def test_errors_are_no_larger_than_their_bound(self):
        """Of three answers 40 times, one with infinite losses: the error of the best test, by all outcomes."""
        for p, q in (((0.7, 0.3, 0.0), (0.2, 0.6, 0.2)), ((0.1, 0.3, 0.6), (0.5, 0.5, 0.0))):
            table = read_release({"type": "mass-table", "p": list(p), "q": list(q), "count": 40}, "add-remove", "")
            outcomes = []
            for i in range(41):
                for j in range(41 - i):
                    k = 40 - i - j
                    ways = math.comb(40, i) * math.comb(40 - i, j)
                    outcomes.append((ways * p[0]**i * p[1]**j * p[2]**k, ways * q[0]**i * q[1]**j * q[2]**k))
            for adding, alpha in product((False, True), (1e-6, 0.01, 0.5)):
                left, error = alpha, 0.0
                for own, other in sorted((pair[::-1] if adding else pair for pair in outcomes), key=lambda pair: pair[1] / pair[0] if pair[0] else math.inf):
                    taken = min(1.0, left / other) if other else 1.0
                    left, error = left - taken * other, error + (1 - taken) * own
                with precision(128):
                    bound = Composition([table]).error_bound(adding, alpha, arb(max(error, 1e-20)) / 1000)
                    self.assertTrue(bound >= error and bound < max(error, 1e-20) ** 0.6, f"{bound} {error}")

    def test_a_tilt_that_is_quick(self):
        """Next to the largest loss the best tilt has no end; a far smaller one says what is asked."""
        group = read_release({"type": "gaussian", "sigma": 3.0, "sampling": {"poisson": 0.1}}, "zero-out", "", 2)
        log_size, epsilon = math.log(5e-7), 0.2
        with precision(100):
            outline = Outline([(group.pair(40).swapped(), 1)], 0)
        tilt = outline.quick_tilt(epsilon, log_size)
        self.assertLess(outline.log_moment(tilt) - tilt * epsilon, log_size)
        self.assertLess(10 * tilt, outline.best_tilt(epsilon)[0])

    def test_paths_of_noise_rise(self):
        """Along a strip the imaginary part of the loss is from 0 to pi."""
        with precision(128):
            pairs = [laws.generalized(fmpq(shape, 100), fmpq(shift, 100), 30) for shape in (110, 300, 1150) for shift in (10, 250)]
            pairs += [laws.sinh_normal(fmpq(a, 100), fmpq(shift, 100), 30) for a in (105, 400, 4000) for shift in (10, 250)]
            for moves in (laws.on_a_sample(2, fmpq(1, 4), replaced) for replaced in (False, True)):
                pairs += [laws.gaussian(fmpq(3, 2), 30, moves), laws.logistic(fmpq(9), 30, moves), laws.sinh_normal(fmpq(4), fmpq(3, 2), 30, moves)]
            for piece in (piece for pair in pairs for piece in pair.pieces):
                for share in (k / 20 for k in range(1, 20)):
                    for height in (0.01, 0.5, 0.999):
                        x = acb((piece.low + (piece.high - piece.low) * share).mid(), (piece.strip * height).mid())
                        turn = piece.at(x)[1].imag
                        self.assertTrue(turn > 0 and turn < arb.pi(), f"{turn} at {x}")


class Listed(unittest.TestCase):
    """Sums over outcomes, told by how many releases have which, beside products one by one."""

    def check_masses(self, pair, count, found):
        masses = [(arb(1), arb(1))]
        for _ in range(count):
            masses = [(p * atom.p, q * atom.q) for p, q in masses for atom in pair.atoms]
        for epsilon in (-1.0, 0.1, 0.7):
            factor = arb(epsilon).exp()
            one, other = (sum(((p - factor * q).nonnegative_part() for p, q in listed), arb(0)) for listed in (masses, found))
            self.assertLess(float(abs(one - other).upper()), 1e-25)

    def test_by_counts(self):
        with precision(128):
            table = read_release({"type": "mass-table", "p": [0.5, 0.25, 0.25], "q": [0.125, 0.25, 0.625]}, "add-remove", "").pair(30)
            self.check_masses(table, 4, list(_by_counts(table.atoms, 4)))

    def test_on_a_lattice(self):
        """Outcomes of one loss are one: the same profile as of all; and 41,664 of 184 losses at once."""
        noise = {"type": "discrete-gaussian", "sigma": 1.5}
        for entry, count in ((noise, 3), ({"type": "discrete-laplace", "a": 0.5, "sensitivity": 2}, 2), ({"type": "dp", "epsilon": 0.5, "delta": 0.01}, 4),
                             ({"type": "randomized-response", "p": 0.7, "k": 4}, 5)):
            with precision(128):
                pair = read_release(entry, "add-remove", "").pair(30)
                together = outcomes_of(pair, count, 200_000)
                with mock.patch("sums._size_on_lattice", lambda *_: math.inf):
                    apart_ = outcomes_of(pair, count, 200_000)
                self.assertLessEqual(together.size, apart_.size, entry)
                one, other = (SortedOutcomes(Outcomes(list(each.masses), each.size, each.only_p, each.lost_p)) for each in (together, apart_))
                for epsilon in (-0.6, 0.0, 0.3, 1.1, 5.0):
                    found, truth = one.profile(arb(epsilon)), other.profile(arb(epsilon))
                    self.assertTrue(found.overlaps(truth) and abs(found - truth) < truth * 1e-9 + 1e-12, f"{entry} {epsilon}: {found} {truth}")
        rows = ((0.3779448939555623, PROVED), (0.3779448939555623 * (1 + 1e-6), FALSE))
        for power, expected in rows:
            answer = asked([{**noise, "sigma": 3.188471279634776, "count": 6}], query="tpr", fpr=0.14025, tpr={"lower": power})
            self.assertEqual(verdict(answer, 2), expected)

    def test_sorted(self):
        """The profile at losses, next to them and between them, as by a sum over all."""
        with precision(128):
            pair = laws.of_masses([(fmpq(p), fmpq(q)) for p, q in ((5, 1), (3, 3), (1, 2), (0, 1), (2, 4), (1, 0))])
            outcomes = outcomes_of(pair, 6, FEW_OUTCOMES)
            listed = Outcomes(list(outcomes.masses), outcomes.size, outcomes.only_p, outcomes.lost_p)
            kept = SortedOutcomes(listed)
            for loss in kept.losses[::7]:
                for epsilon in (arb(loss), arb(loss) + arb(2) ** -60, arb(loss) - 1e-3):
                    one, other = kept.profile(epsilon), listed.profile(epsilon)
                    self.assertTrue(one.overlaps(other) and one.rad() < 1e-20, f"{epsilon}: {one} {other}")

    def test_sorted_by_what_is_uncertain(self):
        """Losses that may be on either side of epsilon, or no numbers, are on both."""
        with precision(128):
            wide = [(arb(0.5, 1e-6), arb(0.25)), (arb(0).union(arb(0.25)), arb(0.125)), (arb(0.25), arb(0.5))]
            kept = SortedOutcomes(Outcomes(wide, 3, arb(0), arb(0)))
            for epsilon in (arb(2).log() + 1e-8, arb(2).log() - 1e-8, arb(0.1)):
                for p in (arb(0), arb(0.25)):
                    exact = [(arb(0.5) + 0.9e-6, arb(0.25)), (p, arb(0.125)), wide[2]]
                    truth = Outcomes(exact, 3, arb(0), arb(0)).profile(epsilon)
                    self.assertTrue(kept.profile(epsilon).overlaps(truth), f"{epsilon}: {kept.profile(epsilon)} {truth}")

    def test_in_two_lists(self):
        """As all in one, at losses, next to them and between them; and of masses whose losses are no numbers or may be on either side."""
        with precision(128):
            pair = laws.of_masses([(fmpq(p), fmpq(q)) for p, q in ((5, 1), (3, 3), (1, 2), (0, 1), (2, 4), (1, 0))])
            whole, few, more = (outcomes_of(pair, count, FEW_OUTCOMES).kept() for count in (6, 2, 4))
            wide = [(arb(0.5, 1e-6), arb(0.25)), (arb(0).union(arb(0.25)), arb(0.125))]
            told = [(arb(0.5) + 0.9e-6, arb(0.25)), (arb(0.25), arb(0.125))]  # one of those it may be
            vague = SortedOutcomes(Outcomes(wide, 2, arb(0.25), arb(0)))
            for one, other, masses, only_p in ((few, more, whole.masses, whole.only_p),
                                               *((one, vague, [(p * r, q * s) for p, q in one.masses for r, s in told], 1 - (1 - one.only_p) * 0.75)
                                                 for one in (whole, SortedOutcomes(Outcomes(told, 2, arb(0.125), arb(0)))))):
                for loss in whole.losses[::5]:
                    for epsilon in (arb(loss), arb(loss) + arb(2) ** -60, arb(loss) - 1e-3):
                        found = TwoLists(one, other).profile(epsilon)
                        truth = only_p + sum(((p - epsilon.exp() * q).nonnegative_part() for p, q in masses), arb(0))
                        self.assertTrue(found.overlaps(truth) and (other is vague or found.rad() < 1e-20), f"{epsilon}: {found} {truth}")

            alone = SortedOutcomes(Outcomes(wide[:1], 1, arb(0), arb(0)))  # whose losses are off by as much as the ball is wide
            epsilon = arb(whole.losses[-1]) + arb(2).log() + 1e-6
            truth = whole.only_p + sum(((p * told[0][0] - epsilon.exp() * q * told[0][1]).nonnegative_part() for p, q in whole.masses), arb(0))
            self.assertTrue(TwoLists(whole, alone).profile(epsilon).overlaps(truth))

    def test_lists_in_two(self):
        """Four lists in no more than two products, or in none."""
        with precision(64):
            lists = [Outcomes([(arb(1), arb(1))] * size, size, arb(0), arb(0)) for size in (9_000, 3, 200, 4)]
            self.assertEqual(sorted(joined.size for joined in in_two(lists, 30_000)), [2_400, 9_000])
            self.assertEqual(sorted(joined.size for joined in in_two(lists[:2] + lists[3:], 200_000)), [12, 9_000])
            self.assertIsNone(in_two([*lists, lists[0]], 30_000))

    def test_but_for_what_is_rare(self):
        """The listed ones have all but e^-nats or so; what is lost covers the rest."""
        with precision(128):
            pair = laws.of_masses([(fmpq(p), fmpq(q)) for p, q in ((5, 4), (3, 3), (1, 2), (1, 0))])
            whole = outcomes_of(pair, 300, FEW_OUTCOMES)
            whole = Outcomes(list(whole.masses), whole.size, whole.only_p, whole.lost_p)
            for nats in (1, 8, 40):
                few = outcomes_of(pair, 300, 20_000, nats)
                self.assertLess(few.size, whole.size / 2)
                self.assertLess(float(few.lost_p.upper()), 20 * math.exp(-nats))
                few = Outcomes(list(few.masses), few.size, few.only_p, few.lost_p)
                for epsilon in (arb(-40.0), arb(-3.0), arb(20.0)):
                    found, truth = few.profile(epsilon), whole.profile(epsilon)
                    self.assertTrue(found.contains(truth), f"{nats} {epsilon}: {found} {truth}")

    def test_too_many_for_anything_else(self):
        """228,826 sums of three losses, whose transform hardly falls: between 27.6803853 and 27.6803854, as the library has it on other ways."""
        response = [{"type": "randomized-response", "p": 0.8524728, "k": 3, "sampling": {"poisson": 0.031223}, "count": 675}]
        self.assertEqual(verdict(epsilon_at(1e-20, 27.6803853, 27.6803854, response, asked_direction="remove")), PROVED)
        self.assertEqual(verdict(epsilon_at(1e-20, None, 27.68038, response, asked_direction="remove")), FALSE)

    def test_tails_of_unequal_sides(self):
        """Of a Poisson variable of mean 52.072 less one of 2.343 the higher tail is far heavier than one of two alike."""
        counts = [{"type": "poisson-difference", "minus": 2.343, "plus": 52.072}]
        self.assertEqual(verdict(delta_at(4.0, 3.27125921e-192, 3.27125923e-192, counts)), PROVED)

    def test_many_kinds(self):
        self.assertEqual(verdict(delta_at(1.0, None, 0.05, [{"type": "zcdp", "rho": 0.1, "sampling": {"poisson": 0.5}}])), PROVED)


class BothSides(unittest.TestCase):
    """Laws on a grid, beside sums over all outcomes and closed forms."""

    def check(self, pairs, truth):
        """Whether the two bounds enclose the truth, on grids so coarse that most places are in coarser parts as well as on finer ones."""
        sides = TwoSides(pairs, 192)
        for step, neglected in ((0.3, 1e-5), (0.1, 1e-5), (0.03, 1e-5), (0.01, 0.1), (0.01, 1e-7)):
            for epsilon in (-0.7, 0.2, 1.1):
                with self.subTest(step=step, neglected=neglected, epsilon=epsilon):
                    e, delta = arb(epsilon), truth(arb(epsilon))
                    high, low = (side.profile(*sides._total(side, step * sides.deviation, 8, 100, int(neglected * 2**100)), e)
                                 for side in (_Above, _Below))
                    self.assertTrue(low < delta and delta < high, f"{low} {delta} {high}")
        self.assertLess(float(((high - low) / delta).upper()), 0.2)

    def test_tables(self):
        with precision(128):
            entries = [{"type": "mass-table", "p": [0.5, 0.125, 0.375], "q": [0.125, 0.25, 0.625], "count": 5},
                       {"type": "mass-table", "p": [0.75, 0.25], "q": [0.5, 0.5], "count": 2}]
            releases = [read_release(entry, "add-remove", "") for entry in entries]
            composition = Composition(releases)
            for adding in (False, True):
                pairs = [(composition._pair(r, adding, 30), r.count) for r in releases]
                self.check(pairs, lambda e: composition.profile(adding, e, arb(1e-20)))

    def test_noise(self):
        """Nine Gaussians are one."""
        with precision(128):
            self.check([(laws.gaussian(arb(0.25), 60), 9)], gaussian(arb(0.75)))

    def test_a_mass_at_infinity_that_is_only_bounded(self):
        """As of a converted guarantee: the bound from above is of the largest mass, that from below of none."""
        with precision(128):
            noise = Pair([Atom(arb(p), arb(q)) for p, q in ((0.75, 0.25), (0.25, 0.75))]), 50
            for share, epsilon in product((0.5, 2**-300), (20, 1)):
                atoms = [Atom(share * arb(p), arb(q)) for p, q in ((0.75, 0.25), (0.25, 0.75))]
                sides, *ends = (TwoSides([noise, (Pair(atoms, only_p=only_p), 2)], 128)
                                for only_p in (arb(0).union(arb(1 - share)), arb(0), arb(1 - share)))
                truths = [each.profile(arb(epsilon), arb(1e-4), None, 1 << 12) for each in ends]
                value = sides.profile(arb(epsilon), arb(0.6), None, 1 << 12)
                self.assertTrue(all(value.contains(truth.mid()) for truth in truths), f"{value} {truths}")
                with self.assertRaisesRegex(OutOfReach, "too large"):
                    sides.profile(arb(epsilon), arb(1e-4), sum(truths).mid() / 2, 1 << 12)

    def test_epochs(self):
        """Of few outcomes, which are listed as well."""
        with precision(128):
            entries = {"type": "randomized-response", "p": 0.7, "k": 3}, {"type": "mass-table", "p": [0.5, 0.48, 0.02, 0.0], "q": [0.2, 0.2, 0.3, 0.3]}
            for step, steps in ((read_release(entry, "add-remove", "").pair(30), steps) for entry in entries for steps in (3, 13)):
                exact, epoch = listed_epoch(step, steps, 30), Epoch(step, steps)
                for adding in (False, True):
                    one, other = (exact.swapped(), epoch.swapped()) if adding else (exact, epoch)
                    for resolution in (0.1, 0.01, 0.001):
                        for epsilon in (arb(-0.3), arb(0.05), arb(0.4)):
                            delta = one.profile(epsilon)
                            high, low = (other.in_cells(above, resolution, resolution, 128).profile(epsilon) for above in (True, False))
                            self.assertFalse(low > delta or delta > high, f"{low} {delta} {high}")
                    self.assertLess(float(((high - low) / delta).upper()), 0.01)

    def test_epochs_but_for_what_is_rare(self):
        """A third of the 31,878 outcomes, or less, beside all of them."""
        with precision(128):
            step = read_release({"type": "randomized-response", "p": 0.7, "k": 3}, "add-remove", "").pair(30)
            with mock.patch("allocation.MOST_LISTED", 40_000):
                whole = listed_epoch(step, 251, 30)
            for nats in (2, 30):
                listed = listed_epoch(step, 251, nats)
                self.assertLess(len(listed.atoms), 11_000)
                for one, other in ((listed, whole), (listed.swapped(), whole.swapped())):
                    for epsilon in (arb(-0.3), arb(0.02)):
                        found, truth = one.profile(epsilon), other.profile(epsilon)
                        self.assertTrue(found.overlaps(truth) and found.rad() < 10 * math.exp(-nats), f"{nats} {epsilon}: {found} {truth}")

    def test_epochs_in_cells_beside_noise(self):
        """Of randomized response in one of 12 steps, whose outcomes can be listed, three times beside Gaussian noise: the truth by listing, and bounds on
        grids on either side of it, nearer and nearer."""
        with precision(200):
            step = laws.randomized_response(fmpq(7, 10), 2)
            listed, epoch = listed_epoch(step, 12, 30), Epoch(step, 12)

        def composition(pair):
            release = SimpleNamespace(count=3, symmetric=False, mu_squared=None, laplace_shift=None, pair=lambda _: pair)
            return Composition([release, read_release({"type": "gaussian", "sigma": 2.0}, "add-remove", "")])

        for adding in (False, True):
            truth = composition(listed.swapped() if adding else listed).profile(False, arb(0.3), arb(1e-12))
            hidden = composition(epoch)
            found = hidden._from_both_sides(adding, arb(0.3), arb(1e-3), None, 1 << 12)
            self.assertTrue(found.contains(truth) and found.rad() < 1e-3, f"{adding}: {found} {truth}")
            coarse, fine = (hidden.above(adding, -1.0, 2.0, arb(1e-6), fineness)(0.3) - truth for fineness in (1, 8))
            self.assertTrue(0 < fine < coarse / 20 and coarse < 0.1, f"{adding}: {fine} {coarse}")

    def test_several_steps_of_an_epoch(self):
        """Listed by all choices of them, from the definition; and what is told by a sum alone is below that."""
        table = [(0.5, 0.25), (0.375, 0.25), (0.125, 0.5)]
        with precision(128):
            step = laws.of_masses([(fmpq(*p.as_integer_ratio()), fmpq(*q.as_integer_ratio())) for p, q in table])
            for steps, chosen in ((4, 2), (5, 3)):
                choices, outcomes = list(combinations(range(steps), chosen)), list(product(table, repeat=steps))
                masses = [(sum(math.prod(o[0 if t in choice else 1] for t, o in enumerate(outcome)) for choice in choices) / len(choices), math.prod(q for _, q in outcome))
                          for outcome in outcomes]
                exact, told = listed_epoch(step, steps, 30, chosen), told_by_a_sum(step, steps, chosen, 40)
                for epsilon in (-0.5, 0.0, 0.3, 1.0):
                    for order, one, other in ((1, exact, told), (-1, exact.swapped(), told.swapped())):
                        truth = sum(max(0, p - math.exp(epsilon) * q) for p, q in (m[::order] for m in masses))
                        self.assertAlmostEqual(float(one.profile(arb(epsilon)).mid()), truth, delta=1e-12)
                        low = other.profile(arb(epsilon))
                        self.assertTrue(low.rad() < 1e-12 and 0.9 * truth < low < truth + 1e-12, f"{steps} {chosen} {order} {epsilon}: {low} {truth}")

    def test_several_steps_of_nothing_on_one_side(self):
        """Outcomes that only one law has."""
        with precision(128):
            for masses in (((0.5, 0.0), (0.5, 1.0)), ((0.0, 0.5), (1.0, 0.5)), ((0.25, 0.0), (0.5, 0.5), (0.25, 0.5))):
                step = laws.of_masses([tuple(fmpq(*m.as_integer_ratio()) for m in pair) for pair in masses])
                exact, told = listed_epoch(step, 6, 30, 2), told_by_a_sum(step, 6, 2, 40)
                for name in ("only_p", "only_q"):
                    self.assertTrue(getattr(exact, name).overlaps(getattr(told, name)))
                self.assertTrue((exact.moment(0) + exact.only_p).contains(1) and (exact.moment(-1) + exact.only_q).contains(1))
                for one, other in ((exact, told), (exact.swapped(), told.swapped())):
                    low, truth = other.profile(arb(0.2)), one.profile(arb(0.2))
                    self.assertFalse(low > truth or low < 0.9 * truth or low.rad() > 1e-12)

    def test_bins_that_stay(self):
        """Three passes of few outcomes, which are listed, and known in cells alone: nearer and nearer to the truth, from both sides."""
        step = laws.randomized_response(fmpq(7, 10), 3)
        with precision(200):
            listed = product_of(step, 3)
            exact, hidden = epoch_of(listed, 5, 30), Epoch(Product(step, 3), 5)
            for one, other in ((exact, hidden), (exact.swapped(), hidden.swapped())):
                for epsilon in (-0.5, 0.1, 0.8):
                    truth, widths = one.profile(arb(epsilon)), []
                    for resolution in (0.05, 0.0125):
                        high, low = (other.in_cells(above, resolution, resolution, 128).profile(arb(epsilon)) for above in (True, False))
                        self.assertFalse(low > truth or high < truth, f"{low} {truth} {high}")
                        widths.append(float((high - low).mid()))
                    self.assertLess(widths[1], widths[0] / 3)
            masses = [(a.p, a.q) for a in Product(step, 3).in_cells(False, 0.05, 24).atoms]  # of 24 bits, as balls
            for mass in (sum(law, arb(0)) for law in zip(*masses)):
                self.assertTrue(mass.contains(1) and 1e-9 < float(mass.rad()) < 1e-3, mass)

    def test_what_schemes_have_in_common(self):
        """Four passes are noise of twice the sensitivity; a record in all steps, or in the one step of all passes, is in as many releases on all data; one step in one pass is the epoch;
        several steps are at most blocks with one each."""
        noise = {"type": "gaussian", "sigma": 3.0}
        def of(**sampling):
            return [{**noise, "sampling": sampling}]

        twice = [{**noise, "sensitivity": 2.0, "sampling": {"allocation": 9}}]
        for one, other in ((of(allocation=9, passes=4), twice), (of(allocation=5, participations=5), [{**noise, "count": 5}]), (of(allocation=1, passes=3), [{**noise, "count": 3}]),
                           (of(allocation=9, passes=1), of(allocation=9)), (of(allocation=9, participations=1), of(allocation=9)),
                           (of(allocation=3, participations=2), [noise, *of(allocation=2)]), (of(allocation=6, participations=3), [{**of(allocation=2)[0], "count": 3}])):
            for adjacency, direction in (("add-remove", "remove"), ("zero-out", "add")):
                with self.subTest(one=one, direction=direction):
                    deltas = [Profiles(Composition(_releases(mechanisms, adjacency)), direction).composition.at(direction == "add", 0.7, arb(1e-6)) for mechanisms in (one, other)]
                    self.assertTrue(deltas[0].overlaps(deltas[1]) and deltas[0].rad() < 1e-5, f"{one} {deltas}")

    def test_powers_on_grids(self):
        """Of two epochs of twelve steps, whose outcomes are listed as well: below what they are and above it, nearer with finer grids; and of an answer's ends, which no transform
        tells in seconds."""
        with precision(192):
            step = laws.randomized_response(fmpq(7, 10), 2)
            listed, sides = listed_epoch(step, 12, 30), TwoSides([(Epoch(step, 12), 2)], 192)
        release = SimpleNamespace(count=2, symmetric=False, mu_squared=None, laplace_shift=None, pair=lambda _: listed)
        for alpha in (0.001, 0.1, 0.6):
            search = _Search(Profiles(Composition([release]), "remove"), alpha, (1 + alpha) / 2, (1 - alpha) / 2)
            while search.power.rad() > 1e-9:
                search.narrow()
            for fineness, gap in ((1, 0.1), (16, 0.01)):
                asked_of = -2.0, 2.0, arb(1e-3), fineness
                above = sides.above(*asked_of)
                low, high = sides.power(alpha, *asked_of), min((above(e / 50) + alpha * arb(e / 50).exp() for e in range(-100, 100)), key=lambda power: power.mid())
                self.assertTrue(low <= search.power.upper() and search.power.lower() <= high)
                self.assertTrue(high - low < gap * search.power)
        epochs = [{"type": "discrete-gaussian", "sigma": 9.3175, "sampling": {"allocation": 46, "passes": 4}, "count": 4}]
        ends = 0.02560409271076061, 0.025605509261896208  # of pld
        for low, high, expected in ((*ends, [PROVED] * 2), (ends[1] * (1 + 1e-6), ends[0] * (1 - 1e-6), [NOT_PROVED] * 2)):
            answer = asked(epochs, query="tpr", fpr=0.022018, tpr={"lower": low, "upper": high}, asked_direction="remove")
            self.assertEqual(verdicts(answer, 4), expected)

    def test_several_steps_are_proved(self):
        """Of 2 of 6 steps of a randomized response of odds 3 : 1, from the definition, and ends that are moved past it. From above blocks of three are no less."""
        of_count = [(math.comb(6, n) * 0.25**n * 0.75 ** (6 - n), n) for n in range(7)]  # of answers that P gives more often
        ratio = [sum(math.comb(n, i) * math.comb(6 - n, 2 - i) * 3.0**i * 3.0 ** (i - 2) for i in range(3)) / math.comb(6, 2) for n in range(7)]
        release = [{"type": "randomized-response", "p": 0.75, "sampling": {"allocation": 6, "participations": 2}}]
        for epsilon in (0.1, 0.5):
            truth = sum(max(0.0, mass * ratio[n] - math.exp(epsilon) * mass) for mass, n in of_count)
            for lower, expected in ((truth * (1 - 1e-6), PROVED), (truth * (1 + 1e-6), NOT_PROVED)):
                self.assertEqual(verdict(delta_at(epsilon, lower, None, release, asked_direction="remove")), expected)
            blocks = float(Composition(_releases(release, "add-remove")).at(False, epsilon, arb(1e-12)).mid())
            self.assertGreater(blocks, truth)
            for upper, expected in ((blocks * (1 + 1e-6), PROVED), (blocks * (1 - 1e-6), NOT_PROVED), (truth * (1 - 1e-6), FALSE)):
                self.assertEqual(verdict(delta_at(epsilon, None, upper, release, asked_direction="remove")), expected)

    def test_several_steps_from_below(self):
        """Told by sums that are fine enough; and no more than the command knows by 1 %."""
        for words in (["--delta", "0.01", "laplace:scale=5,allocation=200,participations=8,count=2"],
                      ["--delta", "1e-6", "gaussian:sigma=10,allocation=100,participations=4,count=20"]):
            answer = answer_of("epsilon", "--json", "--direction", "remove", *words)
            delta, lower = answer["delta"], answer["epsilon"]["lower"]
            for end, proved in ((lower, True), (lower * 1.01, False)):
                self.assertEqual(verdict(epsilon_at(delta, end, None, answer["mechanisms"], asked_direction="remove")) == PROVED, proved, words)

    def test_blocks_are_one_records(self):
        """Of a group each record has others, so that what one record loses in each of them says nothing of groups."""
        release = read_release({"type": "mass-table", "p": [0.75, 0.25], "q": [0.25, 0.75], "sampling": {"allocation": 6, "participations": 2}}, "add-remove", "", 2)
        self.assertEqual((release.base.scheme, release.base.count), (None, 2))

    def test_two_epochs(self):
        response = {"type": "randomized-response", "p": 0.7, "k": 3}
        with precision(128):
            step = read_release(response, "add-remove", "").pair(30)
            listed = Composition([read_release({**response, "sampling": {"allocation": 5}, "count": 2}, "add-remove", "")])
            self.check([(Epoch(step, 5), 2)], lambda e: listed.profile(False, e, arb(1e-20)))

    def test_moments_of_a_gaussian_epoch(self):
        """Of one step E X^a = e^(mu^2 a (a - 1) / 2), to within what was asked for."""
        with precision(160):
            for order, step, count, mu_squared in ((-0.3, 2.0, 20, fmpq(1, 2)), (-7.0, 0.5, 3, fmpq(1, 2)), (-30.0, 4.0, 9, fmpq(1, 50)), (0.3, 2.0, 8, fmpq(108)), (1.75, 2.0, 8, fmpq(1, 2)),
                                                   (2.5, 1.0, 4, fmpq(7))):
                order, step, error = arb(order), 2 * arb.pi() / (2 * arb.pi() / arb(step)), (mu_squared * arb(order) * (arb(order) - 1) / 2).exp() * 1e-20
                for n, wave in enumerate(smooth_law(mu_squared, 1).waves(order, step, count, error)):
                    w = acb(order, -n * step)
                    truth = (arb(mu_squared) * w * (w - 1) / 2).exp()
                    self.assertTrue(wave.overlaps(truth) and abs(wave - truth) < 1e-15 * abs(truth) + 2 * error, f"{order} {mu_squared} {n}: {wave} {truth}")

    def test_moments_of_a_gaussian_epoch_of_several_steps(self):
        """E R^2 = 1 + (e^(mu^2) - 1) / T; and of two steps others by the trapezoidal rule."""
        for steps, mu_squared in ((2, fmpq(1, 2)), (50, fmpq(7)), (1000, fmpq(1, 50))):
            with precision(128):
                second = 1 + (arb(mu_squared).exp() - 1) / steps
                found = smooth_law(mu_squared, steps).moment(arb(2), 40)
                self.assertTrue(found.overlaps(second) and found.rad() < 1e-9 * found, f"{steps} {mu_squared}: {found} {second}")
        normal = [(k / 8, math.exp(-((k / 8) ** 2) / 2) / 8 / math.sqrt(2 * math.pi)) for k in range(-112, 113)]
        for mu in (0.5, 2.0):
            ratios = [(math.exp(mu * x - mu * mu / 2), mass) for x, mass in normal]
            for order in (-1.5, 0.25, 0.75, 1.5):
                truth = sum(p * q * ((x + y) / 2) ** order for x, p in ratios for y, q in ratios)
                with precision(128):
                    found = smooth_law(fmpq(int(4 * mu * mu), 4), 2).moment(arb(order), 40)
                self.assertAlmostEqual(float(found.mid()) / truth, 1, delta=1e-11)
                self.assertTrue(found.rad() < 1e-9 * found)

    def test_epochs_of_gaussian_noise_on_a_line(self):
        for sigma, steps, epsilon in ((4.0, 60, 0.02), (1.5, 12, 0.3)):
            composition = Composition([read_release({"type": "gaussian", "sigma": sigma, "sampling": {"allocation": steps}}, "add-remove", "")])
            for adding in (False, True):
                for at in (arb(epsilon), arb(-epsilon)):
                    alone, line = composition._by_listing(adding, at, arb(1e-18), None, 100), composition._by_transform(adding, at, arb(1e-18), None, 1 << 17)
                    self.assertTrue(alone.overlaps(line) and line.rad() < 1e-18, f"{sigma} {steps} {at}: {alone} {line}")
            epoch, step = composition.releases[0].pair(30), arb(8)
            for n, wave in enumerate(epoch.waves(arb(-3), step, 8, arb(1e-20))):
                self.assertFalse(abs(wave) > epoch.most_beyond(arb(-3), n * step, None), f"{sigma} {steps} {n}: {wave}")

    def test_several_epochs_of_gaussian_noise(self):
        """As near as the library has them, a part in 10^14; and no such end that is moved."""
        for delta, epochs in (("1e-6", "sigma=1,allocation=196,count=30"), ("0.01", "sigma=0.3785,allocation=93,count=49")):
            answer = answer_of("epsilon", "--json", "--delta", delta, "gaussian:" + epochs)
            self.assertLess(answer["epsilon"]["upper"] - answer["epsilon"]["lower"], 1e-11)
            self.assertEqual([verdict(each) for each in (answer, *mutated([answer]))], [PROVED, FALSE, FALSE])

    def test_places_that_no_double_holds(self):
        law = Law(LossesAbove(64), arb(1), arb(0), 8)
        self.assertEqual([law.part_of(arb(2) ** n) for n in (3, 4, 900, 2000)], [0, 1, 897, 1997])

    def test_known_to_others(self):
        """A Gaussian of sigma 1 in one of 100 steps, 10 epochs: epsilon is 1.96427 at delta 1e-6; the library's bracket here is .00017 wide."""
        epoch = [{"type": "gaussian", "sigma": 1.0, "count": 10, "sampling": {"allocation": 100}}]
        self.assertEqual(verdicts(epsilon_at(1e-6, 1.9640, 1.9640, epoch, asked_direction="remove")), [PROVED, FALSE])


class Conversions(unittest.TestCase):
    """What a guarantee of Renyi divergences is converted to lies above the noise that keeps it, and below simpler conversions."""

    def test_a_converted_pair_has_no_largest_loss(self):
        """Its list of losses ends where a delta of e^-40 is left, or of less where less is asked about: 1.5242191421e-32 is what the library has."""
        sampled = [{"type": "tcdp", "rho": 0.2155, "omega": 15.521, "sampling": {"poisson": 0.020534}}]
        self.assertEqual(verdict(delta_at(4, None, 1.52421914212e-32, sampled, asked_direction="remove")), PROVED)

    def test_a_converted_pair_goes_no_farther_with_more_digits(self):
        """A line is placed where an outline of few digits has its moments: what has less than e^-60 added to them e^58 at this power."""
        table = {"type": "rdp", "epsilons": [0.00852285, 0.0113638, 0.1818208], "orders": [1.5, 2.0, 32.0], "sampling": {"without_replacement": 0.048327}}
        moments = []
        for bits in (96, 160):
            with precision(bits):
                moments.append(read_release(table, "replace-one", "").pair(41).moment(197))
        self.assertLess(float(abs(moments[1] / moments[0] - 1).upper()), 1.0)

    def test_an_outline_has_all_outcomes_of_a_converted_pair(self):
        """A moment at a power beyond the table's orders is mostly of those that 100 bits do not tell."""
        table = {"type": "rdp", "epsilons": [0.018585, 0.03717], "orders": [2.0, 4.0], "count": 43}
        composition = Composition([read_release(table, "zero-out", "")])
        seen = composition._outline(False, 96).log_moment(8.0)
        with precision(400):
            self.assertLess(abs(float((43 * composition._pair(composition.others[0], False, 96).moment(8).log()).mid()) - seen), 5.0)

    def test_steps_of_guarantees_beside_noise(self):
        """31.4200997 as the library has it."""
        releases = [{"type": "laplace", "scale": 1.2804, "sensitivity": 0.48686, "count": 8},
                    {"type": "rdp", "epsilons": [0.018585, 0.03717], "orders": [2.0, 4.0], "count": 43},
                    {"type": "logistic", "scale": 4.9287, "sampling": {"without_replacement": 0.086397}, "count": 155}]
        self.assertEqual(verdict(epsilon_at(1e-6, None, 31.42009978, releases, adjacency="zero-out", group=3)), PROVED)

    def test_moments_together_are_converted_as_well_as_a_guarantee(self):
        """9.99999829e-6 by the best tangents, 1.0000034e-5 by proposition 12."""
        both = [{"type": "tcdp", "omega": 24.146, "rho": 0.040059, "count": 17},
                {"type": "report-noisy-max", "scale": 23.088, "count": 23,
                 "sampling": {"truncated_poisson": 0.012964, "largest_batch": 1.0, "records": 2.0}}]
        self.assertEqual(verdict(delta_at(5.652111988963052, None, 1e-5, both, adjacency="zero-out", asked_direction="add")), PROVED)

    def test_a_ratio_whose_mean_is_below_one(self):
        """Ratios 9/10 and 4 of masses 9/10 and 1/100, the rest at infinity: .01 (4 - k) is the least that a bound may be."""
        with precision(128):
            moment, mean, ratio = arb("0.9") * arb("0.9") ** 2 + arb("0.01") * 16, arb("0.85"), arb(2)
            bound = renyi.optimal(arb(2), moment, mean, ratio)
            self.assertTrue(bound >= arb("0.02"), f"{bound}")
            self.assertTrue(bound < renyi.optimal(arb(2), moment, arb("0.8"), ratio))

    def test_a_range_is_told_at_the_precision_asked_for(self):
        """Whenever the guarantee was made: D_2 of the losses -1/2 and 1/2, as two of equal ends have the most of all in a range of length 1."""
        with precision(53):
            divergence = renyi.bounded_range({"epsilon": fmpq(1)})[0]
        with precision(256):
            found, truth = divergence(fmpq(2)), 2 * (arb(0.5).cosh().log())
            self.assertTrue(found.overlaps(truth) and found.rad() < 1e-60, f"{found} {truth}")

    def test_the_best_order_is_found_to_rounding(self):
        """Of a guarantee of the library's own, whose least is between 1 - 1e-13 and 1 times delta: .01 exceeded by 8e-13 is no proof."""
        tcdp = [{"type": "tcdp", "omega": 97.326, "rho": 0.00031574, "count": 52}]
        self.assertEqual(verdicts(epsilons_at(0.01, (0.2957493530454813, 0.2957493530), tcdp)), [PROVED, NOT_PROVED])

    def test_guarantees_at_the_places_themselves(self):
        """Where a converted pair's chords lie some millionths above what is converted there: the command's ends, and less by a millionth."""
        for words in (["--delta", "0.01", "tcdp:omega=14.437,rho=0.0077809", "--adjacency", "replace-one"],
                      ["--delta", "0.01", "--group", "3", "--direction", "add", "rdp:epsilons=0.0034077/0.0181744,orders=1.5/8,count=16"],
                      ["--delta", "1e-6", "--group", "3", "--direction", "add", "tcdp:omega=124.06,rho=0.002617,count=2"],
                      ["--delta", "1e-5", "--group", "2", "rdp:epsilons=0.00497204999/0.0132588/0.0265176,orders=1.5/4/8,count=20"]):
            answer = answer_of("epsilon", "--json", *words)
            upper, answer["epsilon"] = answer["epsilon"]["upper"], {}
            for end, expected in ((upper, PROVED), (upper - 1e-6 * abs(upper), NOT_PROVED)):
                answer["epsilon"]["upper"] = end
                self.assertEqual(verdict(answer), expected, words)

    def test_deltas_of_guarantees(self):
        """Above the noise that keeps the guarantee, and no less than a search in balls has but for rounding."""
        for rho, epsilon in product((fmpq(1, 1000), fmpq(1, 5)), (0.0, 0.05, 0.3)):
            guarantee = renyi.zcdp({"rho": rho, "xi": fmpq(0)})
            with precision(256):
                found, noise = renyi.delta_of(guarantee, epsilon), gaussian((2 * arb(rho)).sqrt())(arb(epsilon))
                order = renyi._tangents(guarantee, [epsilon])[0][0]
                best = renyi._optimal_near(order, guarantee, lambda a: renyi._moment_at(guarantee, a), arb(1), arb(epsilon).exp())
                self.assertTrue(noise < found and best * (1 - 1e-9) < found and found < best * (1 + 1e-9), f"{rho} {epsilon}: {noise} {found} {best}")

    def test_between_noise_and_one_order_at_a_time(self):
        for rho in (fmpq(1, 1000), fmpq(1, 5), fmpq(3)):
            guarantee = renyi.zcdp({"rho": rho, "xi": fmpq(0)})
            with precision(128):
                pair, noise = renyi.pair_of(guarantee)(40), gaussian((2 * arb(rho)).sqrt())
                for share in (0.5, 1, 2):
                    epsilon = arb(share) * arb(rho).sqrt()
                    delta, simple = pair.profile(epsilon), renyi.converted(guarantee, fmpq(*float(epsilon.mid()).as_integer_ratio()))
                    self.assertTrue(noise(epsilon) < delta and delta < simple, f"{rho} {share}: {noise(epsilon)} {delta} {simple}")

    def test_any_tangents_give_a_bound(self):
        """Also such as turn over: the noise that keeps the guarantee stays below."""
        rng, guarantee = random.Random(5), renyi.zcdp({"rho": fmpq(1, 5), "xi": fmpq(0)})
        tangents = [(rng.uniform(1.01, 12), -rng.expovariate(1), rng.uniform(-2, 2)) for _ in range(200)]
        with precision(128), mock.patch.object(renyi, "_tangents", lambda *_: tangents):
            pair, noise = renyi.pair_of(guarantee)(20), gaussian(arb(0.4).sqrt())
            for epsilon in (arb(k) / 4 for k in range(9)):
                most = pair.profile(epsilon).upper()
                self.assertTrue(noise(epsilon) < most and most < 1, f"{epsilon}: {most}")

    def test_tangents_where_branches_of_orders_meet(self):
        """No more than a fine grid of tangents has: between the relative entropy's and the simple conversion's orders."""
        rho = 0.00087085
        guarantee = renyi.zcdp({"rho": fmpq(*rho.as_integer_ratio()), "xi": fmpq(0)})
        pair = renyi.pair_of(guarantee)(40)
        for epsilon in (0.002, 0.004, 0.006, 0.009):
            with precision(128):
                found = float(pair.profile(arb(epsilon)))
            best = min(renyi._log_tangent_of(guarantee, 1 + math.exp(i / 10), -j / 50, epsilon)[0] for i in range(-40, 30) for j in range(100, 250))
            self.assertLess(found, 1.0002 * math.exp(best))

    def test_tangents_between_tangents(self):
        """Those that are looked for at few places are as good as those that are looked for at all."""
        for guarantee in (renyi.tcdp({"rho": fmpq(3, 10), "omega": fmpq(100)}), renyi.rdp({"orders": [fmpq(2), fmpq(16)], "epsilons": [fmpq(1, 50), fmpq(1, 5)]})):
            epsilons = [0.0005 * i for i in range(1000)]
            found = renyi._tangents(guarantee, epsilons)
            with mock.patch.object(renyi, "EACH", 1):
                truth = renyi._tangents(guarantee, epsilons)
            for epsilon, one, other in zip(epsilons, found, truth):
                logs = [renyi._log_tangent_of(guarantee, order, log_rest, epsilon)[0] for order, log_rest, _ in (one, other)]
                self.assertLess(logs[0], logs[1] + 1e-6, epsilon)

    def test_the_best_order_between_jumps(self):
        """Below the first order of a table, as zCDP is added to it: 55.8801066 is what the library has."""
        both = [{"type": "rdp", "epsilons": [0.0441435, 0.117716, 0.470864, 1.883456], "orders": [1.5, 4.0, 16.0, 64.0], "count": 149},
                {"type": "zcdp", "rho": 0.086778, "count": 444}]
        self.assertEqual(verdicts(epsilons_at(0.3, (55.8801066, 55.8801065), both, asked_direction="remove")), [PROVED, NOT_PROVED])

    def test_a_guarantee_that_takes_many_digits(self):
        """At 166 bits its mass at infinity, which is none, was between -1 and 1: 188.48380356057427 is what the library has."""
        run = [{"type": "gaussian", "sigma": 1.8663, "count": 17}, {"type": "zcdp", "rho": 0.00012194, "count": 839280},
               {"type": "gaussian", "sigma": 2.2522, "sampling": {"poisson": 0.0018288}}]
        self.assertEqual(verdicts(epsilons_at(1e-6, (188.48380356057427, 188.45), run, adjacency="replace-one", asked_direction="add")),
                         [PROVED, NOT_PROVED])

    def test_powers_of_guarantees(self):
        """As by all their lines, and no less than what Gaussian noise of that guarantee attains."""
        guarantee, noise = {"type": "tcdp", "rho": 0.29738, "omega": 101.71, "count": 4}, {"type": "gaussian", "sigma": (2 * 4 * 0.29738) ** -0.5}
        release = read_release(guarantee, "add-remove", "")
        alone = renyi.GuaranteedPower(renyi.added([(release.guarantee, release.count)]))
        lines = Power(Profiles(Composition(renyi.added_first([release])), "worst"))
        for alpha in (1e-3, 0.02, 0.5, 0.9):
            with precision(256):
                bound = alone._bound(alpha)
                attained = gaussian_power(arb(2 * 4 * 0.29738).sqrt(), arb(alpha))
                self.assertTrue(attained < bound, f"{alpha}: {attained} {bound}")
                close = float((bound + (1 - bound) * 1e-5).mid()), float((bound * (1 - 1e-5)).mid())
            self.assertEqual([lines.at_most(alpha, end, True)[0] for end in close], [True, False])
            self.assertEqual([alone.at_most(alpha, end, True)[0] for end in close], [True, None])
            self.assertEqual([alone.at_least(alpha, end, True)[0] for end in close], [False, None])

    def test_lines_that_may_be_parallel_do_not_cross(self):
        """Of two that no double tells apart one is left out, so that every outcome has a mass."""
        with precision(128):
            steeper_and_lower = 2 + arb(2) ** -80, arb("0.9") - arb(2) ** -60
            pair = laws.guarantee([(arb(4), arb("0.99")), (arb(2), arb("0.9")), steeper_and_lower, (fmpq(1), arb("0.8"))], loosely=True)
        self.assertTrue(all(atom.p > 0 and atom.q > 0 for atom in pair.atoms))
        self.assertTrue(pair.profile(arb(0)) < 1)

    def test_a_guarantee_on_a_sample(self):
        """q delta(log(1 + (e^epsilon - 1) / q)); below 0 and where the record is added by the way back."""
        def converted(epsilon):
            return float(renyi.delta_of(renyi.zcdp({"rho": fmpq(1, 20), "xi": fmpq(0)}), epsilon).mid())

        sampled, place = [{"type": "zcdp", "rho": 0.05, "sampling": {"poisson": 0.1}}], 0.8123
        epsilon = math.log1p(0.1 * math.expm1(place))
        of_smaller = math.log1p(0.1 * math.expm1(-place))
        smaller = 0.1 * (-math.expm1(-place) + math.exp(-place) * converted(place))
        for at, truth, direction in ((epsilon, 0.1 * converted(place), "remove"), (of_smaller, smaller, "remove"),
                                     (-epsilon, -math.expm1(-epsilon) + math.exp(-epsilon) * 0.1 * converted(place), "add")):
            ends = [(None, truth * (1 + 1e-9)), (None, truth * (1 - 1e-6))]
            self.assertEqual(verdicts(deltas_at(at, ends, sampled, direction)), [PROVED, NOT_PROVED], (at, direction))
        in_steps = answer_of("epsilon", "--json", "--delta", "1e-10", "--group", "2", "--direction", "remove",
                             "rdp:epsilons=.093668/.374672/1.498688,orders=4/16/64,q=.09671")
        self.assertEqual(verdict(in_steps), PROVED)

    def test_epochs_of_a_table_of_high_orders(self):
        """Far from ratio 1 the best tangent of order 32 is at ratios next to 1, and in doubles all below 0.9 are as good as 0."""
        epoch = [{"type": "rdp", "orders": [16.0, 32.0], "epsilons": [0.0249952, 0.0499904], "sampling": {"allocation": 3}}]
        upper = 4.3281383732366684e-11
        self.assertEqual(verdicts(deltas_at(0.3, [(None, upper), (None, 0.97 * upper)], epoch)), [PROVED, NOT_PROVED])

    def test_guarantees_alone_far_below_the_simple_conversion(self):
        """The simple conversion gives 76 times as much as claimed."""
        shuffled = [{"type": "tcdp", "omega": 7.8179, "rho": 0.00024817, "sampling": {"shuffled": 6.0}}]
        for side, expected in ((0, PROVED), (1, NOT_PROVED)):
            answer = epsilon_at(1e-6, None, 0.9548986845305738 * (1 - side * 1e-6), shuffled, adjacency="replace-one")
            self.assertEqual(verdict(answer), expected)

    def test_far_below_the_simple_conversion(self):
        """Of few and low orders the best bound is a fifth of the simple one: -.35297548 at .3, as the library has it."""
        guarantee = [{"type": "tcdp", "omega": 5.411, "rho": 0.0066499}]
        self.assertEqual(verdicts(epsilons_at(0.3, (-0.35297548, -0.352976), guarantee, adjacency="zero-out")), [PROVED, NOT_PROVED])

    def test_below_zero_by_the_way_back(self):
        """delta(-e) of (P, Q) is 1 - e^-e + e^-e delta(e) of (Q, P): here about 0 and 1/2."""
        least = {"type": "zcdp", "rho": 1e-9}
        self.assertEqual(verdict(delta_at(-0.5, None, -math.expm1(-0.5) + 1e-15, [least])), PROVED)
        both = [least, {"type": "mass-table", "p": [0.5, 0.5], "q": [1.0, 0.0]}]
        once = -math.expm1(-1)
        self.assertEqual(verdict(delta_at(-1.0, None, once + 1e-12, both, asked_direction="remove")), PROVED)
        self.assertEqual(verdict(delta_at(-1.0, None, once + 0.49 / math.e, both, asked_direction="add")), FALSE)

    def test_the_first_of_bounds_that_tells(self):
        def says(found):
            return SimpleNamespace(at_most=lambda *_: (found, "seen"), at_least=lambda *_: (found, "seen"))

        def fails(*_):
            raise OutOfReach("too far")

        out_of_reach = SimpleNamespace(at_most=fails, at_least=fails)
        for powers, at_most, at_least in (([out_of_reach, says(True)], True, None), ([says(False), says(False)], False, False)):
            bounds = PowersAbove(powers)
            for found, method in ((at_most, bounds.at_most), (at_least, bounds.at_least)):
                if found is None:
                    self.assertRaises(OutOfReach, method, 0.1, 0.5, True)
                else:
                    self.assertEqual(method(0.1, 0.5, True)[0], found)

    def test_a_table_is_converted_at_its_orders(self):
        """Of order 4 alone, D <= .54492: .02310152090 at epsilon 1 by the optimal conversion, .0269 by the simple one."""
        table = [{"type": "rdp", "orders": [4.0, 16.0, 64.0], "epsilons": [0.54492, 2.17968, 8.71872]}]
        self.assertEqual(verdicts(deltas_at(1.0, ((None, 0.0231015210), (None, 0.0231015208)), table)), [PROVED, NOT_PROVED])


def _power_of(law):
    """The most that a test of a level has; `law`: what P and Q have, by falling ratios."""
    def power(level):
        total = 0.0
        for p, q in law:
            taken = min(q, level)
            total, level = total + p * taken / q, level - taken
        return total

    return power


def _in_two_steps(law):
    """What P and Q have between the corners of the power function twice in a row; `law`: by falling ratios."""
    power = _power_of(law)
    first = law[0][1] * law[0][1] / law[0][0] if law[0][0] > law[0][1] else 0.0  # where the inner power is the outer corner
    corners = sorted({0.0, 1.0, law[0][1], first})
    return [(power(power(b)) - power(power(a)), b - a) for a, b in zip(corners, corners[1:])]


def _mu_at(epsilon, delta):
    """Of the noise that has this delta there."""
    normal, low, high = NormalDist(), 1e-3, 9.0
    for _ in range(60):
        mu = (low + high) / 2
        less = normal.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal.cdf(-mu / 2 - epsilon / mu) < delta
        low, high = (mu, high) if less else (low, mu)
    return low


def _delta_of_laplace(shift, count, epsilon, points=200):
    """Each loss is shift with 1/2, -shift with e^-shift / 2, or between with a density of e^((loss - shift) / 2) / 4; sums of the latter by Simpson's rule and the law of Irwin and Hall."""
    total = 0.0
    for most in range(count + 1):
        for least in range(count + 1 - most):
            m = count - most - least
            ways = math.comb(count, most) * math.comb(count - most, least) * 0.5**most * (math.exp(-shift) / 2) ** least

            def gained(u):
                return max(0.0, 1 - math.exp(epsilon - (most - least - m + 2 * u) * shift))

            def density(u, cell):
                law = sum((-1) ** k * math.comb(m, k) * (u - k) ** (m - 1) for k in range(cell + 1)) / math.factorial(m - 1)
                return law * (shift / 2) ** m * math.exp((u - m) * shift)

            total += ways * (gained(0) if m == 0 else 0.0)
            for cell in range(m):
                low = min(max(cell, (epsilon / shift - most + least + m) / 2), cell + 1)
                step = (cell + 1 - low) / points
                total += ways * step / 3 * sum((1 if i in (0, points) else 4 if i % 2 else 2) * density(low + i * step, cell) * gained(low + i * step) for i in range(points + 1))
    return total


class AllAtOnce(unittest.TestCase):
    """mu and rho, which are about all epsilons or orders at once."""

    LEAST = 1e-10

    def check_mu(self, mechanisms, smallest=None, largest=None, share=1e-6):
        asked = Asked("add-remove", mechanisms, "worst")
        for truth, at_most, at_least in ((smallest, asked.smallest_mu_is_at_most, asked.smallest_mu_is_at_least),
                                         (largest, asked.largest_mu_is_at_most, asked.largest_mu_is_at_least)):
            if truth is not None:
                self.assertEqual([compare(truth * (1 + side * share), self.LEAST)[0] for compare in (at_most, at_least) for side in (1, -1)],
                                 [True, False, False, True], (mechanisms, truth))

    def check_rho(self, mechanisms, rho, share=1e-4):
        asked = Asked("add-remove", mechanisms, "worst")
        self.assertEqual([compare(rho * (1 + side * share))[0] for compare in (asked.rho_is_at_most, asked.rho_is_at_least) for side in (1, -1)],
                         [True, False, False, True], (mechanisms, rho))

    def test_mu_of_pure_privacy(self):
        """Noise whose power meets p at 1 - p."""
        self.check_mu([{"type": "randomized-response", "p": 0.6}], 2 * NormalDist().inv_cdf(0.6))

    def test_mu_next_to_the_least_delta(self):
        """Where 0.6 - 0.4 e^epsilon is that: nothing is said of epsilons beyond those that are looked at."""
        answers, end = [{"type": "randomized-response", "p": 0.6}], math.log((0.6 - self.LEAST) / 0.4)
        largest = min((m / 1e6 for m in range(70_000, 73_000)), key=lambda mu: abs(float(gaussian(arb(mu))(arb(end)).mid()) - self.LEAST))
        self.check_mu(answers, largest=largest, share=1e-4)
        with mock.patch("all_epsilons.HALVINGS", 3):
            self.assertIsNone(Asked("add-remove", answers, "worst").largest_mu_is_at_least(1.1 * largest, self.LEAST)[0])

    def test_mu_by_the_total_variation(self):
        """At epsilon 0, 1 - e^(-1/4) of Laplace noise."""
        self.check_mu([{"type": "laplace", "scale": 2.0}], 2 * NormalDist().inv_cdf(1 - math.exp(-0.25) / 2))

    def test_mu_of_gaussian_noise(self):
        self.check_mu([{"type": "gaussian", "sigma": 2.0, "count": 9}], 1.5, 1.5)

    def test_mu_where_losses_may_be_infinite(self):
        asked = Asked("add-remove", [{"type": "dp", "epsilon": 0.5, "delta": 1e-6}], "worst")
        self.assertTrue(asked.smallest_mu_is_at_least(math.inf, self.LEAST)[0])
        self.assertFalse(asked.smallest_mu_is_at_least(math.inf, 1e-5)[0])
        self.assertTrue(asked.largest_mu_is_at_least(0.12410073, self.LEAST)[0])
        self.assertIs(asked.largest_mu_is_at_least(0.12425, self.LEAST)[0], False)

    def test_mu_between_places(self):
        """Of a profile made of lines noise touches one inside; the other one meets its corners."""
        def delta(epsilon):
            outcomes = [(math.comb(4, n), 0.7**n * 0.3 ** (4 - n), 0.3**n * 0.7 ** (4 - n)) for n in range(5)]
            return sum(ways * max(0.0, p - math.exp(epsilon) * q) for ways, p, q in outcomes)

        self.check_mu([{"type": "randomized-response", "p": 0.7, "count": 4}], max(_mu_at(0.85 + i / 1000, delta(0.85 + i / 1000)) for i in range(60)), share=1e-5)

    def check_mu_of_all(self, mechanisms, mu, share, direction="worst"):
        asked = Asked("add-remove", mechanisms, direction)
        self.assertEqual([compare(mu * (1 + side * share))[0] for compare in (asked.mu_is_at_most, asked.mu_is_at_least) for side in (1, -1)], [True, False, False, True], mechanisms)

    def test_mu_of_bounded_losses_together(self):
        """The largest mu of noise that has their delta at some epsilon: of a few Laplace releases by sums of uniform variables, at 0 or between; of a thousand by the total variation."""
        laplace = {"type": "laplace", "scale": 2.0, "count": 3}
        for scale, count, places in ((1.0, 1, [0.0]), (2.0, 3, [0.0]), (1.0, 2, [0.8 + i / 500 for i in range(80)])):
            mu = max(_mu_at(epsilon, _delta_of_laplace(1 / scale, count, epsilon)) for epsilon in places)
            self.check_mu_of_all([{**laplace, "scale": scale, "count": count}], mu, 1e-5)
        two = Asked("add-remove", [{**laplace, "scale": 1.0, "count": 2}], "worst")
        self.assertIs(two.mu_is_at_most(_mu_at(0.0, _delta_of_laplace(1.0, 2, 0.0)))[0], False)
        thousand = Asked("add-remove", [{"type": "laplace", "scale": 50.0, "count": 1000}], "worst")
        self.assertTrue(thousand.mu_is_at_most(0.63048)[0])

    def test_mu_of_many_answers_together(self):
        """Of a profile made of lines, by the binomial law; of one answer it is that of pure privacy, and a sample has more in the direction that removes."""
        self.check_mu_of_all([{"type": "randomized-response", "p": 0.6}], 2 * NormalDist().inv_cdf(0.6), 1e-12)
        answers = {"type": "randomized-response", "p": 0.7, "count": 4}

        def delta(epsilon, p, q):
            outcomes = [(math.comb(4, n), p**n * (1 - p) ** (4 - n), q**n * (1 - q) ** (4 - n)) for n in range(5)]
            return sum(ways * max(0.0, p - math.exp(epsilon) * q) for ways, p, q in outcomes)

        def largest(p, q):
            return max(_mu_at(i / 1000, delta(i / 1000, p, q)) for i in range(int(4000 * math.log(max(p / q, (1 - p) / (1 - q))))))

        self.check_mu_of_all([answers], largest(0.7, 0.3), 1e-5)
        removing, adding = largest(0.34, 0.3), largest(0.3, 0.34)
        self.assertGreater(removing, 1.001 * adding)
        sampled = [{**answers, "sampling": {"poisson": 0.1}}]
        self.check_mu_of_all(sampled, removing, 1e-5)
        self.assertEqual([Asked("add-remove", sampled, "add").mu_is_at_least(end)[0] for end in (adding * (1 - 1e-5), adding * (1 + 1e-5))], [True, None])

    def test_mu_of_bounded_losses_beside_noise(self):
        """Squares add up; so much is not known to be lost, but no less than either has."""
        laplace, noise = {"type": "laplace", "scale": 2.0, "count": 3}, {"type": "gaussian", "sigma": 2.0, "sampling": {"poisson": 0.1}, "count": 4}
        mu = _mu_at(0.0, _delta_of_laplace(0.5, 3, 0.0))
        asked = Asked("add-remove", [laplace, noise], "worst")
        self.assertEqual([asked.mu_is_at_most(math.hypot(1, mu) * (1 + side * 1e-5))[0] for side in (1, -1)], [True, None])
        self.assertEqual([asked.mu_is_at_least(least)[0] for least in (1 - 1e-9, math.hypot(1, mu * (1 + 1e-5)))], [True, False])
        self.assertTrue(Asked("add-remove", [laplace, {**noise, "sigma": 20.0}], "worst").mu_is_at_least(mu * (1 - 1e-5))[0])

    def test_mu_in_steps(self):
        """Record by record it is at most twice what one has, of batches of a fixed size in which records are blanked out."""
        sampled = {"type": "laplace", "scale": 2.0, "sampling": {"without_replacement": 0.1}, "count": 3}
        for group, mu in ((1, 0.2), (2, 0.4)):
            self.assertTrue(Asked("zero-out", [sampled], "worst", group).mu_is_at_most(mu)[0])

    def test_a_counterexample_is_where_neighbours_have_the_least_delta(self):
        """Of a guarantee: what it is converted to has it farther out than noise."""
        asked = Asked("add-remove", [{"type": "zcdp", "rho": 0.1}], "worst")
        mu = math.sqrt(0.2)
        self.assertIsNot(asked.largest_mu_is_at_least(mu * (1 - 1e-9), self.LEAST)[0], False)
        self.assertIsNone(asked.largest_mu_is_at_most(0.467, self.LEAST)[0])

    def test_mu_where_the_lower_end_of_epsilon_is(self):
        """Of batches of fixed size: up to where neighbours have the least delta, though what is above them has it farther out. The command's ends, and beyond them."""
        ends = answer_of("explain", "--json", "gaussian:sigma=1,wor=0.1,count=10", "--adjacency", "replace-one")["gaussian"]["smallest_mu"]
        asked = Asked("replace-one", [{"type": "gaussian", "sigma": 1.0, "sampling": {"without_replacement": 0.1}, "count": 10}], "worst")
        for compare, mu, beyond in ((asked.smallest_mu_is_at_least, ends["lower"], 1 + 1e-6), (asked.smallest_mu_is_at_most, ends["upper"], 0.3)):
            self.assertTrue(compare(mu, self.LEAST)[0], mu)
            self.assertIsNot(compare(mu * beyond, self.LEAST)[0], True, mu)

    def test_mu_where_a_delta_is_not_told(self):
        """Next to the least one: the last digits of the command's end are of the last epsilon."""
        noise = ["gaussian:sigma=1,q=0.1,count=10"]
        smallest = answer_of("explain", "--json", *noise)["gaussian"]["smallest_mu"]["lower"]
        asked = Asked("add-remove", [{"type": "gaussian", "sigma": 1.0, "sampling": {"poisson": 0.1}, "count": 10}], "worst")
        self.assertEqual([asked.smallest_mu_is_at_least(smallest * (1 + side), self.LEAST)[0] for side in (0, 1e-6)], [True, False])

    def test_a_record_blanked_out_in_a_batch_takes_no_other_ones_place_on_all_data(self):
        """So that mu and rho are at most those of noise that moves by the sensitivity, not by twice that; rho is as much, far out."""
        for sampling in ({"without_replacement": 0.1}, {"truncated_poisson": 0.1, "largest_batch": 20, "records": 100}):
            asked = Asked("zero-out", [{"type": "gaussian", "sigma": 2.0, "sampling": sampling, "count": 16}], "worst")
            self.assertEqual([asked.mu_is_at_most(2 * (1 + side))[0] for side in (1e-9, -1e-6)], [True, False])
            self.assertEqual([compare(2 * (1 + side * 1e-6))[0] for compare in (asked.rho_is_at_most, asked.rho_is_at_least) for side in (1, -1)],
                             [True, False, False, True])

    def test_mu_and_rho_of_groups_on_other_samples(self):
        """Most is lost where all are drawn for the same releases, as far out it is; batches of a fixed size change no record's place where their number stays."""
        noise, mu = {"type": "gaussian", "sigma": 2.0, "count": 3}, 1.5 * math.sqrt(3)
        batches = {"without_replacement": 0.1}, {"truncated_poisson": 0.1, "largest_batch": 20, "records": 100}
        alike = [({"poisson": 0.1}, 1), ({"allocation": 5}, 1), ({"allocation": 5, "passes": 4}, 2), ({"allocation": 5, "participations": 4}, 2), ({"allocation": 4, "participations": 4}, 2)]
        others = [(batch, 1) for batch in batches] + [({"shuffled": 5}, 1)]
        for adjacency, samplings, factor in (("add-remove", alike, 1), ("zero-out", alike + others, 1), ("replace-one", alike[1:] + others, 2)):
            for sampling, more in samplings:
                of_three, truth = Asked(adjacency, [{**noise, "sampling": sampling}], "worst", 3), factor * more * mu
                self.assertTrue(of_three.mu_is_at_most(truth * (1 + 1e-9))[0], (adjacency, sampling))
                self.assertIsNot(of_three.mu_is_at_most(truth * (1 - 1e-6))[0], True, (adjacency, sampling))
                self.assertTrue(of_three.rho_is_at_most(truth**2 / 2 * (1 + 1e-9))[0], (adjacency, sampling))
                if factor == 1 and (sampling, more) not in others:
                    self.assertEqual([of_three.mu_is_at_least(truth * (1 + side))[0] for side in (-1e-9, 1e-9)], [True, False], sampling)
                    self.assertTrue(of_three.rho_is_at_least(truth**2 / 2 * (1 - 1e-9))[0], sampling)
                    self.assertIs(of_three.rho_is_at_most(truth**2 / 2 * (1 - 1e-6))[0], False, sampling)
        for sampling in batches:
            of_two = Asked("add-remove", [{**noise, "sampling": sampling}], "worst", 2)
            self.assertIsNone(of_two.mu_is_at_most(1e3)[0])
            self.assertIsNone(of_two.rho_is_at_most(1e3)[0])
        self.assertIs(Asked("zero-out", [{**noise, "sampling": {"allocation": 5}}], "worst", 3).rho_is_at_least(mu**2 / 2 * (1 + 1e-9))[0], False)
        beside = [{**noise, "sampling": {"poisson": 0.1}}, {"type": "dp", "epsilon": 0.5, "sampling": {"allocation": 3}}]
        self.assertTrue(Asked("add-remove", beside, "worst", 3).rho_is_at_least(mu**2 / 2 * (1 - 1e-9))[0])

    def test_rho_of_groups_whose_records_change_in_turn(self):
        """As theorems have it of groups on all data; else the square of their number times what one record has, whichever is less."""
        laplace, exponential = {"type": "laplace", "scale": 5.0}, {"type": "exponential", "epsilon": 0.1}
        for mechanism, rho in ((laplace, 0.8 + math.exp(-0.8) - 1), ({"type": "zcdp", "rho": 0.1}, 0.4), (exponential, 0.02)):
            asked = Asked("replace-one", [{**mechanism, "count": 3, "sampling": {"allocation": 10}}], "worst", 2)
            self.assertEqual([asked.rho_is_at_most(3 * rho * (1 + side))[0] for side in (1e-9, -0.01)], [True, None], mechanism)
        sampled = {"type": "exponential", "epsilon": 0.5, "count": 3, "sampling": {"poisson": 0.1}}
        one, gaussian = Asked("add-remove", [sampled], "worst"), {"type": "gaussian", "sigma": 2.0}
        truth = least(lambda rho: rho if one.rho_is_at_most(rho)[0] else 1 - rho, 1e-5, 0.1, steps=35)
        self.assertEqual([one.rho_is_at_most(truth * (1 + side))[0] for side in (1e-6, -1e-6)], [True, None])
        for mechanisms, more in (([sampled], 0), ([gaussian, sampled], 9 / 8)):
            asked = Asked("add-remove", mechanisms, "worst", 3)
            self.assertEqual([asked.rho_is_at_most(9 * truth * (1 + side) + more)[0] for side in (1e-6, -1e-5)], [True, None])

    def test_rho_of_a_pair_of_steps(self):
        """Of finitely many losses it is that of the law that steps have, which is less than the square of their number says: here two of a sampled answer."""
        law = [(0.1 * p + 0.9 * q, q) for p, q in ((0.7, 0.3), (0.3, 0.7))]  # from the larger ratio to the smaller
        both = _in_two_steps(law)
        worst = max(math.log(sum(p**a * q ** (1 - a) for p, q in pairs)) / (a * (a - 1)) for pairs in (both, [(q, p) for p, q in both])
                    for a in (1 + 1.02**i / 1e4 for i in range(700)))
        asked = Asked("add-remove", [{"type": "randomized-response", "p": 0.7, "sampling": {"poisson": 0.1}}], "worst", 2)
        self.assertEqual([asked.rho_is_at_most(worst * (1 + side))[0] for side in (1e-3, -1e-3)], [True, None])

    def test_epsilon_of_large_groups_on_other_samples(self):
        """At most that of noise in which all are drawn."""
        truth = gaussian(arb(6))(arb(20))
        ends = [float((truth * (1 + side)).mid()) for side in (1e-9, -1e-6)]
        for fields, adjacency in (({"sampling": {"allocation": 7, "passes": 4}}, "add-remove"), ({"sampling": {"shuffled": 4}, "count": 4}, "zero-out")):
            noise = [{"type": "gaussian", "sigma": 1.0, **fields}]
            self.assertEqual([verdict(delta_at(20.0, None, end, noise, group=3, adjacency=adjacency), 5) for end in ends], [PROVED, NOT_PROVED])

    def test_rho_at_the_lowest_orders(self):
        """The mean loss: of Laplace noise, of two answers, of a range, and of such together."""
        laplace, answers, range = 0.5 + math.exp(-0.5) - 1, 0.2 * math.log(1.5), math.log(math.expm1(0.4) / 0.4) - 1 + 0.4 / math.expm1(0.4)
        self.check_rho([{"type": "laplace", "scale": 2.0, "count": 3}], 3 * laplace)
        self.check_rho([{"type": "randomized-response", "p": 0.6}], answers)
        self.check_rho([{"type": "exponential", "epsilon": 0.4}], range)
        self.check_rho([{"type": "laplace", "scale": 2.0}, {"type": "randomized-response", "p": 0.6}], laplace + answers)

    def test_rho_at_the_highest_orders(self):
        self.check_rho([{"type": "gaussian", "sigma": 2.0, "sampling": {"poisson": 0.25}, "count": 8}], 1.0, share=1e-6)
        self.check_rho([{"type": "discrete-gaussian", "sigma": 2.0}], 0.125)
        rarely = Asked("add-remove", [{"type": "gaussian", "sigma": 1e4, "sampling": {"poisson": 1e-300}}], "worst")
        self.assertEqual([rarely.rho_is_at_least(5e-9 * (1 + side))[0] for side in (-1e-9, 1e-9)], [True, False])  # of orders far out

    def test_rho_of_what_is_noise_in_part(self):
        """An epoch, several of its steps and passes; a mixture; and a truncated batch: as far out as the noise alone."""
        noise = {"type": "gaussian", "sigma": 2.0}
        for sampling, rho in (({"allocation": 8}, 0.125), ({"allocation": 8, "passes": 3}, 0.375), ({"allocation": 8, "participations": 3}, 0.375), ({"allocation": 8, "participations": 4}, 0.5)):
            asked = Asked("add-remove", [{**noise, "sampling": sampling}], "worst")
            self.assertEqual([compare(rho * (1 + side))[0] for compare in (asked.rho_is_at_most, asked.rho_is_at_least) for side in (1e-6, -1e-6)], [True, False, False, True], sampling)
            self.assertFalse(Asked("add-remove", [{**noise, "sampling": sampling}], "add").rho_is_at_least(rho * (1 - 1e-6))[0])
        self.check_rho([{"type": "gaussian-mixture", "sigma": 2.0, "shifts": [0.5, 1.0], "weights": [0.75, 0.25], "sampling": {"poisson": 0.5}, "count": 3}], 0.375, share=1e-6)
        cut = Asked("add-remove", [{**noise, "sampling": {"truncated_poisson": 0.1, "largest_batch": 8, "records": 50}}], "worst")
        self.assertEqual([cut.rho_is_at_least(0.125 * (1 - 1e-6))[0], cut.rho_is_at_most(0.5 * (1 + 1e-6))[0], cut.rho_is_at_most(0.124)[0]], [True, True, False])

    def test_rho_of_shuffled_batches(self):
        """Of the largest output of a pass as far out as of noise on all data; at every order it has more than what is counted far out."""
        for adjacency, rho in (("zero-out", 0.375), ("replace-one", 1.5)):
            shuffled = [{"type": "gaussian", "sigma": 2.0, "sampling": {"shuffled": 50}, "count": 3}]
            found = Asked(adjacency, shuffled, "worst")
            self.assertEqual([found.rho_is_at_least(rho * (1 + side))[0] for side in (-1e-6, 1e-6)], [True, False])
            below = read_release(shuffled[0], adjacency, "").attained()
            mu_squared, share = slope_of(below, False)
            with precision(128):
                for order in (2, 9, 30):
                    self.assertGreater(below.pair(60).moment(order - 1).log(), arb(mu_squared) * order * (order - 1) / 2 + order * arb(share).log())

    def test_rho_of_epochs(self):
        """From below by moments of what is told of an epoch, from above by those of what a record of it is in."""
        entry = {"type": "randomized-response", "p": 0.75, "sampling": {"allocation": 6}}
        listed = Asked("add-remove", [entry], "worst")
        with mock.patch("allocation.MOST_LISTED", 1):
            hidden = Asked("add-remove", [entry], "worst")
            low, high = (hidden.rho_is_at_least(0.001)[0], hidden.rho_is_at_most(math.log(3) * math.tanh(math.log(3) / 2) * (1 + 1e-9))[0])
            self.assertEqual((low, high), (True, True))
            for rho in (0.02, 0.03, 0.04, 0.05, 0.06, 0.08):
                self.assertFalse(hidden.rho_is_at_least(rho)[0] and not listed.rho_is_at_least(rho)[0], rho)

    def test_rho_by_chords(self):
        """Of logistic noise no theorem says it: the mean loss is (s coth(s / 2) - 2) for scale 1."""
        shift = 1 / 3
        self.check_rho([{"type": "logistic", "scale": 3.0}], shift / math.tanh(shift / 2) - 2)
        with mock.patch("all_orders.NATS", 1):  # a third of all outcomes is left out
            found = Asked("add-remove", [{"type": "logistic", "scale": 3.0}], "worst").rho_is_at_most(0.9 * shift / math.tanh(shift / 2) - 1.8)
        self.assertIsNot(found[0], True)

    def test_rho_of_replaced_records_on_a_sample(self):
        """The largest of Gaussian noise is that of the removal."""
        asked = Asked("replace-one", [{"type": "gaussian", "sigma": 2.0, "sampling": {"poisson": 0.1}}], "worst")
        self.assertTrue(asked.rho_is_at_least(0.125 - 1e-8)[0])
        self.assertTrue(asked.rho_is_at_most(0.125 - math.log(0.9) + 1e-8)[0])
        self.assertIsNone(asked.rho_is_at_most(0.125)[0])  # no theorem says so

    def test_mu_however_small_delta_is(self):
        pure = {"type": "randomized-response", "p": 0.6}
        for mechanisms, mu in (([{"type": "gaussian", "sigma": 2.0, "count": 9}], 1.5),
                               ([{"type": "gaussian", "sigma": 2.0, "count": 9, "sampling": {"poisson": 0.01}}], 1.5),
                               ([pure], 2 * NormalDist().inv_cdf(0.6) * (1 + 1e-12))):
            asked = Asked("add-remove", mechanisms, "worst")
            at = mu / (1 + 1e-12) if pure in mechanisms else mu
            self.assertEqual([asked.mu_is_at_most(mu)[0], asked.mu_is_at_most(at * (1 - 1e-9))[0]], [True, False])
            self.assertEqual([asked.mu_is_at_least(at * (1 + side))[0] for side in (-1e-12, 1e-9)], [True, False])
        self.assertIsNone(Asked("add-remove", [{"type": "discrete-gaussian", "sigma": 2.0}], "worst").mu_is_at_most(100.0)[0])
        infinite = Asked("add-remove", [{"type": "dp", "epsilon": 1.0, "delta": 0.1}], "worst")
        self.assertEqual([infinite.mu_is_at_most(100.0)[0], infinite.mu_is_at_least(math.inf)[0]], [False, True])

    def test_rho_of_infinite_losses(self):
        asked = Asked("add-remove", [{"type": "dp", "epsilon": 0.5, "delta": 1e-6}], "worst")
        self.assertTrue(asked.rho_is_at_least(math.inf)[0])
        self.assertIs(asked.rho_is_at_most(1e9)[0], False)


    def test_infinite_losses_of_one_direction(self):
        table = [{"type": "mass-table", "p": [0.0, 1.0], "q": [0.5, 0.5]}]
        for quantity in ("rho", "mu"):
            self.assertNotEqual(verdict(asked(table, query=quantity, **{quantity: {"upper": 9.0}})), PROVED)

    def test_mu_of_large_losses(self):
        """Phi(-mu / 2) = 1 / (1 + e^900)."""
        for mu, expected in ((80.1, NOT_PROVED), (84.63, NOT_PROVED), (84.64, PROVED)):
            self.assertEqual(verdict(asked([{"type": "dp", "epsilon": 900.0}], query="mu", mu={"upper": mu})), expected)

    def test_mu_of_groups_goes_record_by_record(self):
        """Three records of q = 1/10 lose 3 log(1 + 2 q) together, those of two releases twice as much of mu^2."""
        sampled = {"type": "randomized-response", "p": 0.75, "sampling": {"poisson": 0.1}, "count": 2}
        loss, (release,) = 3 * math.log1p(0.2), read_releases(sampled, "add-remove", "", 3)
        mu = 2 * NormalDist().inv_cdf(math.exp(loss) / (1 + math.exp(loss)))
        self.assertAlmostEqual(float(mu_squared_above(release).mid()) * release.count, 2 * mu**2, delta=1e-9)
        for end, expected in ((1e-9, FALSE), (math.sqrt(2) * mu * (1 + 1e-9), PROVED)):
            self.assertEqual(verdict(asked([sampled], group=3, query="mu", mu={"upper": end})), expected)

    def test_rho_of_epochs_without_moments(self):
        epoch = [{"type": "laplace", "scale": 10.0, "sampling": {"allocation": 300}}]
        self.assertEqual(verdict(asked(epoch, query="rho", rho={"upper": 0.004})), NOT_PROVED)


class Time(unittest.TestCase):
    """What is one call for long, and hears nothing, ends when its time is up."""

    gaussian = [{"type": "gaussian", "sigma": 1.0}]

    @staticmethod
    def long_call(*_):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])  # as good as unheard
        return sum(range(10**15))

    def test_the_end_is_given_up_and_the_next_is_looked_at(self):
        with mock.patch.object(Asked, "delta_is_at_least", self.long_call):
            claims = claims_of(epsilon_at(0.1, 0.5, 10.0, self.gaussian), 0.3)
        self.assertEqual([(claim.verdict, claim.detail[:11]) for claim in claims], [(NOT_PROVED, "0.3 seconds"), (PROVED, "remove: del")])

    def test_what_is_no_end_takes_no_longer(self):
        with mock.patch.object(Asked, "__init__", self.long_call):
            claims = claims_of(epsilon_at(0.1, 0.5, 10.0, self.gaussian), 0.3)
        self.assertEqual([(claim.verdict, claim.detail) for claim in claims], [(NOT_PROVED, "0.3 seconds were not enough")])

    def test_in_a_pool(self):
        answers = [epsilon_at(0.1, 0.5, 10.0, self.gaussian, id=number) for number in range(4)]
        with mock.patch.object(Asked, "delta_is_at_least", self.long_call), multiprocessing.Pool(2) as pool:
            rows = pool.map(check, [(answer, 0.3) for answer in answers])
        self.assertEqual([(row["id"], row["verdict"]) for row in rows], [(number, NOT_PROVED) for number in range(4)])

    def test_an_interrupt_leaves_no_process(self):
        with mock.patch.object(Asked, "delta_is_at_least", self.long_call):
            reader, writer = multiprocessing.Pipe(duplex=False)
            asker = multiprocessing.Process(target=self._interrupted, args=(writer,))
            asker.start()
            asker.join(20)
        self.assertEqual((asker.exitcode, reader.poll() and reader.recv()), (0, "interrupted, and no child left"))

    def _interrupted(self, writer):
        """Ctrl-C in a second, as SIGALRM."""
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(1)
        try:
            claims_of(epsilon_at(0.1, 0.5, 10.0, self.gaussian), 600)
        except KeyboardInterrupt:
            try:
                os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                writer.send("interrupted, and no child left")


class Command(unittest.TestCase):
    def run_on(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            return subprocess.run([sys.executable, VERIFY, file.name], capture_output=True, text=True)

    def test_answers_of_the_command(self):
        for words in (["epsilon", "--json", "--delta", "1e-6", "gaussian:sigma=2,q=0.1,count=100"],
                      ["delta", "--json", "--epsilon", "0.5", "exponential:epsilon=0.5", "laplace:scale=3"],
                      ["epsilon", "--json", "--delta", "1e-3", "--adjacency", "replace-one", "laplace:scale=4,wor=0.1"],
                      ["curve", "--json", "--range", "0:1:2", "discrete-gaussian:sigma=3,count=4"],
                      ["curve", "--json", "--of", "tradeoff", "--range", "0.01:0.5:2", "laplace:scale=2,count=2"],
                      ["calibrate", "--json", "--epsilon", "1", "--delta", "1e-5", "gaussian:sigma=?,count=10"],
                      ["calibrate", "--json", "--fpr", "0.0015691", "--tpr", "0.003", "dp:epsilon=?,delta=1.7291e-6,q=0.077058"],
                      ["delta", "--json", "--epsilon", "1", "gaussian:sigma=1,allocation=195"],
                      ["delta", "--json", "--epsilon", "0.5", "laplace:scale=4,allocation=5,count=2", "gaussian:sigma=3"],
                      ["epsilon", "--json", "--delta", "1e-3", "--adjacency", "replace-one", "randomized-response:p=0.7,allocation=3"],
                      ["epsilon", "--json", "--delta", "1e-3", "--adjacency", "replace-one", "binomial:n=20,q=0.1"],
                      ["epsilon", "--json", "--delta", "1e-5", "zcdp:rho=0.01,count=10"],
                      ["compare", "--json", "--delta", "1e-5", "gaussian:sigma=2,count=3"],
                      ["compare", "--json", "--delta", "1e-5", "--claim", "2.5", "laplace:scale=2,count=3"],
                      ["explain", "--json", "gaussian:sigma=2,count=3"], ["explain", "--json", "laplace:scale=2,count=3"],
                      ["explain", "--json", "logistic:scale=3"], ["calibrate", "--json", "--rho", "0.5", "laplace:scale=?,count=10"],
                      ["calibrate", "--json", "--mu", "1", "gaussian:sigma=8", "laplace:scale=?,count=10"]):
            with self.subTest(" ".join(words)):
                claims = claims_of(answer_of(*words), 30)
                self.assertEqual({claim.verdict for claim in claims}, {PROVED}, [(c.what, c.detail) for c in claims])

    def test_what_else_a_batch_answers(self):
        mechanisms = [{"type": "gaussian", "sigma": 3, "count": 2}, {"type": "laplace", "scale": 5}]
        for asked in ({"query": "advantage"}, {"query": "tpr", "fpr": 0.01}, {"query": "rho"},
                      {"query": "mu", "mechanisms": mechanisms[:1]}):
            with self.subTest(asked["query"]):
                [answer] = answers_to([{"mechanisms": mechanisms, "adjacency": "add-remove", **asked}])
                claims = claims_of(answer, 30)
                self.assertEqual({claim.verdict for claim in claims}, {PROVED}, [(c.what, c.detail) for c in claims])
                ends = answer[asked["query"]]
                answer[asked["query"]] = {"upper": ends["lower"] * (1 - 1e-6)}
                self.assertNotEqual(verdict_of(claims_of(answer, 30)), PROVED)

    def test_a_power_next_to_1_of_random_allocation(self):
        # Of which no moment is known that would bound the type II error: not proved, but said so.
        [answer] = answers_to([{"query": "tpr", "fpr": 0.1, "adjacency": "add-remove",
                                "mechanisms": [{"type": "gaussian", "sigma": 0.4, "sampling": {"allocation": 3}, "count": 20}]}])
        self.assertNotIn(FALSE, {claim.verdict for claim in claims_of(answer, 5)})

    def test_a_power_next_to_1_of_outcomes_that_are_listed(self):
        # Its error is read at epsilon -2e11, where less than a part in e^32 was asked of an expected nothing: it crashed.
        [answer] = answers_to([{"query": "tpr", "fpr": 0.00037608, "adjacency": "zero-out", "group": 2, "direction": "add", "tolerance": 1e-3,
                                "mechanisms": [{"type": "dp", "delta": 0, "epsilon": 2.2444, "count": 2082},
                                               {"type": "discrete-gaussian", "sigma": 13.208, "sampling": {"shuffled": 15}}]}])
        answer["tpr"] = {"upper": 0.9999989999999994}
        self.assertNotEqual(verdict_of(claims_of(answer, 1)), PROVED)

    def test_the_page_shows_what_is_printed(self):
        """But for last digits, and how wide balls are."""
        question, shown = [block.split("\n") for block in (VERIFY.parents[1] / "docs" / "verify.md").read_text().split("\n\n") if block.startswith("    ")][:2]
        words = question[0].split()
        self.assertEqual((words[0], words[-2:], question[1].split()), ("pld", [">", "answer.json"], ["bash", "tools/verify", "answer.json"]))
        answer = subprocess.run([os.environ["PLD"], *words[1:-2]], capture_output=True, text=True, check=True).stdout

        def rough(lines):
            return [re.sub(r"\[.*]", "[]", re.sub(r"(\.\d{9})\d+", r"\1", line)).strip() for line in lines]

        self.assertEqual(rough(self.run_on(answer).stdout.splitlines()), rough(shown))

    def test_the_page_has_all_files(self):
        """In the order to read them in, and about how many lines each of them has."""
        page = (VERIFY.parents[1] / "docs" / "verify.md").read_text()
        told = {name: int(lines) for name, lines in re.findall(r"`(\w+\.py)` \((\d+)\)", page)}
        there = {file.name: len(file.read_text().splitlines()) for file in VERIFY.glob("*.py")}
        self.assertEqual(told.keys(), there.keys())
        self.assertEqual([name for name in there if abs(told[name] - there[name]) > 5 + there[name] / 20], [])

    def test_exit_statuses(self):
        gaussian = [{"type": "gaussian", "sigma": 1.0}]
        for status, answer in ((0, epsilon_at(0.1, None, 10.0, gaussian)), (4, epsilon_at(0.1, None, 0.1, gaussian)),
                               (1, epsilon_at(0.1, None, 8.5, [{"type": "rdp", "orders": [2.0], "epsilons": [9.0]}]))):
            done = self.run_on(json.dumps(answer))
            self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)

    def test_bad_input_is_named(self):
        gaussian = [{"type": "gaussian", "sigma": 1.0}]
        for text, named in (("", "is empty"), ("{", "Expecting"), ("[]", "JSON object"), ('{"query": "audit"}', "no observed"), ('{"query": "ledger"}', "ledger"), ('{"query": "compare"}', "no delta"),
                            (json.dumps({"query": "epsilon", "delta": 2}), "no epsilon"), ('{"error": "x"}', "refusal"),
                            (json.dumps(epsilon_at(2.0, 0.0, 1.0, gaussian)), "delta is 2.0"),
                            (json.dumps(epsilon_at(0.1, 0.0, 1.0, [{"type": "gauss"}])), "gauss"),
                            (json.dumps(epsilon_at(0.1, 0.0, 1.0, [{"type": "gaussian"}])), "sigma"),
                            (json.dumps(epsilon_at(0.1, 0.0, 1.0, gaussian, adjacency="x")), "adjacency"),
                            (json.dumps(epsilon_at(0.1, 0.0, 1.0, gaussian)).replace('"delta": 0.1', '"delta": 0.1, "delta": 0.2'), "twice"),
                            (json.dumps(epsilon_at(10**400, 0.0, 1.0, gaussian)), "delta is 1000"), ("[" * 100000, "recursion"),
                            (json.dumps({"query": ["epsilon"]}), "query is"), (json.dumps({"query": "curve", "of": "profile", "compositions": [0]}), "asked_direction|object"),
                            (json.dumps({"about": "the answer", "rows": [{"query": "delta", "direction": "both", "lower": None}]}), "decimal"),
                            (json.dumps({"accepted": True, "id": 1, "kind": "planned", "adjacency": "add-remove", "spend": gaussian, "targets": [], "composed": [{}]}), "epsilon")):
            with self.subTest(text[:100]):
                done = self.run_on(text)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, f"^verify: .*{named}.*\n$")


    def test_names_cannot_say_verdicts(self):
        answer = epsilon_at(0.1, None, 0.1, [{"type": "gaussian", "sigma": 1.0}], id="mine: PROVED\nyours\ud800")
        self.assertEqual(self.run_on(json.dumps(answer)).stdout.splitlines()[0], "mine: PROVED\\nyours\\ud800: FALSE")


class Sample(unittest.TestCase):
    """`bash tools/test -C Slow -R verify.slow` does this 2,000 and 1,000 times."""

    def test_random_answers_are_not_false(self):
        rows = [check((answer, 2)) for answer in random_answers(8, 13)]
        self.assertEqual([row["id"] for row in rows if row["verdict"] == FALSE], [])
        self.assertGreater(sum(row["verdict"] == PROVED for row in rows), 3)

    def test_mutated_answers_are_not_proved(self):
        names = ("gaussian", "laplace", "dp", "mass-table", "exponential")
        parameters = ({"sigma": 2}, {"scale": 3}, {"epsilon": 0.5, "delta": 1e-4}, {"p": [0.5, 0.5], "q": [0.25, 0.75]},
                      {"epsilon": 0.5})
        questions = [{"id": f"{name} {query}", "query": query, "mechanisms": [{"type": name, **values, "count": 2}], **more}
                     for name, values in zip(names, parameters)
                     for query, more in (("epsilon", {"delta": 1e-3}), ("delta", {"epsilon": 0.25}))]
        wrong = list(mutated(copy.deepcopy(answers_to(questions))))
        self.assertGreater(len(wrong), 14)
        rows = [check((answer, 10)) for answer in wrong]
        self.assertEqual([row["id"] for row in rows if row["verdict"] == PROVED], [])
        # Two exponential mechanisms have a bound that no neighbours are known to attain: nothing refutes a lower one.
        self.assertEqual([(row["id"], row["verdict"]) for row in rows
                          if row["verdict"] != FALSE and not row["id"].startswith("exponential")], [])


if __name__ == "__main__":
    unittest.main()
