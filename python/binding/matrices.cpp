#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "formats/matrix_file.hpp"
#include "listening.hpp"
#include "pld/mechanisms/matrix_sensitivity.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

double sensitivity_of_file(const std::string& path, double participations, double min_separation) {
  return heard([path, asked = Participation{participations, min_separation}] {
    return matrix_sensitivity(matrix_of_file(path, FileAccess::allowed), asked);
  });
}

double sensitivity_of_array(const Grid& strategy, double participations, double min_separation) {
  StrategyMatrix matrix{.rows = strategy.shape(0), .steps = strategy.shape(1), .entries = {}};
  matrix.entries.assign(strategy.data(), strategy.data() + strategy.size());
  return heard([matrix = std::move(matrix), asked = Participation{participations, min_separation}] {
    return matrix_sensitivity(matrix, asked);
  });
}

}  // namespace

void bind_matrices(nb::module_& module) {
  module.def("matrix_sensitivity", sensitivity_of_file, "strategy"_a, "participations"_a, "min_separation"_a);
  module.def("matrix_sensitivity", sensitivity_of_array, "strategy"_a, "participations"_a, "min_separation"_a);
}

}  // namespace pld::python
