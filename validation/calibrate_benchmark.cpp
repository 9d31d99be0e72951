// How long calibrate() takes beside one query of what it finds, composing included: the ratio is to stay within 10.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/number_text.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/pld.hpp"

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Of one call, over as many as take a fiftieth of a second.
double seconds_of(const std::function<void()>& call) {
  call();
  const double start = processor_seconds();
  int calls = 0;
  double spent = 0;
  for (; spent < 0.02; ++calls) {
    call();
    spent = processor_seconds() - start;
  }
  return spent / calls;
}

/// The query that a person would check each goal by.
void ask(const pld::Composition& run, const pld::Goal& goal, double tolerance) {
  if (const auto* target = std::get_if<pld::Target>(&goal))
    benchmark::DoNotOptimize(pld::delta(run, {.epsilon = target->epsilon, .tolerance = tolerance}));
  if (std::holds_alternative<pld::Advantage>(goal))
    benchmark::DoNotOptimize(pld::delta(run, {.epsilon = 0, .tolerance = tolerance}));
  if (const auto* power = std::get_if<pld::TestPower>(&goal))
    benchmark::DoNotOptimize(pld::trade_off(run, pld::DirectionChoice::worst, {.tolerance = tolerance}).at(power->fpr));
  // mu and rho have no query of their own: the least there is to ask of a composition.
  if (std::holds_alternative<pld::GaussianDp>(goal) || std::holds_alternative<pld::ZeroConcentratedDp>(goal))
    benchmark::DoNotOptimize(pld::delta(run, {.epsilon = 1, .tolerance = tolerance}));
}

struct Problem {
  std::vector<std::string> words;
  std::vector<pld::Goal> goals;
};

std::string title(const Problem& problem) {
  std::string text;
  for (const std::string& word : problem.words) text.append(text.empty() ? "" : "+").append(word);
  for (const pld::Goal& goal : problem.goals)
    text.append("/").append(pld::quantity_of(goal)).append(" at most ").append(pld::number_text(pld::limit_of(goal)));
  return text;
}

void measure(benchmark::State& state, const Problem& problem) {
  std::vector<pld::OpenEntry> entries;
  for (const std::string& word : problem.words) entries.push_back(pld::open_entry_from_text(word));
  const pld::Unknown unknown = pld::unknown_of(entries).unknown;
  const pld::CalibrateQuery query{.goals = problem.goals};
  pld::Calibration found;
  const double start = processor_seconds();
  for (auto _ : state) found = pld::calibrate(unknown, query);
  const double searching = (processor_seconds() - start) / static_cast<double>(state.iterations());
  const auto asking_at = [&](double value) {
    return seconds_of([&] {
      const pld::Composition run = unknown.at(value);
      for (const pld::Goal& goal : problem.goals) ask(run, goal, query.tolerance);
    });
  };
  // Two values are certified, and on one side of a largest loss delta is 0 at a glance.
  double asking = asking_at(found.chosen.value);
  if (found.next) asking = std::max(asking, asking_at(found.next->value));
  state.counters["value"] = found.chosen.value;
  state.counters["trials"] = found.trials;
  state.counters["query_us"] = asking * 1e6;
  state.counters["ratio"] = searching / asking;
}

std::vector<Problem> problems() {
  const pld::Target usual{1, 1e-6}, pure{1, 0};
  std::vector<Problem> all;
  // One release each, which has a closed form.
  for (const char* word : {"gaussian:sigma=?",
                           "gaussian:sigma=5,sensitivity=?",
                           "gaussian:sigma=?,count=100",
                           "gaussian:sigma=100,count=?",
                           "gaussian:sigma=2,q=?",
                           "gaussian:sigma=?,q=0.01",
                           "laplace:scale=?",
                           "laplace:scale=5,sensitivity=?",
                           "laplace:scale=0.5,q=?",
                           "logistic:scale=?",
                           "generalized:shape=1.5,scale=?",
                           "sinh-normal:sigma=?,a=20",
                           "truncated-laplace:scale=1,bound=?",
                           "randomized-response:p=?",
                           "randomized-response:p=?,k=5",
                           "randomized-response:p=0.9,q=?",
                           "exponential:epsilon=?",
                           "report-noisy-max:scale=?",
                           "permute-and-flip:epsilon=?",
                           "dp:epsilon=?",
                           "dp:epsilon=?,delta=1e-9",
                           "dp:epsilon=0.5,delta=?",
                           "discrete-laplace:a=?",
                           "discrete-laplace:a=0.05,sensitivity=?",
                           "discrete-gaussian:sigma=?",
                           "discrete-gaussian:sigma=20,sensitivity=?",
                           "skellam:variance=?",
                           "poisson-difference:plus=?,minus=40",
                           "zcdp:rho=?",
                           "zcdp:rho=0.01,xi=?",
                           "tcdp:rho=?,omega=100"}) {
    for (const double delta : {1e-2, 1e-6}) all.push_back({{word}, {pld::Target{1, delta}}});
  }
  for (const char* word : {"laplace:scale=?", "randomized-response:p=?", "dp:epsilon=?", "discrete-laplace:a=?",
                           "exponential:epsilon=?", "laplace:scale=10,count=?", "laplace:scale=?,count=10",
                           "randomized-response:p=?,count=10", "dp:epsilon=?,count=5"})
    all.push_back({{word}, {pure}});
  // Compositions.
  for (const char* word : {"gaussian:sigma=?,q=0.01,count=1000",
                           "gaussian:sigma=1,q=?,count=1000",
                           "gaussian:sigma=1,q=0.01,count=?",
                           "gaussian:sigma=0.7,q=0.001,count=?",
                           "laplace:scale=?,count=100",
                           "laplace:scale=50,count=?",
                           "laplace:scale=10,q=?,count=100",
                           "randomized-response:p=?,count=20",
                           "randomized-response:p=0.6,count=?",
                           "randomized-response:p=0.7,q=?,count=20",
                           "dp:epsilon=?,delta=1e-9,count=5",
                           "dp:epsilon=0.1,delta=?,count=5",
                           "dp:epsilon=0.1,delta=1e-9,count=?",
                           "discrete-laplace:a=?,count=100",
                           "discrete-gaussian:sigma=?,count=100",
                           "discrete-gaussian:sigma=20,count=?",
                           "exponential:epsilon=?,count=30",
                           "truncated-laplace:scale=10,bound=?,count=3",
                           "zcdp:rho=?,count=10",
                           "skellam:variance=?,count=50",
                           "generalized:shape=1.5,scale=?,count=50"})
    all.push_back({{word}, {usual}});
  all.push_back({{"gaussian:sigma=?", "gaussian:sigma=10,count=3", "dp:epsilon=0.1,delta=1e-8"}, {usual}});
  all.push_back({{"laplace:scale=?", "gaussian:sigma=0.8,q=0.001,count=1000"}, {usual}});
  all.push_back({{"randomized-response:p=?", "laplace:scale=10,count=3"}, {usual}});
  all.push_back({{"gaussian:sigma=?*1", "gaussian:sigma=?*2,count=3"}, {usual}});
  all.push_back({{"gaussian:sigma=?*1,q=0.01,count=1000", "laplace:scale=?*10,count=20"}, {usual}});
  // Other goals.
  for (const char* word : {"gaussian:sigma=?", "laplace:scale=?", "randomized-response:p=?",
                           "gaussian:sigma=?,q=0.01,count=500", "laplace:scale=?,count=20", "discrete-laplace:a=?"}) {
    all.push_back({{word}, {pld::Advantage{0.1}}});
    all.push_back({{word}, {pld::TestPower{0.05, 0.15}}});
    all.push_back({{word}, {usual, pld::Target{2, 1e-9}}});
    all.push_back({{word}, {pld::Target{0, 0.01}}});
    all.push_back({{word}, {pld::Target{-0.1, 0.2}}});
    all.push_back({{word}, {pld::GaussianDp{0.5}}});
    all.push_back({{word}, {pld::ZeroConcentratedDp{0.5}}});
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  for (const Problem& problem : problems())
    benchmark::RegisterBenchmark(title(problem).c_str(), [problem](benchmark::State& state) {
      measure(state, problem);
    })->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
