#pragma once

#include <string_view>

namespace pld {

/// What papers and other packages call a thing, and its name here, as near_name() writes both: in lower case, '_' as
/// '-'. Of several names the first that is accepted is meant.
struct Synonym {
  std::string_view word, name;
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
    {"dpsgd", "gaussian"},
    {"dp-sgd", "gaussian"},
    {"em", "exponential"},
};

}  // namespace pld
