#pragma once

#include <string_view>

namespace pld {

/// What papers and other packages call a thing, and its name here, as near_name() writes both: in lower case, '_' as
/// '-'. Of several names the first that is accepted is meant, and `with` what follows it.
struct Synonym {
  std::string_view word, name, with{};
};

inline constexpr Synonym synonyms[] = {
    {"sample-rate", "q"},
    {"sample-rate", "poisson"},
    {"sampling-rate", "q"},
    {"sampling-rate", "poisson"},
    {"sampling-probability", "q"},
    {"rate", "q"},
    {"rate", "poisson"},
    {"std", "sigma"},
    {"stddev", "sigma"},
    {"standard-deviation", "sigma"},
    {"noise-scale", "sigma"},
    {"noise", "sigma"},
    {"noise", "scale"},
    {"scale", "sigma"},
    {"sigma", "scale"},
    {"sigma", "noise-multiplier"},
    {"dataset", "examples"},
    {"dataset-size", "examples"},
    {"sample-size", "examples"},
    {"b", "scale"},
    {"clip", "sensitivity"},
    {"clipping-norm", "sensitivity"},
    {"max-grad-norm", "sensitivity"},
    {"num-steps", "steps"},
    {"iterations", "steps"},
    {"batch-size", "batch"},
    {"sample-size", "dataset"},
    {"geometric", "discrete-laplace"},
    {"rr", "randomized-response"},
    {"dpsgd", "dp-sgd"},
    {"dpsgd", "gaussian"},
    {"dp-sgd", "gaussian"},
    {"em", "exponential"},
    {"approx-dp", "dp"},
    {"approximate-dp", "dp"},
    {"pure-dp", "dp"},
    // Replaced records move it by its mu, not by twice that.
    {"gdp", "gaussian", ":sigma=1/mu,replace_sensitivity=1"},
    {"mu-gdp", "gaussian", ":sigma=1/mu,replace_sensitivity=1"},
    {"gaussian-dp", "gaussian", ":sigma=1/mu,replace_sensitivity=1"},
    {"f-dp", "trade-off"},
    {"unbounded", "add-remove"},
    {"add-or-remove", "add-remove"},
    {"add-or-remove-one", "add-remove"},
    {"bounded", "replace-one"},
    {"substitution", "replace-one"},
    {"substitute", "replace-one"},
    {"substitute-one", "replace-one"},
    {"change-one", "replace-one"},
    {"swap", "replace-one"},
    {"replace-special", "zero-out"},
    {"relation", "adjacency"},
    {"neighbors", "adjacency"},
    {"neighbours", "adjacency"},
    {"neighboring-relation", "adjacency"},
    {"σ", "sigma"},
    {"ρ", "rho"},
    {"ε", "epsilon"},
    {"δ", "delta"},
    {"μ", "mu"},
    {"household", "group"},
    {"household-size", "group"},
    {"group-size", "group"},
    {"best-of", "tries"},
    {"target-epsilon", "epsilon"},
    {"target-eps", "epsilon"},
    {"target-delta", "delta"},
    {"eps", "epsilon"},
    {"eps", "claim"},
    {"epsilon", "claim"},
    {"batch", "rate"},
    {"batch-size", "rate"},
};

}  // namespace pld
