#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiles.hpp"

namespace vectors {

using Json = nlohmann::ordered_json;

/// What to ask of one profile: delta at these epsilons, and epsilon at these deltas, looked for below `limit`. All of them are
/// exact in binary.
struct Questions {
  std::vector<double> epsilons, deltas;
  double limit = 1000;
};

/// A file of rows that share their method. See tests/vectors/README.md for the format.
struct Family {
  std::string file, method;
  Json rows = Json::array();

  /// One row for each question. Throws std::runtime_error where 30 digits are not certain.
  void add(const Json& mechanisms, const std::string& direction, const Profile& profile, const Questions& questions);
};

[[nodiscard]] Family gaussian_family();
[[nodiscard]] Family sampled_gaussian_family();
[[nodiscard]] Family laplace_family();
[[nodiscard]] Family additive_noise_family();
[[nodiscard]] Family randomized_response_family();
[[nodiscard]] Family approximate_dp_family();
[[nodiscard]] Family discrete_laplace_family();
[[nodiscard]] Family discrete_gaussian_family();
[[nodiscard]] Family binomial_family();
[[nodiscard]] Family selection_family();
[[nodiscard]] Family mixed_family();

}  // namespace vectors
