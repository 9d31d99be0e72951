// The mean of Gaussian ratios without outcomes too rare to matter: its moments at large powers against integrals and
// exact sums in 60 digits, and answers against those of the whole law, of nodes and of single draws.
#include "engines/contour/truncated_mean.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

#include "account/directed_run.hpp"
#include "account/finer_laws.hpp"
#include "engines/contour/allocated_gaussian.hpp"
#include "engines/contour/allocated_part.hpp"
#include "engines/contour/composed_moment.hpp"
#include "engines/contour/contour.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"
#include "support/composition_of.hpp"
#include "support/mean_moments.hpp"

namespace {
using pld::contour::allocated_parts;
using pld::contour::TruncatedMean;

constexpr double nats = 60;

// Two steps: R is e^{mu m - mu^2/2} cosh(mu d) with m and d normal of variance 1/2; by mpmath 1.2.1 in 60 digits. What
// is cut is less than e^-60 of it.
TEST_CASE("contour.truncated.moments_at_complex_powers_match_60_digits") {
  const std::vector<pld::test::ComplexPower> rows = {
      {0.125, 40.5, 12, 6.279721981029157517504L, -0.566991424463522079549245L, -2.51261290825542574549696L},
      {0.0625, 60.25, 20, 3.48983141468485684144955L, -0.391111954495828578581774L, 2.3365440730106810335255L},
      {0.125, 24.75, 8, 2.30633004487100461145263L, -0.251458679072966820626651L, 1.5227709808014272125244L},
  };
  for (const pld::test::ComplexPower& row : rows) {
    const TruncatedMean law(row.mu, 2, nats, row.rho);
    check_power(law, row, 1e-11, 1e-10);
    CHECK(std::fabs(law.cumulant(row.rho).value - static_cast<double>(row.log_moment)) < 1e-11);
  }
}

TEST_CASE("contour.truncated.moments_at_whole_powers_match_60_digits") {
  for (const pld::test::WholePower& row :
       std::vector<pld::test::WholePower>{{0.05, 1000, 200, 0.0498121975981212387928333L},
                                          {0.1, 500, 300, 0.901509062881187559339173L},
                                          {0.25, 100, 60, 1.14212027197993032421332L}})
    check_power(TruncatedMean(row.mu, row.steps, nats, row.rho), row, 1e-12);
}

// All powers of whole lines, by two integrals that share nothing: of e^{zR} and of e^{-zR}.
TEST_CASE("contour.truncated.agrees_with_the_whole_law_and_falls_as_bounded") {
  struct Case {
    double mu, steps, rho, step;
  };
  for (const Case& at :
       std::vector<Case>{{0.27, 100, 90, 6}, {0.5, 1000, 40, 5}, {0.2, 1000, 100.5, 12}, {0.1, 10, 40, 2}}) {
    CAPTURE(at.mu);
    const TruncatedMean truncated(at.mu, at.steps, nats, at.rho);
    const auto whole = pld::contour::AllocatedGaussian::of(at.mu, at.steps);
    constexpr std::size_t last = 40;
    const auto ratios = truncated.ratios(at.rho, at.step, last), others = whole->ratios(at.rho, at.step, last);
    REQUIRE(ratios);
    REQUIRE(others);
    for (std::size_t n = 0; n <= last; ++n) {
      const auto& [log_size, phase, error] = (*ratios)[n];
      const auto& [log_other, other_phase, other_error] = (*others)[n];
      const long double size = std::exp(log_size - log_other), turn = phase - other_phase;
      const long double off = std::hypot(size * std::cos(turn) - 1, size * std::sin(turn));
      CHECK(off <= 1.0001L * (error * size + other_error));
      const double s = at.step * static_cast<double>(n);
      CHECK(static_cast<double>(log_size) + std::log1p(-std::min(error, 0.5)) <=
            truncated.log_decay(at.rho, s) + 1e-12);
    }
  }
}

// What lies at the cut does not fall along the line; where it weighs much nothing is said.
TEST_CASE("contour.truncated.what_lies_at_the_cut_is_told") {
  const TruncatedMean law(0.4, 100, nats, 16);
  REQUIRE(law.reaches(16));
  CHECK(law.log_decay(16, 1e9) > -100);
  CHECK(law.log_decay(16, 1e9) < -40);
  const TruncatedMean heavy(1, 100, nats, 60);
  CHECK_FALSE(heavy.reaches(60));
  CHECK_FALSE(heavy.is_light(60, 0));
}

/// log of the mass of N(0,1) up to x, where nearly all is.
double log_mass_below(double x) { return std::log1p(-std::erfc(x / std::numbers::sqrt2) / 2); }

/// log of P's mass where one of so many outcomes is above a cut, one of them moved up by mu; mu = 0: of Q's.
double log_mass_cut(double mu, double steps, double cut) {
  return std::log(-std::expm1((steps - 1) * log_mass_below(cut) + log_mass_below(cut - mu)));
}

TEST_CASE("contour.truncated.no_more_is_lost_than_told") {
  struct Row {
    double mu, steps, nats, rho;
  };
  for (const Row& row :
       std::vector<Row>{{1, 2, 60, 16}, {1, 1000, 80, 16}, {0.3, 2, 20, 24}, {0.05, 1e6, 40, 500}, {2, 30, 8, 20}}) {
    CAPTURE(row.mu);
    const TruncatedMean law(row.mu, row.steps, row.nats, row.rho);
    CHECK(law.log_lost() >= log_mass_cut(row.mu, row.steps, law.cut()));
    CHECK(law.log_lost() >= log_mass_cut(0, row.steps, law.cut()));
    CHECK(law.log_lost() <= -row.nats + 1e-6);
    // Two means, three times.
    pld::contour::ComposedMoment epochs =
        pld::contour::ComposedMoment({}, {}, {}, allocated_parts({row.mu, {{row.steps, 2}}, pld::Direction::remove}, 3))
            .truncated(row.nats, row.rho - 1);
    REQUIRE(epochs.cut(row.nats));
    const TruncatedMean one(row.mu, row.steps, row.nats + std::log(6), row.rho);
    CHECK(epochs.log_lost() >= std::log(6) + log_mass_cut(row.mu, row.steps, one.cut()));
    CHECK(epochs.log_lost() <= -row.nats + 1e-6);
  }
}

/// The mean of two ratios with no outcome above a cut, by sums over midpoints.
class MeanOfTwo {
 public:
  MeanOfTwo(double mu, double cut, double rho) {
    constexpr double step = 0x1p-4, lowest = -9;
    std::vector<double> ratios, log_masses;
    for (double x = cut - step / 2; x > lowest; x -= step) {
      ratios.push_back(std::exp(mu * (x - mu / 2)));
      log_masses.push_back(std::log(step) - 0.5 * std::log(2 * std::numbers::pi) - x * x / 2);
    }
    for (std::size_t i = 0; i < ratios.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        log_ratios_.push_back(std::log((ratios[i] + ratios[j]) / 2));
        const double ways = i == j ? 1 : 2;
        tilted_.push_back(ways * std::exp(log_masses[i] + log_masses[j] + rho * log_ratios_.back()));
      }
  }

  /// G(rho + is)
  [[nodiscard]] std::complex<double> moment(double s) const {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < tilted_.size(); ++i) sum += std::polar(tilted_[i], s * log_ratios_[i]);
    return sum;
  }

 private:
  std::vector<double> log_ratios_, tilted_;
};

// Where a few thousandths of the moment lie at the cut: it falls with all else at first, and hardly after that.
TEST_CASE("contour.truncated.no_moment_with_weight_at_the_cut_exceeds_the_bound") {
  struct Row {
    double mu, nats, rho;
  };
  for (const Row& row :
       std::vector<Row>{{0.25, 30, 34}, {0.25, 30, 28}, {0.2, 40, 52}, {0.2, 40, 40}, {0.25, 40, 22}, {0.3, 30, 16}}) {
    CAPTURE(row.mu);
    CAPTURE(row.rho);
    const TruncatedMean law(row.mu, 2, row.nats, row.rho);
    REQUIRE(law.reaches(row.rho));
    const MeanOfTwo mean(row.mu, law.cut(), row.rho);
    const double whole = mean.moment(0).real();
    const auto moment = law.moment(row.rho);
    CHECK(std::fabs(static_cast<double>(moment.log_moment) - std::log(whole)) <= moment.error);
    double nearest = pld::infinity;
    for (double s = 1; s < 60; s *= 1.15) {
      CAPTURE(s);
      const double spare = law.log_decay(row.rho, s) - std::log(std::abs(mean.moment(s)) / whole);
      CHECK(spare >= 0);
      nearest = std::min(nearest, spare);
    }
    CHECK(nearest < 1);
    CHECK(law.log_decay(row.rho, 1e9) < -0.5);
  }
}

// Where R is wide R^-p falls slowly along the line, and M quickly.
TEST_CASE("contour.truncated.far_places_of_wide_means_are_known") {
  const TruncatedMean law(0.347463516, 30, 53, 19.5);
  REQUIRE(law.reaches(19.5));
  const auto ratios = law.ratios(19.5, 2.75, 18);
  REQUIRE(ratios);
  const auto whole = pld::contour::AllocatedGaussian::of(0.347463516, 30)->ratios(19.5, 2.75, 18);
  REQUIRE(whole);
  for (std::size_t n = 0; n < ratios->size(); ++n) {
    CAPTURE(n);
    CHECK((*ratios)[n].error < 1e-12);
    const double off = static_cast<double>((*ratios)[n].log_size - (*whole)[n].log_size);
    CHECK(std::fabs(off) <= 1.01 * ((*ratios)[n].error + (*whole)[n].error));
  }
}

// Far beyond all large powers: that these take too much work is no reason not to ask what smaller ones tell.
TEST_CASE("contour.truncated.an_epsilon_out_of_reach_is_bounded") {
  const auto epochs = pld::exact_laws(
      pld::test::composition_of({"gaussian:sigma=18.46,allocation=1000,count=3", "gaussian:sigma=8.46"}));
  REQUIRE(epochs);
  const pld::PiecePtr piece = pld::contour_piece_for(pld::terms_in(*epochs, pld::Direction::remove),
                                                     {.epsilon = 50, .width = 1e-3}, pld::Effort::quick);
  REQUIRE(piece);
  CHECK(piece->at(50).log_delta.upper < -5000);
}

TEST_CASE("contour.truncated.answers_agree_with_nodes") {
  const auto before = pld::contradictions();
  const auto check = [](const char* text, double delta) {
    pld::test::check_line_beside_nodes(text, delta, 1e-9, 1e-2);
  };
  check("gaussian:sigma=5,allocation=1000", 1e-6);
  check("gaussian:sigma=3.702,allocation=100", 1e-6);
  check("gaussian:sigma=20,allocation=1000", 1e-5);
  check("gaussian:sigma=10,allocation=50,count=100", 1e-9);
  CHECK(pld::contradictions() == before);
}

}  // namespace
