#include "account/kept_chords.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "account/renyi_chord.hpp"
#include "core/price.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

class KeptChords {
 public:
  KeptChords(RenyiCurve curve, double places_a_nat) : curve_(std::move(curve)), places_a_nat_(places_a_nat) {}

  [[nodiscard]] double at(double order) const {
    const double t = order - 1, place = std::floor(std::log(t) * places_a_nat_);
    if (!(std::fabs(place) < farthest)) return curve_.at(order);
    const auto left = static_cast<int>(place);
    const double first = order_of(left), last = order_of(left + 1);
    // A place may be off by a rounding; no order next to 1 has neighbours to both sides.
    if (!(1 < first && first <= order && order <= last && last <= curve_.highest_order && first < last))
      return curve_.at(order);
    return on_chord(knot(left), knot(left + 1), t);
  }

 private:
  static constexpr double farthest = 1e5;
  [[nodiscard]] double order_of(int place) const { return 1 + std::exp(place / places_a_nat_); }

  [[nodiscard]] RenyiKnot knot(int place) const {
    {
      const std::lock_guard lock(asking_);
      if (const auto known = knots_.find(place); known != knots_.end()) return known->second.get();
    }
    const double order = order_of(place), t = order - 1;
    const Priced<RenyiKnot> found([&] { return RenyiKnot{t, round_up(t * curve_.at(order))}; });
    const std::lock_guard lock(asking_);
    return knots_.emplace(place, found).first->second.get();
  }

  RenyiCurve curve_;
  double places_a_nat_;
  mutable std::mutex asking_;
  mutable std::map<int, Priced<RenyiKnot>> knots_;
};

}  // namespace

RenyiCurve on_kept_chords(const RenyiCurve& curve, double parts) {
  // A chord is above by some 1 / (4 places^2) of a divergence: 6e-8, and 6e-5 of a hundred thousand parts.
  constexpr double most = 2048, fewest = 64, parts_at_most = 1000;
  const double places = std::clamp(most * parts_at_most / parts, fewest, most);
  RenyiCurve out = curve;
  out.at = [chords = std::make_shared<const KeptChords>(curve, places)](double order) { return chords->at(order); };
  return out;
}

}  // namespace pld
