#include "readout/rho_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <string>

#include "core/number_text.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

using boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

/// The fractions of more releases than this, of different denominators, get too long.
constexpr std::size_t most_exact = 64;

/// The decimal that a finite number >= 0 is printed as.
Rational decimal(double x) {
  std::string text = number_text(x);
  int exponent = 0;
  if (const auto e = text.find('e'); e != std::string::npos) {
    exponent = std::stoi(text.substr(e + 1));
    text.resize(e);
  }
  if (const auto point = text.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));  // a leading 0 would make it octal
  const cpp_int digits(text),
      power = boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(digits, power) : Rational(digits * power);
}

std::optional<ExactSlope> exact_slope_of(const Mechanism& mechanism) {
  const DominatingPair& pair = *mechanism.pair(Direction::remove);
  return pair.renyi_curve() ? pair.renyi_curve()->exact_slope : pair.exact_slope();
}

double sum_upwards(const Composition& composition) {
  double sum = 0;
  for (const Release& release : composition.releases())
    sum += static_cast<double>(release.count) * rho_bound(release.mechanism);
  return round_up(sum, 4 + 2 * static_cast<double>(composition.releases().size()));
}

std::optional<Rational> exact_sum(const Composition& composition) {
  if (composition.releases().size() > most_exact) return std::nullopt;
  Rational sum = 0;
  for (const Release& release : composition.releases()) {
    const auto slope = exact_slope_of(release.mechanism);
    if (!slope) return std::nullopt;
    sum += release.count * decimal(slope->a) * decimal(slope->b) / (decimal(slope->c) * decimal(slope->d));
  }
  return sum;
}

}  // namespace

bool is_linear(const Composition& composition) {
  return std::all_of(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    const DominatingPair& pair = *release.mechanism.pair(Direction::remove);
    if (const RenyiCurve* curve = pair.renyi_curve()) return curve->exact_slope.has_value();
    const auto law = pair.sampled_gaussian();
    return law && law->q == 1;
  });
}

double rho_bound(const Mechanism& mechanism) {
  const DominatingPair &remove = *mechanism.pair(Direction::remove), &add = *mechanism.pair(Direction::add);
  const RenyiCurve* curve = remove.renyi_curve();
  return std::min(curve ? curve->slope : infinity, std::max(remove.renyi_slope(), add.renyi_slope()));
}

double rho_bound(const Composition& composition) {
  const double above = sum_upwards(composition);
  const auto exact = above < infinity ? exact_sum(composition) : std::nullopt;
  if (!exact) return above;
  double least = above;
  for (double below = std::nextafter(least, 0); decimal(below) >= *exact && below < least;
       below = std::nextafter(least, 0))
    least = below;
  return least;
}

}  // namespace pld
