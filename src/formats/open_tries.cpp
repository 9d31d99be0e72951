#include "formats/open_tries.hpp"

#include "formats/tries_text.hpp"

namespace pld {

NamedUnknown with_tries(NamedUnknown base, const std::string& tries, const std::string& where) {
  if (tries.empty()) return base;
  static_cast<void>(tries_from_text(tries, where));  // refuses it before anything is composed
  const auto selection = [tries, where](const Composition& one) { return selected(one, tries, where); };
  if (!base.unknown.safest.releases().empty()) base.unknown.safest = selection(base.unknown.safest);
  base.unknown.at = [selection, at = base.unknown.at](double value) { return selection(at(value)); };
  return base;
}

}  // namespace pld
