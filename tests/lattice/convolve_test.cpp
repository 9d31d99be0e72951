#include "lattice/convolve.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "pld/core/rounding.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"
#include "support/random_draws.hpp"

namespace pld::test {
namespace {

/// Weights by lattice index, without rounding.
struct ExactWeights {
  std::int64_t first = 0;
  std::vector<Real> weights;
  [[nodiscard]] Real at(std::int64_t index) const {
    const std::int64_t i = index - first;
    return 0 <= i && i < static_cast<std::int64_t>(weights.size()) ? weights[static_cast<std::size_t>(i)] : Real(0);
  }
};

ExactWeights exact(const LatticeMeasure& m) { return {m.first, {m.weights.begin(), m.weights.end()}}; }

ExactWeights convolution(const ExactWeights& a, const ExactWeights& b) {
  ExactWeights out{a.first + b.first, std::vector<Real>(a.weights.size() + b.weights.size() - 1)};
  for (std::size_t i = 0; i < a.weights.size(); ++i)
    for (std::size_t j = 0; j < b.weights.size(); ++j) out.weights[i + j] += a.weights[i] * b.weights[j];
  return out;
}

ExactWeights power(const ExactWeights& base, std::int64_t count) {
  ExactWeights out{0, {1}};
  for (std::int64_t i = 0; i < count; ++i) out = convolution(out, base);
  return out;
}

/// A bell of `size` weights of total about 1, with noise, or a few spikes.
LatticeMeasure random_measure(Random& random, std::size_t size, bool spikes) {
  LatticeMeasure m;
  m.tilt = 1.5;
  m.spacing = 0.125;
  m.origin = random.uniform(-0.06, 0.06);
  m.first = static_cast<std::int64_t>(random.uniform(-40, 5));
  m.log_scale = random.uniform(-0.1, 0.1);
  double total = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double x = 6 * (static_cast<double>(i) / static_cast<double>(size) - 0.4);
    m.weights.push_back(spikes ? (random.uniform(0, 1) < 0.2 ? random.uniform(0, 1) : 1e-9)
                               : std::exp(-x * x) * random.uniform(0.5, 1));
    total += m.weights.back();
  }
  for (double& w : m.weights) w /= total * random.uniform(0.999, 1.001);
  return m;
}

struct Errors {
  Real missing = 0, too_much = 0;  ///< one-sided sums over all indices
  Real largest = 0;                ///< of a single weight within the window
};

Errors errors_of(const LatticeMeasure& computed, const ExactWeights& want) {
  Errors e;
  const std::int64_t low = std::min(computed.first, want.first);
  const std::int64_t high = std::max(computed.first + static_cast<std::int64_t>(computed.weights.size()),
                                     want.first + static_cast<std::int64_t>(want.weights.size()));
  const ExactWeights got = exact(computed);
  for (std::int64_t i = low; i < high; ++i) {
    const Real difference = got.at(i) - want.at(i);
    (difference > 0 ? e.too_much : e.missing) += abs(difference);
    if (got.first <= i && i < got.first + static_cast<std::int64_t>(got.weights.size()))
      e.largest = std::max(e.largest, Real(abs(difference)));
  }
  return e;
}

/// Rounding a weight to double is not part of the reported errors: readers add it, relative to each weight.
Real storage_error(const LatticeMeasure& m) { return 2 * Real(unit_roundoff) * Real(total_weight(m)); }

struct Composed {
  std::vector<LatticeMeasure> measures;
  std::vector<std::int64_t> counts;
  [[nodiscard]] std::vector<Factor> factors() const {
    std::vector<Factor> out;
    for (std::size_t i = 0; i < measures.size(); ++i) out.push_back({&measures[i], counts[i]});
    return out;
  }
  [[nodiscard]] ExactWeights exactly() const {
    ExactWeights out{0, {1}};
    for (std::size_t i = 0; i < measures.size(); ++i) out = convolution(out, power(exact(measures[i]), counts[i]));
    return out;
  }
};

Composed random_composition(Random& random, std::size_t size, const std::vector<std::int64_t>& counts, bool spikes) {
  Composed c{{}, counts};
  for (std::size_t i = 0; i < counts.size(); ++i) c.measures.push_back(random_measure(random, size, spikes && i == 0));
  return c;
}

constexpr Precision precisions[] = {Precision::standard, Precision::extended};

TEST_CASE("lattice.convolve.round_off_is_within_the_bound_and_the_bound_is_not_wild") {
  Random random(5);
  const std::vector<std::vector<std::int64_t>> count_lists = {{1}, {2}, {7, 3}, {50}, {20, 13, 1}};
  for (const auto& counts : count_lists) {
    for (const bool spikes : {false, true}) {
      const Composed c = random_composition(random, 12, counts, spikes);
      const ExactWeights want = c.exactly();
      // All of it fits the window: what is left is round-off.
      const IndexWindow window{want.first - 3, want.weights.size() + 6 + want.weights.size() % 2};
      for (const Precision precision : precisions) {
        CAPTURE(counts.front());
        CAPTURE(spikes);
        CAPTURE(static_cast<int>(precision));
        const LatticeMeasure got = convolve(c.factors(), window, precision);
        const Errors e = errors_of(got, want);
        for (const double w : got.weights) REQUIRE(w >= 0);
        Real storage = 0;
        if (precision == Precision::extended)
          for (const double w : got.weights) storage = std::max(storage, Real(2 * unit_roundoff * w));
        CHECK(e.largest <= got.pointwise + storage);
        if (precision == Precision::standard) CHECK(got.pointwise <= 1e4 * e.largest);
      }
    }
  }
}

TEST_CASE("lattice.convolve.extended_precision_is_thousands_of_times_sharper") {
  Random random(6);
  const Composed c = random_composition(random, 12, {40}, true);
  const ExactWeights want = c.exactly();
  const IndexWindow window{want.first, want.weights.size() + want.weights.size() % 2};
  const double standard = convolve(c.factors(), window, Precision::standard).pointwise;
  const double extended = convolve(c.factors(), window, Precision::extended).pointwise;
  CHECK(extended < standard / 1000);
}

TEST_CASE("lattice.convolve.what_a_small_window_wraps_around_is_in_the_slack") {
  Random random(7);
  const std::vector<std::vector<std::int64_t>> count_lists = {{1}, {3}, {12}, {50}, {6, 5}};
  for (const auto& counts : count_lists) {
    const Composed c = random_composition(random, 16, counts, false);
    const ExactWeights want = c.exactly();
    const auto size = static_cast<std::int64_t>(want.weights.size());
    for (const double share : {0.05, 0.2, 0.4, 0.7}) {
      // Around the middle, then too far left and right; also shorter than the factor itself.
      for (const double centre : {0.4, 0.1, 0.8}) {
        const auto length =
            std::max<std::int64_t>(4, 2 * static_cast<std::int64_t>(share * static_cast<double>(size) / 2));
        const auto first = want.first + static_cast<std::int64_t>(centre * static_cast<double>(size)) - length / 2;
        for (const Precision precision : precisions) {
          CAPTURE(counts.front());
          CAPTURE(share);
          CAPTURE(centre);
          const LatticeMeasure got = convolve(c.factors(), {first, static_cast<std::size_t>(length)}, precision);
          const Errors e = errors_of(got, want);
          const Real allowed = got.slack + Real(got.pointwise) * length + storage_error(got);
          CHECK(e.missing <= allowed);
          CHECK(e.too_much <= allowed);
        }
      }
    }
  }
}

TEST_CASE("lattice.convolve.slack_of_a_wide_enough_window_is_negligible") {
  Random random(8);
  const Composed c = random_composition(random, 16, {30}, false);
  const ExactWeights want = c.exactly();
  const LatticeMeasure got =
      convolve(c.factors(), {want.first, want.weights.size() + want.weights.size() % 2}, Precision::standard);
  CHECK(got.slack < 1e-20);
}

TEST_CASE("lattice.convolve.slack_of_the_factors_grows_through_the_product") {
  Random random(9);
  const std::vector<std::vector<std::int64_t>> count_lists = {{1}, {10}, {40}, {8, 3}};
  for (const auto& counts : count_lists) {
    Composed c = random_composition(random, 10, counts, false);
    Composed more = c, less = c;  // what the factors may stand for, at the very ends of their slack
    for (std::size_t i = 0; i < c.measures.size(); ++i) {
      const double slack = 1e-3 * static_cast<double>(i + 1);
      c.measures[i].slack = slack;
      more.measures[i].weights[3] += slack * (1 - 1e-12);
      double left = slack * (1 - 1e-12);
      for (double& w : less.measures[i].weights) {
        const double taken = std::min(w, left);
        w -= taken;
        left -= taken;
      }
    }
    const ExactWeights most = more.exactly(), least = less.exactly();
    const IndexWindow window{most.first - 20, most.weights.size() + most.weights.size() % 2 + 40};
    const LatticeMeasure got = convolve(c.factors(), window, Precision::standard);
    CAPTURE(counts.front());
    const Real allowed = got.slack + Real(got.pointwise) * window.size;
    const Real missing = errors_of(got, most).missing, too_much = errors_of(got, least).too_much;
    CHECK(missing <= allowed);
    CHECK(too_much <= allowed);
    CHECK(allowed <= 1.1 * missing);  // mass that is missing everywhere: the bound is sharp
  }
}

TEST_CASE("lattice.convolve.noise_of_the_factors_is_carried_on") {
  Random random(10);
  Composed c = random_composition(random, 10, {9}, false);
  Composed more = c;
  c.measures[0].pointwise = 1e-5;
  for (double& w : more.measures[0].weights) w += 1e-5 * (1 - 1e-9);
  const ExactWeights most = more.exactly();
  const IndexWindow window{most.first, most.weights.size() + most.weights.size() % 2};
  const LatticeMeasure got = convolve(c.factors(), window, Precision::standard);
  CHECK(errors_of(got, most).missing <= got.slack + Real(got.pointwise) * window.size);
}

TEST_CASE("lattice.convolve.position_and_scale_errors_cover_their_sums") {
  Random random(12);
  for (int round = 0; round < 40; ++round) {
    Composed c = random_composition(random, 8, {7, 1'000'000'007, 3}, false);
    Real origin = 0, log_scale = 0;
    for (std::size_t i = 0; i < c.measures.size(); ++i) {
      c.measures[i].log_scale *= std::pow(10, random.uniform(-9, 1));
      origin += Real(c.counts[i]) * Real(c.measures[i].origin);
      log_scale += Real(c.counts[i]) * Real(c.measures[i].log_scale);
    }
    c.measures[1].weights = {1.0};  // so that a billion of it is nothing but a shift
    const LatticeMeasure got = convolve(c.factors(), {0, 64}, Precision::standard);
    CHECK(abs(origin - got.origin) <= got.position_error);
    CHECK(abs(log_scale - got.log_scale) <= got.log_scale_error);
  }
}

TEST_CASE("lattice.convolve.measures_many_windows_long_fold_within_the_bound") {
  // A faint tail thousands of windows long, as rare large losses have: added to the 1 at its head one by one it is
  // lost.
  LatticeMeasure m{.tilt = 1, .spacing = 0.125, .origin = 0, .first = -3, .weights = {1.0}};
  m.weights.resize(60000, 1e-16);
  std::vector<Real> folded(24);
  for (std::size_t i = 0; i < m.weights.size(); ++i) folded[i % 24] += m.weights[i];
  for (const Precision precision : precisions) {
    const Factor factor{&m, 1};
    const LatticeMeasure got = convolve({&factor, 1}, {m.first, 24}, precision);
    for (std::size_t i = 0; i < 24; ++i)
      CHECK(abs(folded[i] - got.weights[i]) <= got.pointwise + Real(2 * unit_roundoff) * folded[i]);
  }
}

TEST_CASE("lattice.convolve.a_window_covers_its_positions") {
  Random random(16);
  for (int i = 0; i < 1000; ++i) {
    const double spacing = std::exp(random.uniform(-20, 3)), origin = random.uniform(-100, 100);
    const double low = random.uniform(-1000, 1000), high = low + spacing * random.uniform(0, 1e4);
    const IndexWindow window = window_over(low, high, origin, spacing);
    const LatticeMeasure m{.spacing = spacing, .origin = origin, .weights = {}};
    CAPTURE(low);
    CAPTURE(spacing);
    CHECK(m.position(window.first) < low);
    CHECK(m.position(window.first + 6) > low);
    CHECK(m.position(window.first + static_cast<std::int64_t>(window.size)) > high);
  }
}

TEST_CASE("lattice.convolve.a_window_beyond_any_index_leaves_all_in_the_slack") {
  LatticeMeasure m{.tilt = 1, .spacing = 1e-10, .origin = 0, .first = 0, .weights = {0.25, 0.5}};
  for (const double far : {-1e300, 1e300}) {
    const IndexWindow window = window_over(far, far, m.origin, m.spacing);
    CHECK(std::abs(window.first) > (std::int64_t{1} << 61));
    const Factor factor{&m, 1};
    CHECK(convolve({&factor, 1}, window, Precision::standard).slack >= 0.75);
  }
}

// Where the tilt over a spacing is large, so are the weights of an upper bound. They became NaN, and the next window a
// lattice of infinite spacing.
TEST_CASE("lattice.convolve.masses_beyond_the_range_of_doubles_are_all_slack") {
  LatticeMeasure large;
  large.tilt = 8;
  large.weights = {50, 50, 50};
  const std::vector<Factor> factors{{&large, 300}};
  for (const Precision precision : {Precision::standard, Precision::extended}) {
    const LatticeMeasure composed = convolve(factors, window_over(0, 600, 0, 1), precision);
    CHECK(composed.slack == infinity);
    CHECK(composed.pointwise == 0);
    for (const double weight : composed.weights) CHECK(weight == 0);
  }
}

TEST_CASE("lattice.convolve.a_factor_without_mass_keeps_its_slack") {
  Random random(14);
  Composed c = random_composition(random, 6, {2, 1}, false);
  c.measures[1].weights.clear();
  c.measures[1].slack = 0.25;
  const LatticeMeasure got = convolve(c.factors(), {0, 16}, Precision::standard);
  const double mass = total_weight(c.measures[0]);
  CHECK(got.slack >= 0.25 * mass * mass);
  CHECK(got.slack <= 0.26 * mass * mass);
}

}  // namespace
}  // namespace pld::test
