#pragma once

#include <string>

namespace pld::cli {

/// A PDF with a title among its properties, which readers show and search engines list: appended as PDF lets files be
/// changed (ISO 32000-1, 7.5.6), and without the time at which it was drawn. As it was where it ends in no table of
/// cross references.
[[nodiscard]] std::string with_title(std::string pdf, const std::string& title);

}  // namespace pld::cli
