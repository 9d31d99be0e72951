#include "pld/core/errors.hpp"

#include "bindings.hpp"
#include "pld/core/time_limit.hpp"
#include "pld/formats/read_error.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;

/// The classes live as long as the interpreter.
struct ErrorClasses {
  nb::object domain_error, missing_theorem;
};

}  // namespace

/// The library's line becomes the message, as it is.
void bind_errors(nb::module_& module) {
  static ErrorClasses* classes = nullptr;
  classes = new ErrorClasses;
  const auto add = [&](const char* name, const char* doc, const nb::handle& base) {
    const std::string full = std::string("pld.") + name;
    nb::object made = nb::steal(PyErr_NewExceptionWithDoc(full.c_str(), doc, base.ptr(), nullptr));
    module.attr(name) = made;
    return made;
  };
  classes->domain_error = add("DomainError", "Bad input: one argument, the value it had and what is accepted.",
                              nb::handle(PyExc_ValueError));
  classes->missing_theorem = add("MissingTheorem",
                                 "A question that is well posed but that no theorem answers; the message names what "
                                 "is missing.",
                                 classes->domain_error);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const MissingTheorem& error) {
      PyErr_SetString(classes->missing_theorem.ptr(), error.what());
    } catch (const DomainError& error) {
      PyErr_SetString(classes->domain_error.ptr(), error.what());
    } catch (const ReadError& error) {
      PyErr_SetString(classes->domain_error.ptr(), error.what());
    } catch (const TimeIsUp& error) {
      PyErr_SetString(PyExc_TimeoutError, error.what());
    }
  });
}

}  // namespace pld::python
