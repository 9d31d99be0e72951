#include "pairs/renyi_pair.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/standard_arithmetic.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/profile_pair.hpp"
#include "pairs/renyi_conversion.hpp"

namespace pld {
namespace {

/// Profile points reach down to e^this; what lies beyond is put at +inf.
constexpr double lowest_log_delta = -750;

std::shared_ptr<const AtomicPair> converted(const RenyiCurve& curve) {
  const StandardArithmetic arithmetic;
  double reach = 1e-6;
  while (log_delta_of_renyi(curve, reach) > lowest_log_delta && reach < 1e15) reach *= 1.5;
  std::vector<ProfilePoint> points;
  constexpr int count = 3000;
  RenyiDelta last = delta_of_renyi(curve, 0);
  for (int i = 0; i <= count; ++i) {
    const double epsilon = reach * i / count;
    last = delta_of_renyi_from(last, curve, epsilon);
    points.push_back({epsilon, last.log_delta});
  }
  return pair_of_profile(std::move(points));
}

/// The pair of a curve, converted when its losses are first asked for: curves compose without, and a search for a
/// parameter's range makes a hundred.
class RenyiPair final : public DominatingPair {
 public:
  explicit RenyiPair(RenyiCurve curve) : curve_(std::move(curve)) {}

  [[nodiscard]] const RenyiCurve* renyi_curve() const override { return &curve_; }
  [[nodiscard]] bool symmetric() const override { return true; }

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return atomic().log_mass_at_plus_infinity(); }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return atomic().log_q_mass_at_minus_infinity(); }
  [[nodiscard]] LossRange range() const override { return atomic().range(); }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override { return atomic().atoms(within); }
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double z) const override { return atomic().above(z); }
  [[nodiscard]] LossCell below(double z) const override { return atomic().below(z); }
  [[nodiscard]] double loss_error(LossRange within) const override { return atomic().loss_error(within); }
  [[nodiscard]] std::optional<double> spacing() const override { return atomic().spacing(); }
  [[nodiscard]] std::vector<LossCell> outline() const override { return atomic().outline(); }

 private:
  [[nodiscard]] const AtomicPair& atomic() const {
    std::call_once(converted_, [this] { atomic_ = converted(curve_); });
    return *atomic_;
  }

  RenyiCurve curve_;
  mutable std::once_flag converted_;
  mutable std::shared_ptr<const AtomicPair> atomic_;
};

}  // namespace

PairPtr pair_of_renyi_curve(const RenyiCurve& curve) { return std::make_shared<RenyiPair>(curve); }

}  // namespace pld
