// What is said of a composition, against all neighbours and all adaptive adversaries of small finite mechanisms: the
// truth lies between the ends, and "exact" is said only where both ends meet it.

#include "support/all_neighbours.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "pld/core/errors.hpp"
#include "pld/mechanisms/registry.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

constexpr int values = 2;       // of a record
constexpr double asked = 1e-4;  // the relative width of brackets
constexpr Relation relations[] = {Relation::add_remove, Relation::replace_one, Relation::zero_out};

/// All functions from data sets of at most n records to `answers` answers that `allowed` lets pass.
template <class Allowed>
std::vector<std::map<DataSet, int>> all_functions(int n, int answers, const Allowed& allowed) {
  std::vector<DataSet> seen;
  for (int size = 0; size <= n; ++size)
    for (const DataSet& data : data_sets(size, 1, values)) seen.push_back(data);
  std::vector<std::map<DataSet, int>> all;
  std::map<DataSet, int> f;
  for (const DataSet& data : seen) f[data] = 0;
  while (true) {
    if (allowed(f)) all.push_back(f);
    auto i = f.begin();
    while (i != f.end() && ++i->second == answers) (i++)->second = 0;
    if (i == f.end()) return all;
  }
}

bool any_function(const std::map<DataSet, int>&) { return true; }

/// A record more never turns 1 into 0.
bool rises(const std::map<DataSet, int>& f) {
  for (const auto& [data, answer] : f) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      DataSet rest = data;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      if (f.at(rest) > answer) return false;
    }
  }
  return true;
}

/// One law for each answer of a query.
template <class Allowed>
std::vector<Algorithm> answering(int n, const std::vector<Masses>& laws, const Allowed& allowed) {
  std::vector<Algorithm> all;
  for (const auto& f : all_functions(n, static_cast<int>(laws.size()), allowed))
    all.emplace_back([f, laws](const DataSet& data) { return laws[static_cast<std::size_t>(f.at(data))]; });
  return all;
}

/// What each value of a record adds to each of `numbers` sums: all ways from `least` to 1.
std::vector<std::vector<std::vector<int>>> all_contributions(int numbers, int least) {
  std::vector<std::vector<std::vector<int>>> all;
  std::vector<int> flat(static_cast<std::size_t>(numbers * values), least);
  while (true) {
    std::vector<std::vector<int>> rows;
    for (int v = 0; v < values; ++v) rows.emplace_back(flat.begin() + v * numbers, flat.begin() + (v + 1) * numbers);
    all.push_back(rows);
    auto i = flat.begin();
    while (i != flat.end() && ++*i > 1) *i++ = least;
    if (i == flat.end()) return all;
  }
}

std::vector<int> sums(const std::vector<std::vector<int>>& contributions, const DataSet& data) {
  std::vector<int> out(contributions.front().size(), 0);
  for (const int value : data)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += contributions[static_cast<std::size_t>(value - 1)][i];
  return out;
}

/// A count with noise of these masses at -reach, ..., reach or so.
std::vector<Algorithm> noisy_counts(int n, const Masses& noise, int least) {
  std::vector<Algorithm> all;
  for (const auto& contributions : all_contributions(1, least)) {
    all.emplace_back([=](const DataSet& data) {
      Masses out(noise.size() + 2 * static_cast<std::size_t>(n), 0.0);
      const int shift = sums(contributions, data).front() + n;
      for (std::size_t i = 0; i < noise.size(); ++i) out[i + static_cast<std::size_t>(shift)] = noise[i];
      return out;
    });
  }
  return all;
}

/// The selections among `candidates` by utilities that a record moves by up to 1, the first ahead by as much as
/// `ahead` without any record.
template <class Select>
std::vector<Algorithm> selections(int candidates, const std::vector<double>& ahead, const Select& select) {
  std::map<std::vector<double>, Masses> known;
  const auto selected = [&](const std::vector<double>& utilities) {
    const auto found = known.find(utilities);
    return found != known.end() ? found->second : known[utilities] = select(utilities);
  };
  std::vector<Algorithm> all;
  for (const auto& contributions : all_contributions(candidates, -1)) {
    for (const double lead : ahead) {
      std::map<DataSet, Masses> laws;
      for (int size = 0; size <= 2; ++size) {
        for (const DataSet& data : data_sets(size, 1, values)) {
          const std::vector<int> moved = sums(contributions, data);
          std::vector<double> utilities(moved.begin(), moved.end());
          utilities.front() += lead;
          laws[data] = selected(utilities);
        }
      }
      all.emplace_back([laws](const DataSet& data) { return laws.at(data); });
    }
  }
  return all;
}

Masses by_exponential(double epsilon, const std::vector<double>& utilities) {
  Masses out;
  for (const double u : utilities) out.push_back(std::exp(epsilon * u / 2));
  const double total = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& mass : out) mass /= total;
  return out;
}

/// Candidates in random order: each tosses a coin that falls well with e^{epsilon (u - largest) / 2}, the first takes
/// all.
Masses by_permute_and_flip(double epsilon, const std::vector<double>& utilities) {
  std::vector<std::size_t> order(utilities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double largest = *std::max_element(utilities.begin(), utilities.end());
  Masses out(utilities.size(), 0.0);
  double orders = 0;
  do {
    double none_yet = 1;
    for (const std::size_t i : order) {
      const double well = std::exp(epsilon * (utilities[i] - largest) / 2);
      out[i] += none_yet * well;
      none_yet *= 1 - well;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& mass : out) mass /= orders;
  return out;
}

/// The candidate whose count with Laplace noise is the largest.
Masses by_noisy_max(double scale, const std::vector<double>& utilities) {
  const auto density = [&](double x) { return std::exp(-std::fabs(x) / scale) / (2 * scale); };
  const auto below = [&](double x) { return x < 0 ? std::exp(x / scale) / 2 : 1 - std::exp(-x / scale) / 2; };
  Masses out;
  for (std::size_t i = 0; i < utilities.size(); ++i) {
    // The integrand has kinks at the counts.
    std::vector<double> edges(utilities.begin(), utilities.end());
    std::sort(edges.begin(), edges.end());
    for (int step = 1; step <= 25; ++step) {
      edges.insert(edges.begin(), edges.front() - 2 * scale);
      edges.push_back(edges.back() + 2 * scale);
    }
    double sum = 0;
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
      if (edges[e] == edges[e + 1]) continue;
      sum += boost::math::quadrature::gauss<double, 20>::integrate(
          [&](double x) {
            double product = density(x - utilities[i]);
            for (std::size_t j = 0; j < utilities.size(); ++j)
              if (j != i) product *= below(x - utilities[j]);
            return product;
          },
          edges[e], edges[e + 1]);
    }
    out.push_back(sum);
  }
  return out;
}

template <class LogMass>
Masses noise_masses(int reach, const LogMass& log_mass) {
  Masses out;
  for (int x = -reach; x <= reach; ++x) out.push_back(std::exp(log_mass(x)));
  const double total = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& mass : out) mass /= total;
  return out;
}

/// The difference of two Poisson variables.
Masses poisson_difference_masses(int reach, double plus, double minus) {
  Masses out;
  for (int x = -reach; x <= reach; ++x) {
    double sum = 0;
    for (int down = std::max(0, -x); down < 60; ++down)
      sum += std::exp((x + down) * std::log(plus) - std::lgamma(x + down + 1.0) - plus + down * std::log(minus) -
                      std::lgamma(down + 1.0) - minus);
    out.push_back(sum);
  }
  return out;
}

constexpr double lead_step = 0.25, fine_lead_step = 0.05, furthest_lead = 7.5;

/// A type of mechanism, and algorithms of that type on at most n records. They include its worst one unless it is a
/// bound of Renyi divergences, which Gaussian noise attains.
struct Type {
  Mechanism mechanism;
  std::function<std::vector<Algorithm>(Relation, int n)> algorithms;
  bool worst_included = true;
  double shortfall = 0;  ///< of the largest delta enumerated, relative: where algorithms are a grid over a parameter
};

std::vector<Masses> responses(double p, int answers) {
  std::vector<Masses> laws;
  for (int answer = 0; answer < answers; ++answer) {
    laws.emplace_back(static_cast<std::size_t>(answers), (1 - p) / (answers - 1));
    laws.back()[static_cast<std::size_t>(answer)] = p;
  }
  return laws;
}

std::vector<Masses> leaky_responses(double epsilon, double delta) {
  const double p = (1 - delta) / (1 + std::exp(-epsilon)), q = (1 - delta) / (1 + std::exp(epsilon));
  return {{delta, p, q, 0}, {0, q, p, delta}};
}

Type any_answers(const Mechanism& mechanism, const std::vector<Masses>& laws, bool worst_included = true) {
  return {mechanism, [laws](Relation, int n) { return answering(n, laws, any_function); }, worst_included};
}

Type table(const Masses& p, const Masses& q) {
  return {MassTable{.p = p, .q = q}, [=](Relation relation, int n) {
            // With the record p; of two values of a record either may have p.
            return relation == Relation::replace_one ? answering(n, {q, p}, any_function) : answering(n, {q, p}, rises);
          }};
}

Type noise(const Mechanism& mechanism, const Masses& masses, int least = -1) {
  return {mechanism, [=](Relation, int n) { return noisy_counts(n, masses, least); }};
}

template <class Select>
Type selection(const Mechanism& mechanism, const Select& select, double step = lead_step) {
  return {mechanism,
          [=](Relation, int) {
            std::vector<double> leads;
            for (int i = 0; step * i <= furthest_lead; ++i) leads.insert(leads.end(), {-step * i, step * i});
            std::vector<Algorithm> all = selections(2, leads, select);
            const std::vector<Algorithm> of_three = selections(3, {0.0}, select);
            all.insert(all.end(), of_three.begin(), of_three.end());
            return all;
          },
          true, 3e-4};
}

/// Of every finite type one.
std::vector<Type> all_types() {
  const std::vector<Masses> mirrored{{.05, .15, .3, .5}, {.5, .3, .15, .05}};  // losses log 10 and log 2
  return {
      any_answers(RandomizedResponse{.p = 0.7}, responses(0.7, 2)),
      any_answers(RandomizedResponse{.p = 0.5, .k = 3}, responses(0.5, 3)),
      any_answers(ApproximateDp{.epsilon = 0.8, .delta = 0}, leaky_responses(0.8, 0)),
      any_answers(ApproximateDp{.epsilon = 0.8, .delta = 0.05}, leaky_responses(0.8, 0.05)),
      any_answers(DpPoints{.epsilons = {0, std::log(2.0), std::log(10.0)}, .deltas = {0.6, 0.4, 0}}, mirrored),
      any_answers(TradeOffPoints{.alphas = {0, .05, .2, .5, 1}, .betas = {1, .5, .2, .05, 0}}, mirrored),
      table({.26, .74}, {.13, .87}),
      table({.2, .8, 0}, {.1, .7, .2}),
      table({.25, .75}, {.75, .25}),
      noise(IntegerNoise{.masses = {.25, .5, .25}}, {.25, .5, .25}),
      noise(IntegerNoise{.masses = {.5, .35, .15}}, {.5, .35, .15}, 0),
      noise(Binomial{.n = 2}, {.25, .5, .25}),
      noise(Binomial{.n = 2, .p = 0.3}, {.49, .42, .09}, 0),
      noise(DiscreteLaplace{.a = 1.5}, noise_masses(24, [](int x) { return -1.5 * std::abs(x); })),
      noise(DiscreteGaussian{.sigma = 0.6}, noise_masses(5, [](int x) { return -x * x / 0.72; })),
      noise(Skellam{.variance = 0.5}, poisson_difference_masses(10, 0.25, 0.25)),
      noise(PoissonDifference{.plus = 0.2, .minus = 0.1}, poisson_difference_masses(9, 0.2, 0.1), 0),
      selection(
          ExponentialMechanism{.epsilon = 1}, [](const auto& u) { return by_exponential(1, u); }, fine_lead_step),
      selection(
          PermuteAndFlip{.epsilon = 1}, [](const auto& u) { return by_permute_and_flip(1, u); }, fine_lead_step),
      selection(ReportNoisyMax{.scale = 2}, [](const auto& u) { return by_noisy_max(2, u); }),
      any_answers(ConcentratedDp{.rho = 0.32}, leaky_responses(0.8, 0), false),
      any_answers(TruncatedConcentratedDp{.rho = 0.32, .omega = 20}, leaky_responses(0.8, 0), false),
      any_answers(RenyiDp{.orders = {2, 20}, .epsilons = {0.64, 0.8}}, leaky_responses(0.8, 0), false),
  };
}

/// One release of a type on a sample.
struct Part {
  const Type* type;
  Sample sample;
  int count = 1;

  [[nodiscard]] Mechanism mechanism(int n) const {
    switch (sample.kind) {
      case Sample::Kind::poisson:
        return poisson_sampled(type->mechanism, sample.q);
      case Sample::Kind::batch:
        return without_replacement(type->mechanism, static_cast<double>(sample.size) / n);
      case Sample::Kind::everything:
        break;
    }
    return type->mechanism;
  }
};

struct Counts {
  int compositions = 0, deltas = 0, exact = 0, refused = 0;
  double loosest = 1;
};

/// Every delta of a composition beside its enumeration, on data sets of up to n records.
void check(Relation relation, int n, const std::vector<Part>& parts, Counts& counts) {
  Composition run(relation);
  try {
    for (const Part& part : parts) run.add(part.mechanism(n), part.count);
  } catch (const MissingTheorem&) {
    ++counts.refused;
    return;
  }
  bool worst_included = true, batches = false;
  double shortfall = 0;
  std::string text = name(relation);
  for (const Part& part : parts) {
    worst_included = worst_included && part.type->worst_included;
    shortfall += part.count * part.type->shortfall;
    batches = batches || part.sample.kind == Sample::Kind::batch;
    text += " + " + part.mechanism(n).text() + " x " + std::to_string(part.count);
  }
  CAPTURE(text);
  ++counts.compositions;
  if (run.is_exact()) ++counts.exact;
  CHECK((worst_included || !run.is_exact()));
  std::vector<std::vector<std::vector<TwoLaws>>> games;  // of each pair of neighbours, of each release the choices
  std::vector<std::vector<Algorithm>> algorithms;
  for (const Part& part : parts) algorithms.push_back(part.type->algorithms(relation, n));
  for (int size = batches ? n : 1; size <= n; ++size) {
    for (const Neighbours& neighbours : all_neighbours(relation, size, values)) {
      games.emplace_back();
      for (std::size_t i = 0; i < parts.size(); ++i)
        games.back().insert(games.back().end(), static_cast<std::size_t>(parts[i].count),
                            choices(algorithms[i], neighbours, parts[i].sample));
    }
  }
  const PrivacyProfile profile(run, {.tolerance = asked});
  for (const double epsilon : {-0.4, 0.0, 0.3, 1.1, 2.6}) {
    CAPTURE(epsilon);
    double remove = 0, add = 0;
    for (const auto& game : games) {
      remove = std::max(remove, adaptive_gain(game, std::exp(epsilon), false));
      add = std::max(add, adaptive_gain(game, std::exp(epsilon), true));
    }
    // Replaced, a record has no direction: either data set may be either.
    const bool ordered = relation != Relation::replace_one;
    for (const DirectionChoice direction : {DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add}) {
      const double truth = direction == DirectionChoice::remove && ordered ? remove
                           : direction == DirectionChoice::add && ordered  ? add
                                                                           : std::max(remove, add);
      ++counts.deltas;
      const double rounding = 1e-12;
      for (const Bracket& found :
           {Bracket(delta(run, {.epsilon = epsilon, .tolerance = asked, .direction = direction})),
            profile.delta(epsilon, direction)}) {
        if (worst_included)
          CHECK_MESSAGE(found.lower <= truth * (1 + shortfall) + rounding, found.lower, " <= ", truth);
        CHECK_MESSAGE(found.upper >= truth - rounding, found.upper, " >= ", truth);
        if (run.is_exact()) CHECK_MESSAGE(found.width() <= 2 * asked * found.upper, found.lower, " .. ", found.upper);
        if (truth > 1e-9) counts.loosest = std::max(counts.loosest, found.upper / truth);
      }
    }
  }
}

void report(const Counts& counts) {
  MESSAGE(counts.compositions, " compositions, ", counts.exact, " of them exact, ", counts.refused, " refused; ",
          counts.deltas, " deltas enumerated; the loosest is ", counts.loosest, " of the truth");
}

const std::vector<Sample> samples{{}, {Sample::Kind::poisson, 0.4, 0}, {Sample::Kind::batch, 1, 1}};

TEST_CASE("account.all_neighbours.single_releases") {
  const std::vector<Type> types = all_types();
  for (const Type& type : types) {
    Counts counts;
    for (const Relation relation : relations) {
      for (const Sample& sample : samples) check(relation, 2, {{&type, sample}}, counts);
    }
    MESSAGE(type.mechanism.text());
    report(counts);
  }
}

TEST_CASE("account.all_neighbours.two_releases") {
  const std::vector<Type> types = all_types();
  for (const Type& type : types) {
    Counts counts;
    for (const Relation relation : relations) {
      for (const Sample& sample : samples) check(relation, 2, {{&type, sample, 2}}, counts);
    }
    MESSAGE(type.mechanism.text());
    report(counts);
  }
}

/// Three and four releases, of several types, on several samples.
TEST_CASE("account.all_neighbours.mixed_releases") {
  const Sample all{}, poisson = samples[1], batch = samples[2];
  const Type response = any_answers(RandomizedResponse{.p = 0.7}, responses(0.7, 2));
  const Type guarantee = any_answers(ApproximateDp{.epsilon = 0.8, .delta = 0.05}, leaky_responses(0.8, 0.05));
  const Type mirrored = table({.25, .75}, {.75, .25}), ordered = table({.26, .74}, {.13, .87});
  const Type coins = noise(Binomial{.n = 2}, {.25, .5, .25});
  const Type flips = selection(
      PermuteAndFlip{.epsilon = 1}, [](const auto& u) { return by_permute_and_flip(1, u); },
      0.1);  // as of the lower end
  const std::vector<std::vector<Part>> compositions{
      {{&response, all, 4}},
      {{&response, poisson, 4}},
      {{&response, batch, 4}},
      {{&response, all, 2}, {&response, poisson}, {&response, batch}},
      {{&response, batch}, {&guarantee, all}, {&mirrored, all}},
      {{&ordered, all, 3}},
      {{&ordered, all}, {&ordered, poisson}},
      {{&ordered, all, 2}, {&response, all}},
      {{&coins, all, 2}, {&response, all}},
      {{&coins, poisson}, {&response, poisson}, {&mirrored, all}},
      {{&coins, batch}, {&response, all}},
      {{&flips, all}, {&response, all, 2}},
      {{&flips, poisson}, {&response, all}},
  };
  Counts counts;
  for (const Relation relation : relations) {
    for (const std::vector<Part>& parts : compositions) check(relation, 2, parts, counts);
  }
  report(counts);
  CHECK(counts.exact > counts.compositions / 3);
  CHECK(counts.exact < counts.compositions);
}

}  // namespace
}  // namespace pld::test
