#include "parts.hpp"
#include "sources.hpp"

namespace pld::validation {

Section alpha_divergence_paper() {
  Section section{
      "alpha-divergence-paper",
      "Liu and Wang: alpha divergence",
      "\"A Novel Approach to Differential Privacy with Alpha Divergence\". (α, ε)-ADP bounds "
      "(E_{Q}[(dP/dQ)^{α}] - 1)/(α(α - 1)). Its pictures reached us as captions only: curves are drawn anew from its "
      "formulas "
      "and the settings in captions and text; where those are silent, the parameters chosen here are named.",
      {},
      {}};
  namespace parts = alpha_divergence_parts;
  for (const auto part : {parts::definitions, parts::properties, parts::conversion, parts::mechanisms,
                          parts::order_choice, parts::stated_orders, parts::simulations}) {
    part(section);
  }
  return section;
}

}  // namespace pld::validation
