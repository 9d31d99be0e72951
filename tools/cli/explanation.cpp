#include "explanation.hpp"

#include <algorithm>
#include <cmath>

#include "formats/answer_fields.hpp"
#include "sampling/schemes.hpp"

namespace pld::cli {
namespace {

constexpr double usual_deltas[] = {1e-5, 1e-6, 1e-9, 1e-12};
constexpr double share_delta = 1e-6, least_delta = 1e-10;

std::vector<Share> shares_of(const Composition& composition, const EpsilonQuery& query, double epsilon) {
  std::vector<Share> shares;
  const auto& releases = composition.releases();
  if (releases.size() < 2) return shares;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    Composition without(composition.relation());
    for (std::size_t j = 0; j < releases.size(); ++j)
      if (j != i) without.add(releases[j].mechanism, releases[j].count);
    Share share{.place = i,
                .mechanism = releases[i].mechanism.text(),
                .count = releases[i].count,
                .epsilon_without = pld::epsilon(without, query)};
    if (std::isfinite(epsilon) && epsilon > 0) share.share = (epsilon - share.epsilon_without.estimate) / epsilon;
    shares.push_back(share);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.share > b.share; });
  return shares;
}

std::optional<CentralLimit> central_limit_of(const Composition& composition, Direction direction) {
  const auto moments = loss_moments(composition, direction);
  if (!moments || !(moments->variance.estimate > 0)) return std::nullopt;
  return CentralLimit{moments->limit_mu(), moments->berry_esseen_error()};
}

std::string neighbours_under(Relation relation) {
  switch (relation) {
    case Relation::replace_one:
      return "neighbouring data sets differ by one record, replaced by another";
    case Relation::zero_out:
      return "neighbouring data sets differ by one record, blanked out in one of them";
    case Relation::add_remove:
      break;
  }
  return "neighbouring data sets differ by one record, added or removed (a replaced record is two steps)";
}

std::vector<std::string> assumptions_of(const Composition& composition) {
  std::vector<std::string> out{neighbours_under(composition.relation())};
  for (const SamplingScheme& scheme : sampling_schemes()) {
    const auto& releases = composition.releases();
    const bool used = std::any_of(releases.begin(), releases.end(), [&](const Release& release) {
      return release.mechanism.sampling() && sampling_scheme(release.mechanism.sampling()->numbers) == &scheme;
    });
    if (used && !scheme.assumption.empty()) out.push_back(scheme.assumption);
  }
  out.emplace_back("one record changes a query by no more than the sensitivity named");
  out.emplace_back(
      "the attacker sees every output; a mechanism may be chosen after seeing earlier outputs, its parameters not");
  out.emplace_back("noise is drawn from the law named, not from a floating-point imitation of it");
  return out;
}

}  // namespace

bool Explanation::converged() const {
  return std::all_of(epsilons.begin(), epsilons.end(), [](const EpsilonAt& e) { return e.answer.converged; });
}

Explanation explanation_of(const Composition& composition, double tolerance, Engine engine) {
  Explanation out;
  out.exact = composition.is_exact();
  for (const double delta : usual_deltas)
    out.epsilons.push_back(
        {delta, pld::epsilon(composition, {.delta = delta, .tolerance = tolerance, .engine = engine})});

  out.share_delta = share_delta;
  EpsilonQuery query{
      .delta = share_delta, .tolerance = tolerance, .direction = DirectionChoice::remove, .engine = engine};
  out.remove = pld::epsilon(composition, query);
  query.direction = DirectionChoice::add;
  out.add = pld::epsilon(composition, query);
  query = {.delta = share_delta, .tolerance = tolerance};
  out.shares = shares_of(composition, query, std::max(out.remove.estimate, out.add.estimate));

  const PrivacyProfile profile(composition, {.engine = engine});
  const TradeOff trade_off(profile);
  out.advantage = membership_advantage(profile);
  out.bayes_error = bayes_error(profile, 0.5);
  out.tpr_one_percent = true_positive_rate(trade_off, 0.01);
  out.tpr_one_permille = true_positive_rate(trade_off, 0.001);
  out.least_delta = least_delta;
  out.gaussian = compare_with_gaussian(profile, least_delta, 1e-3);
  const Direction worst = out.remove.estimate >= out.add.estimate ? Direction::remove : Direction::add;
  out.central_limit = central_limit_of(composition, worst);
  out.rho = zcdp_rho(composition, DirectionChoice::worst, 1e-2);
  out.pure_epsilon = max_divergence(composition);
  out.assumptions = assumptions_of(composition);
  return out;
}

std::optional<ShuffledInstead> shuffled_instead(const std::vector<Entry>& entries, double delta,
                                                const Finding& poisson) {
  if (entries.size() != 1 || !entries.front().sampling.contains("poisson")) return std::nullopt;
  Entry entry = entries.front();
  const double rate = entry.sampling.at("poisson");
  const double batches = std::ceil(1 / rate), passes = std::floor(static_cast<double>(entry.count) * rate);
  if (!(batches >= 2 && batches <= 1e9 && passes >= 1)) return std::nullopt;
  entry.sampling = {{"shuffled", batches}};
  entry.count = static_cast<std::int64_t>(passes);
  try {
    Composition composition(Relation::zero_out);
    const Release release = release_of(entry);
    composition.add(release.mechanism, release.count);
    return ShuffledInstead{static_cast<std::int64_t>(batches), entry.count, delta,
                           pld::epsilon(composition, {.delta = delta}), poisson};
  } catch (const MissingTheorem&) {
    return std::nullopt;
  }
}

std::string json_text(const Explanation& e, const Composition& composition, double tolerance) {
  const auto loss = [&](const Bracket& bracket) { return json_finding({bracket, e.exact}); };
  OrderedJson out = {{"query", "explain"}, {"exact", e.exact}, {"epsilons", OrderedJson::array()}};
  for (const auto& [delta, answer] : e.epsilons)
    out["epsilons"].push_back({{"delta", delta},
                               {"epsilon", json_finding(answer)},
                               {"direction", name(answer.direction)},
                               {"engine", name(answer.engine)},
                               {"converged", answer.converged}});
  out["directions"] = {{"delta", e.share_delta}, {"remove", json_finding(e.remove)}, {"add", json_finding(e.add)}};
  out["advantage"] = loss(e.advantage);
  out["bayes_error"] = json_bracket(e.bayes_error);
  out["tpr_at_fpr"] = {{"0.01", loss(e.tpr_one_percent)}, {"0.001", loss(e.tpr_one_permille)}};
  out["gaussian"] = {{"least_delta", e.least_delta},
                     {"smallest_mu", loss(e.gaussian.smallest_mu)},
                     {"largest_mu", loss(e.gaussian.largest_mu)}};
  if (e.central_limit)
    out["central_limit"] = {{"mu", json_bracket(e.central_limit->mu)},
                            {"berry_esseen_error", json_bracket(e.central_limit->berry_esseen_error)}};
  out["zcdp_rho"] = loss(e.rho);
  out["pure_epsilon"] = loss(e.pure_epsilon);
  out["shares"] = OrderedJson::array();
  for (const Share& share : e.shares)
    out["shares"].push_back({{"place", share.place},
                             {"mechanism", share.mechanism},
                             {"count", share.count},
                             {"epsilon_without", json_finding(share.epsilon_without)},
                             {"share", json_number(share.share)}});
  out["assumptions"] = e.assumptions;
  add_composition(out, composition);
  add_options(out, DirectionChoice::worst, tolerance);
  return out.dump() + '\n';
}

}  // namespace pld::cli
