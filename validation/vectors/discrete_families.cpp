#include <cmath>

#include "family.hpp"
#include "finite_law.hpp"

namespace vectors {

namespace {

template <class Law>
Profile profile(const Law& law) {
  return [law](const Interval& epsilon) { return delta(law, epsilon); };
}

Json repeated(Json mechanism, int count) {
  mechanism["count"] = count;
  return Json::array({std::move(mechanism)});
}
Json repeated_on_sample(Json mechanism, double rate, int count) {
  mechanism["sampling"] = {{"poisson", rate}};
  return repeated(std::move(mechanism), count);
}

const std::vector<double> tiny{std::ldexp(1, -4), std::ldexp(1, -20), std::ldexp(1, -83)};

/// Releases of a law with few outcomes on Poisson samples, in both directions.
void add_sampled(Family& family, const Json& mechanism, double rate, const FiniteLaw& law, int count,
                 const std::vector<double>& epsilons) {
  for (const bool swapped : {false, true})
    family.add(repeated_on_sample(mechanism, rate, count), swapped ? "add" : "remove",
               profile(power(sampled(law, Interval(rate), swapped), count)), {epsilons, {}});
}

}  // namespace

Family randomized_response_family() {
  Family family{"randomized-response.json",
                "sum over the counts of each answer of the positive part of p - e^epsilon q, in interval arithmetic"};
  struct Case {
    double p;
    int k, count;
    std::vector<double> epsilons;
    Questions questions;
  };
  const std::vector<Case> cases{{0.75, 2, 1, {-2, -0.5, 0, 0.5, 1}, {}},
                                {0.75, 2, 10, {-4, 0, 1.5, 8}, {{}, {std::ldexp(1, -4)}, 11}},
                                {0.625, 2, 100, {-8, 0, 4, 20, 48}, {{}, tiny, 52}},
                                {0.53125, 2, 1000, {-2, 0, 3, 16, 64}, {{}, tiny, 126}},
                                {0.625, 4, 1, {-1, 0, 1, 1.5}, {}},
                                {0.5, 4, 30, {-4, 0, 4, 16, 32}, {{}, {std::ldexp(1, -4), std::ldexp(1, -20)}, 33}}};
  for (const Case& c : cases) {
    const Json mechanism{{"type", "randomized-response"}, {"p", c.p}, {"k", c.k}};
    Questions questions = c.questions;
    questions.epsilons = c.epsilons;
    family.add(repeated(mechanism, c.count), "remove", profile(power(randomized_response(c.p, c.k), c.count)), questions);
  }
  const Json bit{{"type", "randomized-response"}, {"p", 0.75}}, of_five{{"type", "randomized-response"}, {"p", 0.5}, {"k", 5}};
  add_sampled(family, bit, 0.125, randomized_response(0.75, 2), 1, {-0.0625, 0, 0.0625});
  add_sampled(family, bit, 0.125, randomized_response(0.75, 2), 200, {-1, 0, 2, 8});
  add_sampled(family, of_five, 0.25, randomized_response(0.5, 5), 20, {-1, 0, 1, 2});
  return family;
}

Family approximate_dp_family() {
  Family family{"approximate-dp.json",
                "losses of +-epsilon and +-infinity (Kairouz, Oh, Viswanath 2015): binomial sums, in interval arithmetic"};
  struct Case {
    double epsilon, delta;
    int count;
    std::vector<double> epsilons;
  };
  const std::vector<Case> cases{{1, 0, 1, {-0.5, 0, 0.5, 0.9375}},
                                {0.5, std::ldexp(1, -20), 1, {-0.25, 0, 0.25, 0.5, 2}},
                                {0.25, std::ldexp(1, -10), 64, {-1, 0, 2.125, 8, 15.875, 20}},
                                {0.03125, std::ldexp(1, -40), 1000, {-0.5, 0, 1.015625, 4, 10}}};
  for (const auto& [epsilon, delta, count, epsilons] : cases) {
    family.add(repeated({{"type", "dp"}, {"epsilon", epsilon}, {"delta", delta}}, count), "remove",
               profile(power(approximate_dp(epsilon, delta), count)), {epsilons, {}});
  }
  add_sampled(family, {{"type", "dp"}, {"epsilon", 1}, {"delta", std::ldexp(1, -20)}}, 0.25,
              approximate_dp(1, std::ldexp(1, -20)), 1, {-0.125, 0, 0.125});
  // Accounted for as pure differential privacy: epsilon, and 2 sensitivity / scale.
  family.add(repeated({{"type", "permute-and-flip"}, {"epsilon", 0.5}}, 16), "remove",
             profile(power(approximate_dp(0.5, 0), 16)), {{-1, 0, 1.25, 6.5}, {}});
  family.add(repeated({{"type", "report-noisy-max"}, {"scale", 8}}, 16), "remove",
             profile(power(approximate_dp(0.25, 0), 16)), {{-0.5, 0, 0.875, 3.125}, {}});
  return family;
}

Family discrete_laplace_family() {
  Family family{"discrete-laplace.json",
                "losses on a lattice of spacing a, both masses of each convolved exactly, or on samples by counts of the outcomes; "
                "sum of the positive parts of p - e^epsilon q; in interval arithmetic"};
  struct Case {
    double a;
    int sensitivity, count;
    std::vector<double> epsilons, deltas;
  };
  const std::vector<Case> cases{{1, 1, 1, {-2, -0.5, 0, 0.5, 0.9375}, {}},
                                {0.5, 4, 1, {-1, 0, 0.25, 1.75}, {}},
                                {0.125, 1, 100, {-1, 0, 1.0625, 4, 10}, tiny},
                                {0.25, 3, 20, {-2, 0, 2.125, 7, 13}, tiny}};
  for (const auto& [a, sensitivity, count, epsilons, deltas] : cases) {
    family.add(repeated({{"type", "discrete-laplace"}, {"a", a}, {"sensitivity", sensitivity}}, count), "remove",
               profile(power(discrete_laplace(a, sensitivity), count)), {epsilons, deltas, a * sensitivity * count});
  }
  const Json mechanism{{"type", "discrete-laplace"}, {"a", 0.5}, {"sensitivity", 2}};
  add_sampled(family, mechanism, 0.25, outcomes_of(discrete_laplace(0.5, 2)), 1, {-0.125, 0, 0.125});
  add_sampled(family, mechanism, 0.25, outcomes_of(discrete_laplace(0.5, 2)), 20, {-1, 0, 1, 2});
  return family;
}

Family discrete_gaussian_family() {
  Family family{"discrete-gaussian.json",
                "losses on a lattice of spacing sensitivity / (2 sigma^2), both masses of each convolved exactly; the tails left "
                "out are bounded by geometric series and lie in the enclosure; sampled: one release, delta of the "
                "unsampled pair at another epsilon; in interval arithmetic"};
  struct Case {
    double sigma;
    int sensitivity, reach, count;
    std::vector<double> epsilons, deltas;
  };
  const std::vector<Case> cases{{1, 1, 20, 1, {-1, 0, 1, 4, 8}, {}},
                                {2, 1, 36, 8, {-1, 0, 1.3125, 5, 10}, tiny},
                                {1.5, 2, 30, 3, {-2, 0, 3, 11, 20}, tiny}};
  for (const auto& [sigma, sensitivity, reach, count, epsilons, deltas] : cases) {
    family.add(repeated({{"type", "discrete-gaussian"}, {"sigma", sigma}, {"sensitivity", sensitivity}}, count), "remove",
               profile(power(discrete_gaussian(sigma, sensitivity, reach), count)), {epsilons, deltas, 64});
  }
  const Profile one = profile(discrete_gaussian(2, 1, 36));
  const Json mechanism{{"type", "discrete-gaussian"}, {"sigma", 2}};
  family.add(repeated_on_sample(mechanism, 0.25, 1), "remove", sampled(one, Interval(0.25), false), {{-0.125, 0, 0.5, 1.5}, {}});
  family.add(repeated_on_sample(mechanism, 0.25, 1), "add", sampled(one, Interval(0.25), true), {{-0.125, 0, 0.125, 0.25}, {}});
  return family;
}

Family binomial_family() {
  Family family{"binomial.json", "all outcomes: sum of the positive parts of p - e^epsilon q, in interval arithmetic"};
  const FiniteLaw law = binomial_noise(20, 1);
  const Json mechanism{{"type", "binomial"}, {"n", 20}};
  family.add(repeated(mechanism, 1), "remove", profile(law), {{-0.5, 0, 0.25, 1, 4}, {}});
  family.add(repeated(mechanism, 2), "remove", profile(product(law, law)), {{-0.5, 0, 0.25, 1, 4}, {}});
  family.add(repeated({{"type", "binomial"}, {"n", 500}, {"sensitivity", 4}}, 1), "remove", profile(binomial_noise(500, 4)),
             {{-0.5, 0, 0.5, 2, 4}, {}});
  add_sampled(family, mechanism, 0.5, law, 1, {-0.25, 0, 0.25, 0.5});
  return family;
}

Family mixed_family() {
  Family family{"mixed.json", "products of the outcomes of finite laws, in interval arithmetic"};
  const FiniteLaw bits = power(randomized_response(0.625, 2), 20), guarantee = power(approximate_dp(0.25, std::ldexp(1, -30)), 10),
                  counts = outcomes_of(power(discrete_laplace(0.125, 2), 10));
  const Json rr{{"type", "randomized-response"}, {"p", 0.625}, {"count", 20}},
      dp{{"type", "dp"}, {"epsilon", 0.25}, {"delta", std::ldexp(1, -30)}, {"count", 10}},
      noise{{"type", "discrete-laplace"}, {"a", 0.125}, {"sensitivity", 2}, {"count", 10}};
  family.add(Json::array({rr, dp}), "remove", profile(product(bits, guarantee)), {{-1, 0, 2, 6, 12}, {}});
  family.add(Json::array({rr, dp, noise}), "remove", profile(product(product(bits, guarantee), counts)), {{-1, 0, 2, 6, 12}, {}});
  return family;
}

}  // namespace vectors
