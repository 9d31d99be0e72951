#include "account/least_bound.hpp"

#include <vector>

#include "pld/account/answer.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

Answer bound(double lower, double upper) {
  Answer out;
  static_cast<Bracket&>(out) = {lower, upper, upper};
  out.converged = true;
  return out;
}

TEST_CASE("account.least_bound.one_that_may_be_the_least_is_found_closely") {
  constexpr double fine = 1e-3;
  std::vector<std::vector<double>> asked(3);
  const auto find = [&](std::size_t i, double tolerance) {
    asked[i].push_back(tolerance);
    const bool closely = tolerance <= fine;
    if (i == 0) return closely ? bound(-0.0034, -0.0033) : bound(-0.0158, -2e-6);  // roughly it is the largest
    if (i == 1) return bound(-0.0003, -0.0003);
    return bound(0.5, 0.6);  // of no use, however closely
  };
  const std::vector<Answer> bounds = upper_bounds(3, fine, find);
  CHECK(bounds[0].upper == -0.0033);
  CHECK(bounds[1].upper == -0.0003);
  CHECK(asked[0].back() == fine);
  CHECK(asked[2].size() == 1);
}

}  // namespace
}  // namespace pld
