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

/// Logarithms of a noise's masses, remembered with those of the whole numbers around, and tails: lattices, moments and
/// outlines of one pair ask for the same ones, and so do all moves of a group. Up to 2^20 of them, 16 MB, and as many
/// tails as there are of their pages. Safe to use from several threads.
class KnownMasses {
 public:
  enum class Side { left, right };

  explicit KnownMasses(std::shared_ptr<const LogConcaveIntegerNoise> noise)
      : noise_(std::move(noise)), symmetric_(noise_->symmetric()) {}

  [[nodiscard]] const LogConcaveIntegerNoise& noise() const { return *noise_; }
  [[nodiscard]] long double at(double x) const;

  /// At each whole number from `first` to before `last`; |x| <= 2^52.
  [[nodiscard]] std::vector<long double> between(double first, double last) const;

  /// The mass at x and all further out, over that at x; x is on this side of the mode, where masses fall ever faster.
  [[nodiscard]] double scaled_tail(double x, Side side) const;

 private:
  static constexpr std::size_t page_size = 16, most_pages = (1 << 20) / page_size;
  using Page = std::array<long double, page_size>;
  [[nodiscard]] long double told(double x) const;
  [[nodiscard]] const Page* page_of(std::int64_t number, double first) const;
  [[nodiscard]] double summed_tail(double x, double step) const;

  std::shared_ptr<const LogConcaveIntegerNoise> noise_;
  bool symmetric_;  ///< so that masses at x > 0 tell those at -x
  mutable std::mutex telling_;
  mutable std::unordered_map<std::int64_t, Page> pages_;
  mutable std::int64_t last_number_ = 0;  ///< of the page asked for last
  mutable const Page* last_ = nullptr;
  mutable std::unordered_map<std::int64_t, double> left_tails_, right_tails_;
};

}  // namespace pld
