#include "account/finer_laws.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/opposite_direction.hpp"
#include "lattice/cumulant.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/poisson_sampled.hpp"

namespace pld {
namespace {

/// The loss above which a law has less than so much of P's mass.
double end_of(const std::vector<LossCell>& outline, double log_mass) {
  double log_above = -infinity;
  for (std::size_t i = outline.size(); i-- > 0;) {
    log_above = log_sum(log_above, outline[i].log_mass);
    if (log_above > log_mass) return outline[i].loss;
  }
  return outline.front().loss;
}

/// Which losses of one release tell delta(epsilon) of all: those that it has under the saddle point's tilt, given that
/// all add up to about epsilon. Losses too rare to matter have no say in the tilt.
std::vector<LossWeight> weights_at(const Composition& laws, Direction direction, const ApproximatePoint& point) {
  constexpr double highest_tilt = 1e6, rare = 0.01, steepest = 25, least_spread = 0.1;
  double count = 0;
  for (const Release& release : laws.releases()) count += static_cast<double>(release.count);
  std::vector<Cumulant> cumulants;
  for (const Release& release : laws.releases()) {
    const std::vector<LossCell> outline = release.mechanism.pair(direction)->outline();
    if (outline.empty()) return {};
    cumulants.emplace_back(outline, end_of(outline, point.log_delta + std::log(rare / count)));
  }
  std::vector<CountedCumulant> parts;
  for (std::size_t i = 0; i < cumulants.size(); ++i) parts.push_back({&cumulants[i], laws.releases()[i].count});
  const double tilt = saddle_at_epsilon(parts, point.epsilon, highest_tilt).tilt;
  const CumulantValue all = sum_at(parts, tilt);
  std::vector<LossWeight> weights;
  for (const Cumulant& cumulant : cumulants) {
    const CumulantValue one = cumulant.at(tilt);
    const double blur = std::max(1 / (1 + tilt), 1e-3 * std::sqrt(one.variance));
    const double spread =
        std::sqrt(std::max(0.0, all.variance - one.variance) + blur * blur + point.doubt * point.doubt);
    // A tilted law that is next to a point is at the end of the law at hand, whose tilt is no guide then.
    const bool reaches = tilt * std::sqrt(one.variance) > least_spread;
    const double order = reaches ? tilt : std::min(tilt, steepest / spread);
    weights.push_back({order, point.epsilon - (all.mean - one.mean), spread});
  }
  return weights;
}

/// Of noise that lies between that of two doubles the laws above and below differ.
bool is_attained(const Law& law) {
  if (law.kind.attained == Attainment::together) return true;
  const auto same = [](const DominatingPair& above, const DominatingPair& below) {
    const GaussianAllocation *bounded = allocation_of(above), *attained = allocation_of(below);
    return bounded && attained && *bounded == *attained;
  };
  return law.below && same(*law.remove, *law.below->remove) && same(*law.add, *law.below->add);
}

bool is_of_use(const LossWeight& weight) {
  return std::isfinite(weight.order) && std::isfinite(weight.centre) && weight.spread > 0;
}

/// Of all its means.
double steps_of(const GaussianAllocation& allocation) {
  double steps = 0;
  for (const auto& mean : allocation.means) steps += mean.steps * mean.count;
  return steps;
}

}  // namespace

bool has_finer_laws(const Composition& composition) {
  constexpr std::ptrdiff_t most = 16;
  const auto& releases = composition.releases();
  const auto on_nodes = std::count_if(releases.begin(), releases.end(), [](const Release& release) {
    return release.mechanism.law().at_nodes != nullptr;
  });
  return 0 < on_nodes && on_nodes <= most;
}

void work_out(const Composition& composition, DirectionChoice choice) {
  const auto directions = [choice](const Law& law) {
    if (choice != DirectionChoice::add) static_cast<void>(law.remove->range());
    if (choice != DirectionChoice::remove) static_cast<void>(law.add->range());
  };
  for (const Release& release : composition.releases()) {
    const Law& law = release.mechanism.law();
    if (!law.at_nodes) continue;
    directions(law);
    if (law.below) directions(*law.below);
  }
}

std::optional<Composition> exact_laws(const Composition& composition) {
  // Of fewer the moments decay slowly, and nodes are quick.
  constexpr double least_steps = 10;
  if (is_by_steps(composition)) return std::nullopt;
  Composition out = composition.at_nodes([](const Release&) { return Nodes{.exact = true}; });
  double steps = 0;
  bool known = true;
  for (const Release& release : out.releases()) {
    const Law& law = release.mechanism.law();
    const GaussianAllocation* allocation = allocation_of(*law.remove);
    known = known && (!law.at_nodes || allocation);
    if (allocation) steps += static_cast<double>(release.count) * steps_of(*allocation);
  }
  return known && steps >= least_steps ? std::optional(std::move(out)) : std::nullopt;
}

bool are_attained(const Composition& laws) {
  return std::all_of(laws.releases().begin(), laws.releases().end(),
                     [](const Release& release) { return is_attained(release.mechanism.law()); });
}

Composition with_independent_steps(const Composition& composition) {
  const auto exact = has_finer_laws(composition) ? exact_laws(composition) : std::nullopt;
  if (!exact) return composition;
  constexpr double most = 1e-3 * static_cast<double>(Composition::max_count);
  Composition out(composition.neighbours());
  for (const Release& release : exact->releases()) {
    const GaussianAllocation* allocation = allocation_of(*release.mechanism.law().remove);
    if (!allocation) {
      out.add(release.mechanism, release.count);
      continue;
    }
    const Mechanism step = Gaussian{.sigma = 1 / allocation->mu};
    for (const auto& [steps, count] : allocation->means) {
      const double all = steps * count * static_cast<double>(release.count);
      out.add(poisson_sampled(step, 1 / steps), static_cast<std::int64_t>(std::min(all, most)));
    }
  }
  return out;
}

Composition finer_at(const Composition& composition, const Composition& laws, int count, Direction direction,
                     const ApproximatePoint& point) {
  std::vector<LossWeight> weights;
  if (std::isfinite(point.epsilon) && point.log_delta < 0 && laws.releases().size() == composition.releases().size())
    weights = weights_at(laws, direction, point);
  Composition finer = composition.at_nodes([&](const Release& release) {
    Nodes nodes{.count = count, .direction = direction};
    const auto place = static_cast<std::size_t>(&release - composition.releases().data());
    if (place < weights.size() && is_of_use(weights[place])) nodes.weight = weights[place];
    return nodes;
  });
  // Both sides now: what shares the work between the ends of a bracket is for engines.
  work_out(finer, only(direction));
  return finer;
}

}  // namespace pld
