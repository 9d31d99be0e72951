// No function of `bounds` promises less than the truth, at ordinary and at extreme parameters: the engines' certified
// lower ends, certified divergences of each release, and all outcomes counted one by one.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/dp_guarantee.hpp"
#include "pld/bounds/fixed_size_sampling.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/poisson_sampling.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/random_draws.hpp"

namespace b = pld::bounds;

namespace {

using pld::infinity;
using pld::test::Random;

class RandomSteps {
 public:
  explicit RandomSteps(Random& random) : random_(random) {}

  b::BoundQuery query() {
    b::BoundQuery query;
    for (int kinds = random_.whole(0, 2) == 0 ? random_.whole(2, 3) : 1; kinds > 0; --kinds)
      query.steps.push_back(step());
    query.delta = random_.delta();
    const int direction = random_.whole(0, 3);
    if (direction == 2) query.direction = pld::DirectionChoice::remove;
    if (direction == 3) query.direction = pld::DirectionChoice::add;
    return query;
  }

  b::Step step() {
    b::Step step{.mechanism = mechanism()};
    if (random_.whole(0, 2) == 0 && step.mechanism.index() <= last_sampled) step.q = random_.log_uniform(1e-6, 1);
    step.count = static_cast<std::int64_t>(random_.log_uniform(1, random_.whole(0, 1) == 0 ? 30 : 1e6));
    return step;
  }

  b::Parameters mechanism() {
    const double whole = std::floor(random_.log_uniform(1, 20));
    switch (random_.whole(0, 8)) {
      case 6:
        return pld::ExponentialMechanism{.epsilon = random_.log_uniform(1e-5, 50)};
      case 7:
        return pld::ConcentratedDp{.rho = random_.log_uniform(1e-8, 1e3),
                                   .xi = random_.whole(0, 1) == 0 ? 0 : random_.log_uniform(1e-8, 10)};
      case 8:
        return pld::TruncatedConcentratedDp{.rho = random_.log_uniform(1e-8, 1e2),
                                            .omega = 1 + random_.log_uniform(0.01, 1e4)};
      case 0:
        return pld::Gaussian{.sigma = random_.log_uniform(1e-3, 1e4), .sensitivity = random_.log_uniform(0.1, 10)};
      case 1:
        return pld::Laplace{.scale = random_.log_uniform(1e-2, 1e4), .sensitivity = random_.log_uniform(0.1, 10)};
      case 2: {
        const double k = 1 + std::floor(random_.log_uniform(1, 1e6));
        return pld::RandomizedResponse{.p = 1 / (1 + (k - 1) * std::exp(random_.log_uniform(1e-4, 20) * sign())),
                                       .k = k};
      }
      case 3:
        return pld::ApproximateDp{.epsilon = random_.log_uniform(1e-4, 30),
                                  .delta = random_.whole(0, 1) == 0 ? 0 : random_.log_uniform(1e-300, 0.1)};
      case 4:
        return pld::DiscreteLaplace{.a = random_.log_uniform(1e-3, 10), .sensitivity = whole};
      default:
        return pld::DiscreteGaussian{.sigma = random_.log_uniform(0.1, 1e3), .sensitivity = whole};
    }
  }

  static constexpr std::size_t last_sampled = 5;  ///< of the types above, by their place in Parameters

 private:
  double sign() { return random_.whole(0, 4) == 0 ? 1 : -1; }

  Random& random_;
};

pld::Mechanism mechanism(const b::Step& step) {
  const auto base = std::visit([](const auto& parameters) { return pld::Mechanism(parameters); }, step.mechanism);
  return step.q < 1 ? pld::poisson_sampled(base, step.q) : base;
}

pld::Composition composition(const b::Steps& steps) {
  pld::Composition run;
  for (const b::Step& step : steps) run.add(mechanism(step), step.count);
  return run;
}

std::string text(const b::BoundQuery& query) {
  std::string out =
      "delta=" + pld::test::digits(query.delta) + " direction=" + std::to_string(static_cast<int>(query.direction));
  const pld::Composition run = composition(query.steps);
  for (const auto& release : run.releases())
    out += " " + release.mechanism.text() + ",count=" + std::to_string(release.count);
  return out;
}

/// What real neighbours have for certain; -inf where nothing is known of any.
double certified_below(const pld::Composition& run, double delta, pld::DirectionChoice direction) {
  const pld::Composition attained = run.attained();
  if (attained.releases().empty()) return -infinity;
  return pld::epsilon(attained, {.delta = delta, .tolerance = 1e-3, .direction = direction}).lower;
}

/// Every bound on compositions against the certified lower end.
int check_compositions(int count, std::uint64_t seed) {
  Random random(seed);
  RandomSteps steps(random);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const b::BoundQuery query = steps.query();
    INFO(text(query));
    const double least = certified_below(composition(query.steps), query.delta, query.direction);
    for (const auto& bound : b::all_bounds()) {
      const auto answer = b::ask(bound, query);
      if (!answer.answered()) continue;
      CHECK_MESSAGE(!std::isnan(answer.epsilon), bound.name);
      if (bound.claim != b::Claim::upper_bound) continue;
      ++answered;
      CHECK_MESSAGE(answer.epsilon >= least, bound.name, " ", answer.epsilon, " below the certified ", least);
    }
  }
  return answered;
}

/// The same where a record is replaced, on batches of fixed size or on all of the data.
int check_replacements(int count, std::uint64_t seed) {
  Random random(seed);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    b::BoundQuery query;
    query.delta = random.delta();
    pld::Composition run(pld::Relation::replace_one);
    for (int kinds = random.whole(1, 2); kinds > 0; --kinds) {
      const double share = random.whole(0, 3) == 0 ? 1 : random.log_uniform(1e-4, 0.9);
      const auto releases = static_cast<std::int64_t>(random.log_uniform(1, 1e4));
      const auto add = [&](const auto& base) {
        run.add(share < 1 ? pld::without_replacement(base, share) : pld::Mechanism(base), releases);
        query.steps.push_back({replacing(base), share, releases, b::Sample::fixed_size});
      };
      switch (random.whole(0, 3)) {
        case 0:
          add(pld::Gaussian{.sigma = random.log_uniform(0.1, 1e3)});
          break;
        case 1:
          add(pld::Laplace{.scale = random.log_uniform(0.05, 1e3)});
          break;
        case 2:
          add(pld::RandomizedResponse{.p = random.uniform(0.3, 0.99)});
          break;
        default:
          add(pld::DiscreteGaussian{.sigma = random.log_uniform(0.5, 300)});
      }
    }
    INFO(run.releases().front().mechanism.law().text, " delta ", query.delta);
    const double least = certified_below(run, query.delta, query.direction);
    for (const auto& bound : b::all_bounds()) {
      const auto answer = b::ask(bound, query);
      if (!answer.answered() || bound.claim != b::Claim::upper_bound) continue;
      ++answered;
      CHECK_MESSAGE(answer.epsilon >= least, bound.name, " ", answer.epsilon, " below ", least);
    }
  }
  return answered;
}

/// One outcome of a release, or of several: its probability under either data set.
struct Outcome {
  long double p, q;
};
using Outcomes = std::vector<Outcome>;

/// All outcomes of a release of randomized response or of the worst (epsilon, delta)-DP mechanism.
Outcomes outcomes(const b::Step& step, pld::Direction direction) {
  Outcomes all;
  if (const auto* response = std::get_if<pld::RandomizedResponse>(&step.mechanism)) {
    const long double truth = response->p, lie = (1 - truth) / (response->k - 1);
    all = {{truth, lie}, {lie, truth}, {lie * (response->k - 2), lie * (response->k - 2)}};
  } else {
    const auto& dp = std::get<pld::ApproximateDp>(step.mechanism);
    const long double odds = std::exp(static_cast<long double>(dp.epsilon)),
                      lie = (1 - static_cast<long double>(dp.delta)) / (1 + odds), truth = lie * odds;
    all = {{dp.delta, 0}, {truth, lie}, {lie, truth}, {0, dp.delta}};
  }
  for (Outcome& o : all) {  // sampled: with the record, the release is that of the sample with it or without it
    o.p = step.q * o.p + (1 - static_cast<long double>(step.q)) * o.q;
    if (direction == pld::Direction::add) std::swap(o.p, o.q);
  }
  return all;
}

/// The smallest epsilon with sum (p - e^epsilon q)_+ <= delta over all outcomes of a composition, a little less where
/// round-off may have raised it; found by bisection.
double counted_epsilon(const b::Steps& steps, pld::Direction direction, double delta) {
  Outcomes all{{1, 1}};
  for (const b::Step& step : steps) {
    const Outcomes one = outcomes(step, direction);
    for (std::int64_t i = 0; i < step.count; ++i) {
      Outcomes next;
      for (const Outcome& before : all)
        for (const Outcome& o : one)
          if (o.p > 0 && before.p > 0) next.push_back({before.p * o.p, before.q * o.q});
      all = std::move(next);
    }
  }
  const auto exceeds = [&](double epsilon) {
    const long double factor = std::exp(static_cast<long double>(epsilon));
    long double sum = 0;
    for (const Outcome& o : all) sum += std::max(0.0L, o.p - factor * o.q);
    return sum * (1 - 1e-15L) > delta;
  };
  double low = -800, high = 800;
  if (exceeds(high)) return infinity;
  while (high - low > 1e-12 * (1 + std::fabs(low))) (exceeds((low + high) / 2) ? low : high) = (low + high) / 2;
  return low - 1e-13 * (1 + std::fabs(low));
}

/// Every bound against all outcomes of a few releases, counted one by one without any of the library.
int check_enumerated(int count, std::uint64_t seed) {
  Random random(seed);
  RandomSteps steps(random);
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    b::BoundQuery query;
    query.delta = random.delta();
    for (int kinds = random.whole(1, 2); kinds > 0; --kinds) {
      b::Step step = steps.step();
      while (step.mechanism.index() != 2 && step.mechanism.index() != 3) step = steps.step();
      step.count = random.whole(1, 4);
      query.steps.push_back(step);
    }
    INFO(text(query));
    const double exact = std::max(counted_epsilon(query.steps, pld::Direction::remove, query.delta),
                                  counted_epsilon(query.steps, pld::Direction::add, query.delta));
    for (const auto& bound : b::all_bounds()) {
      const auto answer = b::ask(bound, query);
      if (!answer.answered() || bound.claim != b::Claim::upper_bound) continue;
      ++answered;
      CHECK_MESSAGE(answer.epsilon >= exact, bound.name, " ", answer.epsilon, " below the counted ", exact);
    }
  }
  return answered;
}

/// What one function promises of one mechanism, against what is certified of that.
class Promises {
 public:
  explicit Promises(std::uint64_t seed) : random_(seed), steps_(random_) {}

  void check(int count) {
    constexpr void (Promises::*all[])() = {
        &Promises::divergences, &Promises::conversions,    &Promises::approximate,         &Promises::alpha_dp,
        &Promises::groups,      &Promises::fixed_size,     &Promises::sinh_normal,         &Promises::tcdp_sample,
        &Promises::amplified,   &Promises::gaussian_sigma, &Promises::sampled_divergences, &Promises::bounded_range};
    for (int i = 0; i < count; ++i) {
      what_.clear();
      try {
        (this->*all[static_cast<std::size_t>(i) % std::size(all)])();
      } catch (const pld::DomainError&) {
        ++refused_;
      }
    }
  }
  [[nodiscard]] int refused() const { return refused_; }

 private:
  void covers(const std::string& function, double promised, double least) {
    CHECK_MESSAGE(promised >= least, function, " ", pld::test::digits(promised), " below the certified ",
                  pld::test::digits(least), " of ", what_);
  }
  [[nodiscard]] double order() { return 1 + random_.log_uniform(1e-3, 300); }
  [[nodiscard]] static pld::Composition one(const pld::Mechanism& mechanism,
                                            pld::Relation relation = pld::Relation::add_remove) {
    return pld::Composition(relation).add(mechanism);
  }
  static constexpr double evaluation = 1 + 1e-11;  ///< what a formula of `bounds` may be off by

  void divergences() {
    b::Step step = steps_.step();
    while (step.mechanism.index() > RandomSteps::last_sampled) step = steps_.step();
    const double alpha = order();
    const auto direction = random_.whole(0, 1) == 0 ? pld::Direction::remove : pld::Direction::add;
    what_ = mechanism(step).text() + " order " + pld::test::digits(alpha);
    const pld::Bracket exact = pld::renyi_divergence(
        one(mechanism(step)), alpha,
        direction == pld::Direction::remove ? pld::DirectionChoice::remove : pld::DirectionChoice::add, 1e-4);
    const double promised = b::renyi_curve({{step.mechanism, step.q, 1}}, direction)(alpha);
    covers("renyi_curve", promised * evaluation, exact.lower);
    if (promised < infinity) covers("renyi_divergence", exact.upper, promised / evaluation);
    covers("zcdp_sharp", alpha * b::zcdp_sharp({{step.mechanism, step.q, 1}}).rho * evaluation, exact.lower);
  }

  void sampled_divergences() {
    b::Step step = steps_.step();
    while (step.mechanism.index() > RandomSteps::last_sampled) step = steps_.step();
    step.q = random_.log_uniform(1e-6, 1);
    const int alpha = random_.whole(2, 60);
    what_ = mechanism(step).text() + " order " + std::to_string(alpha);
    const double promised =
        b::poisson_renyi_any(b::renyi_curve({{step.mechanism}}, pld::Direction::remove), step.q, alpha);
    covers("poisson_renyi_any", promised * evaluation,
           pld::renyi_divergence(one(mechanism(step)), alpha, pld::DirectionChoice::worst, 1e-3).lower);
  }

  void bounded_range() {
    const double epsilon = random_.log_uniform(1e-5, 100), alpha = order(), place = random_.uniform(0, 1) * epsilon;
    // Two outcomes with losses `place` and `place` - epsilon.
    const double up = std::expm1(epsilon - place) / std::expm1(epsilon) * std::exp(place);
    const pld::MassTable pair{.p = {up, 1 - up}, .q = {up * std::exp(-place), 1 - up * std::exp(-place)}};
    what_ = "range " + pld::test::digits(epsilon) + " order " + pld::test::digits(alpha);
    const b::Steps steps{{pld::ExponentialMechanism{.epsilon = epsilon}}};
    const double least = pld::renyi_divergence(one(pair), alpha, pld::DirectionChoice::remove, 1e-9).lower;
    const double doubt = 1e-12 * epsilon;  // of the table's own masses
    covers("renyi_curve of bounded range", b::renyi_curve(steps, pld::Direction::remove)(alpha) + doubt, least);
    covers("zcdp_of_bounded_range", alpha * b::zcdp_of_bounded_range(steps).rho + doubt, least);
    covers("zcdp_sharp of bounded range", alpha * b::zcdp_sharp(steps).rho + doubt, least);
  }

  void conversions() {
    const double mu = random_.log_uniform(1e-3, 50), delta = random_.delta(), alpha = order();
    what_ = "mu " + pld::test::digits(mu) + " delta " + pld::test::digits(delta);
    const double least = pld::epsilon(one(pld::Gaussian{.sigma = 1, .sensitivity = mu}), {.delta = delta}).lower;
    const double rho = b::zcdp_gaussian_rho(1, mu);
    const auto up = [](double x) { return x + 1e-11 * std::fabs(x); };
    covers("gdp_epsilon", up(b::gdp_epsilon(mu, delta)), least);
    covers("epsilon_from_zcdp", up(b::epsilon_from_zcdp({0, rho}, delta)), least);
    covers("epsilon_from_zcdp_tight", up(b::epsilon_from_zcdp_tight({0, rho}, delta)), least);
    covers("epsilon_from_renyi_basic", up(b::epsilon_from_renyi_basic(alpha, rho * alpha, delta)), least);
    covers("epsilon_from_renyi_tight", up(b::epsilon_from_renyi_tight(alpha, rho * alpha, delta)), least);
    const double optimal = up(b::epsilon_from_renyi_optimal(alpha, rho * alpha, delta));
    covers("epsilon_from_renyi_optimal", optimal, least);
    covers("epsilon_from_renyi_tight", up(b::epsilon_from_renyi_tight(alpha, rho * alpha, delta)), optimal);
    covers("epsilon_from_tcdp", up(b::epsilon_from_tcdp({rho, alpha}, delta)), least);
    const double pure = random_.log_uniform(1e-3, 20);
    what_ += " pure " + pld::test::digits(pure);
    covers("zcdp_rho_of_pure_dp", up(b::epsilon_from_zcdp_tight({0, b::zcdp_rho_of_pure_dp(pure)}, delta)),
           pld::epsilon(one(pld::ApproximateDp{.epsilon = pure}), {.delta = delta}).lower);
  }

  void approximate() {
    const double epsilon = random_.log_uniform(1e-3, 20), leak = random_.log_uniform(1e-300, 0.1);
    const double delta = random_.delta(), at = random_.uniform(-1, 1) * 2 * epsilon;
    const auto guarantee = b::approximate_renyi_of_dp(epsilon, leak, order());
    const pld::Composition run = one(pld::ApproximateDp{.epsilon = epsilon, .delta = leak});
    what_ = run.releases().front().mechanism.text() + " delta " + pld::test::digits(delta);
    covers("delta_from_approximate_renyi", b::delta_from_approximate_renyi(guarantee, at) * evaluation,
           pld::delta(run, {.epsilon = at}).lower);
    const double promised = b::epsilon_from_approximate_renyi(guarantee, delta);
    covers("epsilon_from_approximate_renyi", promised + 1e-11 * std::fabs(promised),
           pld::epsilon(run, {.delta = delta}).lower);
  }

  void alpha_dp() {
    const double alpha = order(), scale = random_.log_uniform(0.02, 100), delta = random_.delta();
    const double p = random_.uniform(0.01, 0.99);
    const auto each = [&](const std::string& function, const b::AlphaDp& guarantee, const pld::Mechanism& mechanism) {
      what_ = mechanism.text() + " order " + pld::test::digits(alpha) + " delta " + pld::test::digits(delta);
      covers(function, guarantee.log_moment() * evaluation,
             (alpha - 1) * pld::renyi_divergence(one(mechanism), alpha).lower);
      const double least = pld::epsilon(one(mechanism), {.delta = delta}).lower;
      for (const auto convert : {b::epsilon_from_adp_as_proved, b::epsilon_from_adp_as_printed})
        covers("epsilon_from_adp", convert(guarantee, delta) * evaluation, least);
    };
    each("adp_gaussian", b::adp_gaussian(alpha, scale, 1), pld::Gaussian{.sigma = scale});
    each("adp_laplace", b::adp_laplace(alpha, scale, 1), pld::Laplace{.scale = scale});
    each("adp_randomized_response", b::adp_randomized_response(alpha, p), pld::RandomizedResponse{.p = p});
  }

  void groups() {
    const int k = random_.whole(1, 3);
    const double size = std::ldexp(1.0, k), alpha = size * (1 + random_.log_uniform(1e-2, 50));
    const double scale = random_.log_uniform(0.1, 100);
    const auto each = [&](const b::AlphaDp& guarantee, const pld::Mechanism& group) {
      what_ = group.text() + " order " + pld::test::digits(alpha / size);
      covers("adp_group", b::adp_group(guarantee, k).log_moment() * evaluation,
             (alpha / size - 1) * pld::renyi_divergence(one(group), alpha / size).lower);
    };
    each(b::adp_gaussian(alpha, scale, 1), pld::Gaussian{.sigma = scale, .sensitivity = size});
    each(b::adp_laplace(alpha, scale, 1), pld::Laplace{.scale = scale, .sensitivity = size});
  }

  void fixed_size() {
    const double share = random_.log_uniform(1e-4, 0.9);
    const int alpha = random_.whole(2, 40);
    const auto each = [&](const pld::Mechanism& base, const b::RenyiCurve& rdp, double largest) {
      const pld::Mechanism sampled = pld::without_replacement(base, share);
      what_ = sampled.text() + " order " + std::to_string(alpha);
      const double least =
          pld::renyi_divergence(one(sampled, pld::Relation::replace_one), alpha, pld::DirectionChoice::worst, 1e-3)
              .lower;
      covers("fixed_size_renyi", b::fixed_size_renyi(rdp, largest, share, alpha) * evaluation, least);
      covers("fixed_size_renyi_loose", b::fixed_size_renyi_loose(rdp, share, alpha) * evaluation, least);
      covers("fixed_size_renyi_one_order", b::fixed_size_renyi_one_order(rdp(alpha), share, alpha) * evaluation, least);
      return least;
    };
    // The sensitivity of the bounds is that of a replaced record: twice that of an added one.
    const double sigma = random_.log_uniform(0.3, 50), scale = random_.log_uniform(0.3, 50);
    const double least = each(
        pld::Gaussian{.sigma = sigma}, [&](double a) { return b::renyi_gaussian(a, sigma, 2); }, infinity);
    covers("fixed_size_renyi_gaussian", b::fixed_size_renyi_gaussian(sigma, 2, share, alpha) * evaluation, least);
    each(
        pld::Laplace{.scale = scale}, [&](double a) { return b::renyi_laplace(a, scale, 2); }, 2 / scale);
  }

  void sinh_normal() {
    const double rho = random_.log_uniform(1e-5, 0.9), a = random_.log_uniform(1, 30) / std::sqrt(rho);
    const b::TruncatedConcentrated guarantee = b::tcdp_arsinh(rho, a, 1);
    const pld::Composition run = one(pld::SinhNormal{.sigma = std::sqrt(0.5 / rho), .a = a});
    const double delta = random_.delta();
    what_ = run.releases().front().mechanism.text() + " delta " + pld::test::digits(delta);
    if (guarantee.omega > 1) {
      const double alpha = 1 + (guarantee.omega - 1) * random_.uniform(0, 1);
      covers("tcdp_arsinh", guarantee.rho * alpha,
             pld::renyi_divergence(run, alpha, pld::DirectionChoice::worst, 1e-3).lower);
      const double promised = b::epsilon_from_tcdp(guarantee, delta);
      covers("epsilon_from_tcdp", promised + 1e-11 * promised, pld::epsilon(run, {.delta = delta}).lower);
    }
  }

  void tcdp_sample() {
    const double rho = random_.log_uniform(1e-4, 0.1), s = random_.log_uniform(1e-5, 0.1);
    const b::TruncatedConcentrated sampled = b::tcdp_amplify_by_sampling({rho, infinity}, s);
    // A replaced record of a Gaussian with this rho.
    const pld::Mechanism gaussian =
        pld::without_replacement(pld::Gaussian{.sigma = std::sqrt(2 / rho), .sensitivity = 1}, s);
    const double alpha = 1 + (sampled.omega - 1) * random_.uniform(0, 1);
    what_ = gaussian.text() + " order " + pld::test::digits(alpha);
    covers("tcdp_amplify_by_sampling", sampled.rho * alpha,
           pld::renyi_divergence(one(gaussian, pld::Relation::replace_one), alpha, pld::DirectionChoice::worst, 1e-3)
               .lower);
  }

  void amplified() {
    const pld::ApproximateDp dp{.epsilon = random_.log_uniform(1e-3, 20), .delta = random_.log_uniform(1e-300, 0.5)};
    const double q = random_.log_uniform(1e-5, 1);
    const b::DpGuarantee sampled = b::amplify_by_sampling({dp.epsilon, dp.delta}, q);
    const pld::Composition run = one(pld::poisson_sampled(dp, q));
    what_ = run.releases().front().mechanism.text();
    covers("amplify_by_sampling", sampled.delta * evaluation,
           pld::delta(run, {.epsilon = sampled.epsilon * evaluation}).lower);
  }

  void gaussian_sigma() {
    const double epsilon = random_.log_uniform(1e-3, 50), delta = random_.delta();
    const double sensitivity = random_.log_uniform(0.1, 10);
    what_ = "epsilon " + pld::test::digits(epsilon) + " delta " + pld::test::digits(delta);
    const auto attained = [&](double sigma) {
      return pld::delta(one(pld::Gaussian{.sigma = sigma, .sensitivity = sensitivity}), {.epsilon = epsilon}).lower;
    };
    covers("analytic_gaussian_sigma", delta, attained(b::analytic_gaussian_sigma(epsilon, delta, sensitivity)));
    const double mu = random_.log_uniform(1e-3, 30), alpha = random_.uniform(0, 1);
    const auto point = pld::trade_off(one(pld::Gaussian{.sigma = 1, .sensitivity = mu})).at(alpha);
    covers("gdp_trade_off", point.beta.upper * evaluation, b::gdp_trade_off(mu, alpha));
    covers("classical_gaussian_sigma", delta, attained(b::classical_gaussian_sigma(epsilon, delta, sensitivity)));
  }

  Random random_;
  RandomSteps steps_;
  std::string what_;
  int refused_ = 0;
};

}  // namespace

TEST_CASE("validation.bounds_fuzz.compositions") { CHECK(check_compositions(100, 1) > 500); }

TEST_CASE("validation.bounds_fuzz.replaced_records") { CHECK(check_replacements(60, 1) > 200); }

TEST_CASE("validation.bounds_fuzz.enumerated_compositions") { CHECK(check_enumerated(100, 1) > 500); }

TEST_CASE("validation.bounds_fuzz.functions") {
  Promises promises(1);
  promises.check(400);
  CHECK(promises.refused() < 200);
}

TEST_SUITE("slow") {
  TEST_CASE("validation.bounds_fuzz.100000_compositions") { check_compositions(100000, 2); }
  TEST_CASE("validation.bounds_fuzz.5000_compositions_with_replaced_records") { check_replacements(5000, 2); }
  TEST_CASE("validation.bounds_fuzz.20000_enumerated_compositions") { check_enumerated(20000, 2); }
  TEST_CASE("validation.bounds_fuzz.functions_20000_times") { Promises(2).check(20000); }
}
