#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "pld/bounds/other_mechanism.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/sinh_normal.hpp"

namespace pld::bounds {

/// The parameters of a mechanism, which is all that a theorem sees of it.
using Parameters =
    std::variant<Gaussian, Laplace, RandomizedResponse, ApproximateDp, DiscreteLaplace, DiscreteGaussian,
                 ExponentialMechanism, ConcentratedDp, TruncatedConcentratedDp, SinhNormal, OtherMechanism>;

/// How a release's sample of the data is drawn: each record independently at rate q, or a share q of them. What
/// theorems say of the latter holds for replaced records, whose sensitivity the parameters then have.
enum class Sample { poisson, fixed_size };

/// `count` releases of one mechanism, each on a sample (q = 1: on all of the data).
struct Step {
  Parameters mechanism;
  double q = 1;            ///< in [0, 1]
  std::int64_t count = 1;  ///< >= 1
  Sample sample = Sample::poisson;

  [[nodiscard]] bool sampled() const { return q < 1; }
};
using Steps = std::vector<Step>;

/// Throws DomainError for a parameter, rate or count out of range, or for no step at all.
void require_valid(const Steps& steps);

/// Throws DomainError where the step is on a sample of fixed size, of which `where` knows nothing.
void require_poisson(const char* where, const Step& step);

/// How a refusal names the step, e.g. "gaussian, Poisson-sampled".
[[nodiscard]] std::string describe(const Step& step);

}  // namespace pld::bounds
