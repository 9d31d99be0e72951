#include "pld/sampling/shuffled.hpp"

#include <cmath>
#include <memory>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/mirrored_pair.hpp"
#include "sampling/sampled_laws.hpp"
#include "sampling/shuffled_maximum_pair.hpp"

namespace pld {
namespace {

/// The other records at -1 and the record at +1 move the batches by 2 where it is, counted from one without it: it is
/// then at 0 under zero-out, which leaves a move of 1, or at -1, which leaves none. Nothing of a guarantee, of which
/// the query behind it is not known, nor where two records are never opposite.
std::shared_ptr<const Law> attained_by_opposite_records(const Mechanism& base, double batches, Relation relation,
                                                        const std::string& text) {
  const Law removal = base.under(Relation::zero_out).law();
  const auto known = attained_law(removal);
  if (!known || removal.kind.guarantee) return nullptr;
  const auto gaussian = known->remove->sampled_gaussian();
  if (!gaussian || gaussian->q != 1) return nullptr;
  if (base.under(Relation::replace_one).law().kind.guarantee) return nullptr;
  const double mu = gaussian->mu;
  if (!(mu >= 1e-6 && mu <= 50)) return nullptr;  // next to nothing is lost, or next to everything
  const auto pair = std::make_shared<ShuffledMaximumPair>(2 * mu, relation == Relation::zero_out ? mu : 0.0, batches);
  return std::make_shared<const Law>(Law{text, pair, std::make_shared<MirroredPair>(pair)});
}

Law law_of_epoch(const Mechanism& base, double batches, Relation relation) {
  const std::string named = ",shuffled=" + number_text(batches);
  if (batches > 1 && relation != Relation::zero_out)
    static_cast<void>(law_of_replacement(base, {"adjacency of shuffled batches", name(relation), "zero-out"}));
  if (relation == Relation::add_remove && batches > 1)
    throw MissingTheorem(base.text() + named, "adjacency", "add-remove",
                         "zero-out or replace-one: without a record all later ones move up, and other batches change");
  Law law = base.under(relation).law();
  law.text += named;
  if (batches == 1) return law;
  law.below = attained_by_opposite_records(base, batches, relation, law.text);
  law.kind.attained = Attainment::nowhere;
  return law;
}

}  // namespace

Mechanism shuffled(const Mechanism& base, double batches) {
  const StandardArithmetic arithmetic;
  require(batches >= 1 && batches <= 1e9 && batches == std::floor(batches), "shuffled", "batches", batches,
          "a whole number, 1 <= batches <= 1e9");
  require_unsampled("shuffled", base, "of samples of shuffled batches no bound is known");
  const DrawnReleases drawn{base, 1,
                            [base, batches](Relation relation) { return law_of_epoch(base, batches, relation); }};
  return {base.text() + ",shuffled=" + number_text(batches), drawn.laws,
          Mechanism::Sampling{std::make_shared<Mechanism>(base), {{"shuffled", batches}}},
          [drawn](const Neighbours& neighbours) { return law_of_unsampled_group(drawn, neighbours); }};
}

}  // namespace pld
