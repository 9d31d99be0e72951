#pragma once

#include <boost/math/special_functions/erf.hpp>
#include <numbers>

namespace pld {

/// The point below which a standard normal law has mass p, 0 < p < 1.
inline double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

}  // namespace pld
