#include "sampling/joined_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <random>
#include <vector>

#include "sampling/run_sums.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// Ratios from e^-12 to e^12, with masses that fall by as much as e^-60 on either side.
RatioLaw steep_law(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> losses;
  for (std::size_t i = 0; i < size; ++i) losses.push_back(12 * std::pow(2 * uniform(random) - 1, 3));
  std::sort(losses.begin(), losses.end());
  RatioLaw law;
  for (const double loss : losses) {
    law.ratios.push_back(std::exp(loss));
    law.masses.push_back(std::exp(-0.4 * loss * loss) * (0.5 + uniform(random)));
  }
  return law;
}

TEST_CASE("sampling.run_sums.each_run_of_a_steep_law") {
  for (const std::size_t size : {2U, 3U, 17U, 64U, 65U}) {
    const RatioLaw law = steep_law(size, size);
    const RunSums sums(law);
    for (std::size_t begin = 0; begin < size; ++begin) {
      long double mass = law.masses[begin], moment = mass * law.ratios[begin];
      for (std::size_t end = begin + 2; end <= size; ++end) {
        const long double last = law.masses[end - 1];
        mass += last, moment += last * law.ratios[end - 1];
        const RunSums::Sums found = sums.of(begin, end);
        CHECK(std::fabs(static_cast<double>(found.mass - mass)) <= 5 * unit_roundoff * static_cast<double>(mass));
        CHECK(std::fabs(static_cast<double>(found.moment - moment)) <= 5 * unit_roundoff * static_cast<double>(moment));
      }
    }
  }
}

/// E (r - at)_+, with each r moved by so much of itself.
long double mean_above(const RatioLaw& law, long double at, long double moved) {
  long double sum = 0;
  for (std::size_t i = 0; i < law.ratios.size(); ++i)
    sum += law.masses[i] * std::max(law.ratios[i] * (1 + moved) - at, 0.0L);
  return sum;
}

/// The same for every pair of atoms of two laws.
long double mean_above(Join how, const RatioLaw& a, const RatioLaw& b, long double at) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.ratios.size(); ++i)
    for (std::size_t j = 0; j < b.ratios.size(); ++j) {
      const long double x = a.ratios[i], y = b.ratios[j];
      sum +=
          static_cast<long double>(a.masses[i]) * b.masses[j] * std::max((how == Join::sum ? x + y : x * y) - at, 0.0L);
    }
  return sum;
}

TEST_CASE("sampling.joined_ratios.every_pair_of_atoms_from_both_sides") {
  const RatioLaw few = steep_law(90, 1), many = steep_law(400, 2);
  RatioLaw alike = many;  // of the same ratios, with other masses
  std::reverse(alike.masses.begin(), alike.masses.end());
  const NodeMap by_depth;
  for (const Join how : {Join::sum, Join::product}) {
    for (const RatioLaw* other : std::initializer_list<const RatioLaw*>{&many, &few, &alike}) {
      CAPTURE(static_cast<int>(how));
      CAPTURE(other->ratios.size());
      constexpr int count = 700;
      const RatioLaw upper = join(how, many, *other, Side::upper, count, by_depth).law,
                     lower = join(how, many, *other, Side::lower, count, by_depth).law;
      for (double z = -14; z < 14; z += 0.37) {
        const long double at = std::exp(static_cast<long double>(z)), want = mean_above(how, many, *other, at);
        const long double above = mean_above(upper, at, 2 * upper.ratio_error),
                          below = mean_above(lower, at, -2 * lower.ratio_error);
        CAPTURE(z);
        CHECK(above >= want);
        CHECK(below <= want);
        if (z < 4) CHECK(static_cast<double>((above - below) / want) <= 0.02);
      }
      // Means are kept: of all that is above 0 no atom is lost or counted twice.
      const auto mean = static_cast<double>(mean_above(how, many, *other, 0));
      CHECK(static_cast<double>(mean_above(upper, 0, 0)) <= mean * (1 + 1e-12));
      CHECK(static_cast<double>(mean_above(lower, 0, 0)) >= mean * (1 - 1e-12));
    }
  }
}

// So many copies of a ratio of two atoms that it is next to 0 under Q, and beyond doubles under P.
TEST_CASE("sampling.joined_ratios.whole_masses_stay_whole_however_far_apart_they_lie") {
  const double large = std::exp(3.0), likely = large / (1 + large);
  RatioLaw law{.ratios = {1 / large, large}, .masses = {likely, 1 - likely}};
  const NodeMap by_depth;
  for (int copies = 2; copies <= 4096; copies *= 2) {
    CAPTURE(copies);
    law = join(Join::product, law, law, Side::upper, 64, by_depth).law;
    long double q = 0, p = std::exp(static_cast<long double>(law.log_infinite));
    for (std::size_t i = 0; i < law.ratios.size(); ++i)
      q += law.masses[i], p += static_cast<long double>(law.masses[i]) * law.ratios[i];
    CHECK(q > 1 - 1e-9L);
    CHECK(q < 1 + 1e-9L);
    CHECK(p > 1 - 1e-9L);
    CHECK(p < 1 + 1e-6L);
  }
}

}  // namespace
}  // namespace pld::test
