#pragma once

#include <string>
#include <vector>

#include "pld/account/composition.hpp"

namespace pld {

/// How often a private selection runs: a random number K, drawn apart from the data.
struct Tries {
  enum class Law {
    negative_binomial,  ///< truncated: K >= 1; shape 1 is the geometric law, 0 the logarithmic one
    poisson,            ///< K >= 0; with no run nothing is put out
  };
  Law law = Law::negative_binomial;
  double shape = 1;  ///< of the negative binomial law, from -0.99 to 100
  double gamma = 1;  ///< of the same, from 1e-9 to 1: the smaller, the more runs (geometric: 1 / gamma in the mean)
  double mean = 1;   ///< of the Poisson law, from 1e-3 to 1e6
};

/// "negative-binomial:shape=1,gamma=0.1" or "poisson:mean=10".
[[nodiscard]] std::string describe(const Tries& tries);

/// "best of poisson:mean=10 tries of 5 x gaussian:sigma=4", whose neighbours it does not tell; a selection that is
/// tried stands in brackets.
[[nodiscard]] std::string describe(const Tries& tries, const std::vector<Release>& run);

/// E K, rounded up by at most 3e-9 of it. Throws DomainError for a number out of range.
[[nodiscard]] double mean_of(const Tries& tries);

/// The best of K runs, by any order of their outputs, put out alone: hyperparameter tuning, where a run begins with a
/// hyperparameter drawn apart from the data (Liu, Talwar 2019; Papernot, Steinke 2022). Its pair is an upper bound,
/// from the run's profile at two places (docs/private_selection.md, with the proof; the form is that of Koskela,
/// Redberg, Wang 2024), for deltas of the run down to about 1e-40. Nothing is known from below. It is for compositions
/// of the run's own neighbours. Throws DomainError for numbers out of range. Safe to use from several threads.
[[nodiscard]] Mechanism private_selection(const Composition& run, const Tries& tries);

}  // namespace pld
