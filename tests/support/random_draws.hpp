#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace pld::test {

/// Seeded draws of parameters, over many orders of magnitude.
class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}

  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform(0, 1)); }
  /// Any delta, those near 0 and near 1 as often as those between.
  double delta() {
    switch (whole(0, 3)) {
      case 0:
        return log_uniform(1e-300, 1e-30);
      case 1:
        return 1 - log_uniform(1e-3, 0.9);
      default:
        return log_uniform(1e-30, 0.5);
    }
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace pld::test
