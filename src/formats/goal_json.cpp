#include "formats/goal_json.hpp"

#include "bounds/overloaded.hpp"
#include "formats/written_number.hpp"

namespace pld {

const std::vector<std::string>& goal_fields() {
  static const std::vector<std::string> fields{"epsilon", "delta", "advantage", "fpr", "tpr", "mu", "rho"};
  return fields;
}

std::vector<Goal> goals_from(const nlohmann::json& object, const std::string& where) {
  const auto number = [&](const char* field) { return written_number(object, field, where); };
  std::vector<Goal> goals;
  if (object.contains("epsilon") || object.contains("delta"))
    goals.push_back(Target{number("epsilon"), number("delta")});
  if (object.contains("advantage")) goals.push_back(Advantage{number("advantage")});
  if (object.contains("fpr") || object.contains("tpr")) goals.push_back(TestPower{number("fpr"), number("tpr")});
  if (object.contains("mu")) goals.push_back(GaussianDp{number("mu")});
  if (object.contains("rho")) goals.push_back(ZeroConcentratedDp{number("rho")});
  return goals;
}

nlohmann::ordered_json goal_json(const Goal& goal) {
  using Json = nlohmann::ordered_json;
  return std::visit(bounds::Overloaded{[](const Target& g) {
                                         return Json{{"epsilon", g.epsilon}, {"delta", g.delta}};
                                       },
                                       [](const Advantage& g) {
                                         return Json{{"advantage", g.limit}};
                                       },
                                       [](const TestPower& g) {
                                         return Json{{"fpr", g.fpr}, {"tpr", g.tpr}};
                                       },
                                       [](const GaussianDp& g) {
                                         return Json{{"mu", g.mu}};
                                       },
                                       [](const ZeroConcentratedDp& g) {
                                         return Json{{"rho", g.rho}};
                                       }},
                    goal);
}

}  // namespace pld
