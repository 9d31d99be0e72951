#include "engines/contour/allocated_part.hpp"

namespace pld::contour {

void AllocatedPart::truncate(double nats, double lambda) {
  if (!is_removed()) return;
  truncated_ = std::make_shared<const TruncatedMean>(law_->mu(), law_->steps(), nats, power(lambda));
}

bool AllocatedPart::is_light(double lambda, double log_width) const {
  return truncated_ && truncated_->is_light(power(lambda), log_width);
}

double AllocatedPart::highest_tilt() const {
  if (truncated_) return infinity;
  return is_removed() ? law_->highest() - 1 : -AllocatedGaussian::lowest;
}

bool AllocatedPart::reaches(double lambda) const {
  const double rho = power(lambda);
  return by_truncated(rho) ? truncated_->reaches(rho) : law_->reaches(rho);
}

MeanMoment AllocatedPart::moment(double lambda) const {
  const double rho = power(lambda);
  return by_truncated(rho) ? truncated_->moment(rho) : law_->moment(rho);
}

Cumulant AllocatedPart::cumulant(double lambda) const {
  const double rho = power(lambda);
  if (!reaches(lambda)) return {infinity, loss_sign() * (rho > 0 ? infinity : -infinity), 1};
  Cumulant moment = by_truncated(rho) ? truncated_->cumulant(rho) : law_->cumulant(rho);
  moment.mean *= loss_sign();
  return moment;
}

std::shared_ptr<const std::vector<MeanRatio>> AllocatedPart::ratios(double lambda, double step,
                                                                    std::size_t last) const {
  const double rho = power(lambda);
  if (!truncated_) return law_->ratios(rho, step, last);
  return by_truncated(rho) ? truncated_->ratios(rho, step, last) : nullptr;
}

double AllocatedPart::log_decay(double lambda, double s) const {
  const double rho = power(lambda);
  return by_truncated(rho) ? truncated_->log_decay(rho, s) : -s * s * law_->decay() / 2 * (1 - 1e-12);
}

std::vector<AllocatedPart> allocated_parts(const GaussianAllocation& allocation, double count) {
  std::vector<AllocatedPart> parts;
  for (const auto& [steps, times] : allocation.means)
    parts.emplace_back(AllocatedGaussian::of(allocation.mu, steps), allocation.direction, times * count);
  return parts;
}

}  // namespace pld::contour
