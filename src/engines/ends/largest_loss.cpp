#include "engines/ends/largest_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/exact_fraction.hpp"
#include "numeric/extended.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The fractions of more terms than this, of different denominators, get too long.
constexpr std::size_t most_exact = 64;

Fraction exact_sum(const Terms& terms) {
  Fraction sum = 0;
  for (const Term& t : terms) {
    const ExactLoss loss = *t.pair->exact_highest();
    sum += t.count * fraction_of(loss.rate) * fraction_of(loss.times) / fraction_of(loss.over);
  }
  return sum;
}

/// Sums in Extended. Round-off is a share of what all losses come to without their signs: where some loss is infinite,
/// a largest finite one may be below 0.
struct Sums {
  Extended lower = 0, estimate = 0, upper = 0;
  bool exact = true;

  explicit Sums(const Terms& terms) {
    for (const Term& t : terms) add(t);
    constexpr int per_term = 8;
    const auto share = static_cast<Extended>(per_term + terms.size()) * std::numeric_limits<Extended>::epsilon();
    lower -= share * size_, upper += share * size_;
  }

 private:
  Extended size_ = 0;

  void add(const Term& t) {
    const auto k = static_cast<Extended>(t.count);
    if (const auto loss = t.pair->exact_highest()) {
      const Extended product = k * static_cast<Extended>(loss->rate) * static_cast<Extended>(loss->times) /
                               static_cast<Extended>(loss->over);
      lower += product, estimate += product, upper += product, size_ += fabs(product);
      return;
    }
    exact = false;
    const double highest = t.pair->range().highest;
    const Extended doubt = highest == infinity ? 0 : static_cast<Extended>(t.pair->loss_error({highest, highest}));
    const auto middle = static_cast<Extended>(highest);
    lower += k * (middle - doubt), estimate += k * middle, upper += k * (middle + doubt);
    size_ += k * (fabs(middle) + doubt);
  }
};

double at_most(Extended x) {
  const auto rounded = static_cast<double>(x);
  return static_cast<Extended>(rounded) <= x ? rounded : std::nextafter(rounded, -infinity);
}

}  // namespace

Bracket largest_loss(const Terms& terms) {
  const Sums sums(terms);
  const auto estimate = static_cast<double>(sums.estimate);
  if (sums.estimate == infinity) return {infinity, infinity, infinity};
  Bracket out{at_most(sums.lower), estimate, -at_most(-sums.upper)};
  // Only where a double lies within the doubt, as it does if it is the sum, do fractions tell more.
  const double between = std::nextafter(out.lower, infinity);
  if (sums.exact && terms.size() <= most_exact && between < out.upper) {
    const Fraction excess = exact_sum(terms) - fraction_of(between);
    if (excess >= 0) out.lower = between;
    if (excess <= 0) out.upper = between;
  }
  out.estimate = std::clamp(out.estimate, out.lower, out.upper);
  return out;
}

}  // namespace pld
