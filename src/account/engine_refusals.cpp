#include "account/engine_refusals.hpp"

#include "engines/closed_form/closed_form.hpp"
#include "engines/contour/smoothed.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/core/errors.hpp"

namespace pld {

void require_engine(Engine asked, const Terms& terms) {
  if (asked == Engine::closed_form && !closed_form_takes(terms))
    throw DomainError("query", "engine", "closed-form",
                      "auto, lattice or contour: only single releases, unsampled Gaussians and releases of few losses "
                      "have a closed form");
  if (asked == Engine::contour && !smoothed_takes(terms))
    throw DomainError("query", "engine", "contour",
                      "auto or lattice: the contour engine takes laws with a known moment function");
}

bool by_closed_form(Engine asked, const Terms& terms) {
  if (asked == Engine::closed_form) return true;
  return asked == Engine::automatic && !has_allocation(terms) && closed_form_takes(terms);
}

void refuse_slow_decay() {
  throw DomainError("query", "engine", "contour",
                    "auto or lattice: this integrand decays too slowly for a certified bracket");
}

}  // namespace pld
