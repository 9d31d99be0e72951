#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <optional>
#include <utility>

#include "core/number_text.hpp"
#include "formats/named.hpp"
#include "numeric/exact_fraction.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/ledger/privacy_filter.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {

namespace {

constexpr const char* where = "filter";
constexpr double highest_order = 1e6;

/// The largest D_order that implies delta(epsilon) <= e^log_delta by e^{b (D - epsilon)} (b/order)^b / order with b =
/// order - 1 (Canonne, Kamath, Steinke 2020, proposition 12), rounded down.
double divergence_cap(double order, double epsilon, double log_delta) {
  const double b = order - 1, share = (log_delta + std::log(order)) / b, gain = -std::log1p(-1 / order);
  const double rounding = 16 * unit_roundoff * (epsilon + (std::fabs(log_delta) + std::log(order)) / b + gain);
  return epsilon + share + gain - rounding;
}

/// The largest rho whose divergences imply it at some order: any order is valid, the best is sought.
double rho_cap(double epsilon, double log_delta) {
  const auto missing = [&](double log_b) {
    const double order = 1 + std::exp(log_b);
    return -divergence_cap(order, epsilon, log_delta) / order;
  };
  constexpr int digits = 40;
  const auto [log_b, least] = boost::math::tools::brent_find_minima(missing, -20.0, std::log(highest_order), digits);
  return round_down(-least, 4);
}

/// The largest mu with delta(epsilon) <= delta of its Gaussian, from below to some units of round-off.
double mu_cap(const Target& target) {
  const auto meets = [&](double log_mu) {
    const Gaussian noise{.sigma = 1, .sensitivity = std::exp(log_mu)};
    return delta(Composition().add(noise), {.epsilon = target.epsilon}).upper <= target.delta;
  };
  double good = std::log(1e-12), bad = std::log(1e6);
  if (!meets(good)) return 0;
  if (meets(bad)) return std::exp(bad);
  while (bad - good > 4 * unit_roundoff * std::fabs(good)) {
    const double middle = good + (bad - good) / 2;
    if (middle == good || middle == bad) break;
    (meets(middle) ? good : bad) = middle;
  }
  return std::exp(good);
}

/// The order at which Gaussians alone spend least of a target.
double order_for(double epsilon, double log_delta) {
  const double root = std::sqrt(-log_delta);
  return std::fmin(highest_order, 1 + root / (std::sqrt(epsilon - log_delta) - root));
}

[[noreturn]] void refuse(const Goal& goal, const PrivacyFilter& filter, const char* accepted) {
  const std::string order = filter.kind == FilterKind::renyi ? " at order " + number_text(filter.order) : "";
  throw DomainError(where, "target",
                    quantity_of(goal) + " <= " + number_text(limit_of(goal)) + " with " + name(filter.kind) + order,
                    accepted);
}

/// What is left of a target's delta for the filter's own conversion.
Target without_reserve(const Target& target, double reserve) {
  require(target.delta - reserve > 0, where, "reserve", reserve, "less than each target's delta");
  return {target.epsilon, round_down(target.delta - reserve)};
}

/// The largest double whose decimal, by which sums are judged, is no more than the cap; 0 of one below.
double decimal_under(double cap) { return decimal_below(fraction_of(std::fmax(0.0, cap))); }

/// The cap of the kind that implies one target.
double cap_for(const Goal& goal, const PrivacyFilter& filter) {
  const auto* target = std::get_if<Target>(&goal);
  const auto* rho = std::get_if<ZeroConcentratedDp>(&goal);
  const auto* mu = std::get_if<GaussianDp>(&goal);
  if (filter.kind == FilterKind::basic) {
    if (target == nullptr) refuse(goal, filter, "an epsilon and a delta: basic composition adds up nothing else");
    return target->epsilon;
  }
  if (target != nullptr) {
    if (target->delta == 0) refuse(goal, filter, "a delta above 0: only basic composition keeps it 0");
    const auto [epsilon, delta] = without_reserve(*target, filter.delta_cap);
    if (filter.kind == FilterKind::renyi) return decimal_under(divergence_cap(filter.order, epsilon, std::log(delta)));
    if (filter.kind == FilterKind::zcdp) return decimal_under(rho_cap(epsilon, std::log(delta)));
    const double most = mu_cap({epsilon, delta});
    return decimal_under(round_down(most * most, 2));
  }
  require(filter.delta_cap == 0, where, "reserve", filter.delta_cap,
          "0 where a target has no delta to set it aside of");
  if (filter.kind == FilterKind::zcdp && rho != nullptr) return rho->rho;
  if (filter.kind == FilterKind::gdp && rho != nullptr)
    return decimal_below(2 * decimal_of(rho->rho));  // mu-GDP is mu^2/2-zCDP
  if (filter.kind == FilterKind::gdp && mu != nullptr) return decimal_below(decimal_of(mu->mu) * decimal_of(mu->mu));
  refuse(goal, filter,
         "a target that it implies: an epsilon and a delta; a rho for zcdp and gdp; a mu for gdp; none else");
}

double best_order(const std::vector<Goal>& targets) {
  for (const Goal& goal : targets)
    if (const auto* target = std::get_if<Target>(&goal); target != nullptr && target->delta > 0 && target->delta < 1)
      return order_for(target->epsilon, std::log(target->delta));
  return 2;
}

constexpr std::array all_filters{FilterKind::basic, FilterKind::zcdp, FilterKind::renyi, FilterKind::gdp};

}  // namespace

const char* name(FilterKind kind) {
  switch (kind) {
    case FilterKind::basic:
      return "basic";
    case FilterKind::zcdp:
      return "zcdp";
    case FilterKind::renyi:
      return "renyi";
    case FilterKind::gdp:
      break;
  }
  return "gdp";
}

std::vector<std::string> filter_names() { return names_of(all_filters); }

FilterKind filter_from_text(const std::string& text) { return one_of(all_filters, text, where, "filter"); }

const char* PrivacyFilter::quantity() const {
  switch (kind) {
    case FilterKind::basic:
      return "epsilon";
    case FilterKind::zcdp:
      return "rho";
    case FilterKind::renyi:
      return "D";
    case FilterKind::gdp:
      break;
  }
  return "mu^2";
}

PrivacyFilter filter_for(const std::vector<Goal>& targets, FilterKind kind, double order, double reserve) {
  if (targets.empty()) throw DomainError(where, "number of targets", "0", "one or more");
  require(reserve >= 0 && reserve < 1, where, "reserve", reserve, "0 <= reserve < 1");
  require(order == 0 || (order > 1 && order <= highest_order), where, "order", order, "1 < order <= 1e6");
  if (kind != FilterKind::renyi) require(order == 0, where, "order", order, "left out but for renyi");
  PrivacyFilter filter{.kind = kind, .order = order, .cap = infinity, .delta_cap = reserve};
  if (kind == FilterKind::renyi && order == 0) filter.order = best_order(targets);
  if (kind == FilterKind::basic) {
    require(reserve == 0, where, "reserve", reserve, "left out for basic, whose deltas add up to the target's");
    filter.delta_cap = 1;
  }
  for (const Goal& goal : targets) {
    require_valid(goal, "ledger");
    const double cap = cap_for(goal, filter);
    if (!(cap > 0 || (cap == 0 && kind == FilterKind::basic)))
      refuse(goal, filter, "one that leaves something to spend");
    filter.cap = std::fmin(filter.cap, cap);
    if (const auto* target = std::get_if<Target>(&goal); target != nullptr && kind == FilterKind::basic)
      filter.delta_cap = std::fmin(filter.delta_cap, target->delta);
  }
  return filter;
}

std::optional<double> order_for_samples(const std::vector<Goal>& targets, double reserve) {
  double of_gaussians = 2;
  for (const Goal& goal : targets) of_gaussians = std::fmax(of_gaussians, best_order({goal}));
  for (const double part : {0.5, 0.75, 1.0, 1.5}) {
    const double order = std::fmax(2, std::ceil(part * of_gaussians));
    try {
      (void)filter_for(targets, FilterKind::renyi, order, reserve);
      return order;
    } catch (const DomainError&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace pld
