#include "pld/sampling/truncated_poisson.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/mixture_pair.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

using Binomial =
    boost::math::binomial_distribution<double,
                                       boost::math::policies::policy<boost::math::policies::promote_double<true>>>;

constexpr double next_to_nothing = 1e-300;

/// P(Bin(n, q) >= m), m >= 1; 0 only where it cannot be.
double chance_of(double n, double q, double m) {
  if (m > n) return 0;
  return std::max(next_to_nothing, boost::math::cdf(boost::math::complement(Binomial(n, q), m - 1)));
}

/// P(Bin(n, q) < m), m >= 1; 0 only where it cannot be.
double chance_of_fewer(double n, double q, double m) {
  if (m > n) return 1;
  return q == 1 ? 0 : std::max(next_to_nothing, boost::math::cdf(Binomial(n, q), m - 1));
}

/// P(Bin(n, q) = m - 1, and one record more is drawn), m >= 1; 0 only where it cannot be.
double chance_of_last(double n, double q, double m) {
  if (m - 1 > n || (q == 1 && m - 1 < n)) return 0;
  return std::max(next_to_nothing, q * boost::math::pdf(Binomial(n, q), m - 1));
}

/// The parts of the mixture. A profile is convex in the rate of a sample, and nothing is lost at rate 0, so that a rate
/// larger by some share makes up for a weight smaller by that share: the rates hold what may be wrong with all.
struct Chances {
  double open = 0;         ///< that the others do not fill the batch
  double full = 0;         ///< that they do
  double last = 0;         ///< that they do with one record more, and not without, where there may be one more
  double rate = 0;         ///< of the record where they do not fill it
  double share = 0;        ///< of the record where they do
  double least_drawn = 0;  ///< that the record is in a batch, from below

  Chances(const TruncatedSample& sample, Relation relation) {
    const auto& [q, most, n] = sample;
    constexpr double doubt = 1e-9;  // of a chance by the incomplete beta function, by far
    const bool one_more = relation == Relation::add_remove;
    const double filled = chance_of(n - 1, q, most), overfull = chance_of(n, q, most + 1) * most / n;
    const double by_the_last = one_more ? chance_of_last(n - 1, q, most) : 0;
    const double unfilled = chance_of_fewer(one_more ? n : n - 1, q, most), whole = filled + by_the_last + unfilled;
    open = unfilled / whole;
    full = filled / whole;
    last = by_the_last / whole;
    rate = full + last > 0 ? std::min(1.0, q * (1 + 4 * doubt)) : q;
    share = std::min(rate, filled > 1e-290 ? overfull / filled * (1 + 8 * doubt) : rate);
    least_drawn = (q * chance_of_fewer(n - 1, q, most) + (filled > 1e-290 ? overfull : 0)) * (1 - 8 * doubt);
  }
};

struct Part {
  double log_weight;
  Law law;
};

/// What a release is, by whether the other records fill the batch.
std::vector<Part> parts_of(const Mechanism& base, const Chances& chances, Relation relation) {
  const double replacing = chances.full + chances.last;
  std::vector<Part> parts;
  const auto add = [&](double log_weight, const Mechanism& part) {
    parts.push_back({log_weight, part.under(relation).law()});
  };
  if (chances.open > 0)
    add(replacing < 0.5 ? std::log1p(-replacing) : std::log(chances.open), poisson_sampled(base, chances.rate));
  if (chances.last > 0) add(std::log(chances.last), without_replacement(base, chances.rate));
  if (chances.full > 0) add(std::log(chances.full), without_replacement(base, chances.share));
  return parts;
}

PairPtr mixed(const std::vector<Part>& parts, PairPtr Law::*order) {
  if (parts.size() == 1) return parts.front().law.*order;
  std::vector<MixturePair::Part> weighted;
  for (const Part& part : parts) weighted.push_back({part.log_weight, part.law.*order});
  return std::make_shared<MixturePair>(std::move(weighted));
}

SchemeByReplacement scheme_asked(Relation asked) {
  return {std::string("sampling under ") + name(asked), "a truncated Poisson sample",
          "one that is never cut (poisson, or cap > records) under add-remove or zero-out"};
}

/// The parts, in the words of who asked where they have no laws: batches that may be cut differ by a removal or by a
/// replacement, and a guarantee is of one of them.
std::vector<Part> known_parts_of(const Mechanism& base, const Chances& chances, Relation asked) {
  try {
    return parts_of(base, chances, asked);
  } catch (const MissingTheorem&) {
    const auto [argument, value, known] = scheme_asked(asked);
    if (base.under(Relation::replace_one).law().kind.guarantee && base.under(Relation::add_remove).law().kind.guarantee)
      throw MissingTheorem(base.text(), argument, value,
                           known +
                               ", or one without replacement (wor) under replace-one: batches that may be cut "
                               "differ by either, and a guarantee is of one of them");
    throw;
  }
}

Law law_of_truncated(const Mechanism& base, const TruncatedSample& sample, const std::string& words,
                     Relation relation) {
  if (sample.q == 0) return law_of_nothing(base.under(relation).law().text + words);
  const Chances chances(sample, relation);
  const bool may_be_cut = chances.full > 0 || chances.last > 0;
  if (may_be_cut) static_cast<void>(law_of_replacement(base, scheme_asked(relation)));
  std::string text = base.under(relation).law().text + words;
  const std::vector<Part> parts =
      may_be_cut ? known_parts_of(base, chances, relation) : parts_of(base, chances, relation);
  if (!may_be_cut) {  // there are no more records than the largest batch has
    Law law = parts.front().law;
    law.text = std::move(text);
    return law;
  }
  const auto any_part = [&](const auto& is) { return std::any_of(parts.begin(), parts.end(), is); };
  Law law;
  law.text = std::move(text);
  law.remove = mixed(parts, &Law::remove);
  law.add =
      any_part([](const Part& part) { return part.law.remove != part.law.add; }) ? mixed(parts, &Law::add) : law.remove;
  law.kind = {.attained = Attainment::nowhere,
              .guarantee = any_part([](const Part& part) { return part.law.kind.guarantee; }),
              .only_guaranteed = parts.front().law.kind.only_guaranteed};
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
