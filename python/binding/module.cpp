#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The accountant in C++, as thin as it can be; the package pld is what people type.";
  pld::python::bind_errors(module);
  pld::python::bind_forks(module);
  pld::python::bind_listening(module);
  pld::python::bind_accounting(module);
  pld::python::bind_readouts(module);
  pld::python::bind_audit(module);
  pld::python::bind_report(module);
  pld::python::bind_budgets(module);
  pld::python::bind_matrices(module);
}
