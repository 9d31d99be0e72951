#pragma once

#include <functional>
#include <random>
#include <vector>

#include "pld/bounds/finite_pair.hpp"

namespace pld::validation {

/// A probability vector with entries over orders of magnitude; fixed seeds make the report repeatable.
[[nodiscard]] std::vector<double> random_masses(std::mt19937_64& random, std::size_t n);
[[nodiscard]] bounds::FinitePair random_pair(std::mt19937_64& random, std::size_t n);

[[nodiscard]] bounds::FinitePair swapped(const bounds::FinitePair& pair);

/// Leaky randomized response, than which no (epsilon, delta)-DP mechanism is worse: truth, lie, and what each side
/// alone can say.
[[nodiscard]] bounds::FinitePair leaky_response(double epsilon, double delta);

/// An output of `first` together with one of second[that output]: an adaptive composition.
[[nodiscard]] bounds::FinitePair adaptive(const bounds::FinitePair& first,
                                          const std::vector<bounds::FinitePair>& second);
[[nodiscard]] bounds::FinitePair product(const bounds::FinitePair& x, const bounds::FinitePair& y);

/// Weight 1 - share of one pair and share of another, on the same outcomes.
[[nodiscard]] bounds::FinitePair mixture(double share, const bounds::FinitePair& first,
                                         const bounds::FinitePair& second);

/// A post-processing: a probability vector over n outcomes for each one that comes in.
using Channel = std::vector<std::vector<double>>;
[[nodiscard]] Channel random_channel(std::mt19937_64& random, std::size_t inputs, std::size_t n);
[[nodiscard]] bounds::FinitePair image(const bounds::FinitePair& pair, const Channel& channel);
[[nodiscard]] bounds::FinitePair post_processed(std::mt19937_64& random, const bounds::FinitePair& pair, std::size_t n);

/// E_Q f(P/Q) outcome by outcome, straight from the definition. Precondition: no mass of q is 0.
[[nodiscard]] double f_divergence(const bounds::FinitePair& pair, const std::function<double(double)>& f);

/// H_x(P||Q) = sum of (p - x q)_+, which is delta at epsilon = log x.
[[nodiscard]] double hockey_stick(const bounds::FinitePair& pair, double x);

/// The least delta of the pair at epsilon, both ways.
[[nodiscard]] double worse_delta(const bounds::FinitePair& pair, double epsilon);

}  // namespace pld::validation
