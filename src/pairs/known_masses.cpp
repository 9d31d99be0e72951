#include "pairs/known_masses.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/compensated_sum.hpp"

namespace pld {

/// Whoever calls holds the lock. Far out, where whole numbers are hardly told apart, nothing is remembered.
long double KnownMasses::told(double x) const {
  constexpr double farthest = 0x1p48;
  if (!(std::fabs(x) < farthest)) return noise_->log_mass(x);
  const double here = symmetric_ ? std::fabs(x) : x;
  const double number = std::floor(here / static_cast<double>(page_size)),
               first = number * static_cast<double>(page_size);
  if (const Page* page = page_of(static_cast<std::int64_t>(number), first))
    return (*page)[static_cast<std::size_t>(here - first)];
  return noise_->log_mass(here);
}

/// Whoever calls holds the lock. Null where there are too many pages.
const KnownMasses::Page* KnownMasses::page_of(std::int64_t number, double first) const {
  if (last_ && last_number_ == number) return last_;
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() == most_pages) return nullptr;
    Page page;
    for (std::size_t i = 0; i < page_size; ++i) page[i] = noise_->log_mass(first + static_cast<double>(i));
    found = pages_.emplace(number, page).first;
  }
  last_number_ = number, last_ = &found->second;
  return last_;
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

/// Whoever calls holds the lock. A term below e^-45 of the first is left out.
double KnownMasses::summed_tail(double x, double step) const {
  constexpr double negligible = -45;
  const long double first = told(x);
  CompensatedSum sum;
  for (double i = 0;; ++i) {
    const auto log_term = static_cast<double>(told(x + step * i) - first);
    if (log_term < negligible) return sum.value();
    sum.add(std::exp(log_term));
  }
}

double KnownMasses::scaled_tail(double x, Side side) const {
  constexpr double countable = 0x1p52;  // beyond, any double serves as a whole number
  if (std::fabs(x) > countable) return 1;
  const std::lock_guard lock(telling_);
  auto& tails = side == Side::right ? right_tails_ : left_tails_;
  const auto key = static_cast<std::int64_t>(x);
  if (const auto found = tails.find(key); found != tails.end()) return found->second;
  const double tail = summed_tail(x, side == Side::right ? 1 : -1);
  if (tails.size() < most_pages) tails.emplace(key, tail);
  return tail;
}

}  // namespace pld
