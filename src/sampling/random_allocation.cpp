#include "pld/sampling/random_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/extended.hpp"
#include "numeric/later.hpp"
#include "pairs/gaussian_pair.hpp"
#include "pairs/mirrored_pair.hpp"
#include "sampling/ratio_pair.hpp"
#include "sampling/ratio_plan.hpp"
#include "sampling/sampled_laws.hpp"
#include "sampling/summed_ratios.hpp"

namespace pld {
namespace {

/// Enough to tell which numbers are accepted and which end is safe; whoever asks for more names more.
constexpr int nodes_at_first = 64;

/// Which steps a record takes part in.
struct Allocation {
  std::int64_t steps = 1;           ///< of a pass
  std::int64_t participations = 1;  ///< in different steps of a pass
  std::int64_t passes = 1;          ///< in which these steps are the same

  /// The releases a record takes part in, given which ones: all of them, where nothing is drawn.
  [[nodiscard]] Allocation of_all_data() const { return {.steps = 1, .passes = participations * passes}; }
};

/// The ratio as the plan's last part; of several participations that of the pair which dominates.
void add_parts(const Allocation& allocation, RatioPlan& plan) {
  const std::size_t step = plan.add_copies(Join::product, RatioPlan::base, allocation.passes);
  const std::int64_t blocks = allocation.participations, longer = allocation.steps % blocks;
  const std::size_t block = plan.add_copies(Join::sum, step, allocation.steps / blocks);
  const std::size_t longer_block = longer > 0 ? plan.add(Join::sum, block, step) : block;
  const std::size_t all = plan.add_copies(Join::product, block, blocks - longer);
  if (longer > 0) plan.add(Join::product, all, plan.add_copies(Join::product, longer_block, longer));
}

/// The losses that weigh, as ratios that do.
std::optional<RatioWeight> ratio_weight(const Nodes& nodes, Direction direction) {
  if (!nodes.weight) return std::nullopt;
  const auto& [order, centre, spread] = *nodes.weight;
  // P's masses are r times, or are, those that r has.
  return direction == Direction::remove ? RatioWeight{order - 1, centre, spread}
                                        : RatioWeight{-order - 2, -centre, spread};
}

/// The base's pair as that of a removal.
PairPtr as_removal(const Law& base, Direction direction) {
  if (direction == Direction::remove || base.remove == base.add) return base.remove;
  return std::make_shared<MirroredPair>(base.add);
}

/// So many releases of unsampled Gaussian noise as one; null for other pairs. The mean is rounded once, as where
/// releases are joined.
PairPtr joined_gaussians(const DominatingPair& pair, std::int64_t times) {
  const auto law = pair.sampled_gaussian();
  if (!law || law->q != 1) return nullptr;
  const Extended mu = law->mu;
  return std::make_shared<GaussianPair>(static_cast<double>(mu * sqrt(static_cast<Extended>(times))));
}

/// The pair of a step as a removal's, all passes in one where they join.
struct Step {
  PairPtr pair;
  Allocation allocation;
};
Step step_of(const Law& base, const Allocation& allocation, Direction direction) {
  Step step{as_removal(base, direction), allocation};
  if (const PairPtr joined = allocation.passes > 1 ? joined_gaussians(*step.pair, allocation.passes) : nullptr)
    step.pair = joined, step.allocation.passes = 1;
  return step;
}

/// Serves both sides, and finds its nodes once either is asked for.
using PlanPtr = std::shared_ptr<const Later<RatioPlan>>;

PlanPtr plan_of(const Step& step, Direction direction, const Nodes& nodes) {
  return std::make_shared<const Later<RatioPlan>>([step, direction, nodes] {
    RatioPlan plan(step.pair);
    add_parts(step.allocation, plan);
    if (const auto weight = ratio_weight(nodes, direction)) plan.place_nodes(*weight);
    return plan;
  });
}

/// The plan's ratio as one whose moments are known; of Gaussian noise only.
std::optional<GaussianAllocation> exact_law(const Step& step, Direction direction) {
  const auto law = step.pair->sampled_gaussian();
  const auto& [steps, blocks, passes] = step.allocation;
  if (!law || law->q != 1 || !(law->mu > 0) || passes > 1 || steps / blocks < 2) return std::nullopt;
  const std::int64_t longer = steps % blocks;
  GaussianAllocation exact{.mu = law->mu, .direction = direction};
  exact.means.push_back({static_cast<double>(steps / blocks), static_cast<double>(blocks - longer)});
  if (longer > 0) exact.means.push_back({static_cast<double>(steps / blocks + 1), static_cast<double>(longer)});
  return exact;
}

/// The pair on nodes that bounds the plan's ratio from this side.
PairPtr pair_on_nodes(const PlanPtr& plan, const Step& step, Direction direction, const Nodes& nodes, Side side) {
  auto exact = nodes.exact ? exact_law(step, direction) : std::nullopt;
  const auto law = [plan, side, count = nodes.count] { return plan->get().law(side, count); };
  return pair_of_ratio(law, direction, side, std::move(exact));
}

/// The pairs of an allocation from both sides, in one direction. Below: null where no neighbours attain the base's.
struct BoundedPairs {
  PairPtr above, below;
};

/// `known`: the pairs on other nodes, where there are any.
BoundedPairs bounded_pairs(const Law& base, const Allocation& allocation, Direction direction, const Nodes& nodes,
                           const BoundedPairs& known) {
  const Step step = step_of(base, allocation, direction);
  const PlanPtr plan = plan_of(step, direction, nodes);
  BoundedPairs out{pair_on_nodes(plan, step, direction, nodes, Side::upper), known.below};
  const auto attained = attained_law(base);
  if (!attained) return out;
  if (allocation.participations == 1) {
    if (base.kind.attained == Attainment::together) {
      out.below = pair_on_nodes(plan, step, direction, nodes, Side::lower);
    } else {
      const Step lower = step_of(*attained, allocation, direction);
      out.below = pair_on_nodes(plan_of(lower, direction, nodes), lower, direction, nodes, Side::lower);
    }
  } else if (!known.below) {  // which has no nodes
    const auto law = [pair = as_removal(*attained, direction), allocation, direction] {
      return summed_ratios(*pair, allocation.steps, allocation.participations, direction);
    };
    out.below = pair_of_ratio(law, direction, Side::lower);
  }
  return out;
}

Attainment attained_by(const Allocation& allocation, Attainment base) {
  if (allocation.participations > 1 || base == Attainment::alone) return Attainment::nowhere;
  return base == Attainment::together ? Attainment::between : base;
}

/// So many releases of all data as one law, where they join to one pair.
std::optional<Law> law_of_joined(const Law& base, const Allocation& allocation, const std::string& text) {
  if (allocation.steps > 1 || base.kind.attained != Attainment::together) return std::nullopt;
  const PairPtr joined = joined_gaussians(*base.remove, allocation.passes);
  return joined ? std::optional(Law{text, joined, joined, base.kind}) : std::nullopt;
}

/// `known`: in place of what is not asked for, where there is such.
Law law_of_allocation(const Law& base, const Allocation& allocation, const Nodes& nodes, const std::string& text,
                      const Law* known) {
  if (auto joined = law_of_joined(base, allocation, text)) return *std::move(joined);
  const auto pairs = [&](Direction direction) {
    const auto in = [&](const Law& law) { return direction == Direction::remove ? law.remove : law.add; };
    BoundedPairs at_hand;
    if (known) at_hand = {in(*known), known->below ? in(*known->below) : nullptr};
    const bool needed = !known || !nodes.direction || *nodes.direction == direction;
    return needed ? bounded_pairs(base, allocation, direction, nodes, at_hand) : at_hand;
  };
  const BoundedPairs remove = pairs(Direction::remove), add = pairs(Direction::add);
  Law law{text, remove.above, add.above, base.kind};
  law.kind.attained = attained_by(allocation, base.kind.attained);
  if (remove.below) law.below = std::make_shared<const Law>(Law{text, remove.below, add.below, {}});
  const Law coarse = law;
  law.at_nodes = [base, allocation, text, coarse](const Nodes& more) {
    return law_of_allocation(base, allocation, more, text, &coarse);
  };
  return law;
}

/// A record that is replaced: given its steps, the epochs differ in as many releases of the base that are not sampled,
/// and H_g is jointly convex. Far above what a removal and then an addition leave, mostly, which is a bound too
/// (ways_of). From below: one of the two values may contribute nothing.
///
/// `known`: the law of a removal on other nodes, where there is one.
Law law_of_replaced(const Mechanism& base, const Allocation& allocation, const std::string& given, const Nodes& nodes,
                    const std::shared_ptr<const Law>& known) {
  const Law replaced = base.under(Relation::replace_one).law(), removed = base.under(Relation::add_remove).law();
  const Allocation all = allocation.of_all_data();
  Law law = all.passes == 1 ? replaced : law_of_allocation(replaced, all, nodes, replaced.text, nullptr);
  law.text = replaced.text + given;
  if (allocation.steps == 1 && !law.at_nodes) return law;  // nothing is drawn: the record is in all releases
  const bool is_drawn = allocation.steps > 1;
  std::shared_ptr<const Law> of_removal;
  if (is_drawn && !replaced.kind.guarantee && !removed.kind.guarantee)
    of_removal = std::make_shared<const Law>(law_of_allocation(removed, allocation, nodes, law.text, known.get()));
  law.at_nodes = [base, allocation, given, of_removal](const Nodes& more) {
    return law_of_replaced(base, allocation, given, more, of_removal);
  };
  if (!is_drawn) return law;
  law.kind.attained = Attainment::nowhere;
  law.below = of_removal ? attained_law(*of_removal) : nullptr;
  return law;
}

/// A mechanism whose records are allocated, under its name with `numbers` added to it.
Mechanism allocated(const Mechanism& base, const Allocation& asked, std::map<std::string, double> numbers) {
  const Allocation allocation = asked.participations == asked.steps ? asked.of_all_data() : asked;
  require_unsampled("random allocation", base, "give one sampling, allocation or another");
  std::string given;
  for (const auto& [name, value] : numbers) given += "," + name + "=" + number_text(value);
  const Mechanism::Laws laws = [base, allocation, given](Relation relation) {
    const Nodes nodes{.count = nodes_at_first};
    if (relation == Relation::replace_one) return law_of_replaced(base, allocation, given, nodes, nullptr);
    const Law law = base.under(relation).law();
    return law_of_allocation(law, allocation, nodes, law.text + given, nullptr);
  };
  const DrawnReleases drawn{base, static_cast<double>(allocation.participations * allocation.passes), laws};
  const auto of_groups = [drawn](const Neighbours& neighbours) { return law_of_unsampled_group(drawn, neighbours); };
  return {base.text() + given, laws, Mechanism::Sampling{std::make_shared<Mechanism>(base), std::move(numbers)},
          of_groups};
}

void require_whole(const Mechanism& base, const char* name, double value, double most, const char* accepted) {
  require(1 <= value && value <= most && value == std::floor(value), base.text().c_str(), name, value, accepted);
}

void require_steps(const Mechanism& base, double steps) {
  require_whole(base, "allocation", steps, 1e9, "a whole number, 1 <= allocation <= 1e9");
}

}  // namespace

Mechanism randomly_allocated(const Mechanism& base, double steps) {
  const StandardArithmetic arithmetic;
  require_steps(base, steps);
  require_unsampled("random allocation", base, "give one sampling, allocation or another");
  if (steps == 1) return base;
  return allocated(base, {.steps = static_cast<std::int64_t>(steps)}, {{"allocation", steps}});
}

Mechanism randomly_allocated_to_several(const Mechanism& base, double steps, double participations) {
  const StandardArithmetic arithmetic;
  require_steps(base, steps);
  require_whole(base, "participations", participations, std::min(steps, 1e6),
                "a whole number, 1 <= participations <= allocation, 1e6 at most");
  if (participations == 1) return randomly_allocated(base, steps);
  return allocated(
      base, {.steps = static_cast<std::int64_t>(steps), .participations = static_cast<std::int64_t>(participations)},
      {{"allocation", steps}, {"participations", participations}});
}

Mechanism allocated_once(const Mechanism& base, double steps, double passes) {
  const StandardArithmetic arithmetic;
  require_steps(base, steps);
  require_whole(base, "passes", passes, 1e6, "a whole number, 1 <= passes <= 1e6");
  if (passes == 1) return randomly_allocated(base, steps);
  return allocated(base, {.steps = static_cast<std::int64_t>(steps), .passes = static_cast<std::int64_t>(passes)},
                   {{"allocation", steps}, {"passes", passes}});
}

}  // namespace pld
