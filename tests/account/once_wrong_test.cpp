// Answers that once lay beside the truth. The truths are of 60 digits (mpmath): tails in closed form, sums over
// integers with Bessel functions, and for two releases a quadrature of one release's profile.

#include <cmath>
#include <string>
#include <vector>

#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

struct OnceWrong {
  const char* mechanism;
  DirectionChoice direction;
  double epsilon, log_delta;
  bool converges = true;
};

/// delta holds its truth, and is as narrow as asked where it converges.
void check_holds_truth(const OnceWrong& wrong) {
  const std::string name = wrong.mechanism;
  CAPTURE(name);
  const DeltaAnswer found =
      delta(composition_of({wrong.mechanism}), {.epsilon = wrong.epsilon, .direction = wrong.direction});
  const double near = unit_roundoff * std::fabs(wrong.log_delta);  // what a literal is off by
  CHECK(found.log_delta.lower <= wrong.log_delta + near);
  CHECK(found.log_delta.upper >= wrong.log_delta - near);
  CHECK((found.converged || !wrong.converges));
}

TEST_CASE("readout.once_wrong.delta_of_laws_at_the_edge_between_two_forms") {
  constexpr auto remove = DirectionChoice::remove, add = DirectionChoice::add;
  const std::vector<OnceWrong> cases{
      {"generalized:shape=1.0002,scale=9.2090,q=0.0004366438884214907,count=2", remove, 5e-05, -11.4499222284035263},
      {"generalized:shape=1.0002,scale=9.2090,q=0.0004366438884214907", remove, 5e-05, -17.0235023719523316},
      {"truncated-laplace:scale=2930,bound=3457.6352319219277,sensitivity=7.4,q=0.00043233231136073137", remove,
       0.0011401671585452855, -15.2324661575959821},
      {"truncated-laplace:scale=990.09900990099,bound=8544.417050785754", add, 3928.1653245083176,
       -16.2201296020697659},
      {"truncated-laplace:scale=333,bound=1710,q=0.00132", remove, 0.0004956394566747074, -18.2591428225065107},
      {"truncated-laplace:scale=458,bound=362.29784356508725,q=0.006499964656603925", remove, 0.0065211814156349674,
       -12.0419404007635057},
      {"truncated-laplace:scale=100.00528650310183,bound=16200,sensitivity=0.8788028951635588", remove,
       0.0087875643967712, -167.41460419215222, false},
      {"trade-off:alphas=0/1,betas=0.999999969744279/0", remove, 0, -18.0067277105058418}};
  for (const OnceWrong& wrong : cases) check_holds_truth(wrong);
}

// 1 - delta is e^-3092 and less, where e^x and 16 u of a subnormal log delta were 0: by Hellinger's affinity A of a
// release delta(epsilon) <= 1 - A^(2 count) / (1 + e^epsilon), so that no delta is 1.
TEST_CASE("account.once_wrong.delta_so_near_1_that_no_double_tells") {
  for (const int count : {23330, 23540, 23640, 50000, 1000000}) {
    CAPTURE(count);
    const std::string words = "gaussian:sigma=1,q=0.5,count=" + std::to_string(count);
    for (const double epsilon : {4.0, 0.5}) {
      const DeltaAnswer found = delta(composition_of({words}), {.epsilon = epsilon});
      CHECK(found.lower < 1);
      CHECK(found.log_delta.lower < 0);
      CHECK(found.log_delta.lower < found.log_delta.upper);
    }
  }
  const DeltaAnswer listed = delta(composition_of({"mass-table:p=.5/.3/.2,q=.2/.15/.65,count=20000"}), {.epsilon = 4});
  CHECK(listed.lower < 1);
  CHECK(listed.log_delta.lower < 0);
}

// Next to the largest loss cells whose weights underflow at their barycentres were left out of an upper bound. The
// truths: losses u below the largest one have a density d (1 + c u), n of them d^n u^(n-1) / (n-1)! (1 + c u), in 80
// digits; the next order in u is below a part in 1e24.
TEST_CASE("account.once_wrong.epsilon_next_to_the_largest_loss_of_sampled_noise") {
  const auto logistic = poisson_sampled(Logistic{.scale = 202.41002816961796}, 0.0005403559395720768);
  const Answer alone = epsilon(Composition().add(logistic, 9), {.delta = 1e-100, .direction = DirectionChoice::remove});
  const double truth = 2.408591130812593849545e-05;
  CHECK(alone.lower <= truth * (1 + 2 * unit_roundoff));
  CHECK(alone.upper >= truth * (1 - 2 * unit_roundoff));
  CHECK(alone.converged);

  const Law batch = without_replacement(Logistic{.scale = 35.1}, 0.00039).under(Relation::replace_one).law();
  const Composition mixed = Composition().add(logistic, 9).add(Mechanism(batch.text, batch.remove, batch.add), 11);
  const double upper = epsilon(mixed, {.delta = 2.096788521444474e-189}).upper, most = 2.756258886194230058188e-04;
  CHECK(upper >= most * (1 - 2 * unit_roundoff));
  CHECK(upper <= most * (1 + 1e-9));
}

// Suspected too, by sums that had lost their tails: logarithms of deltas to -1.5e9, a mass next to 0 and a guarantee
// one step from trivial (sums of 60 digits).
TEST_CASE("account.once_wrong.tails_that_were_suspected_and_hold") {
  constexpr auto remove = DirectionChoice::remove;
  const std::vector<OnceWrong> cases{
      {"discrete-gaussian:sigma=40", remove, 1101.362058329013, -970398397.3250686231803},
      {"discrete-gaussian:sigma=40,sensitivity=6", remove, 8200.781574784116, -1494504234.701433383837},
      {"discrete-gaussian:sigma=3.93,q=1.6925823200969005e-05", remove, 1.8284812485463393, -1248.296007869235799058},
      {"discrete-gaussian:sigma=40,q=1e-09", remove, 0.014951536941636654, -218564.7610484779470378},
      {"poisson-difference:plus=19.6,minus=351.7706276745468,q=0.0426", remove, 0.5596293944766997,
       -1010.7933939110282778},
      {"dp:epsilon=0.00218,delta=0,q=0.313,count=6700", remove, 1.9345960230874952, -629.0724982814184144}};
  for (const OnceWrong& tail : cases) check_holds_truth(tail);
}

// Called wrong by checkers that lost digits; a record replaced in either. The truths: a normal law's tails, by
// bisection, and an inverse Laplace integral of 40 digits.
TEST_CASE("account.once_wrong.replaced_records_that_were_suspected_and_hold") {
  const auto epsilon_of = [](const std::vector<std::string>& mechanisms, const EpsilonQuery& query) {
    return epsilon(composition_of(mechanisms, {Relation::replace_one}), query);
  };
  const Answer loud =
      epsilon_of({"sinh-normal:sigma=.161,a=.172,q=.999999"},
                 {.delta = 1.424579551016938e-106, .tolerance = 1e-12, .direction = DirectionChoice::add});
  CHECK_INSIDE(loud, 26924016.073527045595);
  CHECK(loud.width() < 1e-12 * loud.upper);
  const Answer mixed =
      epsilon_of({"gaussian:sigma=9.55,count=154", "logistic:scale=221.9483189120143,count=45",
                  "truncated-laplace:scale=1.24,bound=348.42404819220474,sensitivity=2.31,count=60"},
                 {.delta = 4.925844270338424e-49, .tolerance = 1e-6, .direction = DirectionChoice::remove});
  CHECK_INSIDE(mixed, 257.683726458479029);
  CHECK(mixed.width() < 1e-10);
}

// Three that were suspected and hold: delta next to 1 (a binomial sum of 60 digits), the largest loss -log(beta) of a
// guarantee one step from trivial, and powers that are exactly 1, as alpha is more than Q's whole share of P's
// outcomes.
TEST_CASE("account.once_wrong.suspected_and_right") {
  const Composition table = Composition().add(
      MassTable{.p = {0.024808390268229452, 0.9751916097317705}, .q = {0.06684891405303997, 0.9331510859469601}},
      1189771);
  const DeltaAnswer near_one = delta(table, {.epsilon = 20695.19700172002, .direction = DirectionChoice::remove});
  CHECK(near_one.log_delta.lower <= -1.50461324083417e-11);
  CHECK(near_one.log_delta.upper >= -1.50461324083418e-11);

  const double loss = 1.439230180514248448384026e-9;
  const Answer largest =
      epsilon(composition_of({"trade-off:alphas=0/1,betas=0.9999999985607698/0"}), {.delta = 4.1172032229880854e-60});
  CHECK(largest.lower <= loss * (1 + unit_roundoff));
  CHECK(largest.upper >= loss * (1 - unit_roundoff));

  const Composition noise = composition_of({"integer-noise:masses=0.5/0.5"});
  CHECK(trade_off(noise, DirectionChoice::add).at(0.9861145657425004).log_power.upper == 0);
  CHECK(trade_off(noise, DirectionChoice::add).at(0.9861145657425004).log_power.lower == 0);
  // At an atom, alpha = 1/16: the power 9/16 is inside.
  const OperatingPoint atom = trade_off(composition_of({"mass-table:p=0.75/0.25,q=0.25/0.75,count=2"})).at(0.0625);
  CHECK(atom.beta.lower <= 0.4375);
  CHECK(atom.beta.upper >= 0.4375);
  CHECK(atom.beta.width() < 1e-13);
}

// The mass at infinity is larger than delta, by three parts in 1e17: no finite epsilon is enough.
TEST_CASE("readout.once_wrong.epsilon_of_a_delta_next_to_the_mass_at_infinity_may_be_infinite") {
  for (const auto& [mechanism, delta] :
       {std::pair{"truncated-laplace:scale=80.6,bound=226", 0.00040245585645056267},
        std::pair{"truncated-laplace:scale=990,bound=1340.6929181749395", 0.00017583204153950283}}) {
    CAPTURE(delta);
    CHECK(epsilon(composition_of({mechanism}), {.delta = delta, .direction = DirectionChoice::remove}).upper ==
          infinity);
  }
}

// Bounds that excluded each other, which support/main.cpp fails for: a lower lattice of atoms about their barycentre
// that was 8e-13 too high, moments of masses that were taken to sum to 1 and did not, and masses that sum to e^4.9.
TEST_CASE("account.once_wrong.bounds_that_excluded_each_other") {
  const DeltaAnswer lattice =
      delta(composition_of({"discrete-gaussian:sigma=0.01,truncated=0.0031938,cap=144,records=32799,count=11"}),
            {.epsilon = 0});
  CHECK(lattice.log_delta.lower <= -3.36459539997642);  // of the pair, with the rates that are rounded up
  CHECK(lattice.log_delta.upper >= -3.36459539997643);
  const auto upper = [&](const std::vector<std::string>& mechanisms, const EpsilonQuery& query) {
    const Answer found = epsilon(composition_of(mechanisms), query);
    CHECK(found.lower <= found.upper);
    return found.upper;
  };
  CHECK(upper({"logistic:scale=0.77159,sensitivity=2,allocation=505,count=29",
               "logistic:scale=30.866,sensitivity=0.62324,count=1182"},
              {.delta = 1e-8, .direction = DirectionChoice::remove}) < infinity);
  CHECK(upper({"generalized:shape=2,scale=4.207", "rdp:orders=1.5,epsilons=0.150555,allocation=262"},
              {.delta = 2.5515e-17, .direction = DirectionChoice::remove}) < infinity);
}

// 1 - delta is some 1e-900: less than 1, though no double tells by how much.
TEST_CASE("account.once_wrong.mass_at_infinity_so_near_1_that_no_double_tells") {
  const DeltaAnswer found =
      delta(composition_of({"gaussian:sigma=2", "dp:epsilon=0.5,delta=0.999,count=300"}), {.epsilon = 1});
  CHECK(found.lower < 1);
  CHECK(found.log_delta.lower < 0);
}

// Beyond e^-50000 outcomes are listed as one, and beyond some thousand nats what a line's laws are cut of was no
// double.
TEST_CASE("account.once_wrong.more_releases_have_no_less_however_small_delta_is") {
  const auto check_no_less = [](const std::vector<std::string>& all, const std::string& one, double epsilon) {
    CAPTURE(epsilon);
    const auto before = contradictions();
    const double of_all = delta(composition_of(all), {.epsilon = epsilon}).log_delta.upper;
    CHECK(of_all >= delta(composition_of({one}), {.epsilon = epsilon}).log_delta.lower);
    CHECK(contradictions() == before);
  };
  const std::string counts = "skellam:variance=295.15,q=0.0069989";
  for (const char* sigma : {"1e4", "3e4", "1e6"})
    check_no_less({counts + ",count=2", std::string("gaussian:sigma=") + sigma}, counts, 1.2);
  check_no_less({counts + ",count=2"}, counts, 1.2);

  // One line for many places: those far from its own are told by what it leaves out.
  const std::string batch = "discrete-gaussian:sigma=58.110315395169536,wor=0.002004338572761783";
  std::vector<double> places{0, 1};
  for (double size = 1; size > 1e-7; size /= 4) places.push_back(-size), places.push_back(size);
  for (int i = 1; i <= 12; ++i) places.push_back(0.0678787 * i);
  const PrivacyProfile all(composition_of({batch, "gaussian:sigma=672.8"}));
  const std::vector<ProfileBracket> found = all.log_profile(places, DirectionChoice::remove);
  for (std::size_t i = 0; i < places.size(); ++i) {
    CAPTURE(places[i]);
    const DeltaQuery here{.epsilon = places[i], .direction = DirectionChoice::remove};
    CHECK(found[i].log_delta.upper >= delta(composition_of({batch}), here).log_delta.lower);
  }
}

// 1 - e^epsilon next to 1 has digits of its logarithm that 1 less it has not; what neighbours attain was above it.
TEST_CASE("account.once_wrong.nothing_is_released_at_very_negative_epsilons") {
  const std::pair<double, double> log_deltas[] = {{-36.5, -1.406861712446146768541969e-16},
                                                  {-21.397, -5.098013378400391453627714e-10},
                                                  {-2, -0.1454134578688590569726482},
                                                  {-0.3, -1.350225612814846711267732}};
  for (const auto& [epsilon, log_delta] : log_deltas) {
    CAPTURE(epsilon);
    CHECK_INSIDE(delta(Composition(), {.epsilon = epsilon}).log_delta, log_delta);
  }
  const auto before = contradictions();
  const Composition guarantees =
      composition_of({"report-noisy-max:scale=5.843,shuffled=2,count=2"}, Relation::zero_out);
  CHECK(delta(guarantees, {.epsilon = -21.397}).log_delta.lower > -5.099e-10);
  CHECK(contradictions() == before);
}

}  // namespace
}  // namespace pld::test
