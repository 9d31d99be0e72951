// Values that other accountants publish in their test-suites (tests/data/published.json, with their sources) against
// the certified answers.
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/query_text.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using nlohmann::json;

json published() {
  std::ifstream file(PLD_TEST_DATA "/published.json");
  return json::parse(file);
}

double number(const json& value) {
  return value == "inf" ? std::numeric_limits<double>::infinity() : value.get<double>();
}

/// Integer noise e^(-x^2 / 2 sigma^2) for |x| <= truncation, which no ledger names.
pld::Mechanism truncated_discrete_gaussian(const json& entry) {
  const auto truncation = entry["truncation"].get<int>();
  const auto sigma = entry["sigma"].get<double>();
  std::vector<double> masses;
  double sum = 0;
  for (int x = -truncation; x <= truncation; ++x) {
    masses.push_back(std::exp(-x * x / (2 * sigma * sigma)));
    sum += masses.back();
  }
  for (double& mass : masses) mass /= sum;
  return pld::IntegerNoise{.masses = masses, .sensitivity = entry.value("sensitivity", 1.0)};
}

/// The two types that only the library has.
pld::Mechanism mechanism_of_library(const json& entry) {
  if (entry["type"] == "gaussian-mixture")
    return pld::GaussianMixture{.sigma = entry["sigma"], .shifts = entry["shifts"], .weights = entry["weights"]};
  const pld::Mechanism noise = truncated_discrete_gaussian(entry);
  return entry.contains("sampling") ? pld::poisson_sampled(noise, entry["sampling"]["poisson"].get<double>()) : noise;
}

pld::Composition composition_of(const json& row) {
  pld::Composition composition;
  for (const json& entry : row["mechanisms"]) {
    if (entry["type"] == "gaussian-mixture" || entry["type"] == "truncated-discrete-gaussian") {
      composition.add(mechanism_of_library(entry), entry.value("count", 1));
    } else {
      const json ledger{{"mechanisms", json::array({entry})}};
      const pld::Composition one = pld::composition_from_json(ledger.dump());
      for (const auto& release : one.releases()) composition.add(release.mechanism, release.count);
    }
  }
  return composition;
}

pld::Answer answer_to(const json& row) {
  const auto direction = pld::direction_from_text(row["direction"], "row");
  if (row["query"] == "epsilon")
    return pld::epsilon(composition_of(row), {.delta = row["delta"].get<double>(), .direction = direction});
  return pld::delta(composition_of(row), {.epsilon = row["epsilon"].get<double>(), .direction = direction});
}

/// The values that the row's source allows.
pld::Bracket claimed(const json& row) {
  const double value = number(row["value"]), tolerance = row.value("tolerance", 0.0);
  const double infinity = std::numeric_limits<double>::infinity();
  pld::Bracket allowed{value - tolerance, value, value + tolerance};
  if (row["claim"] == "upper bound") allowed.lower = -infinity;
  if (row["claim"] == "upper end") allowed.lower = value - row["width"].get<double>() - tolerance;
  if (row["claim"] == "lower bound") allowed.upper = infinity;
  return allowed;
}

std::string text(const pld::Bracket& bracket) {
  std::string shown = pld::test::digits(bracket.lower);
  return shown.append(" .. ").append(pld::test::digits(bracket.upper));
}

}  // namespace

TEST_CASE("published.every_claim_agrees_or_is_refuted") {
  const json file = published();
  REQUIRE(file["rows"].size() > 600);
  for (const json& row : file["rows"]) {
    const std::string shown = row.dump();
    CAPTURE(shown);
    const pld::Answer answer = answer_to(row);
    const pld::Bracket allowed = claimed(row);
    const bool overlap = answer.lower <= allowed.upper && allowed.lower <= answer.upper;
    // Where delta is 0 no bracket is narrow relative to it.
    const bool narrow = answer.converged || answer.upper - answer.lower <= 1e-9;
    CHECK_MESSAGE(narrow != row.contains("wide"), "certified ", text(answer));
    CHECK_MESSAGE(overlap != row.contains("disagrees"), "certified ", text(answer), ", claimed ", text(allowed));
  }
}
