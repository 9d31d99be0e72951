#include "account/epsilon_series.hpp"

#include <algorithm>

#include "account/directed_run.hpp"
#include "core/opposite_direction.hpp"
#include "engines/answer_width.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The width to which epsilon() looks at both directions before it leaves one.
constexpr double rough = 0.03;

/// Whether `part` is what is left of `whole` without some of its releases.
bool contains(const Composition& whole, const Composition& part) {
  const auto& all = whole.releases();
  return whole.relation() == part.relation() &&
         std::all_of(part.releases().begin(), part.releases().end(), [&](const Release& release) {
           const auto same = std::find_if(all.begin(), all.end(), [&](const Release& other) {
             return other.mechanism.text() == release.mechanism.text();
           });
           return same != all.end() && same->count >= release.count;
         });
}

}  // namespace

bool EpsilonSeries::covers(const Composition& run, double delta) const {
  return known_ && known_->delta <= delta && contains(known_->run, run);
}

/// As epsilon() does, roughly at first. Nothing where the other direction may be the worse one: its rough answer ends
/// at most `rough` above what is known of it.
std::optional<Answer> EpsilonSeries::in_worse_direction(const Composition& run, const EpsilonQuery& query) const {
  EpsilonQuery one = query;
  one.direction = only(opposite(known_->lesser));
  one.tolerance = std::max(query.tolerance, rough);
  Answer found = epsilon(run, one);
  const double highest = known_->upper + 2 * enough_width(known_->upper, rough);
  if (!(highest < found.lower)) return std::nullopt;
  if (!is_narrow(found, query.tolerance)) {
    one.tolerance = query.tolerance;
    found = epsilon(run, one);
  }
  found.converged = is_narrow(found, query.tolerance);
  return found;
}

Answer EpsilonSeries::at(const Composition& run, double delta) {
  EpsilonQuery query = query_;
  query.delta = delta;
  if (query.direction != DirectionChoice::worst || !run.is_one_profile() || symmetric(run)) return epsilon(run, query);
  if (covers(run, delta))
    if (const auto found = in_worse_direction(run, query)) return *found;
  const Answer found = epsilon(run, query);
  query.direction = only(opposite(found.direction));
  query.tolerance = std::max(query.tolerance, rough);
  known_ = Known{run, delta, opposite(found.direction), epsilon(run, query).upper};
  return found;
}

}  // namespace pld
