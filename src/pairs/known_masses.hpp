#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "pld/pairs/log_concave_integer_noise.hpp"

namespace pld {

/// Logarithms of a noise's masses, remembered with those of the whole numbers around: lattices, moments and outlines of
/// one pair ask for the same ones. Up to 2^20 of them, 16 MB. Safe to use from several threads.
class KnownMasses {
 public:
  explicit KnownMasses(std::shared_ptr<const LogConcaveIntegerNoise> noise) : noise_(std::move(noise)) {}

  [[nodiscard]] const LogConcaveIntegerNoise& noise() const { return *noise_; }
  [[nodiscard]] long double at(double x) const;

  /// At each whole number from `first` to before `last`; |x| <= 2^52.
  [[nodiscard]] std::vector<long double> between(double first, double last) const;

 private:
  static constexpr std::size_t page_size = 16;
  using Page = std::array<long double, page_size>;
  [[nodiscard]] long double told(double x) const;

  std::shared_ptr<const LogConcaveIntegerNoise> noise_;
  mutable std::mutex telling_;
  mutable std::unordered_map<std::int64_t, Page> pages_;
};

}  // namespace pld
