#include "pld/sampling/truncated_poisson.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <memory>
#include <utility>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/mixture_pair.hpp"
#include "pld/core/rounding.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

using Binomial =
    boost::math::binomial_distribution<double,
                                       boost::math::policies::policy<boost::math::policies::promote_double<true>>>;

/// P(Bin(n, q) >= m), m >= 1; 0 only where it cannot be.
double chance_of(double n, double q, double m) {
  if (m > n) return 0;
  constexpr double next_to_nothing = 1e-300;
  return std::max(next_to_nothing, boost::math::cdf(boost::math::complement(Binomial(n, q), m - 1)));
}

/// The parts of the mixture. A profile is convex in the rate of a sample, and nothing is lost at rate 0, so that a rate
/// larger by some share makes up for a weight smaller by that share: the rates hold what may be wrong with both.
struct Chances {
  double full = 0;         ///< that the others fill the batch
  double rate = 0;         ///< of the record where they do not
  double share = 0;        ///< of the record where they do
  double least_drawn = 0;  ///< that the record is in a batch, from below

  explicit Chances(const TruncatedSample& sample) {
    const auto& [q, most, n] = sample;
    constexpr double doubt = 1e-9;  // of a chance by the incomplete beta function, by far
    const double filled = chance_of(n - 1, q, most), overfull = chance_of(n, q, most + 1) * most / n;
    const double open = most > n - 1 ? 1 : boost::math::cdf(Binomial(n - 1, q), most - 1);
    full = filled / (filled + open);
    rate = filled > 0 ? std::min(1.0, q * (1 + 4 * doubt)) : q;
    share = std::min(rate, filled > 1e-290 ? overfull / filled * (1 + 8 * doubt) : rate);
    least_drawn = (q * open + (filled > 1e-290 ? overfull : 0)) * (1 - 8 * doubt);
  }
};

PairPtr mixed(double weight_of_second, const PairPtr& first, const PairPtr& second) {
  return std::make_shared<MixturePair>(
      std::vector<MixturePair::Part>{{std::log1p(-weight_of_second), first}, {std::log(weight_of_second), second}});
}

Law law_of_truncated(const Mechanism& base, const TruncatedSample& sample, const std::string& words,
                     Relation relation) {
  std::string text = base.under(relation).law().text + words;
  if (sample.q == 0) return law_of_nothing(std::move(text));
  const Chances chances(sample);
  const Law drawn = poisson_sampled(base, chances.rate).under(relation).law();
  if (chances.full == 0) {  // there are no more records than the largest batch has
    Law law = drawn;
    law.text = std::move(text);
    return law;
  }
  const Law full = without_replacement(base, chances.share).under(relation).law();
  Law law;
  law.text = std::move(text);
  law.remove = chances.full == 1 ? full.remove : mixed(chances.full, drawn.remove, full.remove);
  law.add = chances.full == 1                                      ? full.add
            : full.remove == full.add && drawn.remove == drawn.add ? law.remove
                                                                   : mixed(chances.full, drawn.add, full.add);
  law.kind = {.attained = Attainment::nowhere,
              .guarantee = drawn.kind.guarantee || full.kind.guarantee,
              .only_guaranteed = drawn.kind.only_guaranteed};
  const Law alone = base.under(Relation::zero_out).law();
  if (!alone.kind.guarantee && chances.least_drawn > 0)
    law.below = attained_law(one_sided_law(alone, chances.least_drawn, law.text));
  return law;
}

}  // namespace

Mechanism truncated_poisson(const Mechanism& base, const TruncatedSample& sample) {
  const StandardArithmetic arithmetic;
  const auto& [q, most, n] = sample;
  const auto whole = [](double value) { return value >= 1 && value <= 1e9 && value == std::floor(value); };
  require(q >= 0 && q <= 1, "truncated_poisson", "q", q, "0 <= q <= 1");
  require(whole(most), "truncated_poisson", "largest batch", most, "a whole number from 1 to 1e9");
  require(whole(n), "truncated_poisson", "records", n, "a whole number from 1 to 1e9");
  require_unsampled("truncated_poisson", base, "of a sample of a sample cut to a size no bound is known");
  const std::string words = ",truncated=" + number_text(q) + ",cap=" + number_text(most) + ",records=" + number_text(n);
  const Mechanism::Laws laws = [base, sample, words](Relation relation) {
    return law_of_truncated(base, sample, words, relation);
  };
  return {base.text() + words, laws,
          Mechanism::Sampling{std::make_shared<Mechanism>(base),
                              {{"truncated_poisson", q}, {"largest_batch", most}, {"records", n}}},
          groups_of_fixed_number("truncated_poisson", {base, 1, laws})};
}

}  // namespace pld
