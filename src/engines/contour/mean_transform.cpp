#include "engines/contour/mean_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engines/contour/power_series.hpp"
#include "numeric/log_gamma.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;

constexpr std::size_t sum_lanes = 8, block = 32;

using SumLanes = std::array<double, sum_lanes>;
double total_of(const SumLanes& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

double modulus(Sharp re, Sharp im) { return static_cast<double>(std::hypot(re, im)); }

/// How many deviations out points may be pulled: farther, the normal density is no double.
constexpr double farthest_pulled = 26;

}  // namespace

MeanTransform::MeanTransform(double mu, double steps, double angle, std::size_t orders, double step, double most_c)
    : mu_(mu),
      steps_(steps),
      angle_(angle),
      orders_(orders),
      series_(mu, steps, orders),
      scale_(series_.scale()),
      step_(step),
      pull_(std::min(most_c / steps, farthest_pulled / mu)),
      usable_(series_.usable()) {
  if (usable_) place_points();
}

double MeanTransform::first_log(double c, std::size_t k, double log_sum) const {
  return (log_sum - nats_to_nothing - 2 - log_below(0, c, k)) / c;
}

void MeanTransform::place_points() {
  constexpr double farthest_shift = 2, widest_strip = 2, wide_angle = pi / 3, most_points = 4000;
  // On the line x - i shift, w z turns by angle - mu shift; nowhere in a strip about it beyond `edge`.
  const Sharp full = static_cast<Sharp>(angle_) / mu_;
  shift_ = std::min<Sharp>(full, farthest_shift);
  turn_ = shift_ < full ? angle_ - mu_ * shift_ : 0, shift_turn_ = -mu_ * shift_;
  const auto turn = static_cast<double>(turn_);
  const double edge = std::max(wide_angle, (turn + pi / 2) / 2);
  // A pulled law has the mean -mu pull, and is as much narrower as its strip shall be.
  const double narrower = std::sqrt(2 * nats_to_nothing / (1 + mu_ * mu_ * pull_));
  const double half = std::min({(edge - turn) / mu_, widest_strip, narrower});
  const double farthest = static_cast<double>(shift_) + half;
  edge_cosine_ = std::cos(turn + mu_ * half) * (1 - 1e-9);
  const double pulled_less = (1 - edge_cosine_ / std::cos(turn)) * pull_;
  const double wanted = nats_to_nothing + farthest * farthest / 2 + 0.35 * static_cast<double>(orders_) + pulled_less;
  const double coarse = 2 * pi * half / wanted * mu_;  // in log w
  fine_ = std::max(1L, static_cast<long>(std::ceil(step_ / coarse)));
  const double tabled = step_ / static_cast<double>(fine_);
  stride_ = std::max(1L, static_cast<long>(coarse / tabled));
  spacing_ = static_cast<Sharp>(step_) / static_cast<Sharp>(fine_) * static_cast<Sharp>(stride_) / mu_;
  const auto nats = static_cast<double>(2 * pi * half / spacing_);
  log_quadrature_ = std::log(2) + farthest * farthest / 2 - std::log(std::expm1(nats)) + 1e-9;
  const double reach = std::sqrt(2 * nats_to_nothing), beyond = reach + 1, below = beyond + mu_ * pull_;
  const double farther = beyond + mu_ * static_cast<double>(orders_ + 1), apart = static_cast<double>(spacing_);
  usable_ = (below + farther) / apart < most_points;
  if (!usable_) return;
  log_cut_ = (static_cast<double>(shift_ * shift_) - reach * reach) / 2 + 1e-9;
  lowest_ = static_cast<long>(-below / apart);
  points_ = static_cast<std::size_t>((farther + below) / apart / sum_lanes + 1) * sum_lanes;
  const double last = static_cast<double>(lowest_ + static_cast<long>(points_)) * apart;
  farthest_log_ = mu_ * std::max(last, below) + mu_ * mu_ / 2;
}

void MeanTransform::weigh_points() {
  weights_.assign(orders_ + 2, Series(points_));
  const Sharp density = spacing_ / std::sqrt(2 * std::numbers::pi_v<Sharp>), unit = static_cast<Sharp>(scale_) / steps_;
  for (std::size_t j = 0; j < points_; ++j) {
    const Sharp x = static_cast<Sharp>(lowest_ + static_cast<long>(j)) * spacing_;
    Sharp size = std::exp((shift_ * shift_ - x * x) / 2) * density;
    const Sharp factor = std::exp(mu_ * x - static_cast<Sharp>(mu_) * mu_ / 2) * unit;
    // phi(x - i shift) turns by shift x.
    const Sharp re = std::cos(shift_ * x), im = std::sin(shift_ * x);
    for (Series& order : weights_) {
      order.re[j] = size * re, order.im[j] = size * im;
      order.sizes[j] = static_cast<double>(size);
      size *= factor;
    }
  }
}

long MeanTransform::kernels(long first, long last) const {
  return (last - first) * fine_ + static_cast<long>(points_) * stride_;
}

double MeanTransform::points(long first, long last) const {
  if (last < first) return 0;
  // Of next to no noise the kernels would take more memory than there is for a question.
  constexpr long most_kernels = 1'500'000;
  const long span = kernels(first, last);
  if (span > most_kernels) return infinity;
  // An exponential in long doubles takes about as long as ten points, a term of a sum a third of one, and one of a
  // power a half. Normal weights are next to nothing some ten deviations away.
  constexpr double apart = 22;
  const auto all = static_cast<double>(points_), orders = static_cast<double>(orders_);
  const double terms = std::min(all, apart / static_cast<double>(spacing_));
  return 10 * static_cast<double>(span) +
         static_cast<double>(last - first) * (0.3 * (2 * all + (2 + orders) * terms) + 0.5 * orders * orders);
}

void MeanTransform::prepare(long first, long last) {
  if (last < first) return;
  const long span = kernels(first, last);
  first_kernel_ = first * fine_ + lowest_ * stride_;
  weigh_points();
  const auto length = static_cast<std::size_t>(span / stride_ + 1);
  kernels_.assign(static_cast<std::size_t>(stride_), {});
  const Sharp tabled = static_cast<Sharp>(step_) / static_cast<Sharp>(fine_);
  const Sharp log_start = -std::log(static_cast<Sharp>(steps_)) - static_cast<Sharp>(mu_) * mu_ / 2;
  const Sharp cosine = std::cos(turn_), sine = turn_ > 0 ? std::sin(turn_) : 0;
  for (std::size_t p = 0; p < kernels_.size(); ++p) {
    Kernel& kernel = kernels_[p];
    for (auto* column : {&kernel.excess_re, &kernel.excess_im, &kernel.re}) column->resize(length);
    kernel.size.resize(length), kernel.felt.resize(length);
    for (std::size_t i = 0; i < length; ++i) {
      const long at = first_kernel_ + static_cast<long>(p) + static_cast<long>(i) * stride_;
      const Sharp t = std::exp(log_start + static_cast<Sharp>(at) * tabled), a = t * cosine, decay = std::exp(-a);
      const Sharp decay_less = a < 0.5L ? std::expm1(-a) : decay - 1;
      Sharp less = 0, across = 0;  // 1 - cos b and sin b, b = t sine
      if (sine > 0 && decay > 0) {
        const Sharp half = std::sin(t * sine / 2);
        less = 2 * half * half, across = std::sin(t * sine);
      }
      kernel.excess_re[i] = decay_less * (1 - less) - less, kernel.excess_im[i] = -decay * across;
      kernel.re[i] = decay * (1 - less), kernel.size[i] = static_cast<double>(decay);
      kernel.felt[i] = static_cast<double>(std::fabs(kernel.excess_re[i]) + std::fabs(kernel.excess_im[i]) +
                                           (decay > 0 ? t * decay : 0));
    }
  }
}

/// log of a bound on E w^k e^{-damping w}: for every j <= k that of E w^j times the largest w^{k-j} e^{-damping w}. For
/// j from -pull on, both hold of the points left out, too.
double MeanTransform::log_damped_moment(std::size_t k, double damping) const {
  const auto order = static_cast<double>(k);
  const auto bound = [&](double j) {
    const double left = order - j;
    return mu_ * mu_ * j * (j - 1) / 2 + (left > 0 ? left * (std::log(left / damping) - 1) : 0);
  };
  // The slope rises with j.
  double low = -pull_, high = order;
  for (int i = 0; i < 20 && high - low > 0.1; ++i) {
    const double j = low + (high - low) / 2;
    (mu_ * mu_ * (j - 0.5) < std::log((order - j) / damping) ? low : high) = j;
  }
  return std::min({bound(low), bound(high), bound(order)});
}

/// Whether E e^{-zw/T} may be so, which is e^{-z/T} at least for real z: its logarithm is best had of its excess
/// over 1.
bool MeanTransform::is_near_one(double y) const { return std::exp(y) <= steps_; }

/// Which points tell the sums, order by order. Their terms' logarithms are concave in x, and where they are largest
/// rises with the order: so do both ends, and beyond these no term is larger than next to them.
class MeanTransform::Window {
 public:
  Window(const double* kernel, std::size_t points) : kernel_(kernel), points_(points) {}

  void move_to(const double* weights) {
    const auto term = [&](std::size_t j) { return weights[j] * kernel_[j]; };
    while (top_ + sum_lanes < points_ && term(top_ + sum_lanes) >= term(top_)) top_ += sum_lanes;
    const double least = next_to_nothing * term(top_);
    while (begin + sum_lanes < top_ && term(begin + sum_lanes) < least) begin += sum_lanes;
    end = std::max(end, top_ + sum_lanes);
    while (end < points_ && term(end - 1) >= least) end += sum_lanes;
  }

  std::size_t begin = 0, end = 0;

 private:
  static constexpr double next_to_nothing = 1e-4 * unit_sharp;  // of which all points together are less than rounding

  const double* kernel_;
  std::size_t points_, top_ = 0;
};

void MeanTransform::sum(long place, Series& sums) const {
  const long start = place * fine_ + lowest_ * stride_ - first_kernel_;
  const Kernel& kernel = kernels_[static_cast<std::size_t>(start % stride_)];
  const auto offset = static_cast<std::size_t>(start / stride_);
  const Sharp *excess_re = &kernel.excess_re[offset], *excess_im = &kernel.excess_im[offset];
  const Sharp* kept_re = &kernel.re[offset];
  const double *size = &kernel.size[offset], *felt = &kernel.felt[offset];
  // Sums of blocks stay in registers.
  const auto over_blocks = [](const Window& window, const auto& sum_block) {
    for (std::size_t j = window.begin; j < window.end; j += block) sum_block(j, std::min(j + block, window.end));
  };
  const auto add = [&](std::size_t k, const Sharp* kernel_re, const double* kernel_size, const Window& window) {
    const Sharp *re = weights_[k].re.data(), *im = weights_[k].im.data();
    Sharp all_re = 0, all_im = 0;
    if (angle_ == 0) {
      over_blocks(window, [&](std::size_t j, std::size_t end) {
        Sharp part = 0;
        for (; j < end; ++j) part += re[j] * kernel_re[j];
        all_re += part;
      });
    } else if (turn_ == 0) {
      over_blocks(window, [&](std::size_t j, std::size_t end) {
        Sharp part_re = 0, part_im = 0;
        for (; j < end; ++j) part_re += re[j] * kernel_re[j], part_im += im[j] * kernel_re[j];
        all_re += part_re, all_im += part_im;
      });
    } else {
      over_blocks(window, [&](std::size_t j, std::size_t end) {
        Sharp part_re = 0, part_im = 0;
        for (; j < end; ++j) {
          part_re += re[j] * kernel_re[j] - im[j] * excess_im[j];
          part_im += im[j] * kernel_re[j] + re[j] * excess_im[j];
        }
        all_re += part_re, all_im += part_im;
      });
    }
    const double* sizes = weights_[k].sizes.data();
    SumLanes sum_sizes{};
    for (std::size_t j = window.begin; j < window.end; j += sum_lanes)
      for (std::size_t l = 0; l < sum_lanes; ++l) sum_sizes[l] += sizes[j + l] * kernel_size[j + l];
    sums.re[k] = all_re, sums.im[k] = all_im, sums.sizes[k] = total_of(sum_sizes);
  };
  Window all(size, points_), window(size, points_);
  all.end = points_;
  const bool by_excess = is_near_one(static_cast<double>(place) * step_);
  if (by_excess) add(0, excess_re, felt, all);
  for (std::size_t k = by_excess ? 1 : 0; k <= orders_ + 1; ++k) {
    window.move_to(weights_[k].sizes.data());
    add(k, kept_re, size, window);
  }
}

/// What the quadrature and its cut leave out of the sums falls with the damping: for some places at once.
void MeanTransform::find_left_out(long place) {
  constexpr double shared = 0.25;  // of log |z|
  if (!left_out_.empty() && place >= left_out_of_ && static_cast<double>(place - left_out_of_) * step_ < shared) return;
  left_out_of_ = place;
  left_out_.resize(orders_ + 1);
  const double argument = std::exp(static_cast<double>(place) * step_) / steps_ * (1 - 1e-12);
  const double damped = argument * static_cast<double>(std::cos(turn_)) * (1 - 1e-9),
               log_unit = std::log(scale_ / steps_);
  for (std::size_t k = 0; k <= orders_; ++k) {
    const double log_scaled = static_cast<double>(k) * log_unit;
    left_out_[k] = std::exp(log_quadrature_ + log_damped_moment(k, argument * edge_cosine_) + log_scaled) +
                   std::exp(log_cut_ + log_damped_moment(k, damped) + log_scaled);
  }
}

void MeanTransform::at(long place, Values& out) {
  for (auto* column : {&out.re, &out.im, &out.error}) column->assign(orders_ + 1, 0);
  find_left_out(place);
  Series sums(orders_ + 2);
  sum(place, sums);
  const double y = static_cast<double>(place) * step_, argument = std::exp(y) / steps_, unit = scale_ / steps_;
  constexpr double of_sums = 40, left_out_of_window = 1;
  const double terms = block + static_cast<double>(points_) / block + of_sums + left_out_of_window;
  // A power of w is off by what its logarithm is, and e^{-zw/T} by zw/T times what log zw/T is.
  const double of_power = 4 + farthest_log_, of_kernel = 4 + 2 * (farthest_log_ + std::log(steps_) + std::fabs(y));
  // The series sum a_k h^k = E e^{-(z - scale h) w / T}, and what its coefficients are off.
  Series a(orders_ + 1);
  std::vector<double> doubts(orders_ + 1);
  Sharp factorial = 1;
  for (std::size_t k = 0; k <= orders_; ++k) {
    const auto number = static_cast<double>(k);
    if (k > 0) factorial *= number;
    const Sharp turn_re = std::cos(number * shift_turn_), turn_im = std::sin(number * shift_turn_);
    a.re[k] = (sums.re[k] * turn_re - sums.im[k] * turn_im) / factorial;
    a.im[k] = (sums.re[k] * turn_im + sums.im[k] * turn_re) / factorial;
    const double rounding =
        unit_sharp * ((terms + number * of_power) * sums.sizes[k] + of_kernel * sums.sizes[k + 1] * argument / unit);
    doubts[k] = 1.01 * (rounding + left_out_[k]) / static_cast<double>(factorial);
  }
  double felt_by_log = 0;
  Sharp log_size = 0;
  if (is_near_one(y)) {
    // |e^{-zw/T} - 1| <= |z| w / T
    doubts[0] =
        unit_sharp * (terms + of_kernel) * sums.sizes[0] + argument * (std::exp(log_quadrature_) + std::exp(log_cut_));
    a.re[0] = 1 + sums.re[0], a.im[0] = sums.im[0];
    felt_by_log = modulus(sums.re[0], sums.im[0]);
    const Sharp excess = sums.re[0] * (2 + sums.re[0]) + a.im[0] * a.im[0];
    log_size = (excess > -0.5L ? std::log1p(excess) : std::log(a.re[0] * a.re[0] + a.im[0] * a.im[0])) / 2;
  } else {
    log_size = std::log(std::hypot(a.re[0], a.im[0]));
    felt_by_log = modulus(a.re[0], a.im[0]) * (1 + std::fabs(static_cast<double>(log_size)));
  }
  // The squares of smaller ones may be no numbers.
  constexpr double tiny = 1e-150;
  const double size = modulus(a.re[0], a.im[0]), least = size - doubts[0];
  const double of_log = steps_ * (doubts[0] + 6 * unit_sharp * felt_by_log) / least * (1 + 1e-9);
  if (!(least > tiny && of_log < 0.5)) {
    bound_only(a, doubts, out);
    return;
  }
  // Over the first coefficient, which is off, too.
  const double relative = 1.01 * (doubts[0] / least + 16 * unit_sharp);
  const Sharp square = a.re[0] * a.re[0] + a.im[0] * a.im[0];
  Series b(orders_ + 1);
  b.re[0] = b.sizes[0] = 1;
  for (std::size_t k = 1; k <= orders_; ++k) {
    b.re[k] = (a.re[k] * a.re[0] + a.im[k] * a.im[0]) / square;
    b.im[k] = (a.im[k] * a.re[0] - a.re[k] * a.im[0]) / square;
    const double own = modulus(b.re[k], b.im[k]);
    doubts[k] = doubts[k] / least + own * relative;
    b.sizes[k] = own * (1 + 1e-12) + doubts[k];
  }
  const Series power = raised(b, steps_);
  // The first one's power, e^{T log}.
  const Sharp log_first = steps_ * log_size;
  const Sharp turn = steps_ * std::atan2(a.im[0], a.re[0]);
  const Sharp c = std::cos(turn), s = std::sin(turn);
  out.log_size = log_first;
  const double of_first =
      1.5 * of_log + 8 * unit_sharp * (1 + static_cast<double>(std::fabs(log_first) + std::fabs(turn)));
  for (std::size_t k = 0; k <= orders_; ++k) {
    out.re[k] = c * power.re[k] - s * power.im[k];
    out.im[k] = c * power.im[k] + s * power.re[k];
    double error = power.sizes[k] * (rounding_of_power(k) + of_first);
    for (std::size_t j = 1; j <= k; ++j) error += steps_ * doubts[j] * power.sizes[k - j];
    out.error[k] = 1.01 * error;
  }
}

/// Where z is so far out that the first coefficient is hardly known, its power's size is all that is wanted.
void MeanTransform::bound_only(const Series& a, const std::vector<double>& doubts, Values& out) const {
  Series most(orders_ + 1);
  for (std::size_t k = 0; k <= orders_; ++k) most.sizes[k] = 1.01 * (modulus(a.re[k], a.im[k]) + doubts[k]);
  const double first =
      std::max({most.sizes[0], 1e-60 * *std::max_element(most.sizes.begin(), most.sizes.end()), 1e-300});
  for (double& size : most.sizes) size /= first;
  most.re[0] = most.sizes[0] = 1;  // bounds alone are raised
  const Series power = raised(most, steps_);
  out.log_size = steps_ * std::log(first) * (1 - 1e-9);
  for (std::size_t k = 0; k <= orders_; ++k) out.error[k] = 1.01 * power.sizes[k];
}

double MeanTransform::log_rest(double y, double c, std::size_t k) const {
  // With every x moved down by i shift, all ratios turn back by mu shift: |F_k(z)| <= e^{T shift^2 / 2} F_k(e^y
  // cos(angle - mu shift)), which falls with y. There the integral of e^{(c + K) y} F_k is Gamma(c + K) E R^{k - c -
  // K}, and as a mean is no less than the geometric one, E R^-a <= e^{a mu^2 / 2 + a^2 mu^2 / 2T}.
  const double square = mu_ * mu_, order = static_cast<double>(k);
  const auto bound = [&](double shift) {
    const double cosine = std::cos(angle_ - mu_ * shift);
    if (!(cosine > 1e-9)) return infinity;
    const double log_z = y + std::log(cosine);
    // About the least one, by halves: its logarithm's slope rises with K.
    double log_power = std::log(std::max(1.0, order)), log_most = std::max(log_power, log_z);
    while (log_most - log_power > 0.05) {
      const double middle = (log_power + log_most) / 2, power = std::exp(middle);
      const bool falls = std::log(c + power) - log_z + square / 2 + (power + c - order) * square / steps_ < 0;
      (falls ? log_power : log_most) = middle;
    }
    const double power = std::exp(log_power) * (1 + 1e-9), a = power + c - order;
    return steps_ * shift * shift / 2 - c * std::log(cosine) - power * log_z +
           static_cast<double>(log_gamma(c + power, 0).size) + a * square / 2 + a * a * square / (2 * steps_);
  };
  const double full = angle_ / mu_;
  double best = std::min({bound(0), bound(full / 2), bound(full)});
  best = std::min(best, bound(std::min(full, std::exp(y) * mu_ / steps_)));
  return best + c * step_ + 1e-6;
}

double MeanTransform::log_below(double y, double c, std::size_t k) const {
  // F_k is at most what it is at 0.
  return series_.log_moment(k) + c * y - std::log(std::expm1(c * step_)) + std::log(step_);
}

}  // namespace pld::contour
