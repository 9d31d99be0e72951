#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// log of Q's mass, or of its density at an outcome, and the loss z = log dP/dQ there, each with a bound on its
/// absolute error.
struct LawPoint {
  long double loss = 0, log_q = -static_cast<long double>(infinity);
  double loss_error = 0, log_q_error = 0;
};

/// A part of Q with a density, over an interval of outcomes to beyond which the density q and the loss z continue as
/// analytic functions: what an integral of q e^{pz} by Gauss's rule is off is told by their size off the real line.
class AnalyticDensity {
 public:
  AnalyticDensity(double from, double to) : from_(from), to_(to) {}
  virtual ~AnalyticDensity() = default;

  /// The interval, finite. The loss does not fall from left to right.
  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double to() const { return to_; }

  [[nodiscard]] virtual LawPoint at(long double x) const = 0;

  /// What a point takes beyond one of a normal density, in points of work.
  [[nodiscard]] virtual double cost() const { return 0; }

  /// On the rectangle a <= Re x <= b, |Im x| <= height: log |q| <= log_q, least_loss <= Re z <= most_loss, and Im z is
  /// between least_turn and most_turn times Im x, least_turn >= -most_turn.
  struct Box {
    double log_q = 0, least_loss = 0, most_loss = 0, least_turn = 0, most_turn = 0;
  };
  /// std::nullopt: not known to be analytic there. [a, b] may reach beyond the interval.
  [[nodiscard]] virtual std::optional<Box> box(double a, double b, double height) const = 0;

 private:
  double from_, to_;
};

/// One direction of one release, known well enough to work out E_P e^{tz} at complex t: atoms, densities, and what is
/// left out.
struct AnalyticLaw {
  std::vector<LawPoint> atoms{};
  std::vector<std::shared_ptr<const AnalyticDensity>> densities{};
  double log_infinite_p = -infinity;  ///< log of P's mass where Q has none
  double log_infinite_q = -infinity;  ///< log of Q's mass where P has none
  double log_lost = -infinity;        ///< P's and Q's mass of all else that is left out are at most e^log_lost each
  bool sums_to_one = true;            ///< all of these masses do, P's and Q's
};

/// What a DominatingPair whose densities are analytic is besides.
class AnalyticPair {
 public:
  virtual ~AnalyticPair() = default;

  /// Whether analytic_law() has a value.
  [[nodiscard]] virtual bool analytic() const { return true; }

  /// The law but for at most e^log_negligible of P and of Q. std::nullopt: more atoms than are worth it.
  [[nodiscard]] virtual std::optional<AnalyticLaw> analytic_law(double log_negligible) const = 0;
};

/// What additive noise with an analytic density is besides.
class AnalyticNoise {
 public:
  virtual ~AnalyticNoise() = default;

  /// The law of the pair (X + s, X) but for its infinite losses and at most e^log_negligible of either.
  [[nodiscard]] virtual AnalyticLaw law_of_shift(double s, double log_negligible) const = 0;

  /// Whether that is one density over the outcomes themselves, X about -s/2 and X + s about s/2, to be asked anywhere.
  [[nodiscard]] virtual bool has_outcomes() const { return false; }
};

/// With P and Q swapped: every loss changes its sign.
[[nodiscard]] AnalyticLaw swapped(AnalyticLaw law);

/// An interval of a density's own.
[[nodiscard]] std::shared_ptr<const AnalyticDensity> part_of(std::shared_ptr<const AnalyticDensity> density,
                                                             double from, double to);

/// All masses times e^log_weight.
[[nodiscard]] AnalyticLaw weighted(AnalyticLaw law, double log_weight);

/// Whether the pair's law is known so: its densities are analytic, or it has atoms only.
[[nodiscard]] bool has_analytic_law(const DominatingPair& pair);

/// The same of any such pair.
[[nodiscard]] std::optional<AnalyticLaw> analytic_law(const DominatingPair& pair, double log_negligible);

}  // namespace pld
