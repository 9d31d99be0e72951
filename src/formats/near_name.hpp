#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pld {

/// The accepted name that `given` is most likely a misspelling of: few edits away, or begun by it. Empty where there
/// is none. Upper case counts as lower case, and '_' as '-'.
[[nodiscard]] std::string near_name(std::string_view given, const std::vector<std::string>& accepted);

/// " (did you mean sigma?)", or nothing where no name is near. A guarantee's name is answered with the mechanism and
/// its parameters.
[[nodiscard]] std::string did_you_mean(std::string_view given, const std::vector<std::string>& accepted);

}  // namespace pld
