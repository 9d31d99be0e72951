#include "engines/rare_losses/one_hit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/work.hpp"
#include "engines/rare_losses/hits.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/normal_tail.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Edges from `from` on, `step` apart up to `fine_until`, then each step 1% longer than the last, up to `to`.
std::vector<double> edges_of(double from, double fine_until, double to, double step) {
  std::vector<double> edges;
  for (double z = from; z < to; z += step) {
    edges.push_back(z);
    if (z > fine_until) step *= 1.01;
  }
  edges.push_back(to);
  return edges;
}

/// The error of the losses between each edge and the next. It costs as much as ten cells or more, and hardly differs
/// between neighbours.
std::vector<double> loss_errors(const DominatingPair& pair, const std::vector<double>& edges) {
  constexpr std::size_t neighbours = 32;
  std::vector<double> errors;
  while (errors.size() + 1 < edges.size()) {
    const std::size_t first = errors.size(), last = std::min(first + neighbours, edges.size() - 1);
    errors.resize(last, pair.loss_error({edges[first], edges[last]}));
  }
  return errors;
}

}  // namespace

OneHit::Kind::Kind(const Term& release, LossRange range, Terms all_others, const std::vector<double>& borders)
    : term(release), hits(range), others(std::move(all_others)), rest(others) {
  outline = term.pair->outline();
  std::erase_if(outline, [&](const LossCell& c) { return !(hits.lowest < c.loss && c.loss <= hits.highest); });
  rest.cut_at(borders);
  const CumulantValue untilted = rest.cumulant_at(0);
  mean = untilted.mean;
  deviation = std::sqrt(untilted.variance);
}

double OneHit::Kind::log_part_about(const LossCell& hit, double epsilon) const {
  if (!(deviation > 0)) return hit.log_mass + log_one_minus_exp(epsilon - hit.loss - mean);
  const double away = (epsilon - hit.loss - mean) / deviation;
  const double log_p = log_normal_tail(away),
               log_q = (away + deviation / 2) * deviation + log_normal_tail(away + deviation);
  return hit.log_mass + log_difference(log_p, log_q);
}

double OneHit::Kind::log_delta_about(double epsilon) const {
  double sum = -infinity;
  for (const LossCell& hit : outline) sum = log_sum(sum, log_part_about(hit, epsilon));
  return log_count(term) + sum;
}

void OneHit::Kind::tilt_to(double epsilon, double nats) {
  const LossCell& likeliest = *std::max_element(
      outline.begin(), outline.end(),
      [&](const LossCell& a, const LossCell& b) { return log_part_about(a, epsilon) < log_part_about(b, epsilon); });
  rest.tilt_to(rest.at_epsilon(epsilon - likeliest.loss), nats);
  fine_until = epsilon + 20 / (1 + rest.saddle().tilt);
}

// Cells' masses are right to 16 u (1 + |log mass|), their losses and edges to the pair's loss_error. With x = e^z, a
// part's P and Q mass (p, q) and the rest's profile it makes q f(p / q), f(x) = x rest(epsilon - log x) convex and
// rising. That is at least what all of a cell makes at its barycentre, and at most what the chord between its ends
// makes. The chord's value rises with q, the barycentre and the cell's length.
std::vector<OneHit::Profile::Hit> OneHit::Kind::cells(Side side, LatticeBudget& budget) const {
  const DominatingPair& pair = *term.pair;
  const double outward = side == Side::upper ? 1 : -1;
  const bool to_the_end = hits.highest >= pair.range().highest;
  const double from = hits.lowest - outward * border_doubt(pair, hits.lowest);
  const double to = to_the_end ? hits.highest : hits.highest + outward * border_doubt(pair, hits.highest);
  std::vector<Profile::Hit> out;
  const auto add = [&](double loss, double log_mass, double loss_error) {
    const double error = loss_error + 4 * unit_roundoff * std::fabs(loss);
    if (log_mass > -infinity) out.push_back({loss + outward * error, log_mass + outward * mass_error(log_mass)});
  };
  constexpr double read_points = 200;  // of the few readings that tell how wide it is
  const std::vector<LossCell> atoms = pair.atoms({from, to_the_end ? infinity : to});
  std::vector<double> losses;
  for (const LossCell& atom : atoms) losses.push_back(atom.loss);
  if (!atoms.empty()) losses.push_back(atoms.back().loss);
  const std::vector<double> errors_of_atoms = loss_errors(pair, losses);
  for (std::size_t i = 0; i < atoms.size(); ++i) add(atoms[i].loss, atoms[i].log_mass, errors_of_atoms[i]);
  spend(read_points * static_cast<double>(out.size()), budget.points);
  if (!pair.has_density()) return out;

  // A quarter of the width, where a share of the points affords it: the other side takes as many.
  constexpr double share = 0.25;
  const double wanted = std::sqrt(budget.log_width / 4) / (1 + rest.saddle().tilt);
  const double points = (read_points + points_of_cell(pair)) * std::max(0.0, std::min(fine_until, to) - from);
  const double step = std::max(wanted, points / (share * budget.points));
  budget.at_limit = budget.at_limit || step > wanted;
  spend(points / step, budget.points);
  const std::vector<double> ends = edges_of(from, fine_until, to, step);
  const std::vector<LossCell> masses = cells_between(pair, ends);
  const std::vector<double> errors = loss_errors(pair, ends);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const LossCell& cell = masses[i];
    if (cell.log_mass == -infinity && cell.log_q_mass == -infinity) continue;
    const double of_cell = errors[i] + barycentre_error(cell, ends[i + 1] - ends[i]);
    if (side == Side::lower) {
      add(cell.loss, cell.log_mass, of_cell);
      continue;
    }
    const double error = of_cell + 8 * unit_roundoff * std::max(std::fabs(ends[i]), std::fabs(ends[i + 1]));
    const double left = ends[i] - error, right = ends[i + 1] + error, x = std::clamp(cell.loss + error, left, right);
    // Of Q, (e^right - e^x) / (e^right - e^left) goes to the left end, and the rest to the right one.
    const double whole = LogBound(left - right, Side::upper).one_less().log();
    const LogBound q = bound_of_mass(cell.log_q_mass, side).times(-whole);
    const auto part = [&](double a, double b) { return q.times(LogBound(a - b, Side::lower).one_less().log()); };
    if (x < right) out.push_back({left, part(x, right).times(left).log()});
    if (x > left) out.push_back({right, part(left, x).times(x).log()});
  }
  return out;
}

OneHit::Profile::Kind OneHit::Kind::profile(Side side, LatticeBudget& budget) const {
  const TotalSpread spread = total_spread(others);
  const auto beyond_one = [](double log) { return LogBound(-log, Side::lower).one_less().times(log).log(); };
  const LogBound unsure = LogBound(beyond_one(spread.p), Side::upper).plus(beyond_one(spread.q));
  Profile::Rest on_lattice{rest.profile(side, budget), side, mean - std::min(7 * deviation, 20 / rest.saddle().tilt),
                           unsure.plus(rest.log_beyond().upper).log(), spread.p};
  Profile::Kind out{cells(side, budget), std::move(on_lattice)};
  for (Profile::Hit& hit : out.hits) hit.log_mass = LogBound(hit.log_mass, side).times(log_count(term)).log();
  return out;
}

OneHit::OneHit(const Terms& terms, const LatticeQuery& whole, double log_two) {
  std::vector<double> borders = whole.cuts_for(log_expected_for(log_two), infinity);
  const std::vector<double>& farthest = whole.cuts();
  for (std::size_t j = 0; j < terms.size(); ++j) {
    // Hardly above the border, as where losses end there, there is nothing large about a hit: it stays in the body.
    constexpr double least_growth = 1.5;
    if (!(borders[j] > 0 && farthest[j] > least_growth * borders[j] && farthest[j] < infinity))
      borders[j] = farthest[j];
  }
  if (whole.releases() < 2 || borders == farthest) return;
  body_.emplace(terms);
  body_->cut_at(borders);

  LogBound expected(-infinity, Side::upper);
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (borders[j] == farthest[j]) continue;
    expected = expected.plus(log_expected_hits(terms[j], borders[j]));

    Terms others = terms;
    std::vector<double> borders_of_others = borders;
    if (--others[j].count == 0) {
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      borders_of_others.erase(borders_of_others.begin() + static_cast<std::ptrdiff_t>(j));
    }
    kinds_.emplace_back(terms[j], LossRange{borders[j], farthest[j]}, std::move(others), borders_of_others);
    if (kinds_.back().outline.empty()) {
      kinds_.clear();
      return;
    }
  }
  log_two_hits_ = LogBound(log_two_hits(expected.log()), Side::upper).times(total_spread(terms).p).log();
}

double OneHit::log_delta_about(double epsilon) const {
  double sum = body_->at_epsilon(epsilon).log_delta;
  for (const Kind& kind : kinds_) sum = log_sum(sum, kind.log_delta_about(epsilon));
  return sum;
}

double OneHit::slope_about(double epsilon) const {
  const double step = 1e-3 * epsilon;
  return (log_delta_about(epsilon - step) - log_delta_about(epsilon + step)) / (2 * step);
}

void OneHit::tilt_to(double epsilon, double nats, double log_negligible) {
  body_->tilt_to(body_->at_epsilon(epsilon), nats);
  for (Kind& kind : kinds_) kind.tilt_to(epsilon, nats);
  body_from_ = epsilon - 0.05 * std::fabs(epsilon);
  log_body_ = body_->moments().log_delta(body_from_, body_->saddle().tilt).upper;
  if (log_body_ > log_negligible) log_body_ = infinity;
}

bool OneHit::placed() const {
  return (log_body_ < infinity || body_->placed()) &&
         std::all_of(kinds_.begin(), kinds_.end(), [](const Kind& kind) { return kind.rest.placed(); });
}

OneHit::Profile OneHit::profile(Side side, LatticeBudget& budget) const {
  Profile out;
  out.side_ = side;
  const bool negligible = log_body_ < infinity;
  if (!negligible) out.body_.push_back(body_->profile(side, budget));
  for (const Kind& kind : kinds_) out.kinds_.push_back(kind.profile(side, budget));
  if (side == Side::upper)
    out.log_others_ = negligible ? LogBound(log_two_hits_, side).plus(log_body_).log() : log_two_hits_;
  if (negligible) {
    if (side == Side::lower) out.log_before_ = out.log_delta(body_from_);
    out.from_ = body_from_;
  }
  return out;
}

// The profile rest(e) is convex in x = e^e with slopes between -1 and 0, and at least P - x Q of the whole law.
double OneHit::Profile::Rest::log_delta(double epsilon) const {
  if (side == Side::lower) {
    const double least = LogBound(std::min(epsilon, 0.0), Side::upper).one_less().less(log_beyond).log();
    return epsilon < reliable_from ? least : std::max(least, profile.log_delta(epsilon));
  }
  // A lattice's profile is at most 1, which this one need not be.
  const auto of_whole = [&](double log_delta) { return LogBound(log_delta, side).times(log_whole).log(); };
  if (epsilon >= reliable_from) return of_whole(std::min(0.0, profile.log_delta(epsilon)));
  const LogBound gained = LogBound(epsilon, Side::lower).times(-reliable_from).one_less().times(reliable_from);
  return of_whole(gained.plus(log_reliable).log_probability());
}

double OneHit::Profile::Kind::log_delta(double epsilon) const {
  constexpr double points_a_hit = 15;
  Work::note(points_a_hit * static_cast<double>(hits.size()));
  LogBound sum(-infinity, rest.side);
  for (const Hit& hit : hits) {
    const double left = epsilon - hit.loss, at = rest.side == Side::upper ? round_down(left) : round_up(left);
    sum = sum.plus(LogBound(hit.log_mass, rest.side).times(rest.log_delta(at)).log());
  }
  return sum.log();
}

double OneHit::Profile::Kind::likeliest_hit(double epsilon) const {
  const auto part = [&](const Hit& hit) { return hit.log_mass + rest.log_delta(epsilon - hit.loss); };
  return std::max_element(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) { return part(a) < part(b); })
      ->loss;
}

double OneHit::Profile::log_delta(double epsilon) const {
  if (epsilon < from_) return log_before_;
  LogBound sum(log_others_, side_);
  for (const LatticeProfile& body : body_) sum = sum.plus(body.log_delta(epsilon));
  for (const Kind& kind : kinds_) sum = sum.plus(kind.log_delta(epsilon));
  return sum.log();
}

std::size_t OneHit::Profile::size() const {
  std::size_t sum = 0;
  for (const LatticeProfile& body : body_) sum += body.size();
  for (const Kind& kind : kinds_) sum += kind.rest.profile.size() + 2 * kind.hits.size();
  return sum;
}

double OneHit::Profile::relative_error(double epsilon) const {
  const double whole = log_delta(epsilon);
  const auto share = [&](double log_part, const LatticeProfile& profile, double at) {
    return log_part > whole - 40 ? profile.relative_error(at) * std::exp(std::min(0.0, log_part - whole)) : 0.0;
  };
  double sum = 0;
  for (const LatticeProfile& body : body_) sum += share(body.log_delta(epsilon), body, epsilon);
  for (const Kind& kind : kinds_)
    if (!kind.hits.empty())
      sum += share(kind.log_delta(epsilon), kind.rest.profile, epsilon - kind.likeliest_hit(epsilon));
  return sum;
}

}  // namespace pld
