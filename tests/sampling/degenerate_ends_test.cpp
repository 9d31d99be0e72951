#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pld/account/query.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

constexpr Relation relations[] = {Relation::zero_out, Relation::replace_one, Relation::add_remove};

/// One of each kind of law: exact, of whole numbers, of few outcomes, exact alone.
const std::vector<std::string> bases{"gaussian:sigma=2", "laplace:scale=2", "discrete-gaussian:sigma=2",
                                     "randomized-response:p=0.75", "exponential:epsilon=0.5"};

Answer answer_to(const std::string& words, Relation relation) {
  return epsilon(composition_of({words}, relation), {.delta = 1e-5, .tolerance = 1e-4});
}

/// Two brackets of one number, of which as much is known.
void check_same(const std::string& words, const std::string& unsampled, Relation relation) {
  CAPTURE(words);
  CAPTURE(std::string(name(relation)));
  const Answer found = answer_to(words, relation), plain = answer_to(unsampled, relation);
  CHECK(found.exact == plain.exact);
  CHECK(found.lower <= plain.upper);
  CHECK(found.upper >= plain.lower);
  CHECK(found.upper <= plain.upper * (1 + 2e-3));
  CHECK(found.lower >= plain.lower * (1 - 2e-3));
}

TEST_CASE("sampling.degenerate_ends.a_scheme_that_takes_all_records_is_no_sampling") {
  for (const Relation relation : relations) {
    for (const std::string& base : bases) {
      for (const char* const scheme :
           {",q=1", ",shuffled=1", ",allocation=1", ",allocation=1,participations=1", ",allocation=1,passes=1",
            ",truncated=1,cap=6,records=5", ",truncated=1,cap=1000,records=1"})
        check_same(base + (base.front() == 'r' && scheme[1] == 'q' ? ",poisson=1" : scheme), base, relation);
      if (relation != Relation::add_remove) {
        check_same(base + ",wor=1", base, relation);
        check_same(base + ",batch=7,dataset=7", base, relation);
        check_same(base + ",truncated=1,cap=5,records=5", base, relation);
      }
    }
  }
}

// Of an exponential mechanism, which is exact alone, several releases have better bounds than their pair composed.
TEST_CASE("sampling.degenerate_ends.a_record_that_is_in_every_step_is_in_as_many_releases") {
  for (const Relation relation : relations)
    for (const std::string& base : bases)
      for (const char* const scheme : {",allocation=1,passes=3", ",allocation=3,participations=3"})
        if (base.front() != 'e') check_same(base + scheme, base + ",count=3", relation);
}

TEST_CASE("sampling.degenerate_ends.a_rate_is_poissons_where_nothing_is_cut") {
  for (const Relation relation : relations)
    check_same("gaussian:sigma=2,truncated=0.5,cap=6,records=5", "gaussian:sigma=2,q=0.5", relation);
}

// A neighbour with a record more leaves one out of its batch: n/(n+1) of the data, 1/2 at least and never all of them.
TEST_CASE("sampling.degenerate_ends.a_batch_of_all_data_under_add_remove_is_exceeded_by_nobody") {
  for (const std::string& base : bases) {
    CAPTURE(base);
    const Answer whole = answer_to(base + ",wor=1", Relation::add_remove);
    CHECK(!whole.exact);
    CHECK(whole.upper >= answer_to(base + ",wor=0.999999", Relation::add_remove).lower);
    CHECK(whole.upper <= answer_to(base, Relation::replace_one).upper * (1 + 2e-3));
    const Answer least = answer_to(base + ",wor=0.5,count=2", Relation::add_remove);
    CHECK(answer_to(base + ",wor=1,count=2", Relation::add_remove).lower >= least.lower * (1 - 2e-3));
    CHECK(whole.lower <= answer_to(base + ",wor=0.5", Relation::add_remove).upper);
  }
}

}  // namespace
}  // namespace pld::test
