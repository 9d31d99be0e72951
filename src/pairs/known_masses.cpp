#include "pairs/known_masses.hpp"

#include <algorithm>
#include <cstddef>

namespace pld {

long double KnownMasses::at(double x) const {
  {
    const std::lock_guard lock(growing_);
    const double place = x - first_;
    if (place >= 0 && place < static_cast<double>(known_.size())) return known_[static_cast<std::size_t>(place)];
  }
  return noise_->log_mass(x);
}

std::vector<long double> KnownMasses::computed(double first, double last) const {
  std::vector<long double> all;
  all.reserve(static_cast<std::size_t>(std::max(0.0, last - first)));
  for (double x = first; x < last; ++x) all.push_back(noise_->log_mass(x));
  return all;
}

std::vector<long double> KnownMasses::between(double first, double last) const {
  constexpr double most = 1 << 20;
  if (!(first < last)) return {};
  const std::lock_guard lock(growing_);
  if (known_.empty()) first_ = first;
  const double known_to = first_ + static_cast<double>(known_.size());
  // What lies between two ranges far apart is not asked for.
  const bool meets = first <= known_to && last >= first_;
  if (!meets || std::max(last, known_to) - std::min(first, first_) > most) return computed(first, last);
  const std::vector<long double> before = computed(first, first_), after = computed(known_to, last);
  known_.insert(known_.begin(), before.begin(), before.end());
  known_.insert(known_.end(), after.begin(), after.end());
  first_ = std::min(first, first_);
  const auto begin = known_.begin() + static_cast<std::ptrdiff_t>(first - first_);
  return {begin, begin + static_cast<std::ptrdiff_t>(last - first)};
}

}  // namespace pld
