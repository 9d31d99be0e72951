#include "pld/account/private_selection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

// The best of K outputs from the definition: outputs of a finite run in every order, the best one's law by the
// generating function of K.

namespace {

using namespace pld;
using Masses = std::vector<double>;

double negative_binomial(double shape, double gamma, double z) {
  const double rest = 1 - (1 - gamma) * z;
  if (shape == 0) return std::log(rest) / std::log(gamma);
  return (std::pow(rest, -shape) - 1) / (std::pow(gamma, -shape) - 1);
}

/// Masses of the best output, the last one being the best of all.
Masses best_of(const Masses& run, const std::function<double(double)>& generating) {
  Masses best{generating(0)};
  double below = 0;
  for (const double mass : run) {
    best.push_back(generating(std::min(1.0, below + mass)) - generating(below));
    below += mass;
  }
  return best;
}

double divergence(const Masses& p, const Masses& q, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return sum;
}

struct Run {
  Masses p, q;
};

/// The largest over all orders of the outputs, both ways.
double worst(const Run& run, const std::function<double(double)>& generating, double epsilon) {
  std::vector<std::size_t> order(run.p.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  double most = 0;
  do {
    Masses p, q;
    for (const std::size_t i : order) p.push_back(run.p[i]), q.push_back(run.q[i]);
    const Masses best_p = best_of(p, generating), best_q = best_of(q, generating);
    most = std::max({most, divergence(best_p, best_q, epsilon), divergence(best_q, best_p, epsilon)});
  } while (std::next_permutation(order.begin(), order.end()));
  return most;
}

}  // namespace

TEST_CASE("account.private_selection.no order of outputs loses more") {
  const Run runs[] = {{{0.7, 0.2, 0.1}, {0.5, 0.3, 0.2}},
                      {{0.25, 0.25, 0.25, 0.25}, {0.3, 0.26, 0.24, 0.2}},
                      {{0.6, 0.399, 0.001}, {0.5, 0.5, 0}},
                      {{0.05, 0.95}, {0.01, 0.99}},
                      {{0.55, 0.45}, {0.45, 0.55}}};
  const Tries tries[] = {{.shape = 1, .gamma = 0.1},
                         {.shape = 1, .gamma = 0.9},
                         {.shape = 0, .gamma = 0.05},
                         {.shape = -0.5, .gamma = 0.01},
                         {.shape = 4, .gamma = 0.3},
                         {.law = Tries::Law::poisson, .mean = 0.5},
                         {.law = Tries::Law::poisson, .mean = 10},
                         {.law = Tries::Law::poisson, .mean = 200},
                         {.law = Tries::Law::poisson, .mean = 2e4}};
  int told = 0;
  for (const Run& run : runs) {
    const Composition base = Composition().add(MassTable{run.p, run.q});
    for (const Tries& k : tries) {
      const Composition best = Composition().add(private_selection(base, k));
      CHECK_FALSE(best.is_exact());
      const auto generating = [&](double z) {
        return k.law == Tries::Law::poisson ? std::exp(k.mean * (z - 1)) : negative_binomial(k.shape, k.gamma, z);
      };
      for (const double epsilon : {0.0, 0.1, 0.4, 0.9, 1.6, 2.5, 4.0, 7.0, 12.0, 25.0}) {
        CAPTURE(describe(k));
        CAPTURE(epsilon);
        CAPTURE(run.p[0]);
        const double bound = delta(best, {.epsilon = epsilon}).upper;
        CHECK(worst(run, generating, epsilon) <= bound * (1 + 1e-12) + 1e-15);
        told += bound < 0.5 ? 1 : 0;
      }
    }
  }
  CHECK(told > 100);  // of 450
}

TEST_CASE("account.private_selection.mean numbers of tries") {
  for (const double shape : {1.0, 0.0, -0.5, 3.0}) {
    for (const double gamma : {0.3, 0.02}) {
      const double h = 1e-6;  // one-sided, of a convex function: from below
      const double slope = (1 - negative_binomial(shape, gamma, 1 - h * gamma)) / (h * gamma);
      const double mean = mean_of({.shape = shape, .gamma = gamma});
      CHECK(mean >= slope * (1 - 1e-9));
      CHECK_REL(mean, slope, 1e-4);
    }
  }
  CHECK_REL(mean_of({.shape = 1, .gamma = 0.1}), 10, 1e-8);
  CHECK_REL(mean_of({.shape = 1, .gamma = 1}), 1, 1e-8);
  CHECK_THROWS_AS((void)mean_of({.shape = -1, .gamma = 0.1}), DomainError);
  CHECK_THROWS_AS((void)mean_of({.shape = 1, .gamma = 0}), DomainError);
  CHECK_THROWS_AS((void)mean_of({.law = Tries::Law::poisson, .mean = NAN}), DomainError);
}

TEST_CASE("account.private_selection.of a pure run costs its epsilon two times and the shape") {
  const double e = 0.3;
  const Composition run = Composition().add(ApproximateDp{.epsilon = e});
  for (const double shape : {0.0, 1.0, 2.0}) {
    const Composition best = Composition().add(private_selection(run, {.shape = shape, .gamma = 1e-4}));
    for (const double delta : {1e-12, 0.0}) {
      const double found = epsilon(best, {.delta = delta}).upper;
      CHECK(found <= (2 + shape) * e * (1 + 1e-6));
      CHECK(found > e);
    }
  }
  // A Poisson number of runs: the chances to be the best differ by e^(mean (e^e - 1)) at most.
  const double mean = 2;
  const Composition few = Composition().add(private_selection(run, {.law = Tries::Law::poisson, .mean = mean}));
  for (const double delta : {1e-12, 0.0})
    CHECK(epsilon(few, {.delta = delta}).upper <= (e + mean * std::expm1(e)) * (1 + 1e-2));
  // What fails with a chance of 1e-6 a run does with ten times that among ten, and beyond nothing is lost.
  const Composition failing = Composition().add(ApproximateDp{.epsilon = e, .delta = 1e-6});
  const Composition ten = Composition().add(private_selection(failing, {.shape = 1, .gamma = 0.1}));
  CHECK(epsilon(ten, {.delta = 1.0001e-5}).upper <= 3 * e * (1 + 1e-4));
  CHECK(epsilon(ten, {.delta = 0.9999e-5}).upper == infinity);
}

// Deltas of a run far out, and their products, are too small for a double long before they are 0.
TEST_CASE("account.private_selection.of unbounded losses no epsilon has a delta of 0") {
  const Composition runs[] = {Composition().add(Gaussian{.sigma = 1e5}),
                              Composition().add(poisson_sampled(Gaussian{.sigma = 10}, 1e-4)),
                              Composition().add(ApproximateDp{.epsilon = 0.1, .delta = 5e-324})};
  for (const Composition& run : runs) {
    for (const double mean : {1e-3, 0.3, 10.0}) {
      CAPTURE(mean);
      const Composition best = Composition().add(private_selection(run, {.law = Tries::Law::poisson, .mean = mean}));
      CHECK(epsilon(best, {.delta = 0}).upper == infinity);
      CHECK(delta(best, {.epsilon = 0.2}).upper > 0);
    }
    const Composition best = Composition().add(private_selection(run, {.shape = 1, .gamma = 0.1}));
    CHECK(epsilon(best, {.delta = 0}).upper == infinity);
  }
}

TEST_CASE("account.private_selection.one try is one run, and less noise costs more") {
  const auto best = [](double sigma, const Tries& tries) {
    const Composition run = Composition().add(Gaussian{.sigma = sigma}, 10);
    return epsilon(Composition().add(private_selection(run, tries)), {.delta = 1e-6}).upper;
  };
  const double one = epsilon(Composition().add(Gaussian{.sigma = 8}, 10), {.delta = 1e-6}).upper;
  CHECK_REL(best(8, {.shape = 1, .gamma = 1}), one, 2e-3);
  CHECK(best(8, {.shape = 1, .gamma = 0.1}) > one);
  CHECK(best(6, {.shape = 1, .gamma = 0.1}) > best(8, {.shape = 1, .gamma = 0.1}));
  CHECK(best(8, {.law = Tries::Law::poisson, .mean = 10}) < 4 * one);
}

TEST_CASE("account.private_selection.a Poisson number is never above the Renyi theorem's") {
  // Papernot, Steinke 2022, theorem 6: D_order + mean delta(e) + log(mean) / (order - 1) at e^e = 1 + 1 / (order - 1),
  // of Gaussian and of Laplace noise in closed form, converted by Canonne, Kamath, Steinke 2020, proposition 12.
  struct Noise {
    Composition run;
    std::function<double(double)> renyi;
  };
  std::vector<Noise> runs;
  for (const double sigma : {0.3, 3.0, 10.0})
    runs.push_back(
        {Composition().add(Gaussian{.sigma = sigma}), [sigma](double order) { return order / (2 * sigma * sigma); }});
  for (const double scale : {1.0, 5.0, 50.0})
    runs.push_back({Composition().add(Laplace{.scale = scale}), [scale](double order) {
                      const double up = order * std::exp((order - 1) / scale);
                      return std::log((up + (order - 1) * std::exp(-order / scale)) / (2 * order - 1)) / (order - 1);
                    }});
  for (const Noise& noise : runs) {
    for (const double mean : {2.0, 20.0, 1e3, 1e5}) {
      const Composition best =
          Composition().add(private_selection(noise.run, {.law = Tries::Law::poisson, .mean = mean}));
      const double found = epsilon(best, {.delta = 1e-6}).upper;
      for (double order = 1.05; order < 200; order = 1 + 1.3 * (order - 1)) {
        const double d = delta(noise.run, {.epsilon = std::log1p(1 / (order - 1))}).upper;
        const double renyi = noise.renyi(order) + mean * d + std::log(mean) / (order - 1);
        const double converted = renyi + std::log1p(-1 / order) - std::log(1e-6 * order) / (order - 1);
        CAPTURE(mean);
        CAPTURE(order);
        CHECK(found <= converted * (1 + 2e-2));
      }
    }
  }
}

// Of a run of two losses the integral is a sum of two, whose largest u, and the best e, are looked for on a grid.
TEST_CASE("account.private_selection.a Poisson number has the bound of its proof") {
  const double p = 0.7, loss = std::log(p / (1 - p)), mean = 50;
  constexpr int factors = 600, places = 3000;
  const auto proved = [&](double epsilon) {
    double least = 1;
    for (int i = 1; i <= factors; ++i) {
      const double e = loss * i / factors, c = std::expm1(e), d = std::max(0.0, p - std::exp(e) * (1 - p));
      const double log_g = epsilon - mean * d;
      double sum = 0;
      for (const double sign : {1.0, -1.0}) {
        double most = 0;
        for (int j = 0; j <= places; ++j) {
          const double log_u = -mean * j / places;
          most = std::max(most, std::exp(log_u) * (std::exp(sign * loss) - std::exp(log_g + c * log_u)));
        }
        sum += (sign > 0 ? 1 - p : p) * most;
      }
      least = std::min(least, mean * sum);
    }
    return least;
  };
  const Composition run = Composition().add(RandomizedResponse{.p = p});
  const Composition best = Composition().add(private_selection(run, {.law = Tries::Law::poisson, .mean = mean}));
  for (const double epsilon : {8.0, 10.0, 12.0, 16.0}) {
    CAPTURE(epsilon);
    const double found = delta(best, {.epsilon = epsilon}).upper, truth = proved(epsilon);
    CHECK(found >= truth * (1 - 1e-3));
    CHECK(found <= truth * 1.2);
  }
}

TEST_CASE("account.private_selection.of the run's neighbours, composed and in groups") {
  const Tries tries{.shape = 1, .gamma = 0.2};
  const Neighbours pairs(Relation::replace_one, 2);
  const auto best = [&](const Neighbours& neighbours, double sigma) {
    const Composition run = Composition(neighbours).add(Gaussian{.sigma = sigma}, 4);
    return Composition(neighbours).add(private_selection(run, tries));
  };
  // Two replaced records move a query by four times as much.
  CHECK_REL(epsilon(best(pairs, 32), {.delta = 1e-6}).upper, epsilon(best({}, 8), {.delta = 1e-6}).upper, 1e-9);
  const Composition run = Composition(pairs).add(Gaussian{.sigma = 8});
  CHECK_THROWS_AS((void)Composition().add(private_selection(run, tries)), MissingTheorem);
  // Groups by single steps: an answer of ten is (8.1093, 0)-DP for two, and its best run loses three times that at
  // most.
  const Composition answers = Composition(Neighbours(Relation::add_remove, 2)).add(RandomizedResponse{.p = 0.6}, 10);
  const double alone = 20 * std::log(1.5);
  const double found =
      epsilon(Composition(Neighbours(Relation::add_remove, 2)).add(private_selection(answers, tries)), {.delta = 1e-6})
          .upper;
  CHECK(found <= 3 * alone * (1 + 1e-9));
  CHECK(found > epsilon(answers, {.delta = 1e-6}).upper);
  Composition two = best({}, 8);
  two.add(Gaussian{.sigma = 8});
  CHECK(epsilon(two, {.delta = 1e-6}).upper > epsilon(best({}, 8), {.delta = 1e-6}).upper);
}

// Copies of copies would double with each.
TEST_CASE("account.private_selection.selections within many others are quickly made and copied") {
  constexpr int depth = 40;
  Composition run = Composition().add(RandomizedResponse{.p = 0.6});
  for (int i = 0; i < depth; ++i) run = Composition().add(private_selection(run, Tries{.gamma = 0.99}));
  CHECK(run.releases().size() == 1);
}

// Releases of one text are merged: these once were, and lost what the first of them does.
TEST_CASE("account.private_selection.no two of them have one text") {
  const Tries few{.gamma = 0.5}, many{.gamma = 0.1};
  const auto best = [](const Tries& tries, const Composition& run) { return private_selection(run, tries); };
  const Composition coin = Composition().add(RandomizedResponse{.p = 0.6});
  Composition both = coin;
  both.add(Laplace{.scale = 2});
  const Mechanism within = best(few, Composition().add(best(many, both)));
  const Mechanism beside = best(few, Composition().add(best(many, coin)).add(Laplace{.scale = 2}));
  CHECK(within.text() != beside.text());
  CHECK(Composition().add(within).add(beside).releases().size() == 2);
}

// Made where no question was open it counted nothing, and each of its 400 places had all the work of an answer.
TEST_CASE("account.private_selection.a law by itself takes the work of one answer") {
  const Neighbours pairs{Relation::add_remove, 2};
  Composition run(pairs);
  run.add(poisson_sampled(TruncatedConcentratedDp{.rho = 0.1, .omega = 1.01}, 1e-6), 1000);
  const double before = Work::taken(), of_an_answer = Work::left();
  const Mechanism best = private_selection(run, {.gamma = 0.25});
  CHECK(best.under(pairs).pair(Direction::remove)->range().highest > 0);
  CHECK(Work::taken() - before < 1.5 * of_an_answer);
}

// Its law is a bound by whichever of the sums are made.
TEST_CASE("account.private_selection.a Poisson number is summed as far as there is work") {
  const Composition run = Composition().add(Gaussian{.sigma = 4});
  const Tries tries{.law = Tries::Law::poisson, .mean = 10};
  const auto found = [&] { return epsilon(Composition().add(private_selection(run, tries)), {.delta = 1e-6}).upper; };
  const Question question;
  const double with_all = found(), whole = Work::left();
  CHECK(found() == with_all);
  CHECK(Work::left() < whole - 5e5);
  const PartOfQuestion little(1000);
  CHECK(found() > with_all);
}
