// A running total of two shards, merged, folded, saved and read at any time: its brackets meet those of the composition
// of all releases.

#include <cmath>
#include <string>

#include "fuzz_target.hpp"
#include "input.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/formats/running_total_state.hpp"
#include "pld/pld.hpp"

namespace {

using namespace pld;
using fuzz::Input;
using fuzz::promise;

void promise_order(const Bracket& bracket) {
  promise(bracket.lower <= bracket.estimate, "lower <= estimate");
  promise(bracket.estimate <= bracket.upper, "estimate <= upper");
}

/// Both hold what is true of the composition; where it is not exact a lower end is what neighbours attain.
void promise_meeting(const Bracket& total, const Bracket& run) {
  promise_order(total);
  promise(total.lower <= run.upper && run.lower <= total.upper, "the brackets meet");
}

/// Mostly of kinds that are cheap to compose.
Mechanism noise(int kind, double scale, Input& input) {
  switch (kind) {
    case 0:
      return make_mechanism("gaussian", {{"sigma", scale}});
    case 1:
      return make_mechanism("laplace", {{"scale", scale}});
    case 2:
      return make_mechanism("randomized-response", {{"p", 0.5 + 0.4 * input.share()}});
    case 3:
      return make_mechanism("dp", {{"epsilon", 1 / scale}, {"delta", 1e-5 * input.share()}});
    case 4:
      return poisson_sampled(make_mechanism("gaussian", {{"sigma", scale}}), input.share());
    default:
      return fuzz::mechanism(input);
  }
}

RunningTotal saved_and_read(const RunningTotal& total) {
  const std::string bytes = running_total_bytes(total);
  RunningTotal back = running_total_from_bytes(bytes);
  promise(running_total_bytes(back) == bytes, "what was saved is saved alike");
  return back;
}

/// Up to 40 releases of one kind, each of a scale of its own: more than a total lists.
void add_some(RunningTotal& shard, Composition& run, Input& input) {
  const int kind = input.whole(0, 5), count = input.whole(0, 20);
  const double scale = 0.5 + 20 * input.share();
  const int scales = kind < 2 && input.byte() % 64 == 63 ? 40 : 1;
  for (int i = 0; i < scales; ++i) {
    const Mechanism mechanism = noise(kind, scale * (1 + 0.01 * i), input);
    run.add(mechanism, count);
    shard.add(mechanism, count);
  }
}

void step(RunningTotal& shard, Composition& run, Input& input) {
  switch (input.whole(0, 15)) {
    case 0:
      return shard.fold();
    case 1:
      shard = saved_and_read(shard);
      return;
    default:
      return add_some(shard, run, input);
  }
}

void ask_delta(RunningTotal& total, const Composition& run, double epsilon) {
  const DeltaAnswer expected = pld::delta(run, {.epsilon = epsilon, .tolerance = 0.1});
  const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 0.1});
  promise_meeting(found, expected);
  promise_meeting(found.log_delta, expected.log_delta);
  promise(found.lower >= 0 && found.upper <= 1, "delta in [0, 1]");
}

void ask_epsilon(RunningTotal& total, const Composition& run, double delta) {
  promise_meeting(total.epsilon({.delta = delta, .tolerance = 0.1}),
                  pld::epsilon(run, {.delta = delta, .tolerance = 0.1}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const pld::fuzz::WorkOfInput work(data, size);
  Input input(data, size);
  constexpr Relation relations[] = {Relation::add_remove, Relation::replace_one, Relation::zero_out};
  const Relation relation = relations[input.byte() % 3];
  // Coarse ones: transforms would else take most of the time.
  const TotalGrid grid{.tilt = 0.1 + 10 * input.share(), .spacing = 0.05 + 0.9 * input.share()};
  RunningTotal total(grid, relation), other(grid, relation);
  Composition run(relation);
  try {
    for (int steps = input.whole(1, 12); steps > 0; --steps) step(input.coin() ? total : other, run, input);
    total.merge(other);
    const double epsilon = 4 * (input.share() - 0.25), delta = std::pow(10.0, -12 * input.share());
    input.coin() ? ask_epsilon(total, run, delta) : ask_delta(total, run, epsilon);  // one of them: more in a night
  } catch (const DomainError&) {
  }
  promise(contradictions() == 0, "no two bounds exclude each other");
  return 0;
}
