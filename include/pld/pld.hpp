#pragma once

/// Everything a user of the library needs: mechanisms, compositions and what can be asked of them.

#include "pld/compose/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/additive_noise.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/poisson_sampled.hpp"
#include "pld/mechanisms/profile_guarantees.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/without_replacement.hpp"
#include "pld/readout/query.hpp"
