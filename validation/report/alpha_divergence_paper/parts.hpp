#pragma once

#include "report.hpp"

/// The parts of the paper, in its order: each adds its rows and figures.
namespace pld::validation::alpha_divergence_parts {

void definitions(Section& section);    ///< sections 2 and 3, and definitions 6 to 8
void properties(Section& section);     ///< sections 4.1 to 4.3
void conversion(Section& section);     ///< section 5, and what the abstract and the conclusion say of it
void mechanisms(Section& section);     ///< section 6, figures 1 to 3
void order_choice(Section& section);   ///< section 7, figures 4 and 5, the two algorithms
void stated_orders(Section& section);  ///< section 8.1 and the orders in the captions of figures 6 to 8
void simulations(Section& section);    ///< sections 8.2 and 8.3, figures 6 to 8

}  // namespace pld::validation::alpha_divergence_parts
