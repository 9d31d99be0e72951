// Laws at the edge between two forms against 50 digits: shape next to 1 and 2, a next to sigma and far above it, a
// bound next to the sensitivity, rates next to 0 and 1, noise far wider or narrower than the query, answers next to
// fair or certain. One or two releases of continuous noise, one to nine of few outcomes.

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"
#include "support/exact_noise.hpp"

namespace {

using namespace pld::test;
using pld::Direction;

/// Symmetric log-concave noise.
struct Noise {
  pld::Mechanism mechanism;
  std::function<Profile(double sensitivity)> profile;
  std::function<Real(const Real&)> log_density;  ///< none where it is bounded, which is not composed here
  double reach;                                  ///< e^-130 of the mass or less is farther out
};

Real normal_log_density(const Real& x, const Real& sigma) {
  const Real y = x / sigma;
  return -y * y / 2 - log(sigma * sqrt(2 * boost::math::constants::pi<Real>()));
}

/// What a record's release is, in one direction: the losses of ((1-q) Q + q P, Q) or of (Q, (1-q) Q + q P).
class Release {
 public:
  Release(Noise noise, double sensitivity, double rate, Direction direction)
      : noise_(std::move(noise)), s_(sensitivity), rate_(rate), direction_(direction) {
    profile_ = rate < 1 ? sampled(noise_.profile(s_), rate, direction) : noise_.profile(s_);
  }

  [[nodiscard]] const Profile& profile() const { return profile_; }

  /// delta(eps) of two: the integral of P's density times delta(eps - loss), over pieces whose ends are where either
  /// one is not smooth. `off` gets the quadrature's error.
  [[nodiscard]] Real profile_of_two(const Real& epsilon, Real& off) const {
    const Real low = -noise_.reach, high = s_ + noise_.reach;
    std::vector<Real> ends{low, -noise_.reach / 10, 0, s_ / 2, s_, s_ + noise_.reach / 10, high};
    for (const Real& kink : {Real(0), Real(s_)}) ends.push_back(outcome_of(Real(epsilon - loss(kink)), low, high));
    std::sort(ends.begin(), ends.end());
    const auto integrand = [&](const Real& x) -> Real {
      const Real p = density(x);
      return p == 0 ? Real(0) : Real(p * profile_(Real(epsilon - loss(x))));
    };
    Real sum = 0;
    off = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if (!(ends[i] < ends[i + 1])) continue;
      Real error = 0;
      sum += boost::math::quadrature::gauss_kronrod<Real, 31>::integrate(integrand, ends[i], ends[i + 1], 10,
                                                                         Real(1e-15), &error);
      off += error;
    }
    return sum;
  }

 private:
  [[nodiscard]] Real base_loss(const Real& x) const { return noise_.log_density(Real(x - s_)) - noise_.log_density(x); }
  [[nodiscard]] Real loss(const Real& x) const {
    const Real with = rate_ < 1 ? Real(log1p(Real(Real(rate_) * expm1(base_loss(x))))) : base_loss(x);
    return direction_ == Direction::remove || rate_ == 1 ? with : Real(-with);
  }
  [[nodiscard]] Real density(const Real& x) const {
    const Real without = exp(noise_.log_density(x)), with = exp(noise_.log_density(Real(x - s_)));
    if (rate_ == 1) return with;
    return direction_ == Direction::remove ? Real((1 - Real(rate_)) * without + Real(rate_) * with) : without;
  }
  [[nodiscard]] Real outcome_of(const Real& epsilon, Real low, Real high) const {
    const bool rising = direction_ == Direction::remove || rate_ == 1;
    for (int i = 0; i < 90; ++i) {
      const Real middle = (low + high) / 2;
      ((loss(middle) > epsilon) == rising ? high : low) = middle;
    }
    return low;
  }

  Noise noise_;
  double s_, rate_;
  Direction direction_;
  Profile profile_;
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] bool one_of(int chances) { return static_cast<int>(random_() % static_cast<unsigned>(chances)) == 0; }
  [[nodiscard]] double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  [[nodiscard]] double of(const std::vector<double>& values) { return values[random_() % values.size()]; }
  [[nodiscard]] double small() { return of({1e-15, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3}); }
  [[nodiscard]] double rate() { return one_of(3) ? 1 - small() : one_of(3) ? 0.0004366438884214907 : small(); }

  [[nodiscard]] Noise noise() {
    const double width = uniform(0.5, 20);
    switch (random_() % 6) {
      case 0:
      case 1: {
        const double shape = of({1 + 1e-12, 1 + 1e-8, 1.0001, 1.0002, 1.0005, 1.001, 1.002, 2 - 1e-6, 2 + 1e-9, 2.001});
        return {pld::GeneralizedGaussian{.shape = shape, .scale = width},
                [=](double s) { return generalized_profile(shape, width, s); },
                [shape = Real(shape), width = Real(width), constant = log_total(shape, width)](const Real& x) -> Real {
                  return x == 0 ? Real(-constant) : Real(-pow(Real(fabs(x) / width), shape) - constant);
                },
                width* std::pow(140, 1 / shape)};
      }
      case 2: {
        const double sigma = uniform(0.5, 10), a = sigma * (1 + (one_of(4) ? 1e5 : small()));
        return {pld::SinhNormal{.sigma = sigma, .a = a},
                [=](double s) { return sinh_normal_profile(sigma / s, a / s); },
                [sigma = Real(sigma), a = Real(a)](const Real& x) -> Real {
                  return log(cosh(Real(x / a))) + normal_log_density(Real(a * sinh(Real(x / a))), sigma);
                },
                a* std::asinh(17 * sigma / a)};
      }
      case 3: {
        const double bound = one_of(2) ? 1 + small() : width * uniform(2, 30);
        return {pld::TruncatedLaplace{.scale = width, .bound = bound},
                [=](double s) { return truncated_laplace_profile(width / s, bound / s); },
                {},
                bound};
      }
      case 4: {
        const double sigma = of({0.05, 1e3, 1e6});
        return {pld::Gaussian{.sigma = sigma}, [=](double s) { return gaussian_profile(sigma / s); },
                [sigma = Real(sigma)](const Real& x) { return normal_log_density(x, sigma); }, 17 * sigma};
      }
      default: {
        const double scale = of({0.01, 0.1, 1e3});
        return {pld::Logistic{.scale = scale}, [=](double s) { return logistic_profile(scale / s); },
                [scale = Real(scale)](const Real& x) -> Real {
                  const Real y = fabs(x) / scale;
                  return -y - 2 * log1p(Real(exp(Real(-y)))) - log(scale);
                },
                140 * scale};
      }
    }
  }

  struct Finite {
    pld::Mechanism mechanism;
    Outcomes pair;
  };
  [[nodiscard]] Finite finite() {
    switch (random_() % 4) {
      case 0: {
        const double p = one_of(2) ? 0.5 + small() : 1 - small();
        return {pld::RandomizedResponse{.p = p}, randomized_response(p)};
      }
      case 1: {
        const double epsilon = one_of(2) ? small() : uniform(20, 40), delta = one_of(2) ? 0 : small();
        return {pld::ApproximateDp{.epsilon = epsilon, .delta = delta}, leaky(epsilon, delta)};
      }
      case 2: {
        const double a = one_of(2) ? small() : uniform(20, 40);
        return {pld::DiscreteLaplace{.a = a}, discrete_laplace(a, 1)};
      }
      default: {
        const double p = one_of(2) ? 0.01 : 0.99;
        return {pld::Binomial{.n = 4, .p = p}, moved(binomial_masses(4, p), 1)};
      }
    }
  }

 private:
  /// The logarithm of the integral of e^{-|x/scale|^shape}.
  static Real log_total(double shape, double scale) {
    const Real inverse = 1 / Real(shape);
    return log(2 * Real(scale) * inverse * boost::math::tgamma(inverse));
  }

  std::mt19937_64 random_;
};

struct Asked {
  pld::Composition run;
  Direction direction;
  std::function<Real(const Real& epsilon, Real& off)> delta;
};

Asked one_or_two_of_noise(Draw& draw, bool two) {
  const Direction direction = draw.one_of(2) ? Direction::add : Direction::remove;
  const Noise noise = draw.noise();
  const int sampling = draw.one_of(3) ? 0 : draw.one_of(3) ? 2 : 1;
  const double rate = sampling == 0 ? 1 : draw.rate();
  const Release release(noise, sampling == 2 ? 2 : 1, rate, direction);
  pld::Composition run;
  const auto& base = noise.mechanism;
  const std::int64_t count = two && noise.log_density ? 2 : 1;
  run.add(sampling == 0   ? base
          : sampling == 1 ? pld::poisson_sampled(base, rate)
                          : pld::without_replacement(base, rate),
          count);
  return {run, direction, [release, count](const Real& epsilon, Real& off) {
            off = 0;
            return count == 1 ? release.profile()(epsilon) : release.profile_of_two(epsilon, off);
          }};
}

Asked few_outcomes(Draw& draw) {
  const Direction direction = draw.one_of(2) ? Direction::add : Direction::remove;
  const Draw::Finite one = draw.finite();
  const double rate = draw.one_of(2) ? 1 : draw.rate();
  const auto count = static_cast<std::int64_t>(draw.of({1, 2, 3, 9}));
  pld::Composition run;
  run.add(rate < 1 ? pld::poisson_sampled(one.mechanism, rate) : one.mechanism, count);
  const Outcomes law = rate < 1 || direction == Direction::add ? sampled(one.pair, rate, direction) : one.pair;
  return {run, direction, [profile = OutcomeProfile(repeated(law, count))](const Real& epsilon, Real& off) {
            off = 0;
            return profile(epsilon);
          }};
}

/// Both queries, by each engine that may be asked for. Returns how many of the unforced answers are wider than asked.
int check(const Asked& asked, Draw& draw) {
  int wide = 0;
  const auto direction =
      asked.direction == Direction::remove ? pld::DirectionChoice::remove : pld::DirectionChoice::add;
  const double at = draw.of({0, 5e-5, 1e-3, 1e-2, 0.3, 1}), delta = draw.of({0.3, 1e-5, 1e-12});
  Real off;
  const Real truth = asked.delta(Real(at), off);
  for (const pld::Engine engine : {pld::Engine::automatic, pld::Engine::lattice}) {
    std::string text = std::string(pld::name(asked.direction)) + " " + std::string(pld::name(engine));
    for (const pld::Release& r : asked.run.releases())
      text += " " + r.mechanism.text() + ",count=" + std::to_string(r.count);
    CAPTURE(text);
    CAPTURE(at);
    CAPTURE(delta);
    const auto found = pld::delta(asked.run, {.epsilon = at, .direction = direction, .engine = engine});
    CHECK(found.lower <= found.estimate);
    CHECK(found.estimate <= found.upper);
    const Real slack = 10 * off + Real(1e-45);
    CHECK(off <= Real(1e-9) * truth + Real(1e-45));
    CHECK_MESSAGE(Real(found.lower) <= truth + slack, digits(found.lower));
    CHECK_MESSAGE(truth - slack <= Real(found.upper), digits(found.upper), " for ", truth.str(20));
    const auto where = pld::epsilon(asked.run, {.delta = delta, .direction = direction, .engine = engine});
    CHECK(where.lower <= where.estimate);
    CHECK(where.estimate <= where.upper);
    if (engine == pld::Engine::automatic) wide += !found.converged + !where.converged;
    const auto delta_at = [&](double epsilon) {
      Real off_there;
      const Real value = asked.delta(Real(epsilon), off_there), most_off = 10 * off_there + Real(1e-45);
      return std::pair(Real(value - most_off), Real(value + most_off));
    };
    if (where.lower > -pld::infinity && std::isfinite(where.lower))
      CHECK_MESSAGE(delta_at(where.lower).second >= Real(delta), "lower ", digits(where.lower));
    if (std::isfinite(where.upper))
      CHECK_MESSAGE(delta_at(where.upper).first <= Real(delta), "upper ", digits(where.upper));
  }
  return wide;
}

void check_all(std::uint64_t seed, int of_one, int of_two, int of_few) {
  Draw draw(seed);
  int wide = 0;
  for (int i = 0; i < of_one; ++i) wide += check(one_or_two_of_noise(draw, false), draw);
  for (int i = 0; i < of_two; ++i) wide += check(one_or_two_of_noise(draw, true), draw);
  for (int i = 0; i < of_few; ++i) wide += check(few_outcomes(draw), draw);
  MESSAGE("wider than asked, of two each: ", wide);
  CHECK(wide <= 2 * (of_one + of_two + of_few) / 20);
}

}  // namespace

TEST_CASE("validation.edges.laws_between_two_forms_hold_50_digits") { check_all(1, 25, 0, 40); }

TEST_CASE("validation.edges.laws_between_two_forms_hold_50_digits_2000" * doctest::test_suite("slow")) {
  check_all(1000, 1000, 60, 1000);
}
