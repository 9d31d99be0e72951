"""Events of dp-accounting saved as JSON, read by --ledger (docs/dp_events.md)."""
import json
import math
import unittest
from fractions import Fraction

from command import CommandTest, number, pld


def event(name, **fields):
    return {"module_name": "dp_accounting.dp_event", "class_name": name, **fields}


def as_array(value):
    """What json.dump writes of a named tuple."""
    if isinstance(value, dict):
        return [as_array(part) for part in value.values()]
    return [as_array(part) for part in value] if isinstance(value, list) else value


def in_strings(value):
    """With each number in a string, as other JSON that is read may have it."""
    if isinstance(value, dict):
        return {name: in_strings(part) for name, part in value.items()}
    if isinstance(value, list):
        return [in_strings(part) for part in value]
    return value if isinstance(value, str) else repr(value)


def composed(*events):
    return event("ComposedDpEvent", events=list(events))


def repeated(count, of):
    return event("SelfComposedDpEvent", event=of, count=count)


def poisson(rate, of):
    return event("PoissonSampledDpEvent", sampling_probability=rate, event=of)


def batch(size, dataset, of):
    return event("SampledWithoutReplacementDpEvent", source_dataset_size=dataset, sample_size=size, event=of)


def gaussian(noise):
    return event("GaussianDpEvent", noise_multiplier=noise)


def laplace(noise):
    return event("LaplaceDpEvent", noise_multiplier=noise)


def answers(noise, buckets):
    return event("RandomizedResponseDpEvent", noise_parameter=noise, num_buckets=buckets)


def tree(noise, steps):
    return event("SingleEpochTreeAggregationDpEvent", noise_multiplier=noise, step_counts=steps)


def best(of, mean, shape):
    return event("RepeatAndSelectDpEvent", event=of, mean=mean, shape=shape)


def mixture(noise, shifts, weights):
    return event("MixtureOfGaussiansDpEvent", standard_deviation=noise, sensitivities=shifts, sampling_probs=weights)


def truncated(noise, rate=0.1, largest=9):
    return event("TruncatedSubsampledGaussianDpEvent", dataset_size=50, sampling_probability=rate,
                 truncated_batch_size=largest, noise_multiplier=noise)


def zcdp(rho, xi):
    return event("ZCDpEvent", rho=rho, xi=xi)


NOTHING = event("NoOpDpEvent")
EVERYTHING = event("NonPrivateDpEvent")
GAUSSIAN = gaussian(1.1)
REPLACE = ("--adjacency", "replace-one")
ZERO = ("--adjacency", "zero-out")
RELATIONS = (("--adjacency", "add-remove"), REPLACE, ZERO)


class Events(CommandTest):
    def epsilon_of(self, value, *words):
        return self.answer("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps(value)), *words)["epsilon"]

    def delta_of(self, value, epsilon, *words):
        return self.bracket("delta", "--epsilon", str(epsilon), "--ledger", self.ledger(json.dumps(value)), *words)

    def test_each_event(self):
        for value, *words in [
            (GAUSSIAN, "gaussian:sigma=1.1"),
            (laplace(2), "laplace:scale=2"),
            (answers(0.5, 2), *REPLACE, "randomized-response:p=0.75"),
            (answers(0.5, 4), *REPLACE, "randomized-response:p=0.625,k=4"),
            (answers(0.5, 2), *ZERO, "mass-table:p=0.75/0.25,q=0.5/0.5"),
            (answers(0.5, 4), *ZERO, "mass-table:p=0.625/0.375,q=0.25/0.75"),
            (poisson(0.5, poisson(0.5, GAUSSIAN)), "gaussian:sigma=1.1,q=0.25"),
            (poisson(0.1, poisson(0.3, GAUSSIAN)), "gaussian:sigma=1.1,q=0.030000000000000002"),  # the double above the product
            (event("EpsilonDeltaDpEvent", epsilon=1, delta=1e-8), "dp:epsilon=1,delta=1e-8"),
            (event("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=2), "discrete-laplace:a=0.5,sensitivity=2"),
            (event("DiscreteGaussianDpEvent", sigma=3, sensitivity=1, dimension=1), "discrete-gaussian:sigma=3"),
            (EVERYTHING, "dp:epsilon=0,delta=1"),
            (poisson(0.01, GAUSSIAN), "gaussian:sigma=1.1,q=0.01"),
            (batch(100, 400, GAUSSIAN), "gaussian:sigma=1.1,sampler=fixed-size,batch=100,dataset=400"),
            (zcdp(0.01, 0.001), "zcdp:rho=0.01,xi=0.001"),
            (zcdp(0, 0.25), "dp:epsilon=0.25"),
            (mixture(4, [0, 1, 2], [0.5, 0.5, 0]), "gaussian-mixture:sigma=4,shifts=0/1,weights=0.5/0.5"),
            (truncated(4), "gaussian:sigma=4,truncated=0.1,cap=9,records=50"),
            (repeated(5, repeated(3, GAUSSIAN)), "gaussian:sigma=1.1,count=15"),
            (composed(GAUSSIAN, NOTHING, composed(repeated(3, laplace(2)))), "gaussian:sigma=1.1", "laplace:scale=2,count=3"),
            (tree(3, 1), *ZERO, "gaussian:sigma=3"),
            (tree(4, [15, 8]), *ZERO, "gaussian:sigma=2"),  # four levels
            (best(GAUSSIAN, 10, 1), "--tries", "geometric:mean=10", "gaussian:sigma=1.1"),
            (best(GAUSSIAN, 10, "inf"), "--tries", "poisson:mean=10", "gaussian:sigma=1.1"),
            (best(composed(GAUSSIAN, laplace(2)), 10, 1), "--tries", "geometric:mean=10", "gaussian:sigma=1.1", "laplace:scale=2"),
            (poisson(0.01, repeated(4, gaussian(2))), "gaussian:sigma=1,q=0.01"),  # one sample of four releases
            (poisson(0.01, composed(gaussian(2), repeated(3, gaussian(2)))), *REPLACE, "gaussian:sigma=1,q=0.01"),
            (batch(100, 400, repeated(4, gaussian(2))), "gaussian:sigma=1,sampler=fixed-size,batch=100,dataset=400"),
        ]:
            with self.subTest(event=value, words=words):
                relation = words[:2] if words[0] == "--adjacency" else ()
                want = self.answer("epsilon", "--delta", "1e-6", *words)["epsilon"]
                self.assertEqual(self.epsilon_of(value, *relation), want)
                self.assertEqual(self.epsilon_of(as_array(value), *relation), want)
                self.assertEqual(self.epsilon_of(in_strings(value), *relation), want)

    def test_numbers_as_people_write_them(self):
        want = self.answer("epsilon", "--delta", "1e-6", "gaussian:sigma=1.1,q=256/60000,count=50")["epsilon"]
        self.assertEqual(self.epsilon_of(repeated("50", poisson("256/60000", gaussian("11/10")))), want)
        path = self.ledger(json.dumps(poisson("x", GAUSSIAN)))
        self.refused("epsilon", "--delta", "1e-6", "--ledger", path, says=["event: sampling_probability is 'x', but must be a finite number"])

    def test_what_has_no_noise_tells_all(self):
        for value, relations in [
            (EVERYTHING, RELATIONS), (gaussian(0), RELATIONS), (laplace(0), RELATIONS), (truncated(0), RELATIONS),
            (event("DiscreteLaplaceDpEvent", noise_parameter=0, sensitivity=1), RELATIONS),
            (mixture(0, [0, 1], [0.5, 0.5]), RELATIONS[::2]), (answers(0, 3), RELATIONS[1:]), (tree(0, 5), RELATIONS[2:]),
            (poisson(0.5, EVERYTHING), RELATIONS), (batch(1, 2, EVERYTHING), RELATIONS), (poisson(0.5, gaussian(0)), RELATIONS),
            (poisson(0.5, poisson(0.5, EVERYTHING)), RELATIONS), (poisson(0.5, composed(GAUSSIAN, laplace(0))), RELATIONS),
            (composed(GAUSSIAN, EVERYTHING), RELATIONS), (best(EVERYTHING, 10, 1), RELATIONS),
        ]:
            for relation in relations:
                with self.subTest(event=value, relation=relation):
                    path = self.ledger(json.dumps(value))
                    for ask in (("epsilon", "--delta", "0.4"), ("delta", "--epsilon", "50")):
                        found = self.answer(*ask, *relation, "--ledger", path)[ask[0]]
                        self.assertEqual(number(found["upper"]), {"epsilon": math.inf, "delta": 1}[ask[0]])

    def test_what_tells_nothing(self):
        for value, relation in [
            (NOTHING, REPLACE), (poisson(0, gaussian(0)), REPLACE), (poisson(0, GAUSSIAN), ()), (batch(0, 9, EVERYTHING), ZERO),
            (truncated(0, rate=0), ()), (truncated(4, largest=0), ()), (zcdp(0, 0), REPLACE), (mixture(0, [0, 0], [0.5, 0.5]), ZERO),
            (answers(0, 1), ZERO), (answers(0.5, 1), REPLACE), (tree(0, [0, 0]), ZERO), (best(NOTHING, 10, 1), ()),
            (poisson(0.1, repeated(0, laplace(1))), ()), (answers(1, 3), ZERO),
        ]:
            with self.subTest(event=value, relation=relation):
                self.assertEqual(self.delta_of(value, 0, *relation), (0, 0, 0))

    def test_a_special_record_draws_its_answer(self):
        """Two answers in each of three steps, all of them enumerated in fractions, in both directions."""
        f, k, steps, e = Fraction(1, 4), 3, 3, Fraction(3, 2)
        told = [1 - f + f / k, f - f / k]
        drawn = [Fraction(1, k), 1 - Fraction(1, k)]
        masses = [(1, 1)]
        for _ in range(steps):
            masses = [(p * told[i], q * drawn[i]) for p, q in masses for i in (0, 1)]
        truth = max(sum(max(p - e * q, 0) for p, q in masses), sum(max(q - e * p, 0) for p, q in masses))
        lower, _, upper = self.delta_of(repeated(steps, answers(0.25, k)), repr(math.log(1.5)), *ZERO)
        self.assertTrue(lower <= truth * (1 + 1e-12) and truth * (1 - 1e-12) <= upper <= truth * (1 + 1e-3), (lower, truth, upper))

    def test_answers_that_are_hardly_drawn(self):
        """Truths by 40 digits: log(1 + (1 - f) k / f), against a special record log(k (1 - f) + f)."""
        for noise, buckets, relation, truth in ((1e-15, 2, REPLACE, 35.23192357547063), (1e-10, 2, REPLACE, 23.718998110450402),
                                                (1e-3, 10**6, REPLACE, 20.722265337613829), (0.01, 3, REPLACE, 5.6970934865054044),
                                                (1e-15, 2, ZERO, 34.538776394910685), (1e-3, 10**6, ZERO, 13.814510058631692),
                                                (0.5, 10**9, ZERO, 20.030118657386466), (0.5, 4, REPLACE, 1.6094379124341004)):
            with self.subTest(noise=noise, buckets=buckets, relation=relation):
                read = ("--delta", "0", *relation, "--ledger", "-")
                found = json.loads(pld("epsilon", "--json", *read, stdin=json.dumps(answers(noise, buckets))).stdout)
                lower, upper = (number(found["epsilon"][end]) for end in ("lower", "upper"))
                self.assertTrue(truth <= upper <= truth * (1 + 2e-15))
                self.assertTrue(lower <= truth or found["only_guaranteed"], lower)
                claim = repr(truth * (1 + 1e-14))
                self.assertEqual(pld("compare", "--claim", claim, *read, stdin=json.dumps(answers(noise, buckets))).returncode, 0)

    def test_the_number_of_tries_has_the_mean(self):
        """The law is negative binomial, whose mean is shape (1/gamma - 1) / (1 - gamma^shape): no less than is asked."""
        for mean, shape in ((10, 0.5), (1.25, 0.5), (3, 7), (40, 2), (1e5, 0.25)):
            with self.subTest(mean=mean, shape=shape):
                text = pld("export", "--ledger", self.ledger(json.dumps(best(GAUSSIAN, mean, shape)))).stdout
                law = json.loads(text)["mechanisms"][0]["tries"]
                self.assertTrue(law.startswith(f"negative-binomial:shape={shape:g},gamma="), law)
                gamma = float(law.partition("gamma=")[2])
                found = shape * (1 / gamma - 1) / -math.expm1(shape * math.log(gamma))
                self.assertTrue(mean <= found * (1 + 1e-9) and found <= mean * (1 + 2e-8), (mean, found))
        text = pld("export", "--ledger", self.ledger(json.dumps(best(GAUSSIAN, 10, 0)))).stdout
        gamma = float(text.partition("gamma=")[2].partition('"')[0])  # logarithmic
        self.assertAlmostEqual((1 / gamma - 1) / -math.log(gamma), 10, delta=1e-6)

    def test_refused(self):
        other = ("adjacency is add-remove", "neighboring_relation must be `REPLACE_ONE` or `REPLACE_SPECIAL`", "an added record")
        for value, *says in [
            (best(GAUSSIAN, 0.5, 1), "event: mean is 0.5, but must be from 1 to 1e6"),
            (best(GAUSSIAN, 5, -1), "event: shape is -1"), (best(GAUSSIAN, 5, 1e3), "shape is 1000, but must be from 0 to 100"),
            (event("RepeatAndSelectDpEvent", event=GAUSSIAN, mean=5), "shape is missing"),
            (poisson(0.1, best(GAUSSIAN, 5, 1)), "one sample for several releases"),
            (tree(1, 4), "adjacency is add-remove", "`REPLACE_SPECIAL`", "shifts the tree's leaves"),
            (answers(0.5, 3), *other), (composed(GAUSSIAN, answers(0.5, 3)), "event.events[1]", *other),
            (answers(0.5, 1), *other),
            (event("SampledWithReplacementDpEvent", source_dataset_size=9, sample_size=1, event=GAUSSIAN), "several times"),
            (event("UnsupportedDpEvent"), "nothing is known of"),
            (event("HonakerTreeAggregationDpEvent"), "matrix=FILE"),
            (event("GausianDpEvent", noise_multiplier=1), "did you mean GaussianDpEvent?"),
            (event("ZCDpEvent", xi=0), "rho is missing"),
            (batch(10, 9, GAUSSIAN), "batch is 10"),
            (poisson(0.1, batch(3, 9, GAUSSIAN)), "sampled already"), (poisson(0.1, truncated(4)), "sampled already"),
            (event("GaussianDpEvent"), "noise_multiplier is missing"),
            (gaussian(-1), "event: gaussian: sigma is -1"),
            (event("GaussianDpEvent", noise_multiplier=1, colour=2), "colour"),
            (["dp_accounting.dp_event", "GaussianDpEvent"], "2 elements", "3"),
            (poisson(-0.5, poisson(-0.1, GAUSSIAN)), "sampling_probability is -0.5"),
            (event("DiscreteGaussianDpEvent", sigma=3, sensitivity=1, dimension=None), "dimension"),
            (poisson(0.1, composed(GAUSSIAN, laplace(1))), "joint pair"),
            (poisson(0.1, repeated(2, poisson(0.5, GAUSSIAN))), "joint pair"),
            (composed(GAUSSIAN, 7), "event.events[1]"),
            (repeated(1.5, GAUSSIAN), "count is 1.5"),
        ]:
            with self.subTest(event=value):
                self.refused("epsilon", "--delta", "1e-6", "--ledger", self.ledger(json.dumps(value)), says=says)

    def test_refused_under_other_relations(self):
        for value, relation, *says in [
            (answers(0.5, 0), REPLACE, "num_buckets is 0"), (answers(0.5, 2.5), ZERO, "num_buckets is 2.5"),
            (answers(1.5, 9), REPLACE, "noise_parameter is 1.5"),
            (poisson(0.1, answers(0.5, 2)), REPLACE, "who answers tells who was drawn"),
            (batch(1, 9, answers(0.5, 2)), ZERO, "who answers tells who was drawn"),
            (poisson(0.1, tree(1, 4)), ZERO, "who is drawn shifts its leaves"),
            (tree(1, 4), REPLACE, "neighboring_relation must be `REPLACE_SPECIAL` (zero-out)"),
            (tree(1, -3), ZERO, "step_counts is -3, but must be at least 0"), (tree(1, [3, 1.5]), ZERO, "step_counts is 1.5"),
            (tree(-1, 3), ZERO, "sigma is -1"),
            (mixture(4, [0, 1], [0.5, 0.5]), REPLACE, "`ADD_OR_REMOVE_ONE` or `REPLACE_SPECIAL` (add-remove, zero-out)"),
        ]:
            with self.subTest(event=value):
                path = self.ledger(json.dumps(value))
                self.refused("epsilon", "--delta", "1e-6", *relation, "--ledger", path, says=says)

    def test_a_sample_of_answers_is_not_amplified(self):
        """Who is drawn answers, in full view: delta at half the epsilon is the rate times that of all answers, far from 0."""
        rate, told, e = Fraction(1, 10), Fraction(3, 4), 1
        masses = [(rate * told, rate * (1 - told)), (rate * (1 - told), rate * told), (1 - rate, 1 - rate)]
        self.assertEqual(sum(max(p - e * q, 0) for p, q in masses), Fraction(1, 20))
        self.refused("delta", "--epsilon", "0", *REPLACE, "--ledger", self.ledger(json.dumps(poisson(0.1, answers(0.5, 2)))))

    def test_where_an_event_is_read(self):
        path = self.ledger(json.dumps(GAUSSIAN))
        for option in ("--event", "--dp-event", "--dp_event"):
            self.refused("epsilon", "--delta", "1e-6", option, path, says=[f"option '{option}' is not known (did you mean --ledger?)"])
        for command in ("epsilon", "calibrate"):
            self.assertIn("an event of dp-accounting", " ".join(pld("help", command).stdout.split()))
        found = self.answer("calibrate", "--epsilon", "5", "--delta", "1e-6", "--ledger", path, "laplace:scale=?")
        upper = self.bracket("epsilon", "--delta", "1e-6", "gaussian:sigma=1.1", f"laplace:scale={found['value']!r}")[2]
        self.assertTrue(4.999 < upper < 5.001, upper)

    def test_compared_with_the_bounds(self):
        path = self.ledger(json.dumps(composed(repeated(100, poisson(0.01, GAUSSIAN)), laplace(9))))
        got = self.answer("compare", "--delta", "1e-6", "--ledger", path)
        want = self.answer("compare", "--delta", "1e-6", "gaussian:sigma=1.1,q=0.01,count=100", "laplace:scale=9")
        del got["seconds"], want["seconds"]
        self.assertEqual(got, want)


if __name__ == "__main__":
    unittest.main()
