#include "sampling/ratio_pair.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/price.hpp"
#include "core/work.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/later_pair.hpp"
#include "pairs/rounded_total.hpp"
#include "pairs/two_atom_pair.hpp"

namespace pld {
namespace {

/// Many atoms, whose tails are kept: each is asked for often.
class TailsOfAtoms final : public AtomicPair, public RoundedTotal {
 public:
  TailsOfAtoms(const std::vector<UnroundedAtom>& atoms, double log_plus, double log_minus, double loss_error,
               double moved, Side side)
      : AtomicPair(atoms, log_plus, log_minus, loss_error),
        moved_(moved),
        side_(side),
        total_doubt_(distance_from_one(atoms, &UnroundedAtom::log_mass, log_plus)),
        q_total_doubt_(distance_from_one(atoms, &UnroundedAtom::log_q_mass, log_minus)) {
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
  /// What a range tells is of masses that sum to 1: those of a lower law need not.
  [[nodiscard]] double renyi_slope() const override {
    return side_ == Side::upper ? AtomicPair::renyi_slope() : infinity;
  }
  [[nodiscard]] double total_doubt() const override { return total_doubt_; }
  [[nodiscard]] double q_total_doubt() const override { return q_total_doubt_; }
  [[nodiscard]] Side rounded_to() const override { return side_; }

 private:
  static inline const UnroundedAtom nothing{0, -infinity, -infinity};

  /// Of P's whole mass or Q's, with what cells of it may be off by.
  static double distance_from_one(const std::vector<UnroundedAtom>& atoms, Extended UnroundedAtom::*log_mass,
                                  double log_alone) {
    Extended total = exp(static_cast<Extended>(log_alone)), doubt = 16 * unit_roundoff;
    for (const UnroundedAtom& atom : atoms) {
      const Extended mass = exp(atom.*log_mass);
      total += mass;
      doubt += 16 * unit_roundoff * mass * (1 + fabs(atom.*log_mass));
    }
    return static_cast<double>(fabs(total - 1) + doubt);
  }

  [[nodiscard]] std::size_t first_above(double z) const {
    return static_cast<std::size_t>(std::upper_bound(losses_.begin(), losses_.end(), z) - losses_.begin());
  }
  /// The mean of both, reached from the lower loss by a positive step; off by a unit of Extended a step.
  static UnroundedAtom fused(const UnroundedAtom& some, const LossCell& atom) {
    const UnroundedAtom one{atom.loss, atom.log_mass, atom.log_q_mass};
    if (some.log_q_mass == -infinity) return one;
    const UnroundedAtom &low = some.loss < one.loss ? some : one, &high = some.loss < one.loss ? one : some;
    const Extended log_q = log_sum(low.log_q_mass, high.log_q_mass), log_p = log_sum(low.log_mass, high.log_mass);
    const Extended step = exp(high.log_q_mass - log_q) * expm1(high.loss - low.loss);
    const Extended loss = isfinite(step) ? low.loss + log1p(step) : log_p - log_q;
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
  double total_doubt_, q_total_doubt_;
};

/// All is lost, or nothing is.
PairPtr pair_where_nothing_is_known(Side side) {
  const bool all = side == Side::upper;
  return std::make_shared<TwoAtomPair>(0, 0, all ? -infinity : 0, all ? 0 : -infinity);
}

/// Whether some ratio or mass has outgrown all doubles.
bool tells_nothing(const RatioLaw& law) {
  const auto is_no_double = [](double x) { return !(x < infinity); };
  return std::any_of(law.ratios.begin(), law.ratios.end(), is_no_double) ||
         std::any_of(law.masses.begin(), law.masses.end(), is_no_double);
}

PairPtr atoms_of(const RatioLaw& law, Direction direction, Side side) {
  if (tells_nothing(law)) return pair_where_nothing_is_known(side);
  const bool removing = direction == Direction::remove;
  const Extended shift = (side == Side::upper ? 2 : -2) * static_cast<Extended>(law.ratio_error);
  double log_zero = -infinity, farthest = 0;
  std::vector<UnroundedAtom> atoms;
  for (std::size_t i = 0; i < law.ratios.size(); ++i) {
    if (!(law.masses[i] > 0)) continue;
    const Extended log_mass = log(static_cast<Extended>(law.masses[i]));
    if (law.ratios[i] == 0) {
      log_zero = static_cast<double>(log_mass);
      continue;
    }
    const Extended log_ratio = log(static_cast<Extended>(law.ratios[i]));
    const Extended loss = (removing ? log_ratio : -log_ratio) + shift;
    farthest = std::max(farthest, static_cast<double>(fabs(loss)));
    atoms.push_back(removing ? UnroundedAtom{loss, log_mass + loss, log_mass}
                             : UnroundedAtom{loss, log_mass, log_mass - loss});
  }
  // Ratios that no doubles tell from 1 have left no masses.
  if (atoms.empty() && law.log_infinite == -infinity && log_zero == -infinity) return pair_where_nothing_is_known(side);
  const double error = roundings(4, farthest), moved = static_cast<double>(std::max(Extended(0), shift)) + error;
  // Masses are rounded, also beyond 1.
  const double log_infinite = std::min(0.0, law.log_infinite), log_never = std::min(0.0, log_zero);
  return removing ? std::make_shared<TailsOfAtoms>(atoms, log_infinite, log_never, error, moved, side)
                  : std::make_shared<TailsOfAtoms>(atoms, log_never, log_infinite, error, moved, side);
}

/// The atoms, once somebody asks for them, and what is known before.
class RatioPair final : public LaterPair, public RoundedTotal, public StandsForAllocation {
 public:
  RatioPair(std::function<PairPtr()> atoms, Side side, std::optional<GaussianAllocation> exact)
      : LaterPair(std::move(atoms)), side_(side), exact_(std::move(exact)) {}

  // Tells the ends of the law itself, where that is known: its ratios have no bounds, those of its atoms do.
  [[nodiscard]] double log_mass_at_plus_infinity() const override {
    return exact_ ? -infinity : LaterPair::log_mass_at_plus_infinity();
  }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override {
    return exact_ ? -infinity : LaterPair::log_q_mass_at_minus_infinity();
  }
  [[nodiscard]] LossRange range() const override {
    return exact_ ? LossRange{-infinity, infinity} : LaterPair::range();
  }
  [[nodiscard]] bool symmetric() const override { return made().symmetric(); }
  [[nodiscard]] double renyi_slope() const override { return made().renyi_slope(); }
  [[nodiscard]] double total_doubt() const override { return pld::total_doubt(made()); }
  [[nodiscard]] double q_total_doubt() const override { return pld::q_total_doubt(made()); }
  [[nodiscard]] Side rounded_to() const override { return side_; }
  [[nodiscard]] const GaussianAllocation* allocation() const override { return exact_ ? &*exact_ : nullptr; }

 private:
  Side side_;
  std::optional<GaussianAllocation> exact_;
};

}  // namespace

PairPtr pair_of_ratio(std::function<RatioLaw()> law, Direction direction, Side side,
                      std::optional<GaussianAllocation> exact) {
  // Nobody pays for the law of a mechanism that stood before any question: the next one would have more work left.
  const bool is_paid = Work::is_counted();
  const auto atoms = [law = std::move(law), direction, side, is_paid] {
    const auto made = [&] { return atoms_of(law(), direction, side); };
    return is_paid ? made() : for_nothing(made);
  };
  return std::make_shared<RatioPair>(atoms, side, std::move(exact));
}

}  // namespace pld
