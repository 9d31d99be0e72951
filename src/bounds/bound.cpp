#include "pld/bounds/bound.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/sum_up.hpp"
#include "numeric/roundings.hpp"
#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/central_limit.hpp"
#include "pld/bounds/composition_theorems.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/fixed_size_sampling.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/bounds/poisson_sampling.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

/// What every formula here is accurate to (quadratures and sums are documented at 1e-11 or better).
constexpr double evaluation_units = 1e-11 / unit_roundoff;

std::vector<Direction> directions(DirectionChoice choice) {
  if (choice == DirectionChoice::remove) return {Direction::remove};
  if (choice == DirectionChoice::add) return {Direction::add};
  return {Direction::remove, Direction::add};
}

/// The larger of f over the directions asked for.
template <class PerDirection>
double worst(const BoundQuery& query, const PerDirection& f) {
  double epsilon = -infinity;
  for (const Direction direction : directions(query.direction)) epsilon = std::max(epsilon, f(direction));
  return epsilon;
}

/// The releases as (epsilon, delta)-DP statements. Where there are Gaussian ones they get `share` of the delta that is
/// not given away already, in equal parts.
struct SharedDelta {
  std::vector<RepeatedGuarantee> parts;
  double slack = 0;  ///< what is left of delta
};

SharedDelta share_delta(const BoundQuery& query, double share) {
  const double releases = gaussian_releases(query.steps);
  double given = 0;
  for (const Step& step : query.steps) {
    const auto* dp = std::get_if<ApproximateDp>(&step.mechanism);
    if (dp != nullptr)
      given = sum_up(given, product_up(static_cast<double>(step.count), product_up(step.q, dp->delta)));
  }
  // So little less that all shares, rounded up, are within delta.
  const double spared = roundings(8, static_cast<double>(query.steps.size()));
  const double each = releases > 0 ? share * (query.delta - given) / releases * (1 - spared) : 0;
  require(releases == 0 || each > 0, "dp composition", "delta left for the gaussians", each, "> 0");
  SharedDelta shared{guarantees(query.steps, each), 0};
  shared.slack = slack_left(shared.parts, query.delta);
  return shared;
}

/// Half of delta for the Gaussian releases, half for the slack of a composition theorem.
SharedDelta halved(const BoundQuery& query) { return share_delta(query, 0.5); }

const RepeatedGuarantee& only(const SharedDelta& shared) {
  require(shared.parts.size() == 1, "advanced composition", "kinds of mechanism",
          static_cast<double>(shared.parts.size()), "one: all releases alike");
  return shared.parts.front();
}

/// At least 1 - prod (1 - delta_i), which the sum of the deltas bounds: what is left where each is exact or leaks all.
double leaked_together(const std::vector<RepeatedGuarantee>& parts) {
  double log_kept = 0;
  for (const auto& [guarantee, count] : parts) log_kept += count * std::log1p(-guarantee.delta);
  return -std::expm1(log_kept) * (1 + 1e-14);
}

/// Deltas whose decimals add up to delta may do so not quite in binary: then the smaller number decides.
double basic(const BoundQuery& query) {
  const SharedDelta shared = share_delta(query, 1);
  const DpGuarantee total = basic_composition(shared.parts);
  require(total.delta <= query.delta || leaked_together(shared.parts) <= query.delta, "basic composition",
          "sum of deltas", total.delta, "at most delta");
  return total.epsilon;
}

template <DpGuarantee (*theorem)(const DpGuarantee&, double, double)>
double of_alike(const BoundQuery& query) {
  const SharedDelta shared = halved(query);
  return theorem(only(shared).guarantee, only(shared).count, shared.slack).epsilon;
}

/// Takes any parts. The explicit one has delta = 1 - (1 - slack) prod (1 - delta_i), below slack + sum delta_i.
template <DpGuarantee (*theorem)(const std::vector<RepeatedGuarantee>&, double)>
double of_any(const BoundQuery& query) {
  const SharedDelta shared = halved(query);
  return theorem(shared.parts, shared.slack).epsilon;
}

double moments_row(const BoundQuery& query) {
  require(query.steps.size() == 1, "moments accountant row", "kinds of mechanism",
          static_cast<double>(query.steps.size()), "one: all releases alike");
  const Step& step = query.steps.front();
  const double mu = gdp_mu({{step.mechanism, step.q, 1}});
  return moments_accountant_epsilon(classical_gaussian_epsilon(1 / mu, query.delta, 1), static_cast<double>(step.count),
                                    query.delta);
}

/// Gaussian releases may have any share of delta: the least of some, and of basic composition, which gives them all.
double optimal(const BoundQuery& query) {
  if (gaussian_releases(query.steps) == 0) return optimal_composition_epsilon(share_delta(query, 1).parts, query.delta);
  double least = basic(query);
  for (const double share : {0.5, 0.9, 0.99})
    least = std::min(least, optimal_composition_epsilon(share_delta(query, share).parts, query.delta));
  return least;
}

/// The least over real orders of a conversion of the composed Rényi curve, in the worse direction.
template <class Conversion>
double over_orders(const BoundQuery& query, const Conversion& convert) {
  return worst(query, [&](Direction direction) {
    const RenyiCurve rdp = renyi_curve(query.steps, direction);
    return best_order([&](double alpha) { return convert(alpha, rdp(alpha)); }).epsilon;
  });
}

template <double (*convert)(double, double, double)>
double renyi(const BoundQuery& query) {
  return over_orders(query, [&](double alpha, double rdp) { return convert(alpha, rdp, query.delta); });
}

/// As the source computes it: whole moments up to 32.
double moments_accountant(const BoundQuery& query) {
  constexpr int last = 33;
  return worst(query, [&](Direction direction) {
    const RenyiCurve rdp = renyi_curve(query.steps, direction);
    const auto at = [&](double alpha) { return epsilon_from_renyi_basic(alpha, rdp(alpha), query.delta); };
    return best_whole_order(at, last).epsilon;
  });
}

/// Whether the two directions of a release on all of the data may differ: those whose law is not known here.
bool is_asymmetric(const Step& step) { return std::holds_alternative<OtherMechanism>(step.mechanism); }

/// By whole orders up to `last` the divergence of a release on all of the data. A sample's neighbours have it in either
/// direction, so that what is said of one direction of it takes the larger of both.
std::vector<double> unsampled_divergences(const Step& step, Direction direction, int last) {
  std::vector<Direction> taken{direction};
  if (step.sampled() && is_asymmetric(step)) taken = {Direction::remove, Direction::add};
  std::vector<double> divergences(static_cast<std::size_t>(last) + 1, 0);
  for (const Direction one : taken) {
    const RenyiCurve rdp = renyi_curve({{step.mechanism}}, one);
    for (std::size_t alpha = 2; alpha < divergences.size(); ++alpha)
      divergences[alpha] = std::max(divergences[alpha], rdp(static_cast<double>(alpha)));
  }
  return divergences;
}

/// The least over whole orders of the tight conversion, with the divergence `sampled(rdp, step, order)` of each sampled
/// step, rdp that of the release unsampled; in the worse direction.
template <class Sampled>
double by_whole_orders(const BoundQuery& query, Sample sample, const char* where, const Sampled& sampled) {
  constexpr int last = 128;
  const auto is_sampled = [](const Step& step) { return step.sampled(); };
  require(std::any_of(query.steps.begin(), query.steps.end(), is_sampled), where, "number of sampled steps", 0,
          "one or more sampled steps");
  for (const Step& step : query.steps)
    if (step.sampled() && step.sample != sample)
      throw DomainError(where, "mechanism", describe(step),
                        sample == Sample::poisson ? "every sample a Poisson one" : "every sample of a fixed size");
  const auto in = [&](Direction direction) {
    std::vector<std::vector<double>> known;  // by step and order
    for (const Step& step : query.steps) known.push_back(unsampled_divergences(step, direction, last));
    const auto at = [&](double alpha) {
      double total = 0;
      for (std::size_t i = 0; i < query.steps.size(); ++i) {
        const Step& step = query.steps[i];
        const RenyiCurve rdp = [&](double order) { return known[i][static_cast<std::size_t>(order)]; };
        const int order = static_cast<int>(alpha);
        total += static_cast<double>(step.count) * (step.sampled() ? sampled(rdp, step, order) : rdp(alpha));
      }
      return epsilon_from_renyi_tight(alpha, total, query.delta);
    };
    return best_whole_order(at, last).epsilon;
  };
  const bool alike = std::none_of(query.steps.begin(), query.steps.end(), is_asymmetric);
  return alike ? in(Direction::remove) : worst(query, in);
}

double poisson_renyi(const BoundQuery& query) {
  return by_whole_orders(
      query, Sample::poisson, "poisson sampling",
      [](const RenyiCurve& rdp, const Step& step, int alpha) { return poisson_renyi_any(rdp, step.q, alpha); });
}

double fixed_size(const BoundQuery& query) {
  return by_whole_orders(query, Sample::fixed_size, "fixed-size sampling",
                         [](const RenyiCurve& rdp, const Step& step, int alpha) {
                           double largest = infinity;
                           if (!std::holds_alternative<Gaussian>(step.mechanism) &&
                               !std::holds_alternative<DiscreteGaussian>(step.mechanism))
                             largest = guarantees({{step.mechanism}}, 0).front().guarantee.epsilon;
                           return fixed_size_renyi(rdp, largest, step.q, alpha);
                         });
}

double approximate_renyi(const BoundQuery& query) {
  // Each given (epsilon, delta)-DP release is delta-approximate RDP; a sampled one by its amplified guarantee.
  Steps steps = query.steps;
  double leaked = 0;
  for (Step& step : steps) {
    auto* dp = std::get_if<ApproximateDp>(&step.mechanism);
    if (dp == nullptr) continue;
    const DpGuarantee sampled = amplify_by_sampling({dp->epsilon, dp->delta}, step.q);
    leaked = sum_up(leaked, product_up(static_cast<double>(step.count), sampled.delta));
    *dp = {.epsilon = sampled.epsilon, .delta = 0};
    step.q = 1;
  }
  require(leaked < query.delta, "approximate rdp", "sum of deltas given", leaked, "below delta");
  return over_orders({steps, query.delta, query.direction}, [&](double alpha, double rdp) {
    return epsilon_from_approximate_renyi({alpha, rdp, leaked}, query.delta);
  });
}

template <double (*convert)(const AlphaDp&, double)>
double alpha_dp(const BoundQuery& query) {
  return over_orders(query, [&](double alpha, double rdp) { return convert({alpha, (alpha - 1) * rdp}, query.delta); });
}

double zcdp_basic(const BoundQuery& query) { return epsilon_from_zcdp(zcdp(query.steps), query.delta); }
double zcdp_tight(const BoundQuery& query) { return epsilon_from_zcdp_tight(zcdp(query.steps), query.delta); }
double zcdp_sharpest(const BoundQuery& query) { return epsilon_from_zcdp_tight(zcdp_sharp(query.steps), query.delta); }
double bounded_range(const BoundQuery& query) {
  return epsilon_from_zcdp_tight(zcdp_of_bounded_range(query.steps), query.delta);
}
double truncated(const BoundQuery& query) { return epsilon_from_tcdp(tcdp(query.steps), query.delta); }

double classical(const BoundQuery& query) {
  return classical_gaussian_epsilon(1 / gdp_mu(query.steps), query.delta, 1);
}
double classical_misprint(const BoundQuery& query) {
  return classical_gaussian_epsilon_as_printed(1 / gdp_mu(query.steps), query.delta, 1);
}
double analytic(const BoundQuery& query) { return gdp_epsilon(gdp_mu(query.steps), query.delta); }

double limit(const BoundQuery& query) {
  return worst(query, [&](Direction direction) { return gdp_epsilon(clt_mu(query.steps, direction), query.delta); });
}
double sgd_limit(const BoundQuery& query) { return gdp_epsilon(dp_sgd_limit_mu(query.steps), query.delta); }
double limit_with_error(const BoundQuery& query) {
  return worst(query, [&](Direction direction) { return clt_epsilon_upper(query.steps, direction, query.delta); });
}

Bound rounded(Bound bound) {
  bound.epsilon = [formula = bound.epsilon](const BoundQuery& query) {
    return rounded_epsilon(formula(query), evaluation_units);
  };
  return bound;
}

std::vector<Bound> make_bounds() {
  const auto upper = Claim::upper_bound;
  std::vector<Bound> bounds{
      {"basic composition", "Dwork, Roth 2014, theorem 3.16", upper, basic},
      {"advanced composition", "Dwork, Rothblum, Vadhan 2010, theorem III.3", upper, of_alike<advanced_composition>},
      {"advanced composition, short form", "Dwork, Roth 2014, corollary 3.21", upper,
       of_alike<advanced_composition_short>},
      {"moments accountant row", "lecture table \"Variants of Differential Privacy\", 2019", upper, moments_row},
      {"heterogeneous advanced composition", "Steinke 2022, theorem 22", upper,
       of_any<heterogeneous_advanced_composition>},
      {"Kairouz-Oh-Viswanath, explicit", "Kairouz, Oh, Viswanath 2015, theorem 3.5", upper,
       of_any<kairouz_oh_viswanath_explicit>},
      {"Kairouz-Oh-Viswanath, optimal", "Kairouz, Oh, Viswanath 2015, theorem 3.3; Murtagh, Vadhan 2016", upper,
       optimal},
      {"zCDP", "Bun, Steinke 2016, proposition 1.3", upper, zcdp_basic},
      {"zCDP, tight conversion", "Canonne, Kamath, Steinke 2020, corollary 13", upper, zcdp_tight},
      {"zCDP of bounded range", "Cesar, Rogers 2021", upper, bounded_range},
      {"zCDP, least rho", "Steinke 2024; Harrison, Manurangsi 2026", upper, zcdp_sharpest},
      {"tCDP", "Bun, Dwork, Rothblum, Steinke 2018, lemma 6", upper, truncated},
      {"moments accountant", "Abadi et al. 2016, theorem 2, moments to 32", upper, moments_accountant},
      {"Renyi DP", "Mironov 2017, proposition 3; Mironov, Talwar, Zhang 2019", upper, renyi<epsilon_from_renyi_basic>},
      {"Renyi DP, tight conversion", "Balle et al. 2020, theorem 21; Canonne, Kamath, Steinke 2020", upper,
       renyi<epsilon_from_renyi_tight>},
      {"Renyi DP, optimal conversion", "Asoodeh et al. 2021, theorem 3", upper, renyi<epsilon_from_renyi_optimal>},
      {"Renyi DP of any Poisson sample", "Zhu, Wang 2019, theorem 5", upper, poisson_renyi},
      {"Renyi DP of fixed-size samples", "Wang, Balle, Kasiviswanathan 2019, theorem 9", upper, fixed_size},
      {"approximate Renyi DP", "Papernot, Steinke 2022; Canonne, Kamath, Steinke 2020", upper, approximate_renyi},
      {"alpha-divergence DP, as proved", "Liu, Wang, proof of proposition 4", upper,
       alpha_dp<epsilon_from_adp_as_proved>},
      {"alpha-divergence DP, as printed", "Liu, Wang, proposition 4", upper,  // e^epsilon is above epsilon
       alpha_dp<epsilon_from_adp_as_printed>},
      {"alpha-divergence DP, algorithm 1", "Liu, Wang, line 12 of algorithm 1", Claim::misprint,
       alpha_dp<epsilon_from_adp_algorithm_line>},
      {"classical gaussian", "Dwork, Roth 2014, theorem A.1", upper, classical},
      {"classical gaussian, as printed", "Liu, Wang, equation 8", Claim::misprint, classical_misprint},
      {"analytic gaussian (GDP)", "Balle, Wang 2018, theorem 8; Dong, Roth, Su 2022", upper, analytic},
      {"central limit", "Dong, Roth, Su 2022, theorem 3.4", Claim::approximation, limit},
      {"DP-SGD limit", "Bu, Dong, Long, Su 2020, theorem 5", Claim::approximation, sgd_limit},
      {"central limit with Berry-Esseen", "Shevtsova 2010", upper, limit_with_error},
  };
  std::transform(bounds.begin(), bounds.end(), bounds.begin(), rounded);
  return bounds;
}

}  // namespace

const std::vector<Bound>& all_bounds() {
  static const std::vector<Bound> bounds = make_bounds();
  return bounds;
}

BoundAnswer refused(const DomainError& error) { return {0, error.what(), error.accepted()}; }

BoundAnswer ask(const Bound& bound, const BoundQuery& query) {
  require_valid(query.steps);
  require(query.delta > 0 && query.delta < 1, "bounds", "delta", query.delta, "0 < delta < 1");
  try {
    return {bound.epsilon(query), {}};
  } catch (const DomainError& error) {
    return refused(error);
  } catch (const WorkSpent&) {
    return refused({bound.name, "work", "more than an answer has", "less: of fewer or simpler mechanisms"});
  }
}

}  // namespace pld::bounds
