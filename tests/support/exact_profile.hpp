#pragma once

// Privacy profiles of finitely many atoms in 50-digit arithmetic: what the bounds in double are held against.

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "lattice/lattice_measure.hpp"

namespace pld::test {

using Real = boost::multiprecision::cpp_bin_float_50;

struct ExactAtom {
  Real loss, mass;  ///< P mass
};

/// delta(epsilon) = sum over losses z > epsilon of the P mass less e^epsilon times the Q mass.
class ExactProfile {
 public:
  explicit ExactProfile(std::vector<ExactAtom> atoms) : atoms_(std::move(atoms)) {
    std::sort(atoms_.begin(), atoms_.end(), [](const ExactAtom& a, const ExactAtom& b) { return a.loss < b.loss; });
    p_above_.assign(atoms_.size() + 1, 0);
    q_above_.assign(atoms_.size() + 1, 0);
    for (std::size_t i = atoms_.size(); i-- > 0;) {
      p_above_[i] = p_above_[i + 1] + atoms_[i].mass;
      q_above_[i] = q_above_[i + 1] + atoms_[i].mass * exp(-atoms_[i].loss);
    }
  }

  [[nodiscard]] Real operator()(const Real& epsilon) const {
    const auto above = std::upper_bound(atoms_.begin(), atoms_.end(), epsilon,
                                        [](const Real& e, const ExactAtom& atom) { return e < atom.loss; });
    const auto i = static_cast<std::size_t>(above - atoms_.begin());
    return p_above_[i] - exp(epsilon) * q_above_[i];
  }
  [[nodiscard]] const Real& mass() const { return p_above_[0]; }
  [[nodiscard]] const Real& q_mass() const { return q_above_[0]; }
  [[nodiscard]] const std::vector<ExactAtom>& atoms() const { return atoms_; }

 private:
  std::vector<ExactAtom> atoms_;
  std::vector<Real> p_above_, q_above_;
};

/// Position of an index on the lattice, of the doubles as they are.
inline Real exact_position(double origin, double spacing, std::int64_t index) {
  return Real(origin) + Real(index) * Real(spacing);
}

/// The atoms a lattice measure holds, its P masses without rounding.
inline std::vector<ExactAtom> exact_atoms(const LatticeMeasure& m) {
  std::vector<ExactAtom> atoms;
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    const Real loss = exact_position(m.origin, m.spacing, m.first + static_cast<std::int64_t>(i));
    if (m.weights[i] != 0) atoms.push_back({loss, m.weights[i] * exp(Real(m.log_scale) - Real(m.tilt) * loss)});
  }
  return atoms;
}

}  // namespace pld::test
