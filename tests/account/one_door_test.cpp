// delta asked for by itself and read off a profile: both doors are as narrow as was asked, for questions that only one
// of them could answer.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "pld/formats/mechanism_text.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

Composition composition_of(const std::vector<std::string>& words) {
  Composition run;
  for (const std::string& word : words) {
    const Release release = release_of(entry_from_text(word));
    run.add(release.mechanism, release.count);
  }
  return run;
}

void check_doors(const Composition& run, double epsilon) {
  constexpr double tolerance = 1e-3;
  const DeltaAnswer asked = delta(run, {.epsilon = epsilon, .tolerance = tolerance});
  const Bracket read = PrivacyProfile(run, {.tolerance = tolerance}).log_profile(epsilon).log_delta;
  CHECK(asked.converged);
  CHECK(asked.log_delta.width() <= std::log1p(tolerance));
  CHECK(read.width() <= std::log1p(tolerance));
  CHECK(std::max(asked.log_delta.lower, read.lower) <= std::min(asked.log_delta.upper, read.upper));
}

// Of three steps with rare hits a lattice tilted for one epsilon alone is 1.4 % wide at this tolerance.
TEST_CASE("account.one_door.few_hits") { check_doors(composition_of({"gaussian:sigma=0.5,q=6e-5,count=3"}), 5.27e-4); }

TEST_SUITE("slow") {
  TEST_CASE("account.one_door.few_hits_at_many_tolerances") {
    const Composition run = composition_of({"gaussian:sigma=0.5,q=6e-5,count=3"});
    for (const double tolerance : {2e-3, 1.1e-3, 6e-4}) {
      CAPTURE(tolerance);
      CHECK(delta(run, {.epsilon = 5.27e-4, .tolerance = tolerance}).converged);
    }
  }

  // Half the width asked, which a profile's pieces are made to, is more work than allowed.
  TEST_CASE("account.one_door.rare_hits_beside_gaussians") {
    const Composition run = composition_of({"laplace:scale=0.1,q=1e-5,count=1000", "gaussian:sigma=50,count=100"});
    for (const double epsilon : {1.0, 3.0, 5.0}) {
      CAPTURE(epsilon);
      check_doors(run, epsilon);
    }
  }
}

}  // namespace
}  // namespace pld::test
