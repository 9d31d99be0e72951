#pragma once

#include <string>

#include "report/explanation.hpp"

namespace pld::cli {

/// The explanation as one self-contained HTML page with drawings, for those whom it concerns.
[[nodiscard]] std::string html_page(const Explanation& explanation, const Composition& composition,
                                    const std::string& title);

}  // namespace pld::cli
