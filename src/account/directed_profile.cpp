#include "account/directed_profile.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "account/engine_refusals.hpp"
#include "account/ladder.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/question.hpp"
#include "numeric/log_range.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// A contour's own accuracy is about 1e-12; a piece serves until it has lost this much of it.
constexpr double fine_width = 1e-9;

/// Logarithm of delta's width, by whichever of the two tells it better.
double log_absolute_width(const ProfileBracket& found) {
  const auto log_width = [](const Bracket& log) { return std::min(0.0, std::log(log.width())) + log.upper; };
  return std::min(log_width(found.log_delta), log_width(found.log_complement));
}

/// How wide a bracket may get away from where it was `width` wide.
double accepted_width(double width, double tolerance) {
  return width <= fine_width ? std::min(fine_width, tolerance) : std::max(tolerance, 1.5 * width);
}

/// An upper bound by nodes, with what is known of the law that they stand for.
ProfileBracket below(const ProfileBracket& nodes, const ProfileBracket& law) {
  return intersection(law, {at_most(nodes.log_delta.upper), at_least(nodes.log_complement.lower)});
}

}  // namespace

DirectedProfile::DirectedProfile(DirectedRun run, Engine engine, double tolerance, CommonLatticePtr common,
                                 std::unique_ptr<const DirectedProfile> law)
    : run_(std::move(run)),
      engine_(engine),
      tolerance_(std::log1p(tolerance)),
      common_(std::move(common)),
      law_(std::move(law)) {
  require_engine(engine_, run_.terms);
  if (by_closed_form(engine_, run_.terms)) closed_form_ = closed_form_piece(run_.terms);
  if (!rounded_to(run_.terms)) most_log_delta_ = most_log_delta(run_);
}

bool DirectedProfile::needs_piece(double epsilon) const {
  return !(run_.terms.empty() || !run_.has_finite_loss || epsilon >= run_.largest_loss.upper || closed_form_);
}

ProfileBracket DirectedProfile::without_piece(double epsilon) const {
  if (run_.terms.empty()) return {{-infinity, -infinity, -infinity}, {0, 0, 0}};
  if (run_.has_finite_loss && epsilon < run_.largest_loss.upper) return reading(*closed_form_, epsilon);
  const bool nothing_finite = run_.infinity_mass.lower == 1;
  return {log_delta_beyond_losses(run_),
          nothing_finite ? Bracket{-infinity, -infinity, -infinity} : run_.log_finite_mass};
}

PiecePtr DirectedProfile::new_piece(double epsilon, double tolerance) const {
  // Half the width asked at the centre: a neighbourhood then stays within it.
  return climb(run_.terms, engine_,
               {.epsilon = epsilon,
                .width = tolerance / 2,
                .nats = nats_of_a_neighbourhood,
                .log_floor = least_log_delta})
      .piece;
}

/// As many as the search for one epsilon takes there are in any case; of many kinds fewer, as each takes as much
/// longer.
bool DirectedProfile::affords_piece() const {
  constexpr std::size_t for_one_epsilon = 12, kinds_in_all = 96;
  const std::size_t in_any_case = std::clamp<std::size_t>(kinds_in_all / run_.terms.size(), 1, for_one_epsilon);
  return pieces_.size() < in_any_case || Work::affords_piece();
}

void DirectedProfile::make_piece(double epsilon, double tolerance) const {
  const double had = Work::left();
  Piece made{.centre = epsilon, .tolerance = tolerance, .profile = new_piece(epsilon, tolerance)};
  if (!Work::affords_piece()) made.work = had;
  if (made.profile) {
    const ProfileBracket there = reading(*made.profile, epsilon);
    made.log_delta_upper = there.log_delta.upper;
    if (there.log_delta.width() > tolerance) made.tolerance = 0;  // as good as it gets
    made.accepted = accepted_width(there.log_delta.width(), tolerance);
    const double complement = there.log_complement.width();
    made.accepted_complement = complement <= tolerance ? accepted_width(complement, tolerance) : infinity;
  } else {
    made.accepted = made.accepted_complement = infinity;
  }
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), epsilon,
                                     [](double e, const Piece& piece) { return e < piece.centre; });
  pieces_.insert(next, std::move(made));
  forget_far_from(epsilon);
}

/// Pieces that are far away are made again where they are asked for again, once all are too many numbers.
void DirectedProfile::forget_far_from(double epsilon) const {
  constexpr std::size_t most = 1'500'000;  // of ten bytes
  const auto size = [](const Piece& piece) { return piece.profile ? piece.profile->size() : 0; };
  std::size_t all = 0;
  for (const Piece& piece : pieces_) all += size(piece);
  while (all > most && pieces_.size() > 1) {
    const bool first = epsilon - pieces_.front().centre > pieces_.back().centre - epsilon;
    const auto farthest = first ? pieces_.begin() : std::prev(pieces_.end());
    all -= size(*farthest);
    pieces_.erase(farthest);
  }
}

/// What log delta is to be known to at a place of which something is known already.
double DirectedProfile::tolerance_at(const Place& place, const ProfileBracket& known) const {
  constexpr double finest = 1e-7;
  if (place.log_width == -infinity || known.log_delta.lower == -infinity) return tolerance_;
  return std::clamp(std::exp(place.log_width - known.log_delta.estimate), std::min(finest, tolerance_), tolerance_);
}

const TotalReading* DirectedProfile::on_lattice() const {
  if (!common_ || run_.terms.empty() || !run_.has_finite_loss || closed_form_) return nullptr;
  if (!on_lattice_) on_lattice_ = common_->composed(run_.terms);
  return on_lattice_->get();
}

std::optional<Bracket> DirectedProfile::epsilon_on_lattice(double delta) const {
  const std::lock_guard lock(making_);
  const TotalReading* lattice = on_lattice();
  if (!lattice) return std::nullopt;
  return lattice->epsilon(delta);
}

/// Whether log delta is narrow for its size, and log(1 - delta) where that is the small one.
bool DirectedProfile::is_enough(const Place& place, const ProfileBracket& known) const {
  if (known.log_delta.upper <= place.log_floor || known.log_delta.lower >= place.log_ceiling) return true;
  if (log_absolute_width(known) <= place.log_width) return true;
  // A page prints epsilons, whose relative width is about that of log delta.
  const double tolerance = tolerance_at(place, known) * std::max(1.0, -known.log_delta.upper);
  const bool complement_is_small = known.log_complement.upper < std::log(0.5);
  return known.log_delta.width() <= tolerance && !(complement_is_small && known.log_complement.width() > tolerance);
}

/// What the common lattice and the pieces on either side say; whether that is as good as a piece of its own.
bool DirectedProfile::read(const Place& place, ProfileBracket& out) const {
  const double epsilon = place.epsilon;
  // Below all losses delta is larger.
  ProfileBracket known = unknown_profile;
  if (epsilon >= run_.smallest_loss) known.log_delta = intersection(known.log_delta, at_most(most_log_delta_));
  out = known;
  if (const TotalReading* lattice = on_lattice()) {
    out = intersection(out, lattice->at(epsilon));
    if (is_enough(place, out)) return true;
  }
  bool good = false, narrow = false;
  const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), epsilon,
                                     [](double e, const Piece& piece) { return e < piece.centre; });
  const auto ask = [&](const Piece& piece) {
    constexpr double much_more = 4;
    const bool is_best = !(much_more * piece.work < Work::left());
    if (!piece.profile) {  // beyond the lattice's reach at the centre already
      good = good || (is_best && epsilon >= piece.centre);
      return;
    }
    const ProfileBracket found = reading(*piece.profile, epsilon);
    out = intersection(out, found);
    // The profile falls.
    if (piece.centre <= epsilon) out.log_delta = intersection(out.log_delta, at_most(piece.log_delta_upper));
    good =
        good || (is_best && piece.tolerance <= tolerance_at(place, out) && found.log_delta.width() <= piece.accepted &&
                 found.log_complement.width() <= piece.accepted_complement);
    narrow = narrow || out.log_delta.upper <= place.log_floor || out.log_delta.lower >= place.log_ceiling ||
             log_absolute_width(out) <= place.log_width;
    good = good || narrow;
    narrow = narrow || (good && found.log_delta.width() <= tolerance_at(place, out));
  };
  // Outward from the nearest ones: a finer piece may lie behind a coarse one, or behind those for which little work was
  // left, which are as good as any there.
  constexpr int most_asked = 4;
  auto left = next, right = next;
  for (int i = 0; i < most_asked && !narrow; ++i) {
    if (left != pieces_.begin()) ask(*--left);
    if (!narrow && right != pieces_.end()) ask(*right++);
  }
  // A bound from further left has no complement of its own; twice the rounding of either.
  out.log_complement =
      intersection(out.log_complement, at_least(log_one_minus_exp(out.log_delta.upper) * (1 + 8 * unit_roundoff)));
  out = intersection(out, known);
  return good;
}

/// Makes a piece there and reads it, `out` being what is known so far; and another one where that only tells how fine a
/// piece is needed. With too little work left, what is known is the answer.
void DirectedProfile::make_and_read(const Place& place, ProfileBracket& out) const {
  for (int i = 0; i < 2 && affords_piece(); ++i) {
    make_piece(place.epsilon, tolerance_at(place, out));
    if (read(place, out)) return;
  }
}

ProfileBracket DirectedProfile::at(const Place& place) const {
  if (!law_) return on_nodes(place);
  constexpr double share_of_law = 0.35;  // nodes serve where a line takes more
  const ProfileBracket known = with_share(share_of_law, [&] { return law_->at(place); });
  return is_enough(place, known) ? known : below(on_nodes(place), known);
}

std::vector<ProfileBracket> DirectedProfile::at_all(const std::vector<Place>& places) const {
  if (!law_) return all_on_nodes(places);
  constexpr double share_of_law = 0.8;  // nodes serve what lines leave open
  std::vector<ProfileBracket> out = with_share(share_of_law, [&] { return law_->at_all(places); });
  std::vector<Place> others;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!is_enough(places[i], out[i])) which.push_back(i), others.push_back(places[i]);
  const std::vector<ProfileBracket> found = all_on_nodes(others);
  for (std::size_t j = 0; j < which.size(); ++j) out[which[j]] = below(found[j], out[which[j]]);
  return out;
}

ProfileBracket DirectedProfile::on_nodes(const Place& place) const {
  if (!needs_piece(place.epsilon)) return without_piece(place.epsilon);
  ProfileBracket found;
  const std::lock_guard lock(making_);
  if (!read(place, found)) make_and_read(place, found);
  return found;
}

std::vector<ProfileBracket> DirectedProfile::all_on_nodes(const std::vector<Place>& places) const {
  std::vector<ProfileBracket> out(places.size());
  // A piece in the middle of what is not served yet serves both sides of it, the first one often all. The smaller
  // half's are made first, each of a part of what is left: far out, where delta is as good as nothing, one may take all
  // there is.
  constexpr double parts_at_first = 2, parts_later = 8;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, places.size()}};
  while (!open.empty()) {
    auto [first, last] = open.back();
    open.pop_back();
    const auto served = [&](std::size_t i) {
      if (!needs_piece(places[i].epsilon)) {
        out[i] = without_piece(places[i].epsilon);
        return true;
      }
      return read(places[i], out[i]);
    };
    const std::lock_guard lock(making_);
    while (first < last && served(first)) ++first;
    while (first < last && served(last - 1)) --last;
    if (first == last) continue;
    const std::size_t middle = first + (last - first) / 2;
    if (!served(middle)) {
      const double parts = pieces_.empty() ? parts_at_first : parts_later;
      const PartOfQuestion part(Work::left() / std::min(parts, static_cast<double>(last - first)));
      make_and_read(places[middle], out[middle]);
    }
    open.emplace_back(middle + 1, last);
    open.emplace_back(first, middle);
  }
  return out;
}

}  // namespace pld
