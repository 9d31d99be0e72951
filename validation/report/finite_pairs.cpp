#include "finite_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pld::validation {

using bounds::FinitePair;

std::vector<double> random_masses(std::mt19937_64& random, std::size_t n) {
  std::normal_distribution<double> normal;
  std::vector<double> masses(n);
  double sum = 0;
  for (double& m : masses) m = std::exp(1.5 * normal(random)), sum += m;
  for (double& m : masses) m /= sum;
  return masses;
}

FinitePair random_pair(std::mt19937_64& random, std::size_t n) {
  auto p = random_masses(random, n);
  auto q = random_masses(random, n);
  return {std::move(p), std::move(q)};
}

FinitePair swapped(const FinitePair& pair) { return {pair.q, pair.p}; }

FinitePair leaky_response(double epsilon, double delta) {
  const double e = std::exp(epsilon), truth = e * (1 - delta) / (e + 1), lie = (1 - delta) / (e + 1);
  return {{truth, lie, delta, 0}, {lie, truth, 0, delta}};
}

FinitePair adaptive(const FinitePair& first, const std::vector<FinitePair>& second) {
  FinitePair both;
  for (std::size_t i = 0; i < first.p.size(); ++i) {
    for (std::size_t j = 0; j < second[i].p.size(); ++j) {
      both.p.push_back(first.p[i] * second[i].p[j]);
      both.q.push_back(first.q[i] * second[i].q[j]);
    }
  }
  return both;
}

FinitePair product(const FinitePair& x, const FinitePair& y) {
  return adaptive(x, std::vector<FinitePair>(x.p.size(), y));
}

FinitePair mixture(double share, const FinitePair& first, const FinitePair& second) {
  FinitePair mix = first;
  for (std::size_t i = 0; i < mix.p.size(); ++i) {
    mix.p[i] += share * (second.p[i] - first.p[i]);
    mix.q[i] += share * (second.q[i] - first.q[i]);
  }
  return mix;
}

Channel random_channel(std::mt19937_64& random, std::size_t inputs, std::size_t n) {
  Channel channel;
  for (std::size_t i = 0; i < inputs; ++i) channel.push_back(random_masses(random, n));
  return channel;
}

FinitePair image(const FinitePair& pair, const Channel& channel) {
  const std::size_t n = channel.front().size();
  FinitePair out{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t i = 0; i < channel.size(); ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      out.p[j] += pair.p[i] * channel[i][j];
      out.q[j] += pair.q[i] * channel[i][j];
    }
  }
  return out;
}

FinitePair post_processed(std::mt19937_64& random, const FinitePair& pair, std::size_t n) {
  return image(pair, random_channel(random, pair.p.size(), n));
}

double f_divergence(const FinitePair& pair, const std::function<double(double)>& f) {
  double total = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i) total += pair.q[i] * f(pair.p[i] / pair.q[i]);
  return total;
}

double hockey_stick(const FinitePair& pair, double x) {
  double total = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i) total += std::max(0.0, pair.p[i] - x * pair.q[i]);
  return total;
}

double worse_delta(const FinitePair& pair, double epsilon) {
  return std::max(hockey_stick(pair, std::exp(epsilon)), hockey_stick(swapped(pair), std::exp(epsilon)));
}

}  // namespace pld::validation
