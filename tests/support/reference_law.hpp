#pragma once

// Laws of the privacy loss in 50-digit arithmetic, from the definitions: masses of loss intervals as differences of
// distribution functions, Poisson sampling as a mixture.

#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <functional>

#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"

namespace pld::test {

using Real = boost::multiprecision::cpp_bin_float_50;

/// P and Q mass of one interval of losses.
struct Masses {
  Real p = 0, q = 0;
  [[nodiscard]] Real loss() const { return log(p / q); }
};

inline const Real& real_infinity() {
  static const Real value = std::numeric_limits<Real>::infinity();
  return value;
}

/// Masses of finite losses in (low, high]; the ends may be infinite.
using Law = std::function<Masses(const Real& low, const Real& high)>;

inline Real normal_interval(const Real& a, const Real& b) {
  const auto tail = [](const Real& x) {
    if (x == real_infinity()) return Real(0);
    return Real(erfc(Real(x / sqrt(Real(2)))) / 2);
  };
  if (!(a < b)) return 0;
  if (a >= 0) return tail(a) - tail(b);
  if (b <= 0) return tail(-b) - tail(-a);
  return 1 - tail(-a) - tail(b);
}

inline Law gaussian_law(double sigma, double sensitivity) {
  const Real mu = Real(sensitivity) / sigma;
  return [mu](const Real& low, const Real& high) {
    return Masses{normal_interval(low / mu - mu / 2, high / mu - mu / 2),
                  normal_interval(low / mu + mu / 2, high / mu + mu / 2)};
  };
}

inline Law laplace_law(double scale, double sensitivity) {
  const Real e = Real(sensitivity) / scale;
  // x = noise about 0 under Q, about e under P; losses in (low, high] are x in ((low + e)/2, (high + e)/2], where the
  // loss at one end stands for all x beyond.
  const auto mass = [](const Real& a, const Real& b) {  // of the unit Laplace law in (a, b]
    if (a >= 0) return Real((exp(-a) - exp(-b)) / 2);
    if (b <= 0) return Real((exp(b) - exp(a)) / 2);
    return Real(1 - exp(a) / 2 - exp(-b) / 2);
  };
  return [e, mass](const Real& low, const Real& high) {
    if (low >= e || high < -e) return Masses{};
    const Real a = low < -e ? Real(-real_infinity()) : Real((low + e) / 2);
    const Real b = high >= e ? real_infinity() : Real((high + e) / 2);
    return Masses{mass(a - e, b - e), mass(a, b)};
  };
}

/// Atoms given by loss, P and Q mass.
struct ReferenceAtom {
  Real loss, p, q;
};
inline Law atomic_law(std::vector<ReferenceAtom> atoms) {
  return [atoms](const Real& low, const Real& high) {
    Masses sum;
    for (const auto& [loss, p, q] : atoms) {
      if (low < loss && loss <= high) sum = {sum.p + p, sum.q + q};
    }
    return sum;
  };
}

/// The law with P and Q swapped. Exact for intervals without an atom at an end.
inline Law swapped(const Law& law) {
  return [law](const Real& low, const Real& high) {
    const Masses m = law(-high, -low);
    return Masses{m.q, m.p};
  };
}

/// Poisson sampling, from the base's law in the remove direction (swap the base for its add direction: `swapped`).
inline Law sampled_law(const Law& base, double rate, Direction direction) {
  const Real q = rate;
  const auto inverse = [q](const Real& loss) -> Real {
    if (loss > 1e6) return loss - log(q);  // e^-loss is nothing beside 50 digits
    const Real hit = exp(loss) - (1 - q);
    return hit > 0 ? Real(log(hit / q)) : Real(-real_infinity());
  };
  if (direction == Direction::remove) {
    return [=](const Real& low, const Real& high) {
      const Masses m = base(inverse(low), inverse(high));
      return Masses{(1 - q) * m.q + q * m.p, m.q};
    };
  }
  return [=](const Real& low, const Real& high) {
    const Masses m = base(-inverse(-low), -inverse(-high));
    return Masses{m.p, (1 - q) * m.p + q * m.q};
  };
}

}  // namespace pld::test
