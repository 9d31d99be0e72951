// The bound for compositions in which one large loss decides, against exact sums and the contour engine.
#include "engines/rare_losses/few_hits.hpp"

#include <cmath>
#include <vector>

#include "engines/contour/contour.hpp"
#include "engines/rare_hits.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pairs/release_moments.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"

namespace {

using namespace pld;
using test::Draw;
using test::FiniteLaw;
using test::law_of;
using test::Real;

}  // namespace

TEST_CASE("compose.few_hits.is_no_less_than_exact_sums") {
  Draw draw(11);
  int narrow = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<FiniteLaw> laws;
    std::vector<std::int64_t> counts;
    Terms terms;
    for (int j = draw.whole(1, 2); j > 0; --j) {
      laws.push_back(draw.law());
      counts.push_back(draw.whole(1, 5));
      terms.push_back({laws.back().pair, counts.back()});
    }
    const double epsilon = draw.log_uniform(0.02, 8);
    const Real exact = exact_log_delta(laws, counts, epsilon);
    if (!(exact > -1e4)) continue;
    CAPTURE(i);
    CAPTURE(epsilon);
    const double about = static_cast<double>(exact) + draw.uniform(-4, 4);
    const FewHits hits(terms, std::fmin(about, -1e-3), epsilon);
    const double upper = hits.log_delta_upper(epsilon);
    for (const double known : {upper - 1, upper, upper / (1 + 1e-9), upper / 2})
      CHECK(hits.log_delta_upper(epsilon, known) == std::fmin(known, upper));
    CHECK(exact <= Real(upper));
    narrow += upper < exact + 0.1;
  }
  MESSAGE("within a tenth of a nat: ", narrow);
  CHECK(narrow > 30);
}

// Of a thousand atoms and more the outline has several as one: none of them may be lost to the moments.
TEST_CASE("compose.few_hits.tables_of_a_thousand_outcomes") {
  for (const int n : {998, 999, 1500}) {
    std::vector<double> p{0.9}, q{0.9 * std::exp(0.1)};
    double p_sum = 0, q_sum = 0;
    for (int i = 1; i < n; ++i) p.push_back(0.1 / n), q.push_back(0.1 / n * std::exp(-(0.001 + 1e-6 * i)));
    p.push_back(1e-3), q.push_back(1e-3 * std::exp(-1.5));
    for (std::size_t i = 0; i < p.size(); ++i) p_sum += p[i], q_sum += q[i];
    for (std::size_t i = 0; i < p.size(); ++i) p[i] /= p_sum, q[i] /= q_sum;
    const FiniteLaw law = law_of(p, q);
    CAPTURE(n);
    Real moment = 0;  // E e^{z/2}
    for (const auto& [a, b] : law.outcomes) moment += a * sqrt(Real(a / b));
    const double upper = ReleaseMoments(law.pair, infinity, 1000).log_moment_upper(0.5);
    CHECK(log(moment) <= upper);
    CHECK(upper <= log(moment) + 1e-6);
    const Real e = exp(Real(1));
    Real delta = 0;  // of two releases at epsilon 1
    for (const auto& [p1, q1] : law.outcomes)
      for (const auto& [p2, q2] : law.outcomes) delta += fmax(p1 * p2 - e * q1 * q2, Real(0));
    CHECK(log(delta) <= FewHits({{law.pair, 2}}, static_cast<double>(log(delta)), 1).log_delta_upper(1));
  }
}

TEST_CASE("compose.few_hits.sampled_gaussians") {
  for (const auto& c : test::rarely_hit_gaussians()) {
    const Terms terms = c.terms();
    CAPTURE(c.sigma);
    CAPTURE(c.epsilon);
    const Bracket truth = c.log_delta();
    const double single = hits_above(terms, c.epsilon).log_gain(c.epsilon);
    const double upper = FewHits(terms, single, c.epsilon).log_delta_upper(c.epsilon);
    CHECK(single <= truth.upper);
    CHECK(truth.lower <= upper);
    CHECK(upper - single < 0.8);
  }
}
