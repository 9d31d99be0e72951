"""The checker on exports and receipts of ledgers: honest ones, and forged ones whose links are right. PLD names the command."""
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
from fractions import Fraction
from unittest import mock

from chains import chained
from flint import arb, fmpq
import all_orders
from answers import FALSE, NOT_PROVED, PROVED, claims_of, verdict_of
from claims import BadInput
from schemes import read_release

GAUSSIAN, NOISE = ({"type": "gaussian", "sigma": sigma} for sigma in (20.0, 2.0))
TARGET = {"epsilon": 1.0, "delta": 1e-6}


def export(records, targets=(), filter=None, **header):
    """The claims of one, of an adaptive budget where there is a filter."""
    kind = {"kind": "adaptive", "filter": filter} if filter else {"kind": "planned"}
    rules = {"pld-budget": 2, "adjacency": "add-remove", **kind, "targets": list(targets), **header}
    numbered = [{"id": place, **record} for place, record in enumerate(records, 1)]
    return claims_of(tuple(chained([rules, *numbered, {"end": len(numbered)}])), 20)


def spend(*entries, loss="0", delta="0", sum=9.0):
    return {"spend": list(entries), "counts": {"loss": str(loss), "delta": str(delta), "sum": sum}}


def filter_of(name, **fields):
    return {"name": name, "cap": 9.0, "delta": 1e-5, **fields}


def counted(name, entry, loss, delta=0, adjacency="add-remove", group=1, **fields):
    """What is said of a spend that counts for so much."""
    claims = export([spend(entry, loss=Fraction(loss), delta=Fraction(delta))], filter=filter_of(name, **fields), adjacency=adjacency, group=group)
    return next(claim.verdict for claim in claims if claim.what.startswith("record 1 costs"))


def sampled(entry, **sampling):
    return {**entry, "sampling": sampling}


def g(x, centre):
    """The normal density."""
    return math.exp(-((x - centre) ** 2) / 2) / math.sqrt(2 * math.pi)


def pld(*words):
    return subprocess.run([os.environ["PLD"], "ledger", *words], capture_output=True, text=True, check=True).stdout


class Honest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ledger = str(pathlib.Path(folder.name) / "survey")

    def exported(self):
        return tuple(pld("export", self.ledger).splitlines())

    def check(self, claims, expected):
        self.assertEqual(verdict_of(claims), expected, [(c.verdict, c.what, c.detail) for c in claims])

    def test_adaptive(self):
        pld("init", self.ledger, "--epsilon", "1", "--delta", "1e-6")
        first, second = (json.loads(pld("spend", self.ledger, "--json", *words)) for words in (
            ["gaussian:sigma=20", "laplace:scale=50,count=2", "gaussian:sigma=40,wor=0.1"], ["randomized-response:p=0.51,count=2"]))
        self.check(claims_of(self.exported(), 20), PROVED)
        self.check(claims_of(first, 20), PROVED)
        self.check(claims_of(second, 20), NOT_PROVED)  # what is composed with is not in it
        first["counted"]["by_this"] /= 10
        self.check(claims_of(first, 20), NOT_PROVED)
        self.check(claims_of(tuple(line.replace('"sigma":20.0', '"sigma":21.0') for line in self.exported()), 20), FALSE)

    def test_sums_of_decimals(self):
        """Ten times 0.1 is 1, and twice 1e-8 is 2e-8, though the doubles are above."""
        pld("init", self.ledger, "--epsilon", "1", "--delta", "1e-7", "--filter", "basic")
        pld("spend", self.ledger, "dp:epsilon=0.1,count=8", "dp:epsilon=0.1,delta=1e-8,count=2")
        self.check(claims_of(self.exported(), 20), PROVED)

    def test_reserves(self):
        pld("init", self.ledger, "--epsilon", "2", "--delta", "1e-6", "--reserve", "5e-7", "--filter", "zcdp")
        pld("spend", self.ledger, "dp:epsilon=0.1,delta=1e-8,count=2", "laplace:scale=30,q=0.1", "exponential:epsilon=0.1,wor=0.5")
        self.check(claims_of(self.exported(), 20), PROVED)

    def test_what_is_read_off_divergences(self):
        """No name says as little of logistic noise, nor of what is drawn of an exponential mechanism."""
        pld("init", self.ledger, "--epsilon", "2", "--delta", "1e-6", "--filter", "zcdp")
        receipt = json.loads(pld("spend", self.ledger, "--json", "logistic:scale=10", "exponential:epsilon=0.1,wor=0.5"))
        self.check(claims_of(self.exported(), 20), PROVED)
        self.check(claims_of(receipt, 20), PROVED)

    def test_planned(self):
        pld("init", self.ledger, "--kind", "planned", "--epsilon", "1", "--delta", "1e-6", "--rho", "0.1", "gaussian:sigma=20,count=3", "laplace:scale=50,count=2")
        pld("spend", self.ledger, "gaussian:sigma=20,count=2", "laplace:scale=50")
        pld("undo", self.ledger, "3")
        receipt = json.loads(pld("spend", self.ledger, "--json", "gaussian:sigma=20,count=3"))
        self.check(claims_of(self.exported(), 20), PROVED)
        self.check(claims_of(receipt, 20), NOT_PROVED)  # the plan is not in it

    def test_a_plan_that_is_within_by_its_decimals(self):
        pld("init", self.ledger, "--kind", "planned", "--epsilon", "1", "--delta", "0", "dp:epsilon=0.1,count=10")
        self.check(claims_of(self.exported(), 20), PROVED)


class Costs(unittest.TestCase):
    """The least that is proved of a release."""

    def test_in_batches_of_a_fixed_size_another_record_takes_the_place(self):
        truncated = sampled(GAUSSIAN, truncated_poisson=0.9, largest_batch=5.0, records=50.0)
        for entry, squared in ((sampled(GAUSSIAN, without_replacement=0.9), 4), (sampled(GAUSSIAN, batch=9, dataset=10), 4), (truncated, 4),
                               (sampled({**GAUSSIAN, "replace_sensitivity": 1.5}, without_replacement=0.9), Fraction(9, 4)),
                               (sampled(GAUSSIAN, poisson=0.9), 1), (sampled(GAUSSIAN, allocation=4), 1)):
            for name, share in (("zcdp", Fraction(1, 800)), ("gdp", Fraction(1, 400))):
                with self.subTest(name, entry=entry):
                    self.assertEqual(counted(name, entry, squared * share), PROVED)
                    self.assertEqual(counted(name, entry, squared * share * (1 - Fraction(1, 10**6))), NOT_PROVED)
        self.assertEqual(counted("zcdp", sampled(GAUSSIAN, without_replacement=0.9), Fraction(1, 800), adjacency="zero-out"), PROVED)
        guarantee = sampled({"type": "dp", "epsilon": 0.5}, without_replacement=0.9)
        self.assertEqual(counted("basic", guarantee, 0.5), NOT_PROVED)  # of a record that is added, not replaced
        self.assertEqual(counted("basic", guarantee, 0.5, adjacency="replace-one"), PROVED)
        self.assertEqual(counted("zcdp", sampled(GAUSSIAN, without_replacement=0.9), 1, group=2), NOT_PROVED)

    def test_selections_from_batches_of_a_fixed_size(self):
        """47,000 such ones have a delta of .2455 at epsilon 8; half of what they cost in this filter would promise .001."""
        entry = {**sampled({"type": "exponential", "epsilon": 0.01671}, without_replacement=0.99), "count": 47000}
        order = {"cap": 99.0, "order": 2.784127281819341}
        self.assertEqual(counted("renyi", entry, 4.567092490226797, **order), NOT_PROVED)
        self.assertEqual(counted("renyi", entry, 18.27, **order), PROVED)

    def test_records_in_several_releases(self):
        """Given its steps a record is in so many releases on all data; one of a group may be in others, and Gaussian noise tells most where it is not."""
        for sampling, times in (({"allocation": 10.0, "passes": 30.0}, 30), ({"allocation": 10.0, "participations": 3.0}, 3), ({"allocation": 9.0, "participations": 3.0}, 3)):
            for group, adjacency, factor in ((1, "add-remove", 1), (1, "replace-one", 4), (2, "add-remove", 4), (3, "replace-one", 36)):
                for share, expected in ((1, PROVED), (1 - Fraction(1, 10**6), NOT_PROVED)):
                    self.assertEqual(counted("zcdp", sampled(GAUSSIAN, **sampling), share * times * factor * Fraction(1, 800), group=group, adjacency=adjacency), expected)
            laplace = sampled({"type": "laplace", "scale": 10.0}, **sampling)
            for factor, expected in ((1, PROVED), (1 - Fraction(1, 10**6), NOT_PROVED)):
                self.assertEqual(counted("basic", laplace, factor * times * Fraction(2, 10), group=2), expected)
        self.assertEqual(counted("zcdp", sampled(GAUSSIAN, shuffled=10.0), Fraction(1, 800)), NOT_PROVED)
        self.assertEqual(counted("zcdp", sampled(GAUSSIAN, shuffled=10.0), Fraction(1, 800), adjacency="zero-out"), PROVED)
        for loss, expected in ((Fraction(4, 800), PROVED), (Fraction(4, 801), NOT_PROVED)):
            self.assertEqual(counted("zcdp", sampled(GAUSSIAN, shuffled=10.0), loss, adjacency="zero-out", group=2), expected)

    def test_infinite_losses_of_one_direction(self):
        table = {"type": "mass-table", "p": [0.0, 1.0], "q": [0.5, 0.5]}
        for name in ("renyi", "zcdp", "gdp"):
            self.assertEqual(counted(name, table, 8, **({"order": 4.0} if name == "renyi" else {})), NOT_PROVED)
        self.assertEqual(counted("basic", table, math.log(2) + 1e-9, 0.5), PROVED)

    def test_divergences_that_are_guaranteed(self):
        """At the filter's order, up to the highest one of which something is said."""
        table = {"type": "rdp", "orders": [2.0, 4.0], "epsilons": [0.1, 0.3]}
        for entry, order, loss in ((table, 3.0, 0.25), (table, 5.0, None), ({"type": "tcdp", "rho": 0.5, "omega": 9.0}, 8.0, 4.0), ({"type": "zcdp", "rho": 0.5}, 8.0, 4.0)):
            for share, expected in ((1, PROVED if loss else NOT_PROVED), (1 - Fraction(1, 10**6), NOT_PROVED)):
                self.assertEqual(counted("renyi", entry, Fraction(str(loss or 99)) * share, order=order), expected)

    def test_divergences_of_losses_without_an_end(self):
        """By sums that take another way: binomial ones at whole orders, and such over all outcomes."""
        def on_all(a, mu):
            return math.exp(a * (a - 1) * mu**2 / 2)

        def skellam(x):
            return float((arb(-20).exp() * arb(20).bessel_i(abs(x))).mid())

        def mixed(x, centre):
            return 0.9 * g(x, 0) + 0.1 * g(x, centre)

        def cubic(x):
            return abs(x / 4) ** 3

        wide, near, far = range(-90, 91), [i / 1000 for i in range(-15000, 15001)], [i / 100 for i in range(-4000, 4001)]
        binomial = sum(math.comb(8, k) * 0.9 ** (8 - k) * 0.1**k * on_all(k, 0.5) for k in range(9))
        opposite = sum(mixed(x, 0.5) * (mixed(x, 0.5) / mixed(x, -0.5)) ** 7 for x in near) / 1000
        for entry, moment, adjacency in (
                (sampled(NOISE, poisson=0.1), binomial, "add-remove"), (sampled(NOISE, poisson=0.1), opposite, "replace-one"),
                ({"type": "skellam", "variance": 20.0}, sum(skellam(x - 1) * (skellam(x - 1) / skellam(x)) ** 7 for x in wide), "add-remove"),
                (sampled({"type": "skellam", "variance": 20.0}, poisson=0.1), sum(skellam(x) * (0.9 + 0.1 * skellam(x - 1) / skellam(x)) ** 8 for x in wide), "add-remove"),
                ({"type": "gaussian-mixture", "sigma": 2.0, "shifts": [0.0, 1.0], "weights": [0.875, 0.125]},
                 sum(math.comb(8, k) * 0.875 ** (8 - k) * 0.125**k * on_all(k, 0.5) for k in range(9)), "add-remove"),
                ({"type": "generalized", "shape": 3.0, "scale": 4.0}, sum(math.exp(7 * cubic(x) - 8 * cubic(x - 1)) for x in far) / sum(math.exp(-cubic(x)) for x in far), "add-remove")):
            with self.subTest(entry=entry, adjacency=adjacency):
                for share, expected in ((1 + 1e-6, PROVED), (1 - 1e-6, NOT_PROVED)):
                    self.assertEqual(counted("renyi", entry, share * math.log(moment) / 7, adjacency=adjacency, order=8.0), expected)
        two = sum(g(x, 0) * sum(math.comb(2, j) * 0.9 ** (2 - j) * 0.1**j * g(x, j / 2) / g(x, 0) for j in range(3)) ** 8 for x in near) / 1000
        for share, expected in ((1 + 1e-6, PROVED), (1 - 1e-6, NOT_PROVED)):
            self.assertEqual(counted("renyi", sampled(NOISE, poisson=0.1), share * math.log(two) / 7, group=2, order=8.0), expected)
        self.assertEqual(counted("zcdp", sampled({"type": "permute-and-flip", "epsilon": 0.5}, poisson=0.5), 0.5, adjacency="replace-one"), PROVED)
        self.assertEqual(counted("zcdp", {"type": "gaussian-mixture", "sigma": 2.0, "shifts": [0.0, 1.0], "weights": [0.875, 0.125]}, 0.125), PROVED)

    def test_what_a_pair_leaves_out_counts(self):
        release, order = read_release(sampled(NOISE, poisson=0.1), "add-remove", ""), 8
        truth = math.log(sum(math.comb(order, k) * 0.9 ** (order - k) * 0.1**k * math.exp(k * (k - 1) / 8) for k in range(order + 1))) / (order - 1)
        for nats in (-14, -8, 0):
            with mock.patch("all_orders.NATS", nats):
                self.assertFalse(all_orders.divergence(release, fmpq(order)) < truth * (1 - 1e-6))

    def test_rough_bounds_of_moments(self):
        """Of order 6, in both directions: no less than sums over all outcomes."""
        def difference(x, plus, minus):
            return float((arb(-plus - minus).exp() * (arb(plus) / minus) ** (arb(x) / 2) * (2 * (arb(plus) * minus).sqrt()).bessel_i(abs(x))).mid())

        for plus, minus, shift in ((10, 10, 1), (12, 9, 2), (0.5, 3, 1), (3, 0.5, 1)):
            release = read_release({"type": "poisson-difference", "plus": plus, "minus": minus, "sensitivity": shift}, "add-remove", "")
            for side in (-shift, shift):
                masses = [(difference(x - side, plus, minus), difference(x, plus, minus)) for x in range(-40, 60)]
                self.assertGreater(all_orders._log_moment_at_most(release, 6), math.log(sum(q * (p / q) ** 6 for p, q in masses if q > 1e-250)))
        for shape, scale in ((1.5, 4.0), (2.5, 4.0), (3.0, 4.0)):
            release = read_release({"type": "generalized", "shape": shape, "scale": scale}, "add-remove", "")
            heights = [(abs((x - 1) / scale) ** shape, abs(x / scale) ** shape) for x in (i / 100 for i in range(-4000, 4001))]
            moment = sum(math.exp(5 * q - 6 * p) for p, q in heights) / sum(math.exp(-q) for _, q in heights)
            self.assertGreater(all_orders._log_moment_at_most(release, fmpq(6)), math.log(moment))

    def test_divergences_of_selections(self):
        """With Gaussian noise of mu the best b is sqrt(2 log(1 / gamma)) / mu."""
        for tries, shape, gamma, mean in (("geometric:mean=10", 1, 0.1, 10), ("negative-binomial:shape=0,gamma=0.25", 0, 0.25, 3 / math.log(4))):
            mu, nats = math.sqrt(1 / 16 + 2 / 25), math.log(1 / gamma)
            b = math.sqrt(2 * nats) / mu
            loss = 8 * mu**2 / 2 + (1 + shape) * ((b - 1) * mu**2 / 2 + nats / b) + math.log(mean) / 7
            entry = {"tries": tries, "mechanisms": [{"type": "gaussian", "sigma": 4.0}, {"type": "gaussian", "sigma": 5.0, "count": 2}]}
            for share, expected in ((1 + 1e-6, PROVED), (1 - 1e-6, NOT_PROVED)):
                self.assertEqual(counted("renyi", entry, share * loss, order=8.0), expected)
            self.assertEqual(counted("zcdp", entry, 99), NOT_PROVED)
        self.assertEqual(counted("renyi", {**entry, "tries": "poisson:mean=10"}, 99, order=8.0), NOT_PROVED)

    def test_tables_between_their_orders(self):
        """By chords of (a - 1) D_a, which is .6 at order 4 and 12 at 16."""
        table = {"type": "rdp", "orders": [2.0, 4.0, 16.0], "epsilons": [0.1, 0.2, 0.8]}
        for order, loss in ((6.5, 2.975 / 5.5), (1.5, 0.1), (4.0, 0.2)):
            for share, expected in ((1 + 1e-9, PROVED), (1 - 1e-6, NOT_PROVED)):
                self.assertEqual(counted("renyi", table, share * loss, order=order), expected)
        points = {"type": "dp-points", "epsilons": [1.0], "deltas": [0.0]}
        loss = math.log(math.cosh(6 * 1.0) / math.cosh(0.5)) / 5.5
        self.assertEqual(counted("renyi", points, loss * (1 + 1e-9), order=6.5), PROVED)

    def test_epochs_without_moments(self):
        epoch = sampled({"type": "laplace", "scale": 10.0}, allocation=300)
        self.assertEqual(counted("renyi", epoch, 0.02, order=4.0), PROVED)

    def test_no_cost_is_negative(self):
        self.assertEqual(counted("zcdp", {**GAUSSIAN, "count": 0}, 0), PROVED)
        self.assertEqual(counted("zcdp", {**GAUSSIAN, "count": 0}, -100), NOT_PROVED)

    def test_bounds_are_shown_rounded_up(self):
        for loss, shown in ((Fraction(1, 800), "0.00125"), (Fraction(1, 3), "0.33333333333333337"), (Fraction(3, 10), "0.3")):
            claims = export([spend(GAUSSIAN, loss=loss)], filter=filter_of("zcdp"))
            self.assertIn(f"record 1 costs at most {shown}", [claim.what for claim in claims])

    def test_of_groups(self):
        """Of three records: noise counts as of three times the sensitivity, what is epsilon-DP for one as 3 epsilon, with delta (1 + e^epsilon + e^(2 epsilon))."""
        noise, dp, range = {"type": "gaussian", "sigma": 2.0}, {"type": "dp", "epsilon": 0.5, "delta": 1e-6}, {"type": "exponential", "epsilon": 0.5}
        best = {"tries": "geometric:mean=5", "mechanisms": [{"type": "laplace", "scale": 8.0}]}
        shares = 1e-6 * (1 + math.exp(0.5) + math.e)
        limit = math.log(sum(w * math.exp(x) for w, x in ((4 / 7, 3 * 1.5), (3 / 7, -4 * 1.5)))) / 3  # D of order 4, Laplace noise at a distance of 1.5
        for name, entry, loss, delta in (("zcdp", noise, 1.125, 0.0), ("gdp", noise, 2.25, 0.0), ("basic", dp, 1.5, shares), ("basic", best, 3 * 0.375, 0.0),
                                         ("zcdp", range, 1.5**2 / 8, 0.0), ("renyi", {"type": "laplace", "scale": 2.0}, limit, 0.0)):
            with self.subTest(name, entry=entry):
                order, less = {"order": 4.0} if name == "renyi" else {}, 0.95 if entry is range else 1 - 1e-6
                self.assertEqual(counted(name, entry, loss * (1 + 1e-6), delta * (1 + 1e-6), group=3, **order), PROVED)
                self.assertEqual(counted(name, entry, loss * less, delta * (1 + 1e-6), group=3, **order), NOT_PROVED)
        self.assertEqual(counted("basic", dp, 1.6, shares * (1 - 1e-6), group=3), NOT_PROVED)
        self.assertEqual(counted("basic", {**best, "tries": "poisson:mean=5"}, 4.0, group=3), NOT_PROVED)
        self.assertEqual(counted("zcdp", noise, 0.125), PROVED)


class Forged(unittest.TestCase):
    def verdict(self, *records, **header):
        return verdict_of(export(records, **header))

    def test_a_spend_is_forgotten(self):
        """All that was spent counts, and each record is told."""
        basic = {"name": "basic", "cap": 1.0, "delta": 1e-6}

        def quarter(place, delta=Fraction(1, 2 * 10**6)):
            return spend({"type": "dp", "epsilon": 0.25, "delta": 5e-7}, loss="1/4", delta=delta, sum=0.25 * place)

        for expected, records in ((PROVED, (quarter(1), quarter(2))), (PROVED, (quarter(1), {"undo": 1}, quarter(3))),
                                  (PROVED, (quarter(1), quarter(2), {"undo": 1}, quarter(4))), (FALSE, (quarter(1), quarter(2, Fraction(3, 4 * 10**6))))):
            self.assertEqual(self.verdict(*records, filter=basic), expected)
        for named, records in (("id is 1", (quarter(1), {**quarter(1), "id": 1})), ("one of spend", (quarter(1), {})), ("stands", (quarter(1), {"undo": 7})),
                               ("one release or more", ({**quarter(1), "spend": []},)), ("a plan|has none", ({"plan": [GAUSSIAN]},))):
            with self.assertRaisesRegex(BadInput, named):
                self.verdict(*records, filter=basic)

    def test_deltas_of_one_record_add_up(self):
        each = {"type": "dp", "epsilon": 0.01, "delta": 4.9e-7}
        for count, delta, expected in ((40, "49000001/100000000000000", NOT_PROVED), (40, "196/10000000", FALSE), (1, "49/100000000", PROVED)):
            record = spend(*[each] * count, loss="1/500", delta=delta)
            self.assertEqual(self.verdict(record, targets=[TARGET], filter={"name": "zcdp", "cap": 0.022, "delta": 5e-7}), expected)

    def test_deltas_of_receipts(self):
        def verdict(place, entry=None, **counted):
            filter = {"name": "zcdp", "of": "rho", "cap": 0.022, "delta_cap": 5e-7}
            return verdict_of(claims_of({
                "accepted": True, "id": place, "kind": "adaptive", "adjacency": "add-remove", "spend": [entry or {"type": "dp", "epsilon": 0.01, "delta": 3e-7}],
                "counted": {"by_this": 1e-4, "upper": 2e-4, **counted}, "composed": [], "filter": filter, "targets": [TARGET]}, 20))

        self.assertEqual(verdict(1), PROVED)  # the first spend, whose delta is within the reserve
        self.assertEqual(verdict(2), NOT_PROVED)  # what others used is not said
        self.assertEqual(verdict(2, delta_by_this=3e-7, delta_upper=4e-7), PROVED)
        self.assertEqual(verdict(2, delta_by_this=3e-7, delta_upper=6e-7), FALSE)
        self.assertEqual(verdict(2, delta_by_this=3e-7, delta_upper=2e-7), FALSE)
        self.assertEqual(verdict(2, delta_by_this=2e-7, delta_upper=2e-7), NOT_PROVED)
        self.assertEqual(verdict(1, by_this=2.1e-4), FALSE)
        self.assertEqual(verdict(1, {"type": "dp", "epsilon": 0.01, "delta": 6e-7}), NOT_PROVED)

    def test_plans(self):
        plan = {"plan": [{**GAUSSIAN, "count": 3}]}
        for expected, records in ((PROVED, (plan, *[{"spend": [GAUSSIAN]}] * 3)), (PROVED, (plan, {"spend": [{**GAUSSIAN, "count": 3}]}, {"undo": 2}, {"spend": [GAUSSIAN]})),
                                  (FALSE, (plan, *[{"spend": [GAUSSIAN]}] * 4)), (FALSE, (plan, *[{"spend": [{**GAUSSIAN, "sigma": 0.1}]}] * 6)),
                                  (FALSE, (plan, {"spend": [sampled(GAUSSIAN, poisson=0.5)]})), (FALSE, (plan, {"spend": [GAUSSIAN]}, plan)),
                                  (FALSE, ({"plan": [{**GAUSSIAN, "count": 1000000}]},)), (PROVED, ({"plan": [sampled(GAUSSIAN, allocation=9, passes=2)]},)),
                                  (FALSE, ({"plan": [sampled({**GAUSSIAN, "sigma": 0.5}, allocation=9, passes=2)]},)), (NOT_PROVED, ({"plan": [sampled(GAUSSIAN, weighted=9)]},))):
            with self.subTest(records=records):
                self.assertEqual(self.verdict(*records, targets=[TARGET]), expected)
        self.assertEqual(self.verdict(plan, targets=[{"rho": 0.00375}, {"mu": 0.0867}]), PROVED)
        self.assertEqual(self.verdict(plan, targets=[{"rho": 0.00374}]), FALSE)
        self.assertEqual(self.verdict(plan, targets=[{"mu": 0.0866}]), FALSE)

    def test_rules_of_no_meaning(self):
        zcdp = filter_of("zcdp")
        for named, header in (("filter.order", {"filter": filter_of("renyi", order=-1.0)}), ("a target is", {"filter": zcdp, "targets": [{**TARGET, "rho": 9.0}]}),
                              ("adjacency", {"filter": zcdp, "adjacency": "swap"}), ("group", {"filter": zcdp, "group": 0}), ("kind", {"kind": "free"})):
            with self.assertRaisesRegex(BadInput, named):
                self.verdict(**header)


if __name__ == "__main__":
    unittest.main()
