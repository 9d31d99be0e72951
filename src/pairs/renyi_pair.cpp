#include "pairs/renyi_pair.hpp"

#include <memory>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/profile_pair.hpp"
#include "pairs/renyi_conversion.hpp"

namespace pld {
namespace {

/// Profile points reach down to e^this; what lies beyond is put at +inf.
constexpr double lowest_log_delta = -750;

/// The pair of a converted curve, which it keeps.
class RenyiPair final : public AtomicPair {
 public:
  RenyiPair(AtomicPair pair, RenyiCurve curve) : AtomicPair(std::move(pair)), curve_(std::move(curve)) {}
  [[nodiscard]] const RenyiCurve* renyi_curve() const override { return &curve_; }

 private:
  RenyiCurve curve_;
};

}  // namespace

PairPtr pair_of_renyi_curve(const RenyiCurve& curve) {
  const StandardArithmetic arithmetic;
  double reach = 1e-6;
  while (log_delta_of_renyi(curve, reach) > lowest_log_delta && reach < 1e15) reach *= 1.5;
  std::vector<ProfilePoint> points;
  constexpr int count = 3000;
  for (int i = 0; i <= count; ++i) {
    const double epsilon = reach * i / count;
    points.push_back({epsilon, log_delta_of_renyi(curve, epsilon)});
  }
  const auto pair = pair_of_profile(std::move(points));
  return std::make_shared<RenyiPair>(*pair, curve);
}

}  // namespace pld
