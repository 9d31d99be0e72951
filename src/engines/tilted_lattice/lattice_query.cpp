#include "engines/tilted_lattice/lattice_query.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/work.hpp"
#include "engines/rare_losses/some_trial.hpp"
#include "lattice/tilted_cuts.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/outline_cells.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// log(p / whole); -inf if p is 0, even where whole is 0 too.
double log_ratio(double log_p, double log_whole) { return log_p == -infinity ? log_p : log_p - log_whole; }

/// The lower end of one bracket with the upper end of another.
Bracket spanning(const Bracket& low, const Bracket& high) { return {low.lower, high.estimate, high.upper}; }

Bracket sum(const Bracket& a, const Bracket& b) {
  return {a.lower + b.lower, a.estimate + b.estimate, a.upper + b.upper};
}

/// Where an outline's last cell ends, or a little beyond: a law with a hard edge goes no further.
double end_of(const std::vector<LossCell>& outline) {
  const double last = outline.back().loss;
  return outline.size() < 2 ? last : last + (last - outline[outline.size() - 2].loss);
}

/// A cell of width d stands for losses whose mean is d^2 / 24 above its barycentre. That many times over is to stay
/// well within the composition's standard deviation, which grows with the square root of the count.
std::size_t outline_parts(double count) { return 1 + static_cast<std::size_t>(std::pow(count, 0.25) / 20); }

/// How many cells of each outline the work affords: placing a lattice reads all some hundred times, and is to take no
/// more than a part of it.
std::size_t affordable_cells(std::size_t outlines) {
  constexpr double points_to_place = 150, share_of_work = 0.5, fewest = 32;
  return static_cast<std::size_t>(
      std::max(fewest, share_of_work * Work::left() / points_to_place / static_cast<double>(outlines)));
}

}  // namespace

LatticeQuery::LatticeQuery(const Terms& terms) : terms_(terms), most_cells_(affordable_cells(terms.size())) {
  for (const Term& t : terms_) {
    outlines_.push_back(finer_outline(t.pair, outline_parts(static_cast<double>(t.count))));
    releases_.push_back({t.pair, t.pair->range(), Cumulant()});
    total_count_ += static_cast<double>(t.count);
    if (!t.pair->has_density())
      if (const auto d = t.pair->spacing()) highest_tilt_ = std::min(highest_tilt_, 40 / *d);
  }
  cut_above(-infinity, infinity);
}

std::vector<double> LatticeQuery::cuts_for(double log_mass, double epsilon) const {
  std::vector<double> losses;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double share = log_mass - std::log(static_cast<double>(terms_[j].count) * static_cast<double>(terms_.size()));
    losses.push_back(log_mass == -infinity ? terms_[j].pair->range().highest : cut_of(j, share, share - epsilon));
  }
  return losses;
}

void LatticeQuery::cut(const std::vector<double>& losses) {
  cumulants_.clear();
  hit_above_ = losses;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    releases_[j].cut.highest = hit_above_[j];
    releases_[j].cumulant = Cumulant(*outlines_[j], hit_above_[j], 1 + (outlines_[j]->size() - 1) / most_cells_);
    cumulants_.push_back({&releases_[j].cumulant, terms_[j].count});
  }
  weigh_hits();
}

/// Any cut is sound; one below most of the law would leave no body to tilt.
double LatticeQuery::cut_of(std::size_t j, double log_mass, double log_q_mass) const {
  const double typical = typical_loss(j);
  const double cut = upper_cut(*terms_[j].pair, *outlines_[j], log_mass, log_q_mass, typical);
  return cut > typical ? cut
                       : std::max(typical, upper_cut(*terms_[j].pair, *outlines_[j], log_mass, -infinity, typical));
}

void LatticeQuery::weigh_hits() {
  // The cut is where the body's cells end, to within the accuracy of the losses: a hit may begin a little before or
  // after.
  SomeTrial infinite, beyond_least, beyond_most, hit_least, hit_most, q_gaining;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const DominatingPair& pair = *terms_[j].pair;
    const auto count = static_cast<double>(terms_[j].count);
    const double log_infinite = pair.log_mass_at_plus_infinity(), cut = hit_above_[j];
    LossCell least, most;
    if (cut < pair.range().highest) {
      const double doubt = border_doubt(pair, cut);
      least = pair.above(cut + doubt);
      most = pair.above(cut - doubt);
    }
    if (!(least.log_mass > gaining_at_ + most.log_q_mass)) least = {};
    infinite.add(log_infinite, count);
    beyond_least.add(log_sum(log_infinite, least.log_mass), count);
    beyond_most.add(log_sum(log_infinite, most.log_mass), count);
    const Bracket log_finite = log_none_of(log_infinite, 1);
    hit_least.add(log_ratio(least.log_mass, log_finite.upper), count);
    hit_most.add(log_ratio(most.log_mass, log_finite.lower), count);
    if (least.log_mass > -infinity) q_gaining.add(most.log_q_mass, count);
  }
  const auto [spread, q_spread] = total_spread(terms_);
  const Bracket others{-spread, 0, spread};
  log_infinity_ = sum(infinite.log_some(), others);
  log_beyond_ = sum(spanning(beyond_least.log_some(), beyond_most.log_some()), others);
  gaining_ = {log_beyond_.lower, q_gaining.log_some().upper + q_spread};
  log_hits_ = sum(sum(spanning(hit_least.log_some(), hit_most.log_some()), infinite.log_none()), others);
}

void LatticeQuery::tilt_to(const Saddle& saddle, double nats) {
  saddle_ = saddle;
  placed_ = true;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double log_share =
        -nats - std::log(static_cast<double>(terms_[j].count) * static_cast<double>(terms_.size()));
    cut_by_tilt(releases_[j], saddle.tilt, log_share);
    // A law that goes on beyond its outline, and weighs more there under the tilt than anything the outline shows.
    const double outlined = end_of(*outlines_[j]), cut = releases_[j].cut.highest;
    if (cut > outlined) {
      const double log_weight = terms_[j].pair->above(outlined).log_mass + saddle.tilt * cut;
      if (log_weight - releases_[j].cumulant.at(saddle.tilt).value > log_share) placed_ = false;
    }
  }
}

Hits LatticeQuery::hits() const {
  return {log_infinity_.lower, log_beyond_.upper, gaining_, total_spread(terms_).p > 0 ? 0 : infinity};
}

bool LatticeQuery::reaches(double epsilon) const {
  double farthest = 0;
  for (std::size_t j = 0; j < terms_.size(); ++j)
    farthest += static_cast<double>(terms_[j].count) * outlines_[j]->back().loss;
  return epsilon < farthest;
}

std::vector<CountedRelease> LatticeQuery::counted() const {
  std::vector<CountedRelease> counted;
  for (std::size_t j = 0; j < terms_.size(); ++j) counted.push_back({&releases_[j], terms_[j].count});
  return counted;
}

LatticeProfile LatticeQuery::profile(Side side, LatticeBudget& budget) const {
  return {compose_on_lattice(counted(), saddle_.tilt, side, cuts_, budget), side};
}

std::unique_ptr<const LatticeProfile> LatticeQuery::lowered_profile(LatticeBudget& budget) const {
  return if_affordable([&]() -> std::unique_ptr<const LatticeProfile> {
    return std::make_unique<const LatticeProfile>(
        compose_on_lattice(counted(), saddle_.tilt, Side::lower, cuts_, budget, Below::lowered), Side::lower);
  });
}

MomentBounds LatticeQuery::moments() const {
  std::vector<RepeatedRelease> repeated;
  for (std::size_t j = 0; j < terms_.size(); ++j) repeated.push_back({terms_[j].pair, hit_above_[j], terms_[j].count});
  return MomentBounds(repeated);
}

double LatticeQuery::typical_loss(std::size_t j) const {
  double best = -infinity, loss = 0;
  for (const LossCell& c : *outlines_[j])
    if (c.log_mass > best) best = c.log_mass, loss = c.loss;
  return loss;
}

}  // namespace pld
