// The contour engine against tests/data/contour_truth.txt (its head says how those numbers were computed).
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engines/contour/contour.hpp"
#include "support/checks.hpp"
#include "support/contour_profile.hpp"
#include "support/epsilon_of.hpp"
#include "support/sampled_gaussian_pair.hpp"

namespace {
using Real = boost::multiprecision::cpp_bin_float_50;

struct Row {
  std::string text;
  pld::Terms terms;
  bool delta_given = true;
  Real epsilon, delta, claim;
  std::int64_t steps = 0;
};

std::vector<Row> rows() {
  std::ifstream file(PLD_TEST_DATA "/contour_truth.txt");
  std::vector<Row> result;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string direction, given, epsilon, delta, claim;
    int count = 0;
    words >> direction >> given >> epsilon >> delta >> claim >> count;
    Row row{line, {}, given == "delta", Real(epsilon), Real(delta), Real(claim), 0};
    for (int i = 0; i < count; ++i) {
      double sigma = 0, q = 0;
      std::int64_t steps = 0;
      words >> sigma >> q >> steps;
      row.steps += steps;
      row.terms.push_back(pld::test::sampled_gaussian(
          sigma, q, steps, direction == "add" ? pld::Direction::add : pld::Direction::remove));
    }
    result.push_back(row);
  }
  return result;
}

/// 1e-10; at 1e9 steps double precision itself leaves 1e-9, and at a delta of e^-2000 the exponent's own rounding more;
/// one or two lightly sampled steps decay too slowly for more than 1e-5 in the time the engine takes.
double widest(const Row& row) {
  if (row.steps >= 1'000'000'000) return 1e-6;
  if (row.steps <= 2) return 1e-5;
  return row.delta < Real("1e-500") ? 1e-9 : 1e-10;
}

/// The decimal inputs (delta, q, 1/sigma) are rounded to double before the engine sees them.
double input_rounding(const Row& row) { return 1e-15 + 4e-16 * std::fabs(static_cast<double>(log(row.delta))); }
}  // namespace

TEST_CASE("contour.epsilon.contains_truth") {
  int checked = 0;
  for (const Row& row : rows()) {
    if (!row.delta_given || row.steps <= 2) continue;
    CAPTURE(row.text);
    const double log_delta = static_cast<double>(log(row.delta));
    const auto epsilon = pld::contour_epsilon(row.terms, log_delta, widest(row));
    REQUIRE(epsilon.has_value());
    const Real slack = abs(row.epsilon) * (row.claim + input_rounding(row)) + 1e-18;
    CHECK((epsilon->lower <= row.epsilon + slack && row.epsilon - slack <= epsilon->upper));
    CHECK((epsilon->lower <= epsilon->estimate && epsilon->estimate <= epsilon->upper));
    CHECK(epsilon->width() <= std::max(1e-9, widest(row) * std::fabs(epsilon->estimate)));
    ++checked;
  }
  CHECK(checked > 80);
}

TEST_CASE("contour.profile.contains_truth") {
  int checked = 0;
  for (const Row& row : rows()) {
    if (row.delta_given || row.steps <= 2) continue;
    CAPTURE(row.text);
    const auto profile = pld::contour_profile(row.terms, static_cast<double>(row.epsilon), widest(row));
    REQUIRE(profile.has_value());
    const Real log_delta = log(row.delta), log_complement = log(1 - row.delta);
    const Real slack = row.claim + input_rounding(row);
    CHECK((profile->log_delta.lower <= log_delta + slack && log_delta - slack <= profile->log_delta.upper));
    const Real complement_slack = slack * row.delta / (1 - row.delta);
    CHECK((profile->log_complement.lower <= log_complement + complement_slack &&
           log_complement - complement_slack <= profile->log_complement.upper));
    CHECK(profile->log_delta.width() <= widest(row));
    ++checked;
  }
  CHECK(checked > 40);
}

/// Rows of one or two steps at a small rate take thousands of nodes: the tighter the tolerance, the more the engine
/// is willing to spend.
bool few_hits(const Row& row) { return row.steps <= 2 && row.terms.front().pair->sampled_gaussian()->q < 1; }

void check_few_hits(const Row& row, double tolerance, int& answered) {
  CAPTURE(row.text);
  const auto epsilon = pld::contour_epsilon(row.terms, static_cast<double>(log(row.delta)), tolerance);
  if (!epsilon) return;
  const Real slack = abs(row.epsilon) * input_rounding(row) + 1e-18;
  CHECK((epsilon->lower <= row.epsilon + slack && row.epsilon - slack <= epsilon->upper));
  answered += epsilon->width() <= std::max(1e-9, tolerance * std::fabs(epsilon->estimate));
}

TEST_CASE("contour.few_hits.contains_truth") {
  int answered = 0, asked = 0;
  for (const Row& row : rows())
    if (few_hits(row) && asked++ % 3 == 0) check_few_hits(row, 1e-7, answered);
  CHECK(answered > asked / 5);
}

TEST_CASE("contour.two_steps.reach_any_tolerance" * doctest::test_suite("slow")) {
  int answered = 0, asked = 0;
  for (const Row& row : rows()) {
    if (!few_hits(row) || row.steps < 2 || !row.delta_given) continue;
    ++asked;
    check_few_hits(row, 1e-10, answered);
  }
  MESSAGE("answered ", answered, " of ", asked);
  CHECK(answered == asked);
}
