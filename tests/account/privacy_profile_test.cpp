#include "pld/account/privacy_profile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/work.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::Real;

constexpr double inf = INFINITY;

Composition sgd() { return Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000); }
Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

std::vector<double> evenly(double low, double high, int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(low + (high - low) * i / (n - 1));
  return out;
}

}  // namespace

TEST_CASE("readout.profile.gaussian_equals_its_closed_form") {
  for (const double mu : {0.01, 0.5, 1.0, 7.0}) {
    const PrivacyProfile profile(one(Gaussian{.sigma = 2, .sensitivity = mu}, 4));
    for (const double t : {-30.0, -6.0, -1.0, -0.2, 0.0, 0.3, 1.0, 5.0, 20.0}) {
      const double epsilon = mu * t;
      const Real delta = test::gaussian_delta(mu, epsilon), complement = test::gaussian_complement(mu, epsilon);
      const ProfileBracket found = profile.log_profile(epsilon);
      CAPTURE(mu);
      CAPTURE(epsilon);
      CHECK_INSIDE(found.log_delta, as_double(complement < 1e-20 ? -complement : log(delta)));
      CHECK_INSIDE(found.log_complement, as_double(log(complement)));
      CHECK(found.log_delta.width() <= 1e-10 * std::max(1.0, std::fabs(found.log_delta.estimate)));
      CHECK(found.log_complement.width() <= 1e-10 * std::max(1.0, std::fabs(found.log_complement.estimate)));
      CHECK_REL(profile.delta(epsilon).estimate, as_double(delta), 1e-10);
    }
  }
}

TEST_CASE("readout.profile.randomized_responses_equal_their_sum") {
  for (const unsigned k : {1u, 10u, 100u}) {
    const test::ExactProfile exact(test::responses(0.75, k));
    const PrivacyProfile profile(one(RandomizedResponse{.p = 0.75}, k));
    for (const double share : {-1.1, -0.7, -0.31, 0.0, 0.05, 0.2, 0.5, 0.77, 0.999, 1.2}) {
      const double epsilon = share * k * std::log(3.0);
      const Real delta = exact(epsilon);
      CAPTURE(k);
      CAPTURE(epsilon);
      const Bracket found = profile.delta(epsilon);
      CHECK_INSIDE(found, as_double(delta));
      CHECK(found.width() <= 1e-3 * found.upper);
    }
  }
}

TEST_CASE("readout.profile.engines_overlap_in_both_directions") {
  const PrivacyProfile contour(sgd(), {.engine = Engine::contour}), lattice(sgd(), {.engine = Engine::lattice});
  const auto epsilons = evenly(-3, 4, 29);
  for (const auto direction : {DirectionChoice::remove, DirectionChoice::add, DirectionChoice::worst}) {
    const auto a = contour.log_profile(epsilons, direction), b = lattice.log_profile(epsilons, direction);
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      CAPTURE(epsilons[i]);
      CHECK(a[i].log_delta.lower <= b[i].log_delta.upper);
      CHECK(b[i].log_delta.lower <= a[i].log_delta.upper);
      CHECK(a[i].log_delta.width() <= 1e-8);
      CHECK(b[i].log_delta.width() <= 1e-3);
    }
  }
}

TEST_CASE("readout.profile.negative_epsilon_agrees_with_the_engines_own") {
  // Here it comes from the opposite direction at |epsilon|; a query composes for the negative epsilon itself.
  for (const Composition& run : {sgd(), one(poisson_sampled(Laplace{.scale = 1}, 0.2), 10)}) {
    const PrivacyProfile profile(run);
    for (const auto direction : {DirectionChoice::remove, DirectionChoice::add}) {
      for (const double epsilon : {-1.5, -0.6, -0.1, -1e-3}) {
        const DeltaAnswer direct = delta(run, {.epsilon = epsilon, .direction = direction});
        const Bracket found = profile.log_profile(epsilon, direction).log_delta;
        CAPTURE(epsilon);
        CHECK(found.lower <= direct.log_delta.upper);
        CHECK(direct.log_delta.lower <= found.upper);
        CHECK(found.width() <= 1e-3);
      }
    }
  }
}

TEST_CASE("readout.profile.worst_is_the_larger_direction") {
  const PrivacyProfile profile(sgd());
  for (const double epsilon : evenly(-2, 4, 13)) {
    const Bracket remove = profile.delta(epsilon, DirectionChoice::remove),
                  add = profile.delta(epsilon, DirectionChoice::add);
    const Bracket worst = profile.delta(epsilon);
    CAPTURE(epsilon);
    CHECK_REL(worst.estimate, std::max(remove.estimate, add.estimate), 1e-9);
    CHECK((profile.worst_direction(epsilon) == Direction::remove) == (remove.estimate >= add.estimate));
  }
}

TEST_CASE("readout.profile.worst_of_many_points_is_as_narrow_as_its_direction") {
  // The lesser direction is read only as far as it may count.
  const auto epsilons = evenly(-3, 3, 61);
  for (const Engine engine : {Engine::contour, Engine::lattice}) {
    const double width = engine == Engine::contour ? 1e-8 : 1.5e-3;
    const ProfileOptions options{.engine = engine};
    const auto worst = PrivacyProfile(sgd(), options).log_profile(epsilons);
    const auto remove = PrivacyProfile(sgd(), options).log_profile(epsilons, DirectionChoice::remove);
    const auto add = PrivacyProfile(sgd(), options).log_profile(epsilons, DirectionChoice::add);
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      const auto& larger = remove[i].log_delta.estimate > add[i].log_delta.estimate ? remove[i] : add[i];
      CAPTURE(name(engine));
      CAPTURE(epsilons[i]);
      CHECK(worst[i].log_delta.width() <= width);
      CHECK(worst[i].log_complement.width() <= width);
      CHECK(std::fabs(worst[i].log_delta.estimate - larger.log_delta.estimate) <= width);
    }
  }
}

TEST_CASE("readout.profile.at_either_infinity") {
  // In either direction, and where one is read off the other.
  for (const auto direction : {DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add}) {
    const PrivacyProfile profile(sgd());
    const ProfileBracket all = profile.log_profile(-inf, direction), none = profile.log_profile(inf, direction);
    for (const Bracket& one : {all.log_delta, none.log_complement})
      CHECK((one.lower == 0 && one.estimate == 0 && one.upper == 0));
    for (const Bracket& zero : {all.log_complement, none.log_delta})
      CHECK((zero.lower == -inf && zero.estimate == -inf && zero.upper == -inf));
  }
}

TEST_CASE("readout.profile.falls_with_epsilon_and_ends_at_the_infinite_losses") {
  const PrivacyProfile profile(one(ApproximateDp{.epsilon = 0.1, .delta = 1e-8}, 200));
  const double mass = as_double(1 - pow(1 - Real(1e-8), 200));
  CHECK_INSIDE(profile.delta(inf), mass);
  CHECK_INSIDE(profile.delta(25), mass);
  CHECK(profile.delta(-inf).lower == 1);
  double last = 1;
  for (const double epsilon : evenly(-25, 25, 101)) {
    const Bracket at = profile.delta(epsilon);
    CHECK(at.lower <= at.estimate);
    CHECK(at.estimate <= at.upper);
    CHECK(at.lower <= last);
    CHECK(at.lower >= mass * (1 - 1e-12));
    last = at.upper;
  }
}

TEST_CASE("readout.profile.keeps_infinite_losses_beside_finer_laws") {
  const Composition composition = Composition({Relation::replace_one, 1})
                                      .add(without_replacement(DiscreteLaplace{.a = 0.05}, 0.05))
                                      .add(ApproximateDp{.epsilon = 0.1, .delta = 1e-3});
  const PrivacyProfile profile(composition);
  CHECK_INSIDE(profile.delta(inf), 1e-3);
  CHECK(profile.log_profile({5, inf}).back().log_delta.upper >= std::log(1e-3) * (1 + 1e-12));
}

TEST_CASE("readout.profile.a_release_of_infinite_losses_only_exposes_all") {
  const PrivacyProfile profile(sgd().add(Laplace{.scale = 8}).add(ApproximateDp{.epsilon = 0, .delta = 1}));
  for (const double epsilon : {-inf, -1.0, 0.0, 0.5, 30.0, inf}) {
    const ProfileBracket at = profile.log_profile(epsilon);
    CHECK((at.log_delta.lower == 0 && at.log_delta.upper == 0));
    CHECK((at.log_complement.lower == -inf && at.log_complement.upper == -inf));
  }
}

TEST_CASE("readout.profile.many_points_equal_single_ones_in_any_order") {
  const Composition run = sgd().add(Laplace{.scale = 20}, 30);
  std::vector<double> epsilons = evenly(-1, 5, 25);
  std::rotate(epsilons.begin(), epsilons.begin() + 7, epsilons.end());
  const auto all = PrivacyProfile(run).log_profile(epsilons);
  for (std::size_t i = 0; i < epsilons.size(); i += 4) {
    const auto alone = PrivacyProfile(run).log_profile(epsilons[i]);
    CAPTURE(epsilons[i]);
    CHECK(all[i].log_delta.lower <= alone.log_delta.upper);
    CHECK(alone.log_delta.lower <= all[i].log_delta.upper);
    CHECK(all[i].log_delta.width() <= 1e-3);
  }
}

// Points far out, where delta is 1e-60 and less, take all the work that they are given. Those before them, and the
// other direction, still have theirs.
TEST_CASE("readout.profile.points_far_out_leave_work_for_the_others") {
  const auto run = one(poisson_sampled(Gaussian{.sigma = 3.029}, 0.00432), 2620);
  const std::vector<double> at = evenly(0, 5, 50);
  const std::vector<ProfileBracket> found = profile(run).log_profile(at);
  for (std::size_t i = 0; i < at.size() && at[i] < 1; ++i) {
    CAPTURE(at[i]);
    const Bracket alone = delta(run, {.epsilon = at[i]}).log_delta;
    CHECK(found[i].log_delta.width() < 1e-4);
    CHECK(found[i].log_delta.lower <= alone.upper);
    CHECK(alone.lower <= found[i].log_delta.upper);
  }
}

// Pieces for points where delta is no double left the first one 60 orders of magnitude wide.
TEST_CASE("readout.profile.what_shared_pieces_leave_wide_is_asked_for_alone") {
  const Composition run = one(poisson_sampled(GeneralizedGaussian{.shape = 1.3096, .scale = 7.0919}, 0.21027), 8);
  const Bracket shared = PrivacyProfile(run).log_profile({0.7, 1.2, 1.7}).front().log_delta;
  const Bracket alone = delta(run, {.epsilon = 0.7}).log_delta;
  CHECK(alone.width() <= 1e-3);
  CHECK(shared.width() <= 1e-3);
  CHECK(shared.lower <= alone.upper);
  CHECK(shared.upper >= alone.lower);
}

TEST_CASE("readout.profile.many_points_fall_though_read_from_many_pieces") {
  const Composition loud = one(poisson_sampled(Gaussian{.sigma = 1}, 1e-3), 100'000'000);
  for (const Composition& run : {loud, sgd()}) {
    const auto found =
        PrivacyProfile(run, {.tolerance = 0.9, .engine = Engine::lattice}).log_profile(evenly(-4, 11, 300));
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const Bracket& b : {found[i].log_delta, found[i].log_complement}) {
        CHECK(b.lower <= b.estimate);
        CHECK(b.estimate <= b.upper);
      }
      if (i == 0) continue;
      for (const auto end : {&Bracket::lower, &Bracket::estimate, &Bracket::upper}) {
        CHECK(found[i].log_delta.*end <= found[i - 1].log_delta.*end);
        CHECK(found[i].log_complement.*end >= found[i - 1].log_complement.*end);
      }
    }
  }
}

TEST_CASE("readout.profile.points_as_near_as_doubles_go_exclude_nothing") {
  const PrivacyProfile profile(one(RenyiDp{.orders = {2, 4, 16}, .epsilons = {0.01, 0.02, 0.08}}, 15));
  std::vector<double> epsilons = {0.1};
  while (epsilons.size() < 50) epsilons.push_back(std::nextafter(epsilons.back(), inf));
  const auto before = contradictions();
  CHECK(profile.of_pairs().log_profile(epsilons).size() == epsilons.size());
  CHECK(contradictions() == before);
}

// What real neighbours attain is a law whose masses were rounded down: only its lower ends are certain. Read off its
// mirror, the upper one at an epsilon below 0 lies below the lower one at an epsilon above.
TEST_CASE("readout.profile.ends_that_are_not_certain_exclude_nothing") {
  const Composition run = one(randomly_allocated(GeneralizedGaussian{.shape = 1.5, .scale = 2.5674}, 2), 124240);
  const auto before = contradictions();
  const PrivacyProfile attained = PrivacyProfile(run).attained().front();
  for (const auto choice : {DirectionChoice::remove, DirectionChoice::add}) {
    const auto found = attained.log_profile(std::vector{-0.875, 1.125}, choice);
    CHECK(found[0].log_delta.lower >= found[1].log_delta.lower);
  }
  CHECK(contradictions() == before);
}

// The masses of such an allocation sum to e^4.9 or so: what they say of divergences of orders near 1 is nothing.
TEST_CASE("readout.profile.divergences_of_masses_far_from_one_exclude_nothing") {
  const RenyiDp guarantee{.orders = {1.5, 2, 4}, .epsilons = {0.0031923, 0.0042564, 0.0085128}};
  Composition run(Relation::zero_out);
  run.add(ExponentialMechanism{.epsilon = 0.18675}, 21).add(randomly_allocated(guarantee, 18), 50);
  const auto before = contradictions();
  CHECK(delta(run, {.epsilon = 4}).upper <= 1);
  CHECK(contradictions() == before);
}

TEST_CASE("readout.profile.many_points_to_widths_of_their_own") {
  for (const Composition& run : {one(Laplace{.scale = 5}, 40), sgd().add(Laplace{.scale = 20}, 30)}) {
    const PrivacyProfile coarse(run, {.tolerance = 0.03}), fine(run, {.tolerance = 1e-5});
    for (const double width : {1e-2, 1e-5, 1e-7}) {
      std::vector<ProfilePlace> places;
      for (const double epsilon : evenly(-4, 6, 40)) places.push_back({epsilon, std::log(width)});
      const auto found = coarse.log_profile(places);
      for (std::size_t i = 0; i < places.size(); ++i) {
        const Bracket exact = fine.delta(places[i].epsilon);
        CAPTURE(width);
        CAPTURE(places[i].epsilon);
        const Bracket& d = found[i].log_delta;
        const Bracket& c = found[i].log_complement;
        const double lower = std::max(std::exp(d.lower), -std::expm1(c.upper)),
                     upper = std::min(std::exp(d.upper), -std::expm1(c.lower));
        CHECK(lower <= exact.upper);
        CHECK(exact.lower <= upper);
        CHECK(upper - lower <= 1.01 * width);
      }
    }
  }
}

// Outcomes that tell the data sets apart leave no finite loss to place a lattice for.
TEST_CASE("readout.profile.nothing_but_infinite_losses") {
  const RandomizedResponse truthful{.p = 1};
  for (const Composition& run :
       {one(truthful), one(truthful).add(Gaussian{.sigma = 3}), one(truthful).add(Laplace{.scale = 1}, 1000)}) {
    for (const DirectionChoice direction : {DirectionChoice::worst, DirectionChoice::add}) {
      const PrivacyProfile profile(run);
      for (const double epsilon : {-inf, -3.0, 0.0, 1.0, 1e300, inf})
        CHECK(profile.delta(epsilon, direction).lower == 1);
      CHECK(profile.log_profile(1, direction).log_complement.upper == -inf);
      CHECK(profile.epsilon(0.5, direction).lower == inf);
      CHECK(trade_off(run, direction).at(0.1).power.lower == 1);
    }
  }
  // A record that is replaced in steps whose pairs share no outcome.
  const Composition replaced = Composition({Relation::replace_one, 2})
                                   .add(poisson_sampled(IntegerNoise{.masses = {0.25, 0.5, 0.25}}, 0.1))
                                   .add(Gaussian{.sigma = 3});
  CHECK(delta(replaced, {.epsilon = 1}).upper <= 1);
}

// Of converted guarantees the pairs' finite losses end where real neighbours, with Gaussian noise, go on to lose more.
TEST_CASE("readout.profile.largest_loss_is_not_that_of_pairs_that_lose_infinitely") {
  for (const Composition& run :
       {one(ConcentratedDp{.rho = 0.01}), one(ConcentratedDp{.rho = 0.01}).add(Laplace{.scale = 3.5}, 20)})
    CHECK(PrivacyProfile(run).largest_loss().lower == inf);
  const Composition guarantee = one(ApproximateDp{.epsilon = 1, .delta = 1e-5});
  for (const Composition& run : {guarantee, one(ExponentialMechanism{.epsilon = 1})}) {
    CHECK(PrivacyProfile(run).largest_loss().upper >= 1);
    CHECK(PrivacyProfile(run).largest_loss().upper <= 1 + 8 * unit_roundoff);
  }
}

TEST_CASE("readout.profile.inverse") {
  const PrivacyProfile profile(sgd());
  for (const double delta : {1e-12, 1e-6, 1e-2}) {
    const Bracket epsilon = profile.epsilon(delta);
    CHECK(profile.delta(epsilon.upper).lower <= delta);
    CHECK(profile.delta(epsilon.lower).upper >= delta);
  }
}

TEST_CASE("readout.profile.refuses") {
  CHECK_THROWS_AS(PrivacyProfile(sgd(), {.tolerance = 0}), DomainError);
  CHECK_THROWS_AS(PrivacyProfile(sgd(), {.engine = Engine::closed_form}), DomainError);
  CHECK_THROWS_AS((void)PrivacyProfile(sgd()).delta(NAN), DomainError);
}

TEST_CASE("readout.profile.nothing_released") {
  const PrivacyProfile profile{Composition()};
  CHECK(profile.delta(0).upper == 0);
  CHECK(profile.delta(1).upper == 0);
  CHECK(profile.log_profile(1).log_delta.estimate == -inf);
  CHECK_INSIDE(profile.delta(-1), as_double(1 - exp(Real(-1))));
}

TEST_CASE("readout.profile.many_points_of_the_inverse_hold_the_gaussian's") {
  std::vector<double> deltas{0, 1};
  for (int i = 0; i < 600; ++i) deltas.push_back(std::pow(10, -60 + 59.9 * i / 599));
  for (int i = 1; i < 100; ++i) deltas.push_back(i / 100.0);
  for (const double mu : {0.1, 1.0, 6.0}) {
    const auto found = PrivacyProfile(one(Gaussian{.sigma = 1, .sensitivity = mu})).epsilon(deltas);
    CAPTURE(mu);
    CHECK(found[0].lower == inf);
    CHECK(found[1].upper == -inf);
    double farthest = 0;
    for (std::size_t i = 2; i < found.size(); ++i) farthest = std::max(farthest, std::fabs(found[i].estimate));
    for (std::size_t i = 2; i < deltas.size(); ++i) {
      CAPTURE(deltas[i]);
      CHECK(test::gaussian_delta(mu, found[i].upper) <= deltas[i]);
      CHECK(test::gaussian_delta(mu, found[i].lower) >= deltas[i]);
      CHECK(found[i].width() <= 1e-4 * std::max(std::fabs(found[i].estimate), 1.1e-2 * farthest));
    }
  }
}

TEST_CASE("readout.profile.many_points_of_the_inverse_equal_single_ones") {
  std::vector<double> deltas;
  for (int i = 0; i < 40; ++i) deltas.push_back(std::pow(10, -9 + 8.8 * ((i * 17) % 40) / 39));  // in no order
  for (int i = 1; i < 8; ++i) deltas.push_back(1 - 0.019 * i * i);
  const Composition leaky = one(ApproximateDp{.epsilon = 0.1, .delta = 1e-8}, 20);
  for (const Composition& run : {sgd(), one(Laplace{.scale = 5}, 40), one(DiscreteLaplace{.a = 0.2}, 9), leaky}) {
    const PrivacyProfile profile(run, {.tolerance = 0.03});  // too coarse for the epsilons: read again where it matters
    const auto all = profile.epsilon(deltas);
    double farthest = 0;
    for (const Bracket& e : all)
      if (std::isfinite(e.estimate)) farthest = std::max(farthest, std::fabs(e.estimate));
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      const Bracket alone = profile.epsilon(deltas[i]);
      CAPTURE(deltas[i]);
      CHECK(all[i].lower <= alone.upper);
      CHECK(alone.lower <= all[i].upper);
      if (std::isfinite(alone.upper))
        CHECK(all[i].width() <= 1e-4 * std::max(std::fabs(alone.estimate), 1e-2 * farthest));
    }
  }
}

// Bounds by several routes, and ends of different compositions, are searched one after the other: each has its share of
// the work, and a delta that nothing is left for costs nothing.
TEST_CASE("readout.profile.many_points_of_the_inverse_are_as_narrow_as_single_ones") {
  const auto many_kinds = [] {
    Composition run;
    for (int i = 1; i <= 200; ++i) {
      run.add(DiscreteLaplace{.a = 0.01 * (1 + 97 * i % 100) + 1e-4 * i}, 3);
      run.add(Laplace{.scale = 10 + i + 0.3}, 7);
    }
    return run;
  };
  const Composition renyi = one(ConcentratedDp{.rho = 0.1}).add(poisson_sampled(Gaussian{.sigma = 2}, 0.05), 100);
  const Composition between =
      one(ExponentialMechanism{.epsilon = 0.1}, 20).add(poisson_sampled(SinhNormal{.sigma = 2, .a = 5}, 0.1), 30);
  std::vector<double> deltas;
  for (int i = 0; i < 300; ++i) deltas.push_back(std::pow(10, -9 + 4.0 * i / 299));
  for (const Composition& run : {many_kinds(), renyi, between}) {
    CAPTURE(run.releases().size());
    const auto all = PrivacyProfile(run).epsilon(deltas);
    for (const std::size_t i : {0, 1, 50, 150, 250, 298, 299}) {
      CAPTURE(deltas[i]);
      const Answer alone = epsilon(run, {.delta = deltas[i]});
      CHECK(all[i].lower <= alone.upper);
      CHECK(alone.lower <= all[i].upper);
      CHECK(all[i].width() <= 1.1 * alone.width() + 2e-3 * alone.estimate);
    }
  }
}

// The largest loss, where delta is 0, and deltas that are hardly a double lie far from the others; equal ones are one.
TEST_CASE("readout.profile.far_deltas_do_not_widen_the_others") {
  const Composition run = one(Laplace{.scale = 5}, 1'000'000);
  std::vector<double> deltas{0, 1, 5e-324, 1e-300};
  for (int i = 0; i < 20; ++i) deltas.push_back(i % 2 == 0 ? 0.3 : 1e-5);
  const auto all = PrivacyProfile(run).epsilon(deltas);
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    const Answer alone = epsilon(run, {.delta = deltas[i]});
    CAPTURE(deltas[i]);
    CHECK(all[i].lower <= alone.upper);
    CHECK(alone.lower <= all[i].upper);
    if (deltas[i] > 1e-300 && deltas[i] < 1) CHECK(all[i].width() < 1e-3 * all[i].upper);
  }
  CHECK(all[0].lower == all[0].upper);
  CHECK(all[1].upper == -inf);
  const auto before = contradictions();
  // Quotients of such deltas are beyond a double's range.
  const Composition tiny = one(MassTable{.p = {0.6, 0.4, 1e-320}, .q = {0.4, 0.6, 5e-324}});
  for (const Bracket& found : PrivacyProfile(tiny).epsilon(evenly(1.5e-320, 0.3, 20))) CHECK(found.width() < 1e-3);
  CHECK(contradictions() == before);
  CHECK_THROWS_AS(static_cast<void>(PrivacyProfile(run).epsilon(std::vector<double>{0.1, NAN})), DomainError);
}

// The least of several bounds is not convex, which chords through its readings take it for.
TEST_CASE("readout.profile.trade_off_curves_beside_renyi_guarantees_exclude_nothing") {
  const Composition run = one(RenyiDp{.orders = {2, 4, 8, 16}, .epsilons = {0.1, 0.2, 0.4, 0.8}})
                              .add(poisson_sampled(Laplace{.scale = 3}, 0.1), 10);
  std::vector<double> alphas;
  for (int i = 0; i < 1000; ++i) alphas.push_back(std::pow(10, -6 + 5.7 * i / 999));
  const auto before = contradictions();
  for (const OperatingPoint& point : trade_off(run).at(alphas)) CHECK(point.beta.lower <= point.beta.upper);
  CHECK(contradictions() == before);
}

TEST_CASE("readout.profile.complement_of_the_lattice_keeps_its_digits") {
  // Far below the bulk of the losses 1 - delta is small: sums of 50 digits for atoms, the contour engine for Gaussians.
  const test::ExactProfile exact(test::responses(0.75, 40));
  const PrivacyProfile responses(one(RandomizedResponse{.p = 0.75}, 40));
  for (const double epsilon : {0.0, 3.0, 10.0}) {
    const Bracket found = responses.log_profile(epsilon).log_complement;
    CAPTURE(epsilon);
    CHECK_INSIDE(found, as_double(log(1 - exact(epsilon))));
    CHECK(found.width() <= 1e-3);
  }
  const Composition run = one(poisson_sampled(Gaussian{.sigma = 0.6}, 0.3), 20).add(Gaussian{.sigma = 0.2});
  const PrivacyProfile lattice(run, {.engine = Engine::lattice}), contour(run, {.engine = Engine::contour});
  for (const double epsilon : {0.0, 2.0, 4.0}) {
    const Bracket a = lattice.log_profile(epsilon).log_complement, b = contour.log_profile(epsilon).log_complement;
    CAPTURE(epsilon);
    CHECK(b.estimate < -1);
    CHECK(a.lower <= b.upper);
    CHECK(b.lower <= a.upper);
    CHECK(a.width() <= 1e-3);
  }
}

// Losses of 200 for each hit, and hardly any for the rest: no lattice reaches from one to the other.
TEST_CASE("readout.profile.complement_where_no_lattice_reaches") {
  const double q = 1e-4;
  const std::int64_t k = 10'000;
  const double no_hit = k * std::log1p(-q);
  const ProfileBracket found =
      profile(one(poisson_sampled(Gaussian{.sigma = 0.05}, q), k)).log_profile(0, DirectionChoice::remove);
  CHECK_INSIDE(found.log_complement, no_hit);  // a hit is seen: what overlaps weighs e^-50
  CHECK(found.log_complement.width() <= 1e-4);
}

// A law that nobody had looked at seemed to take nothing, and ten times as many nodes affordable: 4e8 points.
TEST_CASE("account.privacy_profile.nodes_are_no_more_than_the_work_affords") {
  const Composition run = test::composition_of({"exponential:epsilon=2e-06,allocation=20,passes=1885,count=2830"});
  const double before = Work::taken();
  CHECK(PrivacyProfile(run, {.tolerance = 1e-9}).log_profile(1e-3).log_delta.upper <= 0);
  CHECK(Work::taken() - before < 1.5e8);
}

// Of three dear epsilons two were found and thrown away, as the third one took what was left: 2 % wide, and in vain.
TEST_CASE("account.privacy_profile.a_few_dear_places_are_as_narrow_as_one") {
  const Composition run = test::composition_of({"sinh-normal:sigma=3.0597,a=82.2263778,q=0.0061531,count=481970000",
                                                "generalized:shape=4.1848,scale=1.0426,count=30785"});
  const double before = Work::taken();
  for (const Bracket& found : PrivacyProfile(run).epsilon(std::vector{0.01, 0.02, 0.03}, DirectionChoice::worst))
    CHECK(found.width() < 1e-4);
  CHECK(Work::taken() - before < 1.5e8);
}
