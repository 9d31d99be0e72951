#include "pairs/two_atom_pair.hpp"

#include <cmath>
#include <memory>

#include "core/number_text.hpp"

namespace pld {

TwoAtomPair::TwoAtomPair(double loss, double loss_error, double log_finite, double log_infinite)
    : loss_(loss), loss_error_(loss_error), log_finite_(log_finite), log_infinite_(log_infinite) {
  if (log_finite == -infinity) return;
  if (loss == 0) {
    atoms_ = {{.loss = 0, .log_mass = log_finite, .log_q_mass = log_finite}};
    return;
  }
  const double log_likely = log_finite - std::log1p(std::exp(-loss));
  const double log_unlikely = log_likely - loss;
  atoms_ = {{.loss = -loss, .log_mass = log_unlikely, .log_q_mass = log_likely},
            {.loss = loss, .log_mass = log_likely, .log_q_mass = log_unlikely}};
}

TwoAtomPair::TwoAtomPair(const ExactLoss& loss, double infinite_mass)
    : TwoAtomPair(loss.rate * loss.times / loss.over, 0, std::log1p(-infinite_mass), std::log(infinite_mass)) {
  exact_ = loss, infinite_mass_ = DoublesAround{infinite_mass, infinite_mass};
  if (loss.times != 1 || loss.over != 1) loss_error_ = 2 * unit_roundoff * loss_;
}

std::vector<LossCell> TwoAtomPair::atoms(LossRange within) const {
  std::vector<LossCell> inside;
  for (const LossCell& atom : atoms_)
    if (within.lowest <= atom.loss && atom.loss <= within.highest) inside.push_back(atom);
  return inside;
}

LossCell TwoAtomPair::above(double z) const {
  if (z < -loss_) return {.loss = 0, .log_mass = log_finite_, .log_q_mass = log_finite_};
  return z < loss_ && !atoms_.empty() ? atoms_.back() : LossCell{};
}

LossCell TwoAtomPair::below(double z) const {
  if (z >= loss_) return {.loss = 0, .log_mass = log_finite_, .log_q_mass = log_finite_};
  return z >= -loss_ && !atoms_.empty() ? atoms_.front() : LossCell{};
}

std::optional<OrderedLaw> TwoAtomPair::ordered() const {
  if (atoms_.size() != 2) return std::nullopt;
  return OrderedLaw{"two atoms, log delta " + number_text(log_infinite_),
                    {loss_},
                    [finite = log_finite_, infinite = log_infinite_](const std::vector<double>& sizes) {
                      return std::make_shared<TwoAtomPair>(sizes[0], 4 * unit_roundoff * sizes[0], finite, infinite);
                    }};
}

std::optional<double> TwoAtomPair::spacing() const {
  return atoms_.size() == 2 ? std::optional(2 * loss_) : std::nullopt;
}

}  // namespace pld
