#include "pld/ledger/privacy_filter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "formats/refusals.hpp"
#include "formats/tries_text.hpp"
#include "pld/account/query.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/divergence.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

constexpr Relation add_remove = Relation::add_remove;

/// A release of few losses, for the adversary below.
struct Choice {
  Entry entry;
  std::vector<std::pair<double, double>> atoms;  // loss and P mass
};

Choice randomized_response(double epsilon) {
  const double p = 1 / (1 + std::exp(-epsilon));
  return {{.type = "dp", .parameters = {{"epsilon", epsilon}}}, {{epsilon, p}, {-epsilon, 1 - p}}};
}

/// (epsilon, delta)-DP at its worst: an infinite loss with probability delta.
Choice leaky(double epsilon, double delta) {
  Choice choice = randomized_response(epsilon);
  choice.entry.parameters["delta"] = delta;
  for (auto& [loss, mass] : choice.atoms) mass *= 1 - delta;
  choice.atoms.emplace_back(INFINITY, delta);
  return choice;
}

double excess(double loss, double epsilon) { return std::max(0.0, -std::expm1(epsilon - loss)); }

/// The most that delta(epsilon) can be where each release is chosen knowing the losses so far, as far as `lets` allows:
/// by trying all there is to choose, to the depth given.
double worst(const std::vector<Choice>& choices, double epsilon, int depth, double loss, const std::vector<int>& counts,
             const std::function<bool(const std::vector<int>&)>& lets) {
  double most = excess(loss, epsilon);
  if (depth == 0 || std::isinf(loss)) return most;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    std::vector<int> next = counts;
    ++next[i];
    if (!lets(next)) continue;
    double mean = 0;
    for (const auto& [more, mass] : choices[i].atoms)
      mean += mass * worst(choices, epsilon, depth - 1, loss + more, next, lets);
    most = std::max(most, mean);
  }
  return most;
}

/// delta(epsilon) of that many of each, by enumeration.
double composed(const std::vector<Choice>& choices, double epsilon, const std::vector<int>& counts,
                std::size_t from = 0, double loss = 0) {
  std::vector<int> left = counts;
  while (from < left.size() && left[from] == 0) ++from;
  if (from == left.size()) return excess(loss, epsilon);
  --left[from];
  double mean = 0;
  for (const auto& [more, mass] : choices[from].atoms)
    mean += mass * composed(choices, epsilon, left, from, loss + more);
  return mean;
}

/// The filter's own rule, remembered.
auto rule_of(const std::vector<Choice>& choices, const PrivacyFilter& filter) {
  return [choices, filter, known = std::map<std::vector<int>, bool>()](const std::vector<int>& counts) mutable {
    const auto found = known.find(counts);
    if (found != known.end()) return found->second;
    FilterCount sum;
    for (std::size_t i = 0; i < choices.size(); ++i)
      sum = plus(sum, count_of(choices[i].entry, add_remove, filter), counts[i]);
    return known[counts] = within(sum, filter);
  };
}

constexpr int depth = 7;

TEST_CASE("ledger.privacy_filter.no adversary exceeds the target") {
  struct Case {
    std::vector<Choice> choices;
    Target target;
  };
  const Case cases[] = {{{randomized_response(0.3), randomized_response(0.2), randomized_response(0.1)}, {0.5, 0.05}},
                        {{randomized_response(0.5), randomized_response(0.25), randomized_response(1)}, {1, 0.2}},
                        {{randomized_response(0.7), randomized_response(0.2)}, {1, 0.1}},
                        {{randomized_response(0.4), randomized_response(0.39), randomized_response(0.05)}, {0.8, 0.1}},
                        {{randomized_response(1.5), randomized_response(0.3)}, {2, 0.3}}};
  for (const auto& [choices, target] : cases) {
    for (const FilterKind kind : {FilterKind::zcdp, FilterKind::renyi, FilterKind::gdp}) {
      for (const double order : {0.0, 6.0, 10.0, 30.0}) {
        if (kind != FilterKind::renyi && order > 0) continue;
        const PrivacyFilter filter = filter_for({target}, kind, order);
        const double found =
            worst(choices, target.epsilon, depth, 0, std::vector<int>(choices.size()), rule_of(choices, filter));
        CHECK_MESSAGE(found <= target.delta, std::string(name(kind)), " at order ", filter.order, ": ", found, " of ",
                      target.delta);
        if (order == 0)
          CHECK_MESSAGE(found > 0.02 * target.delta, std::string(name(kind)), ": ", found);  // something can be spent
      }
    }
  }
}

TEST_CASE("ledger.privacy_filter.of pure DP the losses never exceed epsilon") {
  const std::vector<Choice> choices = {randomized_response(0.5), randomized_response(0.25)};
  const PrivacyFilter filter = filter_for({Target{1.25, 0}}, FilterKind::basic);
  CHECK(worst(choices, 1.25, depth, 0, {0, 0}, rule_of(choices, filter)) == 0);
  CHECK(worst(choices, 1.2, depth, 0, {0, 0}, rule_of(choices, filter)) > 0);  // and they do reach it
}

TEST_CASE("ledger.privacy_filter.releases with a delta of their own") {
  const std::vector<Choice> choices = {leaky(0.3, 1e-3), leaky(0.2, 2e-3), randomized_response(0.2)};
  const Target target{1, 0.02};
  for (const FilterKind kind : {FilterKind::basic, FilterKind::zcdp, FilterKind::renyi, FilterKind::gdp}) {
    const PrivacyFilter filter = filter_for({target}, kind, 0, kind == FilterKind::basic ? 0 : 5e-3);
    const double found = worst(choices, target.epsilon, 6, 0, {0, 0, 0}, rule_of(choices, filter));
    CHECK_MESSAGE(found <= target.delta, std::string(name(kind)), ": ", found);
    CHECK(found > 2e-3);
  }
  CHECK_REFUSED(count_of(choices[0].entry, add_remove, filter_for({target}, FilterKind::zcdp)), "infinite losses",
                "reserve");
}

/// Why spending does not go by the composition: the rule "as long as what was chosen composes to no more than the
/// target" is exceeded by a third.
TEST_CASE("ledger.privacy_filter.the composition itself is no filter") {
  const std::vector<Choice> choices = {randomized_response(0.3), randomized_response(0.2), randomized_response(0.1)};
  const double target = composed(choices, 1, {2, 3, 2});
  std::map<std::vector<int>, bool> known;
  const auto composes = [&](const std::vector<int>& counts) {
    const auto found = known.find(counts);
    if (found != known.end()) return found->second;
    return known[counts] = composed(choices, 1, counts) <= target * (1 + 1e-12);
  };
  CHECK(worst(choices, 1, depth, 0, {0, 0, 0}, composes) > 1.2 * target);
}

double counted(const char* word, FilterKind kind, double order = 0) {
  PrivacyFilter filter{.kind = kind, .order = order, .cap = 1, .delta_cap = 1};
  return count_of(entry_from_text(word), add_remove, filter).loss_above();
}

/// D_alpha of the pure-DP pair and of Laplace noise, in 50 digits.
Real renyi_of_pure_dp(const Real& alpha, const Real& epsilon) {
  return log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))) / (alpha - 1);
}
Real renyi_of_laplace(const Real& alpha, const Real& epsilon) {
  return log(alpha / (2 * alpha - 1) * exp((alpha - 1) * epsilon) +
             (alpha - 1) / (2 * alpha - 1) * exp(-alpha * epsilon)) /
         (alpha - 1);
}

TEST_CASE("ledger.privacy_filter.rho is at least D_alpha / alpha at every order, and met next to 1") {
  for (const double epsilon : {1e-6, 1e-3, 0.1, 1.0, 3.0, 20.0}) {
    const std::string text = std::to_string(epsilon * 1e6) + "e-6";
    const double pure = counted(("dp:epsilon=" + text).c_str(), FilterKind::zcdp);
    const double laplace = counted(("laplace:scale=1,sensitivity=" + text).c_str(), FilterKind::zcdp);
    for (double log_b = -12; log_b < 9; log_b += 0.5) {
      const Real alpha = 1 + exp(Real(log_b));
      CHECK(Real(pure) >= renyi_of_pure_dp(alpha, Real(epsilon)) / alpha);
      CHECK(Real(laplace) >= renyi_of_laplace(alpha, Real(epsilon)) / alpha);
    }
    const Real next_to_one = 1 + Real("1e-15");
    CHECK(Real(pure) < (1 + 1e-6) * renyi_of_pure_dp(next_to_one, Real(epsilon)));
    CHECK(Real(laplace) < (1 + 1e-6) * renyi_of_laplace(next_to_one, Real(epsilon)));
  }
}

/// D_alpha of two laws of as many outcomes, without overflow.
double renyi_of(const std::vector<double>& p, const std::vector<double>& q, double alpha) {
  double most = -1e300, sum = 0;
  const auto log_term = [&](std::size_t i) { return alpha * std::log(p[i]) + (1 - alpha) * std::log(q[i]); };
  for (std::size_t i = 0; i < p.size(); ++i) most = std::max(most, log_term(i));
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::exp(log_term(i) - most);
  return (most + std::log(sum)) / (alpha - 1);
}

/// The largest D_alpha / alpha, in either direction.
double rho_of(const std::vector<double>& p, const std::vector<double>& q) {
  double most = 0;
  for (double log_more = -7; log_more < 7; log_more += 0.05) {
    const double alpha = 1 + std::exp(log_more);
    most = std::max({most, renyi_of(p, q, alpha) / alpha, renyi_of(q, p, alpha) / alpha});
  }
  return most;
}

/// The sample in which the first takes part with chance q, else the second.
std::vector<double> sampled(double q, const std::vector<double>& in, const std::vector<double>& out) {
  std::vector<double> mixture;
  for (std::size_t i = 0; i < in.size(); ++i) mixture.push_back(q * in[i] + (1 - q) * out[i]);
  return mixture;
}

/// Gaussian noise of sigma 2 about `mean`, at points next to each other: sums over them are integrals to all digits.
std::vector<double> noise_about(double mean) {
  std::vector<double> density;
  constexpr double step = 0.25, root_of_2pi = 2.5066282746310002;
  for (double x = -72; x <= 72; x += step)
    density.push_back(step / (2 * root_of_2pi) * std::exp(-(x - mean) * (x - mean) / 8));
  return density;
}

/// A mechanism of bounded range has two outcomes of losses t and t - range.
double rho_of_bounded_range(double range) {
  double most = 0;
  for (int i = 1; i < 200; ++i) {
    const double t = range * i / 200, p = std::expm1(range - t) / (std::exp(range - t) - std::exp(-t));
    most = std::max(most, rho_of({p, 1 - p}, {p * std::exp(-t), (1 - p) * std::exp(range - t)}));
  }
  return most;
}

TEST_CASE("ledger.privacy_filter.rho is no more than what is known of the divergences") {
  const PrivacyFilter zcdp{.kind = FilterKind::zcdp, .cap = 1};
  const auto counted = [&](const char* word, Relation relation, int group = 1) {
    return count_of(entry_from_text(word), {relation, static_cast<double>(group)}, zcdp).loss_above();
  };
  const auto near = [](double found, double truth) {
    CHECK(found >= truth * (1 - 1e-9));
    CHECK(found <= truth * 1.01);
  };
  const double e = std::exp(1.0);
  const std::vector<double> yes{e / (1 + e), 1 / (1 + e)}, no{1 / (1 + e), e / (1 + e)}, in{0.75, 0.25},
      out{0.25, 0.75};
  near(counted("dp:epsilon=1,q=0.1", add_remove), rho_of(sampled(0.1, yes, no), no));
  near(counted("randomized-response:p=0.75,q=0.1", add_remove), rho_of(sampled(0.1, in, out), out));
  near(counted("mass-table:p=.5/.5,q=.25/.75,poisson=0.3", add_remove), rho_of(sampled(0.3, {.5, .5}, out), out));
  const std::vector<double> zero = noise_about(0), up = noise_about(1), down = noise_about(-1);
  near(counted("gaussian:sigma=2,q=0.6", Relation::replace_one),
       rho_of(sampled(0.6, up, zero), sampled(0.6, down, zero)));
  CHECK(counted("gaussian:sigma=2,q=0.01", Relation::replace_one) < 0.126);
  for (const int group : {1, 3}) {
    near(counted("exponential:epsilon=1", add_remove, group), rho_of_bounded_range(group));
    near(counted("exponential:epsilon=0.5", Relation::replace_one, group), rho_of_bounded_range(group));
  }
}

TEST_CASE("ledger.privacy_filter.what releases count for") {
  CHECK(counted("gaussian:sigma=10", FilterKind::zcdp) == 0.005);
  CHECK(counted("gaussian:sigma=10,q=0.01", FilterKind::zcdp) == 0.005);  // sampling takes nothing off it
  CHECK(counted("gaussian:sigma=4,sensitivity=2", FilterKind::gdp) == 0.25);
  CHECK(counted("gaussian:sigma=4,sensitivity=2", FilterKind::renyi, 3) == 0.375);
  CHECK(counted("discrete-gaussian:sigma=10", FilterKind::zcdp) == 0.005);
  CHECK(counted("zcdp:rho=0.125,xi=0.25", FilterKind::zcdp) == 0.375);
  CHECK(counted("zcdp:rho=0.125,xi=0.25", FilterKind::renyi, 2) <= 0.5 * (1 + 1e-14));
  CHECK(counted("exponential:epsilon=0.5", FilterKind::zcdp) < 0.03125);  // epsilon^2 / 8
  CHECK(counted("exponential:epsilon=0.5", FilterKind::basic) == 0.5);
  CHECK(counted("exponential:epsilon=0.7", FilterKind::gdp) <= counted("dp:epsilon=0.7", FilterKind::gdp));
  CHECK(counted("exponential:epsilon=0.5,q=0.1", FilterKind::basic) <= 0.5);
  CHECK(counted("laplace:scale=4", FilterKind::basic) == 0.25);
  CHECK(counted("rdp:orders=2/8,epsilons=0.1/0.5", FilterKind::renyi, 8) <= 0.5 * (1 + 1e-14));
  // A sampled Gaussian, by the binomial sum of its moment of order 3 (Mironov, Talwar, Zhang 2019).
  const double q = 0.01, mu = 0.5;
  double moment = 0;
  for (int k = 0; k <= 3; ++k)
    moment += std::tgamma(4) / std::tgamma(k + 1) / std::tgamma(4 - k) * std::pow(1 - q, 3 - k) * std::pow(q, k) *
              std::exp(mu * mu * (k * k - k) / 2);
  CHECK_REL(counted("gaussian:sigma=2,q=0.01", FilterKind::renyi, 3), std::log(moment) / 2, 1e-5);
  CHECK(counted("gaussian:sigma=2,q=0.01", FilterKind::renyi, 3) >= std::log(moment) / 2 * (1 - 1e-12));
  // Pure DP as Gaussian DP: Phi(mu / 2) = e^epsilon / (1 + e^epsilon).
  const double root = std::sqrt(counted("dp:epsilon=1", FilterKind::gdp));
  CHECK_REL(0.5 * std::erfc(-root / 2 / std::sqrt(2.0)), 1 / (1 + std::exp(-1)), 1e-12);
  for (const double epsilon : {1e16, 1e200, 1e300})  // mu^2 -> 8 epsilon
    CHECK_REL(counted(("dp:epsilon=" + std::to_string(epsilon)).c_str(), FilterKind::gdp), 8 * epsilon, 1e-12);
}

TEST_CASE("ledger.privacy_filter.replacing a record doubles what adding one moves") {
  const PrivacyFilter zcdp{.kind = FilterKind::zcdp, .cap = 1};
  const auto rho = [&](const char* word) {
    return count_of(entry_from_text(word), Relation::replace_one, zcdp).loss_above();
  };
  CHECK(rho("gaussian:sigma=10") == 0.02);
  CHECK(rho("exponential:epsilon=0.5") < 0.125);
  CHECK(rho("zcdp:rho=0.125") == 0.125);  // a guarantee is one of the relation asked about
  CHECK_REL(rho("laplace:scale=4"), counted("laplace:scale=2", FilterKind::zcdp), 1e-14);
}

TEST_CASE("ledger.privacy_filter.a refusal says whose infinite losses they are") {
  const PrivacyFilter zcdp{.kind = FilterKind::zcdp, .cap = 1};
  const auto count = [&](const char* word, int group) {
    return count_of(entry_from_text(word), {add_remove, static_cast<double>(group)}, zcdp);
  };
  CHECK_REFUSED(count("dp:epsilon=0.5,delta=1e-9", 1), "delta=1e-09, with infinite losses");
  CHECK_REFUSED(count("truncated-laplace:scale=3,bound=60,allocation=3,participations=2", 2),
                "participations=2, bounded by a pair with infinite losses");
}

TEST_CASE("ledger.privacy_filter.groups of records") {
  const auto of_group = [](const char* word, int group, FilterKind kind, Relation relation = add_remove) {
    const PrivacyFilter filter{.kind = kind, .order = kind == FilterKind::renyi ? 3.0 : 0, .cap = 1, .delta_cap = 1};
    return count_of(entry_from_text(word), {relation, static_cast<double>(group)}, filter);
  };
  CHECK(of_group("gaussian:sigma=10", 3, FilterKind::zcdp).loss == "9/200");
  CHECK(of_group("gaussian:sigma=10,q=0.1", 3, FilterKind::zcdp).loss == "9/200");
  CHECK(of_group("gaussian:sigma=10", 3, FilterKind::gdp, Relation::replace_one).loss == "9/25");
  CHECK(of_group("gaussian:sigma=10", 3, FilterKind::renyi).loss == "27/200");
  CHECK(of_group("laplace:scale=4", 2, FilterKind::basic).loss == "1/2");
  CHECK(of_group("exponential:epsilon=0.5", 2, FilterKind::zcdp).loss_above() < 0.125);
  CHECK(of_group("zcdp:rho=0.125,xi=0.25", 2, FilterKind::zcdp).loss == "5/4");  // 4 rho + 3 xi
  // Products that are no doubles.
  CHECK(of_group("exponential:epsilon=0.7", 3, FilterKind::basic).loss == "21/10");
  CHECK(of_group("permute-and-flip:epsilon=0.7", 3, FilterKind::basic).loss == "21/10");
  CHECK(of_group("laplace:scale=1,sensitivity=0.49", 11, FilterKind::basic).loss == "539/100");
  // These change record by record; what is not written is rounded up by the errors of three steps.
  const FilterCount rounded = of_group("randomized-response:p=0.75", 3, FilterKind::basic);
  CHECK(rounded.loss_above() >= 3 * std::log(3.0));
  CHECK_REL(rounded.loss_above(), 3 * std::log(3.0), 2e-14);
  // A loss beyond the doubles: epsilon^2 / 2 of twice 1.7e308.
  CHECK(of_group("dp:epsilon=1.7e308", 2, FilterKind::zcdp).loss_above() == infinity);
  const FilterCount leaky = of_group("dp:epsilon=0.5,delta=1e-9", 3, FilterKind::basic);
  CHECK(leaky.loss == "3/2");
  const double delta = 1e-9 * (1 + std::exp(0.5) + std::exp(1.0));
  CHECK_REL(leaky.delta_above(), delta, 1e-14);
  CHECK(leaky.delta_above() >= delta * (1 - 1e-15));
  // Not rounded where it is as it is written, so that a budget takes what comes to it exactly.
  CHECK(of_group("dp:epsilon=2,delta=1e-6", 1, FilterKind::basic).delta == "1/1000000");
  CHECK(of_group("dp:epsilon=0,delta=1e-6", 5, FilterKind::basic).delta == "1/200000");
  CHECK(of_group("dp:epsilon=500,delta=1e-9", 3, FilterKind::basic).delta_above() == 1);
  CHECK_REFUSED(of_group("rdp:orders=2/8,epsilons=0.1/0.5", 2, FilterKind::renyi), "divergence of the filter's order");
  CHECK_REFUSED(of_group("gaussian:sigma=2,batch=10,dataset=100", 2, FilterKind::renyi), "group", "replace-one");
}

TEST_CASE("ledger.privacy_filter.what gives nothing costs nothing") {
  const Target target{1, 1e-6};
  const PrivacyFilter filters[] = {filter_for({target}, FilterKind::basic), filter_for({target}, FilterKind::zcdp),
                                   filter_for({target}, FilterKind::renyi, 20), filter_for({target}, FilterKind::gdp)};
  for (const PrivacyFilter& filter : filters)
    for (const char* word :
         {"gaussian:sigma=1,q=0", "gaussian:sigma=1,wor=0", "gaussian:sigma=1,truncated=0,cap=3,records=10",
          "laplace:scale=1,q=0", "mass-table:p=.5/.5,q=.5/.5", "dp-points:epsilons=0,deltas=0",
          "dp-points:epsilons=0/1,deltas=0/0", "randomized-response:p=.5,q=.5", "dp:epsilon=0"}) {
      CAPTURE(word);
      const FilterCount counted = count_of(entry_from_text(word), add_remove, filter);
      CHECK(counted.loss == "0");
      CHECK(counted.delta == "0");
    }
}

// A batch's share adds nothing: rho is that of the replaced record, and grows by k^2.
TEST_CASE("ledger.privacy_filter.batches of a fixed size count as what is not sampled") {
  const PrivacyFilter zcdp = filter_for({ZeroConcentratedDp{1}}, FilterKind::zcdp);
  const auto rho = [&](const char* word, Relation relation, int group) {
    return count_of(entry_from_text(word), {relation, static_cast<double>(group)}, zcdp);
  };
  for (const char* word : {"gaussian:sigma=20,wor=0.5", "discrete-gaussian:sigma=20,wor=0.5",
                           "gaussian:sigma=20,truncated=.5,cap=5,records=10"}) {
    CAPTURE(word);
    CHECK(rho(word, Relation::replace_one, 1).loss == "1/200");
    CHECK(rho(word, Relation::add_remove, 1).loss == "1/200");
    CHECK(rho(word, Relation::replace_one, 2).loss == "1/50");
    CHECK(rho(word, Relation::zero_out, 1).loss == "1/800");  // nobody takes the place of a record that is null
  }
  CHECK(rho("gaussian:sigma=20,shuffled=3", Relation::zero_out, 1).loss == "1/800");
  // What no theorem tells at once is what zcdp_rho() knows.
  for (const char* word : {"gaussian:sigma=20,allocation=3", "gaussian:sigma=20,shuffled=3"}) {
    CAPTURE(word);
    const Release release = release_of(entry_from_text(word));
    const Neighbours two(Relation::replace_one, 2);
    const double known = zcdp_rho(Composition(two).add(release.mechanism)).upper;
    CHECK(known < 0.1);
    CHECK(rho(word, Relation::replace_one, 2).loss_above() >= known);
    CHECK(rho(word, Relation::replace_one, 2).loss_above() <= 1.1 * known);
  }
}

// What is counted is no less than the divergence itself, which in a batch of a fixed size is that of a replaced record;
// and where samples are known by themselves no more.
TEST_CASE("ledger.privacy_filter.samples of guarantees count as what is known of them") {
  const auto counted = [](const char* word, Relation relation, int group, double order) {
    PrivacyFilter renyi = filter_for({Target{1, 1e-6}}, FilterKind::renyi);
    renyi.order = order;
    return count_of(entry_from_text(word), {relation, static_cast<double>(group)}, renyi).loss_above();
  };
  for (const char* word :
       {"exponential:epsilon=.5,wor=.99", "exponential:epsilon=.5,wor=.5", "exponential:epsilon=.02,wor=.9",
        "exponential:epsilon=1,q=.3", "permute-and-flip:epsilon=.5,wor=.9", "exponential:epsilon=.7"})
    for (const Relation relation : {Relation::add_remove, Relation::replace_one, Relation::zero_out})
      for (const int group : {1, relation == Relation::add_remove ? 1 : 2})
        for (const double order : {1.5, 3.4, 20.0}) {
          CAPTURE(word);
          CAPTURE(name(relation));
          CAPTURE(order);
          const Neighbours neighbours(relation, group);
          const Release release = release_of(entry_from_text(word));
          CHECK(counted(word, relation, group, order) >=
                renyi_divergence(Composition(neighbours).add(release.mechanism), order).lower);
        }
  // Two candidates' scores each move by epsilon, and another record's by as much the other way.
  const double w = .99, epsilon = .01671, order = 2.784, shift = 2 * epsilon;
  const double p = (1 - w) / 2 + w / (1 + std::exp(-shift)), q = .5;
  const double truth =
      std::log(p * std::pow(p / q, order - 1) + (1 - p) * std::pow((1 - p) / (1 - q), order - 1)) / (order - 1);
  CHECK(counted("exponential:epsilon=.01671,wor=.99", Relation::add_remove, 1, order) >= truth);
  CHECK(counted("exponential:epsilon=.1643,q=.0476", Relation::add_remove, 1, 2.8) <
        counted("exponential:epsilon=.1643", Relation::add_remove, 1, 2.8) / 50);
}

// To be told a record's steps is no loss of a bound: an epoch costs no more than as many releases of all data.
TEST_CASE("ledger.privacy_filter.an allocation counts as the releases that a record is in at most") {
  const auto counts = [](const std::string& word, Relation relation, int group, FilterKind kind) {
    return count_of(entry_from_text(word), {relation, static_cast<double>(group)}, filter_for({Target{8, 1e-6}}, kind));
  };
  for (const FilterKind kind : {FilterKind::basic, FilterKind::zcdp, FilterKind::gdp, FilterKind::renyi})
    for (const Relation relation : {Relation::add_remove, Relation::replace_one, Relation::zero_out})
      for (const char* word : {"laplace:scale=60", "gaussian:sigma=20", "discrete-gaussian:sigma=5",
                               "dp:epsilon=.1,delta=1e-9", "exponential:epsilon=.1", "zcdp:rho=.01"}) {
        const std::string noise = word;
        const bool is_unbounded = noise.find("gaussian") != std::string::npos || noise.starts_with("zcdp");
        if (is_unbounded && kind == FilterKind::basic) continue;
        if (is_unbounded && noise != "gaussian:sigma=20" && kind == FilterKind::gdp) continue;
        if (noise.starts_with("dp") && kind != FilterKind::basic) continue;
        CAPTURE(noise);
        const FilterCount one = counts(noise, relation, 1, kind);
        const std::pair<const char*, int> schemes[] = {
            {",allocation=7", 1}, {",allocation=7,passes=2", 2}, {",allocation=7,participations=3", 3}};
        for (const auto& [scheme, times] : schemes) {
          CAPTURE(scheme);
          const FilterCount told = plus({"0", "0"}, one, times), found = counts(noise + scheme, relation, 1, kind);
          CHECK(found.loss_above() <= told.loss_above() * (1 + 1e-12));
          CHECK(found.delta == told.delta);
          if (kind != FilterKind::renyi) CHECK(found.loss == told.loss);
        }
      }
}

TEST_CASE("ledger.privacy_filter.an order for samples leaves something") {
  const std::vector<std::vector<Goal>> all = {{Target{1, 1e-6}},
                                              {Target{0.125, 1e-9}},
                                              {Target{10, 1e-5}},
                                              {Target{100, 1e-3}},
                                              {Target{1, 1e-6}, Target{0.5, 1e-12}}};
  for (const auto& targets : all) {
    const auto order = order_for_samples(targets);
    REQUIRE(order);
    CHECK(filter_for(targets, FilterKind::renyi, *order).cap > 0);
  }
  CHECK(!order_for_samples({ZeroConcentratedDp{1}}));
  CHECK_REFUSED(filter_for({Target{1, 1e-6}}, FilterKind::renyi, 8), "at order 8", "leaves something to spend");
}

TEST_CASE("ledger.privacy_filter.what is counted as written is the largest loss of the pair") {
  const PrivacyFilter basic{.kind = FilterKind::basic, .cap = 1, .delta_cap = 1};
  for (const char* word :
       {"dp:epsilon=0.7", "exponential:epsilon=0.7", "permute-and-flip:epsilon=0.7", "laplace:scale=3,sensitivity=0.7",
        "laplace:scale=3,sensitivity=0.7,replace_sensitivity=0.9", "report-noisy-max:scale=3,sensitivity=0.7",
        "discrete-laplace:a=0.3,sensitivity=2", "discrete-laplace:a=0.3,sensitivity=2,replace_sensitivity=3"}) {
    for (const Relation relation : {Relation::add_remove, Relation::replace_one, Relation::zero_out}) {
      for (const int group : {1, 3}) {
        CAPTURE(word);
        CAPTURE(group);
        const Neighbours neighbours{relation, static_cast<double>(group)};
        const Entry entry = entry_from_text(word);
        const Mechanism mechanism = release_of(entry).mechanism.under(neighbours);
        const PairPtr pair = mechanism.pair(Direction::remove);
        const auto exact = pair->exact_highest();
        const double highest = exact ? exact->rate * exact->times / exact->over : pair->range().highest;
        if (pair->log_mass_at_plus_infinity() == -infinity)  // else none is known of the group
          CHECK_REL(count_of(entry, neighbours, basic).loss_above(), highest, 1e-15);
      }
    }
  }
}

TEST_CASE("ledger.privacy_filter.what a replaced record moves, squared as it is written") {
  const auto rho = [](const char* word, double group = 1) {
    const PrivacyFilter zcdp{.kind = FilterKind::zcdp, .cap = 1};
    return count_of(entry_from_text(word), {Relation::replace_one, group}, zcdp).loss;
  };
  CHECK(rho("discrete-gaussian:sigma=10,replace_sensitivity=1.41422") == "1/100");  // two cells by 1 each
  CHECK(rho("discrete-gaussian:sigma=10,replace_sensitivity=1.41422", 3) == "9/100");
  CHECK(rho("discrete-gaussian:sigma=10,replace_sensitivity=1") == "1/200");
  CHECK(rho("discrete-gaussian:sigma=10") == "1/50");
  CHECK(rho("gaussian:sigma=10,replace_sensitivity=1.5") == "9/800");
  CHECK(rho("gaussian:sigma=10,replace_sensitivity=1.5", 2) == "9/200");
}

/// The best of K tries of one output of two, of which the first has the chance z: the chance that all are the first.
double all_first(double z, const Tries& tries) {
  const double s = tries.shape, rest = 1 - tries.gamma;
  if (s == 0) return std::log1p(-rest * z) / std::log(tries.gamma);
  return (std::pow(1 - rest * z, -s) - 1) / (std::pow(tries.gamma, -s) - 1);
}

TEST_CASE("ledger.privacy_filter.no selection of a randomized response exceeds what it counts for") {
  constexpr double truthful = 0.75;
  double tightest = 0;
  for (const char* words : {"geometric:mean=10", "negative-binomial:shape=0,gamma=0.02",
                            "negative-binomial:shape=3,gamma=0.5", "negative-binomial:shape=-0.5,gamma=0.001"}) {
    CAPTURE(words);
    const Tries tries = tries_from_text(words, "test");
    const Entry entry{.tries = words, .tried = {entry_from_text("randomized-response:p=0.75")}};
    for (const double order : {1.2, 2.0, 8.0, 100.0}) {
      const PrivacyFilter filter{.kind = FilterKind::renyi, .order = order, .cap = 1};
      const double counted = count_of(entry, add_remove, filter).loss_above();
      for (const double first : {truthful, 1 - truthful}) {
        const double p = all_first(first, tries), q = all_first(1 - first, tries);
        const double moment = p * std::pow(p / q, order - 1) + (1 - p) * std::pow((1 - p) / (1 - q), order - 1);
        const double divergence = std::log(moment) / (order - 1);
        CHECK(divergence <= counted * (1 + 1e-12));
        tightest = std::max(tightest, divergence / counted);
      }
    }
    const PrivacyFilter basic{.kind = FilterKind::basic, .cap = 1};
    const double counted = count_of(entry, add_remove, basic).loss_above();
    CHECK(counted <= (2 + tries.shape) * std::log(3.0) * (1 + 1e-14));
    for (const double first : {truthful, 1 - truthful}) {
      const double p = all_first(first, tries), q = all_first(1 - first, tries);
      CHECK(std::max(std::fabs(std::log(p / q)), std::fabs(std::log((1 - p) / (1 - q)))) <= counted);
    }
    // What `epsilon --delta 0` says.
    const Composition all = Composition().add(release_of(entry).mechanism);
    CHECK(epsilon(all, {.delta = 0}).upper >= counted * (1 - 1e-14));
  }
  CHECK(tightest > 0.5);
}

TEST_CASE("ledger.privacy_filter.selections of pure runs count where their pair is rounded up to infinite losses") {
  const Entry allocated{.tries = "geometric:mean=10",
                        .tried = {entry_from_text("laplace:scale=3,allocation=10,count=4")}};
  const PrivacyFilter basic{.kind = FilterKind::basic, .cap = 50};
  CHECK_REL(count_of(allocated, add_remove, basic).loss_above(), 4, 1e-14);
  CHECK(count_of(allocated, add_remove, basic).delta_above() == 0);
  CHECK(count_of(allocated, add_remove, {.kind = FilterKind::zcdp, .cap = 50}).loss_above() < 4);
}

TEST_CASE("ledger.privacy_filter.sums are exact where the numbers are") {
  const auto room_of = [](const char* word, const Goal& goal, FilterKind kind) {
    const PrivacyFilter filter = filter_for({goal}, kind);
    return room({}, count_of(entry_from_text(word), add_remove, filter), filter);
  };
  CHECK(room_of("laplace:scale=10", Target{1, 0}, FilterKind::basic) == 10);
  CHECK(room_of("dp:epsilon=0.1", Target{1, 0}, FilterKind::basic) == 10);  // the double 0.1 is above a tenth
  CHECK(room_of("gaussian:sigma=10", ZeroConcentratedDp{1}, FilterKind::zcdp) == 200);
  CHECK(room_of("gaussian:sigma=3", ZeroConcentratedDp{0.5}, FilterKind::zcdp) == 9);
  CHECK(room_of("gaussian:sigma=7", GaussianDp{1}, FilterKind::gdp) == 49);
  CHECK(room_of("dp:epsilon=0", Target{1, 0}, FilterKind::basic) == Composition::max_count);

  const PrivacyFilter filter = filter_for({ZeroConcentratedDp{1}}, FilterKind::zcdp);
  const FilterCount one = count_of(entry_from_text("gaussian:sigma=10"), add_remove, filter);
  FilterCount sum;
  for (int i = 0; i < 200; ++i) sum = plus(sum, one);
  CHECK(within(sum, filter));
  CHECK(!within(plus(sum, one), filter));
  CHECK(within(plus(minus(sum, one), one), filter));
  CHECK_REFUSED(minus(one, sum), "taken back");
  CHECK_REFUSED(plus({"1.5", "0"}, one), "fraction");
}

/// The largest rho and D from each conversion, in 50 digits: the caps are below, by next to nothing.
TEST_CASE("ledger.privacy_filter.caps imply their targets") {
  const auto delta_at = [](const Real& alpha, const Real& divergence, const Real& epsilon) -> Real {
    return exp((alpha - 1) * (divergence - epsilon)) * pow(1 - 1 / alpha, alpha - 1) / alpha;
  };
  for (const Target target : {Target{1, 1e-6}, Target{0.1, 1e-9}, Target{5, 1e-3}, Target{0, 0.1}, Target{10, 1e-30}}) {
    for (const double order : {1.25, 2.0, 16.0, 1000.0}) {
      const Real cap = [&]() -> Real {
        try {
          return filter_for({target}, FilterKind::renyi, order).cap;
        } catch (const DomainError&) {
          return 0;  // nothing is left at that order
        }
      }();
      if (cap == 0) continue;
      CHECK(delta_at(order, cap, target.epsilon) <= Real(target.delta));
      CHECK(delta_at(order, cap + 1e-12 * (1 + target.epsilon), target.epsilon) > Real(target.delta));
    }
    const Real rho = filter_for({target}, FilterKind::zcdp).cap;
    // The least over all orders, which is convex in log(order - 1) around it.
    const auto least = [&](const Real& at) {
      const auto of = [&](const Real& log_b) {
        const Real alpha = 1 + exp(log_b);
        return delta_at(alpha, at * alpha, target.epsilon);
      };
      Real low = -8, high = 13;
      for (int i = 0; i < 300; ++i) {
        const Real third = (high - low) / 3;
        (of(low + third) < of(high - third) ? high : low) =
            of(low + third) < of(high - third) ? Real(high - third) : Real(low + third);
      }
      return of(low);
    };
    CHECK(least(rho) <= Real(target.delta));
    CHECK(least(rho * (1 + 1e-9)) > Real(target.delta));

    const Real mu = sqrt(Real(filter_for({target}, FilterKind::gdp).cap));
    const auto gaussian_delta = [&](const Real& m) -> Real {
      const auto tail = [](const Real& x) -> Real { return boost::math::erfc(x / sqrt(Real(2))) / 2; };
      return tail(target.epsilon / m - m / 2) - exp(Real(target.epsilon)) * tail(target.epsilon / m + m / 2);
    };
    CHECK(gaussian_delta(mu) <= Real(target.delta));
    CHECK(gaussian_delta(mu * (1 + 1e-9)) > Real(target.delta));
  }
}

TEST_CASE("ledger.privacy_filter.several targets, the least cap of them") {
  const std::vector<Goal> both{Target{1, 1e-6}, Target{2, 1e-12}};
  for (const FilterKind kind : {FilterKind::zcdp, FilterKind::gdp}) {
    const double least = std::min(filter_for({both[0]}, kind).cap, filter_for({both[1]}, kind).cap);
    CHECK(filter_for(both, kind).cap == least);
  }
  CHECK(filter_for({Target{1, 1e-6}, ZeroConcentratedDp{1e-3}}, FilterKind::zcdp).cap == 1e-3);
  CHECK(filter_for({GaussianDp{0.5}, ZeroConcentratedDp{1}}, FilterKind::gdp).cap == 0.25);
}

TEST_CASE("ledger.privacy_filter.refusals give the reason") {
  const auto refused = [](const char* word, FilterKind kind, std::initializer_list<const char*> says) {
    const std::string message =
        test::refusal([&] { static_cast<void>(counted(word, kind, kind == FilterKind::renyi ? 50 : 0)); });
    CHECK_MESSAGE(test::holds_each(message, says), std::string(word), " says: ", message);
  };
  refused("gaussian:sigma=1", FilterKind::basic, {"gaussian:sigma=1", "pure DP", "zcdp"});
  refused("skellam:variance=100", FilterKind::zcdp, {"skellam", "rho", "renyi"});
  refused("skellam:variance=100", FilterKind::gdp, {"mu of Gaussian DP"});
  refused("tcdp:rho=0.1,omega=10", FilterKind::renyi, {"divergence of the filter's order", "lower"});
  CHECK_REFUSED(filter_for({Target{1, 0}}, FilterKind::zcdp), "delta", "basic");
  CHECK_REFUSED(filter_for({ZeroConcentratedDp{1}}, FilterKind::renyi), "rho", "implies");
  CHECK_REFUSED(filter_for({ZeroConcentratedDp{1}}, FilterKind::basic), "rho");
  CHECK_REFUSED(filter_for({GaussianDp{1}}, FilterKind::zcdp), "mu");
  CHECK_REFUSED(filter_for({Target{1, 1e-6}}, FilterKind::zcdp, 0, 1e-6), "reserve is 1e-06");
  CHECK_REFUSED(filter_for({ZeroConcentratedDp{1}}, FilterKind::zcdp, 0, 1e-9), "reserve");
  CHECK_REFUSED(filter_for({Target{1, 1e-6}}, FilterKind::basic, 0, 1e-9), "reserve");
  CHECK_REFUSED(filter_for({Target{1, 1e-6}}, FilterKind::zcdp, 3), "order");
  CHECK_REFUSED(filter_for({Target{1, 1e-6}}, FilterKind::renyi, 1), "order is 1");
  CHECK_REFUSED(filter_for({}, FilterKind::basic), "number of targets");
  CHECK_REFUSED(filter_from_text("rdp"), "'rdp'", "basic, zcdp, renyi, gdp");
}

}  // namespace
}  // namespace pld
