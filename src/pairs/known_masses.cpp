#include "pairs/known_masses.hpp"

#include <algorithm>
#include <cmath>

namespace pld {

/// Whoever calls holds the lock. Far out, where whole numbers are hardly told apart, nothing is remembered.
long double KnownMasses::told(double x) const {
  constexpr std::size_t most_pages = (1 << 20) / page_size;
  constexpr double farthest = 0x1p48;
  if (!(std::fabs(x) < farthest)) return noise_->log_mass(x);
  const double number = std::floor(x / static_cast<double>(page_size)), first = number * static_cast<double>(page_size);
  auto found = pages_.find(static_cast<std::int64_t>(number));
  if (found == pages_.end()) {
    if (pages_.size() == most_pages) return noise_->log_mass(x);
    Page page;
    for (std::size_t i = 0; i < page_size; ++i) page[i] = noise_->log_mass(first + static_cast<double>(i));
    found = pages_.emplace(static_cast<std::int64_t>(number), page).first;
  }
  return found->second[static_cast<std::size_t>(x - first)];
}

long double KnownMasses::at(double x) const {
  const std::lock_guard lock(telling_);
  return told(x);
}

std::vector<long double> KnownMasses::between(double first, double last) const {
  std::vector<long double> all;
  all.reserve(static_cast<std::size_t>(std::max(0.0, last - first)));
  const std::lock_guard lock(telling_);
  for (double x = first; x < last; ++x) all.push_back(told(x));
  return all;
}

}  // namespace pld
