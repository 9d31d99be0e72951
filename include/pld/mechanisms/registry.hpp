#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// One parameter of a type of mechanism, a number or a list of numbers; required where it has no default.
struct ParameterInfo {
  std::string name;
  std::string meaning;
  std::string accepted;
  std::optional<double> default_value{};
  bool is_list = false;
};

/// Values of a mechanism's parameters.
struct ParameterValues {
  std::map<std::string, double> numbers{};
  std::map<std::string, std::vector<double>> lists{};

  [[nodiscard]] double at(const std::string& name) const { return numbers.at(name); }
  [[nodiscard]] const std::vector<double>& list(const std::string& name) const { return lists.at(name); }
};

/// A type of mechanism as it is named in text and in ledgers.
struct MechanismType {
  std::string name;
  std::string meaning;
  std::vector<ParameterInfo> parameters;
  std::string source;
  std::function<Mechanism(const ParameterValues&)> make;  ///< takes every parameter, defaults included
  ParameterValues example;                                ///< values that are accepted

  /// The parameters that are lists: the columns of a file that may stand for them.
  [[nodiscard]] std::vector<std::string> lists() const;
};

/// All types, in the order they are listed to a person.
[[nodiscard]] const std::vector<MechanismType>& mechanism_types();

/// A mechanism from its type's name and its parameters; those not given take their default. Throws DomainError for an
/// unknown type or parameter, a missing one, or a value out of range, and says what is accepted.
[[nodiscard]] Mechanism make_mechanism(const std::string& type, const std::map<std::string, double>& numbers,
                                       const std::map<std::string, std::vector<double>>& lists = {});

}  // namespace pld
