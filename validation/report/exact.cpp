#include "exact.hpp"

#include <cmath>
#include <variant>

#include "pld/sampling/poisson_sampled.hpp"
#include "report.hpp"

namespace pld::validation {

namespace {

Composition composition(const bounds::Steps& steps) {
  Composition run;
  for (const bounds::Step& step : steps) {
    const Mechanism base = std::visit([](const auto& parameters) { return Mechanism(parameters); }, step.mechanism);
    run.add(step.q < 1 ? poisson_sampled(base, step.q) : base, step.count);
  }
  return run;
}

}  // namespace

Bracket exact_epsilon(const bounds::Steps& steps, double delta) {
  return epsilon(composition(steps), {.delta = delta, .tolerance = 1e-6});
}

Bracket exact_delta(const bounds::Steps& steps, double epsilon, Engine engine) {
  return delta(composition(steps), {.epsilon = epsilon, .tolerance = 1e-6, .engine = engine});
}

RandomizedResponse worst_pure(double epsilon) { return {.p = std::exp(epsilon) / (1 + std::exp(epsilon))}; }

bounds::Steps gaussian(double sigma, double count, double q) {
  return {{Gaussian{.sigma = sigma}, q, static_cast<std::int64_t>(count)}};
}

std::string text(const Bracket& bracket) {
  for (int digits = 6; digits <= 12; ++digits) {
    const std::string lower = number(bracket.lower, digits), upper = number(bracket.upper, digits);
    if (lower != upper) return "[" + lower + ", " + upper + "]";
  }
  return number(bracket.estimate, 10);
}

}  // namespace pld::validation
