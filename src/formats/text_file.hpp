#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pld {

/// More is not read: a table of 1e5 rows and ten columns of all digits has 25 MB.
inline constexpr std::size_t most_bytes_of_a_file = std::size_t{64} << 20;

/// Text of a regular file, or nothing where there is none. Throws ReadError where it cannot be read, is larger than
/// `most_bytes_of_a_file` or is no regular file (a device may go on for ever, a pipe may wait). The error quotes
/// nothing of the file.
[[nodiscard]] std::optional<std::string> text_of_file(const std::string& path);

/// Whether a text begins as UTF-16 does: with its mark, or with a NUL beside its first character.
[[nodiscard]] bool is_utf16(std::string_view text);

/// The text without the mark of UTF-8 that some programs begin a file with ("CSV UTF-8" of a spreadsheet). Throws
/// ReadError for one in UTF-16, as some save "Unicode"; `name` is what the refusal calls it.
[[nodiscard]] std::string_view utf8_text(std::string_view text, const std::string& name);

/// The text without blank lines at its end.
[[nodiscard]] std::string_view without_blank_end(std::string_view text);

/// Whether a path is a pipe that this process was started with, as a shell's <(...): another may wait for ever.
[[nodiscard]] bool is_own_pipe(const std::string& path);

/// What a person names on a command line: text_of_file(), or what such a pipe brings, up to `most_bytes_of_a_file`.
[[nodiscard]] std::optional<std::string> text_of_input(const std::string& path);

/// Throws ReadError where there is no such file, or a folder, device or pipe.
void require_regular_file(const std::string& path);

/// What a descriptor still holds, likewise. It stays open; `name` is what a refusal calls it.
[[nodiscard]] std::string text_of_descriptor(int descriptor, const std::string& name);

}  // namespace pld
