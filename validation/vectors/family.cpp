#include "family.hpp"

#include <stdexcept>

#include "enclosure.hpp"

namespace vectors {

namespace {

Json row(const Json& mechanisms, const std::string& direction, const char* query, const char* given, double at,
         const Interval& value) {
  if (abs(value.upper() - value.lower()) > abs(value.middle()) * Real("1e-30"))
    throw std::runtime_error(mechanisms.dump() + ": fewer than 30 digits are certain at " + given + " " + std::to_string(at));
  const Enclosure enclosure = decimals(value);
  return {{"query", query}, {given, at}, {"direction", direction}, {"mechanisms", mechanisms},
          {"lower", enclosure.lower}, {"upper", enclosure.upper}};
}

}  // namespace

void Family::add(const Json& mechanisms, const std::string& direction, const Profile& profile, const Questions& questions) {
  for (const double epsilon : questions.epsilons)
    rows.push_back(row(mechanisms, direction, "delta", "epsilon", epsilon, profile(Interval(epsilon))));
  for (const double delta : questions.deltas)
    rows.push_back(row(mechanisms, direction, "epsilon", "delta", delta, epsilon_at(profile, Interval(delta), questions.limit)));
}

}  // namespace vectors
