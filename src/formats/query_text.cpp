#include "formats/query_text.hpp"

#include <array>
#include <vector>

#include "formats/fields.hpp"

namespace pld {

namespace {

using std::array;
constexpr array all_directions{DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add};
constexpr array all_relations{Relation::add_remove, Relation::replace_one, Relation::zero_out};
constexpr array all_engines{Engine::automatic, Engine::lattice, Engine::contour, Engine::closed_form};

template <class All>
std::vector<std::string> names_of(const All& all) {
  std::vector<std::string> names;
  for (const auto one : all) names.emplace_back(name(one));
  return names;
}

/// The one of them with that name.
template <class All>
typename All::value_type one_of(const All& all, const std::string& text, const std::string& where, const char* what) {
  for (const auto one : all)
    if (text == name(one)) return one;
  throw not_one_of(where, what, text, names_of(all));
}

}  // namespace

DirectionChoice direction_from_text(const std::string& text, const std::string& where) {
  return one_of(all_directions, text, where, "direction");
}

Relation relation_from_text(const std::string& text, const std::string& where) {
  return one_of(all_relations, text, where, "adjacency");
}

Engine engine_from_text(const std::string& text, const std::string& where) {
  return one_of(all_engines, text, where, "engine");
}

std::vector<std::string> direction_names() { return names_of(all_directions); }

std::vector<std::string> relation_names() { return names_of(all_relations); }

std::vector<std::string> engine_names() { return names_of(all_engines); }

}  // namespace pld
