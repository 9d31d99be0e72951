#include "pld/mechanisms/registry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "pld/core/errors.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

std::string refusal(const std::string& type, const std::map<std::string, double>& parameters) {
  try {
    static_cast<void>(make_mechanism(type, parameters));
  } catch (const DomainError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("mechanisms.registry.makes_every_type_with_its_defaults") {
  const std::map<std::string, std::string> texts{
      {"gaussian", "gaussian:sigma=1"},
      {"laplace", "laplace:scale=1"},
      {"logistic", "logistic:scale=1"},
      {"generalized", "generalized:shape=1.5,scale=1"},
      {"sinh-normal", "sinh-normal:sigma=1,a=2"},
      {"truncated-laplace", "truncated-laplace:scale=1,bound=20"},
      {"randomized-response", "randomized-response:p=0.75"},
      {"dp", "dp:epsilon=0.5,delta=1e-09"},
      {"discrete-laplace", "discrete-laplace:a=0.5"},
      {"discrete-gaussian", "discrete-gaussian:sigma=3"},
      {"exponential", "exponential:epsilon=0.5"},
      {"report-noisy-max", "report-noisy-max:scale=4"},
      {"permute-and-flip", "permute-and-flip:epsilon=0.5"},
      {"binomial", "binomial:n=100"},
      {"skellam", "skellam:variance=10"},
      {"poisson-difference", "poisson-difference:plus=8,minus=4"},
      {"integer-noise", "integer-noise:masses=0.25/0.5/0.25"},
      {"mass-table", "mass-table:p=0.75/0.25,q=0.25/0.75"},
      {"gaussian-mixture", "gaussian-mixture:sigma=1,shifts=0/1,weights=0.5/0.5"},
      {"dp-points", "dp-points:epsilons=0.5/1,deltas=1e-05/1e-09"},
      {"trade-off", "trade-off:alphas=0/0.25/1,betas=0.75/0.375/0"},
      {"zcdp", "zcdp:rho=0.02,xi=0"},
      {"tcdp", "tcdp:rho=0.02,omega=100"},
      {"rdp", "rdp:orders=2/8/32,epsilons=0.04/0.16/0.64"}};
  CHECK(mechanism_types().size() == texts.size());
  for (const MechanismType& type : mechanism_types()) {
    for (const ParameterInfo& parameter : type.parameters) {
      CHECK_FALSE(parameter.meaning.empty());
      CHECK_FALSE(parameter.accepted.empty());
    }
    CHECK(make_mechanism(type.name, type.example.numbers, type.example.lists).text() == texts.at(type.name));
  }
}

TEST_CASE("mechanisms.registry.no_atom_is_empty") {
  int atoms = 0;
  for (const MechanismType& type : mechanism_types()) {
    const Mechanism example = make_mechanism(type.name, type.example.numbers, type.example.lists);
    for (const double q : {1.0, 0.3, 1e-12, 1e-200})
      for (const auto direction : {Direction::remove, Direction::add}) {
        const PairPtr pair = poisson_sampled(example, q).pair(direction);
        for (const LossRange within : {LossRange{-1e3, 1e3}, LossRange{-1, 0.5}, LossRange{0, 0}}) {
          CAPTURE(type.name);
          CAPTURE(q);
          int empty = 0;
          for (const LossCell& atom : pair->atoms(within)) {
            empty += !std::isfinite(atom.log_mass) || !std::isfinite(atom.log_q_mass);
            ++atoms;
          }
          CHECK(empty == 0);
        }
      }
  }
  CHECK(atoms > 1000);
}

TEST_CASE("mechanisms.registry.refusals_say_what_is_accepted") {
  CHECK(refusal("gausian", {{"sigma", 1}}) ==
        "mechanism: type is gausian, but must be one of gaussian, laplace, logistic, generalized, sinh-normal, "
        "truncated-laplace, randomized-response, exponential, report-noisy-max, permute-and-flip, dp, "
        "discrete-laplace, discrete-gaussian, binomial, skellam, poisson-difference, integer-noise, mass-table, "
        "gaussian-mixture, dp-points, trade-off, zcdp, tcdp, rdp");
  CHECK(refusal("gaussian", {{"sigma", 1}, {"sgima", 2}}) ==
        "gaussian: sgima is 2, but must be one of the parameters sigma, sensitivity, replace_sensitivity, "
        "attained_sensitivity");
  CHECK(refusal("mass-table", {{"p", 1}}) == "mass-table: p is 1, but must be a list of numbers");
  CHECK(refusal("rdp", {}) == "rdp: orders is missing, but must be from 1.01 to 1e9, increasing");
  CHECK(refusal("laplace", {}) ==
        "laplace: scale is missing, but must be > 0 and finite; sensitivity / scale from 1e-100 to 1e100");
  CHECK(refusal("discrete-laplace", {{"a", 1}, {"sensitivity", 1.5}}) ==
        "discrete-laplace: sensitivity is 1.5, but must be a whole number from 1 to 1e6");
}

/// The two ends that "from A to B" states at the start of a rule; none where they are in units of something.
std::optional<std::pair<double, double>> stated_ends(const std::string& accepted) {
  const std::size_t from = accepted.find("from "), to = accepted.find(" to ");
  if (from == std::string::npos || to == std::string::npos || accepted.find(';') < from) return std::nullopt;
  std::size_t low_length = 0, high_length = 0;
  const std::string low = accepted.substr(from + 5, to - from - 5), high = accepted.substr(to + 4);
  const std::pair<double, double> ends{std::stod(low, &low_length), std::stod(high, &high_length)};
  if (low_length < low.size()) return std::nullopt;
  return ends;
}

TEST_CASE("mechanisms.registry.what help says is what is checked") {
  const volatile double nan = std::numeric_limits<double>::quiet_NaN();
  int ends_tried = 0;
  for (const MechanismType& type : mechanism_types())
    for (const ParameterInfo& parameter : type.parameters) {
      if (parameter.is_list) continue;
      CAPTURE(type.name);
      CAPTURE(parameter.name);
      const auto with = [&](double value) {
        auto numbers = type.example.numbers;
        numbers[parameter.name] = value;
        try {
          static_cast<void>(make_mechanism(type.name, numbers, type.example.lists));
        } catch (const DomainError& error) {
          return std::string(error.what());
        }
        return std::string();
      };
      const std::string refused = with(nan),
                        said = refused.substr(std::min(refused.size(), refused.find("must be ") + 8));
      CHECK(!refused.empty());
      const std::size_t operation = std::min(refused.find(" / "), refused.find(" + "));
      const bool relative = operation < refused.find(" is ");  // a rule that another parameter takes part in
      CHECK((relative || said.starts_with(parameter.accepted.substr(0, parameter.accepted.find(';')))));
      const auto ends = stated_ends(parameter.accepted);
      if (!ends) continue;
      ++ends_tried;
      const bool is_whole = parameter.accepted.starts_with("a whole");
      CHECK(with(ends->first).empty());
      CHECK(with(is_whole ? ends->first - 1 : std::nextafter(ends->first, -infinity)).find("must be ") !=
            std::string::npos);
      CHECK(with(is_whole ? ends->second + 1 : std::nextafter(ends->second, infinity)).find("must be ") !=
            std::string::npos);
    }
  CHECK(ends_tried > 15);
}

TEST_CASE("mechanisms.registry.text_names_every_parameter_that_is_not_the_default") {
  CHECK(make_mechanism("discrete-gaussian", {{"sigma", 3}, {"sensitivity", 2}}).text() ==
        "discrete-gaussian:sigma=3,sensitivity=2");
  CHECK(make_mechanism("dp", {{"epsilon", 0.1}, {"delta", 1e-8}}).text() == "dp:epsilon=0.1,delta=1e-08");
}

}  // namespace
}  // namespace pld::test
