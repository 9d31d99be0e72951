#pragma once

#include <nanobind/nanobind.h>

namespace pld::python {

/// Each adds what its file is named for to the module.
void bind_errors(nanobind::module_& module);
void bind_forks(nanobind::module_& module);
void bind_listening(nanobind::module_& module);
void bind_accounting(nanobind::module_& module);
void bind_readouts(nanobind::module_& module);
void bind_audit(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_budgets(nanobind::module_& module);
void bind_matrices(nanobind::module_& module);

}  // namespace pld::python
