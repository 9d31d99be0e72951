#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/price.hpp"
#include "engines/contour/mean_transform.hpp"
#include "engines/contour/ratio_moments.hpp"

namespace pld::contour {

/// The mean R of T independent likelihood ratios of N(mu, 1) to N(0, 1) under N(0, 1): the ratio of a random allocation
/// to one of T steps. Its moments G(rho) = E R^rho at complex powers by Mellin's transform of E R^m e^{-zR}
/// (docs/contour_engine.md). Safe to ask from several threads.
class AllocatedGaussian {
 public:
  /// The same one for the same numbers, as long as few others are asked for. Domain: mu > 0; steps >= 2.
  [[nodiscard]] static std::shared_ptr<const AllocatedGaussian> of(double mu, double steps);

  AllocatedGaussian(double mu, double steps) : mu_(mu), steps_(steps) {}

  [[nodiscard]] double mu() const { return mu_; }
  [[nodiscard]] double steps() const { return steps_; }

  /// The largest and the least power of which the moment can be had.
  [[nodiscard]] double highest() const;
  static constexpr double lowest = -20000;
  [[nodiscard]] bool reaches(double rho) const;

  /// log G(rho) and a bound on its error. Domain: reaches(rho).
  [[nodiscard]] MeanMoment moment(double rho) const;

  /// log G(rho), mean and variance of log R tilted by R^rho, for searching. Domain: reaches(rho).
  [[nodiscard]] Cumulant cumulant(double rho) const;

  /// G(rho + is) / G(rho) at s = 0, step, .., last step. nullptr: it takes more points than are worth it. Domain:
  /// reaches(rho); step is of 24 bits.
  [[nodiscard]] std::shared_ptr<const std::vector<MeanRatio>> ratios(double rho, double step, std::size_t last) const;

  /// |G(rho + is)| <= G(rho) e^{-s^2 decay() / 2}: log R is the mean of all log ratios, which is normal, and what does
  /// not depend on it.
  [[nodiscard]] double decay() const { return mu_ * (mu_ / steps_); }

 private:
  struct Split;
  [[nodiscard]] static Split split(double rho);
  struct BelowPoints;
  class RealRay;
  class Ray;
  struct RayValues;
  enum class Kind { real_ray, ray, sums };
  /// As many of a kind are kept, but for real rays, of which there are few.
  static constexpr std::size_t most_kept = 64, most_real_rays = 1000;
  [[nodiscard]] Kept kept(Kind kind, std::vector<double> which, double points) const;
  struct Ratios {
    std::vector<MeanRatio> ratios;
    std::vector<Kept> kept;  ///< that they are made of, and they themselves
  };
  struct RayKey {
    std::size_t orders = 0;
    double most_c = 0, angle = 0, step = 0;
    long first = 0, last = 0;  ///< places

    auto operator<=>(const RayKey&) const = default;
  };
  [[nodiscard]] std::optional<Ratios> new_ratios(double rho, double step, std::size_t last) const;
  [[nodiscard]] std::shared_ptr<const RayValues> ray_values(const RayKey& key, MeanTransform& transform) const;
  [[nodiscard]] const RealRay& real_ray(double rho) const;
  /// As many orders as a ray of one is made with, for lines nearby.
  static constexpr std::size_t most_sharing = 8;
  [[nodiscard]] std::size_t shared_orders(std::size_t order) const;
  /// Domain: under the lock.
  [[nodiscard]] std::size_t most_orders() const;

  double mu_, steps_;
  mutable std::mutex asking_;
  mutable std::optional<std::size_t> most_orders_;
  mutable std::map<std::pair<std::size_t, double>, std::shared_ptr<const RealRay>> real_rays_;
  mutable std::map<RayKey, std::shared_ptr<const RayValues>> ray_values_;
  mutable std::deque<RayKey> rays_by_age_;
  mutable std::size_t numbers_kept_ = 0;  ///< of the transforms on them
  mutable std::map<std::tuple<double, double, std::size_t>, std::shared_ptr<const Ratios>> ratios_;
};

}  // namespace pld::contour
