#include "formats/matrix_file.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <regex>

#include "formats/columns_file.hpp"
#include "formats/text_file.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

StrategyMatrix matrix_of_lines(std::string_view text, const std::string& path) {
  StrategyMatrix matrix;
  text = without_blank_end(utf8_text(text, path));
  while (!text.empty()) {
    const std::string where = path + ", line " + std::to_string(++matrix.rows);
    const auto cells = cells_of(next_line_of(text));
    if (matrix.rows == 1) matrix.steps = cells.size();
    if (cells.size() != matrix.steps)
      throw ReadError(where, "number of cells", std::to_string(cells.size()), std::to_string(matrix.steps));
    for (const std::string_view cell : cells) matrix.entries.push_back(number_of_cell(cell, where + ": each cell"));
  }
  return matrix;
}

/// What numpy.save writes before the numbers: "\x93NUMPY", two bytes of version, the length of a text in two or four
/// bytes, and the text, as {'descr': '<f8', 'fortran_order': False, 'shape': (4, 8), }.
class NumpyArray {
 public:
  NumpyArray(std::string_view content, const std::string& path) : path_(path) {
    constexpr std::string_view magic = "\x93NUMPY";
    require(content.size() > magic.size() + 2 && content.starts_with(magic));
    const bool is_long = content[magic.size()] > 1;
    content.remove_prefix(magic.size() + 2);
    const std::size_t digits = is_long ? 4 : 2;
    require(content.size() >= digits);
    std::size_t length = 0;
    for (std::size_t i = digits; i-- > 0;) length = length << 8 | static_cast<unsigned char>(content[i]);
    content.remove_prefix(digits);
    require(content.size() >= length && length <= longest_heading);
    read_heading(std::string(content.substr(0, length)));
    numbers_ = content.substr(length);
    require(numbers_.size() == rows_ * columns_ * width_);
  }

  [[nodiscard]] StrategyMatrix matrix() const {
    StrategyMatrix out{.rows = rows_, .steps = columns_, .entries = {}};
    out.entries.reserve(rows_ * columns_);
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j)
        out.entries.push_back(number(by_columns_ ? j * rows_ + i : i * columns_ + j));
    return out;
  }

 private:
  static constexpr std::size_t longest_heading = 10000;

  void require(bool holds) const {
    if (!holds)
      throw ReadError(path_ +
                      " must be an array of two dimensions as numpy.save writes it, of doubles, floats or whole "
                      "numbers up to 2^53");
  }

  void read_heading(const std::string& heading) {
    static const std::regex kind("'descr': *'[<|](f[48]|[iu][1248]|b1)'"), order("'fortran_order': *(True|False)"),
        shape("'shape': *\\(([0-9]{1,9}), *([0-9]{1,9})\\)");
    std::smatch found;
    require(std::regex_search(heading, found, kind));
    kind_ = *found[1].first;
    width_ = static_cast<std::size_t>(*(found[1].first + 1) - '0');
    require(std::regex_search(heading, found, order));
    by_columns_ = found[1] == "True";
    require(std::regex_search(heading, found, shape));
    rows_ = std::stoul(found[1]), columns_ = std::stoul(found[2]);
  }

  [[nodiscard]] double number(std::size_t place) const {
    std::uint64_t bits = 0;
    for (std::size_t i = width_; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(numbers_[place * width_ + i]);
    if (kind_ != 'f') return whole_number(bits);
    return width_ == sizeof(double) ? std::bit_cast<double>(bits)
                                    : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }

  [[nodiscard]] double whole_number(std::uint64_t bits) const {
    const std::size_t unused = 8 * (sizeof bits - width_);
    const bool is_negative = kind_ == 'i' && (bits << unused) >> 63 != 0;
    const std::uint64_t size = is_negative ? -(bits << unused) >> unused : bits;
    require(size <= std::uint64_t{1} << 53);  // a double holds it
    return is_negative ? -static_cast<double>(size) : static_cast<double>(size);
  }

  const std::string& path_;
  std::string_view numbers_{};
  std::size_t rows_ = 0, columns_ = 0, width_ = 8;
  char kind_ = 'f';  ///< NumPy's letter: f, i and u for signed and unsigned ones, b for truths
  bool by_columns_ = false;
};

}  // namespace

StrategyMatrix matrix_of(std::string_view content, const std::string& path) {
  StrategyMatrix matrix = path.ends_with(".npy") ? NumpyArray(content, path).matrix() : matrix_of_lines(content, path);
  if (matrix.entries.empty()) throw ReadError(path, "the matrix", "empty", "of one number or more");
  for (const double entry : matrix.entries)
    if (!std::isfinite(entry)) throw ReadError(path + " must be of finite numbers");
  return matrix;
}

StrategyMatrix matrix_of_file(const std::string& path, FileAccess files) {
  if (files == FileAccess::forbidden)
    throw ReadError("matrix is '" + path + "', but files are forbidden here: write the sensitivity itself");
  if (!path.ends_with(".npy") && !path.ends_with(".csv"))
    throw ReadError("matrix is '" + path + "', but must be a file named .npy or .csv");
  const auto text = text_of_file(path);
  if (!text) throw ReadError("matrix: '" + path + "' does not exist");
  return matrix_of(*text, path);
}

}  // namespace pld
