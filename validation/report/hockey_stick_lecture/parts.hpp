#pragma once

#include "pld/bounds/step.hpp"
#include "report.hpp"

/// The parts of the lecture, in its order: each adds its rows and figures.
namespace pld::validation::lecture_parts {

void divergences(Section& section);         ///< f-divergences and the hockey stick
void gaussian_mechanism(Section& section);  ///< the analytic Gaussian mechanism
void testing(Section& section);             ///< hypothesis tests and trade-off functions
void representations(Section& section);     ///< mechanisms described by a function
void composition(Section& section);         ///< of each of these functions
void dominating_pairs(Section& section);    ///< theorems 1 to 3 and their consequences

// The lecture's familiar mechanisms: randomized response and Laplace at epsilon = 1, the Gaussian at rho = 1/2.
[[nodiscard]] bounds::Step response();
[[nodiscard]] bounds::Step laplace();
[[nodiscard]] bounds::Step gaussian_at_half();

}  // namespace pld::validation::lecture_parts
