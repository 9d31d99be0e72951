#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <vector>

namespace pld::python {

using Numbers = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Grid = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Table = nanobind::ndarray<nanobind::numpy, double, nanobind::ndim<2>>;

[[nodiscard]] inline std::vector<double> vector_of(const Numbers& numbers) {
  return {numbers.data(), numbers.data() + numbers.size()};
}

/// Columns of doubles as a NumPy array of as many rows, which owns them.
[[nodiscard]] inline Table table_of(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  auto* const values = new double[rows.size() * columns];
  double* next = values;
  for (const std::vector<double>& row : rows) next = std::copy(row.begin(), row.end(), next);
  const nanobind::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Table(values, {rows.size(), columns}, owner);
}

}  // namespace pld::python
