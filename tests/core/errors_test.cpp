#include "pld/core/errors.hpp"

#include <limits>
#include <string>

#include "support/checks.hpp"

TEST_CASE("core.require.names_argument_value_and_range") {
  const volatile double sigma = -1.5;
  std::string said;
  try {
    pld::require(sigma > 0, "gaussian", "sigma", sigma, "sigma > 0");
  } catch (const pld::DomainError& error) {
    said = error.what();
    CHECK(error.argument() == "sigma");
  }
  CHECK(said == "gaussian: sigma is -1.5, but must be > 0");
}

TEST_CASE("core.require.says what the argument must be") {
  struct Rule {
    const char *argument, *accepted, *said;
  };
  for (const auto& [argument, accepted, said] : {
           Rule{"delta", "0 < delta < 1", "above 0 and below 1"},
           Rule{"q", "0 <= q <= 1", "from 0 to 1"},
           Rule{"tpr", "fpr <= tpr <= 1", "from fpr to 1"},
           Rule{"s", "0 < s <= 2, an even number", "above 0 and at most 2, an even number"},
           Rule{"orders", "1.01 <= order <= 1e9, increasing", "from 1.01 to 1e9, increasing"},
           Rule{"alpha", "alpha > 1 and finite", "> 1 and finite"},
           Rule{"beta", "alpha < beta", "such that alpha < beta"},
           Rule{"q", "q = 1: nothing is known of samples", "1: nothing is known of samples"},
           Rule{"order", "a whole order >= 2", "a whole order >= 2"},
           Rule{"bound", "0.001 scale <= bound <= 700 scale", "from 0.001 scale to 700 scale"},
       })
    CHECK(std::string(pld::DomainError("f", argument, "7", accepted).what()) ==
          std::string("f: ") + argument + " is 7, but must be " + said);
}

TEST_CASE("core.require.nan_is_refused") {
  const volatile double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(pld::require(nan > 0, "gaussian", "sigma", nan, "sigma > 0"), pld::DomainError);
}
