#include "engines/tilted_lattice/without_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/moments/equal_shares.hpp"
#include "engines/rare_losses/few_hits.hpp"
#include "engines/rare_losses/hits.hpp"
#include "engines/rare_losses/some_trial.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_range.hpp"
#include "pairs/remembered.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {
namespace {

/// Where all releases are (sampled) Gaussians, the upper bound of log delta(epsilon) that holds without the sampling: a
/// sampled pair is dominated by its base. Infinite for others.
double log_delta_unsampled(const Terms& terms, double epsilon) {
  Terms unsampled;
  for (const Term& t : terms) {
    const auto law = t.pair->sampled_gaussian();
    if (!law) return infinity;
    unsampled.push_back({dominating_pair(Gaussian{.sigma = 1, .sensitivity = law->mu}, Direction::remove), t.count});
  }
  return closed_form_log_delta(join_gaussians(unsampled), epsilon).upper;
}

/// Takes the points of listing all atoms that lie as far apart as a law says they do.
void take_points_of_atoms(const Terms& terms) {
  constexpr double points_an_atom = 15;
  double atoms = 0;
  for (const Term& t : terms)
    if (const auto spacing = t.pair->spacing(); spacing && !t.pair->has_density()) {
      const std::vector<LossCell> outline = t.pair->outline();
      // Of losses below every double there is one.
      const double reach = outline.empty() ? 0 : outline.back().loss - outline.front().loss;
      if (reach > 0) atoms += reach / *spacing;
    }
  Work::take(points_an_atom * atoms);
}

/// `make()`, which lists all atoms; none where that would take too long.
template <class Make>
auto where_listed(const Terms& terms, const Make& make) {
  return if_affordable([&]() -> decltype(std::optional(make())) {
    take_points_of_atoms(terms);
    return make();
  });
}

/// Whether P's masses are all there: what 1 - delta is at most is read off them.
bool all_sum_to_one(const Terms& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& t) { return sums_to_one(*t.pair); });
}

/// The narrower of two at either end.
void intersect(Bracket& into, const Bracket& other) {
  if (!(other.lower > into.lower || other.upper < into.upper)) return;
  into = intersection(into, other);
  into.estimate = estimate_between(into.lower, into.upper);
}

class WithoutLattice final : public ProfilePiece {
 public:
  explicit WithoutLattice(std::shared_ptr<const LatticeWork> work)
      : work_(std::move(work)),
        hits_(work_->query().hits()),
        moments_(where_listed(terms(), [this] { return work_->query().moments(); })),
        events_(events_near(*work_)),
        few_hits_(few_hits()) {}

  /// Each reading looks for the best tilt anew, which a question has only so many points for beyond those that one
  /// epsilon takes.
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    constexpr double points_a_law = 5e4;
    constexpr int for_one_epsilon = 64;
    const LatticeQuery& query = work_->query();
    const double points = points_a_law * static_cast<double>(terms().size());
    if (++readings_ > for_one_epsilon && Work::left() < points) return unknown_profile;
    const bool reached = query.reaches(epsilon);
    Bracket found = moments_ ? by_moments(epsilon, reached) : Bracket{-infinity, 0, 0};
    const Tails tails = tails_for(epsilon);
    double least = std::max(query.log_infinity().lower, tails.hits.log_gain(epsilon));
    if (events_) least = std::max(least, events_->log_gain(epsilon));
    intersect(found, {least, 0, tails.log_delta_of_shares});
    if (!reached) intersect(found, {-infinity, 0, log_delta_unsampled(terms(), epsilon)});
    if (few_hits_ && epsilon > 0) intersect(found, {-infinity, 0, few_hits_->log_delta_upper(epsilon, found.upper)});
    return {found, contour::one_minus({found.lower, found.estimate, found.upper}).bracket()};
  }
  [[nodiscard]] double centre() const override { return work_->epsilon(); }

 private:
  [[nodiscard]] const Terms& terms() const { return work_->terms(); }

  static std::optional<SingleEvents> events_near(const LatticeWork& work) {
    const auto& log_delta = work.log_delta_asked();
    return log_delta ? std::optional(SingleEvents(work.terms(), *log_delta)) : std::nullopt;
  }
  /// Made where single hits are about delta: then one large loss decides. A reading takes each pair's tails at some
  /// forty places, by cells that large groups take long for.
  [[nodiscard]] std::optional<FewHits> few_hits() const {
    constexpr std::size_t most_kinds = 30;
    constexpr double most_cost = 1500;
    double cost = 0;
    for (const Term& term : terms()) cost += term.pair->cell_cost();
    if (cost > most_cost) return std::nullopt;
    const LatticeQuery& query = work_->query();
    const double epsilon = events_ ? events_->epsilon() : work_->epsilon();
    if (!(epsilon > 0 && epsilon < infinity) || !query.reaches(epsilon) || terms().size() > most_kinds)
      return std::nullopt;
    const double log_delta = events_ ? *work_->log_delta_asked() : hits_above(terms(), epsilon).log_gain(epsilon);
    if (!(log_delta < 0 && std::isfinite(log_delta))) return std::nullopt;
    return where_listed(terms(), [&] { return FewHits(terms(), log_delta, epsilon); });
  }
  [[nodiscard]] Bracket by_moments(double epsilon, bool reached) const {
    constexpr double steep = 1e3;  // where outlines end before epsilon
    const Bracket body = moments_->log_delta(epsilon, reached ? tilt_for(epsilon) : steep);
    Bracket all = hits_.with_body(reached ? body.lower : -infinity, body.upper, epsilon);
    if (reached && all_sum_to_one(terms())) intersect(all, {moments_->log_delta_near_one(epsilon), 0, 0});
    return all;
  }

  /// What the releases' own tails at a place say of delta there and at larger epsilons.
  struct Tails {
    HitEvent hits;
    double log_delta_of_shares;
  };
  /// At epsilon. Of very many kinds, as each reading looks at all of them: of hits at a place up to a tenth before, and
  /// not of shares, each of which most of them pass.
  [[nodiscard]] Tails tails_for(double epsilon) const {
    if (terms().size() <= most_kinds_at_best_border)
      return {hits_above(terms(), epsilon),
              log_delta_of_equal_shares(terms(), epsilon, work_->query().log_infinity().upper)};
    const double apart = std::log(1.1), steps = std::floor(std::log(epsilon) / apart);
    const double place = std::isfinite(steps) ? std::min(epsilon, std::exp(apart * steps)) : epsilon;
    auto known = hits_at_.find(place);
    if (known == hits_at_.end()) known = hits_at_.emplace(place, hits_above(terms(), place)).first;
    return {known->second, 0};
  }

  /// About the best one: of many kinds that of a place nearby is good enough, as it costs more than a bound.
  [[nodiscard]] double tilt_for(double epsilon) const {
    constexpr std::size_t few_kinds = 30;
    constexpr double nearby = 0.1;
    const bool is_known = terms().size() > few_kinds && std::fabs(epsilon - tilted_for_) <= nearby * std::fabs(epsilon);
    if (!is_known) tilt_ = work_->query().at_epsilon(epsilon).tilt, tilted_for_ = epsilon;
    return tilt_;
  }

  std::shared_ptr<const LatticeWork> work_;
  Hits hits_;
  std::optional<MomentBounds> moments_;
  std::optional<SingleEvents> events_;
  std::optional<FewHits> few_hits_;
  mutable int readings_ = 0;
  mutable std::map<double, HitEvent> hits_at_;
  mutable double tilt_ = 0, tilted_for_ = infinity;
};

/// Moments of some few cells of each release, none of them cut: the same for all that is asked of a composition.
class FewMoments {
 public:
  explicit FewMoments(const std::vector<RepeatedRelease>& releases) : moments_(releases, cells) {}

  static std::shared_ptr<const FewMoments> of(const Terms& terms) {
    static Remembered<std::shared_ptr<const FewMoments>> remembered;
    std::vector<RepeatedRelease> releases;
    std::vector<std::pair<PairPtr, std::int64_t>> counts;
    for (const Term& t : terms) {
      releases.push_back({.pair = t.pair, .count = t.count});
      counts.emplace_back(t.pair, t.count);
    }
    return remembered.of(counts, [&] { return std::make_shared<const FewMoments>(releases); });
  }

  [[nodiscard]] Bracket log_delta(double epsilon) const {
    constexpr double about_any_tilt = 1;
    const std::lock_guard lock(asking_);
    return moments_.log_delta(epsilon, about_any_tilt);
  }

 private:
  static constexpr std::size_t cells = 32;
  mutable std::mutex asking_;
  MomentBounds moments_;
};

class MomentsAlone final : public ProfilePiece {
 public:
  MomentsAlone(const Terms& terms, double centre)
      : hits_(infinite_losses(terms)), moments_(FewMoments::of(terms)), centre_(centre) {}

  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    const Bracket body = moments_->log_delta(epsilon);
    const Bracket all = hits_.with_body(body.lower, body.upper, epsilon);
    return {all, contour::one_minus({all.lower, all.estimate, all.upper}).bracket()};
  }
  [[nodiscard]] double centre() const override { return centre_; }

 private:
  static Hits infinite_losses(const Terms& terms) {
    SomeTrial infinite;
    for (const Term& t : terms) infinite.add(t.pair->log_mass_at_plus_infinity(), static_cast<double>(t.count));
    const double spread = total_spread(terms).p;
    const Bracket log_some = infinite.log_some();
    const double least = log_some.lower - spread;
    return {least, log_some.upper + spread, {.log_p = least}, spread > 0 ? 0 : infinity};
  }

  Hits hits_;
  std::shared_ptr<const FewMoments> moments_;
  double centre_;
};

}  // namespace

PiecePtr moments_alone_piece(const Terms& terms, double centre) {
  return std::make_shared<MomentsAlone>(terms, centre);
}

PiecePtr without_lattice_piece(std::shared_ptr<const LatticeWork> work) {
  return std::make_shared<WithoutLattice>(std::move(work));
}

}  // namespace pld
