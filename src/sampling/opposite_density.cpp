#include "sampling/opposite_density.hpp"

#include <cmath>
#include <utility>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// At x: the ratio R(x) to X over R(-x). Q is X times R(-x).
class OppositeDensity final : public AnalyticDensity {
 public:
  OppositeDensity(std::shared_ptr<const AnalyticDensity> base, double centre)
      : AnalyticDensity(-base->to() - centre, base->to() + centre), base_(std::move(base)), centre_(centre) {}

  // Twice the errors: what the base is asked at has been rounded too.
  [[nodiscard]] LawPoint at(long double x) const override {
    const LawPoint right = base_->at(x - centre_), left = base_->at(-x - centre_);
    const long double loss = right.loss - left.loss, log_q = right.log_q + left.loss;
    return {loss, log_q,
            2 * (right.loss_error + left.loss_error) + unit_roundoff * static_cast<double>(std::fabs(loss)),
            2 * (right.log_q_error + left.loss_error) + unit_roundoff * static_cast<double>(std::fabs(log_q))};
  }

  [[nodiscard]] double cost() const override { return 2 * base_->cost(); }

  // -x - iy mirrors x + iy: R(-x - iy) turns the other way.
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const auto right = base_->box(a - centre_, b - centre_, height),
               left = base_->box(-b - centre_, -a - centre_, height);
    if (!right || !left) return std::nullopt;
    return Box{right->log_q + left->most_loss, right->least_loss - left->most_loss, right->most_loss - left->least_loss,
               right->least_turn + left->least_turn, right->most_turn + left->most_turn};
  }

 private:
  std::shared_ptr<const AnalyticDensity> base_;
  double centre_;
};

}  // namespace

AnalyticLaw opposite_law(const AnalyticLaw& against_still, double centre) {
  AnalyticLaw law = against_still;
  for (auto& density : law.densities) density = std::make_shared<OppositeDensity>(density, centre);
  return law;
}

}  // namespace pld
