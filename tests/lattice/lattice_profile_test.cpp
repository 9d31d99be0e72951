#include "lattice/lattice_profile.hpp"

#include <cmath>

#include "pld/core/rounding.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"
#include "support/random_draws.hpp"

namespace pld::test {
namespace {

/// A bell about zero loss, in units of 1 / (1 + tilt).
LatticeMeasure bell(Random& random, double tilt) {
  LatticeMeasure m;
  m.tilt = tilt;
  m.spacing = 0.2 / (1 + tilt) * random.uniform(0.1, 1);
  m.origin = m.spacing * random.uniform(-1000, 1000);
  m.first = static_cast<std::int64_t>(-m.origin / m.spacing) - 100;
  m.log_scale = random.uniform(-700, 30);
  for (int i = 0; i < 200; ++i) {
    const double x = (i - 100) / 25.0;
    m.weights.push_back(i % 17 == 0 ? 0 : std::exp(-x * x) * random.uniform(0.2, 1));
  }
  return m;
}

constexpr double tilts[] = {1e-12, 0.3, 7, 900, 1e12};

/// Losses from far below the lattice to just below its last node.
std::vector<double> epsilons(const LatticeMeasure& m, Random& random) {
  std::vector<double> out;
  const double low = m.position(m.first), high = m.position(m.first + 199), length = high - low;
  for (int i = 0; i < 40; ++i) out.push_back(random.uniform(low, high));
  for (const int node : {0, 1, 50, 197, 198}) out.push_back(m.position(m.first + node));
  for (const double below : {0.01, 1.0, 30.0}) out.push_back(low - below * length);
  return out;
}

double exact_log(const ExactProfile& profile, double epsilon) {
  return static_cast<double>(log(profile(Real(epsilon))));
}

TEST_CASE("lattice.profile.brackets_the_exact_sum_tightly") {
  Random random(31);
  for (const double tilt : tilts) {
    for (int round = 0; round < 4; ++round) {
      const LatticeMeasure m = bell(random, tilt);
      const LatticeProfile upper(m, Side::upper), lower(m, Side::lower);
      const ExactProfile exact(exact_atoms(m));
      for (const double epsilon : epsilons(m, random)) {
        CAPTURE(tilt);
        CAPTURE(epsilon);
        const double truth = exact_log(exact, epsilon);
        // A last bit in comparing logarithms of this size.
        const double bit = unit_roundoff * std::fabs(truth);
        CHECK(upper.log_delta(epsilon) >= truth - bit);
        CHECK(lower.log_delta(epsilon) <= truth + bit);
        if (epsilon > m.position(m.first + 190)) continue;  // at the very end the nodes' positions have few digits left
        CHECK(upper.log_delta(epsilon) - lower.log_delta(epsilon) <= 1e-8);
      }
      const double end = m.position(m.first + 200);
      CHECK(upper.log_delta(end) == -infinity);
      CHECK(lower.log_delta(end) == -infinity);
    }
  }
}

TEST_CASE("lattice.profile.spacings_of_hundreds_of_nats_are_read_right") {
  // Losses of 1e8 on a million nodes: e^spacing overflows.
  Random random(36);
  for (const double spacing : {0.7, 30.0, 800.0, 1e5}) {
    LatticeMeasure m;
    m.tilt = 0.1 / spacing;
    m.spacing = spacing;
    m.origin = 0.3 * spacing;
    m.first = -20;
    for (int i = 0; i < 60; ++i) m.weights.push_back(i % 7 == 0 ? random.uniform(0, 1) : 0);
    const LatticeProfile upper(m, Side::upper), lower(m, Side::lower);
    const ExactProfile exact(exact_atoms(m));
    for (int i = 0; i < 200; ++i) {
      const double epsilon = random.uniform(m.position(-25), m.position(35));
      CAPTURE(spacing);
      CAPTURE(epsilon);
      const double truth = exact_log(exact, epsilon), bit = unit_roundoff * std::fabs(truth);
      CHECK(upper.log_delta(epsilon) >= truth - bit);
      CHECK(lower.log_delta(epsilon) <= truth + bit);
      CHECK(upper.log_delta(epsilon) - lower.log_delta(epsilon) <= 1e-8);
    }
  }
}

TEST_CASE("lattice.profile.upper_falls_with_epsilon") {
  Random random(32);
  for (const double tilt : tilts) {
    const LatticeMeasure m = bell(random, tilt);
    const LatticeProfile upper(m, Side::upper), lower(m, Side::lower);
    double last_upper = infinity, last_lower = infinity;
    const double low = m.position(m.first) - 0.5 / (1 + tilt), step = m.spacing / 3.7;
    for (int i = 0; i < 600; ++i) {
      const double epsilon = low + i * step, bit = 1e-12 * (1 + std::fabs(m.log_scale));
      const double now_upper = upper.log_delta(epsilon), now_lower = lower.log_delta(epsilon);
      CHECK(now_upper <= last_upper + bit);
      CHECK(now_lower <= last_lower + bit);
      last_upper = now_upper;
      last_lower = now_lower;
    }
  }
}

TEST_CASE("lattice.profile.slack_and_noise_are_moved_outward_and_no_further") {
  Random random(33);
  for (const double tilt : {1e-12, 0.3, 7.0, 900.0}) {
    for (const bool slack : {true, false}) {
      LatticeMeasure m = bell(random, tilt);
      (slack ? m.slack : m.pointwise) = 1e-3;
      const LatticeProfile upper(m, Side::upper), lower(m, Side::lower);
      for (const double epsilon : epsilons(m, random)) {
        if (epsilon < m.position(m.first) || epsilon > m.position(m.first + 150)) continue;
        // The worst a measure with these errors can be: its slack in one atom where an atom counts most, or noise
        // everywhere.
        std::vector<ExactAtom> more = exact_atoms(m), less = more;
        const Real worst = Real(epsilon) + log1p(1 / Real(tilt));
        const auto mass_at = [&](const Real& loss, const Real& weight) -> Real {
          return weight * exp(Real(m.log_scale) - Real(tilt) * loss);
        };
        if (slack) {
          more.push_back({worst, mass_at(worst, m.slack)});
          less.push_back({worst, -mass_at(worst, m.slack)});
        } else {
          for (int i = 0; i < 200; ++i) {
            const Real loss = exact_position(m.origin, m.spacing, m.first + i);
            more.push_back({loss, mass_at(loss, m.pointwise)});
            less.push_back({loss, -mass_at(loss, m.pointwise)});
          }
        }
        CAPTURE(tilt);
        CAPTURE(slack);
        CAPTURE(epsilon);
        const ExactProfile most(std::move(more)), least(std::move(less));
        const double high = exact_log(most, epsilon);
        CHECK(upper.log_delta(epsilon) >= high - unit_roundoff * std::fabs(high));
        CHECK(upper.log_delta(epsilon) <= high + (slack ? 1e-8 : 0.7));
        if (least(epsilon) <= 0) {
          CHECK(lower.log_delta(epsilon) <= std::max(exact_log(most, epsilon), -1e300));
          continue;
        }
        const double low = exact_log(least, epsilon);
        CHECK(lower.log_delta(epsilon) <= low + unit_roundoff * std::fabs(low));
      }
    }
  }
}

TEST_CASE("lattice.profile.positions_may_be_off_by_their_error") {
  Random random(34);
  for (const double tilt : {0.3, 7.0, 900.0}) {
    LatticeMeasure m = bell(random, tilt);
    m.position_error = 0.03 * m.spacing;
    m.log_scale_error = 1e-4;
    const LatticeProfile upper(m, Side::upper), lower(m, Side::lower);
    for (const double side : {1.0, -1.0}) {
      std::vector<ExactAtom> moved = exact_atoms(m);
      for (ExactAtom& atom : moved) {
        atom.loss += side * Real(m.position_error);
        atom.mass *= exp(Real(side * m.log_scale_error));
      }
      const ExactProfile exact(std::move(moved));
      for (const double epsilon : epsilons(m, random)) {
        const double truth = exact_log(exact, epsilon), bit = unit_roundoff * std::fabs(truth);
        CAPTURE(tilt);
        CAPTURE(epsilon);
        if (!std::isfinite(truth)) continue;
        CHECK(upper.log_delta(epsilon) >= truth - bit);
        CHECK(lower.log_delta(epsilon) <= truth + bit);
      }
    }
  }
}

TEST_CASE("lattice.profile.an_empty_measure_has_no_profile") {
  LatticeMeasure m;
  m.tilt = 2;
  CHECK(LatticeProfile(m, Side::lower).log_delta(0) == -infinity);
  CHECK(LatticeProfile(m, Side::upper).log_delta(0) == -infinity);
  m.slack = 0.5;
  CHECK(LatticeProfile(m, Side::lower).log_delta(0) == -infinity);
  CHECK_REL(LatticeProfile(m, Side::upper).log_delta(0), std::log(0.5 * 4 / 27), 1e-9);
}

TEST_CASE("lattice.measure.moments_are_bounded_to_their_round_off") {
  Random random(9);
  for (int i = 0; i < 4000; ++i) {
    LatticeMeasure m;
    m.spacing = random.uniform(1e-3, 0.5);
    m.origin = random.uniform(-1, 1) * (i % 2);
    m.first = i % 11 - 5;
    for (int n = 1 + i % 9; n > 0; --n) m.weights.push_back(random.uniform(0, 1));
    const double s = random.uniform(-6, 6);
    Real sum = 0, farthest = 0;
    for (std::size_t k = 0; k < m.weights.size(); ++k) {
      const Real z = Real(m.origin) + (m.first + static_cast<std::int64_t>(k)) * Real(m.spacing);
      sum += m.weights[k] * exp(s * z);
      farthest = std::max(farthest, Real(abs(s * z)));
    }
    const Real found = log_moment_upper(m, s), exact = log(sum);
    CAPTURE(m.weights.size());
    CAPTURE(s);
    CHECK(found >= exact);
    CHECK(found <= exact + (32 + 10 * static_cast<double>(m.weights.size()) + 16 * static_cast<double>(farthest)) *
                               unit_roundoff);
  }
}

TEST_CASE("lattice.profile.largest_contribution_is_the_maximum_of_the_kernel") {
  for (const double tilt : {0.0, 1e-12, 1e-3, 1.0, 40.0, 1e9}) {
    CAPTURE(tilt);
    const double most = largest_contribution(tilt);
    const auto kernel = [&](const Real& u) -> Real { return -expm1(-u) * exp(-Real(tilt) * u); };
    const Real peak = tilt > 0 ? Real(log1p(1 / Real(tilt))) : Real(1000);
    CHECK(Real(most) >= kernel(peak));
    CHECK(most <= static_cast<double>(kernel(peak)) * (1 + 1e-11));
    for (int i = 1; i < 200; ++i) CHECK(Real(most) >= kernel(peak * i / 50));
  }
}

}  // namespace
}  // namespace pld::test
