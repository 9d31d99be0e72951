#include "sampling/shift_mixture.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_50;

/// log sum_j C(k, j) q^j (1 - q)^(k - j) e^{loss_j}, loss_0 = 0.
Exact exact_loss(int group, double q, const std::vector<Exact>& losses) {
  const Exact rate(q);
  Exact weight = pow(1 - rate, group), sum = weight;
  for (int j = 0; j < group; ++j) {
    weight *= Exact(group - j) / (j + 1) * rate / (1 - rate);
    sum += weight * exp(losses[static_cast<std::size_t>(j)]);
  }
  return log(sum);
}

TEST_CASE("sampling.shift_mixture.losses are off by no more than told") {
  std::mt19937 generator(7);
  const auto drawn = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  };
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const int group = static_cast<int>(drawn(1, 12));
    const double q = std::pow(10, drawn(-9, -0.1)), size = std::pow(10, drawn(-12, 1)),
                 off = size * std::pow(10, drawn(-20, -8));
    std::vector<double> losses;
    std::vector<Exact> exact;
    std::vector<ShiftMixture::Told> told;
    for (int j = 0; j < group; ++j) {
      const double loss = drawn(-size, size), error = drawn(0, off);
      losses.push_back(loss);
      exact.push_back(Exact(loss) + (drawn(-1, 1) > 0 ? 1 : -1) * Exact(error));
      told.push_back({{loss, loss}, error});
    }
    CAPTURE(group);
    CAPTURE(q);
    CAPTURE(size);
    const ShiftMixture mixture(group, q);
    const Exact truth = exact_loss(group, q, exact);
    const auto miss = static_cast<double>(abs(truth - Exact(mixture.loss(losses))));
    const double most = mixture.loss_error(told);
    CHECK(miss <= most);
    worst = std::max(worst, miss / most);
    // Near 0 they keep their digits.
    if (size < 0.9 && off < 1e-17 * size) CHECK(most <= 1e-14 * (1 - std::log(q)) * group * q * group * size);
  }
  CHECK(worst > 0.3);
}

// Losses pile up next to the largest one: what lies within their error of it is a share of the tail.
TEST_CASE("sampling.shift_mixture.groups of bounded losses are told as narrowly as one record") {
  for (const char* noise : {"logistic:scale=2.265", "sinh-normal:sigma=2,a=3", "generalized:shape=1.5,scale=2"}) {
    for (const int count : {30, 100, 1000, 23594}) {
      for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
        CAPTURE(noise);
        CAPTURE(count);
        const Composition run = composition_of({noise + std::string(",q=0.00372,count=") + std::to_string(count)},
                                               Neighbours(Relation::add_remove, 2));
        CHECK(epsilon(run, {.delta = 1e-7, .direction = direction}).converged);
      }
    }
  }
}

}  // namespace
}  // namespace pld::test
