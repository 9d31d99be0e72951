// The law of one release of any mechanism: its cells' masses at any losses, and the closed forms that read them.

#include <cmath>

#include "fuzz_target.hpp"
#include "input.hpp"
#include "pairs/loss_cuts.hpp"
#include "pld/pld.hpp"

namespace {

using namespace pld;
using fuzz::Input;
using fuzz::promise;

double mass(double log_mass) { return std::exp(log_mass); }

bool no_more(double log_a, double log_b) { return log_a <= log_b || log_a - log_b <= 1e-12 * (1 + std::fabs(log_a)); }

void check_cell(const DominatingPair& pair, const LossCell& cell) {
  promise(cell.log_mass <= 1e-12 && cell.log_q_mass <= 1e-12, "masses are at most 1");
  if (cell.log_mass == -infinity) return;
  const auto [lowest, highest] = pair.range();
  const double error = pair.loss_error({cell.loss, cell.loss}) + 1e-12 * std::fabs(cell.loss);
  promise(std::isfinite(cell.loss), "a finite loss");
  promise(lowest - error <= cell.loss && cell.loss <= highest + error, "a loss in the range");
}

/// What lies above a loss, what below and what at infinity is all of either law; what lies above falls from one border
/// to the next, where losses tell the two apart.
void check_law(const DominatingPair& pair, double z, double further) {
  promise(pair.range().lowest <= pair.range().highest, "lowest <= highest");
  const LossCell above = pair.above(z), below = pair.below(z), rest = pair.above(z + std::fabs(further));
  for (const LossCell& cell : {above, below, rest}) check_cell(pair, cell);
  const double p = mass(above.log_mass) + mass(below.log_mass) + mass(pair.log_mass_at_plus_infinity());
  const double q = mass(above.log_q_mass) + mass(below.log_q_mass) + mass(pair.log_q_mass_at_minus_infinity());
  promise(std::fabs(p - 1) <= 1e-9, "P's masses sum to 1");
  promise(std::fabs(q - 1) <= 1e-9, "Q's masses sum to 1");
  if (std::fabs(further) > border_doubt(pair, z) + border_doubt(pair, z + std::fabs(further)))
    promise(no_more(rest.log_mass, above.log_mass) && no_more(rest.log_q_mass, above.log_q_mass), "a tail falls");
  promise(!std::isnan(pair.log_tail_moment(1 + std::fabs(further), z)), "a tail's moment is a number");
}

void check_order(const Bracket& bracket) {
  promise(bracket.lower <= bracket.estimate, "lower <= estimate");
  promise(bracket.estimate <= bracket.upper, "estimate <= upper");
}

/// delta falls with epsilon, and the smallest epsilon for it is not above.
void check_closed_form(const Composition& run, double epsilon, double further) {
  const Engine engine = Engine::closed_form;
  const DeltaAnswer near = delta(run, {.epsilon = epsilon, .engine = engine});
  const DeltaAnswer far = delta(run, {.epsilon = epsilon + std::fabs(further), .engine = engine});
  for (const DeltaAnswer& answer : {near, far}) {
    check_order(answer);
    check_order(answer.log_delta);
    promise(answer.lower >= 0 && answer.upper <= 1, "delta in [0, 1]");
  }
  promise(far.lower <= near.upper, "delta falls");
  const Answer back = pld::epsilon(run, {.delta = near.upper, .engine = engine});
  check_order(back);
  promise(back.lower <= epsilon, "delta(epsilon) or more is met at epsilon");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const pld::fuzz::WorkOfInput work(data, size);
  Input input(data, size);
  constexpr Relation relations[] = {Relation::add_remove, Relation::replace_one, Relation::zero_out};
  try {
    const Relation relation = relations[input.byte() % 3];
    const Mechanism release = fuzz::mechanism(input).under(relation);
    const double at = input.number(), further = input.number();
    if (std::isfinite(at) && std::isfinite(further))
      for (const Direction direction : {Direction::remove, Direction::add})
        check_law(*release.pair(direction), at, further);
    check_closed_form(Composition(relation).add(release), at, further);
  } catch (const DomainError&) {
  }
  return 0;
}
