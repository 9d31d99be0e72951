// The numeric interface on any doubles at all: a refusal, or a bracket in order without NaN, within seconds.

#include <cmath>

#include "fuzz_target.hpp"
#include "input.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/pld.hpp"

namespace {

void check(const pld::Bracket& bracket) {
  pld::fuzz::promise(bracket.lower <= bracket.estimate, "lower <= estimate");
  pld::fuzz::promise(bracket.estimate <= bracket.upper, "estimate <= upper");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const pld::fuzz::WorkOfInput work(data, size);
  pld::fuzz::Input input(data, size);
  try {
    pld::Composition run;
    for (int parts = input.byte() % 3; parts >= 0; --parts) {
      const pld::Mechanism part = pld::fuzz::mechanism(input);
      run.add(part,
              input.byte() % 2 == 0 ? 1 + input.byte() : static_cast<std::int64_t>(std::pow(10.0, input.byte() % 13)));
    }
    const bool asks_epsilon = input.byte() % 2 == 0;
    const double at = input.number(), tolerance = input.coin() ? 0.1 : 1e-4;  // mostly rough: more of them in a night
    if (asks_epsilon) {
      check(pld::epsilon(run, {.delta = at, .tolerance = tolerance}));
    } else {
      const pld::DeltaAnswer answer = pld::delta(run, {.epsilon = at, .tolerance = tolerance});
      check(answer);
      check(answer.log_delta);
      pld::fuzz::promise(answer.lower >= 0 && answer.upper <= 1, "delta in [0, 1]");
    }
  } catch (const pld::DomainError&) {
  }
  pld::fuzz::promise(pld::contradictions() == 0, "no two bounds exclude each other");
  return 0;
}
