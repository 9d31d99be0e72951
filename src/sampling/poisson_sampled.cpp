#include "pld/sampling/poisson_sampled.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/opposite_integer_pair.hpp"
#include "sampling/opposite_pair.hpp"
#include "sampling/sampled_laws.hpp"

namespace pld {
namespace {

/// The text of a sample: poisson= where the base has a parameter q.
std::string sample_text(const std::string& base, double q) {
  return base + (base.find(",q=") == std::string::npos ? ",q=" : ",poisson=") + number_text(q);
}

/// Null where removing a record is no shift of symmetric log-concave noise that is positive everywhere.
PairPtr pair_of_opposite_values(const PairPtr& removal, double q, const PairPtr& replaced) {
  // Sampling lowers every divergence; and Q is at least (1-q) X: D_order(P || Q) <= D_order(P || X) - log(1-q).
  const double slope = std::min(replaced->renyi_slope(), round_up(removal->renyi_slope() - std::log1p(-q), 4));
  if (const auto family = removal->location_family(); family && family->noise->largest() == infinity)
    return std::make_shared<OppositePair>(*family, q, slope);
  if (const auto moved = std::dynamic_pointer_cast<const WholeOutcomePair>(removal); moved && moved->symmetric())
    return std::make_shared<OppositeIntegerPair>(moved, q, slope);
  return nullptr;
}

Law law_of_sample(const Mechanism& base, double q, Relation relation) {
  const Law unsampled = base.under(relation).law();
  std::string text = sample_text(unsampled.text, q);
  if (q == 0) return law_of_nothing(std::move(text));
  if (relation != Relation::replace_one) return one_sided_law(unsampled, q, std::move(text));
  if (unsampled.kind.guarantee)
    throw MissingTheorem(base.text() + " on a Poisson sample", "adjacency", "replace-one",
                         "add-remove, or sampling without replacement: samples with and without the record differ by a "
                         "removal, for which a guarantee under replace-one says nothing");
  const Law removal = base.under(Relation::add_remove).law();
  Law law;
  if (const PairPtr pair = pair_of_opposite_values(removal.remove, q, unsampled.remove)) {
    law = {std::move(text), pair, pair, removal.kind};
  } else {
    law = spliced_law(unsampled, q, std::move(text));
    law.kind.attained = Attainment::nowhere;
  }
  // One of the two records may contribute nothing.
  if (law.kind.attained != Attainment::together) law.below = attained_law(one_sided_law(removal, q, law.text));
  return law;
}

}  // namespace

Mechanism poisson_sampled(const Mechanism& mechanism, double q) {
  const StandardArithmetic arithmetic;
  require(q >= 0 && q <= 1, "poisson_sampled", "q", q, "0 <= q <= 1");
  if (q == 1) return mechanism;
  const auto& inner = mechanism.sampling();
  if (inner && !inner->numbers.contains("poisson"))
    throw MissingTheorem("poisson_sampled", "mechanism", mechanism.text(),
                         "one that is not on batches of fixed size: their share of a random sample is no number");
  const Mechanism& base = inner ? *inner->base : mechanism;
  const double rate = inner ? q * inner->numbers.at("poisson") : q;  // a sample of a sample is a sample
  return {sample_text(base.text(), rate),
          [base, rate](Relation relation) { return law_of_sample(base, rate, relation); },
          Mechanism::Sampling{std::make_shared<Mechanism>(base), {{"poisson", rate}}}};
}

}  // namespace pld
