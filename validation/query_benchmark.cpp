// How long a query takes, by workload, engine and delta, and how wide the bracket is that it returns; and what a curve
// of 1,000 points takes beside one point, composing included.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "pld/pld.hpp"

namespace {

pld::Composition sampled_gaussians(double sigma, double q, std::int64_t steps) {
  pld::Composition run;
  run.add(pld::poisson_sampled(pld::Gaussian{.sigma = sigma}, q), steps);
  return run;
}

/// 1700 releases of 502 kinds: Gaussians of sigma 20, 20.1, ..., 69.9, 200 Laplace and 1000 sampled Gaussians.
pld::Composition many_kinds() {
  pld::Composition run = sampled_gaussians(0.8, 0.005, 1000);
  for (int i = 0; i < 500; ++i) run.add(pld::Gaussian{.sigma = (200 + i) / 10.0});
  run.add(pld::Laplace{.scale = 50}, 200);
  return run;
}

void time_epsilon(benchmark::State& state, const pld::Composition& run, double delta, pld::Engine engine) {
  pld::Answer answer;
  for (auto _ : state) {
    answer = pld::epsilon(run, {.delta = delta, .engine = engine});
    benchmark::DoNotOptimize(answer);
  }
  state.counters["epsilon"] = answer.estimate;
  state.counters["width"] = answer.width();
  state.SetLabel(std::string(name(answer.engine)) + (answer.converged ? "" : ", tolerance not reached"));
}

void add(const std::string& workload, const pld::Composition& run, pld::Engine engine) {
  for (const double delta : {1e-6, 1e-25}) {
    const std::string title = workload + "/delta:" + (delta == 1e-6 ? "1e-6" : "1e-25") + "/" + name(engine);
    benchmark::RegisterBenchmark(title.c_str(), [run, delta, engine](benchmark::State& state) {
      time_epsilon(state, run, delta, engine);
    })->Unit(benchmark::kMillisecond);
  }
}

/// One point in the middle, or many from 1e-10 to 0.98 by a constant factor.
std::vector<double> rates(std::int64_t points) {
  if (points == 1) return {1e-4};
  std::vector<double> out;
  for (std::int64_t i = 0; i < points; ++i)
    out.push_back(0.98 * std::pow(1e-10 / 0.98, static_cast<double>(i) / static_cast<double>(points - 1)));
  return out;
}

/// Evenly over (0, 1): one is at 0.1.
std::vector<double> even_rates(std::int64_t points) {
  if (points == 1) return {0.1};
  std::vector<double> out;
  for (std::int64_t i = 0; i < points; ++i) out.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(points));
  return out;
}

void add_curves(const std::string& workload, const pld::Composition& run) {
  const auto add_curve = [&](const std::string& what, const auto& read, const auto& places) {
    benchmark::RegisterBenchmark(("curve/" + workload + "/" + what).c_str(),
                                 [run, read, places](benchmark::State& state) {
                                   const std::vector<double> at = places(state.range(0));
                                   for (auto _ : state) benchmark::DoNotOptimize(read(run, at));
                                 })
        ->Arg(1)
        ->Arg(1000)
        ->Unit(benchmark::kMillisecond);
  };
  add_curve(
      "profile",
      [](const pld::Composition& c, const std::vector<double>& at) {
        std::vector<double> epsilons;  // from 0 to 4
        for (const double rate : at) epsilons.push_back(-std::log10(rate) * 0.4);
        return pld::PrivacyProfile(c).log_delta(epsilons);
      },
      rates);
  add_curve(
      "inverse",
      [](const pld::Composition& c, const std::vector<double>& at) { return pld::PrivacyProfile(c).epsilon(at); },
      rates);
  const auto trade_off = [](const pld::Composition& c, const std::vector<double>& at) {
    return pld::trade_off(c).at(at);
  };
  add_curve("trade-off", trade_off, rates);
  add_curve("trade-off-evenly", trade_off, even_rates);
  add_curve(
      "trade-off-inverse",
      [](const pld::Composition& c, const std::vector<double>& at) { return pld::trade_off(c).inverse(at); }, rates);
}

}  // namespace

int main(int argc, char** argv) {
  for (const pld::Engine engine : {pld::Engine::automatic, pld::Engine::lattice}) {
    add("dp-sgd-1e3", sampled_gaussians(0.8, 0.005, 1000), engine);
    add("dp-sgd-1e9", sampled_gaussians(0.7, 1e-4, 1'000'000'000), engine);
    add("many-kinds", many_kinds(), engine);
  }
  add_curves("dp-sgd", sampled_gaussians(0.8, 0.005, 1000));
  add_curves("laplace-mix", sampled_gaussians(1, 0.01, 500).add(pld::Laplace{.scale = 50}, 200));
  add_curves("gaussian", pld::Composition().add(pld::Gaussian{.sigma = 2}, 3));
  add_curves("responses", pld::Composition().add(pld::RandomizedResponse{.p = 0.7}, 20));
  add_curves("discrete", pld::Composition().add(pld::DiscreteLaplace{.a = 0.1}, 50));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
