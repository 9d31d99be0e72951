#pragma once

#include <string_view>

#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"

namespace pld {

/// Reads "type:key=value,key=value", e.g. "gaussian:sigma=0.8,q=0.005,count=1000": the parameters of mechanism_types(),
/// a list as 1/2/0.5 or all lists from file=PATH (see columns_of_file()).
///   - q or poisson: a Poisson sampling rate; poisson only, where a list is called q
///   - wor: the share of the data in a batch drawn without replacement; or batch and dataset, two sizes with that
///     quotient; with sampler=poisson, fixed-size, allocation, shuffled or (with cap=) truncated they are that
///     sampling's
///   - the words of another sampling (see `pld mechanisms`)
///   - count or steps: a whole number, also written 1e9 or 1000.0; or epochs, passes over the data, of which it is made
/// q, poisson and wor may be quotients of whole numbers up to 1e15, as 256/50000: the least double that is not below.
/// noise_multiplier stands for sigma of a gaussian that has no sensitivity. Throws ReadError.
[[nodiscard]] Entry entry_from_text(std::string_view word, FileAccess files = FileAccess::allowed);

}  // namespace pld
