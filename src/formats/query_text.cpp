#include "formats/query_text.hpp"

#include <array>
#include <vector>

#include "formats/named.hpp"

namespace pld {
namespace {

using std::array;
constexpr array all_directions{DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add};
constexpr array all_relations{Relation::add_remove, Relation::replace_one, Relation::zero_out};
constexpr array all_engines{Engine::automatic, Engine::lattice, Engine::contour, Engine::closed_form};

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
