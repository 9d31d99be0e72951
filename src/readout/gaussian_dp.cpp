#include "pld/readout/gaussian_dp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "account/all_neighbours.hpp"
#include "account/far_gaussian.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/question.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/divergence.hpp"
#include "readout/beside_gaussians.hpp"
#include "readout/gaussian_mu.hpp"
#include "readout/rho_sum.hpp"

namespace pld {
namespace {

/// What one release has of mu^2 at most. The square of the smallest mu is 0.
struct SquaredMu {
  double most = 0;
  bool loses = false, is_bounded = false;
  bool of_all_data = false;  ///< and not of the sample itself, which may have less
};

std::optional<SquaredMu> squared_mu(const Mechanism& mechanism, const Neighbours& neighbours) {
  if (const auto law = mechanism.pair(Direction::remove)->sampled_gaussian()) {
    const double squared = law->q > 0 ? law->mu * law->mu : 0;
    return SquaredMu{squared, law->q > 0 && law->mu > 0};
  }
  const double loss = max_divergence(Composition(neighbours).add(mechanism)).upper;
  if (loss == infinity) return std::nullopt;
  const double mu = mu_of_pure_dp(loss);
  return SquaredMu{mu * mu, loss > 0, true};
}

/// That of the releases of all data which a record is in. Of groups, whose records may be in one release, Gaussian
/// noise alone.
std::optional<SquaredMu> squared_mu_on_all_data(const Mechanism& mechanism, const Neighbours& neighbours) {
  const auto all = on_all_data(mechanism, neighbours);
  if (!all || (neighbours.group > 1 && !all->base.pair(Direction::remove)->sampled_gaussian())) return std::nullopt;
  const auto one = squared_mu(all->base, neighbours);
  if (!one) return std::nullopt;
  return SquaredMu{all->each * one->most, one->loses, false, true};
}

SquaredMu known_squared_mu(const Mechanism& mechanism, const Neighbours& neighbours) {
  auto squared = squared_mu(mechanism, neighbours);
  if (!squared) squared = squared_mu_on_all_data(mechanism, neighbours);
  if (squared) return *squared;
  throw DomainError("mu", "mechanism", mechanism.text(), "a Gaussian, sampled or not, or one with bounded losses");
}

/// A composition in parts whose mu^2 add up, here without a rounding up: mu_by_parts() has that of all sums.
struct Parts {
  Composition bounded;       ///< the releases of bounded losses
  double squared_apart = 0;  ///< their mu^2, each by itself
  double squared_others = 0;
  bool loses = false, has_samples = false;

  [[nodiscard]] bool add_up_from_above_only() const { return has_samples || (squared_apart > 0 && squared_others > 0); }
};

Parts parts_of(const Composition& composition) {
  Parts parts{.bounded = Composition(composition.neighbours())};
  for (const Release& release : composition.releases()) {
    const SquaredMu one = known_squared_mu(release.mechanism, composition.neighbours());
    const double all = static_cast<double>(release.count) * one.most;
    parts.loses = parts.loses || one.loses;
    parts.has_samples = parts.has_samples || one.of_all_data;
    if (one.is_bounded && one.loses) parts.bounded.add(release.mechanism, release.count);
    (one.is_bounded ? parts.squared_apart : parts.squared_others) += all;
  }
  return parts;
}

/// The smallest mu whose Gaussian is above a profile at every epsilon >= 0, of losses of at most largest_loss > 0:
/// beyond that delta is 0. Real neighbours' profiles have its lower end or more; the largest of all is convex in
/// e^epsilon as each one is, so that the chords of its upper bounds are above it.
Bracket smallest_mu_of_bounded(const PrivacyProfile& profile, double largest_loss, double tolerance) {
  const auto of = [&](const PrivacyProfile& one) {
    MuNodes nodes = first_nodes(one, largest_loss);
    double where = 0;
    return extreme_mu(one, nodes, largest_loss, tolerance, +1, where);
  };
  return profile.composition().is_one_profile() ? of(profile)
                                                : rising(of(profile.of_pairs()), most_attained(profile.attained(), of));
}

/// mu of bounded losses composed, of real neighbours to what their pairs say. Far out, where most readings are, log
/// delta moves by the square of a quantile times what mu does: finer ones are asked where that does not do.
Bracket mu_by_pairs(const Composition& bounded, double tolerance) {
  const double largest_loss = max_divergence(bounded).upper;
  if (!(largest_loss > 0 && largest_loss < infinity)) return {0, largest_loss, largest_loss};
  constexpr double roughest = 0.1, finer = 10;
  const auto asked = [&](double of_log_delta) {
    return smallest_mu_of_bounded(PrivacyProfile(bounded, {.tolerance = of_log_delta}), largest_loss, tolerance / 2);
  };
  double of_log_delta = std::min(roughest, finer * finer * tolerance);
  Bracket mu = asked(of_log_delta);
  while (Finding{mu, bounded.is_exact()}.doubt() > tolerance * mu.upper && of_log_delta > tolerance &&
         Work::affords_piece())
    mu = intersection(asked(of_log_delta /= finer), mu);
  return mu;
}

/// The same squared, with what the ways from neighbour to neighbour bound: mu of steps add up (same source, theorem
/// 2.14).
Bracket squared_mu_of_bounded(const Composition& bounded, double tolerance) {
  Bracket mu = mu_by_pairs(bounded, tolerance);
  for (const Way& way : all_ways_of(bounded))
    mu = intersection(mu, at_most(round_up(way.length() * mu_by_pairs(way.step, tolerance).upper)));
  return {round_down(mu.lower * mu.lower), mu.estimate * mu.estimate, round_up(mu.upper * mu.upper)};
}

/// Of how many blocks log delta next to the largest loss, about that of a Gaussian, is what profiles tell.
double blocks_told(const Composition& bounded, double squared_mu) {
  constexpr double told_nats = 700;
  const double largest_loss = max_divergence(bounded).upper;
  return std::ceil(largest_loss * (largest_loss / squared_mu) / (2 * told_nats));
}

Bracket squared_bounded_mu(const Parts& parts, double tolerance);

/// So many releases of each kind in every block, and what is left over, which may be in blocks of its own.
double squared_mu_by_blocks(const Composition& bounded, std::int64_t blocks, double tolerance) {
  Composition block(bounded.neighbours()), rest(bounded.neighbours());
  for (const Release& release : bounded.releases()) {
    if (release.count >= blocks) block.add(release.mechanism, release.count / blocks);
    if (release.count % blocks > 0) rest.add(release.mechanism, release.count % blocks);
  }
  if (block.releases().empty()) return infinity;  // the rest is all
  const double of_block = squared_mu_of_bounded(block, tolerance).upper;
  constexpr double roundings = 4;
  return round_up(static_cast<double>(blocks) * of_block + squared_bounded_mu(parts_of(rest), tolerance).upper,
                  roundings);
}

/// The sum over kinds, or over the releases where there is but one; +inf of many kinds.
double squared_mu_by_kinds(const Composition& bounded, double tolerance) {
  constexpr std::size_t many = 16;
  const auto& releases = bounded.releases();
  const auto alone = [&](const Release& release, std::int64_t count) {
    return Composition(bounded.neighbours()).add(release.mechanism, count);
  };
  if (releases.size() == 1) {
    const Release& only = releases.front();
    return only.count == 1
               ? infinity
               : round_up(static_cast<double>(only.count) * squared_mu_of_bounded(alone(only, 1), tolerance).upper);
  }
  if (releases.size() > many) return infinity;
  double sum = 0;
  use_each(releases, [&](const Release& release) {
    sum += squared_bounded_mu(parts_of(alone(release, release.count)), tolerance).upper;
  });
  return round_up(sum, static_cast<double>(many));
}

/// mu^2 of all bounded losses of a composition, which parts.squared_apart is a bound of: what is wide of them together
/// may add up to less in parts.
Bracket squared_bounded_mu(const Parts& parts, double tolerance) {
  if (!(parts.squared_apart > 0)) return {0, 0, 0};
  constexpr double share_of_whole = 0.8, share_of_blocks = 0.5;
  const auto is_narrow = [&](const Bracket& squared) {
    return Finding{squared, parts.bounded.is_exact()}.doubt() <= 2 * tolerance * squared.upper;
  };
  Bracket found =
      intersection(with_share(share_of_whole, [&] { return squared_mu_of_bounded(parts.bounded, tolerance); }),
                   at_most(parts.squared_apart));
  if (is_narrow(found)) return found;
  const double blocks = blocks_told(parts.bounded, found.estimate);
  if (blocks > 1 && blocks < Composition::max_count)
    found = intersection(found, at_most(with_share(share_of_blocks, [&] {
                           return squared_mu_by_blocks(parts.bounded, std::int64_t(blocks), tolerance);
                         })));
  return is_narrow(found) ? found : intersection(found, at_most(squared_mu_by_kinds(parts.bounded, tolerance)));
}

Bracket mu_by_parts(const Composition& composition, const Parts& parts, double tolerance) {
  if (!parts.loses) return {0, 0, 0};
  // Of Gaussian noise that is not sampled rho is mu^2 / 2, of the numbers as they are given.
  if (const auto mu = mu_of_gaussians(composition)) return *mu;
  const Bracket bounded = squared_bounded_mu(parts, tolerance);
  const double roundings = 64 + 4 * static_cast<double>(composition.releases().size());
  const double least = std::sqrt(std::max(squared_mu_far_out(composition), bounded.lower));
  const double most = is_linear(composition)
                          ? mu_of_rho(linear_rho(composition)).upper
                          : round_up(std::sqrt(round_up(parts.squared_others + bounded.upper, roundings)));
  return intersection({std::max(0.0, round_down(least)), std::sqrt(parts.squared_others + bounded.estimate), infinity},
                      at_most(most));
}

}  // namespace

Finding gaussian_dp_mu(const Composition& composition, double tolerance) {
  const Question question;
  require(tolerance > 0 && tolerance < 1, "gaussian_dp_mu", "tolerance", tolerance, "0 < tolerance < 1");
  const Parts parts = parts_of(composition);
  return {mu_by_parts(composition, parts, tolerance), composition.is_exact() && !parts.add_up_from_above_only(),
          composition.is_only_guaranteed()};
}

}  // namespace pld
