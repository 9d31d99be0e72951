#include "account/kept_chords.hpp"

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
  explicit KeptChords(RenyiCurve curve) : curve_(std::move(curve)) {}

  [[nodiscard]] double at(double order) const {
    const double t = order - 1, place = std::floor(std::log(t) * places_a_nat);
    if (!(std::fabs(place) < farthest)) return curve_.at(order);
    const auto left = static_cast<int>(place);
    const double first = order_of(left), last = order_of(left + 1);
    // A place may be off by a rounding; no order next to 1 has neighbours to both sides.
    if (!(1 < first && first <= order && order <= last && last <= curve_.highest_order && first < last))
      return curve_.at(order);
    return on_chord(knot(left), knot(left + 1), t);
  }

 private:
  static constexpr double places_a_nat = 2048, farthest = 1e5;
  static double order_of(int place) { return 1 + std::exp(place / places_a_nat); }

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
  mutable std::mutex asking_;
  mutable std::map<int, Priced<RenyiKnot>> knots_;
};

}  // namespace

RenyiCurve on_kept_chords(const RenyiCurve& curve) {
  RenyiCurve out = curve;
  out.at = [chords = std::make_shared<const KeptChords>(curve)](double order) { return chords->at(order); };
  return out;
}

}  // namespace pld
