#pragma once

/// Everything a user of the library needs: mechanisms, compositions and what can be asked of them.

#include "pld/compose/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/poisson_sampled.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/readout/query.hpp"
#include "pld/readout/running_total.hpp"
