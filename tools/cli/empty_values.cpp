#include "empty_values.hpp"

#include <string>

namespace pld::cli {

namespace {

std::string complaint_of(const std::string& given) {
  return given.empty() ? "is empty, but must have a value (is a variable of the shell not set?)" : "";
}

bool may_be_empty(const CLI::Option& option) {
  return option.check_lname("title") || option.check_lname("name") || option.check_lname("note");
}

bool takes_values(const CLI::Option& option) { return !option.get_positional() && option.get_items_expected_max() > 0; }

}  // namespace

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (takes_values(*option) && !may_be_empty(*option)) option->check(complaint_of);
  for (CLI::App* command : app.get_subcommands(nullptr)) refuse_empty_values(*command);
}

}  // namespace pld::cli
