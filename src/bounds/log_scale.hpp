#pragma once

#include <cmath>
#include <limits>

namespace pld::bounds {

/// log of a sum of exponentials, kept relative to its largest term so far.
class LogSum {
 public:
  void add(double log_term) {
    if (log_term == -std::numeric_limits<double>::infinity()) return;
    if (log_term <= peak_) {
      sum_ += std::exp(log_term - peak_);
    } else {
      sum_ = sum_ * std::exp(peak_ - log_term) + 1;
      peak_ = log_term;
    }
  }
  [[nodiscard]] double value() const { return peak_ + std::log(sum_); }

 private:
  double peak_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;
};

}  // namespace pld::bounds
