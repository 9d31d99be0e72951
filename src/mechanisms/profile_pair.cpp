#include "profile_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pld/core/rounding.hpp"
#include "pld/numeric/log_sum.hpp"

namespace pld {
namespace {

/// log of the slope's size between two points, of delta as a function of e^epsilon.
double log_slope(const ProfilePoint& a, const ProfilePoint& b) {
  return log_difference(a.log_delta, b.log_delta) - (b.epsilon + std::log(-std::expm1(a.epsilon - b.epsilon)));
}

/// By epsilon, at each the least delta, and only those where delta falls.
std::vector<ProfilePoint> falling(std::vector<ProfilePoint> points) {
  std::sort(points.begin(), points.end(), [](const ProfilePoint& a, const ProfilePoint& b) {
    return a.epsilon != b.epsilon ? a.epsilon < b.epsilon : a.log_delta < b.log_delta;
  });
  std::vector<ProfilePoint> kept;
  for (const ProfilePoint& point : points)
    if (kept.empty() || point.log_delta < kept.back().log_delta) kept.push_back(point);
  return kept;
}

/// log((1 - delta) / (1 + e^epsilon)): the line through a point and its mirror image meets 1 at 2 times that below 1.
double log_central_slope(const ProfilePoint& p) {
  return log_one_minus_exp(p.log_delta) - (p.epsilon + std::log1p(std::exp(-p.epsilon)));
}

/// The vertices of the minorant at epsilon >= 0: the first is the one that the edge across 0 ends in.
std::vector<ProfilePoint> hull(const std::vector<ProfilePoint>& points) {
  const auto steepest = std::max_element(points.begin(), points.end(), [](const ProfilePoint& a, const ProfilePoint& b) {
    return log_central_slope(a) < log_central_slope(b);
  });
  std::vector<ProfilePoint> vertices{*steepest};
  for (auto p = steepest + 1; p != points.end(); ++p) {
    while (vertices.size() > 1 &&
           log_slope(vertices[vertices.size() - 2], vertices.back()) <= log_slope(vertices.back(), *p))
      vertices.pop_back();
    vertices.push_back(*p);
  }
  return vertices;
}

struct Masses {
  std::vector<LossCell> atoms;
  double log_infinite = -infinity;
};

/// Q's masses are the changes of slope at the vertices, and the mirror image of P's.
Masses masses_of(const std::vector<ProfilePoint>& vertices) {
  Masses masses{{}, vertices.back().log_delta};
  double log_before = log_central_slope(vertices.front());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double log_after = i + 1 < vertices.size() ? log_slope(vertices[i], vertices[i + 1]) : -infinity;
    const double log_q = log_before > log_after ? log_difference(log_before, log_after) : -infinity;
    log_before = log_after;
    if (log_q == -infinity) continue;
    const double loss = vertices[i].epsilon;
    if (loss == 0) {  // this atom is its own mirror image: both edges beside it change the slope
      masses.atoms.push_back({.loss = 0, .log_mass = log_q + std::log(2), .log_q_mass = log_q + std::log(2)});
      continue;
    }
    masses.atoms.push_back({.loss = loss, .log_mass = log_q + loss, .log_q_mass = log_q});
    masses.atoms.push_back({.loss = -loss, .log_mass = log_q, .log_q_mass = log_q + loss});
  }
  return masses;
}

/// How far, in nats, the masses' profile at the vertices stays below what was asked: sums of positive terms, in long double.
double shortfall(const Masses& masses, const std::vector<ProfilePoint>& vertices) {
  std::vector<LossCell> atoms = masses.atoms;
  std::sort(atoms.begin(), atoms.end(), [](const LossCell& a, const LossCell& b) { return a.loss > b.loss; });
  double worst = -infinity;
  const auto infinite = std::exp(static_cast<long double>(masses.log_infinite));
  // P and e^epsilon Q of the losses above, by falling epsilon: delta grows by (1 - e^{-step}) e^{epsilon} Q each step.
  long double delta = infinite, q_above = 0, last = 0;
  bool first = true;
  std::size_t next = 0;
  for (std::size_t i = vertices.size(); i-- > 0;) {
    const long double epsilon = vertices[i].epsilon;
    while (next < atoms.size() && atoms[next].loss > vertices[i].epsilon) {
      const long double loss = atoms[next].loss;
      if (!first) delta += q_above * (-std::expm1(loss - last));
      if (!first) q_above *= std::exp(loss - last);
      q_above += std::exp(static_cast<long double>(atoms[next].log_mass));
      last = loss;
      first = false;
      ++next;
    }
    if (!first) {
      delta += q_above * (-std::expm1(epsilon - last));
      q_above *= std::exp(epsilon - last);
      last = epsilon;
    }
    if (vertices[i].log_delta > -infinity)
      worst = std::max(worst, vertices[i].log_delta - static_cast<double>(std::log(delta)));
  }
  return worst;
}

/// What rounding left of 1, at loss 0: it raises the profile where epsilon < 0 only.
void complete(Masses& masses) {
  long double total = std::exp(static_cast<long double>(masses.log_infinite));
  for (const LossCell& atom : masses.atoms) total += std::exp(static_cast<long double>(atom.log_mass));
  const double missing = std::log(static_cast<double>(1 - std::min(total, 1.0L)));
  if (missing > std::log(1e-15)) masses.atoms.push_back({.loss = 0, .log_mass = missing, .log_q_mass = missing});
}

}  // namespace

std::shared_ptr<const AtomicPair> pair_of_profile(std::vector<ProfilePoint> points) {
  const std::vector<ProfilePoint> wanted = hull(falling(std::move(points)));
  double raise = 1e-13;
  Masses masses;
  for (int attempt = 0; attempt < 8; ++attempt, raise *= 10) {
    std::vector<ProfilePoint> raised = wanted;
    for (ProfilePoint& p : raised) p.log_delta = std::min(0.0, p.log_delta + raise);
    masses = masses_of(hull(falling(raised)));
    if (shortfall(masses, wanted) <= 0) break;
  }
  complete(masses);
  double farthest = 0;
  for (const LossCell& atom : masses.atoms) farthest = std::max(farthest, atom.loss);
  return std::make_shared<AtomicPair>(masses.atoms, masses.log_infinite, masses.log_infinite, 4 * unit_roundoff * farthest);
}

}  // namespace pld
