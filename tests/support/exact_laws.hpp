#pragma once

// Compositions of mechanisms with finitely many outcomes, exactly: every probability in 50 digits, from the doubles
// that the parameters are.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pld/core/direction.hpp"
#include "support/exact_profile.hpp"

namespace pld::test {

/// Probabilities of one outcome.
struct Outcome {
  Real p, q;
};
using Outcomes = std::vector<Outcome>;

/// The true one of k answers with probability `truth`, each other one alike: two answers differ, the others are one
/// outcome.
inline Outcomes randomized_response(double truth, int k = 2) {
  const Real other = (1 - Real(truth)) / (k - 1);
  Outcomes out{{Real(truth), other}, {other, Real(truth)}};
  if (k > 2) out.push_back({(k - 2) * other, (k - 2) * other});
  return out;
}

/// The worst (epsilon, delta)-DP mechanism: leaks with probability delta, else randomized response.
inline Outcomes leaky(double epsilon, double delta) {
  const Real likely = (1 - Real(delta)) / (1 + exp(-Real(epsilon))), unlikely = likely * exp(-Real(epsilon));
  return {{Real(delta), 0}, {likely, unlikely}, {unlikely, likely}, {0, Real(delta)}};
}

/// Two-sided geometric noise about s (P) and 0 (Q), outcomes x <= 0 and x >= s taken together.
inline Outcomes discrete_laplace(double a, int s) {
  const Real rho = exp(-Real(a)), end = 1 / (1 + rho), inner = (1 - rho) / (1 + rho);
  Outcomes out;
  for (int x = 0; x <= s; ++x) {
    const Real p = x == s ? end : (x == 0 ? end : inner) * pow(rho, s - x);
    const Real q = x == 0 ? end : (x == s ? end : inner) * pow(rho, x);
    out.push_back({p, q});
  }
  return out;
}

/// Discrete Gaussian noise about s (P) and 0 (Q), x = -reach, ..., s + reach; further out nothing.
inline Outcomes discrete_gaussian(double sigma, int s, int reach) {
  const Real rate = 1 / (2 * Real(sigma) * Real(sigma));
  Real normaliser = 0;
  for (int x = -reach - s; x <= reach + s; ++x) normaliser += exp(-rate * x * x);
  Outcomes out;
  for (int x = -reach; x <= s + reach; ++x)
    out.push_back({exp(-rate * (x - s) * (x - s)) / normaliser, exp(-rate * x * x) / normaliser});
  return out;
}

inline std::vector<Real> discrete_gaussian_masses(double sigma, int reach) {
  const Real rate = 1 / (2 * Real(sigma) * Real(sigma));
  std::vector<Real> masses;
  Real normaliser = 0;
  for (int x = -reach; x <= reach; ++x) masses.push_back(exp(-rate * x * x)), normaliser += masses.back();
  for (Real& mass : masses) mass /= normaliser;
  return masses;
}

/// A Poisson sample of noise of these masses at -reach, ..., reach that a record moves by s in the one data set and by
/// -s in the other.
inline Outcomes opposite_sample(const std::vector<Real>& masses, int s, double rate) {
  const Real q = rate;
  const int reach = static_cast<int>(masses.size() / 2);
  const auto mass = [&](int x) { return std::abs(x) > reach ? Real(0) : masses[static_cast<std::size_t>(x + reach)]; };
  Outcomes out;
  for (int x = -reach; x <= reach; ++x)
    out.push_back({(1 - q) * mass(x) + q * mass(x - s), (1 - q) * mass(x) + q * mass(x + s)});
  return out;
}

/// The same of bounded noise, of as many outcomes either way as there are.
inline Outcomes opposite_bounded_sample(const std::vector<Real>& masses, int s, double rate) {
  const Real q = rate;
  const int n = static_cast<int>(masses.size());
  const auto mass = [&](int x) { return 0 <= x && x < n ? masses[static_cast<std::size_t>(x)] : Real(0); };
  Outcomes out;
  for (int x = -s; x < n + s; ++x)
    out.push_back({(1 - q) * mass(x) + q * mass(x - s), (1 - q) * mass(x) + q * mass(x + s)});
  return out;
}

/// The same of discrete Laplace noise e^{-a |x|}: from s on all outcomes have one loss.
inline Outcomes opposite_discrete_laplace(double a, int s, double rate) {
  const Real q = rate, rho = exp(-Real(a));
  const auto mass = [&](int x) { return Real((1 - rho) / (1 + rho) * pow(rho, std::abs(x))); };
  const auto tail = [&](int x) { return Real(pow(rho, x) / (1 + rho)); };  // of x and more, x >= 0
  const Real high = (1 - q) * tail(s) + q * tail(0), low = (1 - q) * tail(s) + q * tail(2 * s);
  Outcomes out{{high, low}, {low, high}};
  for (int x = 1 - s; x < s; ++x)
    out.push_back({(1 - q) * mass(x) + q * mass(x - s), (1 - q) * mass(x) + q * mass(x + s)});
  return out;
}

/// Noise of these masses at consecutive integers, about s (P) and 0 (Q).
inline Outcomes moved(const std::vector<Real>& masses, int s) {
  Outcomes out(masses.size() + static_cast<std::size_t>(s));
  for (std::size_t x = 0; x < masses.size(); ++x) {
    out[x].q = masses[x];
    out[x + static_cast<std::size_t>(s)].p = masses[x];
  }
  return out;
}

/// The heads of n coins.
inline std::vector<Real> binomial_masses(int n, double heads) {
  std::vector<Real> masses;
  Real ways = 1;
  for (int x = 0; x <= n; ++x) {
    masses.push_back(ways * pow(Real(heads), x) * pow(1 - Real(heads), n - x));
    ways = ways * (n - x) / (x + 1);
  }
  return masses;
}

/// The difference of two Poisson variables from -reach to reach, by the sum over the second one; what is left out has
/// no outcome.
inline std::vector<Real> poisson_difference_masses(double plus, double minus, int reach) {
  const auto poisson = [](double mean) {
    std::vector<Real> masses{exp(-Real(mean))};
    while (masses.back() > Real("1e-60") || static_cast<double>(masses.size()) < mean)
      masses.push_back(masses.back() * mean / static_cast<double>(masses.size()));
    return masses;
  };
  const std::vector<Real> first = poisson(plus), second = poisson(minus);
  std::vector<Real> masses(2 * static_cast<std::size_t>(reach) + 1);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j)
      if (const std::size_t x = i + static_cast<std::size_t>(reach) - j; x < masses.size())
        masses[x] += first[i] * second[j];
  return masses;
}

inline Outcomes swapped(Outcomes pair) {
  for (Outcome& outcome : pair) std::swap(outcome.p, outcome.q);
  return pair;
}

/// Poisson sampling with rate q: p with the extra record, q without.
inline Outcomes sampled(const Outcomes& base, double q, Direction direction) {
  Outcomes out;
  for (const auto& [p, without] : base) {
    const Real mixed = (1 - Real(q)) * without + Real(q) * p;
    out.push_back(direction == Direction::remove ? Outcome{mixed, without} : Outcome{without, mixed});
  }
  return out;
}

/// Sampling at rate q under replace-one of a symmetric pair: the losses above 0 of ((1-q) Q + q P, Q), those below of
/// (P, (1-q) P + q Q), and one outcome of loss 0 for the rest (Zhu, Dong, Wang 2022, proposition 30).
inline Outcomes sampled_both_ways(const Outcomes& base, double q) {
  Outcomes out;
  Real p_rest = 1, q_rest = 1;
  for (const auto& [one, other] : base) {
    if (one == other) continue;
    const Real mixed = (1 - Real(q)) * (one < other ? one : other) + Real(q) * (one < other ? other : one);
    out.push_back(one > other ? Outcome{mixed, other} : Outcome{one, mixed});
    p_rest -= out.back().p;
    q_rest -= out.back().q;
  }
  out.push_back({p_rest, q_rest});
  return out;
}

/// `count` releases as one mechanism: an outcome for each way to share the count among the outcomes.
inline Outcomes repeated(const Outcomes& one, std::int64_t count) {
  Outcomes out;
  const auto share = [&](const auto& self, std::size_t i, std::int64_t left, const Real& p, const Real& q) -> void {
    if (i + 1 == one.size()) {
      out.push_back({p * pow(one[i].p, left), q * pow(one[i].q, left)});
      return;
    }
    Real p_now = p, q_now = q;
    for (std::int64_t n = 0; n <= left; ++n) {  // outcome i n times
      self(self, i + 1, left - n, p_now, q_now);
      const Real ways = Real(left - n) / Real(n + 1);
      p_now *= ways * one[i].p;
      q_now *= ways * one[i].q;
    }
  };
  share(share, 0, count, 1, 1);
  return out;
}

/// `count` releases of a mechanism whose losses are equally spaced, by convolving the outcomes' numbers: outcomes with
/// the same sum have the same loss.
inline Outcomes repeated_on_lattice(const Outcomes& one, std::int64_t count) {
  Outcomes out{{1, 1}};
  for (std::int64_t n = 0; n < count; ++n) {
    Outcomes next(out.size() + one.size() - 1);
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t j = 0; j < one.size(); ++j) {
        next[i + j].p += out[i].p * one[j].p;
        next[i + j].q += out[i].q * one[j].q;
      }
    out = std::move(next);
  }
  return out;
}

inline Outcomes composed(const Outcomes& a, const Outcomes& b) {
  Outcomes out;
  for (const Outcome& x : a)
    for (const Outcome& y : b) out.push_back({x.p * y.p, x.q * y.q});
  return out;
}

/// Privacy profile of all outcomes: P mass where Q has none counts in full.
class OutcomeProfile {
 public:
  explicit OutcomeProfile(const Outcomes& outcomes) : finite_(finite_atoms(outcomes)) {
    for (const auto& [p, q] : outcomes)
      if (q == 0) infinite_ += p;
  }
  [[nodiscard]] Real operator()(const Real& epsilon) const { return finite_(epsilon) + infinite_; }
  [[nodiscard]] const Real& infinite() const { return infinite_; }
  [[nodiscard]] const Real& largest_loss() const { return finite_.atoms().back().loss; }

 private:
  static ExactProfile finite_atoms(const Outcomes& outcomes) {
    std::vector<ExactAtom> atoms;
    for (const auto& [p, q] : outcomes)
      if (p > 0 && q > 0) atoms.push_back({log(p / q), p});
    return ExactProfile(std::move(atoms));
  }

  ExactProfile finite_;
  Real infinite_ = 0;
};

}  // namespace pld::test
