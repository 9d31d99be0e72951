#include "pairs/renyi_pair.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "pairs/later_pair.hpp"
#include "pairs/profile_pair.hpp"
#include "pairs/renyi_conversion.hpp"

namespace pld {
namespace {

/// Profile points reach down to e^this; what lies beyond is put at +inf.
constexpr double lowest_log_delta = -750;

PairPtr converted(const RenyiCurve& curve) {
  double reach = 1e-6;
  while (log_delta_of_renyi(curve, reach) > lowest_log_delta && reach < 1e15) reach *= 1.5;
  std::vector<ProfilePoint> points;
  constexpr int count = 3000, a_row = 50;  // the best order may jump by little: each row begins anew
  RenyiDelta last;
  for (int i = 0; i <= count; ++i) {
    const double epsilon = reach * i / count;
    last = i % a_row == 0 ? delta_of_renyi(curve, epsilon) : delta_of_renyi_from(last, curve, epsilon);
    points.push_back({epsilon, last.log_delta});
  }
  return pair_of_profile(std::move(points));
}

/// The pair of a curve, converted when its losses are first asked for: curves compose without, and a search for a
/// parameter's range makes a hundred.
class RenyiPair final : public LaterPair {
 public:
  explicit RenyiPair(RenyiCurve curve) : LaterPair([this] { return converted(curve_); }), curve_(std::move(curve)) {}

  [[nodiscard]] const RenyiCurve* renyi_curve() const override { return &curve_; }
  [[nodiscard]] bool symmetric() const override { return true; }

 private:
  RenyiCurve curve_;
};

}  // namespace

PairPtr pair_of_renyi_curve(const RenyiCurve& curve) { return std::make_shared<RenyiPair>(curve); }

}  // namespace pld
