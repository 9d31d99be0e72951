// The bound for compositions in which one large loss decides, against exact sums and the contour engine.
#include "compose/few_hits.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "compose/lattice_query.hpp"
#include "compose/release_moments.hpp"
#include "pld/compose/contour.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/exact_laws.hpp"

namespace {

using namespace pld;
using test::Outcomes;
using test::Real;

struct FiniteLaw {
  PairPtr pair;
  Outcomes outcomes;
};

/// Of these probabilities, rounded as the mechanism rounds them: divided by their sums.
FiniteLaw law_of(const std::vector<double>& p, const std::vector<double>& q) {
  Real p_sum = 0, q_sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) p_sum += p[i], q_sum += q[i];
  FiniteLaw law{Mechanism(MassTable{.p = p, .q = q}).pair(Direction::remove), {}};
  for (std::size_t i = 0; i < p.size(); ++i) law.outcomes.push_back({p[i] / p_sum, q[i] / q_sum});
  return law;
}

Real exact_log_delta(const std::vector<FiniteLaw>& laws, const std::vector<std::int64_t>& counts, double epsilon) {
  Outcomes all{{1, 1}};
  for (std::size_t j = 0; j < laws.size(); ++j) all = test::composed(all, test::repeated(laws[j].outcomes, counts[j]));
  return log(test::OutcomeProfile(all)(epsilon));
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Mostly small losses, one outcome or two of large ones, now and then of an infinite one.
  FiniteLaw law() {
    std::vector<double> p, q;
    const int plain = whole(1, 3), hits = whole(1, 2);
    const auto normalised = [](std::vector<double> x) {
      double sum = 0;
      for (const double v : x) sum += v;
      for (double& v : x) v /= sum;
      return x;
    };
    for (int i = 0; i < plain; ++i) q.push_back(log_uniform(0.1, 1)), p.push_back(q.back() * std::exp(uniform(-0.1, 0.1)));
    for (int i = 0; i < hits; ++i) p.push_back(log_uniform(1e-12, 1e-2)), q.push_back(p.back() * std::exp(-log_uniform(0.05, 10)));
    if (whole(0, 4) == 0) p.push_back(log_uniform(1e-14, 1e-6)), q.push_back(0);
    return law_of(normalised(p), normalised(q));
  }

 private:
  std::mt19937_64 random_;
};

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
    const double upper = FewHits(terms, std::fmin(about, -1e-3), epsilon).log_delta_upper(epsilon);
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

// Few hits among steps whose own losses are a hundredth of epsilon and less: the contour engine's digits, where it takes seconds or less.
TEST_CASE("compose.few_hits.sampled_gaussians") {
  struct Case {
    double sigma, q;
    std::int64_t count;
    double epsilon;
  };
  for (const Case& c : {Case{0.8, 1e-4, 10'000, 0.6},
                        {0.8, 1e-4, 10'000, 4.3},
                        {0.7, 1e-4, 3'000, 3},
                        {0.6, 1e-4, 3'000, 3},
                        {0.9, 1e-4, 30'000, 1}}) {
    const Terms terms{{poisson_sampled(Gaussian{.sigma = c.sigma}, c.q).pair(Direction::remove), c.count}};
    CAPTURE(c.sigma);
    CAPTURE(c.epsilon);
    const auto truth = contour_profile(terms, c.epsilon, 1e-7);
    REQUIRE(truth.has_value());
    REQUIRE(truth->log_delta.width() < 1e-3);
    const double single = LatticeQuery(terms).single_hits(c.epsilon).log_gain(c.epsilon);
    const double upper = FewHits(terms, single, c.epsilon).log_delta_upper(c.epsilon);
    CHECK(single <= truth->log_delta.upper);
    CHECK(truth->log_delta.lower <= upper);
    CHECK(upper - single < 0.8);
  }
}
