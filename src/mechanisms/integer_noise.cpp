#include "pld/mechanisms/integer_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/shifted_masses_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// A part in 1e9 is granted to the masses' own rounding.
bool is_symmetric(const std::vector<double>& masses) {
  const std::size_t n = masses.size();
  for (std::size_t i = 0; i < n; ++i)
    if (std::fabs(masses[i] - masses[n - 1 - i]) > 1e-9 * masses[i]) return false;
  return true;
}

/// The theorem that one shift dominates the smaller ones needs it. No gap inside, and no mass below its neighbours'
/// mean.
bool is_log_concave(const std::vector<double>& masses) {
  bool begun = false, ended = false;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (masses[i] > 0 && ended) return false;
    ended = ended || (begun && masses[i] == 0);
    begun = begun || masses[i] > 0;
    if (i > 0 && i + 1 < masses.size() && std::sqrt(masses[i - 1]) * std::sqrt(masses[i + 1]) > masses[i] * (1 + 1e-9))
      return false;
  }
  return true;
}

}  // namespace

std::string describe(const IntegerNoise& mechanism) {
  const std::string text = "integer-noise:masses=" + listed(mechanism.masses);
  return mechanism.sensitivity == 1 ? text : text + ",sensitivity=" + number_text(mechanism.sensitivity);
}

PairPtr dominating_pair(const IntegerNoise& mechanism, Direction direction) {
  const auto& [masses, sensitivity] = mechanism;
  require_in(ranges::whole_sensitivity, "integer-noise", "sensitivity", sensitivity);
  require(!masses.empty() && masses.size() <= 90000, "integer-noise", "number of masses",
          static_cast<double>(masses.size()), "1 to 9e4 masses");
  std::vector<Extended> shares = shares_of("integer-noise", "masses", masses);
  if (!is_log_concave(masses))
    throw DomainError("integer-noise", "masses", "not log-concave",
                      "log-concave: without, no theorem says that one shift dominates (give the pair as a mass-table)");
  const auto shift = static_cast<std::size_t>(std::min(sensitivity, static_cast<double>(masses.size())));
  return std::make_shared<ShiftedMassesPair>(std::move(shares), shift, direction);
}

IntegerNoise replacing(const IntegerNoise& mechanism) {
  if (!is_symmetric(mechanism.masses))
    throw MissingTheorem(
        "integer-noise", "adjacency", "replace-one",
        "add-remove or zero-out, or symmetric masses: a replaced record moves a count either way, and of the two "
        "signs of asymmetric noise neither dominates");
  return {mechanism.masses, 2 * mechanism.sensitivity};
}

}  // namespace pld
