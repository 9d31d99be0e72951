#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// K(t) = log E_P e^{t z} of one release and its first two derivatives: of the law tilted by t, log mass, mean and
/// variance.
struct CumulantValue {
  double value = 0, mean = 0, variance = 0;
};

/// Cumulant function of one release from its outline, up to a largest loss. An estimate: it places tilts and windows
/// and certifies nothing.
class Cumulant {
 public:
  Cumulant() = default;
  /// `together`: how many neighbouring cells are taken as one.
  Cumulant(const std::vector<LossCell>& outline, double highest_loss, std::size_t together = 1);
  [[nodiscard]] std::size_t cells() const { return loss_.size(); }

  [[nodiscard]] CumulantValue at(double t) const;

  /// Share of the tilted mass at losses >= z, and <= z.
  struct Tails {
    std::vector<double> loss, above, below;
  };
  [[nodiscard]] Tails tails(double t) const;

 private:
  std::vector<double> loss_, log_mass_;  ///< by cell
};

/// Cumulants that add up.
struct CountedCumulant {
  const Cumulant* cumulant = nullptr;
  std::int64_t count = 1;
};
[[nodiscard]] CumulantValue sum_at(const std::vector<CountedCumulant>& parts, double t);

/// Where the saddle point of a query lies: the tilt, the epsilon it belongs to and roughly log delta there.
struct Saddle {
  double tilt = 1, epsilon = 0, log_delta = 0;
};

/// Saddle point of K(t) - t epsilon - log t - log(1 + t), t > 0, for a given epsilon, or for the epsilon at which the
/// saddle-point approximation of delta (Daniels 1954) has a given logarithm. Tilts stay below `highest_tilt`.
[[nodiscard]] Saddle saddle_at_epsilon(const std::vector<CountedCumulant>& parts, double epsilon, double highest_tilt);
[[nodiscard]] Saddle saddle_at_log_delta(const std::vector<CountedCumulant>& parts, double log_delta,
                                         double highest_tilt);

/// Interval outside of which the law tilted by t has a mass of about e^-nats on either side (Chernoff).
[[nodiscard]] LossRange chernoff_window(const std::vector<CountedCumulant>& parts, double t, double nats);

}  // namespace pld
