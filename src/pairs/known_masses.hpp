#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "pld/pairs/log_concave_integer_noise.hpp"

namespace pld {

/// Logarithms of a noise's masses, remembered where they were asked for as a range: lattices, moments and outlines of
/// one pair ask for the same ones. Up to 2^20 of them, 16 MB. Safe to use from several threads.
class KnownMasses {
 public:
  explicit KnownMasses(std::shared_ptr<const LogConcaveIntegerNoise> noise) : noise_(std::move(noise)) {}

  [[nodiscard]] long double at(double x) const;

  /// At each whole number from `first` to before `last`; |x| <= 2^52.
  [[nodiscard]] std::vector<long double> between(double first, double last) const;

 private:
  [[nodiscard]] std::vector<long double> computed(double first, double last) const;

  std::shared_ptr<const LogConcaveIntegerNoise> noise_;
  mutable std::mutex growing_;
  mutable double first_ = 0;
  mutable std::vector<long double> known_;  ///< from first_ on
};

}  // namespace pld
