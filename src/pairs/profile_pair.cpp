#include "pairs/profile_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

// Slopes are those of delta as a function of e^epsilon, in size. Each is told by e^epsilon times it at one of its ends:
// where epsilon is 1e7, the logarithm of the slope itself has no digits left for a mass.

/// Logarithm of that of the edge between two points, at the right one.
Extended log_slope_at_right(const ProfilePoint& a, const ProfilePoint& b) {
  return log_difference(a.log_delta, b.log_delta) - log(-expm1(a.epsilon - b.epsilon));
}

/// The same at the left one.
Extended log_slope_at_left(const ProfilePoint& a, const ProfilePoint& b) {
  return log_slope_at_right(a, b) - (b.epsilon - a.epsilon);
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

/// The same of the edge across 0, (1 - delta) / (1 + e^epsilon), at this end: the line through a point and its mirror
/// image meets 1 at 2 times that slope below 1.
Extended log_central_slope(const ProfilePoint& p) { return log_one_minus_exp(p.log_delta) - log1p(exp(-p.epsilon)); }

/// The same of the edge that ends in a vertex, there.
Extended log_slope_before(const std::vector<ProfilePoint>& vertices, std::size_t i) {
  return i == 0 ? log_central_slope(vertices[0]) : log_slope_at_right(vertices[i - 1], vertices[i]);
}

/// The vertices of the minorant at epsilon >= 0: the first is the one that the edge across 0 ends in.
std::vector<ProfilePoint> hull(const std::vector<ProfilePoint>& points) {
  const auto steepest =
      std::max_element(points.begin(), points.end(), [](const ProfilePoint& a, const ProfilePoint& b) {
        return log_central_slope(a) - a.epsilon < log_central_slope(b) - b.epsilon;
      });
  std::vector<ProfilePoint> vertices;
  // The first, too, may have to go: epsilons near 0 are equally steep as far as rounding tells.
  const auto bends_down_to = [&](const ProfilePoint& next) {
    return log_slope_before(vertices, vertices.size() - 1) <= log_slope_at_left(vertices.back(), next);
  };
  for (auto p = steepest; p != points.end(); ++p) {
    while (!vertices.empty() && bends_down_to(*p)) vertices.pop_back();
    vertices.push_back(*p);
  }
  return vertices;
}

constexpr double nothing = -infinity;

struct Masses {
  std::vector<UnroundedAtom> atoms;
  Extended log_infinite = nothing;
};

/// Q's masses are the changes of slope at the vertices, P's e^epsilon times these, and the mirror image has them
/// swapped.
Masses masses_of(const std::vector<ProfilePoint>& vertices) {
  Masses masses{{}, vertices.back().log_delta};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Extended log_after = i + 1 < vertices.size() ? log_slope_at_left(vertices[i], vertices[i + 1]) : nothing;
    const Extended log_p = log_difference(log_slope_before(vertices, i), log_after);
    if (log_p == nothing) continue;
    const Extended loss = vertices[i].epsilon;
    if (loss == 0) {  // this atom is its own mirror image: both edges beside it change the slope
      const Extended doubled = log_p + log(Extended(2));
      masses.atoms.push_back({.loss = 0, .log_mass = doubled, .log_q_mass = doubled});
      continue;
    }
    masses.atoms.push_back({.loss = loss, .log_mass = log_p, .log_q_mass = log_p - loss});
    masses.atoms.push_back({.loss = -loss, .log_mass = log_p - loss, .log_q_mass = log_p});
  }
  return masses;
}

/// Deltas below e^this are less than any Extended, so that no sum of masses tells them.
constexpr double log_least = -11300;

/// How far, in parts of 1 + |log delta|, the masses' profile at the vertices is from what was asked.
struct Deviation {
  Extended below = nothing, above = nothing;
  void add(Extended excess) {
    below = std::max(below, -excess);
    above = std::max(above, excess);
  }
};

/// By sums of positive terms.
Deviation deviation(const Masses& masses, const std::vector<ProfilePoint>& vertices) {
  std::vector<UnroundedAtom> atoms = masses.atoms;
  std::sort(atoms.begin(), atoms.end(), [](const UnroundedAtom& a, const UnroundedAtom& b) { return a.loss > b.loss; });
  Deviation result;
  // P and e^epsilon Q of the losses above, by falling epsilon: delta grows by (1 - e^{-step}) e^{epsilon} Q each step.
  Extended delta = exp(masses.log_infinite), q_above = 0, last = vertices.back().epsilon;
  const auto fall_to = [&](Extended epsilon) {
    delta += q_above * -expm1(epsilon - last);
    q_above *= exp(epsilon - last);
    last = epsilon;
  };
  std::size_t next = 0;
  for (std::size_t i = vertices.size(); i-- > 0;) {
    for (; next < atoms.size() && atoms[next].loss > vertices[i].epsilon; ++next) {
      fall_to(atoms[next].loss);
      q_above += exp(atoms[next].log_mass);
    }
    fall_to(vertices[i].epsilon);
    const Extended asked = vertices[i].log_delta;
    if (asked > log_least) result.add((log(delta) - asked) / (1 + fabs(asked)));
  }
  return result;
}

/// What rounding left of 1, at loss 0: it raises the profile where epsilon < 0 only.
void complete(Masses& masses) {
  Extended total = exp(masses.log_infinite);
  for (const UnroundedAtom& atom : masses.atoms) total += exp(atom.log_mass);
  const Extended missing = log(1 - std::min(total, Extended(1)));
  if (missing > std::log(1e-15L)) masses.atoms.push_back({.loss = 0, .log_mass = missing, .log_q_mass = missing});
}

Masses raised(std::vector<ProfilePoint> points, Extended raise) {
  for (ProfilePoint& p : points) p.log_delta = std::min(Extended(0), p.log_delta + raise);
  return masses_of(hull(falling(std::move(points))));
}

/// The masses of these vertices as they are, where the arithmetic is good enough for that; else raised until they cover
/// them, if need be by all mass at infinity.
Masses covering(const std::vector<ProfilePoint>& vertices) {
  constexpr double close = 8 * unit_roundoff;
  Masses masses = masses_of(vertices);
  Deviation off = deviation(masses, vertices);
  if (off.below <= close && off.above <= close) return masses;
  Extended raise = 1e-13L;
  for (int attempt = 0; attempt < 8 && off.below > close; ++attempt, raise *= 10) {
    masses = raised(vertices, raise);
    off = deviation(masses, vertices);
  }
  return off.below <= close ? masses : Masses{{}, 0};
}

}  // namespace

std::shared_ptr<const AtomicPair> pair_of_profile(std::vector<ProfilePoint> points) {
  Masses masses = covering(hull(falling(std::move(points))));
  complete(masses);
  double farthest = 0;
  for (const UnroundedAtom& atom : masses.atoms) farthest = std::max(farthest, static_cast<double>(atom.loss));
  const auto log_infinite = static_cast<double>(masses.log_infinite);
  return std::make_shared<AtomicPair>(std::move(masses.atoms), log_infinite, log_infinite,
                                      4 * unit_roundoff * farthest);
}

}  // namespace pld
