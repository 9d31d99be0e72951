#pragma once

#include <string>

#include "mechanisms/ranges.hpp"

namespace pld {

/// The sensitivity in units of the noise's scale, the one thing beside its shape that the loss depends on.
inline double scaled_sensitivity(const char* mechanism, const char* scale_name, double scale, double sensitivity) {
  require_in(ranges::positive, mechanism, scale_name, scale);
  require_in(ranges::positive, mechanism, "sensitivity", sensitivity);
  const double s = sensitivity / scale;
  const std::string ratio = std::string("sensitivity / ") + scale_name;
  require_in(ranges::scaled_sensitivity, mechanism, ratio.c_str(), s);
  return s;
}

}  // namespace pld
