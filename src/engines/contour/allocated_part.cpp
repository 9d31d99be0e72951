#include "engines/contour/allocated_part.hpp"

#include "pld/core/rounding.hpp"

namespace pld::contour {

Cumulant AllocatedPart::cumulant(double lambda) const {
  const double rho = power(lambda);
  if (!law_->reaches(rho)) return {infinity, loss_sign() * (rho > 0 ? infinity : -infinity), 1};
  Cumulant moment = law_->cumulant(rho);
  moment.mean *= loss_sign();
  return moment;
}

std::vector<AllocatedPart> allocated_parts(const GaussianAllocation& allocation, double count) {
  std::vector<AllocatedPart> parts;
  for (const auto& [steps, times] : allocation.means)
    parts.emplace_back(AllocatedGaussian::of(allocation.mu, steps), allocation.direction, times * count);
  return parts;
}

}  // namespace pld::contour
