#include "enclosure.hpp"

#include <stdexcept>

namespace vectors {

namespace {

constexpr int printed = 40;

/// The decimal next to x that has `printed` digits and is not further from 0 than x, or not nearer.
std::string cut(const Real& x, bool away_from_0) {
  // First moved by more than the 30 further digits can be wrong by, then cut off, or moved on by one unit of the last digit.
  const Real margin = x * Real("1e-60");
  const Real moved = away_from_0 ? x + margin : x - margin;
  std::string text = moved.str(printed + 30, std::ios_base::scientific);
  const auto first = text.find_first_not_of('-'), exponent = text.find('e');
  std::string digits = text.substr(first, printed + 1);  // one more for the point
  if (away_from_0) {
    auto at = digits.size();
    while (at-- > 0) {
      if (digits[at] == '.') continue;
      if (digits[at] != '9') break;
      digits[at] = '0';
    }
    if (at >= digits.size())  // all of them 9
      return text.substr(0, first) + "1e" + std::to_string(std::stoi(text.substr(exponent + 1)) + 1);
    ++digits[at];
  }
  return text.substr(0, first) + digits + text.substr(exponent);
}

std::string rounded(const Real& x, bool up) { return x == 0 ? "0" : cut(x, (x > 0) == up); }

}  // namespace

Enclosure decimals(const Interval& value) {
  Enclosure result{rounded(value.lower(), false), rounded(value.upper(), true)};
  if (Real(result.lower) > value.lower() || Real(result.upper) < value.upper())
    throw std::logic_error("a decimal is rounded inward");
  return result;
}

namespace {

/// Where log(profile / delta) is 0: the Illinois variant of the false position method.
Real near_root(const Profile& profile, const Interval& delta, double limit) {
  const auto excess = [&](const Real& epsilon) {
    const Real value = profile(Interval(epsilon)).middle();
    return value > 0 ? Real(boost::multiprecision::log(value / delta.middle())) : Real(-100);
  };
  Real low = -limit, high = limit, at_low = excess(low), at_high = excess(high);
  for (int halving = 0; halving < 12; ++halving) {
    const Real middle = (low + high) / 2;
    const Real value = excess(middle);
    (value > 0 ? low : high) = middle;
    (value > 0 ? at_low : at_high) = value;
  }
  int side = 0;  // which end moved last
  for (int step = 0; step < 200 && high - low > Real("1e-55"); ++step) {
    const Real next = (low * at_high - high * at_low) / (at_high - at_low);
    const Real value = excess(next);
    if (abs(value) < Real("1e-60")) return next;
    if (value > 0) {
      low = next, at_low = value;
      if (side == 1) at_high /= 2;
      side = 1;
    } else {
      high = next, at_high = value;
      if (side == -1) at_low /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
}

}  // namespace

Interval epsilon_at(const Profile& profile, const Interval& delta, double limit) {
  const Real root = near_root(profile, delta, limit);
  for (Real margin = abs(root) * Real("1e-48"); margin < abs(root) * Real("1e-30"); margin *= 10) {
    const Real below = root - margin, above = root + margin;
    if (profile(Interval(below)).lower() > delta.upper() && profile(Interval(above)).upper() < delta.lower())
      return {below, above};
  }
  throw std::runtime_error("the epsilon near " + root.str(20) + " is not certified");
}

}  // namespace vectors
