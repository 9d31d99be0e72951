#include "engines/contour/allocated_gaussian.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/price.hpp"
#include "core/work.hpp"
#include "numeric/extended.hpp"
#include "numeric/log_gamma.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;

/// log of a bound on |Gamma(c + is)|, c >= 1: Stirling's formula is off by less than 1 / (6 |c + is|).
double log_gamma_size(double c, double s) {
  const double log_size = std::log(std::hypot(c, s));
  return (c - 0.5) * log_size - s * std::atan2(s, c) - c + 0.5 * std::log(2 * pi) + 1.0 / 6;
}

/// log Gamma(c) for real c >= 1.
Sharp log_gamma_at(Sharp c) { return static_cast<Sharp>(log_gamma(c, 0).size); }

}  // namespace

/// rho = order - c, as the integral of z^{c - 1} F_order(z) wants it: c from 1 on, to 2 where rho is not below -1. A
/// double rounds the difference of rho and 1 or 2.
struct AllocatedGaussian::Split {
  static constexpr double least_most_c = 2;
  std::size_t order = 0;
  Sharp c = 1;

  [[nodiscard]] double about() const { return static_cast<double>(c); }
  /// The next power of 2: transforms are made for all c up to one.
  [[nodiscard]] double most_c() const {
    double most = least_most_c;
    while (most < about()) most *= 2;
    return most;
  }
  /// Of log Gamma(c) and of order! together.
  [[nodiscard]] double log_gamma_errors() const {
    return log_gamma_error(about()) + log_gamma_error(static_cast<double>(order + 1));
  }
};

AllocatedGaussian::Split AllocatedGaussian::split(double rho) {
  const double order = rho > -1 ? std::floor(rho) + 2 : 0;
  return {static_cast<std::size_t>(order), order - static_cast<Sharp>(rho)};
}

/// What a ray has of Taylor's series: all places before those that want the transform's values.
struct AllocatedGaussian::BelowPoints {
  MeanSeries series;
  MeanSeries::Places places;

  [[nodiscard]] double last_place() const { return static_cast<double>(places.last) * places.step; }

  /// std::nullopt: nothing is left below e^lowest_log, where the series serves no longer.
  static std::optional<BelowPoints> of(const MeanTransform& transform, double angle, double step, double lowest_log) {
    const auto last = static_cast<long>(std::floor(transform.series().end() / step));
    if (lowest_log > static_cast<double>(last) * step) return std::nullopt;
    return BelowPoints{transform.series(), {angle, step, last}};
  }
};

Kept AllocatedGaussian::kept(Kind kind, std::vector<double> which, double points) const {
  which.insert(which.end(), {mu_, steps_});
  return {static_cast<int>(kind), kind == Kind::real_ray ? most_real_rays : most_kept, std::move(which), points};
}

/// The transform at real z, order by order: moments at real powers as sums of positive terms.
class AllocatedGaussian::RealRay {
 public:
  RealRay(const AllocatedGaussian& law, std::size_t orders, double most_c)
      : step_(step_for(most_c)), transform_(law.mu_, law.steps_, 0, orders, step_, most_c) {
    if (!transform_.usable()) return;
    // Beyond, nothing is left, nor below.
    const auto is_far = [&](double y) {
      const auto rest = [&](double c, std::size_t k) {
        return transform_.log_rest(y, c, k) + static_cast<double>(MeanSeries::log_unit(orders, k) - log_gamma_at(c));
      };
      return std::max({rest(1, 0), rest(most_c, 0), rest(1, orders), rest(most_c, orders)}) < -nats_to_nothing;
    };
    double highest = transform_.series().end();
    while (highest < farthest && !is_far(highest)) highest += 0.5;
    if (!(highest < farthest)) return;
    // Of order 0 all c are above half the largest, and no moment is below 1.
    const double least_c = most_c / 2;
    const bool is_far_above = orders == 0 && most_c > 2;
    const double lowest_log =
        is_far_above ? transform_.first_log(least_c, 0, static_cast<double>(log_gamma_at(least_c))) : -infinity;
    below_ = BelowPoints::of(transform_, 0, step_, lowest_log);
    first_ = below_ ? below_->places.last + 1 : static_cast<long>(std::floor(lowest_log / step_));
    const auto last = static_cast<long>(std::ceil(highest / step_));
    kept_ = law.kept(Kind::real_ray, {static_cast<double>(orders), most_c}, transform_.points(first_, last));
    take_once(kept_);
    transform_.prepare(first_, last);
    values_.resize(static_cast<std::size_t>(last - first_ + 1));
    for (std::size_t i = 0; i < values_.size(); ++i) transform_.at(first_ + static_cast<long>(i), values_[i]);
    for (std::size_t k = 0; k <= orders; ++k) {
      add_logs(k);
      log_units_.push_back(MeanSeries::log_unit(orders, k));
      is_known_.push_back(log_sum({k, most_c}).error < 1);
    }
  }

  [[nodiscard]] const Kept& kept() const { return kept_; }
  /// Whether sums of this order tell something.
  [[nodiscard]] bool knows(std::size_t k) const { return k < is_known_.size() && is_known_[k]; }
  [[nodiscard]] Sharp log_unit(std::size_t k) const { return log_units_[k]; }

  /// log of the sum of e^{cy} F_k(e^y) scale^k / k! step, and a bound on what it is off.
  [[nodiscard]] MeanMoment log_sum(const Split& at) const {
    const std::size_t k = at.order;
    const double c = at.about(), top = log_top(at);
    Sharp total = 0;
    double doubt = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      total += term(at, i, values_[i].re[k], top);
      doubt += static_cast<double>(term(at, i, values_[i].error[k], top));
    }
    double low = transform_.log_below(place(0), c, k) - top - std::log(step_);
    if (below_) {
      const MeanSeries::Sum sum = below_->series.sum(k, below_->places, at.c, 0);
      const Sharp factor = std::exp(at.c * static_cast<Sharp>(below_->last_place()) - top);
      total += factor * sum.re;
      doubt += static_cast<double>(factor) * sum.error;
      low = -infinity;
    }
    const auto value = static_cast<double>(total);
    const double high = transform_.log_rest(place(values_.size() - 1), c, k) + static_cast<double>(log_units_[k]) -
                        top - std::log(step_);
    const double farthest_place = std::max(std::fabs(place(0)), std::fabs(place(values_.size() - 1)));
    const double left_out = std::exp(1 - negligible) * static_cast<double>(values_.size());
    const double alias = 2.1 * std::exp(log_gamma_size(c, 2 * pi / step_) - static_cast<double>(log_gamma_at(at.c)));
    const double rounding =
        unit_sharp * (8 + 8 * c * (farthest_place + 10) + 8 * std::fabs(top) + static_cast<double>(values_.size()));
    const double error = (doubt + std::exp(low) + std::exp(high) + left_out) / value + 1.01 * alias + rounding;
    return {std::log(total) + top + std::log(static_cast<Sharp>(step_)), error < 0.5 ? 1.5 * error : infinity};
  }

  /// The same in doubles, with the mean and variance of y: for searching.
  [[nodiscard]] Cumulant cumulant(const Split& at) const {
    constexpr double points_a_place = 1;
    Work::note(points_a_place * static_cast<double>(values_.size()));
    const double c = at.about(), centre = std::log(c), top = log_top(at);
    const std::vector<double>& logs = logs_[at.order];
    double total = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      const double off = place(i) - centre, log_here = c * place(i) + logs[i] - top;
      if (log_here < -negligible) continue;
      const double here = std::exp(log_here);
      total += here, first += here * off, second += here * off * off;
    }
    if (below_) {
      const MeanSeries::Spread below = below_->series.spread(at.order, below_->places, c);
      const double factor = std::exp(c * below_->last_place() - top);
      total += factor * below.total, first += factor * (below.first - centre * below.total);
      second += factor * (below.second + centre * (centre * below.total - 2 * below.first));
    }
    const double mean = first / total;
    return {std::log(total) + top + std::log(step_), centre + mean, second / total - mean * mean};
  }

 private:
  static constexpr double farthest = 60, negligible = 60;
  /// Keeps aliases, which fall like e^{-2 pi^2 / (c step^2)}, next to nothing for every c up to a power of 2.
  static double step_for(double most_c) {
    double step = 0x1p-3;
    for (double c = 16; c < most_c; c *= 4) step /= 2;
    return step;
  }
  [[nodiscard]] double place(std::size_t i) const { return static_cast<double>(first_ + static_cast<long>(i)) * step_; }
  /// e^{cy - top} times what is known of the transform at a place, or of its error; 0 of what is less than
  /// e^-negligible, or no number above 0.
  [[nodiscard]] Sharp term(const Split& at, std::size_t i, Sharp known, double top) const {
    if (!(known > 0)) return 0;
    const Sharp log_factor = at.c * static_cast<Sharp>(place(i)) + values_[i].log_size - top;
    if (static_cast<double>(log_factor) + approximate_log(known) < -negligible) return 0;
    return std::exp(log_factor) * known;
  }
  /// To 1, and quickly.
  static double approximate_log(Sharp x) {
    int exponent = 0;
    std::frexp(x, &exponent);
    return exponent * std::numbers::ln2;
  }
  /// Adds the logs of the transform of one order; -infinity where it is no number above 0.
  void add_logs(std::size_t k) {
    std::vector<double>& logs = logs_.emplace_back();
    for (const MeanTransform::Values& at : values_)
      logs.push_back(at.re[k] > 0 ? static_cast<double>(at.log_size + std::log(at.re[k])) : -infinity);
  }
  /// log of the largest term, about.
  [[nodiscard]] double log_top(const Split& at) const {
    const std::vector<double>& logs = logs_[at.order];
    double top = -infinity;
    for (std::size_t i = 0; i < logs.size(); ++i) top = std::max(top, at.about() * place(i) + logs[i]);
    return top;
  }

  double step_;
  MeanTransform transform_;
  std::optional<BelowPoints> below_;
  Kept kept_;
  std::vector<bool> is_known_;  ///< by orders
  std::vector<Sharp> log_units_;
  std::vector<std::vector<double>> logs_;
  long first_ = 0;
  std::vector<MeanTransform::Values> values_;
};

/// The transform on a ray off the real line, of the last few orders that it was made for.
struct AllocatedGaussian::RayValues {
  struct Order {
    std::vector<Sharp> re, im, error;  ///< as MeanTransform::Values has them
  };
  long first = 0;  ///< place
  std::vector<Sharp> log_size;
  std::vector<Order> orders;

  [[nodiscard]] std::size_t numbers() const { return log_size.size() * orders.size(); }
};

/// Mellin's integrals along such a ray at c + is: Gamma(c + is) falls along it as slowly as they do. It is planned
/// first, which tells what its values take.
class AllocatedGaussian::Ray {
 public:
  /// For s from `first_s` to `last_s`.
  Ray(const AllocatedGaussian& law, const Split& at, std::size_t orders, double angle, double first_s, double last_s,
      Sharp log_real)
      : at_(at), c_(at.about()), angle_(angle), decay_(law.decay()) {
    // Terms are as large as |Gamma(c + is)| e^{angle s} at angle = arg(c + is).
    log_larger_ = -c_ * std::log(std::cos(angle));
    log_scale_ = log_real + log_larger_;
    log_unit_ = MeanSeries::log_unit(orders, at.order);
    log_gamma_c_ = log_gamma_at(at.c);
    // Aliases lie `turn` apart: those above are the largest beside the first s, those below beside the last. It is some
    // deviations of what falls about arg(c + is) = angle.
    double turn = std::hypot(c_, last_s) / std::sqrt(c_);
    while (log_alias(last_s, turn) > -nats_to_nothing || log_alias(first_s, turn) > -nats_to_nothing) {
      turn *= 1.05;
      if (!(turn < 1e6)) return;
    }
    // Of few bits, so that like rays share their values.
    step_ = rounded_to_bits(2 * pi / turn, 2);
    transform_.emplace(law.mu_, law.steps_, angle, orders, step_, at.most_c());
    if (!transform_->usable()) return;
    // Like rays share their values, where ends are few: some deviations of the terms apart, which are 1 / sqrt(c).
    constexpr double farthest = 60;
    const double apart = std::exp2(std::floor(std::log2(std::min(1.0, 16 / std::sqrt(c_)))));
    double highest = apart * std::ceil(transform_->series().end() / apart);
    while (highest < farthest && log_high(highest) > -nats_to_nothing) highest += apart;
    if (!(highest < farthest)) return;
    const double lowest_log =
        apart * std::floor(transform_->first_log(c_, at.order, static_cast<double>(log_scale_)) / apart);
    below_ = BelowPoints::of(*transform_, angle, step_, lowest_log);
    const long first = below_ ? below_->places.last + 1 : static_cast<long>(std::floor(lowest_log / step_));
    key_ = {orders, at.most_c(), angle, step_, first, static_cast<long>(std::ceil(highest / step_))};
    kept_ = law.kept(Kind::ray,
                     {static_cast<double>(orders), key_.most_c, angle, step_, static_cast<double>(first),
                      static_cast<double>(key_.last)},
                     transform_->points(first, key_.last));
    usable_ = true;
  }

  [[nodiscard]] bool usable() const { return usable_; }
  [[nodiscard]] const Kept& kept() const { return kept_; }

  /// Domain: usable(). Whether they are known.
  [[nodiscard]] bool read_values(const AllocatedGaussian& law) {
    const auto values = law.ray_values(key_, *transform_);
    add_terms(*values);
    doubt_ += std::exp(log_high(static_cast<double>(key_.last) * step_));
    if (!below_) {
      const double low = transform_->log_below(static_cast<double>(values->first) * step_, c_, at_.order);
      doubt_ += std::exp(low - static_cast<double>(log_scale_));
    }
    transform_.reset();
    return std::isfinite(doubt_);
  }

  /// Of so many sums.
  [[nodiscard]] double points(std::size_t sums) const {
    return static_cast<double>(places_.size() * fresh * ((sums + fresh - 1) / fresh));
  }

  /// The sums at s = n step for n from `first` to `last`.
  void add_ratios(double step, std::size_t first, std::size_t last, std::vector<MeanRatio>& out) const {
    const std::size_t points = places_.size();
    std::vector<Sharp> turn_re(points), turn_im(points), re(points), im(points);
    for (std::size_t i = 0; i < points; ++i) {
      const Sharp turn = static_cast<Sharp>(step) * places_[i];
      turn_re[i] = std::cos(turn), turn_im[i] = std::sin(turn);
    }
    for (std::size_t n = first; n <= last; ++n) {
      const double s = static_cast<double>(n) * step;
      if ((n - first) % fresh == 0) {
        for (std::size_t i = 0; i < points; ++i) {
          const Sharp turn = static_cast<Sharp>(s) * places_[i], c = std::cos(turn), v = std::sin(turn);
          re[i] = re_[i] * c - im_[i] * v, im[i] = re_[i] * v + im_[i] * c;
        }
      } else {
        for (std::size_t i = 0; i < points; ++i) {
          const Sharp next = re[i] * turn_re[i] - im[i] * turn_im[i];
          im[i] = re[i] * turn_im[i] + im[i] * turn_re[i];
          re[i] = next;
        }
      }
      const auto [below_re, below_im, below_error, size] = below(s);
      out.push_back(ratio(s, total(re) + below_re, total(im) + below_im, below_error));
    }
  }

 private:
  static constexpr std::size_t fresh = 64;  ///< sums that a turn is multiplied up for

  [[nodiscard]] double log_high(double y) const {
    return transform_->log_rest(y, c_, at_.order) + static_cast<double>(log_unit_ - log_scale_);
  }

  /// e^{cy} F(z) step, but for what is nothing beside the rest.
  void add_terms(const RayValues& values) {
    constexpr double least = 1e-24;
    const auto& [all_re, all_im, all_error] = values.orders[values.orders.size() - 1 - (key_.orders - at_.order)];
    std::vector<Sharp> factors;
    std::vector<double> sizes;
    if (below_) below_factor_ = std::exp(at_.c * static_cast<Sharp>(below_->last_place()) - log_scale_) * step_;
    const double size_below = below(0).size;
    double all = size_below, weighted = below_ ? size_below * below_->last_place() : 0;
    const auto place = [&](std::size_t i) { return static_cast<double>(values.first + static_cast<long>(i)) * step_; };
    for (std::size_t i = 0; i < values.log_size.size(); ++i) {
      factors.push_back(std::exp(at_.c * static_cast<Sharp>(place(i)) + values.log_size[i] - log_scale_) * step_);
      sizes.push_back(static_cast<double>(factors[i] * (std::fabs(all_re[i]) + std::fabs(all_im[i]))));
      all += sizes[i], weighted += sizes[i] * place(i);
    }
    centre_ = step_ * std::round(weighted / all / step_);
    const double of_log = std::fabs(static_cast<double>(log_scale_));
    if (below_) {
      const double last = below_->last_place();
      doubt_ += unit_sharp * (8 + 4 * (std::fabs(c_ * last) + of_log)) * size_below;
      size_ += size_below, spread_ += size_below * std::fabs(last - centre_);
    }
    for (std::size_t i = 0; i < values.log_size.size(); ++i) {
      const double of_size = std::fabs(static_cast<double>(values.log_size[i]));
      const double rounding = unit_sharp * (8 + 4 * (std::fabs(c_ * place(i)) + of_size + of_log));
      doubt_ += static_cast<double>(factors[i] * all_error[i]) + rounding * sizes[i];
      if (!(sizes[i] > least * all)) {
        doubt_ += sizes[i];
        continue;
      }
      re_.push_back(factors[i] * all_re[i]), im_.push_back(factors[i] * all_im[i]);
      places_.push_back(place(i) - centre_);
      size_ += sizes[i], spread_ += sizes[i] * std::fabs(places_.back());
    }
  }

  /// What the places before the points have of a sum.
  [[nodiscard]] MeanSeries::Sum below(double s) const {
    if (!below_) return {};
    const auto [re, im, error, size] = below_->series.sum(at_.order, below_->places, at_.c, s);
    const Sharp turn = static_cast<Sharp>(s) * (below_->last_place() - centre_);
    const Sharp cosine = std::cos(turn) * below_factor_, sine = std::sin(turn) * below_factor_;
    const auto factor = static_cast<double>(below_factor_);
    return {re * cosine - im * sine, re * sine + im * cosine, factor * error, factor * size};
  }

  /// log of a bound on what a sum at frequency s holds of those `turn` away, over |Gamma(c + is)| e^{angle s}.
  [[nodiscard]] double log_alias(double s, double turn) const {
    const auto log_size = [&](double at) {
      return angle_ * at + log_gamma_size(c_, std::fabs(at)) - decay_ * at * at / 2;
    };
    const double here = angle_ * s + static_cast<double>(log_gamma(at_.c, s).size);
    // Its logarithm is concave: where these are small the next ones are so even more.
    return std::max(log_size(s + turn), log_size(s - turn)) - here + 1;
  }

  static Sharp total(const std::vector<Sharp>& terms) {
    constexpr std::size_t block = 32;
    Sharp sum = 0;
    for (std::size_t begin = 0; begin < terms.size(); begin += block) {
      Sharp part = 0;
      for (std::size_t i = begin; i < std::min(begin + block, terms.size()); ++i) part += terms[i];
      sum += part;
    }
    return sum;
  }

  /// The integral is e^{-i angle (c + is)} Gamma(c + is) G(rho - is), over that at s = 0 on the real ray.
  [[nodiscard]] MeanRatio ratio(double s, Sharp re, Sharp im, double off) const {
    constexpr double products = 200;  // of turns, and what they begin with
    const double terms = 40 + static_cast<double>(places_.size()) / 32 + products;
    const double error = doubt_ + off + unit_sharp * (terms * size_ + 3 * s * spread_);
    const double far = std::hypot(c_, s);
    const ComplexLog gamma = log_gamma(at_.c, s);
    MeanRatio out = ratio_of_sum(re, im, error);
    out.log_size += log_larger_ - static_cast<Sharp>(angle_) * s - static_cast<Sharp>(gamma.size) + log_gamma_c_;
    out.phase = -reduced_turn(static_cast<Sharp>(s) * centre_ + out.phase + static_cast<Sharp>(angle_) * at_.c -
                              static_cast<Sharp>(gamma.turn));
    const double rounding =
        unit_sharp * (16 + 4 * s * (std::fabs(centre_) + 2)) + log_gamma_error(far) + log_gamma_error(c_);
    const double alias = 1.1 * std::exp(log_alias(s, 2 * pi / step_) - static_cast<double>(out.log_size));
    out.error += alias + rounding;
    return out;
  }

  Split at_;
  std::optional<MeanTransform> transform_;  ///< until its values are read
  RayKey key_;
  Kept kept_;
  std::optional<BelowPoints> below_;
  Sharp log_scale_ = 0, log_unit_ = 0;
  double c_, angle_, decay_, log_larger_ = 0;
  bool usable_ = false;
  double step_ = 0, centre_ = 0;
  Sharp log_gamma_c_ = 0;
  std::vector<double> places_;
  std::vector<Sharp> re_, im_;
  Sharp below_factor_ = 0;
  double size_ = 0, spread_ = 0, doubt_ = 0;
};

std::shared_ptr<const AllocatedGaussian> AllocatedGaussian::of(double mu, double steps) {
  constexpr std::size_t most = 32;
  static std::mutex asking;
  static std::map<std::pair<double, double>, std::shared_ptr<const AllocatedGaussian>> known;
  const std::lock_guard lock(asking);
  if (known.size() >= most && !known.contains({mu, steps})) known.clear();
  auto& law = known[{mu, steps}];
  if (!law) law = std::make_shared<const AllocatedGaussian>(mu, steps);
  return law;
}

std::shared_ptr<const AllocatedGaussian::RayValues> AllocatedGaussian::ray_values(const RayKey& key,
                                                                                  MeanTransform& transform) const {
  const std::lock_guard lock(asking_);
  if (const auto found = ray_values_.find(key); found != ray_values_.end()) return found->second;
  transform.prepare(key.first, key.last);
  RayValues out;
  out.first = key.first;
  out.orders.resize(std::min(most_sharing, key.orders + 1));
  MeanTransform::Values value;
  for (long i = out.first; i <= key.last; ++i) {
    transform.at(i, value);
    out.log_size.push_back(value.log_size);
    std::size_t k = key.orders + 1 - out.orders.size();
    for (RayValues::Order& order : out.orders) {
      order.re.push_back(value.re[k]), order.im.push_back(value.im[k]), order.error.push_back(value.error[k]);
      ++k;
    }
  }
  // Lines nearby want the same few, one after the other: the oldest go.
  constexpr std::size_t most_numbers = 1 << 16;
  rays_by_age_.push_back(key);
  numbers_kept_ += out.numbers();
  for (; rays_by_age_.size() > most_kept || (numbers_kept_ > most_numbers && rays_by_age_.size() > 1);
       rays_by_age_.pop_front()) {
    const auto oldest = ray_values_.find(rays_by_age_.front());
    numbers_kept_ -= oldest->second->numbers();
    ray_values_.erase(oldest);
  }
  return ray_values_[key] = std::make_shared<const RayValues>(std::move(out));
}

/// Of orders and c's up to powers of 2 that rho alone tells: a moment does not depend on what was asked before.
const AllocatedGaussian::RealRay& AllocatedGaussian::real_ray(double rho) const {
  const Split at = split(rho);
  std::size_t orders = at.order == 0 ? 0 : 2;
  while (orders < at.order) orders *= 2;
  const double most_c = at.most_c();
  const std::lock_guard lock(asking_);
  orders = std::min(orders, most_orders());
  auto& ray = real_rays_[{orders, most_c}];
  if (!ray) ray = std::make_shared<const RealRay>(*this, orders, most_c);
  take_once(ray->kept());
  return *ray;
}

std::size_t AllocatedGaussian::shared_orders(std::size_t order) const {
  if (order == 0) return 0;
  const std::size_t sharing = std::clamp<std::size_t>(std::bit_floor(order - 1) / 2, 2, most_sharing);
  const std::lock_guard lock(asking_);
  return std::min((order + sharing - 1) / sharing * sharing, most_orders());
}

std::size_t AllocatedGaussian::most_orders() const {
  constexpr std::size_t worth_it = 128;
  if (most_orders_) return *most_orders_;
  std::size_t most = 0, more = worth_it + 1;
  while (more - most > 1) {
    const std::size_t middle = (most + more) / 2;
    (MeanTransform(mu_, steps_, 0, middle, 1, Split::least_most_c).usable() ? most : more) = middle;
  }
  return *(most_orders_ = most);
}

double AllocatedGaussian::highest() const {
  const std::lock_guard lock(asking_);
  const auto orders = static_cast<double>(most_orders());
  return orders > 0 ? orders - 1 - 1e-6 : -1;
}

bool AllocatedGaussian::reaches(double rho) const {
  return rho >= lowest && rho <= highest() && real_ray(rho).knows(split(rho).order);
}

MeanMoment AllocatedGaussian::moment(double rho) const {
  const Split at = split(rho);
  const RealRay& ray = real_ray(rho);
  const auto [log_sum, error] = ray.log_sum(at);
  const Sharp log_gamma_c = log_gamma_at(at.c), log_unit = ray.log_unit(at.order);
  const auto terms = static_cast<double>(std::fabs(log_sum) + std::fabs(log_gamma_c) + std::fabs(log_unit));
  return {log_sum - log_gamma_c - log_unit, error + at.log_gamma_errors() + 8 * unit_sharp * (2 + terms)};
}

Cumulant AllocatedGaussian::cumulant(double rho) const {
  const Split at = split(rho);
  const RealRay& ray = real_ray(rho);
  const Cumulant sum = ray.cumulant(at);
  const auto log_scale = static_cast<double>(log_gamma_at(at.c) + ray.log_unit(at.order));
  // c falls as rho rises.
  return {sum.value - log_scale, boost::math::digamma(at.about()) - sum.mean,
          sum.variance - boost::math::trigamma(at.about())};
}

/// Several lines of one question are often the same one.
std::shared_ptr<const std::vector<MeanRatio>> AllocatedGaussian::ratios(double rho, double step,
                                                                        std::size_t last) const {
  std::shared_ptr<const Ratios> known;
  {
    const std::lock_guard lock(asking_);
    if (const auto found = ratios_.find({rho, step, last}); found != ratios_.end()) known = found->second;
  }
  if (known) {
    for (const Kept& kept : known->kept) take_once(kept);
  } else {
    auto made = new_ratios(rho, step, last);
    if (!made) return nullptr;
    known = std::make_shared<const Ratios>(std::move(*made));
    const std::lock_guard lock(asking_);
    if (ratios_.size() >= most_kept) ratios_.clear();
    ratios_[{rho, step, last}] = known;
  }
  return {known, &known->ratios};
}

std::optional<AllocatedGaussian::Ratios> AllocatedGaussian::new_ratios(double rho, double step,
                                                                       std::size_t last) const {
  constexpr double first_nats = 2, last_nats = 4;  // what a ray's terms exceed their sum by
  constexpr std::size_t most_rays = 32;
  const Split at = split(rho);
  const double c = at.about();
  // Of few angles, so that like lines share their rays, and fine enough for a spread of 1 / sqrt(c).
  const double nearer = std::exp2(0.5 / std::ceil(0.55 * std::sqrt(c)));
  // Of e^{-z}, which has a spread of 0: more than any other has.
  const auto excess = [&](double s, double angle) {
    const double own = std::atan2(s, c);
    return c * (std::log(std::cos(own)) - std::log(std::cos(angle))) + s * (own - angle);
  };
  const auto farthest = [&](const auto& is_near, double from, double to) {
    if (is_near(to)) return to;
    for (int i = 0; i < 40; ++i) {
      const double middle = from + (to - from) / 2;
      (is_near(middle) ? from : to) = middle;
    }
    return from;
  };
  const double top = static_cast<double>(last) * step;
  // In the scale of the rays' transforms.
  const MeanMoment real = moment(rho);
  const std::size_t orders = shared_orders(at.order);
  const Sharp log_real = real.log_moment + log_gamma_at(at.c) + MeanSeries::log_unit(orders, at.order);
  struct Part {
    Ray ray;
    std::size_t first, last;
  };
  std::vector<Part> parts;
  Ratios out{{{.error = 0}}, {real_ray(rho).kept()}};
  for (std::size_t first = 1; first <= last; first = parts.back().last + 1) {
    if (parts.size() == most_rays) return std::nullopt;
    const double s = static_cast<double>(first) * step;
    const double own = std::atan2(s, c);
    double left = pi / 2;
    const auto is_near = [&](double angle) { return angle <= own || excess(s, angle) < first_nats; };
    while (left > 1e-9 && is_near(pi / 2 - left / nearer)) left /= nearer;
    const double angle = pi / 2 - left;
    const double until = farthest([&](double b) { return excess(b, angle) < last_nats; }, c * std::tan(angle),
                                  std::max(top, c * std::tan(angle)));
    const auto end = std::clamp(static_cast<std::size_t>(std::min(top, until) / step), first, last);
    parts.push_back({Ray(*this, at, orders, angle, s, static_cast<double>(end) * step, log_real), first, end});
    if (!parts.back().ray.usable()) return std::nullopt;
    out.kept.push_back(parts.back().ray.kept());
  }
  // All of them before the first is worked out, as where they are kept.
  for (const Kept& one : out.kept) take_once(one);
  double points = 0;
  for (Part& part : parts) {
    if (!part.ray.read_values(*this)) return std::nullopt;
    points += part.ray.points(part.last - part.first + 1);
  }
  out.kept.push_back(kept(Kind::sums, {rho, step, static_cast<double>(last)}, points));
  take_once(out.kept.back());
  for (const Part& part : parts) part.ray.add_ratios(step, part.first, part.last, out.ratios);
  // G(rho) is off, too.
  for (MeanRatio& ratio : out.ratios)
    ratio.error +=
        1.1 * real.error + at.log_gamma_errors() + 8 * unit_sharp * (1 + static_cast<double>(std::fabs(log_real)));
  return out;
}

}  // namespace pld::contour
