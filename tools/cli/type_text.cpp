#include "type_text.hpp"

#include "core/number_text.hpp"

namespace pld::cli {

std::string range_of(const ParameterInfo& parameter) {
  return parameter.accepted + (parameter.is_list ? ", a list" : "") +
         (parameter.default_value ? " (default " + number_text(*parameter.default_value) + ")" : "");
}

std::string text_of(const MechanismType& type) {
  std::string text = type.name + ": " + type.meaning + '\n';
  for (const ParameterInfo& parameter : type.parameters)
    text += "    " + parameter.name + ": " + parameter.meaning + "; " + range_of(parameter) + '\n';
  return text + "    source: " + type.source + '\n';
}

std::string how_it_is_written() {
  return "Each also takes count or steps (how many times it is released, a whole number up to 1e12; default 1) and "
         "one\n"
         "sampling: q or poisson (rate of Poisson sampling, in [0, 1]; poisson where q is a list, as for mass-table), "
         "or\n"
         "wor (share of the data in a fixed-size batch drawn without replacement), or batch and dataset (two sizes "
         "whose\n"
         "quotient it is), or allocation (steps of an epoch, in one of which each record takes part, drawn at random; "
         "one\n"
         "release is one epoch), as in gaussian:sigma=0.8,q=0.005,count=1000. Rates may be quotients of whole numbers, "
         "as\n"
         "in q=256/50000. gaussian:noise_multiplier=0.8 is sigma in units of the sensitivity (the norm clipped to).\n"
         "A list is written 0/1/2; file=PATH stands for all lists: a JSON object of arrays where the name ends in\n"
         ".json, else comma-separated columns under their names.\n";
}

}  // namespace pld::cli
