#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "account/directed_run.hpp"
#include "accounted.hpp"
#include "answers.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "formats/query_text.hpp"
#include "listening.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/attack_risk.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/divergence.hpp"
#include "pld/readout/gaussian_comparison.hpp"
#include "pld/readout/gaussian_dp.hpp"
#include "pld/readout/trade_off.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

PrivacyProfile profile_of(const Accounted& run, double tolerance, const std::string& engine,
                          std::optional<double> epsilon_tolerance) {
  const ProfileOptions options{tolerance, engine_from_text(engine, "profile"), epsilon_tolerance};
  return heard([run = run.composition(), options] { return PrivacyProfile(run, options); });
}

/// Rows lower, estimate, upper.
Table table_of_brackets(const std::vector<Bracket>& brackets) {
  std::vector<std::vector<double>> rows(3);
  for (const Bracket& b : brackets) {
    rows[0].push_back(b.lower);
    rows[1].push_back(b.estimate);
    rows[2].push_back(b.upper);
  }
  return table_of(rows, brackets.size());
}

/// Rows lower, estimate, upper of delta, then of log delta.
Table deltas_at(const PrivacyProfile& profile, const Numbers& epsilons, const std::string& direction) {
  const auto found = heard([profile, at = vector_of(epsilons), in = direction_from_text(direction, "delta")] {
    return profile.log_delta(at, in);
  });
  std::vector<std::vector<double>> rows(6);
  for (const Bracket& log : found) {
    std::size_t row = 0;
    for (const Bracket& b : {probability(log), log})
      for (const double end : {b.lower, b.estimate, b.upper}) rows[row++].push_back(end);
  }
  return table_of(rows, found.size());
}

Table epsilons_at(const PrivacyProfile& profile, const Numbers& deltas, const std::string& direction) {
  return table_of_brackets(heard([profile, at = vector_of(deltas), in = direction_from_text(direction, "epsilon")] {
    return profile.epsilon(at, in);
  }));
}

/// Rows lower, estimate, upper of f(alpha), then of 1 - f(alpha), then whether a test attains it (1 or 0).
Table trade_offs_at(const PrivacyProfile& profile, const Numbers& alphas, const std::string& direction) {
  const auto points = heard([profile, at = vector_of(alphas), in = direction_from_text(direction, "trade-off")] {
    return TradeOff(profile, in).at(at);
  });
  std::vector<std::vector<double>> rows(7);
  for (const OperatingPoint& point : points) {
    std::size_t row = 0;
    for (const Bracket& b : {point.beta, point.power})
      for (const double end : {b.lower, b.estimate, b.upper}) rows[row++].push_back(end);
    rows[row].push_back(point.attained);
  }
  return table_of(rows, points.size());
}

}  // namespace

void bind_readouts(nb::module_& module) {
  nb::class_<PrivacyProfile>(module, "PrivacyProfile")
      .def("deltas", deltas_at, "epsilons"_a, "direction"_a)
      .def("epsilons", epsilons_at, "deltas"_a, "direction"_a)
      .def("trade_offs", trade_offs_at, "alphas"_a, "direction"_a)
      .def("advantage", [](const PrivacyProfile& p) { return ends(heard([p] { return membership_advantage(p); })); })
      .def(
          "bayes_error",
          [](const PrivacyProfile& p, double prior) {
            return ends(heard([p, prior] { return bayes_error(p, prior); }));
          },
          "prior"_a)
      .def(
          "precision",
          [](const PrivacyProfile& p, double fpr, double prior) {
            return ends(heard([p, fpr, prior] { return positive_predictive_value(TradeOff(p), fpr, prior); }));
          },
          "fpr"_a, "prior"_a)
      .def(
          "gaussian_mu",
          [](const PrivacyProfile& p, double least_delta) {
            const auto found = heard([p, least_delta] { return compare_with_gaussian(p, least_delta); });
            return nb::make_tuple(ends(found.smallest_mu), ends(found.largest_mu));
          },
          "least_delta"_a);
  module.def("profile", profile_of, "run"_a, "tolerance"_a, "engine"_a, "epsilon_tolerance"_a.none());
  module.def(
      "renyi_divergence",
      [](const Accounted& run, double order, const std::string& direction) {
        return ends(heard([run = run.composition(), order, in = direction_from_text(direction, "renyi_divergence")] {
          return renyi_divergence(run, order, in);
        }));
      },
      "run"_a, "order"_a, "direction"_a);
  module.def(
      "gaussian_dp_mu",
      [](const Accounted& run) {
        const auto found = heard([run = run.composition()] { return gaussian_dp_mu(run); });
        return nb::make_tuple(ends(found), found.exact);
      },
      "run"_a);
  module.def(
      "zcdp_rho",
      [](const Accounted& run, const std::string& direction) {
        return ends(heard(
            [run = run.composition(), in = direction_from_text(direction, "zcdp_rho")] { return zcdp_rho(run, in); }));
      },
      "run"_a, "direction"_a);
}

}  // namespace pld::python
