#include "sampling/quotient_density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

LawPoint at(const PlacedDensity& placed, long double x) {
  return placed.density->at((placed.mirrored ? -x : x) - placed.centre);
}

/// A mirror image turns the other way: -x - iy lies opposite x + iy.
std::optional<AnalyticDensity::Box> box_of(const PlacedDensity& placed, double a, double b, double height) {
  if (!placed.mirrored) return placed.density->box(a - placed.centre, b - placed.centre, height);
  auto box = placed.density->box(-b - placed.centre, -a - placed.centre, height);
  if (box) *box = {box->log_q, box->least_loss, box->most_loss, -box->most_turn, -box->least_turn};
  return box;
}

class QuotientDensity final : public AnalyticDensity {
 public:
  QuotientDensity(PlacedDensity p, PlacedDensity q, double from, double to)
      : AnalyticDensity(from, to), p_(std::move(p)), q_(std::move(q)) {}

  // Twice the errors: what the densities are asked at has been rounded too.
  [[nodiscard]] LawPoint at(long double x) const override {
    const LawPoint p = pld::at(p_, x), q = pld::at(q_, x);
    const long double loss = p.loss - q.loss, log_q = p.log_q + q.loss;
    return {loss, log_q, 2 * (p.loss_error + q.loss_error) + unit_roundoff * static_cast<double>(std::fabs(loss)),
            2 * (p.log_q_error + q.loss_error) + unit_roundoff * static_cast<double>(std::fabs(log_q))};
  }

  [[nodiscard]] double cost() const override { return p_.density->cost() + q_.density->cost(); }

  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const auto p = box_of(p_, a, b, height), q = box_of(q_, a, b, height);
    if (!p || !q) return std::nullopt;
    const double least_turn = p->least_turn - q->most_turn, most_turn = p->most_turn - q->least_turn;
    return Box{p->log_q + q->most_loss, p->least_loss - q->most_loss, p->most_loss - q->least_loss, least_turn,
               std::max(most_turn, -least_turn)};
  }

 private:
  PlacedDensity p_, q_;
};

}  // namespace

std::shared_ptr<const AnalyticDensity> quotient_density(PlacedDensity p, PlacedDensity q, double from, double to) {
  return std::make_shared<QuotientDensity>(std::move(p), std::move(q), from, to);
}

AnalyticLaw opposite_law(AnalyticLaw against_still, double centre) {
  for (auto& density : against_still.densities) {
    const PlacedDensity right{density, centre}, left{density, centre, true};
    density = quotient_density(right, left, left.from(), right.to());
  }
  return against_still;
}

}  // namespace pld
