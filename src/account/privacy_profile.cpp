#include "pld/account/privacy_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "account/all_neighbours.hpp"
#include "account/answers_met.hpp"
#include "account/asked_alone.hpp"
#include "account/boxed_kinds.hpp"
#include "account/common_lattice.hpp"
#include "account/composed_profile.hpp"
#include "account/directed_profile.hpp"
#include "account/directed_run.hpp"
#include "account/far_gaussian.hpp"
#include "account/finer_laws.hpp"
#include "account/larger_of.hpp"
#include "account/largest_of_neighbours.hpp"
#include "account/renyi_profile.hpp"
#include "account/renyi_routes.hpp"
#include "account/shared_inverse.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/inverse.hpp"
#include "engines/question.hpp"
#include "numeric/later.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/finding.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The releases' laws on as many nodes as the tolerance wants, or as a quarter of the work left affords: their error
/// falls with the square, their cost rises with it. With hardly any left they stay as they are.
Composition on_nodes_for(double tolerance, const Composition& composition) {
  constexpr double nodes_at_one = 30, most = 4000, share = 0.25;
  constexpr int fewest = 300;
  if (!has_finer_laws(composition) || !Work::affords_piece()) return composition;
  const auto on = [&](double nodes) {
    Composition laws = composition.at_nodes([&](const Release&) { return Nodes{.count = static_cast<int>(nodes)}; });
    work_out(laws);
    return laws;
  };
  const NodesAffordable affordable;
  const Composition coarse = on(fewest);
  const double wanted =
      std::min({nodes_at_one / std::sqrt(tolerance), most, static_cast<double>(affordable.after(fewest, share))});
  return wanted > fewest ? on(wanted) : coarse;
}

/// The smaller of two upper bounds of a profile. Its lower end is that of both: either may be loose.
ProfileBracket smaller(const ProfileBracket& a, const ProfileBracket& b) {
  ProfileBracket out{a.log_delta.upper <= b.log_delta.upper ? a.log_delta : b.log_delta,
                     a.log_complement.lower >= b.log_complement.lower ? a.log_complement : b.log_complement};
  out.log_delta.lower = std::min(a.log_delta.lower, b.log_delta.lower);
  out.log_complement.upper = std::max(a.log_complement.upper, b.log_complement.upper);
  return out;
}

/// The smallest of upper bounds of an epsilon. Its lower end is that of all: any may be loose.
Bracket least_of(const std::vector<Bracket>& bounds) {
  Bracket least = bounds.front();
  for (const Bracket& one : bounds) {
    if (one.upper < least.upper) least.upper = one.upper, least.estimate = one.estimate;
    least.lower = std::min(least.lower, one.lower);
  }
  return least;
}

/// delta falls with epsilon: neighbours, perhaps read from other pieces, bound each other on the side that is certain.
void make_fall(std::vector<ProfileBracket>& profile, const std::vector<ProfilePlace>& places,
               std::optional<Side> certain) {
  std::vector<std::size_t> order(places.size());  // by increasing epsilon
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return places[a].epsilon < places[b].epsilon; });
  const auto of_complement = certain ? std::optional(opposite(*certain)) : std::nullopt;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const ProfileBracket& before = profile[order[i - 1]];
    ProfileBracket& here = profile[order[i]];
    here.log_delta = sharpened(here.log_delta, at_most(before.log_delta.upper), certain);
    here.log_complement = sharpened(here.log_complement, at_least(before.log_complement.lower), of_complement);
  }
  for (std::size_t i = order.size(); i-- > 1;) {
    const ProfileBracket& after = profile[order[i]];
    ProfileBracket& here = profile[order[i - 1]];
    here.log_delta = sharpened(here.log_delta, at_least(after.log_delta.lower), certain);
    here.log_complement = sharpened(here.log_complement, at_most(after.log_complement.upper), of_complement);
  }
  double log_delta = infinity, log_complement = -infinity;
  for (const std::size_t i : order) {
    Bracket &d = profile[i].log_delta, &c = profile[i].log_complement;
    d = intersection(d, at_most(0)), c = intersection(c, at_most(0));
    log_delta = d.estimate = std::clamp(std::min(d.estimate, log_delta), d.lower, d.upper);
    log_complement = c.estimate = std::clamp(std::max(c.estimate, log_complement), c.lower, c.upper);
  }
}

/// Epsilon falls with delta: those of falling deltas, perhaps asked for apart, bound each other. A bracket that lies
/// apart, of laws on other nodes, stays as it is.
void make_fall(std::vector<Bracket>& of_falling_deltas) {
  for (std::size_t i = 1; i < of_falling_deltas.size(); ++i) {
    const double lower = of_falling_deltas[i - 1].lower;
    Bracket& here = of_falling_deltas[i];
    if (lower <= here.upper) here.lower = std::max(here.lower, lower);
  }
  for (std::size_t i = of_falling_deltas.size(); i-- > 1;) {
    const double upper = of_falling_deltas[i].upper;
    Bracket& here = of_falling_deltas[i - 1];
    if (upper >= here.lower) here.upper = std::min(here.upper, upper);
  }
  for (Bracket& here : of_falling_deltas) here.estimate = std::clamp(here.estimate, here.lower, here.upper);
}

std::vector<ProfileBracket> falling(const ComposedProfile& route, const std::vector<ProfilePlace>& places,
                                    DirectionChoice choice) {
  std::vector<ProfileBracket> out = route.at_all(places, choice);
  make_fall(out, places, route.certain_side());
  return out;
}

/// So many places of a list are asked alone, if there is work for that.
constexpr std::size_t few_places = 16;

/// How many answers' work the other places of a list have, beside the first.
constexpr double answers_of_others = 1;

/// What was asked at the first of some places, and the points that are left for all others.
struct AskedAlone {
  std::vector<Bracket> found;
  double left;
};

/// What `ask(i)` answers at each of a few places, as the same question is answered at other doors: with all the work
/// that it has there. The dearest so far tells what each takes: once the others would take more than the list has,
/// none of them is asked.
template <class Ask>
AskedAlone asked_one_by_one(std::size_t places, double answers, const Ask& ask) {
  AskedAlone out{{}, Work::left() * (Work::is_counted() ? 1 : answers + answers_of_others)};
  double most = 0;
  const auto affords_others = [&] { return most * static_cast<double>(places - out.found.size()) <= out.left; };
  while (out.found.size() < places && affords_others()) {
    const double before = Work::taken();
    out.found.push_back(ask(out.found.size()));
    const double taken = Work::taken() - before;
    out.left -= taken;
    most = std::max(most, taken);
  }
  return out;
}

/// What falls with its arguments beside what was asked alone at some places, which stays what the same question has at
/// every door: as wide as that asks for, and no wider than it tells.
void fall_beside(const std::vector<Bracket>& alone, const std::vector<std::size_t>& places,
                 const std::vector<double>& arguments, std::optional<Side> certain, std::vector<Bracket>& found) {
  for (std::size_t i = 0; i < alone.size(); ++i)
    for (std::size_t j = 0; j < found.size(); ++j) {
      if (arguments[j] == arguments[places[i]]) continue;
      Bracket& other = found[j];
      if (arguments[j] > arguments[places[i]]) {
        other.lower = std::min(other.lower, alone[i].lower);
        other = sharpened(other, at_most(alone[i].upper), certain);
      } else {
        other.upper = std::max(other.upper, alone[i].upper);
        other = sharpened(other, at_least(alone[i].lower), certain);
      }
      other.estimate = std::clamp(other.estimate, other.lower, other.upper);
    }
}

std::vector<ProfilePlace> places_at(const std::vector<double>& epsilons) {
  std::vector<ProfilePlace> places;
  for (const double epsilon : epsilons) places.push_back({.epsilon = epsilon});
  return places;
}

/// What upper ends are read off.
Composition pairs_of(const Composition& composition, double tolerance) {
  return composition.is_one_law() ? composition : on_nodes_for(tolerance, composition).of_pairs();
}

}  // namespace

PrivacyProfile profile_of_step(const Way& way, const ProfileOptions& options) {
  const Question question;
  return PrivacyProfile(pairs_of(way.step, options.tolerance), options);
}

Steps steps_by_profile(const Way& way, double tolerance, Engine engine) {
  constexpr double rough = 1e-3;
  const auto upper_ends = [](const PrivacyProfile& step) {
    return [step](const std::vector<double>& epsilons, DirectionChoice direction, double log_floor) {
      std::vector<ProfilePlace> places = places_at(epsilons);
      for (ProfilePlace& place : places) place.log_floor = log_floor;
      std::vector<double> log_deltas;
      for (const ProfileBracket& at : step.log_profile(places, direction)) log_deltas.push_back(at.log_delta.upper);
      return log_deltas;
    };
  };
  const PrivacyProfile step = profile_of_step(way, {.tolerance = std::max(tolerance, rough), .engine = engine});
  const StepBounds::LogDeltas roughly = upper_ends(step);
  StepBounds::LogDeltas closely = roughly;
  if (tolerance < rough) {
    const auto close = std::make_shared<const Later<StepBounds::LogDeltas>>(
        [=] { return upper_ends(profile_of_step(way, {.tolerance = tolerance, .engine = engine})); });
    closely = [=](const std::vector<double>& epsilons, DirectionChoice direction, double log_floor) {
      return (Work::affords_piece() ? close->get() : roughly)(epsilons, direction, log_floor);
    };
  }
  const auto largest_in = [&](Direction direction) {
    if (loses_infinitely(step.composition(), direction)) return infinity;
    return run_in(step.composition(), direction).largest_loss.upper;
  };
  // Every search asks for these.
  const double removing = largest_in(Direction::remove),
               adding = symmetric(step.composition()) ? removing : largest_in(Direction::add);
  const auto largest = [=](DirectionChoice choice) {
    if (choice == DirectionChoice::worst) return std::max(removing, adding);
    return choice == DirectionChoice::remove ? removing : adding;
  };
  return {way, {roughly, closely, largest}, tolerance};
}

/// Every route is an upper bound; the first is the composition as it stands.
struct PrivacyProfile::State {
  Composition composition;
  ProfileOptions options;
  CommonLatticePtr lattice;
  std::vector<ComposedProfile> routes;
  std::optional<RenyiProfile> converted;
  std::optional<PrivacyProfile> of_pairs{};  ///< where it is not one law
  std::vector<PrivacyProfile> attained{};    ///< by each pair of real neighbours that is known
  std::vector<Steps> ways{};                 ///< beside these
  bool goes_by_others = false;               ///< some of them, by data sets in between
  bool attains_law = false;                  ///< real neighbours do, that the pairs' lower ends are of

  /// The width of an epsilon or of log delta, above its estimate where it is a bound alone.
  [[nodiscard]] double doubt(const Bracket& found) const { return Finding{found, composition.is_exact()}.doubt(); }

  [[nodiscard]] DeltaAnswer ask_delta(double epsilon, DirectionChoice choice) const {
    return pld::delta(
        composition,
        {.epsilon = epsilon, .tolerance = options.tolerance, .direction = choice, .engine = options.engine});
  }

  [[nodiscard]] double epsilon_tolerance() const {
    return options.epsilon_tolerance.value_or(std::min(1e-4, options.tolerance));
  }

  /// Whether these tell what it has at one epsilon, and no routes do.
  [[nodiscard]] bool is_between() const { return routes.empty(); }

  /// The end that alone is certain, of a law that was rounded to a side.
  [[nodiscard]] std::optional<Side> certain_side() const {
    return is_between() ? std::nullopt : routes.front().certain_side();
  }

  /// Asks alone for what is not narrow of many brackets, if any is: where work was gone before every upper bound was
  /// found, for any of them. Whether some were asked. `least`: that none need reach down to.
  template <class Narrow, class Ask>
  bool ask_wide_alone(std::vector<Bracket>& found, bool starved, double least, const Narrow& narrow,
                      const Ask& ask) const {
    const bool any = starved && !composition.is_exact();
    std::vector<std::size_t> wide;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (any || !narrow(found[i])) wide.push_back(i);
    const auto doubt_of = [&](const Bracket& one) { return any ? one.upper - std::max(one.lower, least) : doubt(one); };
    ask_alone(found, wide, certain_side(), doubt_of, ask);
    return !wide.empty();
  }

  [[nodiscard]] bool is_narrow(const ProfileBracket& found) const {
    return is_narrow_log_delta(found.log_delta, options.tolerance) &&
           is_narrow_log_delta(found.log_complement, options.tolerance);
  }

  [[nodiscard]] std::vector<ProfileBracket> of_all(std::vector<ProfileBracket> pairs,
                                                   const std::vector<ProfileBracket>& real,
                                                   const std::vector<double>& epsilons, DirectionChoice choice) const {
    const auto met = [&](std::size_t i) { return of_all_neighbours(pairs[i], real[i]); };
    bool wide = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) wide = wide || !is_narrow(met(i));
    if (wide)
      use_each(ways, [&](const Steps& way) {
        const std::vector<ProfileBracket> found = way.at(epsilons, choice);
        for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = smaller(pairs[i], found[i]);
      });
    const double largest = largest_beside_nodes(composition, choice);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (is_beyond(epsilons[i], largest)) pairs[i] = {{-infinity, -infinity, -infinity}, {0, 0, 0}};
      pairs[i] = met(i);
    }
    return pairs;
  }

  /// What `read(profile)` says of the pairs, and of what real neighbours attain: each leaves a part of the work, for
  /// the other and for the ways.
  template <class Read, class Narrow>
  [[nodiscard]] auto of_both(const Read& read, const Narrow& narrow) const {
    auto of_laws = with_share(attains_law ? 0.8 : 0.5, [&] { return read(*of_pairs); });
    if (attains_law && std::all_of(of_laws.begin(), of_laws.end(), narrow)) return std::pair{of_laws, of_laws};
    const auto raise_all = [](auto& of_real, const auto& by_other) {
      for (std::size_t i = 0; i < of_real.size(); ++i) raise(of_real[i], by_other[i]);
    };
    decltype(of_laws) of_real;
    {
      const PartOfQuestion part((ways.empty() ? 1 : 0.5) * Work::left());
      use_first_most(attained, [&](const PrivacyProfile& one) {
        auto of_one = read(one);
        if (of_real.empty())
          of_real = std::move(of_one);
        else
          raise_all(of_real, of_one);
      });
    }
    if (attains_law) raise_all(of_real, of_laws);
    return std::pair{std::move(of_laws), std::move(of_real)};
  }

  template <class Read>
  [[nodiscard]] auto both_at(const Read& read) const {
    return of_both(read, [&](const ProfileBracket& found) { return is_narrow(found); });
  }

  /// What is attained is no less than what of a law is; the upper end, of nodes below that law, may be.
  static void raise(Bracket& attained, const Bracket& of_law) {
    attained = larger(attained, {of_law.lower, of_law.lower, of_law.lower});
  }
  static void raise(ProfileBracket& attained, const ProfileBracket& of_law) {
    raise(attained.log_delta, of_law.log_delta);
    const double most = of_law.log_complement.upper;
    attained.log_complement = pld::smaller(attained.log_complement, {most, most, most});
  }

  /// Those of many falling deltas in (0, 1); near: about that of the first and of the last.
  using Ends = std::array<double, 2>;
  [[nodiscard]] std::vector<Bracket> epsilons(const std::vector<double>& deltas, const Ends& near,
                                              DirectionChoice choice) const {
    if (!is_between()) return of_routes(deltas, near, choice);
    auto both = of_both([&](const PrivacyProfile& profile) { return profile.state_->of_routes(deltas, near, choice); },
                        [&](const Bracket& found) { return pld::is_narrow(found, epsilon_tolerance()); });
    std::vector<Bracket>&found = both.first, &real = both.second;
    use_each(ways, [&](const Steps& way) {
      std::vector<double> known;
      for (const Bracket& one : found) known.push_back(one.upper);
      const std::vector<double> by_steps = way.epsilon(deltas, choice, known);
      for (std::size_t i = 0; i < found.size(); ++i) found[i].upper = std::min(found[i].upper, by_steps[i]);
    });
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = rising_if_known(found[i], attained.front().composition(), real[i]);
    return found;
  }

  /// The same by the routes, each from one set of readings, as the least of several bounds is not convex.
  [[nodiscard]] std::vector<Bracket> of_routes(const std::vector<double>& deltas, const Ends& near,
                                               DirectionChoice choice) const {
    std::vector<std::vector<Bracket>> by_route;
    use_each(routes, [&](const ComposedProfile& route) {
      const auto read = [&](double epsilon) { return route.at(epsilon, choice); };
      const auto read_all = [&](const std::vector<ProfilePlace>& places) { return falling(route, places, choice); };
      const Bracket first = epsilon_where(read, std::log(deltas.front()), near[0]),
                    last = epsilon_where(read, std::log(deltas.back()), near[1]);
      by_route.push_back(
          std::isfinite(first.lower) && std::isfinite(last.upper)
              ? SharedInverse(read_all, first.lower, last.upper, deltas.back(), epsilon_tolerance()).at(deltas)
              : std::vector<Bracket>(deltas.size(), {first.lower, std::max(first.lower, near[1]), infinity}));
    });
    std::vector<Bracket> out;
    for (std::size_t i = 0; i < deltas.size(); ++i) {
      std::vector<Bracket> bounds;
      for (const std::vector<Bracket>& route : by_route) bounds.push_back(route[i]);
      if (converted) bounds.push_back(converted->epsilon(deltas[i]));
      out.push_back(least_of(bounds));
    }
    return out;
  }
};

PrivacyProfile::PrivacyProfile(const Composition& composition, const ProfileOptions& options)
    : PrivacyProfile(composition, options, nullptr) {}

PrivacyProfile::PrivacyProfile(const Composition& composition, const ProfileOptions& options,
                               CommonLatticePtr lattice) {
  const Question question;
  for (const double tolerance : {options.tolerance, options.epsilon_tolerance.value_or(1)})
    require(tolerance > 0 && tolerance < infinity, "profile", "tolerance", tolerance, "tolerance > 0 and finite");
  auto state = std::make_shared<State>();
  state->composition = composition;
  state->options = options;
  state->lattice = lattice;
  // Many readings are to come, of both laws that bound a box.
  constexpr double most_kinds = 400, some = 256;
  const Composition kinds = with_few_kinds(composition, kinds_by_work(composition) > most_kinds ? some : most_kinds);
  if (!kinds.is_one_law()) {
    const Composition fine = on_nodes_for(options.tolerance, kinds);
    state->of_pairs = PrivacyProfile(fine.of_pairs(), options, lattice);
    // Its atoms are wider on a shared lattice; what is attained is told as well as that has it.
    constexpr double as_on_lattice = 20;
    for (const Composition& one : fine.attained_by_each())
      state->attained.push_back(
          PrivacyProfile(one, {.tolerance = (lattice ? as_on_lattice : 1) * options.tolerance}, lattice));
    if (state->of_pairs->knows_law()) {
      const auto laws = exact_laws(kinds);
      state->attains_law = laws && are_attained(*laws);
    }
    for (const Way& way : all_ways_of(kinds)) {
      state->ways.push_back(steps_by_profile(way, options.tolerance, options.engine));
      state->goes_by_others = state->goes_by_others || way.length() > 1;
    }
  }
  if (!kinds.is_one_profile()) {
    state_ = std::move(state);
    return;
  }
  const auto add = [&](const Composition& route) {
    state->routes.emplace_back(route, options.engine, options.tolerance, lattice);
  };
  const RenyiRoutes renyi = renyi_routes(kinds);
  add(renyi.as_it_stands(kinds));
  for (const Composition& joined : renyi.joined) add(joined);
  if (renyi.total) state->converted.emplace(*renyi.total);
  state_ = std::move(state);
}

ProfileBracket PrivacyProfile::log_profile(double epsilon, DirectionChoice choice) const {
  const Question question;
  require(!std::isnan(epsilon), "profile", "epsilon", epsilon, "a number or an infinity");
  if (state_->is_between()) {
    auto [pairs, real] = state_->both_at(
        [&](const PrivacyProfile& profile) { return std::vector{profile.log_profile(epsilon, choice)}; });
    return state_->of_all(std::move(pairs), real, {epsilon}, choice).front();
  }
  ProfileBracket out = state_->routes.front().at(epsilon, choice);
  for (std::size_t i = 1; i < state_->routes.size(); ++i)
    out = smaller(out, state_->routes[i].at(epsilon, choice, out.log_delta.upper));
  return state_->converted ? smaller(out, state_->converted->at(epsilon)) : out;
}

Bracket PrivacyProfile::log_delta(double epsilon, DirectionChoice choice) const {
  return state_->ask_delta(epsilon, choice).log_delta;
}

std::vector<Bracket> PrivacyProfile::log_delta(const std::vector<double>& epsilons, DirectionChoice choice) const {
  const double answers = answers_of<DeltaQuery>(state_->options.tolerance);
  const auto ask = [&](std::size_t i) { return log_delta(epsilons[i], choice); };
  auto [alone, left] = asked_one_by_one(epsilons.size() <= few_places ? epsilons.size() : 0, answers, ask);
  if (alone.size() == epsilons.size()) return alone;
  const Question question(answers + answers_of_others);
  const PartOfQuestion rest(left);
  std::vector<Bracket> out;
  for (const ProfileBracket& at : log_profile(epsilons, choice)) out.push_back(at.log_delta);
  std::vector<std::size_t> places(alone.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  fall_beside(alone, places, epsilons, state_->certain_side(), out);
  std::copy(alone.begin(), alone.end(), out.begin());
  return out;
}

std::vector<ProfileBracket> PrivacyProfile::log_profile(const std::vector<double>& epsilons,
                                                        DirectionChoice choice) const {
  return narrowed_profile(places_at(epsilons), choice);
}

std::vector<ProfileBracket> PrivacyProfile::narrowed_profile(const std::vector<ProfilePlace>& places,
                                                             DirectionChoice choice) const {
  const Question question(2);
  std::vector<ProfileBracket> out;
  bool starved = false;
  {
    const PartOfQuestion shared(0.5 * Work::left());
    out = log_profile(places, choice);
    starved = !Work::affords_piece();
  }
  std::vector<std::size_t> above;  // their floors
  std::vector<Bracket> log_delta;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].log_delta.upper <= places[i].log_floor) continue;
    above.push_back(i);
    log_delta.push_back(out[i].log_delta);
  }
  const auto is_narrow_here = [&](const Bracket& one) {
    return is_narrow_delta({one, state_->composition.is_exact()}, state_->options.tolerance);
  };
  if (!state_->ask_wide_alone(log_delta, starved, least_log_delta, is_narrow_here,
                              [&](std::size_t j) { return this->log_delta(places[above[j]].epsilon, choice); }))
    return out;
  for (std::size_t j = 0; j < above.size(); ++j) out[above[j]].log_delta = log_delta[j];
  make_fall(out, places, state_->certain_side());
  return out;
}

std::vector<ProfileBracket> PrivacyProfile::log_profile(const std::vector<ProfilePlace>& places,
                                                        DirectionChoice choice) const {
  const Question question;
  for (const ProfilePlace& place : places)
    require(!std::isnan(place.epsilon), "profile", "epsilon", place.epsilon, "a number or an infinity");
  if (state_->is_between()) {
    std::vector<double> epsilons;
    for (const ProfilePlace& place : places) epsilons.push_back(place.epsilon);
    auto [pairs, real] =
        state_->both_at([&](const PrivacyProfile& profile) { return profile.log_profile(places, choice); });
    std::vector<ProfileBracket> all = state_->of_all(std::move(pairs), real, epsilons, choice);
    make_fall(all, places, std::nullopt);  // upper ends are of laws from above, lower ends of laws from below
    return all;
  }
  std::vector<ProfileBracket> out = state_->routes.front().at_all(places, choice);
  for (std::size_t i = 1; i < state_->routes.size(); ++i) {
    const std::vector<ProfileBracket> found = state_->routes[i].at_all(places, choice, &out);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = smaller(out[j], found[j]);
  }
  make_fall(out, places, state_->routes.front().certain_side());
  // Last: the conversion's search may miss its least by a digit, so that what it finds does not quite fall.
  if (state_->converted)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = smaller(out[j], state_->converted->at(places[j].epsilon));
  return out;
}

Bracket PrivacyProfile::delta(double epsilon, DirectionChoice choice) const {
  return state_->ask_delta(epsilon, choice);
}

std::optional<Bracket> PrivacyProfile::on_lattice(double delta, DirectionChoice choice, double tolerance) const {
  if (!state_->lattice || !(delta > 0 && delta < 1) || state_->goes_by_others) return std::nullopt;
  if (state_->is_between()) {
    const auto pairs = state_->of_pairs->on_lattice(delta, choice, tolerance);
    if (!pairs) return std::nullopt;
    if (state_->attained.front().composition().releases().empty()) return rising(*pairs, at_least(-infinity));
    std::optional<Bracket> attained;
    for (const PrivacyProfile& one : state_->attained) {
      const auto found = one.on_lattice(delta, choice, infinity);
      if (!found) return std::nullopt;
      attained = attained ? larger(*attained, *found) : *found;
    }
    return rising(*pairs, *attained);
  }
  std::vector<Bracket> found;
  for (const ComposedProfile& route : state_->routes) {
    const auto one = route.epsilon_on_lattice(delta, choice);
    if (!one) return std::nullopt;
    found.push_back(*one);
  }
  if (state_->converted) found.push_back(state_->converted->epsilon(delta));
  const Bracket least = least_of(found);
  return is_narrow(least, tolerance) ? std::optional(least) : std::nullopt;
}

Bracket PrivacyProfile::epsilon(double delta, DirectionChoice choice) const {
  const Question question;
  const double tolerance = state_->epsilon_tolerance();
  // log delta falls by at least log(1/delta) / epsilon with epsilon: as narrow as the profile is on its lattice.
  const double as_profile = state_->options.tolerance / std::max(1.0, -std::log(delta));
  if (const auto found = on_lattice(delta, choice, std::max(tolerance, as_profile))) return *found;
  return pld::epsilon(state_->composition,
                      {.delta = delta, .tolerance = tolerance, .direction = choice, .engine = state_->options.engine});
}

std::vector<Bracket> PrivacyProfile::epsilon(const std::vector<double>& deltas, DirectionChoice choice) const {
  const double answers = answers_of<EpsilonQuery>(state_->epsilon_tolerance());
  for (const double delta : deltas) require(delta >= 0 && delta <= 1, "epsilon", "delta", delta, "0 <= delta <= 1");
  std::vector<double> falling = deltas;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  falling.erase(std::unique(falling.begin(), falling.end()), falling.end());
  const auto place_of = [&](double delta) {
    return static_cast<std::size_t>(std::lower_bound(falling.begin(), falling.end(), delta, std::greater<>()) -
                                    falling.begin());
  };
  std::vector<std::size_t> places;  // in the order they are asked for
  if (falling.size() <= few_places)
    for (const double delta : deltas)
      if (std::find(places.begin(), places.end(), place_of(delta)) == places.end()) places.push_back(place_of(delta));
  const auto ask = [&](std::size_t i) { return epsilon(falling[places[i]], choice); };
  const auto [alone, left] = asked_one_by_one(places.size(), answers, ask);
  std::vector<Bracket> found(falling.size());
  if (alone.size() < falling.size()) {
    const Question question(answers + answers_of_others);
    const PartOfQuestion rest(left);
    found = falling_epsilons(falling, choice);
    fall_beside(alone, places, falling, state_->certain_side(), found);
  }
  for (std::size_t i = 0; i < alone.size(); ++i) found[places[i]] = alone[i];
  std::vector<Bracket> out;
  for (const double delta : deltas) out.push_back(found[place_of(delta)]);
  return out;
}

std::vector<Bracket> PrivacyProfile::falling_epsilons(const std::vector<double>& deltas, DirectionChoice choice) const {
  std::vector<Bracket> out;
  bool starved = false;
  {
    const PartOfQuestion shared(0.5 * Work::left());
    out = shared_epsilons(deltas, choice);
    starved = !Work::affords_piece();
  }
  const auto is_narrow_here = [&](const Bracket& one) {
    return is_narrow_epsilon({one, state_->composition.is_exact()}, state_->options.tolerance);
  };
  state_->ask_wide_alone(out, starved, 0, is_narrow_here, [&](std::size_t i) { return epsilon(deltas[i], choice); });
  make_fall(out);
  return out;
}

/// Of different deltas, by readings that serve all.
std::vector<Bracket> PrivacyProfile::shared_epsilons(const std::vector<double>& deltas, DirectionChoice choice) const {
  std::vector<Bracket> out(deltas.size(), {-infinity, 0, infinity});
  const auto solve_alone = [&](std::size_t i, double share_of_work) {
    return out[i] = with_share(share_of_work, [&] { return epsilon(deltas[i], choice); });
  };
  // From either end the first that may have a finite epsilon: the others lie between these.
  const auto may_be_finite = [&](std::size_t i) {
    const Bracket found = solve_alone(i, 0.125);
    const bool estimated =
        std::isfinite(found.estimate) || !state_->ways.empty();  // which may take more work than that
    return found.lower < infinity && found.upper > -infinity && estimated;
  };
  std::vector<std::size_t> order(deltas.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto first = order.begin(), last = order.end();
  if (deltas.back() == 0) solve_alone(*--last, 0.125);
  while (first != last && !may_be_finite(*first))
    if (out[*first++].lower == infinity) first = last;  // so are those of all smaller deltas
  if (first != last && !may_be_finite(*std::prev(last)))
    last = std::partition_point(first, std::prev(last), may_be_finite);
  if (first != last) {
    const std::size_t begin = *first, end = *std::prev(last);
    const std::vector<double> between(deltas.begin() + static_cast<std::ptrdiff_t>(begin),
                                      deltas.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    const auto near = [&](std::size_t i) { return std::isfinite(out[i].estimate) ? out[i].estimate : 1; };
    const auto found = state_->epsilons(between, {near(begin), near(end)}, choice);
    for (std::size_t i = begin; i <= end; ++i) {
      const Bracket& shared = found[i - begin];
      const bool is_end = i == begin || i == end;
      if (is_end ? shared.width() < out[i].width() : std::isfinite(shared.upper) || !Work::affords_piece())
        out[i] = shared;
      else if (!is_end)
        solve_alone(i, 0.5);
    }
  }
  return out;
}

Direction PrivacyProfile::worst_direction(double epsilon) const {
  if (state_->is_between()) return state_->of_pairs->worst_direction(epsilon);
  const double remove = log_profile(epsilon, DirectionChoice::remove).log_delta.estimate;
  return remove >= log_profile(epsilon, DirectionChoice::add).log_delta.estimate ? Direction::remove : Direction::add;
}

Bracket PrivacyProfile::largest_loss(DirectionChoice choice) const {
  const Question question;
  if (!state_->is_between()) return state_->routes.front().largest_loss(choice);
  if (loses_without_end(state_->composition, choice)) return {infinity, infinity, infinity};
  Bracket pairs = state_->of_pairs->largest_loss(choice);
  // Where the pairs lose infinitely, real neighbours may lose more than any of the pairs' finite losses.
  if (state_->of_pairs->state_->routes.front().at(infinity, choice).log_delta.upper > -infinity) pairs.upper = infinity;
  return rising(pairs,
                most_attained(state_->attained, [&](const PrivacyProfile& one) { return one.largest_loss(choice); }));
}

bool PrivacyProfile::knows_law() const { return is_convex(*this) && state_->routes.front().knows_law(); }

bool is_convex(const PrivacyProfile& profile) {
  return profile.state_->routes.size() == 1 && !profile.state_->converted;
}

const PrivacyProfile& PrivacyProfile::of_pairs() const { return *state_->of_pairs; }
std::vector<PrivacyProfile> PrivacyProfile::attained() const { return state_->attained; }
const Composition& PrivacyProfile::composition() const { return state_->composition; }
const ProfileOptions& PrivacyProfile::options() const { return state_->options; }

}  // namespace pld
