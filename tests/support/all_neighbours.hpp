#pragma once

// Small finite mechanisms on data sets of a few records: all neighbours, and all adversaries that choose each next
// mechanism after seeing the outputs before, enumerated. Nothing here knows of dominating pairs.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "pld/core/relation.hpp"

namespace pld::test {

/// Records in ascending order, each a value 1, 2, ... or 0: blank, which contributes nothing.
using DataSet = std::vector<int>;
using Masses = std::vector<double>;
/// The masses of a mechanism's outputs on what it is given, which has no blanks.
using Algorithm = std::function<Masses(const DataSet&)>;

/// Which part of the data a release sees.
struct Sample {
  enum class Kind { everything, poisson, batch };
  Kind kind = Kind::everything;
  double q = 1;  ///< of poisson
  int size = 0;  ///< of batch: drawn without replacement
};

inline void add(Masses& sum, double weight, const Masses& masses) {
  if (sum.size() < masses.size()) sum.resize(masses.size(), 0.0);
  for (std::size_t i = 0; i < masses.size(); ++i) sum[i] += weight * masses[i];
}

inline Masses outputs(const Algorithm& algorithm, const DataSet& data, const Sample& sample) {
  const auto n = static_cast<int>(data.size());
  Masses sum;
  double batches = 0;
  for (unsigned subset = 0; subset < 1U << n; ++subset) {
    DataSet seen;
    int taken = 0;
    for (int i = 0; i < n; ++i) {
      if ((subset >> i & 1U) == 0) continue;
      ++taken;
      if (data[static_cast<std::size_t>(i)] != 0) seen.push_back(data[static_cast<std::size_t>(i)]);
    }
    double weight = 0;
    if (sample.kind == Sample::Kind::everything) weight = taken == n ? 1 : 0;
    if (sample.kind == Sample::Kind::poisson) weight = std::pow(sample.q, taken) * std::pow(1 - sample.q, n - taken);
    if (sample.kind == Sample::Kind::batch) batches += weight = taken == sample.size ? 1 : 0;
    if (weight > 0) add(sum, weight, algorithm(seen));
  }
  if (sample.kind == Sample::Kind::batch)
    for (double& mass : sum) mass /= batches;
  return sum;
}

/// All data sets of n records with values from `least` to `values`.
inline std::vector<DataSet> data_sets(int n, int least, int values) {
  std::vector<DataSet> all{{}};
  for (int i = 0; i < n; ++i) {
    std::vector<DataSet> longer;
    for (const DataSet& data : all) {
      for (int value = data.empty() ? least : data.back(); value <= values; ++value) {
        longer.push_back(data);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

struct Neighbours {
  DataSet with, without;  ///< of replace-one: with one value of the record, with another
};

/// All neighbours of which the larger one has n records.
inline std::vector<Neighbours> all_neighbours(Relation relation, int n, int values) {
  std::vector<Neighbours> all;
  for (const DataSet& data : data_sets(n, relation == Relation::zero_out ? 0 : 1, values)) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      if (data[i] == 0 || (i > 0 && data[i] == data[i - 1])) continue;
      DataSet rest = data;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const auto with_another = [&](int value) {
        DataSet other = rest;
        other.insert(std::upper_bound(other.begin(), other.end(), value), value);
        all.push_back({data, other});
      };
      if (relation == Relation::add_remove) all.push_back({data, rest});
      if (relation == Relation::zero_out) with_another(0);
      if (relation != Relation::replace_one) continue;
      for (int value = 1; value <= values; ++value)
        if (value != data[i]) with_another(value);
    }
  }
  return all;
}

/// The outputs of one release on the two data sets.
struct TwoLaws {
  Masses p, q;
};

inline double hockey_stick(const TwoLaws& laws, double factor) {
  double sum = 0;
  for (std::size_t i = 0; i < laws.p.size(); ++i) sum += std::max(0.0, laws.p[i] - factor * laws.q[i]);
  return sum;
}

/// Whether no adversary has a use for `other` beside `laws`: its profile, convex in e^epsilon, is below the other's,
/// which is linear between its ratios.
inline bool dominates(const TwoLaws& laws, const TwoLaws& other) {
  constexpr double rounding = 1e-15;
  constexpr double beyond = 1e15;
  std::vector<double> factors{beyond};
  for (std::size_t i = 0; i < laws.p.size(); ++i)
    if (laws.q[i] > 0) factors.push_back(laws.p[i] / laws.q[i]);
  return std::all_of(factors.begin(), factors.end(), [&](double factor) {
    return hockey_stick(other, factor) <= hockey_stick(laws, factor) + rounding;
  });
}

/// What an adversary may choose from for one release.
inline std::vector<TwoLaws> choices(const std::vector<Algorithm>& algorithms, const Neighbours& neighbours,
                                    const Sample& sample) {
  std::vector<TwoLaws> kept;
  for (const Algorithm& algorithm : algorithms) {
    TwoLaws laws{outputs(algorithm, neighbours.with, sample), outputs(algorithm, neighbours.without, sample)};
    laws.p.resize(std::max(laws.p.size(), laws.q.size()), 0.0);
    laws.q.resize(laws.p.size(), 0.0);
    if (std::any_of(kept.begin(), kept.end(), [&](const TwoLaws& known) { return dominates(known, laws); })) continue;
    kept.erase(std::remove_if(kept.begin(), kept.end(), [&](const TwoLaws& known) { return dominates(laws, known); }),
               kept.end());
    kept.push_back(std::move(laws));
  }
  return kept;
}

/// The largest P(S) - factor Q(S) of an adversary who chooses each release after the outputs before it, which have the
/// masses p and q.
inline double adaptive_gain(const std::vector<std::vector<TwoLaws>>& releases, double factor, bool swapped,
                            std::size_t done = 0, double p = 1, double q = 1) {
  if (done == releases.size()) return std::max(0.0, p - factor * q);
  double best = 0;
  for (const TwoLaws& laws : releases[done]) {
    double sum = 0;
    for (std::size_t i = 0; i < laws.p.size(); ++i) {
      const double to_p = swapped ? laws.q[i] : laws.p[i], to_q = swapped ? laws.p[i] : laws.q[i];
      if (to_p > 0) sum += adaptive_gain(releases, factor, swapped, done + 1, p * to_p, q * to_q);
    }
    best = std::max(best, sum);
  }
  return best;
}

}  // namespace pld::test
