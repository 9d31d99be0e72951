#include "formats/open_tries.hpp"

#include "formats/tries_text.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

NamedUnknown with_tries(const std::function<NamedUnknown()>& base, const std::string& tries, const std::string& where) {
  if (tries.empty()) return base();
  if (tries.find('?') != std::string::npos)
    throw ReadError(where, "tries", "'" + tries + "'", "known numbers: the unknown is one of a mechanism's");
  static_cast<void>(tries_from_text(tries, where));  // refuses it before anything is composed
  NamedUnknown out = base();
  const auto selection = [tries, where](const Composition& one) { return selected(one, tries, where); };
  if (!out.unknown.safest.releases().empty()) out.unknown.safest = selection(out.unknown.safest);
  out.unknown.at = [selection, at = out.unknown.at](double value) { return selection(at(value)); };
  return out;
}

}  // namespace pld
