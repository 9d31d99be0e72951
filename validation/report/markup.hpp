#pragma once

#include <string>

namespace pld::validation {

/// Plain text for HTML, and for Markdown, which lets HTML through.
[[nodiscard]] std::string escaped(const std::string& text);

/// The same with the report's own marks: ^{...} is raised and _{...} lowered, one inside the other too; **...** is
/// bold.
[[nodiscard]] std::string marked_up(const std::string& text);

}  // namespace pld::validation
