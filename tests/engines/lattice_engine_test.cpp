#include "engines/tilted_lattice/lattice_engine.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"
#include "support/lattice_log_delta.hpp"
#include "support/truth.hpp"

namespace pld::test {
namespace {

Terms terms_of(const Composition& composition, Direction direction) {
  Terms terms;
  for (const Release& r : composition.releases()) terms.push_back({r.mechanism.pair(direction), r.count});
  return terms;
}

double largest_loss(const Terms& terms) {
  double sum = 0;
  for (const Term& t : terms) sum += static_cast<double>(t.count) * t.pair->range().highest;
  return sum;
}

bool ordered(const Bracket& b) { return b.lower <= b.estimate && b.estimate <= b.upper; }

// ---------------------------------------------------------------- rows computed elsewhere

/// Decimals of the file as doubles: parameters, epsilon and delta move by a relative u each, answers by less than this.
double decimal_doubt(double truth) { return 1e-13 * (1 + std::fabs(truth)); }

void check_row(const TruthRow& row, double tolerance) {
  CAPTURE(row.name);
  const Direction direction = row.direction == DirectionChoice::add ? Direction::add : Direction::remove;
  const Terms terms = terms_of(row.composition, direction);
  const auto epsilon = static_cast<double>(row.epsilon), log_delta = static_cast<double>(log(row.delta));
  if (row.delta < 1 - Real(1e-12)) {  // else the delta asked for is 1
    const Bracket found = lattice_epsilon_of(terms, log_delta, tolerance).value;
    CHECK(ordered(found));
    CHECK_INSIDE((Bracket{found.lower - decimal_doubt(epsilon), 0, found.upper + decimal_doubt(epsilon)}), epsilon);
  }
  const Bracket found = lattice_log_delta(terms, epsilon, 10 * tolerance).value;
  CHECK(ordered(found));
  CHECK_INSIDE((Bracket{found.lower - decimal_doubt(log_delta), 0, found.upper + decimal_doubt(log_delta)}), log_delta);
}

/// Mass at +inf is the caller's business: those rows are asked for through queries (readout/query_test.cpp).
bool has_mass_at_infinity(const TruthRow& row) {
  const Terms terms = terms_of(row.composition, Direction::remove);
  return std::any_of(terms.begin(), terms.end(),
                     [](const Term& t) { return t.pair->log_mass_at_plus_infinity() > -infinity; });
}

bool takes_long(const TruthRow& row) { return row.releases >= 1'000'000 || row.composition.releases().size() > 100; }

TEST_CASE("compose.lattice_engine.holds_the_truth_of_every_row") {
  for (const TruthRow& row : truth_rows())
    if (!takes_long(row) && !has_mass_at_infinity(row)) check_row(row, 1e-3);
}

TEST_CASE("compose.lattice_engine.holds_the_truth_of_every_long_row" * doctest::test_suite("slow")) {
  for (const TruthRow& row : truth_rows())
    if (takes_long(row)) check_row(row, 1e-2);
}

// ---------------------------------------------------------------- exact sums

struct ExactCase {
  std::string name;
  Composition composition;
  Direction direction = Direction::remove;
  std::function<Outcomes()> outcomes;
};

std::vector<ExactCase> exact_cases() {
  const auto once = [](const Mechanism& m, std::int64_t count) { return Composition().add(m, count); };
  std::vector<ExactCase> cases;
  for (const double p : {0.75, 0.5000001, 1 - 1e-9, 0.1})
    for (const std::int64_t k : {1, 2, 100, 1000})
      cases.push_back({"randomized response " + digits(p) + " x " + std::to_string(k), once(RandomizedResponse{p}, k),
                       Direction::remove, [=] { return repeated(randomized_response(p), k); }});
  for (const double a : {0.03, 1.0, 20.0})
    for (const int s : {1, 3, 7})
      cases.push_back({"discrete Laplace " + digits(a) + " s " + std::to_string(s),
                       once(DiscreteLaplace{a, double(s)}, 40), Direction::remove,
                       [=] { return repeated_on_lattice(discrete_laplace(a, s), 40); }});
  for (const double sigma : {0.3, 1.0, 3.0})
    cases.push_back(
        {"discrete Gaussian " + digits(sigma), once(DiscreteGaussian{sigma, 2}, 12), Direction::remove,
         [=] { return repeated_on_lattice(discrete_gaussian(sigma, 2, static_cast<int>(45 * sigma)), 12); }});
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const std::string side = std::string(" ") + name(direction);
    for (const double q : {1e-6, 0.03, 0.9}) {
      cases.push_back({"sampled randomized response" + side + digits(q),
                       once(poisson_sampled(RandomizedResponse{0.8}, q), 60), direction,
                       [=] { return repeated(sampled(randomized_response(0.8), q, direction), 60); }});
      cases.push_back({"sampled discrete Laplace" + side + digits(q),
                       once(poisson_sampled(DiscreteLaplace{0.7, 3}, q), 20), direction,
                       [=] { return repeated(sampled(discrete_laplace(0.7, 3), q, direction), 20); }});
      cases.push_back({"two sampled discrete Laplaces" + side + digits(q),
                       once(poisson_sampled(DiscreteLaplace{2.5, 4}, q), 2), direction,
                       [=] { return repeated(sampled(discrete_laplace(2.5, 4), q, direction), 2); }});
    }
    cases.push_back({"incommensurate atoms" + side,
                     Composition()
                         .add(RandomizedResponse{0.7}, 15)
                         .add(DiscreteLaplace{0.31, 2}, 9)
                         .add(poisson_sampled(RandomizedResponse{0.9}, 0.2), 12),
                     direction, [=] {
                       return composed(
                           composed(repeated(randomized_response(0.7), 15), repeated(discrete_laplace(0.31, 2), 9)),
                           repeated(sampled(randomized_response(0.9), 0.2, direction), 12));
                     }});
  }
  return cases;
}

/// Epsilons across the whole range, more of them near the largest loss, where delta is smallest.
std::vector<double> epsilons_to(double largest) {
  std::vector<double> out;
  for (const double share : {-0.9, -0.3, 1e-9, 0.2, 0.5, 0.8, 0.97, 0.999}) out.push_back(share * largest);
  return out;
}

TEST_CASE("compose.lattice_engine.delta_holds_exact_sums") {
  for (const ExactCase& c : exact_cases()) {
    const OutcomeProfile exact(c.outcomes());
    const Terms terms = terms_of(c.composition, c.direction);
    for (const double epsilon : epsilons_to(static_cast<double>(exact.largest_loss()))) {
      CAPTURE(c.name);
      CAPTURE(epsilon);
      const Bracket found = lattice_log_delta(terms, epsilon, 1e-3).value;
      CHECK(ordered(found));
      const Real truth = log(exact(epsilon));
      const Real digits(1e-45);  // that the sums are good for
      CHECK(Real(found.lower) <= truth + digits);
      CHECK(truth <= Real(found.upper) + digits);
    }
  }
}

TEST_CASE("compose.lattice_engine.epsilon_holds_exact_sums") {
  for (const ExactCase& c : exact_cases()) {
    const OutcomeProfile exact(c.outcomes());
    const Terms terms = terms_of(c.composition, c.direction);
    for (const double log_delta : {-0.2, -2.0, -14.0, -60.0, -690.0}) {
      CAPTURE(c.name);
      CAPTURE(log_delta);
      const Bracket found = lattice_epsilon_of(terms, log_delta, 1e-4).value;
      CHECK(ordered(found));
      // The profile falls: it is at or above delta at the lower end, at or below at the upper end.
      const Real delta = exp(Real(log_delta));
      if (found.lower > -infinity) CHECK(exact(found.lower) >= delta);
      if (found.upper < infinity) CHECK(exact(found.upper) <= delta);
    }
  }
}

// ---------------------------------------------------------------- what every answer keeps

std::vector<Composition> varied_compositions() {
  return {Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000),
          Composition().add(poisson_sampled(Gaussian{.sigma = 4}, 0.00033), 10000),
          Composition().add(Laplace{.scale = 3}, 30),
          Composition().add(Laplace{.scale = 1.7}, 12).add(Laplace{.scale = 2.9}, 7),
          Composition().add(poisson_sampled(Laplace{.scale = 0.6}, 0.04), 50),
          Composition().add(Gaussian{.sigma = 5}, 10).add(RandomizedResponse{0.7}, 3),
          Composition().add(DiscreteGaussian{3, 2}, 50),
          Composition().add(poisson_sampled(DiscreteLaplace{0.4, 3}, 0.3), 25)};
}

TEST_CASE("compose.lattice_engine.a_quarter_of_the_tolerance_overlaps_and_is_narrower") {
  for (const Composition& composition : varied_compositions()) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Terms terms = terms_of(composition, direction);
      for (const double log_delta : {-7.0, -40.0}) {
        CAPTURE(composition.releases()[0].mechanism.text());
        CAPTURE(log_delta);
        const EngineAnswer wide = lattice_epsilon_of(terms, log_delta, 4e-3),
                           narrow = lattice_epsilon_of(terms, log_delta, 1e-3);
        CHECK(wide.converged);
        CHECK(narrow.converged);
        CHECK(narrow.value.width() <= std::max(1e-3 * std::fabs(narrow.value.estimate), 1e-9));
        CHECK(narrow.value.lower <= wide.value.upper);
        CHECK(wide.value.lower <= narrow.value.upper);
        // Within rounding of the largest loss no digit of delta is certain.
        const double epsilon = narrow.value.estimate;
        if (largest_loss(terms) - epsilon < 1e-9) continue;
        const EngineAnswer delta_wide = lattice_log_delta(terms, epsilon, 0.04),
                           delta_narrow = lattice_log_delta(terms, epsilon, 0.01);
        CHECK(delta_narrow.converged);
        CHECK(delta_narrow.value.width() <= 0.01);
        CHECK(delta_narrow.value.lower <= delta_wide.value.upper);
        CHECK(delta_wide.value.lower <= delta_narrow.value.upper);
        // At an epsilon within the first bracket the profile passes through delta.
        CHECK(lattice_log_delta(terms, narrow.value.lower, 0.01).value.upper >= log_delta);
        CHECK(lattice_log_delta(terms, narrow.value.upper, 0.01).value.lower <= log_delta);
      }
    }
  }
}

TEST_CASE("compose.lattice_engine.both_bounds_fall_with_epsilon") {
  for (const Composition& composition : varied_compositions()) {
    const Terms terms = terms_of(composition, Direction::remove);
    const double low = lattice_epsilon_of(terms, -0.7, 1e-2).value.estimate,
                 high = lattice_epsilon_of(terms, -80, 1e-2).value.estimate;
    Bracket last{infinity, infinity, infinity};
    for (int i = 0; i <= 8; ++i) {
      CAPTURE(composition.releases()[0].mechanism.text());
      CAPTURE(i);
      const Bracket now = lattice_log_delta(terms, low + (high - low) * i / 8, 1e-3).value;
      CHECK(now.upper <= last.upper);
      CHECK(now.lower <= last.lower);
      last = now;
    }
  }
}

TEST_CASE("compose.lattice_engine.directions_are_each_other_swapped") {
  // H_{e^eps}(P||Q) = 1 - e^eps + e^eps H_{e^-eps}(Q||P).
  for (const Composition& composition : varied_compositions()) {
    const Terms remove = terms_of(composition, Direction::remove), add = terms_of(composition, Direction::add);
    const double near = lattice_epsilon_of(remove, -2, 1e-2).value.estimate;
    for (const double epsilon : {-2 * near, -near, 0.0, 0.1 * near, near}) {
      CAPTURE(composition.releases()[0].mechanism.text());
      CAPTURE(epsilon);
      const Bracket here = lattice_log_delta(remove, epsilon, 1e-4).value,
                    there = lattice_log_delta(add, -epsilon, 1e-4).value;
      const Real growth = exp(Real(epsilon));
      const Real low = 1 - growth + growth * exp(Real(there.lower)),
                 high = 1 - growth + growth * exp(Real(there.upper));
      const Real lower = exp(Real(here.lower)), upper = exp(Real(here.upper));
      CHECK(low <= upper);
      CHECK(lower <= high);
    }
  }
}

TEST_CASE("compose.lattice_engine.one_release_agrees_with_the_closed_form") {
  const std::vector<Mechanism> mechanisms = {Gaussian{.sigma = 0.01},
                                             Gaussian{.sigma = 1e6},
                                             Gaussian{.sigma = 1.3},
                                             Laplace{.scale = 0.7},
                                             Laplace{.scale = 1e4},
                                             DiscreteGaussian{2.5, 3},
                                             poisson_sampled(Gaussian{.sigma = 0.5}, 0.01),
                                             poisson_sampled(Laplace{.scale = 0.2}, 0.3)};
  for (const Mechanism& mechanism : mechanisms) {
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const Composition once = Composition().add(mechanism);
      const DirectionChoice choice = direction == Direction::add ? DirectionChoice::add : DirectionChoice::remove;
      for (const double delta : {0.3, 1e-2, 1e-8, 1e-90}) {
        CAPTURE(mechanism.text());
        CAPTURE(delta);
        const Answer closed = epsilon(once, {.delta = delta, .direction = choice, .engine = Engine::closed_form});
        const Answer lattice = epsilon(once, {.delta = delta, .direction = choice, .engine = Engine::lattice});
        CHECK(lattice.converged);
        CHECK(lattice.lower <= closed.upper);
        CHECK(closed.lower <= lattice.upper);
      }
    }
  }
}

// ---------------------------------------------------------------- where others break

Bracket epsilon_at(const Composition& composition, double delta, double tolerance = 1e-4) {
  return epsilon(
      composition,
      {.delta = delta, .tolerance = tolerance, .direction = DirectionChoice::remove, .engine = Engine::lattice});
}

TEST_CASE("compose.lattice_engine.ten_thousand_steps_of_dp_sgd_are_not_below_the_truth") {
  // An untilted transform drowns in its round-off here: composed masses of -1e-12 put a "pessimistic" 9.31469 below the
  // truth.
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 1}, 0.01), 10000);
  CHECK_INSIDE(epsilon_at(run, 1e-10), 9.31613852588233);
  CHECK_INSIDE(epsilon_at(run, 1e-6), 6.907384);
  CHECK(epsilon_at(run, 1e-10).width() <= 1e-4 * 9.4);
}

TEST_CASE("compose.lattice_engine.tiny_deltas_have_finite_epsilons") {
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000);
  double last = 0;
  for (const double delta : {1e-10, 1e-15, 1e-25, 1e-80, 1e-300}) {
    const Bracket found = epsilon_at(run, delta, 1e-3);
    CHECK(found.upper < infinity);
    CHECK(found.lower > last);
    CHECK(found.width() <= 1e-3 * found.estimate);
    last = found.upper;
  }
}

TEST_CASE("compose.lattice_engine.counts_of_randomized_response_are_not_dropped") {
  const Bracket hundred = epsilon_at(Composition().add(RandomizedResponse{0.75}, 100), 1e-6);
  CHECK(hundred.lower > 94.28);
  CHECK(hundred.upper < 94.30);
  const Bracket thousand = epsilon_at(Composition().add(RandomizedResponse{0.75}, 1000), 1e-6);
  CHECK(thousand.lower > 687.26);
  CHECK(thousand.upper < 687.27);
}

TEST_CASE("compose.lattice_engine.rare_large_losses_do_not_widen_the_bracket") {
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 4}, 0.00033), 10000);
  struct Row {
    double delta, epsilon;
  };
  for (const Row& row :
       {Row{1e-6, 0.027958}, Row{1e-10, 0.044539}, Row{1e-15, 0.059699}, Row{1e-25, 0.082580049454844589}}) {
    const Bracket found = epsilon_at(run, row.delta);
    CHECK(std::fabs(found.estimate - row.epsilon) <= 1e-6 + 1e-4 * row.epsilon);
    CHECK(found.width() <= 1e-4 * row.epsilon);
  }
}

// A leak that a sample makes a large finite loss: an atom of most of the mass, and one of 1e-10 far above it or right
// beside epsilon.
TEST_CASE("compose.lattice_engine.a_few_atoms_far_apart") {
  struct Case {
    double epsilon_0, delta_0, q, epsilon;
  };
  for (const Case& c :
       {Case{3, 1e-10, 0.999, 2}, Case{3, 1e-5, 0.999, 3}, Case{3, 1e-10, 0.9, 2}, Case{1, 1e-10, 0.999, 2}}) {
    CAPTURE(c.delta_0);
    CAPTURE(c.epsilon);
    const Mechanism released = poisson_sampled(ApproximateDp{.epsilon = c.epsilon_0, .delta = c.delta_0}, c.q);
    const EngineAnswer found = lattice_log_delta({{released.pair(Direction::add), 2}}, c.epsilon, 1e-3);
    const Outcomes one = sampled(leaky(c.epsilon_0, c.delta_0), c.q, Direction::add);
    CHECK_INSIDE(found.value, static_cast<double>(log(OutcomeProfile(composed(one, one))(c.epsilon))));
    CHECK(found.converged);
  }
}

TEST_CASE("compose.lattice_engine.a_million_steps_cost_no_more_than_a_thousand" * doctest::test_suite("slow")) {
  const Bracket found = epsilon_at(Composition().add(poisson_sampled(Gaussian{.sigma = 10}, 0.1), 1000000), 1e-6, 1e-3);
  CHECK_INSIDE(found, 97.04731);
  CHECK(found.width() <= 1e-3 * 97.1);
}

TEST_CASE("compose.lattice_engine.a_mixed_workload") {
  Composition run;
  for (int i = 0; i < 20; ++i) run.add(Gaussian{.sigma = 20.0 + i});
  run.add(Laplace{.scale = 50}, 200).add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000);
  CHECK_INSIDE(epsilon_at(run, 1e-6), 2.361922);
  CHECK_INSIDE(epsilon_at(run, 1e-25), 10.389987);
}

TEST_CASE("compose.lattice_engine.large_epsilon_and_small_sigma_give_numbers") {
  const Composition loud = Composition().add(poisson_sampled(Gaussian{.sigma = 0.05}, 0.5), 20);
  for (const double delta : {1e-3, 1e-12, 1e-200}) {
    const Bracket found = epsilon_at(loud, delta, 1e-3);
    CHECK(std::isfinite(found.lower));
    CHECK(std::isfinite(found.upper));
    CHECK(found.width() <= 1e-3 * found.estimate);
  }
}

TEST_CASE("compose.lattice_engine.a_hit_as_loud_as_no_double_resolves_costs_its_chance") {
  // Any hit is told from none, and its loss is known to no digit: delta is P(any hit) less e^0.1 Q's share, which is
  // nothing.
  const double sigma = 4.67e-62, q = 3.04e-19, count = 106;
  const Composition run =
      Composition().add(poisson_sampled(Gaussian{.sigma = sigma}, q), static_cast<std::int64_t>(count));
  const Bracket found = lattice_log_delta(terms_of(run, Direction::remove), 0.1, 1e-3).value;
  CHECK_INSIDE(found, std::log(-std::expm1(count * std::log1p(-q))));
  CHECK(found.width() <= 1e-12);
}

TEST_CASE("compose.lattice_engine.atoms_as_far_apart_as_no_tilt_resolves") {
  // All 107 losses of the second kind are the positive ones but for e^-8e202: nothing less than their sum will do.
  const double loss = 8e202;
  const Composition run =
      Composition().add(ApproximateDp{.epsilon = 2.7e-10}, 107).add(ApproximateDp{.epsilon = loss}, 107);
  const Bracket found = epsilon_at(run, 2.7e-10);
  CHECK_INSIDE(found, 107 * loss);
  CHECK(found.width() <= 1e-10 * found.estimate);
}

TEST_CASE("compose.lattice_engine.more_atoms_than_can_be_handled_leave_basic_composition") {
  // A sampling rate so low that the base's losses matter up to 450: 1.5e8 atoms of it. At a loss far below that of any
  // hit delta is the chance of one times the total variation: 1 - (1 - q)^count is q count to 1e-187 of itself.
  const double sigma = 591.1, q = 1.93e-197, count = 1e10;
  const Composition run =
      Composition().add(poisson_sampled(DiscreteGaussian{.sigma = sigma}, q), static_cast<std::int64_t>(count));
  const double variation =
      1 / (sigma * std::sqrt(2 * std::numbers::pi));  // the mass at 0; Poisson summation: no other term above e^-1e6
  const double log_truth = std::log(q * count * variation);
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const Bracket found = lattice_log_delta(terms_of(run, direction), 1e-220, 1e-3).value;
    CHECK(ordered(found));
    CHECK(found.upper >= log_truth - 1e-12);
    CHECK(found.upper <= log_truth + 1e-9);
    const Bracket back = lattice_epsilon_of(terms_of(run, direction), log_truth + 1e-9, 1e-3).value;
    CHECK(ordered(back));
    CHECK(back.upper <= 1e-11);
    CHECK(lattice_epsilon_of(terms_of(run, direction), log_truth - 1e-9, 1e-3).value.upper > 0);
  }
}

// ---------------------------------------------------------------- tables of thousands of outcomes

/// delta(epsilon) of two releases of a table: over the second one's outcomes with a large enough loss, by sums from the
/// largest loss down.
Real delta_of_two(const Outcomes& table, const Real& epsilon) {
  Outcomes sorted = table;
  std::sort(sorted.begin(), sorted.end(), [](const Outcome& a, const Outcome& b) { return a.p * b.q > b.p * a.q; });
  const Real factor = exp(epsilon);
  Real delta = 0, p = 0, q = 0;
  std::size_t taken = 0;
  for (auto first = sorted.rbegin(); first != sorted.rend(); ++first) {
    for (; taken < sorted.size() && first->p * sorted[taken].p > factor * first->q * sorted[taken].q; ++taken)
      p += sorted[taken].p, q += sorted[taken].q;
    // The losses of `first` rise: what was enough before is enough now.
    delta += first->p * p - factor * first->q * q;
  }
  return delta;
}

TEST_CASE("compose.lattice.tables_of_thousands_of_outcomes_are_narrow") {
  std::mt19937_64 random(5);
  MassTable table;
  double p = 0, q = 0;
  for (int i = 0; i < 4000; ++i) {
    table.p.push_back(std::uniform_real_distribution(0.01, 1.0)(random));
    table.q.push_back(table.p.back() * std::exp(std::normal_distribution(0.0, 0.3)(random)));
    p += table.p.back(), q += table.q.back();
  }
  for (double& x : table.p) x /= p;
  for (double& x : table.q) x /= q;
  Real sum_p = 0, sum_q = 0;
  for (const double x : table.p) sum_p += x;
  for (const double x : table.q) sum_q += x;
  Outcomes outcomes;
  for (std::size_t i = 0; i < table.p.size(); ++i) outcomes.push_back({table.p[i] / sum_p, table.q[i] / sum_q});
  const Terms twice{{dominating_pair(table, Direction::remove), 2}};
  for (const double log_delta : {-3.0, -14.0, -20.0}) {
    const EngineAnswer found = lattice_epsilon_of(twice, log_delta, 1e-4);
    CHECK(found.converged);
    CHECK(log(delta_of_two(outcomes, found.value.lower)) >= log_delta);
    CHECK(log(delta_of_two(outcomes, found.value.upper)) <= log_delta);
  }
}

}  // namespace
}  // namespace pld::test
