#include "sampling/opposite_density.hpp"

#include <cmath>
#include <utility>

#include "pld/core/rounding.hpp"
#include "sampling/sampled_density.hpp"

namespace pld {
namespace {

/// At x, which is 0 in the middle of X: the sample's ratio R(x) to X over R(-x). Q is X times R(-x).
class OppositeDensity final : public AnalyticDensity {
 public:
  OppositeDensity(std::shared_ptr<const AnalyticDensity> sample, double s)
      : AnalyticDensity(-sample->to() - s / 2, sample->to() + s / 2), sample_(std::move(sample)), half_(s / 2) {}

  // Twice the errors: what the sample is asked at has been rounded too.
  [[nodiscard]] LawPoint at(long double x) const override {
    const LawPoint right = sample_->at(x - half_), left = sample_->at(-x - half_);
    const long double loss = right.loss - left.loss, log_q = right.log_q + left.loss;
    return {loss, log_q,
            2 * (right.loss_error + left.loss_error) + unit_roundoff * static_cast<double>(std::fabs(loss)),
            2 * (right.log_q_error + left.loss_error) + unit_roundoff * static_cast<double>(std::fabs(log_q))};
  }

  // -x - iy mirrors x + iy: R(-x - iy) turns the other way.
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const auto right = sample_->box(a - half_, b - half_, height), left = sample_->box(-b - half_, -a - half_, height);
    if (!right || !left) return std::nullopt;
    return Box{right->log_q + left->most_loss, right->least_loss - left->most_loss, right->most_loss - left->least_loss,
               right->least_turn + left->least_turn, right->most_turn + left->most_turn};
  }

 private:
  std::shared_ptr<const AnalyticDensity> sample_;
  double half_;
};

}  // namespace

AnalyticLaw opposite_law(const AnalyticLaw& moved, double s, double q) {
  AnalyticLaw law = sampled_law(moved, q, Direction::remove);
  for (auto& density : law.densities) density = std::make_shared<OppositeDensity>(density, s);
  return law;
}

}  // namespace pld
