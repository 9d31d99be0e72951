// A saved running total, of any bytes: refused in one line, or a total that is saved alike again and answers.

#include "account/running_total_state.hpp"
#include "fuzz_target.hpp"
#include "pld/account/running_total.hpp"
#include "pld/formats/running_total_state.hpp"

namespace {

using namespace pld;
using fuzz::promise;

void promise_order(const Bracket& bracket) {
  promise(bracket.lower <= bracket.estimate, "lower <= estimate");
  promise(bracket.estimate <= bracket.upper, "estimate <= upper");
}

/// Of groups a query may take minutes.
void ask(RunningTotal total) {
  if (total.state().listed.neighbours().group > 1) return;
  const DeltaAnswer delta = total.delta({.epsilon = 0.5, .tolerance = 0.1});
  promise_order(delta);
  promise_order(delta.log_delta);
  promise(delta.lower >= 0 && delta.upper <= 1, "delta in [0, 1]");
  promise_order(total.epsilon({.delta = 1e-3, .tolerance = 0.1}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const pld::fuzz::WorkOfInput work(data, size);
  fuzz::read_or_refuse([&] {
    const RunningTotal total = running_total_from_bytes(fuzz::text(data, size));
    const std::string saved = running_total_bytes(total);
    promise(running_total_bytes(running_total_from_bytes(saved)) == saved, "what was saved is saved alike");
    fuzz::read_or_refuse([&] { ask(total); });
  });
  return 0;
}
