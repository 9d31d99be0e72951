// The accuracy that every DominatingPair keeps, at the edges of its domain: laws next to another form of theirs, rates
// next to 0 and 1, parameters next to their limits, and cells cut at losses that no outcome has.

#include <cmath>
#include <limits>
#include <random>

#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/dp_points.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/poisson_difference.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "pld/mechanisms/trade_off_points.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/exact_laws.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

using Random = std::mt19937_64;

/// A pair with its law in 50 digits: that of the finite losses, and the masses at infinity.
struct Subject {
  std::string name;
  PairPtr pair;
  Law law;
  Real p_infinite = 0, q_infinite = 0;
  double beyond = nothing_beyond;  ///< the law has no masses below e^-this
};

/// Everything in one law: the finite losses in (low, high], with those that only Q has where sampling gives them a
/// finite loss.
Law with_atom(const Law& law, const ReferenceAtom& atom) {
  return [law, atom](const Real& low, const Real& high) {
    Masses sum = law(low, high);
    if (low < atom.loss && atom.loss <= high) sum = {sum.p + atom.p, sum.q + atom.q};
    return sum;
  };
}

Law spliced_law50(const Law& base, double rate) {
  const Law gains = sampled_law(base, rate, Direction::remove), falls = sampled_law(base, rate, Direction::add);
  const Masses above = gains(0, real_infinity()), below = falls(-real_infinity(), 0);  // no density has an atom at 0
  const Real at_zero = 1 - above.p - below.p;
  return [=](const Real& low, const Real& high) {
    Masses sum;
    if (low < 0) sum = falls(low, std::min(high, Real(0)));
    if (high > 0) {
      const Masses gained = gains(std::max(low, Real(0)), high);
      sum = {sum.p + gained.p, sum.q + gained.q};
    }
    return low < 0 && 0 <= high ? Masses{sum.p + at_zero, sum.q + at_zero} : sum;
  };
}

/// A mechanism with a density, whose pair has this law in the remove direction and this mass at either infinity.
void add_continuous(const Mechanism& mechanism, const Law& law, const Real& infinite, std::span<const double> rates,
                    std::vector<Subject>& all) {
  all.push_back({mechanism.text(), mechanism.pair(Direction::remove), law, infinite, infinite});
  if (!mechanism.symmetric())
    all.push_back({mechanism.text() + ", add", mechanism.pair(Direction::add), swapped(law), infinite, infinite});
  for (const double rate : rates) {
    const Mechanism sample = poisson_sampled(mechanism, rate);
    const ReferenceAtom alone{log1p(-Real(rate)), (1 - Real(rate)) * infinite, infinite};
    const ReferenceAtom mirrored{-alone.loss, alone.q, alone.p};
    all.push_back({sample.text(), sample.pair(Direction::remove),
                   with_atom(sampled_law(law, rate, Direction::remove), alone), rate * infinite, 0});
    // The base of the add direction is the swapped one, of which sampled_law() takes the remove law.
    all.push_back({sample.text() + ", add", sample.pair(Direction::add),
                   with_atom(swapped(sampled_law(law, rate, Direction::remove)), mirrored), 0, rate * infinite});
  }
}

/// One of finitely many outcomes, or of those that do not weigh less than e^-beyond.
void add_finite(const Mechanism& mechanism, const Outcomes& outcomes, std::span<const double> rates,
                std::vector<Subject>& all, double beyond = nothing_beyond) {
  const auto add = [&](const std::string& name, const PairPtr& pair, const Outcomes& of) {
    Subject subject{name, pair, {}, 0, 0, beyond};
    std::vector<ReferenceAtom> atoms;
    for (const auto& [p, q] : of) {
      if (q == 0) subject.p_infinite += p;
      if (p == 0) subject.q_infinite += q;
      if (p > 0 && q > 0) atoms.push_back({log(p / q), p, q});
    }
    subject.law = atomic_law(atoms);
    all.push_back(subject);
  };
  add(mechanism.text(), mechanism.pair(Direction::remove), outcomes);
  if (!mechanism.symmetric()) add(mechanism.text() + ", add", mechanism.pair(Direction::add), swapped(outcomes));
  for (const double rate : rates) {
    const Mechanism sample = poisson_sampled(mechanism, rate);
    for (const Direction direction : {Direction::remove, Direction::add})
      add(sample.text() + ", " + name(direction), sample.pair(direction), sampled(outcomes, rate, direction));
  }
}

/// The worst pair of a trade-off function that lies nowhere below the lines beta = c - m alpha, nor below their mirror
/// images: an outcome for each straight piece.
Outcomes guaranteed(std::vector<std::pair<Real, Real>> lines) {
  for (std::size_t i = 0, n = lines.size(); i < n; ++i)
    lines.emplace_back(lines[i].first / lines[i].second, 1 / lines[i].second);
  lines.emplace_back(0, 0);
  std::vector<Real> alphas{0, 1};
  for (const auto& [c, m] : lines)
    for (const auto& [d, n] : lines)
      if (m > n && (c - d) / (m - n) > 0 && (c - d) / (m - n) < 1) alphas.push_back((c - d) / (m - n));
  std::sort(alphas.begin(), alphas.end());
  const auto beta = [&](const Real& alpha) {
    Real highest = 0;
    for (const auto& [c, m] : lines) highest = std::max(highest, Real(c - m * alpha));
    return highest;
  };
  Outcomes out{{1 - beta(0), 0}};
  // Of 50: the ends of a shorter piece are one crossing of lines whose slopes differ by 1e-14, a lower one is level.
  constexpr double shortest = 5e-36, lowest = 1e-45;
  for (std::size_t i = 1; i < alphas.size(); ++i) {
    const Real width = alphas[i] - alphas[i - 1], fall = beta(alphas[i - 1]) - beta(alphas[i]);
    if (width > shortest) out.push_back({fall > lowest ? fall : Real(0), width});
  }
  return out;
}

Outcomes guaranteed(const DpPoints& m) {
  std::vector<std::pair<Real, Real>> lines;
  for (std::size_t i = 0; i < m.epsilons.size(); ++i)
    lines.emplace_back(1 - Real(m.deltas[i]), exp(Real(m.epsilons[i])));
  return guaranteed(lines);
}

Outcomes guaranteed(const TradeOffPoints& m) {
  std::vector<std::pair<Real, Real>> lines;
  for (std::size_t i = 0; i + 1 < m.alphas.size(); ++i) {
    const Real slope = (Real(m.betas[i]) - m.betas[i + 1]) / (Real(m.alphas[i + 1]) - m.alphas[i]);
    lines.emplace_back(m.betas[i] + slope * m.alphas[i], slope);
  }
  return guaranteed(lines);
}

Law bounded_range_law(double epsilon) {
  const Real e = epsilon;
  return [e](const Real& low, const Real& high) {
    const Real a = std::max(low, Real(-e)), b = std::min(high, e), scale = 2 * sinh(e / 2);
    if (!(a < b)) return Masses{};
    return Masses{(exp(b / 2) - exp(a / 2)) / scale, (exp(Real(-a / 2)) - exp(Real(-b / 2))) / scale};
  };
}

constexpr double everywhere = 1e300;  // farther out lies no outcome that a double is

void add_generalized(double shape, double s, std::span<const double> rates, std::vector<Subject>& all) {
  add_continuous(GeneralizedGaussian{.shape = shape, .sensitivity = s},
                 location_law(generalized50(shape), s, -everywhere, everywhere, -real_infinity(), real_infinity()), 0,
                 rates, all);
}

void add_sinh_normal(double a, double s, std::span<const double> rates, std::vector<Subject>& all) {
  const double reach = a * std::asinh(1e4 / a);  // e^-1e7 of it
  add_continuous(
      SinhNormal{.a = a, .sensitivity = s},
      location_law(sinh_normal50(a), s, Real(s) - s - reach, Real(s) + reach, -real_infinity(), real_infinity()), 0,
      rates, all);
}

void add_logistic(double s, std::span<const double> rates, std::vector<Subject>& all) {
  add_continuous(Logistic{.sensitivity = s}, location_law(logistic50(), s, -400, 400 + Real(s), -Real(s), Real(s)), 0,
                 rates, all);
}

void add_truncated(double scale, double bound, double sensitivity, std::span<const double> rates,
                   std::vector<Subject>& all) {
  const Real t = Real(bound) / scale, s = Real(sensitivity) / scale, top = s < t ? s : Real(2 * t - s);
  const Noise50 noise = truncated_laplace50(t);
  add_continuous(TruncatedLaplace{.scale = scale, .bound = bound, .sensitivity = sensitivity},
                 location_law(noise, s, std::max(Real(0), Real(s - t)), std::min(s, t), -top, top), noise.above(t - s),
                 rates, all);
}

/// Of replacing, in a batch: of twice the sensitivity.
void add_batch(const Mechanism& mechanism, const Law& doubled, double rate, std::vector<Subject>& all) {
  const Mechanism batch = without_replacement(mechanism, rate).under(Relation::replace_one);
  all.push_back({batch.text() + ", replaced", batch.pair(Direction::remove), spliced_law50(doubled, rate), 0, 0});
}

constexpr double kept_of_endless = 90;  // a sum to where terms are e^-130 has masses down to e^-this to 17 digits

void add_discrete_gaussian(double sigma, int s, std::span<const double> rates, std::vector<Subject>& all) {
  add_finite(DiscreteGaussian{.sigma = sigma, .sensitivity = double(s)},
             discrete_gaussian(sigma, s, static_cast<int>(18 * sigma) + s + 2), rates, all, kept_of_endless);
}

void add_poisson_difference(double plus, double minus, int s, std::span<const double> rates,
                            std::vector<Subject>& all) {
  const int reach = static_cast<int>(20 * std::sqrt(plus + minus) + plus + minus) + 60;
  Outcomes outcomes = moved(poisson_difference_masses(plus, minus, reach), s);
  std::erase_if(outcomes, [](const Outcome& o) { return o.p < 1e-55 || o.q < 1e-55; });
  add_finite(PoissonDifference{.plus = plus, .minus = minus, .sensitivity = double(s)}, outcomes, rates, all,
             kept_of_endless);
}

/// The subjects that are known to be hard.
std::vector<Subject> known_subjects() {
  std::vector<Subject> all;
  const std::vector<double> tiny{1e-13}, small{4.366e-4}, near_one{1 - 1e-13}, none, both{4.366e-4, 1 - 1e-13};
  for (const double shape : {1 + 1e-12, 1.0001, 1.002}) add_generalized(shape, 0.1086, small, all);
  add_generalized(1.0002, 0.0011, none, all);
  add_generalized(2 - 1e-9, 0.5, none, all);
  add_generalized(2 + 1e-6, 3, tiny, all);
  add_generalized(47.7, 1.24, near_one, all);
  add_sinh_normal(1, 0.0011, none, all);
  add_sinh_normal(1, 4, near_one, all);
  add_sinh_normal(1e6, 0.3, tiny, all);
  add_logistic(0.0011, both, all);
  add_logistic(299, tiny, all);
  add_truncated(1, 7 * (1 + 1e-12), 7, small, all);
  add_truncated(990, 8544.4, 1, near_one, all);
  add_truncated(3, 0.0034, 0.005, tiny, all);
  add_truncated(0.1, 69.7, 1, none, all);
  for (const double sigma : {1e-4, 1.0, 1e9})
    add_continuous(Gaussian{.sigma = sigma}, gaussian_law(sigma, 1), 0, both, all);
  for (const double scale : {1e-3, 0.7, 1e8})
    add_continuous(Laplace{.scale = scale}, laplace_law(scale, 1), 0, both, all);
  for (const double epsilon : {1e-6, 1.0, 500.0})
    add_continuous(ExponentialMechanism{epsilon}, bounded_range_law(epsilon), 0, small, all);
  for (const GaussianMixture& m : {GaussianMixture{.sigma = 1, .shifts = {1, 1 + 1e-12}, .weights = {0.5, 0.5}},
                                   GaussianMixture{.sigma = 1, .shifts = {0, 1}, .weights = {1 - 0x1p-30, 0x1p-30}},
                                   GaussianMixture{.sigma = 1, .shifts = {2e-6, 3}, .weights = {0x1p-30, 1 - 0x1p-30}}})
    add_continuous(m, mixture_law(m), 0, small, all);
  for (const double s : {0.0022, 1.0})
    add_batch(Logistic{.sensitivity = s / 2}, location_law(logistic50(), s, -400, 400 + Real(s), -Real(s), Real(s)),
              0.3, all);
  add_batch(Gaussian{.sigma = 2}, gaussian_law(1, 1), 1e-13, all);

  for (const double a : {1e-15, 1e-9, 1.0, 700.0}) {
    add_finite(DiscreteLaplace{.a = a}, discrete_laplace(a, 1), tiny, all);
    add_finite(DiscreteLaplace{.a = a, .sensitivity = 5}, discrete_laplace(a, 5), both, all);
  }
  for (const double p : {1e-300, 1e-9, 0.5 + 0x1p-52, 1 - 0x1p-53})
    add_finite(RandomizedResponse{p}, randomized_response(p), both, all);
  for (const double p : {1e-300, 1.0 / 3 + 1e-12, 1 - 1e-15})
    add_finite(RandomizedResponse{p, 3}, randomized_response(p, 3), both, all);
  for (const auto& [epsilon, delta] : {std::pair{1e-15, 1e-300}, {0.0, 1 - 1e-15}, {700.0, 1e-9}, {2.3e-7, 1e-13}})
    add_finite(ApproximateDp{.epsilon = epsilon, .delta = delta}, leaky(epsilon, delta), both, all);
  for (const double epsilon : {1e-6, 500.0})
    add_continuous(PermuteAndFlip{epsilon}, laplace_law(1 / epsilon, 1), 0, both, all);
  for (const DpPoints& m :
       {DpPoints{.epsilons = {2.0498e-07, 2.0705e-07, 2.2623e-07}, .deltas = {0.9999958, 0.1365, 1.2e-06}},
        DpPoints{.epsilons = {1e-12, 3}, .deltas = {1 - 1e-12, 1e-20}},
        DpPoints{.epsilons = {0.5, 40}, .deltas = {0.1, 0}}})
    add_finite(m, guaranteed(m), both, all);
  for (const TradeOffPoints& m :
       {TradeOffPoints{.alphas = {0, 1}, .betas = {0.999999969744279, 0}},
        TradeOffPoints{.alphas = {0, 0.1934344121264831, 0.9999999999985143}, .betas = {1, 0.8065655878482353, 0}},
        TradeOffPoints{.alphas = {0, 0.25, 1}, .betas = {0.75 - 1e-13, 0.25, 0}}})
    add_finite(m, guaranteed(m), both, all);
  for (const double sigma : {0.01, 0.3, 5.0}) add_discrete_gaussian(sigma, 2, small, all);
  for (const auto& [plus, minus] : {std::pair{6e-4, 5e-4}, {1.5, 1.5}, {7.0, 0.01}})
    add_poisson_difference(plus, minus, 1, near_one, all);
  add_finite(Binomial{.n = 30, .p = 0.02}, moved(binomial_masses(30, 0.02), 1), small, all);
  add_finite(IntegerNoise{.masses = {0x1p-40, 1 - 0x1p-39, 0x1p-40}}, moved({0x1p-40, 1 - 0x1p-39, 0x1p-40}, 1), both,
             all);
  const std::vector<double> p{0.25, 0.25, 0.5, 0}, q{0.25 * (1 + 1e-13), 0.25 * (1 - 1e-13), 0.5 - 0x1p-40, 0x1p-40};
  add_finite(MassTable{p, q}, {{p[0], q[0]}, {p[1], q[1]}, {p[2], q[2]}, {p[3], q[3]}}, both, all);
  return all;
}

/// Losses that a cell may be cut at, in order: some of the law's own and their neighbours, ends of the range and what
/// lies beyond, next to zero, and where no outcome is.
std::vector<double> hostile_edges(const DominatingPair& pair, Random& random, int own) {
  const std::vector<LossCell> outline = pair.outline();
  const auto [lowest, highest] = pair.range();
  constexpr double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  std::vector<double> edges{0, least, -least, 1e-300, -1e-17, 1e300, -1e300, most, -most};
  const auto add = [&](double z) {
    if (!std::isfinite(z)) return;
    for (const double edge : {z, std::nextafter(z, infinity), z * (1 - 1e-9), z * (1 + 1e-3), 2 * z})
      edges.push_back(edge);
  };
  add(lowest), add(highest);
  for (int i = 0; i < own; ++i) add(outline[random() % outline.size()].loss);
  std::shuffle(edges.begin(), edges.end(), random);
  edges.resize(std::min<std::size_t>(edges.size(), static_cast<std::size_t>(own)));
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// What of both laws lies so near an edge that it depends on the losses' error on which side it is.
double undecided(const DominatingPair& pair, double z) {
  const double error = pair.loss_error({z, z});
  const LossCell all = pair.above(z - error), rest = pair.above(z + error);
  return std::exp(all.log_mass) - std::exp(rest.log_mass) + std::exp(all.log_q_mass) - std::exp(rest.log_q_mass);
}

/// Whatever the edges: the cells and atoms are all of both laws, each cell's mean lies in it, and what lies above an
/// edge and below it is all there is.
void check_any_cut(const DominatingPair& pair, std::vector<double> edges) {
  constexpr double rounding = 1e-13;
  for (const double z : edges) check_total(pair, std::vector<LossCell>{pair.above(z), pair.below(z)}, rounding);
  if (!pair.has_density()) return;
  double tolerance = rounding;
  for (const double z : edges) tolerance += undecided(pair, z);
  edges.insert(edges.begin(), -infinity);
  edges.push_back(infinity);
  std::vector<LossCell> cells;
  pair.cells(edges, cells);
  REQUIRE(cells.size() + 1 == edges.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].log_mass < -nothing_beyond) continue;
    CAPTURE(edges[i]);
    CAPTURE(edges[i + 1]);
    CAPTURE(cells[i].loss);
    const double error = pair.loss_error({edges[i], edges[i + 1]});
    CHECK(edges[i] - error <= cells[i].loss);
    CHECK(cells[i].loss <= edges[i + 1] + error);
  }
  for (const LossCell& atom : pair.atoms(pair.range())) cells.push_back(atom);
  check_total(pair, cells, tolerance);
}

TEST_CASE("pairs.contract.cells_are_all_of_a_law_wherever_it_is_cut") {
  Random random(2106);
  for (const Subject& subject : known_subjects()) {
    CAPTURE(subject.name);
    for (int round = 0; round < 6; ++round)
      check_any_cut(*subject.pair, hostile_edges(*subject.pair, random, 5 + 7 * round));
  }
}

TEST_CASE("pairs.contract.below_between_and_above_are_all_of_a_law_whose_loss_hardly_rises") {
  for (const double shape : {1 + 1e-14, 1 + 1e-12, 1 + 1e-10, 1.0001}) {
    const PairPtr pair = dominating_pair(GeneralizedGaussian{.shape = shape, .scale = 7}, Direction::remove);
    for (const double share : {1.0, 1 + 1e-13, 1 + 1e-9}) {
      CAPTURE(shape);
      CAPTURE(share);
      const double most = share * std::pow(1.0 / 7, shape);
      std::vector<double> edges;
      for (int i = -100; i <= 100; ++i) edges.push_back(most * i / 100);
      std::vector<LossCell> cells{pair->below(edges.front()), pair->above(edges.back())};
      pair->cells(edges, cells);
      check_total(*pair, cells, 1e-13);
    }
  }
}

Worst worse(const Worst& a, const Worst& b) { return {std::fmax(a.mass, b.mass), std::fmax(a.loss, b.loss)}; }

bool hold(const std::vector<LossCell>& atoms, double low, double high) {
  return std::any_of(atoms.begin(), atoms.end(), [&](const LossCell& a) { return low <= a.loss && a.loss <= high; });
}

/// Against 50 digits: masses at infinity; what lies above and below each edge, and cells between edges, unless it
/// depends on the losses' error on which side of an edge an atom is; atoms that no other is next to.
Worst check_accuracy(const Subject& subject, std::vector<double> edges) {
  const DominatingPair& pair = *subject.pair;
  Worst worst;
  worst.mass = std::fmax(mass_excess(pair.log_mass_at_plus_infinity(), subject.p_infinite, subject.p_infinite),
                         mass_excess(pair.log_q_mass_at_minus_infinity(), subject.q_infinite, subject.q_infinite));
  CHECK(worst.mass <= 1);
  if (const auto mass = pair.infinite_mass()) {
    const auto doubt = 1e-30 * subject.p_infinite;
    CHECK(mass->below <= subject.p_infinite + doubt);
    CHECK(subject.p_infinite <= mass->above + doubt);
  }
  const std::vector<LossCell> atoms =
      subject.beyond < nothing_beyond ? pair.atoms({-1000, 1000}) : pair.atoms(pair.range());
  std::erase_if(edges, [&](double z) {
    constexpr double least = 1e-20;  // 50 digits do not tell smaller ones apart
    const double doubt = 4 * pair.loss_error({z, z}) + 8 * unit_roundoff * std::fabs(z);
    return (z != 0 && std::fabs(z) < least) || hold(atoms, z - doubt, z + doubt);
  });
  worst = worse(worst, check_tails(pair, subject.law, edges, subject.beyond));
  for (std::size_t i = 0; !pair.has_density() && i < atoms.size(); i += 1 + atoms.size() / 12) {
    const double loss = atoms[i].loss, error = pair.loss_error({loss, loss});
    const double reach = 8 * error + 1e-9 * std::fabs(loss) + 1e-30, before = i > 0 ? atoms[i - 1].loss : -infinity,
                 after = i + 1 < atoms.size() ? atoms[i + 1].loss : infinity;
    if (before < loss - 2 * reach && loss + 2 * reach < after)
      check_cell(atoms[i], subject.law, loss - reach, loss + reach, error, worst, subject.beyond);
  }
  if (!pair.has_density()) return worst;
  edges.insert(edges.begin(), -infinity);
  edges.push_back(infinity);
  std::vector<LossCell> cells;
  pair.cells(edges, cells);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!hold(atoms, edges[i], edges[i + 1]))
      check_cell(cells[i], subject.law, edges[i], edges[i + 1], pair.loss_error({edges[i], edges[i + 1]}), worst);
  return worst;
}

TEST_CASE("pairs.contract.matches_50_digits") {
  Random random(2107);
  Worst worst;
  for (const Subject& subject : known_subjects()) {
    CAPTURE(subject.name);
    worst = worse(worst, check_accuracy(subject, hostile_edges(*subject.pair, random, 5)));
  }
  MESSAGE("worst mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

/// Cells side by side, as a lattice cuts them: some of each stretch, each next to 50 digits.
Worst check_cells_side_by_side(const Subject& subject, Random& random) {
  const DominatingPair& pair = *subject.pair;
  Worst worst;
  if (!pair.has_density()) return worst;
  const std::vector<LossCell> outline = pair.outline(), atoms = pair.atoms(pair.range());
  const auto [lowest, highest] = pair.range();
  for (const double spacing : {0.2, 0.07, 0.02, 1e-2, 1e-4, 1e-6}) {
    constexpr int many = 60, some = 13;
    const double middle = outline[random() % outline.size()].loss;
    std::vector<double> edges;
    for (int i = -many / 2; i <= many / 2; ++i) edges.push_back(middle + i * spacing * std::min(1.0, highest - lowest));
    std::vector<LossCell> cells;
    pair.cells(edges, cells);
    for (std::size_t i = 1 + random() % some; i < cells.size(); i += some)
      if (lowest < edges[i] && edges[i + 1] < highest && !hold(atoms, edges[i], edges[i + 1]))
        check_cell(cells[i], subject.law, edges[i], edges[i + 1], pair.loss_error({edges[i], edges[i + 1]}), worst);
  }
  return worst;
}

TEST_CASE("pairs.contract.cells_side_by_side_match_50_digits") {
  Random random(2109);
  Worst worst;
  for (const Subject& subject : known_subjects()) {
    CAPTURE(subject.name);
    worst = worse(worst, check_cells_side_by_side(subject, random));
  }
  MESSAGE("worst mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
double power_of_ten(Random& random, double low, double high) { return std::pow(10, uniform(random, low, high)); }
/// In (0, 1), often next to either end.
double share(Random& random) {
  const double small = power_of_ten(random, -15, 0);
  return random() % 3 == 0 ? uniform(random, 0, 1) : random() % 2 == 0 ? small : 1 - small;
}
/// In [low, high], by orders of magnitude, often an end.
double between(Random& random, double low, double high) {
  return random() % 4 == 0 ? (random() % 2 == 0 ? low : high)
                           : std::clamp(power_of_ten(random, std::log10(low), std::log10(high)), low, high);
}

void add_random(Random& random, std::vector<Subject>& all) {
  std::vector<double> rates;
  if (const double rate = share(random); 0 < rate && rate < 1) rates.push_back(rate);
  const double near_zero = power_of_ten(random, -14, -1);
  switch (random() % 15) {
    case 0:
    case 1: {
      const double shapes[] = {1 + near_zero, 2 - near_zero, 2 + near_zero, uniform(random, 1, 6),
                               uniform(random, 6, 64)};
      const double shape = shapes[random() % 5];
      return add_generalized(shape, between(random, 0.001, std::min(300.0, std::pow(0.99e5, 1 / shape))), rates, all);
    }
    case 2:
      return add_sinh_normal(random() % 2 == 0 ? 1 + near_zero : between(random, 1, 1e6), between(random, 0.001, 20),
                             rates, all);
    case 3:
      return add_logistic(between(random, 0.001, 300), rates, all);
    case 4: {
      const double s = between(random, 0.0011, 299),
                   t = random() % 2 == 0 ? s * (1 + near_zero) : between(random, 0.51 * s + 0.001, 690);
      const double scale = power_of_ten(random, -3, 3);
      return add_truncated(scale, t * scale, s * scale, rates, all);
    }
    case 5: {
      const double sigma = power_of_ten(random, -8, 8);
      return add_continuous(Gaussian{.sigma = sigma}, gaussian_law(sigma, 1), 0, rates, all);
    }
    case 6: {
      const double scale = power_of_ten(random, -8, 8);
      return add_continuous(Laplace{.scale = scale}, laplace_law(scale, 1), 0, rates, all);
    }
    case 7: {
      const double epsilon = between(random, 1e-6, 500);
      return add_continuous(ExponentialMechanism{epsilon}, bounded_range_law(epsilon), 0, rates, all);
    }
    case 8: {
      const double shift = between(random, 1e-5, 10);
      const GaussianMixture m{
          .sigma = 1,
          .shifts = {random() % 2 == 0 ? 0 : shift, shift * (1 + near_zero)},
          .weights = random() % 2 == 0 ? std::vector{near_zero, 1 - near_zero} : std::vector{1 - near_zero, near_zero}};
      return add_continuous(m, mixture_law(m), 0, rates, all);
    }
    case 9: {
      const double a = power_of_ten(random, -14, 2.8);
      const int s = 1 + static_cast<int>(random() % 6);
      return add_finite(DiscreteLaplace{.a = a, .sensitivity = double(s)}, discrete_laplace(a, s), rates, all);
    }
    case 10: {
      const int k = 2 + static_cast<int>(random() % 3);
      const double truths[] = {share(random), (1 + near_zero) / k, (1 - near_zero) / k}, p = truths[random() % 3];
      return add_finite(RandomizedResponse{p, double(k)}, randomized_response(p, k), rates, all);
    }
    case 11: {
      const double epsilon = power_of_ten(random, -15, 2.8), delta = random() % 3 == 0 ? 0 : share(random);
      return add_finite(ApproximateDp{.epsilon = epsilon, .delta = delta}, leaky(epsilon, delta), rates, all);
    }
    case 12: {
      const double unit = power_of_ten(random, -9, 0.5), last = share(random);
      const DpPoints m{.epsilons = {unit * uniform(random, 0, 0.3), unit * uniform(random, 0.3, 0.7), unit},
                       .deltas = {1 - (1 - last) * near_zero, last + (1 - last) * uniform(random, 0, 1), last}};
      return add_finite(m, guaranteed(m), rates, all);
    }
    case 13: {
      const double alpha = uniform(random, 0.01, 0.9);
      const TradeOffPoints m{.alphas = {0, alpha, 1}, .betas = {1, (1 - alpha) * (1 - near_zero), 0}};
      if ((1 - m.betas[1]) / alpha >= m.betas[1] / (1 - alpha)) add_finite(m, guaranteed(m), rates, all);
      return;
    }
    default:
      return add_discrete_gaussian(power_of_ten(random, -2, 0.7), 1 + static_cast<int>(random() % 3), rates, all);
  }
}

TEST_CASE("pairs.contract.random_edges_of_the_domain" * doctest::test_suite("slow")) {
  Random random(2108);
  Worst worst;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    std::vector<Subject> subjects;
    add_random(random, subjects);
    for (const Subject& subject : subjects) {
      CAPTURE(subject.name);
      const std::vector<double> edges = hostile_edges(*subject.pair, random, 9);
      check_any_cut(*subject.pair, edges);
      worst = worse(worst, check_accuracy(subject, edges));
      worst = worse(worst, check_cells_side_by_side(subject, random));
    }
  }
  MESSAGE("worst mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

}  // namespace
}  // namespace pld::test
