#include "pld/sampling/random_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/rounded_total.hpp"
#include "sampling/ratio_law.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

/// Enough to tell which numbers are accepted and which end is safe; whoever asks for more names more.
constexpr int nodes_at_first = 64;

/// Many atoms, whose tails are kept: each is asked for often.
class TailsOfAtoms final : public AtomicPair, public RoundedTotal {
 public:
  TailsOfAtoms(const std::vector<UnroundedAtom>& atoms, double log_plus, double log_minus, double loss_error,
               double moved, Side side)
      : AtomicPair(atoms, log_plus, log_minus, loss_error),
        moved_(moved),
        side_(side),
        total_doubt_(distance_from_one(atoms, log_plus)) {
    const std::vector<LossCell> all = AtomicPair::atoms({-infinity, infinity});
    below_.resize(all.size() + 1), above_.resize(all.size() + 1);
    UnroundedAtom left = nothing, right = nothing;
    for (std::size_t i = 0, j = all.size(); i < all.size(); ++i) {
      losses_.push_back(all[i].loss);
      below_[i + 1] = cell(left = fused(left, all[i]));
      --j;
      above_[j] = cell(right = fused(right, all[j]));
    }
  }

  [[nodiscard]] LossCell above(double z) const override { return above_[first_above(z)]; }
  [[nodiscard]] LossCell below(double z) const override { return below_[first_above(z)]; }
  /// Up to the lowest loss delta is known without the masses: not that of losses moved up.
  [[nodiscard]] LossRange range() const override {
    const LossRange all = AtomicPair::range();
    return {round_down(all.lowest - 2 * moved_, 4), all.highest};
  }
  [[nodiscard]] double total_doubt() const override { return total_doubt_; }
  [[nodiscard]] Side rounded_to() const override { return side_; }

 private:
  static constexpr UnroundedAtom nothing{0, -infinity, -infinity};

  /// Of P's whole mass, with what cells of it may be off by.
  static double distance_from_one(const std::vector<UnroundedAtom>& atoms, double log_plus) {
    long double total = std::exp(static_cast<long double>(log_plus)), doubt = 16 * unit_roundoff;
    for (const UnroundedAtom& atom : atoms) {
      const long double mass = std::exp(atom.log_mass);
      total += mass;
      doubt += 16 * unit_roundoff * mass * (1 + std::fabs(atom.log_mass));
    }
    return static_cast<double>(std::fabs(total - 1) + doubt);
  }

  [[nodiscard]] std::size_t first_above(double z) const {
    return static_cast<std::size_t>(std::upper_bound(losses_.begin(), losses_.end(), z) - losses_.begin());
  }
  /// The mean of both, reached from the lower loss by a positive step; off by a unit of long double a step.
  static UnroundedAtom fused(const UnroundedAtom& some, const LossCell& atom) {
    const UnroundedAtom one{atom.loss, atom.log_mass, atom.log_q_mass};
    if (some.log_q_mass == -infinity) return one;
    const UnroundedAtom &low = some.loss < one.loss ? some : one, &high = some.loss < one.loss ? one : some;
    const long double log_q = log_sum(low.log_q_mass, high.log_q_mass), log_p = log_sum(low.log_mass, high.log_mass);
    const long double step = std::exp(high.log_q_mass - log_q) * std::expm1(high.loss - low.loss);
    const long double loss = std::isfinite(step) ? low.loss + std::log1p(step) : log_p - log_q;
    return {std::clamp(loss, low.loss, high.loss), log_p, log_q};
  }
  static LossCell cell(const UnroundedAtom& atom) {
    return {.loss = static_cast<double>(atom.loss),
            .log_mass = static_cast<double>(atom.log_mass),
            .log_q_mass = static_cast<double>(atom.log_q_mass)};
  }

  std::vector<double> losses_;
  std::vector<LossCell> below_, above_;
  double moved_;
  Side side_;
  double total_doubt_;
};

/// The pair whose ratio is the mean of the terms of a law: its losses log r for removal, -log r for addition, moved to
/// the side by as much as the ratios may be off.
PairPtr pair_of_mean(const RatioLaw& law, Direction direction, Side side) {
  const bool removing = direction == Direction::remove;
  const auto terms = static_cast<long double>(law.terms);
  const long double shift = (side == Side::upper ? 2 : -2) * static_cast<long double>(law.ratio_error);
  double log_zero = -infinity, farthest = 0;
  std::vector<UnroundedAtom> atoms;
  for (std::size_t i = 0; i < law.ratios.size(); ++i) {
    if (!(law.masses[i] > 0)) continue;
    const long double log_mass = std::log(static_cast<long double>(law.masses[i]));
    if (law.ratios[i] == 0) {
      log_zero = static_cast<double>(log_mass);
      continue;
    }
    const long double log_ratio = std::log(static_cast<long double>(law.ratios[i]) / terms);
    const long double loss = (removing ? log_ratio : -log_ratio) + shift;
    farthest = std::max(farthest, static_cast<double>(std::fabs(loss)));
    atoms.push_back(removing ? UnroundedAtom{loss, log_mass + loss, log_mass}
                             : UnroundedAtom{loss, log_mass, log_mass - loss});
  }
  const double error = 4 * unit_roundoff * (1 + farthest), moved = static_cast<double>(std::max(0.0L, shift)) + error;
  return removing ? std::make_shared<TailsOfAtoms>(atoms, law.log_infinite, log_zero, error, moved, side)
                  : std::make_shared<TailsOfAtoms>(atoms, log_zero, law.log_infinite, error, moved, side);
}

Law bounded_law(const Law& base, std::int64_t steps, Side side, int nodes, const std::string& text) {
  const auto mean = [&](const DominatingPair& pair) {
    return sum_of_copies(ratio_law(pair, side, nodes), steps, side, nodes);
  };
  const RatioLaw removed = mean(*base.remove);
  const RatioLaw added = base.remove == base.add ? removed : mean(MirroredPair(base.add));
  return {text, pair_of_mean(removed, Direction::remove, side), pair_of_mean(added, Direction::add, side), {}};
}

Law law_of_allocation(const Law& base, std::int64_t steps, int nodes, const std::string& text) {
  Law law = bounded_law(base, steps, Side::upper, nodes, text);
  law.kind = base.kind;
  if (base.kind.attained == Attainment::together) law.kind.attained = Attainment::between;
  if (base.kind.attained == Attainment::alone) law.kind.attained = Attainment::nowhere;
  if (const auto attained = attained_law(base))
    law.below = std::make_shared<const Law>(bounded_law(*attained, steps, Side::lower, nodes, text));
  law.at_nodes = [base, steps, text](int more) { return law_of_allocation(base, steps, more, text); };
  return law;
}

}  // namespace

Mechanism randomly_allocated(const Mechanism& base, double steps) {
  const StandardArithmetic arithmetic;
  require(1 <= steps && steps <= 1e9 && steps == std::floor(steps), base.text().c_str(), "allocation", steps,
          "a whole number, 1 <= allocation <= 1e9");
  require_unsampled("randomly_allocated", base, "give one sampling, allocation or another");
  if (steps == 1) return base;
  const auto named = [steps](const std::string& text) { return text + ",allocation=" + number_text(steps); };
  const auto laws = [base, steps, named](Relation relation) {
    if (relation == Relation::replace_one)
      throw MissingTheorem(named(base.text()), "adjacency", "replace-one",
                           "add-remove or zero-out: no pair is known to dominate where a record that is allocated at "
                           "random is replaced");
    const Law law = base.under(relation).law();
    return law_of_allocation(law, static_cast<std::int64_t>(steps), nodes_at_first, named(law.text));
  };
  return {named(base.text()), laws, Mechanism::Sampling{std::make_shared<Mechanism>(base), {{"allocation", steps}}}};
}

}  // namespace pld
