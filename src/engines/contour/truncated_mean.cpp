#include "engines/contour/truncated_mean.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "core/work.hpp"
#include "numeric/log_gamma.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;

/// Outcomes below have no weight.
constexpr double lowest_outcome = -13;

/// log of a bound on what lies at the cut, over M: beyond the first nothing is known, a line wants the second.
constexpr double log_most_at_cut = -8, log_most_on_line = -20;

/// log of a bound on the mass of N(0,1) above x > 0.
double log_mass_above(double x) { return -x * x / 2 - std::log(2.0); }

}  // namespace

/// Points x of a midpoint rule up to the cut, with u = w / T there.
struct TruncatedMean::Outcomes {
  double step = 0;
  std::vector<Sharp> x, u, log_weight;
};

/// Sums at a real z: log M(z), mean and variance of u tilted by e^{zu}.
struct TruncatedMean::RealTransform {
  double log_value = 0, mean = 0, variance = 0;
};

TruncatedMean::TruncatedMean(double mu, double steps, double nats, double rho)
    : mu_(mu), steps_(steps), turn_(std::min(1.25, 0.4 / mu)) {
  constexpr double enough = 60, farthest = 60, apart = 0.25;
  const double least = std::max(std::sqrt(2 * (nats + std::log(steps))), mu + std::sqrt(2 * nats));
  cut_ = apart * std::ceil(least / apart);
  const auto nats_at_cut = [&] { return cut_ * cut_ / 2 - rho / steps * ratio_at(cut_); };
  while (nats_at_cut() < enough && cut_ < farthest && cut_ > rho / steps * mu * ratio_at(cut_)) cut_ += apart;
}

double TruncatedMean::ratio_at(double x) const { return std::exp(mu_ * (x - mu_ / 2)); }

double TruncatedMean::log_density(double x) const { return -x * x / 2 - 0.5 * std::log(2 * pi); }

double TruncatedMean::log_lost() const {
  // Counts the x that the mixture moves up by mu.
  return log_sum(std::log(steps_) + log_mass_above(cut_), log_mass_above(cut_ - mu_)) + 1e-9;
}

/// Fine enough for places z up to a height on the imaginary axis.
TruncatedMean::Outcomes TruncatedMean::outcomes(double highest_place) const {
  constexpr double nats = nats_to_nothing + 4, margin = 8;
  const double by_strip = 2 * pi * turn_ / (nats + std::log(steps_));
  const double by_side = 2 * pi / (turn_ / 2 + mu_ * ratio_at(cut_) * highest_place / steps_ + margin);
  Outcomes out;
  // Divides the cut, which is a multiple of 1/4.
  out.step = std::exp2(std::floor(std::log2(std::min({by_strip, by_side, 0.25}))));
  const Sharp mu = mu_, log_step = std::log(static_cast<Sharp>(out.step)) - std::log(2 * std::numbers::pi_v<Sharp>) / 2;
  const auto size = static_cast<std::size_t>((cut_ - lowest_outcome) / out.step);
  for (std::size_t i = 0; i < size; ++i) {
    const Sharp x = cut_ - (static_cast<double>(i) + 0.5) * out.step;
    out.x.push_back(x);
    out.u.push_back(std::exp(mu * (x - mu / 2)) / steps_);
    out.log_weight.push_back(log_step - x * x / 2);
  }
  return out;
}

TruncatedMean::RealTransform TruncatedMean::real_transform(const Outcomes& outcomes, double z) const {
  double sum = 0, first = 0, second = 0, top = -infinity;
  const std::size_t size = outcomes.u.size();
  const double centre = 1 / steps_;
  const auto exponent = [&](std::size_t i) {
    return static_cast<double>(outcomes.log_weight[i]) + z * static_cast<double>(outcomes.u[i]);
  };
  for (std::size_t i = 0; i < size; ++i) top = std::max(top, exponent(i));
  // Small ones are summed as they are, with no rounding of a difference.
  constexpr double largest = 600;
  if (top < largest) top = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto u = static_cast<double>(outcomes.u[i]), off = u - centre;
    const double term = std::exp(exponent(i) - top);
    sum += term, first += term * off, second += term * off * off;
  }
  const double mean = first / sum;
  return {top + std::log(sum), centre + mean, std::max(0.0, second / sum - mean * mean)};
}

/// The integrand on a line Re z = x through its saddle: M(z)^T z^{-p-1} at z = x + in step, good for all powers
/// p = rho + is, s up to some.
class TruncatedMean::Line {
 public:
  Line(const TruncatedMean& law, double rho, double top)
      : law_(law), rho_(rho), log_gamma_(log_gamma(rho + static_cast<Sharp>(1), 0).size) {
    outcomes_ = law.outcomes(0);
    if (!find_saddle()) return;
    log_at_cut_ = std::log(law.steps_) + law.log_density(law.cut_) + x_ / law.steps_ * law.ratio_at(law.cut_) -
                  at_saddle_.log_value;
    if (!(log_at_cut_ < log_most_at_cut) || !choose_step() || !choose_end(top)) return;
    outcomes_ = law.outcomes(static_cast<double>(size_) * step_);
    log_most_ = log_transform_above(x_);
    Work::take(points_a_term * static_cast<double>(size_ * outcomes_.u.size()));
    const Transforms transforms = transforms_at_places();
    for (std::size_t n = 0; n < size_; ++n) add_place(n, transforms);
    const Integral found = integral(0, 0);
    log_integral_ = std::log(found.re);
    error_ = found.off / static_cast<double>(found.re);
    usable_ = found.re > 0 && error_ < 0.25;
  }

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] double log_at_cut() const { return log_at_cut_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] MeanMoment moment() const {
    const Sharp log_moment = log_gamma_ - std::log(2 * std::numbers::pi_v<Sharp>) + log_integral_ + log_top_;
    const auto sizes = static_cast<double>(std::fabs(log_gamma_) + std::fabs(log_integral_) + std::fabs(log_top_));
    return {log_moment, 1.5 * error_ + log_gamma_error(rho_ + 1) + top_error_ + 8 * unit_sharp * (2 + sizes)};
  }

  /// By derivatives of the integral by the power.
  [[nodiscard]] Cumulant cumulant() const {
    std::complex<double> sum = 0, first = 0, second = 0;
    for (std::size_t n = 0; n < size_; ++n) {
      const std::complex<double> log_z(static_cast<double>(log_far_[n]), static_cast<double>(angle_[n]));
      const double half = n == 0 ? 0.5 : 1;
      const auto term = half * std::polar(std::exp(static_cast<double>(log_size_[n])), static_cast<double>(turn_[n]));
      sum += term, first += term * log_z, second += term * log_z * log_z;
    }
    // Those below the axis are conjugates.
    const double mean = first.real() / sum.real(), square = second.real() / sum.real();
    return {static_cast<double>(moment().log_moment), boost::math::digamma(rho_ + 1) - std::log(x_) - mean,
            boost::math::trigamma(rho_ + 1) + square - mean * mean};
  }

  /// At s <= top.
  [[nodiscard]] MeanRatio ratio(double s) const {
    const ComplexLog gamma = log_gamma(rho_ + static_cast<Sharp>(1), s);
    const Sharp shift = static_cast<Sharp>(gamma.size) - log_gamma_ - log_integral_;
    const Integral here = integral(s, shift);
    MeanRatio out = ratio_of_sum(here.re, here.im, here.off);
    out.phase = reduced_turn(static_cast<Sharp>(gamma.turn) - static_cast<Sharp>(s) * std::log(static_cast<Sharp>(x_)) +
                             out.phase);
    const double rounding =
        unit_sharp * (32 + 8 * s * (2 + std::fabs(std::log(x_))) + 8 * std::fabs(static_cast<double>(gamma.turn)) +
                      8 * std::fabs(static_cast<double>(gamma.size))) +
        3 * log_gamma_error(std::hypot(rho_ + 1, s));
    out.error += 4 * error_ + rounding;
    return out;
  }

  /// log of a bound on |G(rho + is')| / G(rho) for s' >= s.
  [[nodiscard]] double log_decay(double s) const {
    const double mu = law_.mu_, steps = law_.steps_, least_height = mu * s / steps, highest = pi / 2 / mu;
    // |R|^rho <= (rho / ex)^rho e^{xR}.
    const MeanMoment moment = this->moment();
    const double log_excess = rho_ * (std::log(rho_ / x_) - 1) + steps * (at_saddle_.log_value + 1e-12) -
                              static_cast<double>(moment.log_moment) + moment.error + 2 * std::exp(log_at_cut_) + 1e-9;
    double least = 0;
    for (double nats = 1; nats < 80; nats *= 1.5) {
      const double height = std::min({least_height, std::sqrt(2 * nats / steps), highest});
      const double growth = steps * height * height / 2;
      const double at_cut = std::log(std::expm1(std::min(700.0, height * std::exp(log_at_cut_ + 1e-6))));
      least = std::min(least, log_sum(growth - s * mu * height, growth + log_excess + at_cut));
    }
    return least;
  }

 private:
  static constexpr double points_a_term = 1.5;

  /// x m(x) = rho + 1, m the mean of w tilted by e^{xw/T}: where M^T z^{-rho-1} is least on the real line.
  bool find_saddle() {
    x_ = rho_ + 1;
    for (int i = 0; i < 40; ++i) {
      at_saddle_ = law_.real_transform(outcomes_, x_);
      const double mean = law_.steps_ * at_saddle_.mean, variance = law_.steps_ * law_.steps_ * at_saddle_.variance;
      const double next =
          std::clamp(x_ - (x_ * mean - rho_ - 1) / (mean + x_ * variance / law_.steps_), x_ / 2, 2 * x_);
      if (!std::isfinite(next)) return false;
      const bool close = std::fabs(next - x_) < 1e-3 * x_;
      x_ = next;
      if (close) break;
    }
    at_saddle_ = law_.real_transform(outcomes_, x_);
    return at_saddle_.variance > 0 && std::isfinite(at_saddle_.log_value);
  }

  /// log of M(z)^T z^{-rho} at a real z, over that at the saddle; M from above.
  [[nodiscard]] double log_growth(double z) const {
    return law_.steps_ * (log_transform_above(z) - at_saddle_.log_value) - rho_ * std::log(z / x_);
  }

  /// log M(z) at a real z from above: the sum, and what the rule may be off, itself by M(z), or by 1 where z < 0.
  [[nodiscard]] double log_transform_above(double z) const {
    const double positive = std::max(z, 0.0), strip = log_strip();
    const double sum = law_.real_transform(outcomes_, z).log_value;
    const double all = log_sum(log_sum(sum, log_side(positive, 0)), log_below(positive));
    return (z < 0 ? log_sum(all, strip) : all - std::log1p(-std::exp(strip))) + 1e-13;
  }
  /// log of what the rule's strip leaves of an integral of moduli.
  [[nodiscard]] double log_strip() const {
    return std::log(2.0) + law_.turn_ * law_.turn_ / 2 - std::log(std::expm1(2 * pi * law_.turn_ / outcomes_.step));
  }
  /// log of a bound on the two sides of the strip at the cut, for a z of this height.
  [[nodiscard]] double log_side(double re, double height) const {
    const double w = law_.ratio_at(law_.cut_);
    const double falls = 2 * pi / outcomes_.step - law_.turn_ / 2 - law_.mu_ * w * height / law_.steps_;
    return std::log(2.0) + law_.log_density(law_.cut_) + re * w / law_.steps_ - std::log(falls);
  }
  /// log of a bound on the rule's terms below the lowest outcome.
  [[nodiscard]] double log_below(double re) const {
    return law_.log_density(lowest_outcome) + std::log1p(outcomes_.step) +
           re * law_.ratio_at(lowest_outcome) / law_.steps_;
  }

  /// The rule in z is off by the integrals over lines on both sides: the step is one for which that is nothing.
  bool choose_step() {
    constexpr double nats = nats_to_nothing + 4, farthest = 0.9;
    // Tries lines about as far away, in units of x, as is best for a normal integrand.
    const double curvature = rho_ + 1 + x_ * x_ * law_.steps_ * at_saddle_.variance,
                 normal = std::sqrt(2 * nats / curvature);
    struct Beside {
      double share = 0, log_growth = infinity, step = 0;
    };
    const auto best_beside = [&](int side) {
      Beside best;
      for (const double part : {1.4, 1.0, 0.7, 0.5, 0.35, 0.25}) {
        const double share = std::min(farthest, part * normal), growth = log_growth(x_ * (1 + side * share));
        const double step = 2 * pi * share * x_ / (nats + std::max(0.0, growth));
        if (step > best.step) best = {share, growth, step};
      }
      return best;
    };
    const Beside left = best_beside(-1), right = best_beside(1);
    step_ = rounded_to_bits(std::min(left.step, right.step), 8);
    const auto log_kept = [&](const Beside& line) {
      return line.log_growth - std::log(std::expm1(2 * pi * line.share * x_ / step_));
    };
    log_beside_ = log_sum(log_kept(left), log_kept(right)) + std::log(pi) + (1 - rho_) * std::log(2.0) +
                  static_cast<double>(log_gamma(rho_, 0).size) + std::log(x_) + 1e-9;
    return step_ > 0 && std::isfinite(left.log_growth) && std::isfinite(right.log_growth);
  }

  /// So many places that what is beyond is nothing, for all s up to `top`.
  bool choose_end(double top) {
    constexpr std::size_t most = 4000;
    const double first = std::sqrt(rho_ + 1) + std::hypot(rho_ + 1, top) / std::sqrt(rho_ + 1);
    size_ = static_cast<std::size_t>(std::ceil((top / (rho_ + 1) + first / (rho_ + 1)) * x_ / step_)) + 8;
    const double log_whole = 0.5 * std::log(2 * pi / (rho_ + 1)) + std::log(x_);
    for (; size_ < most; size_ += size_ / 8 + 1) {
      log_fall_ = log_fall(end_height());
      if (log_tail(top) + log_gamma_ratio(top) - log_whole < -nats_to_nothing) return true;
    }
    return false;
  }
  [[nodiscard]] double end_height() const { return static_cast<double>(size_ - 1) * step_; }

  /// log of a bound on |M(z) / M(x)|^T from this height on: with x moved up by i shift |e^{zw/T}| is that of a smaller
  /// real part, which falls as z rises; what stays on the side at the cut does not.
  [[nodiscard]] double log_fall(double height) const {
    const double shift = std::min({law_.mu_ * height / law_.steps_, law_.turn_, pi / 2 / law_.mu_});
    const double turned = x_ * std::cos(law_.mu_ * shift) - height * std::sin(law_.mu_ * shift);
    const double side = std::log(shift) + log_at_cut_ - std::log(law_.steps_);
    const double moved = log_sum(log_transform_above(turned) - at_saddle_.log_value, side) + shift * shift / 2;
    return std::min(0.0, law_.steps_ * (moved + 1e-12));
  }
  [[nodiscard]] double log_gamma_ratio(double s) const {
    return static_cast<double>(static_cast<Sharp>(log_gamma(rho_ + 1, s).size) - log_gamma_);
  }

  /// log of a bound on the sums beyond the last place, both ways: there |z|^{-rho-1} e^{s arg z} falls at least as fast
  /// as a power of the height, and M(z)^T is at most what log_fall() says.
  [[nodiscard]] double log_tail(double s) const {
    const double height = end_height(), far = std::hypot(x_, height);
    const double power = (rho_ + 1 - s * x_ / height) * (height / far) * (height / far);
    if (!(power > 2)) return infinity;
    return -(rho_ + 1) * std::log(far / x_) + s * std::atan2(height, x_) + std::log(2 * height / (power - 1)) +
           log_fall_ + 1e-9;
  }

  /// log of a bound on what the step leaves of the lines on both sides, where the integral of |z|^{-rho-1} e^{s arg z}
  /// is x^-rho pi 2^{1-rho} Gamma(rho) / |Gamma((rho + 1 + is) / 2)|^2 (DLMF 5.12.5).
  [[nodiscard]] double log_alias(double s) const {
    return log_beside_ - 2 * static_cast<double>(log_gamma((rho_ + 1) / 2, s / 2).size);
  }

  /// M at all places, a bound on their roundings, and the sum at the first of them.
  struct Transforms {
    std::vector<Sharp> re, im;
    double rounding = 0, rounding_by_height = 0, sizes = 0;
  };
  [[nodiscard]] Transforms transforms_at_places() const {
    // Each outcome's part turns by a fixed angle from a place to the next: a complex product, begun afresh every so
    // many, each product off by 3 u.
    constexpr std::size_t fresh = 16;
    constexpr double products = 3 * fresh;
    Transforms out{std::vector<Sharp>(size_), std::vector<Sharp>(size_)};
    for (std::size_t i = 0; i < outcomes_.u.size(); ++i) {
      const Sharp u = outcomes_.u[i], size = std::exp(outcomes_.log_weight[i] + x_ * u), angle = step_ * u;
      const Sharp turn_re = std::cos(angle), turn_im = std::sin(angle);
      Sharp re = 0, im = 0;
      for (std::size_t n = 0; n < size_; ++n) {
        if (n % fresh == 0) {
          const Sharp phase = static_cast<double>(n) * step_ * u;
          re = size * std::cos(phase), im = size * std::sin(phase);
        }
        out.re[n] += re, out.im[n] += im;
        const Sharp next = re * turn_re - im * turn_im;
        im = re * turn_im + im * turn_re;
        re = next;
      }
      const auto x = static_cast<double>(std::fabs(outcomes_.x[i])), own = static_cast<double>(size);
      const double of_u = static_cast<double>(u) * (10 + 4 * law_.mu_ * (x + law_.mu_));
      out.sizes += own;
      out.rounding += own * (32 + products + 2 * x * x + x_ * of_u);
      out.rounding_by_height += own * (of_u + 4 * static_cast<double>(u));
    }
    return out;
  }

  /// What the integrand is at a place, over M(x)^T x^{-rho-1}.
  void add_place(std::size_t n, const Transforms& transforms) {
    const double height = static_cast<double>(n) * step_, far = std::hypot(x_, height), angle = std::atan2(height, x_);
    const Sharp re = transforms.re[n], im = transforms.im[n], sharp_size = std::hypot(re, im);
    const auto size = static_cast<double>(sharp_size);
    const double nearest = far * std::cos(std::max(0.0, angle - law_.mu_ * law_.turn_));
    const double strip = log_strip() + log_transform_above(std::max(x_, nearest));
    const double off = std::exp(strip) + std::exp(log_side(x_, height)) + std::exp(log_below(x_)) +
                       unit_sharp * (transforms.rounding + height * transforms.rounding_by_height +
                                     static_cast<double>(outcomes_.u.size()) * transforms.sizes);
    if (n == 0) {
      log_first_ = std::log(re);
      log_top_ = law_.steps_ * log_first_ - (rho_ + 1) * std::log(static_cast<Sharp>(x_));
    }
    const Sharp sharp_far = std::hypot(static_cast<Sharp>(x_), static_cast<Sharp>(height)),
                sharp_angle = std::atan2(static_cast<Sharp>(height), static_cast<Sharp>(x_));
    // Where its power is hardly known, the most that M may be.
    const double of_power = off < 0.5 * size ? std::expm1(law_.steps_ * std::log1p(1.01 * off / size)) : infinity;
    const bool known = of_power < 1;
    const Sharp log_m = known ? std::log(sharp_size) : std::min(std::log(size + off), log_most_),
                turn = std::atan2(im, re);
    log_far_.push_back(std::log(sharp_far / x_));
    angle_.push_back(sharp_angle);
    log_size_.push_back(law_.steps_ * (log_m - log_first_) - (rho_ + 1) * log_far_.back());
    turn_.push_back(law_.steps_ * turn - (rho_ + 1) * sharp_angle);
    const double logs = law_.steps_ * static_cast<double>(std::fabs(log_m) + std::fabs(log_first_) + std::fabs(turn)) +
                        (rho_ + 1) * (1 + static_cast<double>(log_far_.back() + sharp_angle));
    off_.push_back((known ? of_power : 2) + unit_sharp * (32 + 8 * logs));
    if (n == 0) top_error_ = 8 * unit_sharp * (std::fabs(static_cast<double>(log_top_)) + logs);
  }

  /// e^shift times the integral of z^{-p-1} M(z)^T over x^{-is} times what that is at z = x, p = rho + is, and what the
  /// sum in its place may be off.
  struct Integral {
    Sharp re = 0, im = 0;
    double off = 0;
  };
  [[nodiscard]] Integral integral(double s, Sharp shift) const {
    constexpr double negligible = 60;
    Integral out;
    const auto add = [&](std::size_t n, double side) {
      const Sharp raised = side * s * angle_[n];
      const auto exponent = static_cast<double>(log_size_[n] + shift + raised);
      if (exponent < -negligible) {
        out.off += std::exp(-negligible) * (1 + off_[n]);
        return;
      }
      const Sharp size = std::exp(log_size_[n] + shift + raised), turn = side * turn_[n] - s * log_far_[n];
      out.re += size * std::cos(turn), out.im += size * std::sin(turn);
      const double moved = s * (1 + static_cast<double>(angle_[n] + log_far_[n]));
      out.off += static_cast<double>(size) * (off_[n] + unit_sharp * (16 + static_cast<double>(size_) + 8 * moved));
    };
    for (std::size_t n = 0; n < size_; ++n) add(n, 1);
    for (std::size_t n = 1; n < size_; ++n) add(n, -1);  // below the axis
    out.re *= step_, out.im *= step_;
    const auto shifted = static_cast<double>(shift);
    out.off = 1.01 * step_ * out.off + std::exp(log_alias(s) + shifted) + std::exp(log_tail(s) + shifted);
    return out;
  }

  const TruncatedMean& law_;
  double rho_;
  Sharp log_gamma_;  ///< of Gamma(rho + 1)
  bool usable_ = false;
  Outcomes outcomes_;
  RealTransform at_saddle_;
  double x_ = 0, log_at_cut_ = 0;
  double step_ = 0, log_beside_ = 0;  ///< and of what lines on both sides leave, but for how it depends on s
  std::size_t size_ = 0;
  Sharp log_first_ = 0, log_top_ = 0, log_integral_ = 0;
  double top_error_ = 0, error_ = 0;
  double log_most_ = 0, log_fall_ = 0;
  std::vector<Sharp> log_far_, angle_, log_size_, turn_;
  std::vector<double> off_;
};

const TruncatedMean::Line& TruncatedMean::real_line(double rho) const {
  const std::lock_guard lock(asking_);
  auto& line = real_lines_[rho];
  if (!line) line = std::make_shared<const Line>(*this, rho, 0);
  return *line;
}

bool TruncatedMean::is_light(double rho, double log_width) const {
  const double log_at_cut = std::log(steps_) + log_density(cut_) + rho / steps_ * (ratio_at(cut_) - 1);
  return rho >= lowest && log_at_cut < std::min(log_most_on_line, log_width - 12);
}

bool TruncatedMean::reaches(double rho) const { return rho >= lowest && real_line(rho).usable(); }

MeanMoment TruncatedMean::moment(double rho) const { return real_line(rho).moment(); }

Cumulant TruncatedMean::cumulant(double rho) const { return real_line(rho).cumulant(); }

double TruncatedMean::log_decay(double rho, double s) const { return real_line(rho).log_decay(s); }

std::shared_ptr<const std::vector<MeanRatio>> TruncatedMean::ratios(double rho, double step, std::size_t last) const {
  constexpr double points_a_place = 6;
  if (!(real_line(rho).log_at_cut() < log_most_on_line)) return nullptr;
  const Line line(*this, rho, static_cast<double>(last) * step);
  if (!line.usable()) return nullptr;
  std::vector<MeanRatio> out{{.error = 0}};
  for (std::size_t n = 1; n <= last; ++n) {
    Work::take(points_a_place * static_cast<double>(line.size()));
    out.push_back(line.ratio(static_cast<double>(n) * step));
  }
  return std::make_shared<const std::vector<MeanRatio>>(std::move(out));
}

}  // namespace pld::contour
