#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "numeric/extended.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// The losses of all releases together and the P mass of their coming together: bounds of either are a doubt away.
struct Outcome {
  Extended loss = 0, log_mass = 0;
  double loss_doubt = 0, mass_doubt = 0;
};

struct OutcomeList {
  std::vector<Outcome> outcomes;
  double left_out = 0;  ///< P mass of finite losses that are not listed, at most; 0 only if all are
};

/// Whether a list is theirs to have: up to so many releases with no density, finite losses, and masses that are not
/// rounded up or down.
[[nodiscard]] bool have_outcomes(const Terms& terms, double most_releases);

/// log of the probability that some release has an infinite loss.
[[nodiscard]] Bracket log_infinity_of(const Terms& terms);

/// What releases of few losses each come to: how often each of a release's losses occurs is multinomial, and losses and
/// probabilities of different releases add up and multiply. What is rarer than e^log_rarest is left out. None where
/// there are more than `most` outcomes.
///
/// Domain: at least one term, have_outcomes(terms, 1e5).
[[nodiscard]] std::optional<OutcomeList> list_outcomes(const Terms& terms, double log_rarest, std::size_t most);

}  // namespace pld
