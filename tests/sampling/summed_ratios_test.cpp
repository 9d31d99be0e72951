#include "sampling/summed_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pld/account/query.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// A pair that tells how many atoms were listed.
class CountsAtoms final : public DominatingPair {
 public:
  explicit CountsAtoms(PairPtr pair) : pair_(std::move(pair)) {}

  [[nodiscard]] LossRange range() const override { return pair_->range(); }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override {
    std::vector<LossCell> all = pair_->atoms(within);
    listed_ += all.size();
    return all;
  }
  [[nodiscard]] bool has_density() const override { return pair_->has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override { pair_->cells(edges, out); }
  [[nodiscard]] LossCell above(double z) const override { return pair_->above(z); }
  [[nodiscard]] LossCell below(double z) const override { return pair_->below(z); }
  [[nodiscard]] double loss_error(LossRange within) const override { return pair_->loss_error(within); }
  [[nodiscard]] std::vector<LossCell> outline() const override { return pair_->outline(); }

  [[nodiscard]] std::size_t listed() const { return listed_; }

 private:
  PairPtr pair_;
  mutable std::size_t listed_ = 0;
};

/// E (R - 1)_+ of a bound from below.
double gain(const RatioLaw& law) {
  double sum = 0;
  for (std::size_t i = 0; i < law.ratios.size(); ++i) sum += law.masses[i] * std::max(0.0, law.ratios[i] - 1);
  return sum;
}

// A ratio far beyond what all others add up to lies where a discrete Gaussian has nothing, 5e7 whole numbers away.
TEST_CASE("sampling.summed_ratios.lists_atoms_where_they_weigh") {
  constexpr double sigma = 9269, standard_deviations = 80;
  const PairPtr smooth = dominating_pair(Gaussian{.sigma = sigma}, Direction::remove);
  for (const std::int64_t steps : {1000, 100'000, 1'000'000}) {
    CAPTURE(steps);
    const CountsAtoms whole(dominating_pair(DiscreteGaussian{.sigma = sigma}, Direction::remove));
    const double found = gain(summed_ratios(whole, steps, 4, Direction::remove));
    CHECK(static_cast<double>(whole.listed()) < standard_deviations * sigma);
    CHECK(whole.listed() > sigma);
    // Of noise so wide whole numbers make no difference.
    const double want = gain(summed_ratios(*smooth, steps, 4, Direction::remove));
    CHECK((want > 0 || steps == 1'000'000));  // of these the masses' round-off hides all
    CHECK(std::fabs(found - want) <= 1e-3 * want);
  }
}

TEST_CASE("sampling.summed_ratios.wide_whole_noise_in_many_steps_is_answered") {
  const Composition run = Composition().add(randomly_allocated_to_several(DiscreteGaussian{.sigma = 9269}, 1e6, 4));
  const Answer found = epsilon(run, {.delta = 1e-5});
  CHECK(found.lower <= found.upper);
  CHECK(found.upper < epsilon(Composition().add(DiscreteGaussian{.sigma = 9269}, 4), {.delta = 1e-5}).upper);
  CHECK(found.lower >= -1e-4);
}

// Ratios that are all far off add up to many times what the others do: 1e9 whole numbers, of which 1e6 are told apart.
TEST_CASE("sampling.summed_ratios.as_many_sums_as_are_transformed") {
  const PairPtr pair = dominating_pair(Gaussian{.sigma = 0.1}, Direction::remove);
  for (const auto& [steps, participations] :
       {std::pair<std::int64_t, std::int64_t>{30'000, 1000}, {1'000'000'000, 1'000'000}}) {
    CAPTURE(steps);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const RatioLaw law = summed_ratios(*pair, steps, participations, direction);
      CHECK(!law.ratios.empty());
      double mass = 0, moment = 0;
      for (std::size_t i = 0; i < law.ratios.size(); ++i)
        mass += law.masses[i], moment += law.masses[i] * law.ratios[i];
      CHECK(mass <= 1);
      CHECK(moment <= 1);
    }
  }
  const Composition run = Composition().add(randomly_allocated_to_several(Gaussian{.sigma = 0.1}, 30'000, 1000));
  CHECK(epsilon(run, {.delta = 1e-5}).lower > 10);
}

}  // namespace
}  // namespace pld::test
