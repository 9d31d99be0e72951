#include <cmath>
#include <numbers>

#include "pld/core/errors.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// The law of the loss of integer noise by its definition: every outcome's two masses, equal losses joined.
template <class LogWeight>
std::vector<ReferenceAtom> integer_noise(const LogWeight& log_weight, int s, int reach) {
  Real normaliser = 0;
  for (int x = -reach; x <= reach; ++x) normaliser += exp(log_weight(x));
  std::vector<ReferenceAtom> atoms;
  for (int x = -reach; x <= s + reach; ++x) {
    const Real log_p = log_weight(x - s), log_q = log_weight(x), loss = log_p - log_q;
    const Real p = exp(log_p) / normaliser, q = exp(log_q) / normaliser;
    if (!atoms.empty() && abs(atoms.back().loss - loss) < 1e-30 * (1 + abs(loss))) {
      atoms.back().p += p;
      atoms.back().q += q;
    } else {
      atoms.push_back({loss, p, q});
    }
  }
  return atoms;
}

std::vector<ReferenceAtom> discrete_laplace_atoms(double a, int s) {
  // What is left out beyond is below e^-120 of what is there.
  return integer_noise([a](int x) { return Real(-a) * std::abs(x); }, s, static_cast<int>(120 / a) + 2);
}

std::vector<ReferenceAtom> discrete_gaussian_atoms(double sigma, int s) {
  return integer_noise([sigma](int x) { return -Real(x) * x / (2 * Real(sigma) * sigma); }, s,
                       static_cast<int>(60 * sigma) + s + 5);
}

void check_atom(const LossCell& got, const ReferenceAtom& want, double error) {
  CHECK(abs(got.loss - want.loss) <= error);
  CHECK(mass_excess(got.log_mass, want.p, want.p) <= 1);
  CHECK(mass_excess(got.log_q_mass, want.q, want.q) <= 1);
}

/// Everything above and below midpoints between the given atoms.
Worst check_atom_tails(const DominatingPair& pair, const std::vector<ReferenceAtom>& atoms, std::size_t step) {
  Worst worst;
  const Law law = atomic_law(atoms);
  for (std::size_t i = step; i < atoms.size(); i += step) {
    const double z = static_cast<double>((atoms[i - 1].loss + atoms[i].loss) / 2);
    const LossCell above = pair.above(z), below = pair.below(z);
    check_cell(above, law, z, infinity, pair.loss_error({std::min(z, above.loss), std::max(z, above.loss)}), worst);
    check_cell(below, law, -infinity, z, pair.loss_error({std::min(z, below.loss), std::max(z, below.loss)}), worst);
  }
  return worst;
}

TEST_CASE("mechanisms.discrete_laplace.matches_50_digits") {
  for (const double a : {0.02, 0.3, 1.0, 7.0}) {
    for (const int s : {1, 2, 5, 30}) {
      CAPTURE(a);
      CAPTURE(s);
      const PairPtr pair = dominating_pair(DiscreteLaplace{.a = a, .sensitivity = double(s)}, Direction::remove);
      const auto want = discrete_laplace_atoms(a, s);
      const auto got = pair->atoms({});
      REQUIRE(got.size() == want.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        check_atom(got[i], want[i], pair->loss_error({got[i].loss, got[i].loss}));
      check_atom_tails(*pair, want, 1);
      CHECK(*pair->spacing() == 2 * a);
    }
  }
}

TEST_CASE("mechanisms.discrete_laplace.sensitivity_1_is_randomized_response") {
  for (const double a : {1e-6, 0.1, 3.0}) {
    const auto atoms = dominating_pair(DiscreteLaplace{.a = a}, Direction::add)->atoms({});
    REQUIRE(atoms.size() == 2);
    CHECK(atoms[1].loss == a);
    CHECK_REL(atoms[1].log_mass, -std::log1p(std::exp(-a)), 1e-15);
  }
}

TEST_CASE("mechanisms.discrete_laplace.a_million_atoms_in_the_outline") {
  for (const double a : {1e-9, 1e-3, 0.2}) {
    const PairPtr pair = dominating_pair(DiscreteLaplace{.a = a, .sensitivity = 1e6}, Direction::remove);
    const auto outline = pair->outline();
    CHECK(outline.size() < 1000);
    check_total(*pair, outline, 1e-13);
    check_total(*pair, std::vector<LossCell>{pair->below(0.3), pair->above(0.3)}, 1e-14);
  }
}

TEST_CASE("mechanisms.discrete_gaussian.matches_50_digits") {
  Worst worst;
  for (const double sigma : {0.05, 0.3, 0.45, 1.0, 5.0, 23.0}) {
    for (const int s : {1, 3, 40}) {
      CAPTURE(sigma);
      CAPTURE(s);
      const PairPtr pair = dominating_pair(DiscreteGaussian{.sigma = sigma, .sensitivity = double(s)}, Direction::add);
      const auto want = discrete_gaussian_atoms(sigma, s);
      const int margin = static_cast<int>(40 * sigma) + 3;  // from here on the reference's own tails are cut too near
      const auto skip = static_cast<std::size_t>(static_cast<int>(60 * sigma) + s + 5 - margin);
      const std::vector<ReferenceAtom> kept(want.begin() + static_cast<std::ptrdiff_t>(skip),
                                            want.end() - static_cast<std::ptrdiff_t>(skip));
      const double half = *pair->spacing() / 2;
      const auto got =
          pair->atoms({static_cast<double>(kept.front().loss) - half, static_cast<double>(kept.back().loss) + half});
      REQUIRE(got.size() == kept.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        check_atom(got[i], kept[i], pair->loss_error({got[i].loss, got[i].loss}));
      const Worst tails = check_atom_tails(*pair, want, kept.size() / 30 + 1);
      worst = {std::fmax(worst.mass, tails.mass), std::fmax(worst.loss, tails.loss)};
      check_total(*pair, pair->outline(), 1e-14);
      CHECK(pair->outline().size() <= 1000);
    }
  }
  MESSAGE("worst tail mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

/// The atoms of a sampled law: each against the exact mass about its loss, where its neighbours are far enough to tell;
/// all of them and the rest above `highest` sum to 1.
void check_sampled_atoms(const DominatingPair& pair, const Law& law, LossRange within) {
  const auto atoms = pair.atoms(within);
  REQUIRE_FALSE(atoms.empty());
  Worst worst;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const double loss = atoms[i].loss, error = pair.loss_error({loss, loss});
    const double left = i == 0 ? infinity : loss - atoms[i - 1].loss;
    const double right = i + 1 == atoms.size() ? infinity : atoms[i + 1].loss - loss;
    const double gap = std::min({left, right, std::max(1e-6, 1e-6 * std::fabs(loss))});
    const bool beyond_reference = std::max(atoms[i].log_mass, atoms[i].log_q_mass) < -1000;
    if (gap > 8 * error && !beyond_reference) check_cell(atoms[i], law, loss - gap / 2, loss + gap / 2, error, worst);
  }
  std::vector<LossCell> all = atoms;
  all.push_back(pair.above(within.highest));
  if (within.lowest > -infinity) all.push_back(pair.below(std::nextafter(within.lowest, -infinity)));
  check_total(pair, all, 1e-13);
}

TEST_CASE("mechanisms.discrete.sampled_laws_match_50_digits") {
  for (const double q : {1e-7, 0.05, 0.6, 1 - 1e-9}) {
    CAPTURE(q);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      INFO(std::string(name(direction)));
      for (const auto& [a, s] : {std::pair{0.3, 4}, {20.0, 4}, {9.0, 40}}) {
        const Mechanism mechanism = poisson_sampled(DiscreteLaplace{.a = a, .sensitivity = double(s)}, q);
        const Law law = sampled_law(atomic_law(discrete_laplace_atoms(a, s)), q, direction);
        check_sampled_atoms(*mechanism.pair(direction), law, {});
        CHECK_FALSE(mechanism.pair(direction)->spacing().has_value());
        check_total(*mechanism.pair(direction), mechanism.pair(direction)->outline(), 1e-13);
      }
      for (const double sigma : {0.3, 2.0}) {
        const Mechanism mechanism = poisson_sampled(DiscreteGaussian{.sigma = sigma}, q);
        const Law law = sampled_law(atomic_law(discrete_gaussian_atoms(sigma, 1)), q, direction);
        const double sign = direction == Direction::remove ? 1 : -1;
        const double far = sign * static_cast<double>(log(1 - Real(q) + Real(q) * exp(Real(20) / (sigma * sigma))));
        const LossRange within = sign > 0 ? LossRange{-infinity, far} : LossRange{far, infinity};
        check_sampled_atoms(*mechanism.pair(direction), law, within);
      }
    }
  }
}

TEST_CASE("mechanisms.discrete_gaussian.refuses_endless_windows") {
  const auto pair = dominating_pair(DiscreteGaussian{.sigma = 2}, Direction::remove);
  CHECK_THROWS_AS(static_cast<void>(pair->atoms({})), WorkSpent);
  for (const double bad : {0.0, 2e6, -1.0, std::nan("")}) {
    CHECK_THROWS_AS(Mechanism(DiscreteGaussian{.sigma = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(DiscreteGaussian{.sensitivity = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(DiscreteLaplace{.sensitivity = bad}), DomainError);
  }
}

TEST_CASE("mechanisms.discrete_gaussian.a_million_sigma") {
  // Against the continuous law of the same sigma: the tail's sum is its integral to 1 / (2 sigma) of the density there.
  const double sigma = 1e6;
  const auto pair = dominating_pair(DiscreteGaussian{.sigma = sigma}, Direction::remove);
  const double z = 2.5 / sigma - 1 / (sigma * sigma);  // half a spacing below the loss of x = 2.5 sigma
  const Real x = Real(2.5) - Real(0.5) / sigma;        // where the integral that stands for the sum begins
  const LossCell above = pair->above(z);
  CHECK_REL(above.log_q_mass, static_cast<double>(log(normal_interval(x, real_infinity()))), 1e-12);
  CHECK_REL(above.log_mass, static_cast<double>(log(normal_interval(x - 1 / Real(sigma), real_infinity()))), 1e-12);
  const Real exact_loss =
      log(normal_interval(x - 1 / Real(sigma), real_infinity()) / normal_interval(x, real_infinity()));
  CHECK_REL(above.loss, static_cast<double>(exact_loss), 1e-11);
  // Two million outcomes are one cell.
  CHECK(pair->atoms({-1e-6, 1e-6}).empty());
  std::vector<LossCell> cells;
  pair->cells(std::vector{-1e-6, 1e-6}, cells);
  REQUIRE(cells.size() == 1);
  const Real half = Real(0.5) / sigma, one = 1 / Real(sigma);
  CHECK_REL(cells[0].log_q_mass, static_cast<double>(log(normal_interval(-1 + half, 1 + half))), 1e-12);
  CHECK_REL(cells[0].log_mass, static_cast<double>(log(normal_interval(-1 + half - one, 1 + half - one))), 1e-12);
}

/// sum of e^{-i^2 / (2 sigma^2)} over i >= x, to where terms are below e^-110 of the largest.
Real gaussian_sum_from(double sigma, double x) {
  const Real rate = 1 / (2 * Real(sigma) * sigma), shrink = exp(-2 * rate);
  Real term = exp(-rate * x * x), ratio = exp(-rate * (2 * Real(x) + 1)), sum = 0;
  for (double i = x; i < std::max(x, 0.0) + 15 * sigma; ++i) {
    sum += term;
    term *= ratio;
    ratio *= shrink;
  }
  return sum;
}

TEST_CASE("mechanisms.discrete_gaussian.wide_noise_matches_the_sum") {
  Worst worst;
  for (const double sigma : {1000.0, 4321.0}) {
    const Real all = 2 * gaussian_sum_from(sigma, 1) + 1;
    for (const double s : {1.0, 700.0, 1500.0}) {
      const auto pair = dominating_pair(DiscreteGaussian{.sigma = sigma, .sensitivity = s}, Direction::remove);
      for (const double share : {-2.5, 0.3, 1.7, 6.0, 9.99, 10.01, 25.0}) {  // dense up to an outcome of sigma^2 / 100
        const double x = std::floor(s / 2 + share * sigma), z = (x - 0.5 - s / 2) * *pair->spacing();
        CAPTURE(sigma);
        CAPTURE(s);
        CAPTURE(x);
        const Real p = gaussian_sum_from(sigma, x - s) / all, q = gaussian_sum_from(sigma, x) / all;
        const LossCell got = pair->above(z);
        const double error = pair->loss_error({std::min(z, got.loss), std::max(z, got.loss)});
        check_atom(got, {log(p / q), p, q}, error);
        worst.mass =
            std::fmax(worst.mass, std::fmax(mass_excess(got.log_mass, p, p), mass_excess(got.log_q_mass, q, q)));
        worst.loss = std::fmax(worst.loss, static_cast<double>(abs(got.loss - log(p / q))) / error);
      }
    }
  }
  MESSAGE("worst tail mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

}  // namespace
}  // namespace pld::test
