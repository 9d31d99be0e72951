#pragma once

#include <string>
#include <vector>

namespace pld {

/// The numbers of the file at `path`, one a line; a first line that begins with a letter or # is a heading, unless it
/// is a word for a number that is none, as "inf" and "NA". After a letter it holds no number: "tensor(1.5)" and
/// "score 9" may be scores and are refused. Throws ReadError where the file cannot be read, a line that
/// is not blank is no finite number, or there are none; of the content it tells the line's number alone.
[[nodiscard]] std::vector<double> numbers_of_file(const std::string& path);

}  // namespace pld
