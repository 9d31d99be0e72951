#include <cmath>

#include "family.hpp"

namespace vectors {

namespace {

Json one(Json mechanism) { return Json::array({std::move(mechanism)}); }
Json on_sample(Json mechanism, double rate) {
  mechanism["sampling"] = {{"poisson", rate}};
  return one(std::move(mechanism));
}

Interval gaussian_mu(double sigma, double sensitivity, int count) {
  return sqrt(Interval(count)) * Interval(sensitivity) / Interval(sigma);
}

const std::vector<double> tiny{std::ldexp(1, -4), std::ldexp(1, -20), std::ldexp(1, -50), std::ldexp(1, -83)};
const std::vector<double> tiniest{std::ldexp(1, -4), std::ldexp(1, -20), std::ldexp(1, -83), std::ldexp(1, -332),
                                  std::ldexp(1, -960)};

/// Sampled in both directions. Swapped, the loss stays below -log(1 - rate).
void add_sampled(Family& family, const Json& mechanism, double rate, const Profile& profile, const Questions& remove,
                 const Questions& add) {
  family.add(on_sample(mechanism, rate), "remove", sampled(profile, Interval(rate), false), remove);
  family.add(on_sample(mechanism, rate), "add", sampled(profile, Interval(rate), true), add);
}

}  // namespace

Family gaussian_family() {
  Family family{"gaussian.json",
                "k releases are one with mu = sqrt(k) sensitivity / sigma, several add their mu^2; delta = Phi(mu/2 - "
                "epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) (Balle, Wang 2018) in interval arithmetic; epsilon by the "
                "sign of delta on both sides"};
  struct Case {
    double sigma, sensitivity;
    int count;
    std::vector<double> epsilons;
  };
  const std::vector<Case> cases{{1, 1, 1, {-2, -0.5, 0, 0.5, 4, 20}},   {0.5, 1, 1, {-1, 0, 1, 16, 64}},
                                {2.5, 1, 40, {-1, 0, 2, 8, 32}},         {100, 1, 300, {-0.5, 0, 0.25, 1, 4}},
                                {4, 3, 1000, {-64, 0, 250, 512}},  {64, 1, 1000000, {0, 64, 128, 512}},
                                {1024, 0.125, 1, {-0.0009765625, 0, 0.0009765625, 0.00390625}}};
  for (const auto& [sigma, sensitivity, count, epsilons] : cases) {
    const Json mechanism{{"type", "gaussian"}, {"sigma", sigma}, {"sensitivity", sensitivity}, {"count", count}};
    const auto mu = gaussian_mu(sigma, sensitivity, count);
    const double limit = 50 * mu.middle().convert_to<double>() + std::pow(mu.middle().convert_to<double>(), 2);
    const bool small = mu.upper() < Real(0.05);  // total variation below 2^-4
    // e^epsilon times a tail: 420 digits are enough up to these.
    const int left_out = mu.upper() > 20 ? 2 : mu.upper() > 4 ? 1 : 0;
    family.add(one(mechanism), "remove", gaussian(mu),
               {epsilons, {tiniest.begin() + (small ? 1 : 0), tiniest.end() - left_out}, limit});
  }
  const Json several = Json::array({{{"type", "gaussian"}, {"sigma", 2}, {"count", 10}},
                                    {{"type", "gaussian"}, {"sigma", 16}, {"sensitivity", 3}, {"count", 100}}});
  const Interval first = gaussian_mu(2, 1, 10), second = gaussian_mu(16, 3, 100);
  family.add(several, "remove", gaussian(sqrt(first * first + second * second)), {{-1, 0, 4, 16, 64}, tiniest, 200});
  return family;
}

Family sampled_gaussian_family() {
  Family family{"sampled-gaussian.json",
                "one release: delta of the mixture against the Gaussian is q delta(log(1 + (e^epsilon - 1) / q)) of the "
                "Gaussian pair, and swapped e^epsilon (q + e^-epsilon - 1) delta(-log(1 + (e^-epsilon - 1) / q)), in "
                "interval arithmetic"};
  for (const double sigma : {0.5, 1.0, 3.0}) {
    for (const double rate : {0.0009765625, 0.125, 0.75}) {
      const Json mechanism{{"type", "gaussian"}, {"sigma", sigma}};
      const double largest = -std::log1p(-rate);
      // Multiples of 2^-12 in the range of the losses of the add direction.
      const auto part = [&](double share) { return std::floor(share * largest * 4096) / 4096; };
      add_sampled(family, mechanism, rate, gaussian(gaussian_mu(sigma, 1, 1)),
                  {{-0.25, 0, 0.0078125, 1, 4}, {std::ldexp(1, -20), std::ldexp(1, -50), std::ldexp(1, -83)}, 120},
                  {{-0.25, 0, part(0.5)}, {}});
    }
  }
  return family;
}

Family laplace_family() {
  Family family{"laplace.json",
                "k releases: the law of the summed losses is a finite sum of atoms and shifted truncated powers times an "
                "exponential, integrated by parts, in interval arithmetic with 420 digits; sampled: one release, delta "
                "of the unsampled pair at another epsilon"};
  struct Case {
    double scale, sensitivity;
    int count;
    std::vector<double> epsilons;
  };
  const std::vector<Case> cases{{1, 1, 1, {-2, -0.5, 0, 0.5, 0.96875}},     {2, 1, 2, {-0.75, 0, 0.25, 0.75}},
                                {1, 2, 5, {-3, 0, 2.5, 7.5, 9.5}},           {4, 1, 20, {-0.5, 0, 0.625, 2.125, 4.5}},
                                {8, 1, 50, {-1, 0, 0.3125, 1.8125, 4, 6.1875}}};
  for (const auto& [scale, sensitivity, count, epsilons] : cases) {
    const Json mechanism{{"type", "laplace"}, {"scale", scale}, {"sensitivity", sensitivity}, {"count", count}};
    const double largest = sensitivity / scale * count;
    family.add(one(mechanism), "remove", laplace(Interval(sensitivity) / Interval(scale), count),
               {epsilons, count > 4 ? tiny : std::vector<double>(tiny.begin(), tiny.begin() + 2), largest});
  }
  add_sampled(family, {{"type", "laplace"}, {"scale", 1}}, 0.25, laplace(1, 1),
              {{-0.25, 0, 0.125, 0.3125}, {std::ldexp(1, -20)}, 0.375}, {{-0.125, 0, 0.0625, 0.15625}, {}});
  return family;
}

Family additive_noise_family() {
  Family family{"additive-noise.json",
                "one release of a symmetric log-concave law: delta = P(x > t) - e^epsilon Q(x > t), where t, at which the "
                "loss passes epsilon, is enclosed by bisection; truncated Laplace and the shapes 1 and 2 by their closed "
                "forms; all in interval arithmetic"};
  const auto add = [&](const Json& mechanism, const Profile& profile, const std::vector<double>& epsilons) {
    family.add(one(mechanism), "remove", profile, {epsilons, {}});
  };
  const Profile logistic_profile = additive(logistic(), Interval(1));
  add({{"type", "logistic"}, {"scale", 1}}, logistic_profile, {-0.5, 0, 0.25, 0.5, 0.9375});
  add({{"type", "logistic"}, {"scale", 2}, {"sensitivity", 3}}, additive(logistic(), Interval(1.5)), {-1, 0, 0.5, 1.25});
  add_sampled(family, {{"type", "logistic"}, {"scale", 1}}, 0.5, logistic_profile, {{-0.25, 0, 0.25}, {}}, {{0, 0.25}, {}});
  add({{"type", "generalized"}, {"shape", 4}, {"scale", 1}, {"sensitivity", 0.5}}, additive(quartic(), Interval(0.5)),
      {-1, 0, 0.5, 2, 16});
  add({{"type", "generalized"}, {"shape", 1}, {"scale", 2}, {"sensitivity", 3}}, laplace(Interval(1.5), 1), {-1, 0, 1});
  add({{"type", "generalized"}, {"shape", 2}, {"scale", 2}, {"sensitivity", 3}},
      gaussian(Interval(3) * sqrt(Interval(2)) / 2), {-1, 0, 1, 16});
  add({{"type", "sinh-normal"}, {"sigma", 1}, {"a", 2}}, additive(sinh_normal(2), Interval(1)), {-0.5, 0, 1, 4});
  add({{"type", "sinh-normal"}, {"sigma", 2}, {"a", 4}, {"sensitivity", 0.5}},
      additive(sinh_normal(2), Interval(0.25)), {-0.25, 0, 0.5, 1});
  const Profile truncated = truncated_laplace(1, 8);
  add({{"type", "truncated-laplace"}, {"scale", 1}, {"bound", 8}}, truncated, {-0.5, 0, 0.5, 0.96875, 2});
  add_sampled(family, {{"type", "truncated-laplace"}, {"scale", 1}, {"bound", 8}}, 0.25, truncated, {{-0.125, 0, 0.25, 1}, {}},
              {{-0.125, 0, 0.0625}, {}});
  return family;
}

Family selection_family() {
  Family family{"selection.json",
                "exponential: the largest delta of two losses t and t - range, in closed form (Dong, Durfee, Rogers 2020), "
                "one release; sampled likewise"};
  family.add(one({{"type", "exponential"}, {"epsilon", 1}}), "remove", bounded_range(1), {{-0.5, 0, 0.25, 0.9375}, {}});
  family.add(one({{"type", "exponential"}, {"epsilon", 4}}), "remove", bounded_range(4), {{-3, 0, 1, 3.5}, {}});
  return family;
}

}  // namespace vectors
