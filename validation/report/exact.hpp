#pragma once

#include <string>

#include "pld/account/query.hpp"
#include "pld/bounds/step.hpp"
#include "pld/core/bracket.hpp"

namespace pld::validation {

/// The certified bracket of epsilon at delta, or of delta at epsilon, in the worse direction.
[[nodiscard]] Bracket exact_epsilon(const bounds::Steps& steps, double delta);
[[nodiscard]] Bracket exact_delta(const bounds::Steps& steps, double epsilon, Engine engine = Engine::automatic);

/// The randomized response whose largest loss is epsilon: no epsilon-DP mechanism is worse.
[[nodiscard]] RandomizedResponse worst_pure(double epsilon);

/// `count` releases of a Gaussian of sensitivity 1.
[[nodiscard]] bounds::Steps gaussian(double sigma, double count = 1, double q = 1);

/// "[0.521373, 0.521374]": as many digits as it takes to show the ends apart, 12 at most; one number where they agree.
[[nodiscard]] std::string text(const Bracket& bracket);

}  // namespace pld::validation
