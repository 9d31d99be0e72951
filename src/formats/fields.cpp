#include "formats/fields.hpp"

#include <cmath>

#include "core/number_text.hpp"
#include "formats/near_name.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

const MechanismType& mechanism_type(const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const MechanismType& type : mechanism_types()) {
    if (type.name == name) return type;
    names.push_back(type.name);
  }
  throw ReadError(where, "type", "'" + name + "'" + did_you_mean(name, names), "one of " + listed(names));
}

std::vector<std::string> accepted_fields(const MechanismType& type, const std::vector<std::string>& others) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : type.parameters) names.push_back(parameter.name);
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

double share_of(double batch, double dataset, const std::string& where) {
  if (!(dataset >= 1 && dataset <= 1e15 && dataset == std::floor(dataset)))
    throw ReadError(where, "dataset", number_text(dataset), "a whole number from 1 to 1e15");
  if (!(batch >= 0 && batch <= dataset && batch == std::floor(batch)))
    throw ReadError(where, "batch", number_text(batch),
                    "a whole number from 0 to the dataset's size, " + number_text(dataset));
  return batch / dataset;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace pld
