// Levels are kept, exactly where the law of what is observed is known, and in simulated audits; and data have power.
#include "pld/audit/evidence.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

AttackFrontier frontier_of(const Mechanism& mechanism, std::int64_t count = 1) {
  return AttackFrontier::of(PrivacyProfile(Composition().add(mechanism, count)));
}

double normal_cdf(double x) { return boost::math::cdf(boost::math::normal(), x); }

/// P(X >= k)
double binomial_tail(std::int64_t k, std::int64_t n, double p) {
  if (k == 0) return 1;
  return boost::math::cdf(boost::math::complement(boost::math::binomial_distribution<double>(static_cast<double>(n), p),
                                                  static_cast<double>(k - 1)));
}

TEST_CASE("audit.frontier.of_known_mechanisms_from_just_outside") {
  const AttackFrontier gaussian = frontier_of(Gaussian{.sigma = 0.5});
  const AttackFrontier response = frontier_of(RandomizedResponse{.p = 0.75});
  const AttackFrontier claim = AttackFrontier::of_claim(std::log(3.0), 0);
  for (const double rate : {0.0, 1e-4, 0.02, 0.2, 0.5, 0.9, 1.0}) {
    CAPTURE(rate);
    const double at = gaussian.most_true_positives(rate);
    const double truth = rate == 0   ? 0
                         : rate == 1 ? 1
                                     : normal_cdf(boost::math::quantile(boost::math::normal(), rate) + 2);
    CHECK(at >= truth);
    CHECK(at <= truth * 1.003 + 1e-9);
    const double of_response = std::fmin(3 * rate, 1 - (1 - rate) / 3);
    CHECK(claim.most_true_positives(rate) >= of_response * (1 - 1e-15));
    CHECK(claim.most_true_positives(rate) <= of_response * (1 + 1e-14) + 1e-15);
    CHECK(response.most_true_positives(rate) >= of_response * (1 - 1e-15));
    CHECK(response.most_true_positives(rate) <= of_response * 1.01 + 1e-11);
  }
  CHECK_THROWS_AS((void)claim.most_true_positives(-0.1), DomainError);
  CHECK_THROWS_AS((void)AttackFrontier::of_claim(-1, 0), DomainError);
  CHECK_THROWS_AS((void)AttackFrontier::of_claim(1, 1.5), DomainError);
}

TEST_CASE("audit.frontier.knows_who_is_in") {
  // With the record the first outcome is sure; without it, it is as likely as the other.
  const Mechanism sure = MassTable{.p = {1, 0}, .q = {0.5, 0.5}};
  const RunCounts as_it_is{1000, 1000, 500, 1000}, swapped{500, 1000, 0, 1000};
  CHECK(Evidence::of(as_it_is).p_value(frontier_of(sure)) == 1);
  CHECK(Evidence::of(swapped).p_value(frontier_of(sure)) < 1e-10);
  const auto replaced =
      AttackFrontier::of(PrivacyProfile(Composition(Relation::replace_one).add(RandomizedResponse{.p = 0.9})));
  for (const auto& line : replaced.lines()) CHECK(line.delta_in == line.delta_out);
}

TEST_CASE("audit.clopper_pearson.limits_of_textbooks") {
  // scipy.stats.beta.ppf(0.025, 900, 101) = 0.87971206348, beta.ppf(0.975, 21, 980) = 0.03072003268
  const double least = 0.87971206348, most = 0.03072003268;
  const Evidence evidence = Evidence::of(RunCounts{900, 1000, 20, 1000});
  CHECK_REL(evidence.refuted_epsilon(0, 0.95), std::log(least / most), 1e-6);
  CHECK_REL(evidence.refuted_epsilon(1e-3, 0.95), std::log((least - 1e-3) / most), 1e-6);
  // The complement: no wrong "out" among so many.
  const Evidence complement = Evidence::of(RunCounts{1000, 1000, 800, 1000});
  CHECK(complement.refuted_epsilon(0, 0.95) > 3);
  CHECK(Evidence::of(RunCounts{20, 1000, 900, 1000}).refuted_epsilon(0, 0.95) == 0);
  CHECK(evidence.refuted_epsilon(1, 0.95) == 0);
}

/// Every number of right guesses has a p-value above the probability of as many or more: no level is exceeded.
void check_never_below(std::int64_t guessed, std::int64_t canaries, double right, const AttackFrontier& truth) {
  for (std::int64_t correct = 0; correct <= guessed; correct += std::max<std::int64_t>(1, guessed / 40)) {
    CAPTURE(correct);
    const Evidence evidence = Evidence::of(RunGuesses{correct, guessed, canaries});
    const double tail = binomial_tail(correct, guessed, right);
    for (const AuditTest test : evidence.tests()) {
      CAPTURE(name(test));
      CHECK(evidence.p_value(truth, test) >= tail * (1 - 1e-9));
    }
  }
}

TEST_CASE("audit.one_run.keeps_every_level_where_canaries_are_answered_one_by_one") {
  for (const std::int64_t canaries : {1, 5, 60, 400}) {
    CAPTURE(canaries);
    check_never_below(canaries, canaries, 0.75, AttackFrontier::of_claim(std::log(3.0), 0));
    check_never_below(canaries, canaries, 0.75, frontier_of(RandomizedResponse{.p = 0.75}));
    // The best guess of a canary behind Gaussian noise is the side of half of its length it lies on.
    check_never_below(canaries, canaries, normal_cdf(0.5), frontier_of(Gaussian{.sigma = 1}));
    check_never_below(canaries, canaries, normal_cdf(1.5), frontier_of(Gaussian{.sigma = 1.0 / 3}));
  }
}

TEST_CASE("audit.one_run.of_pure_claims_is_the_binomial_tail") {
  const AttackFrontier claim = AttackFrontier::of_claim(1, 0);
  for (const std::int64_t correct : {60, 75, 90, 100}) {
    const double tail = binomial_tail(correct, 100, 1 / (1 + std::exp(-1.0)));
    CHECK_REL(Evidence::of(RunGuesses{correct, 100, 1000}).p_value(claim, AuditTest::one_run), tail, 1e-8);
  }
}

TEST_CASE("audit.one_run.term_in_delta_by_plain_sums") {
  for (const std::int64_t m : {100, 300}) {
    const std::int64_t r = 100;
    const double epsilon = 0.7, delta = 1e-4, q = 1 / (1 + std::exp(-epsilon));
    for (const std::int64_t v : {1, 20, 60, 66, 67, 68, 70, 80, 95, 100}) {
      CAPTURE(v);
      const double tail = binomial_tail(v, r, q);
      const double mass = boost::math::pdf(boost::math::binomial_distribution<double>(r, q), static_cast<double>(v));
      const double below =
          boost::math::cdf(boost::math::binomial_distribution<double>(r, q), static_cast<double>(v - 1));
      const double found =
          Evidence::of(RunGuesses{v, r, m}).p_value(AttackFrontier::of_claim(epsilon, delta), AuditTest::one_run);
      CHECK_REL(found,
                std::fmin(1.0, tail + static_cast<double>(m) * delta * tail / mass * below / static_cast<double>(v)),
                1e-7);
    }
  }
}

TEST_CASE("audit.one_run.a_mechanism_that_never_guesses_all_wrong") {
  // Of m coins it tells any row but the one that is wrong everywhere, each with probability delta = 1 / (2^m - 1): two
  // laws differ in one row each, so it is (0, delta)-DP, and one guess is always right. Theorem 5.2's formula has
  // 1 - 2^-m + 2 m delta 2^-m for that, below 1 from m = 3 on.
  for (const int m : {2, 3, 4, 8, 16}) {
    CAPTURE(m);
    const double delta = round_up(1 / (std::exp2(m) - 1));
    CHECK(Evidence::of(RunGuesses{1, m, m}).p_value(AttackFrontier::of_claim(0, delta)) == 1);
  }
}

/// The most probability of `correct` right guesses or more that the constraints leave, by searching over all laws of
/// four numbers: what GuessConstraints::exclude() finds by going down from `correct`.
double most_probable(double slope, double offset, std::int64_t correct) {
  constexpr int steps = 60, guesses = 3;
  double most = 0;
  for (int a = 0; a <= steps; ++a) {
    for (int b = 0; a + b <= steps; ++b) {
      for (int c = 0; a + b + c <= steps; ++c) {
        const double p[] = {a / double{steps}, b / double{steps}, c / double{steps},
                            (steps - a - b - c) / double{steps}};
        double right = 0, wrong = 0, tail = 0;
        bool allowed = true;
        for (int l = guesses; l >= 1; --l) {
          right += l * p[l];
          wrong += (guesses - l + 1) * p[l - 1];
          allowed = allowed && right <= offset + slope * wrong + 1e-12;
          if (l >= correct) tail += p[l];
        }
        if (allowed) most = std::fmax(most, tail);
      }
    }
  }
  return most;
}

TEST_CASE("audit.one_run_f_dp.is_what_the_constraints_leave") {
  for (const double epsilon : {0.3, 1.0, 2.0}) {
    for (const double delta : {0.0, 0.02}) {
      for (const std::int64_t correct : {1, 2, 3}) {
        CAPTURE(epsilon);
        CAPTURE(delta);
        CAPTURE(correct);
        const double searched = most_probable(std::exp(epsilon), 5 * delta, correct);
        const double found = Evidence::of(RunGuesses{correct, 3, 5})
                                 .p_value(AttackFrontier::of_claim(epsilon, delta), AuditTest::one_run_f_dp);
        CHECK(found >= searched - 1e-9);
        CHECK(found <= searched + 0.06);  // the grid's step, and the claim's mirrored line, which is not searched with
      }
    }
  }
}

TEST_CASE("audit.one_run_f_dp.the_certified_frontier_refutes_more_than_the_gaussian_that_covers_it") {
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 0.7}, 0.05), 20);
  const PrivacyProfile profile(run);
  const AttackFrontier certified = AttackFrontier::of(profile);
  const double mu = compare_with_gaussian(profile, 1e-10).smallest_mu.upper;
  const AttackFrontier gaussian = frontier_of(Gaussian{.sigma = 1 / mu});
  bool all_alone = false;
  for (const std::int64_t correct : {420, 480, 520, 560}) {
    const Evidence evidence = Evidence::of(RunGuesses{correct, 600, 1000});
    const double sharp = evidence.p_value(certified, AuditTest::one_run_f_dp);
    const double blunt = evidence.p_value(gaussian, AuditTest::one_run_f_dp);
    CHECK(sharp <= blunt);
    all_alone = all_alone || (sharp <= 0.05 && blunt > 0.05);
  }
  CHECK(all_alone);
}

Scores gaussian_scores(std::mt19937_64& random, int in, int out, double distance) {
  std::normal_distribution<double> noise;
  Scores scores;
  for (int i = 0; i < in; ++i) scores.in.push_back(noise(random) + distance);
  for (int i = 0; i < out; ++i) scores.out.push_back(noise(random));
  return scores;
}

/// What is audited: scores with the record in and out, those of the best attack, and what they are the scores of.
struct Audited {
  std::string name;
  Composition composition;
  std::function<double(std::mt19937_64&, bool in)> score;
};

Audited of_noise() {
  return {"Gaussian noise, sigma 0.5", Composition().add(Gaussian{.sigma = 0.5}),
          [](std::mt19937_64& random, bool in) { return std::normal_distribution<double>(in ? 2 : 0)(random); }};
}

/// The loss of ten releases on Poisson samples, whose two directions differ.
Audited of_samples() {
  return {"ten samples of rate 0.3, sigma 0.5", Composition().add(poisson_sampled(Gaussian{.sigma = 0.5}, 0.3), 10),
          [](std::mt19937_64& random, bool in) {
            double loss = 0;
            for (int step = 0; step < 10; ++step) {
              const bool drawn = in && std::bernoulli_distribution(0.3)(random);
              const double x = std::normal_distribution<double>(drawn ? 2 : 0)(random);
              loss += std::log(0.7 + 0.3 * std::exp(2 * x - 2));
            }
            return loss;
          }};
}

/// Ways to look at the scores of 100 runs each, or of one run of 200 canaries.
const std::vector<std::string> ways = {"rates of independent runs", "scores of independent runs", "guesses of one run",
                                       "scores of one run"};

Evidence seen(std::mt19937_64& random, const Audited& audited, const std::string& way) {
  constexpr int canaries = 200;
  constexpr double threshold = 1;
  const bool one_run = way.ends_with("one run");
  const int in = one_run ? std::binomial_distribution<int>(canaries, 0.5)(random) : canaries / 2;
  Scores scores;
  for (int i = 0; i < in; ++i) scores.in.push_back(audited.score(random, true));
  for (int i = in; i < canaries; ++i) scores.out.push_back(audited.score(random, false));
  if (way.starts_with("scores")) return one_run ? Evidence::of_one_run(scores) : Evidence::of_independent_runs(scores);
  const auto above = [](const std::vector<double>& all) {
    return std::count_if(all.begin(), all.end(), [](double score) { return score > threshold; });
  };
  const std::int64_t hits = above(scores.in), alarms = above(scores.out);
  if (one_run) return Evidence::of(RunGuesses{hits + canaries - in - alarms, canaries, canaries});
  return Evidence::of(RunCounts{hits, in, alarms, canaries - in});
}

/// Of so many audits, how many refute each hypothesis at each level: by hypothesis, then by level.
std::vector<std::vector<int>> refuted(int audits, const Audited& audited, const std::string& way,
                                      const std::vector<AttackFrontier>& hypotheses,
                                      const std::vector<double>& levels) {
  std::mt19937_64 random(20261123);
  std::vector<std::vector<int>> found(hypotheses.size(), std::vector<int>(levels.size()));
  for (int i = 0; i < audits; ++i) {
    const Evidence evidence = seen(random, audited, way);
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
      const double p = evidence.p_value(hypotheses[h]);
      for (std::size_t l = 0; l < levels.size(); ++l) found[h][l] += p <= levels[l] ? 1 : 0;
    }
  }
  return found;
}

/// False alarms: what is true of a mechanism is refuted no more often than the level says.
void check_levels(const Audited& audited, int audits) {
  const double delta = 1e-3;
  const double epsilon = pld::epsilon(audited.composition, {.delta = delta}).upper;
  const std::vector<double> levels = {0.01, 0.05, 0.5};
  const std::vector<std::string> names = {"its own frontier", "its epsilon at delta 0.001"};
  for (const std::string& way : ways) {
    const auto found = refuted(
        audits, audited, way,
        {AttackFrontier::of(PrivacyProfile(audited.composition)), AttackFrontier::of_claim(epsilon, delta)}, levels);
    for (std::size_t h = 0; h < names.size(); ++h) {
      for (std::size_t l = 0; l < levels.size(); ++l) {
        const std::string setting = audited.name + ", " + way + ", against " + names[h];
        CAPTURE(setting);
        MESSAGE(found[h][l], " false alarms of ", audits, " audits at level ", levels[l], ": ", setting);
        CHECK(found[h][l] <= levels[l] * audits);
      }
    }
  }
}

/// Power: how often a composition with twice the noise is refuted, by its own frontier and by that of the Gaussian
/// noise that covers it.
void check_power(const Audited& audited, const Composition& claimed, int audits) {
  const PrivacyProfile profile(claimed);
  const double mu = compare_with_gaussian(profile, 1e-10).smallest_mu.upper;
  for (const std::string& way : ways) {
    const auto found =
        refuted(audits, audited, way, {AttackFrontier::of(profile), frontier_of(Gaussian{.sigma = 1 / mu})}, {0.05});
    const std::string setting = audited.name + ", " + way + ", against noise of sigma 1";
    CAPTURE(setting);
    MESSAGE(found[0][0], " refuted by the frontier, ", found[1][0], " by the covering Gaussian's, of ", audits, ": ",
            setting);
    CHECK(found[0][0] >= found[1][0]);
  }
}

void check_audits(int audits) {
  for (const Audited& audited : {of_noise(), of_samples()}) check_levels(audited, audits);
  check_power(of_noise(), Composition().add(Gaussian{.sigma = 1}), audits);
  check_power(of_samples(), Composition().add(poisson_sampled(Gaussian{.sigma = 1}, 0.3), 10), audits);
}

TEST_CASE("audit.evidence.simulated_audits") {
  check_audits(5);
  const auto found = refuted(60, of_noise(), "scores of one run", {frontier_of(Gaussian{.sigma = 2})}, {0.05});
  CHECK(found[0][0] >= 45);
}

TEST_SUITE("slow") {
  TEST_CASE("audit.evidence.two_thousand_simulated_audits") { check_audits(2000); }
}

/// The p-value of the luckiest threshold, as if no other had been tried.
double luckiest(const Scores& scores, const AttackFrontier& hypothesis) {
  std::vector<double> out = scores.out;
  std::sort(out.begin(), out.end(), std::greater<>());
  double least = 1;
  for (std::size_t rank = 1; rank <= out.size(); rank *= 2) {
    const auto above =
        std::count_if(scores.in.begin(), scores.in.end(), [&](double score) { return score > out[rank - 1]; });
    const RunCounts counts{above, static_cast<std::int64_t>(scores.in.size()), static_cast<std::int64_t>(rank) - 1,
                           static_cast<std::int64_t>(out.size())};
    least = std::fmin(least, Evidence::of(counts).p_value(hypothesis));
  }
  return least;
}

TEST_CASE("audit.evidence.choosing_among_thresholds_is_paid_for") {
  // No information: of ten thresholds one looks significant far too often.
  std::mt19937_64 random(7);
  const AttackFrontier nothing = AttackFrontier::of_claim(0, 0);
  constexpr int audits = 60;
  constexpr double level = 0.2;
  int alarms = 0, unpaid = 0;
  for (int i = 0; i < audits; ++i) {
    const Scores scores = gaussian_scores(random, 20000, 1000, 0);
    if (Evidence::of_independent_runs(scores).p_value(nothing) <= level) ++alarms;
    if (luckiest(scores, nothing) <= level) ++unpaid;
  }
  CAPTURE(alarms);
  CAPTURE(unpaid);
  CHECK(alarms <= level * audits);
  CHECK(unpaid > 1.4 * level * audits);
}

TEST_CASE("audit.evidence.equal_scores_are_cut_against_the_auditor") {
  const Scores all_equal{{1, 1, 1, 1}, {1, 1, 1, 1}};
  const AttackFrontier nothing = AttackFrontier::of_claim(0, 0);
  CHECK(Evidence::of_one_run(all_equal).p_value(nothing) == 1);
  CHECK(Evidence::of_independent_runs(all_equal).p_value(nothing) == 1);
}

TEST_CASE("audit.evidence.bad_input") {
  CHECK_THROWS_AS((void)Evidence::of(RunCounts{1, 0, 0, 1}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of(RunCounts{2, 1, 0, 1}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of(RunCounts{1, 1, -1, 1}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of(RunGuesses{1, 2, 1}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of(RunGuesses{3, 2, 5}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of(RunGuesses{1, 1, 2'000'000}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of_one_run({{1, NAN}, {0}}), DomainError);
  CHECK_THROWS_AS((void)Evidence::of_independent_runs({{}, {0}}), DomainError);
  const Evidence evidence = Evidence::of(RunCounts{1, 1, 0, 1});
  CHECK_THROWS_AS((void)evidence.refuted_epsilon(0, 1), DomainError);
  CHECK_THROWS_AS((void)evidence.refuted_epsilon(-1, 0.5), DomainError);
  for (const AuditTest other : {AuditTest::one_run, AuditTest::one_run_f_dp}) {
    CHECK_THROWS_AS((void)evidence.refuted_epsilon(0, 0.5, other), DomainError);
    CHECK_THROWS_AS((void)evidence.p_value(AttackFrontier::of_claim(1, 0), other), DomainError);
  }
  CHECK_THROWS_AS((void)Evidence::of(RunGuesses{1, 2, 5}).refuted_epsilon(0, 0.5, AuditTest::clopper_pearson),
                  DomainError);
}

}  // namespace
}  // namespace pld::test
