#include "formats/joint_noise.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/exact_fraction.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double joint_noise(const std::vector<Entry>& gaussians) {
  double least = infinity, sum = 0;
  for (const Entry& one : gaussians) least = std::min(least, one.parameters.at("sigma"));
  Fraction precision = 0;
  for (const Entry& one : gaussians) {
    const double sigma = one.parameters.at("sigma"), share = least / sigma;
    sum += static_cast<double>(one.count) * share * share;
    precision = shortened_up(precision + Fraction(one.count) / (fraction_of(sigma) * fraction_of(sigma)));
  }
  double joint = least / std::sqrt(sum);
  while (fraction_of(joint) * fraction_of(joint) * precision > 1) joint = std::nextafter(joint, 0);
  return joint;
}

}  // namespace pld
