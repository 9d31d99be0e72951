#pragma once

#include <stdexcept>
#include <string>

namespace pld {

/// Bad input: one argument, the value it had and what is accepted. `what()` is one line for a person.
class DomainError : public std::domain_error {
 public:
  DomainError(std::string where, std::string argument, std::string value, std::string accepted);

  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& argument() const { return argument_; }
  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] const std::string& accepted() const { return accepted_; }

 private:
  std::string where_, argument_, value_, accepted_;
};

/// A question that is well posed but that no theorem answers: no pair is known to dominate. `accepted` names what is
/// missing and what can be asked instead.
class MissingTheorem : public DomainError {
 public:
  using DomainError::DomainError;

  /// The same of a mechanism at a place of a text: "mechanisms[0]: gaussian-mixture:sigma=1: adjacency is ...".
  [[nodiscard]] MissingTheorem placed_in(const std::string& place) const;
};

/// Thrown where a step would take more work than it may. Whoever asked has another way, or a wider answer.
struct WorkSpent : std::runtime_error {
  explicit WorkSpent(const char* what = "more work than one answer may take") : std::runtime_error(what) {}
};

/// Throws DomainError unless `holds`. `where` names the function or mechanism, e.g. "gaussian";
/// `accepted` states the rule, e.g. "sigma > 0". Write the condition so that NaN makes it false.
void require(bool holds, const char* where, const char* argument, double value, const char* accepted);

}  // namespace pld
