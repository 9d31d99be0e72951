#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/answer_fields.hpp"
#include "pld/account/query.hpp"
#include "pld/calibrate/goal.hpp"
#include "pld/formats/entry.hpp"
#include "pld/readout/gaussian_comparison.hpp"

namespace pld {

/// What one mechanism of a composition costs: by how much epsilon falls without it.
struct Share {
  std::size_t place = 0;  ///< among the composition's releases
  std::string mechanism;
  std::int64_t count = 1;
  Finding epsilon_without;
  double share = 0;  ///< (epsilon - epsilon without) / epsilon, by estimates; the shares need not add up to 1
};

/// The normal limit of the loss: mu, and how far a distribution function may be from it.
struct CentralLimit {
  Bracket mu, berry_esseen_error;
};

/// The same training on a data set shuffled for every pass and cut into batches, records blanked out.
struct ShuffledInstead {
  std::int64_t batches = 1, epochs = 1;
  double delta = 0;
  Finding epsilon, poisson;
};

/// What `pld explain` tells a person about a composition.
struct Explanation {
  struct EpsilonAt {
    double delta = 0;
    Answer answer;
  };
  bool exact =
      true;  ///< whether one pair of neighbours attains it all; else what is proved of each loss is its upper end
  bool only_guaranteed = false;  ///< whether lower ends are those of one mechanism with a guarantee
  std::vector<EpsilonAt> epsilons;
  double delta = 0;    ///< the one that the page is about: of its answer, its shares and both directions
  Answer remove, add;  ///< epsilon there in each direction
  Bracket advantage, bayes_error, tpr_one_percent, tpr_one_permille;
  GaussianComparison gaussian;
  double least_delta = 0;  ///< down to which the comparison goes: its mu is not that over all alphas
  std::optional<CentralLimit> central_limit;
  Bracket rho;
  Bracket pure_epsilon;        ///< the largest loss
  std::vector<Share> shares;   ///< where there are two mechanisms or more, the dearest first
  std::vector<Release> named;  ///< the releases as they are named, of a selection those of one try
  bool selects = false;        ///< whether some release is the best of several tries
  std::vector<std::string> assumptions;
  std::optional<ShuffledInstead> shuffled;  ///< where that is another run and there is a theorem
  std::vector<Goal> only_proved{};          ///< of an adaptive budget's releases, which are composed as if fixed

  /// At that delta.
  [[nodiscard]] const Answer& answer() const;
  [[nodiscard]] bool converged() const;
  /// Says that nobody named the sampler, which is this one then; nothing where the name is empty.
  void assume_sampler(const std::string& sampler);
};

/// What a page is about unless somebody names a delta.
inline constexpr double usual_delta = 1e-6;

/// Throws DomainError unless 0 < delta < 1.
[[nodiscard]] Explanation explanation_of(const Composition& composition, double tolerance, Engine engine,
                                         double delta = usual_delta);

/// Of Poisson samples for a whole pass and more; nothing elsewhere, or where no theorem is known.
[[nodiscard]] std::optional<ShuffledInstead> shuffled_instead(const std::vector<Entry>& entries, double delta,
                                                              const Finding& poisson);

/// One page for a person.
[[nodiscard]] std::string page(const Explanation& explanation, const Composition& composition);

/// The same as one JSON object.
[[nodiscard]] OrderedJson explanation_fields(const Explanation& explanation, const Composition& composition,
                                             double tolerance);

}  // namespace pld
