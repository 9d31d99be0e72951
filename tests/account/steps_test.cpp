#include "account/steps.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

// A replaced record is removed, then another one is added: no answer is above what the two composed profiles give.

namespace {

using namespace pld;

/// Poisson samples of which no tight pair is known, or none that doubles can tell, beside other releases.
std::vector<Release> random_releases(std::mt19937_64& random) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto count = [&] { return static_cast<std::int64_t>(uniform(1, 60)); };
  std::vector<Release> releases;
  if (uniform(0, 1) < 0.6)
    releases.push_back({poisson_sampled(TruncatedLaplace{.scale = uniform(0.15, 0.9), .bound = 20, .sensitivity = 0.3},
                                        uniform(0.005, 0.2)),
                        count()});
  else
    releases.push_back({poisson_sampled(RandomizedResponse{.p = uniform(0.55, 0.8)}, uniform(0.01, 0.3)), count()});
  if (uniform(0, 1) < 0.5) releases.push_back({Gaussian{.sigma = uniform(5, 20)}, count()});
  return releases;
}

Composition composed(Relation relation, const std::vector<Release>& releases) {
  Composition out(relation);
  for (const Release& release : releases) out.add(release.mechanism, release.count);
  return out;
}

}  // namespace

TEST_CASE("account.steps.no answer is above a removal and an addition") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2; ++i) {
    const auto releases = random_releases(random);
    const Composition replaced = composed(Relation::replace_one, releases);
    const Composition steps = composed(Relation::add_remove, releases);
    const auto one = [&](double epsilon, DirectionChoice direction) {
      return delta(steps, {.epsilon = epsilon, .direction = direction}).upper;
    };
    for (const double epsilon : {1.2, -0.5}) {
      CAPTURE(epsilon);
      double least = 1;
      for (double a = -1; a <= 2; a += 0.25)
        least = std::min(least, one(a, DirectionChoice::remove) + std::exp(a) * one(epsilon - a, DirectionChoice::add));
      const auto found = delta(replaced, {.epsilon = epsilon});
      const Bracket read = profile(replaced).delta(epsilon);
      CHECK_FALSE(found.exact);
      CHECK(found.upper <= least * 1.002);  // the tolerance of delta
      CHECK(read.upper <= least * 1.002);
    }
    const double target = 1e-5;
    double least = INFINITY;
    for (double share = 0.05; share < 1; share += 0.15) {
      const double a = epsilon(steps, {.delta = share * target, .direction = DirectionChoice::remove}).upper;
      const double rest = (1 - share) * target * std::exp(-a) * (1 - 1e-12);
      least = std::min(least, a + epsilon(steps, {.delta = rest, .direction = DirectionChoice::add}).upper);
    }
    const auto found = epsilon(replaced, {.delta = target});
    CHECK(found.upper <= least * (1 + 1e-4));
    CHECK_FALSE(found.exact);
  }
}

TEST_CASE("account.steps.a sampled truncated Laplace is far below the pair of its batches") {
  Composition run(Relation::replace_one);
  run.add(poisson_sampled(TruncatedLaplace{.scale = 1, .bound = 20}, 0.01), 1000);
  const auto found = epsilon(run, {.delta = 1e-6});
  MESSAGE("epsilon <= ", found.upper);
  CHECK(found.upper < 3.1);  // 3.896 by the pair of sampling without replacement
  CHECK(found.lower > 1.28);
}

namespace {

/// delta by k steps of Gaussian noise of sensitivity 1, each at its own epsilon.
double by_gaussian_steps(double sigma, int k, double epsilon) {
  const Composition one = Composition().add(Gaussian{.sigma = sigma});
  const auto read = [&](const std::vector<double>& epsilons, DirectionChoice direction, double) {
    std::vector<double> out;
    for (const double at : epsilons) out.push_back(delta(one, {.epsilon = at, .direction = direction}).log_delta.upper);
    return out;
  };
  const Steps steps({one, k, false}, {read, read, [](DirectionChoice) { return INFINITY; }}, 1e-3);
  return std::exp(steps.at({epsilon}, DirectionChoice::worst).front().log_delta.upper);
}

/// H_{e^epsilon} of k of n answers that are each somebody's own.
double of_own_answers(double p, int k, double epsilon) {
  double sum = 0;
  for (int flips = 0; flips <= k; ++flips) {
    const double chance = std::tgamma(k + 1.0) / std::tgamma(flips + 1.0) / std::tgamma(k - flips + 1.0);
    const double with = std::pow(p, k - flips) * std::pow(1 - p, flips),
                 without = std::pow(p, flips) * std::pow(1 - p, k - flips);
    sum += chance * std::max(0.0, with - std::exp(epsilon) * without);
  }
  return sum;
}

}  // namespace

TEST_CASE("account.steps.of Gaussian noise come to k times the sensitivity") {
  for (const int k : {2, 3, 8}) {
    for (const double epsilon : {0.3, 2.0, 9.0}) {
      CAPTURE(k);
      CAPTURE(epsilon);
      const double sigma = 2;
      const double whole =
          delta(Composition().add(Gaussian{sigma, static_cast<double>(k)}), {.epsilon = epsilon}).lower;
      const double steps = by_gaussian_steps(sigma, k, epsilon);
      CHECK(steps >= whole * (1 - 1e-9));
      CHECK(steps <= whole * 1.02);
    }
  }
}

TEST_CASE("account.steps.one step has the epsilon of its profile") {
  const double sigma = 2;
  const Steps one = steps_by_profile({Composition().add(Gaussian{sigma}), 1, false}, 1e-6);
  for (const double delta_asked : {1e-30, 1e-6, 0.1, 0.7, 0.99}) {
    CAPTURE(delta_asked);
    const Bracket exact = epsilon(Composition().add(Gaussian{sigma}), {.delta = delta_asked});
    const double found = one.epsilon({delta_asked}, DirectionChoice::worst, {infinity}).front();
    CHECK(found >= exact.lower);
    CHECK(found <= exact.upper + 1e-7);
  }
}

TEST_CASE("account.steps.cover people who each answer for themselves") {
  for (const int k : {2, 3}) {
    Composition run(Neighbours(Relation::replace_one, k));
    run.add(RandomizedResponse{.p = 0.7});
    CHECK_FALSE(run.is_exact());
    for (const double epsilon : {0.0, 0.4, 1.3, -0.5}) {
      CAPTURE(k);
      CAPTURE(epsilon);
      const auto found = delta(run, {.epsilon = epsilon});
      const double truth = of_own_answers(0.7, k, epsilon);
      CHECK(truth <= found.upper * (1 + 1e-12));
      CHECK(found.upper < 1);
      CHECK(of_own_answers(0.7, 1, epsilon) >= found.lower * (1 - 1e-12));
      const Bracket read = profile(run).delta(epsilon);
      CHECK(truth <= read.upper * (1 + 1e-12));
    }
    const auto epsilon_found = epsilon(run, {.delta = 0.01});
    CHECK(of_own_answers(0.7, k, epsilon_found.upper) <= 0.01 * (1 + 1e-9));
    CHECK(epsilon_found.upper <= k * std::log(0.7 / 0.3) * (1 + 1e-9));  // pure DP of a group
  }
}

TEST_CASE("account.steps.delta at a group's epsilon is no more than was asked for") {
  const auto group = [](Relation relation, int k, const Mechanism& mechanism, std::int64_t count) {
    return Composition(Neighbours(relation, k)).add(mechanism, count);
  };
  const std::vector<Composition> groups{
      group(Relation::zero_out, 3, shuffled(Gaussian{.sigma = 1}, 50), 3),
      group(Relation::add_remove, 2, ApproximateDp{.epsilon = 1}, 3),
      group(Relation::add_remove, 3, RandomizedResponse{.p = 0.6}, 10),
      group(Relation::replace_one, 2, RandomizedResponse{.p = 0.6}, 10),
      group(Relation::replace_one, 3, without_replacement(Gaussian{.sigma = 1}, 0.01), 1000),
      group(Relation::add_remove, 2, MassTable{.p = {0.75, 0.25}, .q = {0.25, 0.75}}, 4)};
  for (const Composition& run : groups) {
    for (const double asked : {1e-2, 1e-6}) {
      CAPTURE(asked);
      const double at = epsilon(run, {.delta = asked}).upper;
      CAPTURE(at);
      CHECK(delta(run, {.epsilon = at}).upper <= asked * 1.01);
      CHECK(profile(run).delta(at).upper <= asked * 1.01);
    }
  }
  // Two answers of ten each, of which the second loses no more than the largest loss.
  const double second = 10 * std::log(1.5), at = 8.109138;
  const Composition one = group(Relation::replace_one, 1, RandomizedResponse{.p = 0.6}, 10);
  CHECK(delta(groups[3], {.epsilon = at}).upper <= delta(one, {.epsilon = at - second}).upper * 1.001);
}

TEST_CASE("account.steps.no answer is above two removals, each with an addition after it") {
  const Mechanism sampled = poisson_sampled(TruncatedLaplace{.scale = 0.5, .bound = 20, .sensitivity = 0.3}, 0.02);
  const Composition replaced = Composition(Neighbours(Relation::replace_one, 2)).add(sampled, 20);
  const PrivacyProfile step(Composition(Relation::add_remove).add(sampled, 20), {.tolerance = 1e-3});
  std::vector<double> shares;
  for (double a = -1.5; a <= 3; a += 0.25) shares.push_back(a);
  const auto read = [&](const std::vector<double>& epsilons, DirectionChoice direction) {
    std::vector<double> out;
    for (const ProfileBracket& at : step.log_profile(epsilons, direction)) out.push_back(std::exp(at.log_delta.upper));
    return out;
  };
  const std::vector<double> removal = read(shares, DirectionChoice::remove),
                            addition = read(shares, DirectionChoice::add);
  const double epsilon = 1;
  double least = 1;
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (std::size_t j = 0; j < shares.size(); ++j)
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const auto rest = std::find(shares.begin(), shares.end(), epsilon - shares[i] - shares[j] - shares[k]);
        if (rest == shares.end()) continue;
        const double one = shares[i], two = one + shares[j], three = two + shares[k];
        least = std::min(least, removal[i] + std::exp(one) * addition[j] + std::exp(two) * removal[k] +
                                    std::exp(three) * addition[static_cast<std::size_t>(rest - shares.begin())]);
      }
  CAPTURE(least);
  CHECK(delta(replaced, {.epsilon = epsilon}).upper <= least * 1.002);
  CHECK(profile(replaced).delta(epsilon).upper <= least * 1.002);
}

TEST_CASE("account.steps.records of a batch of fixed size are replaced one after the other") {
  // Of N records a batch has m: the share of each is m / N at every removal, as the one before was replaced.
  const Mechanism batch = without_replacement(TruncatedLaplace{.scale = 0.5, .bound = 20}, 0.1);
  const auto remove = DirectionChoice::remove, add = DirectionChoice::add;
  for (const Way& way : ways_of(Composition(Neighbours(Relation::replace_one, 3)).add(batch, 4))) {
    CHECK(way.step.neighbours().group == 1);  // of groups that leave no shares are known
    if (way.replaces)
      CHECK(way.directions(DirectionChoice::worst) == std::vector{remove, add, remove, add, remove, add});
  }
}

TEST_CASE("account.steps.of a guarantee in both directions") {
  // (epsilon, delta)-DP is (k epsilon, delta (e^{k epsilon} - 1) / (e^epsilon - 1))-DP of groups (Vadhan 2017,
  // lemma 2.2).
  const int k = 3;
  const double e = 0.4, d = 1e-6;
  Composition run(Neighbours(Relation::add_remove, k));
  run.add(ApproximateDp{.epsilon = e, .delta = d});
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add, DirectionChoice::worst}) {
    const auto found = delta(run, {.epsilon = k * e, .direction = direction});
    const double lemma = d * std::expm1(k * e) / std::expm1(e);
    // The largest loss of a step bounds nothing where it may lose infinitely.
    for (const double less : {0.0, 1e-7})
      CHECK(epsilon(run, {.delta = less, .direction = direction}).upper == INFINITY);
    CHECK(found.upper <= lemma * (1 + 1e-6));
    CHECK(found.upper >= d);
  }
  // Nor where divergences tell that no epsilon is sure.
  const Composition replaced = Composition(Neighbours(Relation::replace_one, 2)).add(ConcentratedDp{.rho = 0.1});
  CHECK(epsilon(replaced, {.delta = 0}).upper == INFINITY);
}

TEST_CASE("account.steps.zero-concentrated guarantees grow with the square of the group") {
  const Composition group = Composition(Neighbours(Relation::add_remove, 3)).add(ConcentratedDp{.rho = 0.02});
  CHECK_REL(zcdp_rho(group).upper, 9 * 0.02, 1e-12);
}

// P loses all of its first outcome, and a step's best place lies beyond its finite losses.
TEST_CASE("account.steps.a group of records that may be told for certain") {
  MassTable table;
  table.p = {0.9, 0.1}, table.q = {1, 0};
  for (const int k : {2, 3}) {
    CAPTURE(k);
    const Composition run = Composition(Neighbours(Relation::add_remove, k)).add(table);
    // k of them one after the other: 1 less what none of them has.
    const double truth = 1 - std::pow(0.9, k);
    const auto found = delta(run, {.epsilon = 1, .direction = DirectionChoice::remove});
    CHECK(found.upper >= truth);
    CHECK(found.upper <= truth * (1 + 1e-4));
    CHECK(std::isfinite(epsilon(run, {.delta = truth + 0.005, .direction = DirectionChoice::remove}).upper));
  }
}

TEST_CASE("account.steps.many places at once are bounded as each by itself") {
  // Once the first epsilons took all work, and the others had bounds up to 280,000 times as large.
  const Composition group =
      Composition(Neighbours(Relation::add_remove, 3)).add(randomly_allocated(Laplace{.scale = 2}, 10), 3);
  std::vector<double> epsilons, deltas;
  for (int i = 0; i <= 400; ++i) epsilons.push_back(0.01 * i), deltas.push_back(std::pow(10, -2 - 0.02 * i));
  const PrivacyProfile profile(group);
  const std::vector<ProfileBracket> read = profile.log_profile(epsilons);
  const std::vector<Bracket> inverse = profile.epsilon(deltas);
  for (std::size_t i = 30; i < epsilons.size(); i += 90) {
    CAPTURE(i);
    CHECK(read[i].log_delta.upper <= delta(group, {.epsilon = epsilons[i]}).log_delta.upper + 0.01);
    CHECK(inverse[i].upper <= epsilon(group, {.delta = deltas[i]}).upper * 1.002);
  }
}

TEST_CASE("account.steps.places within a rounding of each other are bounded, too") {
  // k times a delta of 1/4 is what some mechanism loses at an epsilon of 0.
  for (const int k : {2, 3}) {
    CAPTURE(k);
    const PrivacyProfile group(Composition(Neighbours(Relation::add_remove, k)).add(ApproximateDp{0, 0.25}));
    for (const double reach : {1e-300, 1e-90, 1e-17}) {
      std::vector<double> epsilons;
      for (int i = 0; i <= 40; ++i) epsilons.push_back(reach * i / 40);
      for (const ProfileBracket& at : group.log_profile(epsilons)) {
        CHECK(std::exp(at.log_delta.upper) >= 0.25 * k);
        CHECK(at.log_complement.lower <= std::log1p(-0.25 * k));
      }
    }
  }
}

TEST_CASE("account.steps.what is read for few places serves all when the work is gone") {
  const Composition group =
      Composition(Neighbours(Relation::add_remove, 2)).add(randomly_allocated(Gaussian{.sigma = 4}, 100), 3);
  std::vector<double> epsilons;
  for (int i = 0; i <= 20; ++i) epsilons.push_back(0.05 * i);
  const std::vector<ProfileBracket> all = PrivacyProfile(group).log_profile(epsilons);
  CHECK(all[10].log_delta.upper < std::log(1e-9));  // 1.3e-10 alone, .19 by one chord
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].log_delta.upper <= all[i - 1].log_delta.upper);
}

TEST_CASE("account.steps.epsilons of tiny deltas are finite where they are so alone") {
  const Composition group = Composition(Neighbours(Relation::add_remove, 5))
                                .add(randomly_allocated(ExponentialMechanism{.epsilon = 1.75}, 2), 10);
  std::vector<double> deltas;
  for (int i = 0; i < 60; ++i) deltas.push_back(std::pow(10, -50 + 48.0 * i / 59));
  const double alone = epsilon(group, {.delta = deltas[27]}).upper;
  CHECK(alone < 90);
  CHECK(PrivacyProfile(group).epsilon(deltas)[27].upper < 1.1 * alone);
}

// A mixture of products of ratios in [e^-a, e^a] has the largest loss a times the releases of a record, which it
// attains where all ratios are that; Laplace noise has both signs of it.
TEST_CASE("account.steps.an allocation loses no more than the releases that a record is in") {
  const std::pair<Mechanism, double> pure[] = {
      {randomly_allocated(Laplace{.scale = 1}, 10), 1},
      {randomly_allocated(Laplace{.scale = 0.001}, 2), 1000},
      {allocated_once(RandomizedResponse{.p = 0.75}, 3, 4), 4 * std::log(3.0)},
  };
  for (const auto& [mechanism, largest] : pure) {
    CAPTURE(mechanism.text());
    const Composition run = Composition().add(mechanism, 2);
    const Answer found = epsilon(run, {.delta = 0});
    CHECK(found.lower <= 2 * largest * (1 + 1e-15));
    CHECK(found.upper >= 2 * largest * (1 - 1e-15));
    CHECK(found.upper <= 2 * largest * (1 + 1e-7));
    CHECK(delta(run, {.epsilon = 2.001 * largest}).upper == 0);
    CHECK(PrivacyProfile(run).delta(2.001 * largest).upper == 0);
    CHECK(TradeOff(PrivacyProfile(run)).at(0).power.upper == 0);
    const Bracket rho = zcdp_rho(run);
    CHECK(rho.upper <= largest * largest);  // of a release: a^2 / 2
  }
  // Noise that tells of everything in a step: the profile of one Gaussian.
  for (const Relation relation : {Relation::add_remove, Relation::replace_one}) {
    const Composition run = Composition(relation).add(randomly_allocated_to_several(Gaussian{.sigma = 0.05}, 3, 2), 1);
    const Composition told = Composition(relation).add(Gaussian{.sigma = 0.05}, 2);
    CHECK(epsilon(run, {.delta = 1e-10}).upper <= epsilon(told, {.delta = 1e-10}).upper * (1 + 1e-6));
  }
}

TEST_CASE("account.steps.a batch of fixed size hides no record that is blanked out less than all data do") {
  const TruncatedSample cut{.q = 0.9, .largest_batch = 90, .records = 100};
  for (const Mechanism& batch :
       {without_replacement(Gaussian{.sigma = 2}, 0.9), truncated_poisson(Gaussian{.sigma = 2}, cut)}) {
    const Composition run = Composition(Relation::zero_out).add(batch, 10).add(Laplace{.scale = 5}, 3);
    const Composition all = Composition(Relation::zero_out).add(Gaussian{.sigma = 2}, 10).add(Laplace{.scale = 5}, 3);
    const PrivacyProfile profile(run), of_all(all);
    const Answer found = epsilon(run, {.delta = 1e-6}), truth = epsilon(all, {.delta = 1e-6});
    CHECK(found.upper <= truth.upper * (1 + 1e-6));
    CHECK(found.lower < truth.lower);  // batches do hide something
    CHECK(profile.delta(1).upper <= of_all.delta(1).upper * (1 + 1e-3));
    CHECK(TradeOff(profile)(0.1).lower >= TradeOff(of_all)(0.1).lower - 1e-4);
    CHECK(zcdp_rho(run).upper <= zcdp_rho(all).upper * (1 + 1e-6));
    CHECK_FALSE(way_when_told(Composition().add(batch, 10)));  // another record takes the place of one left out
    CHECK_FALSE(way_when_told(Composition(Relation::replace_one).add(batch, 10)));
  }
}

// Divergences of a mixture are at most the largest of its parts': what is known of those of all data, or of a group in
// them, holds of a sample too, of which the pair may be looser.
TEST_CASE("account.steps.a sample loses no more than all data do") {
  const Neighbours one, two(Relation::add_remove, 2), four(Relation::zero_out, 4);
  const RenyiDp order{.orders = {4}, .epsilons = {0.276364}};
  const DiscreteGaussian whole{.sigma = 1.3093};
  const std::tuple<Neighbours, Mechanism, Mechanism, std::int64_t> samples[] = {
      {one, poisson_sampled(ConcentratedDp{.rho = 0.01}, 0.95), ConcentratedDp{.rho = 0.01}, 100},
      {one, poisson_sampled(order, 0.95), order, 6},
      {one, poisson_sampled(TruncatedConcentratedDp{.rho = 0.0128, .omega = 7.75}, 0.9),
       TruncatedConcentratedDp{.rho = 0.0128, .omega = 7.75}, 6},
      {one, poisson_sampled(ExponentialMechanism{.epsilon = 0.3}, 1 - 1e-9), ExponentialMechanism{.epsilon = 0.3}, 30},
      {two, poisson_sampled(ReportNoisyMax{.scale = 40}, 1 - 1e-9), ReportNoisyMax{.scale = 40}, 9},
      {four, without_replacement(whole, 0.58), whole, 27},
  };
  for (const auto& [neighbours, sample, all, count] : samples) {
    const Composition run = Composition(neighbours).add(sample, count), most = Composition(neighbours).add(all, count);
    CAPTURE(sample.text());
    for (const double delta : {1e-2, 1e-6, 1e-12})
      CHECK(epsilon(run, {.delta = delta}).upper <= epsilon(most, {.delta = delta}).upper * (1 + 1e-4));
    const PrivacyProfile profile(run), of_all(most);
    for (const double at : {0.0, 0.5, 3.0}) {
      CHECK(delta(run, {.epsilon = at}).upper <= delta(most, {.epsilon = at}).upper * (1 + 1e-3));
      CHECK(profile.delta(at).upper <= of_all.delta(at).upper * (1 + 1e-3));
    }
    CHECK(TradeOff(profile)(0.01).lower >= TradeOff(of_all)(0.01).lower * (1 - 1e-3));
  }
}

TEST_CASE("account.steps.both ways to convert a sample's guarantee are told as they are") {
  const Mechanism sample = poisson_sampled(ConcentratedDp{.rho = 0.01}, 0.95);
  const Answer found = epsilon(Composition().add(sample, 100), {.delta = 1e-6});
  const Mechanism its_pair = Mechanism::of_law("pair", sample.law());
  const Answer of_pairs = epsilon(Composition().add(its_pair, 100), {.delta = 1e-6});
  REQUIRE(found.renyi_routes);
  CHECK(found.renyi_routes->added_first.upper == found.upper);
  CHECK(found.renyi_routes->converted_first.upper <= of_pairs.upper * (1 + 1e-4));
  CHECK(found.renyi_routes->converted_first.lower > 0.99 * of_pairs.upper);  // or few digits are shown
  CHECK(found.renyi_routes->converted_first.upper >= of_pairs.upper * (1 - 1e-4));
}

TEST_CASE("account.steps.what is told of which records are drawn") {
  const Mechanism allocated = allocated_once(Gaussian{.sigma = 1}, 10, 3);
  const auto way = way_when_told(Composition().add(allocated, 5).add(Gaussian{.sigma = 2}, 7));
  REQUIRE(way);
  REQUIRE(way->step.releases().size() == 2);
  CHECK(way->step.releases()[0].count == 15);
  CHECK(way->step.releases()[1].count == 7);
  CHECK_FALSE(way_when_told(Composition().add(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 5)));
  // Of a group of an allocation several records may be in one release.
  const Composition group = Composition(Neighbours(Relation::add_remove, 2)).add(allocated, 5);
  CHECK_FALSE(way_when_told(group));
  const auto mixed = way_when_told(Composition(group).add(poisson_sampled(ReportNoisyMax{.scale = 40}, 0.1), 3));
  REQUIRE(mixed);
  CHECK(mixed->step.releases()[0].mechanism.sampling());
  CHECK_FALSE(mixed->step.releases()[1].mechanism.sampling());
}

TEST_CASE("account.steps.groups of a guarantee compose beside other noise") {
  // Geometric noise of two losses loses most of all mechanisms with a pure guarantee, in a group too.
  for (const int group : {2, 3}) {
    const Neighbours neighbours{Relation::add_remove, static_cast<double>(group)};
    const Composition guarantee =
        Composition(neighbours).add(ApproximateDp{.epsilon = 0.3}, 20).add(SinhNormal{.sigma = 2, .a = 5}, 2);
    const Composition noise =
        Composition(neighbours).add(DiscreteLaplace{.a = 0.3}, 20).add(SinhNormal{.sigma = 2, .a = 5}, 2);
    const Answer found = epsilon(guarantee, {.delta = 1e-6}), truth = epsilon(noise, {.delta = 1e-6});
    CHECK(found.upper >= truth.lower);
    CHECK(found.upper <= truth.upper * (1 + 1e-4));
    CHECK(found.lower <= truth.upper);
    CHECK(found.lower >= truth.lower * (1 - 1e-4));
    CHECK_FALSE(found.exact);
  }
  // A hundred deltas may not be spent one by one along the way of the whole composition.
  const Composition many = Composition(Neighbours(Relation::add_remove, 2))
                               .add(ApproximateDp{.epsilon = 0.3, .delta = 1e-9}, 100)
                               .add(Gaussian{.sigma = 3}, 3);
  CHECK(epsilon(many, {.delta = 1e-5}).upper < 38.18);  // infinite by its steps
}

TEST_CASE("account.steps.what looks at an allocation's nodes told is kept") {
  // The line, which is tried first, and the looks leave no work for a last answer: it had 300 in one direction.
  const Composition run = Composition()
                              .add(poisson_sampled(Gaussian{.sigma = 2.68}, 0.00038), 320)
                              .add(poisson_sampled(Laplace{.scale = 1.737}, 0.05104), 124)
                              .add(GeneralizedGaussian{.shape = 2.511, .scale = 43.076})
                              .add(ConcentratedDp{.rho = 0.00314})
                              .add(randomly_allocated(Gaussian{.sigma = 2.6846}, 100))
                              .add(DiscreteGaussian{.sigma = 8.9323})
                              .add(ConcentratedDp{.rho = 0.0059})
                              .add(poisson_sampled(Laplace{.scale = 19.77}, 0.003421), 32)
                              .add(Gaussian{.sigma = 29.37})
                              .add(Laplace{.scale = 47.75})
                              .add(poisson_sampled(GeneralizedGaussian{.shape = 2.935, .scale = 9.78}, 0.07945));
  CHECK(epsilon(run, {.delta = 1e-6}).upper < 1.66);
  // Two looks at what real neighbours lose, each rounded down, tell a lower end only.
  const Composition replaced =
      Composition(Relation::replace_one)
          .add(poisson_sampled(ExponentialMechanism{.epsilon = 0.023943}, 0.0017532))
          .add(allocated_once(GeneralizedGaussian{.shape = 3, .scale = 1.2512}, 44, 37), 652100);
  CHECK(delta(replaced, {.epsilon = 0.1, .direction = DirectionChoice::remove}).lower > 0.9979);
  CHECK(contradictions() == 0);
}

TEST_CASE("account.steps.a bound that takes all the work leaves some for a lower one") {
  // The releases' pairs alone compose to 18146.
  const Composition run = Composition(Relation::replace_one)
                              .add(Skellam{.variance = 8.8244}, 17)
                              .add(randomly_allocated(Logistic{.scale = 0.78439, .sensitivity = 2.6069}, 42), 3733);
  for (const double tolerance : {1e-4, 1e-8}) {
    const Answer found = epsilon(run, {.delta = 1e-10, .tolerance = tolerance, .direction = DirectionChoice::add});
    CHECK(found.lower > 580);
    CHECK(found.upper < 2000);
  }
  // Two routes by Renyi divergences: the one that a lattice needs work for has 123.0095, the other 127.6.
  const Composition guarantees =
      Composition(Relation::replace_one)
          .add(TruncatedConcentratedDp{.rho = 0.0038664, .omega = 13.956}, 9747)
          .add(without_replacement(SinhNormal{.sigma = 2.5787, .a = 5.28324056}, 0.002212), 2);
  CHECK(epsilon(guarantees, {.delta = 2.4325e-22, .tolerance = 1e-6}).upper < 123.02);
}

// A step's law is the one that a line knows, however much work there is; what no term feels is not looked at.
TEST_CASE("account.steps.allocations in groups are known as well whatever the tolerance") {
  const Composition run = test::composition_of(
      {"gaussian:sigma=2.345,allocation=50,participations=3", "gaussian:sigma=10", "gaussian:sigma=2,q=.01,count=100"},
      {Relation::add_remove, 3});
  for (const double tolerance : {0.1, 1e-3, 1e-4}) {
    CAPTURE(tolerance);
    CHECK(epsilon(run, {.delta = 1e-6, .tolerance = tolerance}).upper < 3.0975);
    CHECK(epsilon(run, {.delta = 1e-20, .tolerance = tolerance}).upper < 6.373);
    CHECK(epsilon(run, {.delta = 1e-40, .tolerance = tolerance}).upper < 11.12);
    CHECK(delta(run, {.epsilon = 6.3725, .tolerance = tolerance}).upper < 1.001e-20);
  }
}
