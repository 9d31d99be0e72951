#include "sampling/opposite_sample.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/well_above.hpp"

namespace pld {

OppositeSample::Moved OppositeSample::moved(LossRange outcomes, const LossCell& below, const LossCell& above) const {
  const LossRange all = sample_.base()->range();
  const auto loss_or = [](const LossCell& tail, double end) { return tail.log_mass > -infinity ? tail.loss : end; };
  return {outcomes, {loss_or(below, all.lowest), loss_or(above, all.highest)}};
}

// An interval of outcomes has its barycentre between those of the two tails, which rise with the place where they begin
// and are known to the moved pair's error. P has more of a tail to the right than X, and Q less: both parts of its loss
// lie between 0 and that loss, too. To the left likewise.
double OppositeSample::loss_error(LossRange within, const Moved& right, const Moved& left) const {
  double error = 0, reach = 0;
  const auto add = [&](const Moved& side, LossRange most) {
    const double doubt = sample_.base()->loss_error(side.tails);
    const LossRange tails{sampled_loss(std::min(0.0, side.tails.lowest - doubt)),
                          sampled_loss(std::max(0.0, side.tails.highest + doubt))};
    const LossRange all{
        std::min(sampled_loss(side.outcomes.lowest), std::max(tails.lowest, std::min(0.0, most.lowest))),
        std::max(sampled_loss(side.outcomes.highest), std::min(tails.highest, std::max(0.0, most.highest)))};
    error += sample_.loss_error(all);
    for (const double end : {all.lowest, all.highest})
      if (std::isfinite(end)) reach = std::max(reach, std::fabs(end));
  };
  add(right, within);
  add(left, {-within.highest, -within.lowest});
  return error + 4 * unit_roundoff * reach;
}

double OppositeSample::edge_error(double right, double left) const {
  double error = 0;
  for (const double moved : {right, left}) {
    const double loss = sampled_loss(moved);
    error += sample_.edge_error(loss) + 4 * unit_roundoff * std::fabs(loss);
  }
  return error;
}

// Q is at least (1-q) X: P^order Q^(1-order) is at most that of the sample against X, with order - 1 times -log(1-q)
// more.
double OppositeSample::log_tail_moment(double order, double from) const {
  const double moment = sample_.log_tail_moment(order, from), more = (order - 1) * -std::log1p(-sample_.q());
  return well_above(moment + more, std::fabs(moment) + more);
}

double OppositeSample::most_renyi(double order) const {
  return round_up(pld::most_renyi(sample_, order) - std::log1p(-sample_.q()), 8);
}

}  // namespace pld
