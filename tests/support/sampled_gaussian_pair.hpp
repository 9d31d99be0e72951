#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pairs/term.hpp"

namespace pld::test {

/// A pair that only knows its law: what the contour engine asks of one.
class SampledGaussianPair : public DominatingPair {
 public:
  explicit SampledGaussianPair(SampledGaussianLaw law) : law_(law) {}
  [[nodiscard]] LossRange range() const override { return {}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange) const override { return {}; }
  [[nodiscard]] bool has_density() const override { return true; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double) const override { return {}; }
  [[nodiscard]] LossCell below(double) const override { return {}; }
  [[nodiscard]] double loss_error(LossRange) const override { return 0; }
  [[nodiscard]] std::vector<LossCell> outline() const override { return {}; }
  [[nodiscard]] std::optional<SampledGaussianLaw> sampled_gaussian() const override { return law_; }

 private:
  SampledGaussianLaw law_;
};

inline Term sampled_gaussian(double sigma, double q, std::int64_t count, Direction direction) {
  return {std::make_shared<SampledGaussianPair>(SampledGaussianLaw{1 / sigma, q, direction}), count};
}

}  // namespace pld::test
