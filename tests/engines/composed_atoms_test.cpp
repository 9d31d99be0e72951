// All outcomes of few losses, against 50-digit sums over the releases one after the other.
#include "engines/closed_form/composed_atoms.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/closed_form/sorted_outcomes.hpp"
#include "engines/question.hpp"
#include "engines/rare_hits.hpp"
#include "pld/account/query.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/epsilon_of.hpp"
#include "support/exact_laws.hpp"

using namespace pld;
using test::Draw;
using test::Outcomes;
using test::Real;

namespace {

struct Release {
  Mechanism mechanism;
  Outcomes law;
};

Release table(Draw& draw) {
  std::vector<double> p, q;
  double p_sum = 0, q_sum = 0;
  for (int cells = draw.whole(2, 3); cells > 0; --cells) {
    p.push_back(draw.log_uniform(1e-9, 1)), q.push_back(draw.log_uniform(1e-9, 1));
    p_sum += p.back(), q_sum += q.back();
  }
  for (double& x : p) x /= p_sum;
  for (double& x : q) x /= q_sum;
  return {MassTable{.p = p, .q = q}, test::law_of(p, q).outcomes};
}

Release release(Draw& draw) {
  switch (draw.whole(0, 2)) {
    case 0: {
      const double epsilon = draw.log_uniform(1e-4, 10), delta = draw.whole(0, 1) * draw.log_uniform(1e-20, 0.1);
      return {ApproximateDp{.epsilon = epsilon, .delta = delta}, test::leaky(epsilon, delta)};
    }
    case 1: {
      const int k = draw.whole(2, 3);
      const double truth = 1 - draw.log_uniform(1e-9, 0.4);
      return {RandomizedResponse{.p = truth, .k = static_cast<double>(k)}, test::randomized_response(truth, k)};
    }
    default:
      return table(draw);
  }
}

/// A few releases in one direction, some of them on samples, and all their outcomes.
struct Case {
  Terms terms;
  Outcomes outcomes{{1, 1}};
  double loss_error = 0;

  explicit Case(Draw& draw) {
    const Direction direction = draw.whole(0, 1) ? Direction::remove : Direction::add;
    for (int kinds = draw.whole(1, 2); kinds > 0; --kinds) {
      const Release one = release(draw);
      const double rate = draw.whole(0, 1) ? 1 : draw.log_uniform(1e-4, 1);
      const Mechanism mechanism = rate == 1 ? one.mechanism : poisson_sampled(one.mechanism, rate);
      const PairPtr pair = mechanism.pair(direction);
      const auto [lowest, highest] = pair->range();
      terms.push_back({pair, draw.whole(1, 3)});
      loss_error += 3 * (2 * pair->loss_error({lowest, highest}) + 8 * unit_roundoff * std::fmax(-lowest, highest));
      for (std::int64_t i = 0; i < terms.back().count; ++i)
        outcomes = test::composed(outcomes, test::sampled(one.law, rate, direction));
    }
  }
};

/// Another pair's atoms, as far off as a pair's may be.
class OffBy final : public DominatingPair {
 public:
  OffBy(PairPtr exact, double sign) : exact_(std::move(exact)), sign_(sign) {}
  [[nodiscard]] double log_mass_at_plus_infinity() const override { return off(exact_->log_mass_at_plus_infinity()); }
  [[nodiscard]] LossRange range() const override { return exact_->range(); }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override {
    std::vector<LossCell> all = exact_->atoms(within);
    for (LossCell& atom : all) {
      atom.log_mass = off(atom.log_mass);
      atom.loss += 0.9 * sign_ * loss_error({});
    }
    return all;
  }
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double z) const override { return exact_->above(z); }
  [[nodiscard]] LossCell below(double z) const override { return exact_->below(z); }
  [[nodiscard]] double loss_error(LossRange) const override { return 1e-14; }
  [[nodiscard]] std::vector<LossCell> outline() const override { return exact_->outline(); }

 private:
  /// The exact pair's own error is far less.
  [[nodiscard]] double off(double log_mass) const {
    return log_mass == -infinity ? log_mass : log_mass + sign_ * 15 * unit_roundoff * (1 + std::fabs(log_mass));
  }
  PairPtr exact_;
  double sign_;
};

/// Whether the bounds of a law hold the profile's delta at epsilon, and 1 - delta.
template <class Law>
void check_bounds(const Law& law, double epsilon, const Real& delta) {
  const Real complement = 1 - delta;
  CHECK(Real(law.log_delta(epsilon, Side::lower)) <= log(delta));
  const double upper = law.log_delta(epsilon, Side::upper);
  CHECK((Real(upper) >= log(delta) || upper == 0));
  CHECK(Real(law.log_complement(epsilon, Side::lower)) <= log(complement));
  const double most = law.log_complement(epsilon, Side::upper);
  CHECK((Real(most) >= log(complement) || most == 0));
}

bool takes(const Mechanism& mechanism, std::int64_t count) {
  return ComposedAtoms::takes({{mechanism.pair(Direction::remove), count}});
}

}  // namespace

TEST_CASE("compose.composed_atoms.hold_50_digit_sums") {
  Draw draw(21);
  int tiny = 0, next_to_1 = 0, infinite = 0;
  for (int i = 0; i < 600; ++i) {
    const Case c(draw);
    const test::OutcomeProfile truth(c.outcomes);
    CAPTURE(i);
    REQUIRE(ComposedAtoms::takes(c.terms));
    const ComposedAtoms composed(c.terms);
    const auto sorted = SortedOutcomes::of(c.terms);
    REQUIRE(sorted);
    const auto largest = static_cast<double>(truth.largest_loss());
    for (const double share : {-0.7, 0.0, 0.3, 0.8, 0.99}) {
      const double epsilon = share * std::fabs(largest);
      CAPTURE(epsilon);
      const Real delta = truth(epsilon), complement = 1 - delta;
      if (delta < 1e-40 || complement < 1e-40) continue;
      tiny += delta < 1e-12, next_to_1 += complement<1e-12, infinite += truth.infinite()> 0;
      check_bounds(composed, epsilon, delta);
      check_bounds(*sorted, epsilon, delta);
      CHECK(sorted->log_complement(epsilon, Side::upper) - sorted->log_complement(epsilon, Side::lower) <=
            1e-11 * (1 - static_cast<double>(log(complement))));
      const double lower = composed.log_delta(epsilon, Side::lower), upper = composed.log_delta(epsilon, Side::upper);
      // No wider than the errors of up to six losses and masses, 20 u (1 + |log|) of each.
      const Real masses = 1e-13 * (1 - log(delta));
      CHECK(upper <= log(truth(epsilon - c.loss_error)) + masses);
      if (const Real inner = truth(epsilon + c.loss_error); inner > 1e-40) CHECK(lower >= log(inner) - masses);
      const double least = composed.log_complement(epsilon, Side::lower),
                   most = composed.log_complement(epsilon, Side::upper);
      CHECK(most - least <= 1e-12 * (1 - static_cast<double>(log(complement))));
    }
  }
  CHECK(tiny > 20);
  CHECK(next_to_1 > 20);
  CHECK(infinite > 200);
}

TEST_CASE("compose.composed_atoms.epsilons_hold_50_digit_sums") {
  Draw draw(22);
  int finite = 0;
  for (int i = 0; i < 300; ++i) {
    const Case c(draw);
    const test::OutcomeProfile truth(c.outcomes);
    const double log_delta = -draw.log_uniform(1e-3, 80);
    if (Real(log_delta) < log(truth.infinite() + Real(1e-40))) continue;
    ++finite;
    CAPTURE(i);
    CAPTURE(log_delta);
    const Bracket epsilon = *epsilon_of(closed_form_piece(c.terms), log_delta);
    if (epsilon.lower > -INFINITY) CHECK(truth(epsilon.lower) >= exp(Real(log_delta)));
    CHECK(truth(epsilon.upper) <= exp(Real(log_delta)));
  }
  CHECK(finite > 150);
}

TEST_CASE("compose.composed_atoms.a_thousand_outcomes_of_many_releases") {
  Draw draw(23);
  for (int i = 0; i < 20; ++i) {
    const double truth = draw.uniform(0.5, 0.99);
    const test::OutcomeProfile exact(test::repeated(test::randomized_response(truth), 999));
    const ComposedAtoms composed({{Mechanism(RandomizedResponse{.p = truth}).pair(Direction::remove), 999}});
    const double epsilon = draw.uniform(-0.2, 0.9) * static_cast<double>(exact.largest_loss());
    const Real log_delta = log(exact(epsilon));
    const double lower = composed.log_delta(epsilon, Side::lower), upper = composed.log_delta(epsilon, Side::upper);
    CAPTURE(truth);
    CAPTURE(epsilon);
    CHECK(Real(lower) <= log_delta);
    CHECK((Real(upper) >= log_delta || upper == 0));
    // No wider than the errors of 999 losses and masses, 20 u (1 + |log|) of each, and of the factorials make it.
    const double masses = 999 * 20 * unit_roundoff * (1 - std::log1p(-truth)),
                 factorials = 2 * std::lgamma(1000) * 3 * unit_roundoff;
    const double loss = std::log(truth / (1 - truth)), loss_error = 999 * 12 * unit_roundoff * (1 + loss);
    CHECK(upper <= log(exact(epsilon - loss_error)) + 1.2 * (masses + factorials));
    CHECK(lower >= log(exact(epsilon + loss_error)) - 1.2 * (masses + factorials));
  }
}

TEST_CASE("compose.composed_atoms.hold_what_pairs_may_be_off_by") {
  Draw draw(24);
  for (int i = 0; i < 200; ++i) {
    const double leak = draw.whole(0, 1) * draw.log_uniform(1e-12, 0.9), size = draw.uniform(0.5, 3);
    const double sign = draw.whole(0, 1) ? 1 : -1;
    const int count = draw.whole(1, 5);
    const PairPtr exact = Mechanism(ApproximateDp{.epsilon = size, .delta = leak}).pair(Direction::remove);
    const test::OutcomeProfile truth(test::repeated(test::leaky(size, leak), count));
    const ComposedAtoms composed({{std::make_shared<OffBy>(exact, sign), count}});
    for (const double share : {-0.5, 0.1, 0.6, 0.999}) {
      const double epsilon = share * size * count;
      CAPTURE(i);
      CAPTURE(epsilon);
      const Real delta = truth(epsilon);
      check_bounds(composed, epsilon, delta);
      check_bounds(*SortedOutcomes::of({{std::make_shared<OffBy>(exact, sign), count}}), epsilon, delta);
    }
    // Beyond the largest loss there is what infinite ones leave.
    const double beyond = 2 * size * count;
    CHECK((leak == 0 || Real(composed.log_delta(beyond, Side::lower)) <= log(truth.infinite())));
    CHECK((leak == 0 || Real(composed.log_delta(beyond, Side::upper)) >= log(truth.infinite())));
  }
}

TEST_CASE("compose.sorted_outcomes.errors_of_masses_add_up_over_releases") {
  constexpr int count = 400;
  const PairPtr exact = Mechanism(RandomizedResponse{.p = 0.7}).pair(Direction::remove);
  const test::OutcomeProfile truth(test::repeated(test::randomized_response(0.7), count));
  for (const double sign : {-1.0, 1.0}) {
    const auto sorted = SortedOutcomes::of({{std::make_shared<OffBy>(exact, sign), count}});
    for (const double epsilon : {100.0, 140.0, 200.0}) check_bounds(*sorted, epsilon, truth(epsilon));
  }
}

TEST_CASE("compose.composed_atoms.all_losses_infinite") {
  const ComposedAtoms composed({{Mechanism(ApproximateDp{.epsilon = 1, .delta = 1}).pair(Direction::remove), 2},
                                {Mechanism(RandomizedResponse{.p = 0.75}).pair(Direction::remove), 3}});
  CHECK(composed.log_delta(0.5, Side::lower) >= -1e-13);
  CHECK(composed.log_complement(0.5, Side::upper) == -INFINITY);
}

TEST_CASE("compose.composed_atoms.only_few_outcomes_are_listed") {
  CHECK_FALSE(takes(RandomizedResponse{.p = 0.75}, 1000));
  CHECK(takes(RandomizedResponse{.p = 0.75}, 999));
  CHECK_FALSE(takes(RandomizedResponse{.p = 0.75, .k = 3}, 44));  // 45 * 46 / 2
  CHECK(takes(RandomizedResponse{.p = 0.75, .k = 3}, 43));
  CHECK(takes(ApproximateDp{.epsilon = 0}, 1000));  // one outcome
  CHECK_FALSE(takes(ApproximateDp{.epsilon = 0}, 1001));
  CHECK_FALSE(takes(DiscreteGaussian{.sigma = 0.1}, 2));  // losses without end
  CHECK_FALSE(takes(DiscreteLaplace{.a = 1, .sensitivity = 1e6}, 2));
  CHECK_FALSE(takes(Gaussian{.sigma = 1}, 2));
  const PairPtr no_loss = Mechanism(ApproximateDp{.epsilon = 0}).pair(Direction::remove);
  CHECK_FALSE(ComposedAtoms::takes({{no_loss, 1}, {Mechanism(Laplace{.scale = 1}).pair(Direction::remove), 1}}));
  std::vector<double> p(1500), q(1500);
  for (int i = 0; i < 1500; ++i) p[i] = 2 * (i + 0.5) / (1500 * 1500.0), q[i] = 1 / 1500.0;
  CHECK_FALSE(takes(MassTable{.p = p, .q = q}, 1));  // more than its outline shows
}

namespace {

/// delta(epsilon) of a table of three cells, so many times, by 50-digit sums over how often each cell occurs.
struct ThreeCells {
  std::vector<double> p, q;
  int count;

  [[nodiscard]] Real operator()(double epsilon) const {
    const Real e = exp(Real(epsilon));
    Real sum = 0, p_first = 1, q_first = 1;  // C(n, i) p_0^i and q_0^i
    for (int i = 0; i <= count; ++i) {
      Real p_both = p_first * pow(Real(p[2]), count - i), q_both = q_first * pow(Real(q[2]), count - i);
      for (int j = 0; j <= count - i; ++j) {
        if (p_both > e * q_both) sum += p_both - e * q_both;
        const Real more = Real(count - i - j) / (j + 1);
        p_both *= more * p[1] / p[2], q_both *= more * q[1] / q[2];
      }
      const Real more = Real(count - i) / (i + 1);
      p_first *= more * p[0], q_first *= more * q[0];
    }
    return sum;
  }
};

}  // namespace

TEST_CASE("compose.sorted_outcomes.tens_of_thousands_hold_50_digit_sums") {
  // The rare cells' outcomes are listed as far as they matter, or not so far where there would be too many.
  for (const ThreeCells& table : {ThreeCells{{0.5, 0.3125, 0.1875}, {0.375, 0.5, 0.125}, 200},
                                  ThreeCells{{0.015625, 0.03125, 0.953125}, {0.0078125, 0.0625, 0.9296875}, 500},
                                  ThreeCells{{0.25, 0.4375, 0.3125}, {0.375, 0.3125, 0.3125}, 300}}) {
    const Terms terms{{Mechanism(MassTable{.p = table.p, .q = table.q}).pair(Direction::remove), table.count}};
    REQUIRE(outcomes_may_be_listed(terms));
    const auto sorted = SortedOutcomes::of(terms);
    REQUIRE(sorted);
    for (const double epsilon : {-3.0, 0.0, 2.5, 7.0, 20.0}) {
      CAPTURE(table.count);
      CAPTURE(epsilon);
      const Real delta = table(epsilon);
      check_bounds(*sorted, epsilon, delta);
      CHECK(sorted->log_delta(epsilon, Side::upper) - sorted->log_delta(epsilon, Side::lower) <= 1e-9);
      const double log_delta = static_cast<double>(log(delta));
      if (!(log_delta < -1e-3)) continue;
      const auto found = epsilon_of(listed_outcomes_piece(terms), log_delta);
      REQUIRE(found);
      CHECK(found->lower <= epsilon + 1e-12);
      CHECK(found->upper >= epsilon - 1e-12);
      CHECK(found->width() <= 1e-8);
    }
  }
}

TEST_CASE("compose.sorted_outcomes.what_is_left_out_counts_above") {
  // So many outcomes that those beyond 1e-22 or so are left out: far out in the tail only the upper end knows of them.
  const Terms terms{
      {Mechanism(RandomizedResponse{.p = 0.5871592, .k = 5}).pair(Direction::remove), 1},
      {Mechanism(MassTable{.p = {0.5, 0.3125, 0.1875}, .q = {0.375, 0.5, 0.125}}).pair(Direction::remove), 1500}};
  REQUIRE(outcomes_may_be_listed(terms));
  const auto sorted = SortedOutcomes::of(terms);
  REQUIRE(sorted);
  const double far = 400;  // the largest loss is above it
  CHECK(sorted->log_delta(far, Side::lower) == -INFINITY);
  CHECK(sorted->log_delta(far, Side::upper) > -70);
  CHECK(sorted->log_delta(far, Side::upper) < -40);
}

// Between what is listed and what is left out may lie more than a double's range: delta is e^-1831.8 there, not 0.
TEST_CASE("compose.sorted_outcomes.what_is_left_out_has_no_digits") {
  const Terms terms{
      {Mechanism(MassTable{.p = {1e-200, 0.4, 0.3, 0.3}, .q = {1e-305, 0.3, 0.4, 0.3}}).pair(Direction::remove), 30}};
  REQUIRE(outcomes_may_be_listed(terms));
  const auto sorted = SortedOutcomes::of(terms);
  REQUIRE(sorted);
  CHECK(sorted->log_delta(900, Side::upper) >= -1831.8496);
  const Bracket found =
      delta(Composition().add(MassTable{.p = {1e-200, 0.4, 0.3, 0.3}, .q = {1e-305, 0.3, 0.4, 0.3}}, 30),
            {.epsilon = 900, .direction = DirectionChoice::remove})
          .log_delta;
  CHECK(found.lower <= -1831.8496);
  CHECK(found.upper >= -1831.8496);
}

// All of a law's finite mass may be less than any double: nothing of 1 - delta is certain then but that it is tiny.
TEST_CASE("compose.sorted_outcomes.a_law_of_one_rare_finite_loss") {
  const Terms terms{{Mechanism(MassTable{.p = {0.9, 0.1}, .q = {0, 1}}).pair(Direction::remove), 5000},
                    {Mechanism(MassTable{.p = {0.6, 0.4}, .q = {0.4, 0.6}}).pair(Direction::remove), 3}};
  const auto sorted = SortedOutcomes::of(terms);
  REQUIRE(sorted);
  CHECK(sorted->log_complement(-12000, Side::upper) > -12000);
  CHECK(sorted->log_delta(-12000, Side::lower) < 0);
}

TEST_CASE("compose.sorted_outcomes.are_listed_where_there_is_work_for_them") {
  const Terms terms{
      {Mechanism(MassTable{.p = {0.5, 0.3125, 0.1875}, .q = {0.375, 0.5, 0.125}}).pair(Direction::remove), 300}};
  const Question question;
  const double whole = Work::left();
  CHECK(SortedOutcomes::of(terms));
  CHECK(Work::left() < whole - 1e5);
  const PartOfQuestion little(1e4);
  CHECK_FALSE(SortedOutcomes::of(terms));
}

TEST_CASE("compose.outcome_list.listed_and_left_out_make_up_the_whole") {
  const Term cells{Mechanism(MassTable{.p = {0.5, 0.3125, 0.1875}, .q = {0.375, 0.5, 0.125}}).pair(Direction::remove),
                   100};
  const Term coins{Mechanism(RandomizedResponse{.p = 0.9}).pair(Direction::remove), 30};
  for (const Terms& terms : {Terms{cells}, Terms{coins}, Terms{cells, coins}})
    for (const double log_rarest : {-3.0, -6.0, -12.0, -25.0}) {
      CAPTURE(terms.size());
      CAPTURE(log_rarest);
      const auto list = list_outcomes(terms, log_rarest, 1'000'000);
      REQUIRE(list);
      double listed = 0;
      for (const pld::Outcome& o : list->outcomes) {
        CHECK(o.log_mass >= log_rarest - 1e-9);
        listed += static_cast<double>(exp(o.log_mass));
      }
      CHECK(listed + list->left_out >= 1 - 1e-12);
      CHECK(list->left_out <= 20 * (1 - listed) + 1e-12);
      if (!list->outcomes.empty()) CHECK_FALSE(list_outcomes(terms, log_rarest, list->outcomes.size() - 1));
    }
}

TEST_CASE("compose.sorted_outcomes.are_for_what_no_lattice_holds") {
  const auto listed = [](const Mechanism& mechanism, std::int64_t count) {
    return outcomes_may_be_listed({{mechanism.pair(Direction::remove), count}});
  };
  CHECK(listed(poisson_sampled(RandomizedResponse{.p = 0.75, .k = 3}, 0.1), 1000));
  CHECK_FALSE(listed(RandomizedResponse{.p = 0.75, .k = 3}, 1000));                         // multiples of one loss
  CHECK_FALSE(listed(poisson_sampled(RandomizedResponse{.p = 0.75, .k = 3}, 0.1), 5));      // a closed form
  CHECK_FALSE(listed(poisson_sampled(RandomizedResponse{.p = 0.75, .k = 3}, 0.5), 90000));  // too many
  CHECK_FALSE(listed(DiscreteGaussian{.sigma = 1}, 20));
}
