#pragma once

namespace pld {

/// What a data loader is called, and its number in an entry's sampling: a share of the data, or the steps of an epoch.
struct Sampler {
  const char* name;
  const char* field;
  bool share;
};
inline constexpr Sampler samplers[] = {{"poisson", "poisson", true},
                                       {"fixed-size", "without_replacement", true},
                                       {"allocation", "allocation", false},
                                       {"shuffled", "shuffled", false},
                                       {"truncated", "truncated_poisson", true}};

}  // namespace pld
