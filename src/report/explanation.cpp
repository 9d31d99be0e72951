#include "report/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "account/all_neighbours.hpp"
#include "account/boxed_kinds.hpp"
#include "account/common_lattice.hpp"
#include "account/directed_run.hpp"
#include "account/engine_refusals.hpp"
#include "account/larger_of.hpp"
#include "account/profile_on_lattice.hpp"
#include "core/intersection.hpp"
#include "core/opposite_direction.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/question.hpp"
#include "formats/answer_fields.hpp"
#include "formats/selection_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/core/time_limit.hpp"
#include "pld/readout/attack_risk.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/divergence.hpp"
#include "pld/readout/loss_moments.hpp"
#include "pld/readout/trade_off.hpp"
#include "sampling/sampled_laws.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

constexpr double least_delta = 1e-10;

/// The rows of a page, the largest delta first.
std::vector<double> deltas_beside(double delta) {
  std::vector<double> all{1e-5, usual_delta, 1e-9, 1e-12};
  if (std::find(all.begin(), all.end(), delta) == all.end()) all.push_back(delta);
  std::sort(all.begin(), all.end(), std::greater());
  return all;
}

/// More different releases take a lattice of all of them, for every number on the page.
constexpr std::size_t few = 8;

/// The work of a page, in that of single answers: it is to take no longer than they may.
constexpr int answers_of_a_page = 2;

/// What it takes to cut the laws for a lattice, in points; those that are converted from divergences first most.
double points_of_cutting(const Composition& composition) {
  constexpr double points_a_kind = 2.5e5, points_of_converting = 2.5e6;
  double points = 0;
  for (const Release& release : composition.releases())
    points += release.mechanism.pair(Direction::remove)->renyi_curve() ? points_of_converting : points_a_kind;
  return points;
}

/// The lattice that a page of many kinds is read off: each law is cut for it once. null where there are few, or more
/// than there is work for. `least` is the least delta.
CommonLatticePtr lattice_for_page(const Composition& composition, double least, double tolerance, Engine engine) {
  const auto& releases = composition.releases();
  if (releases.size() <= few || composition.neighbours().group != 1) return nullptr;
  if (engine != Engine::automatic && engine != Engine::lattice) return nullptr;
  constexpr double share_of_work = 0.6;
  if (points_of_cutting(composition) > share_of_work * Work::left()) return nullptr;
  const bool atoms = std::any_of(releases.begin(), releases.end(), [](const Release& release) {
    const PairPtr pair = release.mechanism.pair(Direction::remove);
    return !pair->has_density() || !pair->atoms(pair->range()).empty();
  });
  const double spare = atoms ? 160 : 10;  // what rounding to one grid costs, where atoms miss it above all
  return std::make_shared<const CommonLattice>(grid_for_kinds(composition, least, tolerance / spare));
}

/// epsilon of all releases, from above, and of all but one, as near as each other.
struct Leaving {
  double all = 0;
  std::vector<Finding> without;
};

/// From one query each. None where too little work is left.
std::optional<Leaving> without_each(const Composition& composition, const EpsilonQuery& query, double epsilon) {
  constexpr double points_to_look_at_a_kind = 1300;  // whatever a query asks of it
  const auto& releases = composition.releases();
  const double points = points_to_look_at_a_kind * kinds_by_work(composition);
  if (points * static_cast<double>(releases.size()) > Work::left()) return std::nullopt;
  Leaving found{epsilon, {}};
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (!Work::affords_piece()) return std::nullopt;
    Work::note(points);
    Composition without(composition.neighbours());
    for (std::size_t j = 0; j < releases.size(); ++j)
      if (j != i) without.add(releases[j].mechanism, releases[j].count);
    found.without.push_back(pld::epsilon(without, query));
  }
  return found;
}

/// The releases' pairs, or those that real neighbours attain of them: of nothing where none is known.
Terms terms_of(const Composition& composition, Direction direction, bool attained) {
  Terms terms;
  for (const Release& release : composition.releases()) {
    const Law& own = release.mechanism.law();
    const auto known = attained ? attained_law(own) : nullptr;
    const Law taken = !attained ? own : known ? *known : law_of_nothing(release.mechanism.text());
    terms.push_back({direction == Direction::remove ? taken.remove : taken.add, release.count});
  }
  return terms;
}

std::optional<CommonLattice::WithoutEach> worst_without_each(const CommonLattice& lattice,
                                                             const Composition& composition, double delta,
                                                             double spacing, bool attained) {
  const auto in = [&](Direction direction) {
    return lattice.without_each(terms_of(composition, direction, attained), delta, spacing);
  };
  std::optional<CommonLattice::WithoutEach> worst = in(Direction::remove);
  if (!worst || symmetric(composition)) return worst;
  const std::optional<CommonLattice::WithoutEach> add = in(Direction::add);
  if (!add) return add;
  worst->all = larger(worst->all, add->all);
  for (std::size_t i = 0; i < add->without.size(); ++i) worst->without[i] = larger(worst->without[i], add->without[i]);
  return worst;
}

/// The same of many, on a lattice no finer than they need.
std::optional<Leaving> without_each_of_many(const CommonLattice& lattice, const Composition& composition,
                                            const EpsilonQuery& query) {
  const double spacing = grid_for_kinds(composition, query.delta, query.tolerance).spacing;
  const auto of = [&](bool attained) {
    return worst_without_each(lattice, composition, query.delta, spacing, attained);
  };
  const auto pairs = of(false), attained = composition.is_one_profile() ? pairs : of(true);
  if (!pairs || !attained) return std::nullopt;
  Leaving found{pairs->all.upper, {}};
  for (std::size_t i = 0; i < pairs->without.size(); ++i)
    found.without.push_back({rising(pairs->without[i], attained->without[i]), composition.is_exact()});
  return found;
}

/// The sections of a page. Each may take some times its share of the work that is left, by its weight among those to
/// come: most take little.
class Sections {
 public:
  explicit Sections(double weights) : left_(weights) {}

  template <class Section>
  auto write(double weight, const Section& section) {
    constexpr double times = 3;  // of a small share; the last section takes all
    const double share = weight / left_;
    const PartOfQuestion part(Work::left() * share * (times - (times - 1) * share));
    left_ -= weight;
    return section();
  }
  /// So much more is to be written.
  void add(double weight) { left_ += weight; }

 private:
  double left_;
};

Answer worse(const Answer& remove, const Answer& add) {
  Answer out = remove.estimate >= add.estimate ? remove : add;
  static_cast<Bracket&>(out) = larger(remove, add);
  out.converged = remove.converged && add.converged;
  return out;
}

/// `whole` is the answer for all of them. None where the time is up.
std::vector<Share> shares_of(const Composition& composition, const CommonLatticePtr& lattice, EpsilonQuery query,
                             const Answer& whole) {
  std::vector<Share> shares;
  const auto& releases = composition.releases();
  if (releases.size() < 2 || TimeLimit::is_over()) return shares;
  if (releases.size() > few) query.tolerance = std::max(query.tolerance, 1e-3);  // each costs little, and as much time
  std::optional<Leaving> leaving =
      lattice ? without_each_of_many(*lattice, composition, query) : without_each(composition, query, whole.upper);
  if (!leaving) return shares;
  // Guarantees may be known better together than pair by pair, as a lattice has them.
  constexpr double near = 1.01;
  const bool as_whole = leaving->all <= near * whole.upper;
  if (!as_whole)
    if (auto asked = without_each(composition, query, whole.upper)) leaving = std::move(asked);
  const double all = as_whole ? leaving->all : whole.upper;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    Share share{.place = i,
                .mechanism = releases[i].mechanism.text(),
                .count = releases[i].count,
                .epsilon_without = leaving->without[i]};
    Finding& without = share.epsilon_without;
    const double most = std::min(without.upper, whole.upper);  // less is released, whatever is known of it
    if (std::isfinite(all) && all > 0) share.share = (all - (as_whole ? without.upper : most)) / all;
    without.upper = most, without.estimate = std::min(without.estimate, most);
    shares.push_back(share);
  }
  std::stable_sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.share > b.share; });
  return shares;
}

/// None where the work left is too little, or a loss is infinite.
std::optional<CentralLimit> central_limit_of(const Composition& composition, Direction direction) try {
  constexpr double tolerance = 1e-4;  // more than the page prints
  const auto moments = loss_moments(composition, direction, tolerance);
  if (!moments || !(moments->variance.estimate > 0)) return std::nullopt;
  return CentralLimit{moments->limit_mu(), moments->berry_esseen_error()};
} catch (const WorkSpent&) {
  return std::nullopt;
}

std::string text_of(const Neighbours& neighbours) {
  const bool one = neighbours.group == 1;
  const std::string differ = "neighbouring data sets differ by " +
                             (one ? "one record, " : "up to " + std::to_string(neighbours.group) + " records, ");
  switch (neighbours.relation) {
    case Relation::replace_one:
      return differ + (one ? "replaced by another" : "each replaced by another");
    case Relation::zero_out:
      return differ + "blanked out in one of them: a null record contributes nothing, as one that is not there";
    case Relation::add_remove:
      break;
  }
  return differ + (one ? "added or removed (a replaced record is two steps)" : "all added or all removed");
}

/// Into `out.named`, of a selection what it tries.
void name_tried(const Entry& selection, const Neighbours& neighbours, Explanation& out) {
  for (const Entry& entry : selection.tried) {
    if (!entry.tries.empty()) {
      name_tried(entry, neighbours, out);
      continue;
    }
    const Release one = release_of(entry);
    out.named.push_back({one.mechanism.under(neighbours), one.count});
  }
}

/// Into `out.named` and `out.selects`.
void name_releases(const Composition& composition, Explanation& out) {
  for (const Release& release : composition.releases()) {
    const auto selection = selection_from_text(release.mechanism.text());
    if (!selection) {
      out.named.push_back(release);
      continue;
    }
    out.selects = true;
    name_tried(*selection, composition.neighbours(), out);
  }
}

/// Whether the law of what is released holds for a query that a record moves one way only: noise of unlike tails.
bool only_of_raised_queries(const Mechanism& mechanism) {
  const Mechanism* noise = &mechanism;
  while (noise->sampling()) noise = noise->sampling()->base.get();
  for (const std::string_view type : {"binomial:", "poisson-difference:", "integer-noise:"})
    if (noise->text().starts_with(type)) return !noise->symmetric();
  return false;
}

std::vector<std::string> assumptions_of(const Explanation& explanation, const Composition& composition) {
  std::vector<std::string> out{text_of(composition.neighbours())};
  const auto any = [&](const auto& holds) {
    return std::any_of(explanation.named.begin(), explanation.named.end(),
                       [&](const Release& release) { return holds(release.mechanism); });
  };
  for (const SamplingScheme& scheme : sampling_schemes()) {
    const bool used = any([&](const Mechanism& mechanism) {
      return mechanism.sampling() && sampling_scheme(mechanism.sampling()->numbers) == &scheme;
    });
    if (used && !scheme.assumption.empty()) out.push_back(scheme.assumption);
  }
  out.emplace_back(
      composition.relation() == Relation::replace_one
          ? "one record more or less changes a query, or a candidate's utility, by no more than the sensitivity named, "
            "a replaced one by twice that or by replace_sensitivity"
          : "one record changes a query, or a candidate's utility, by no more than the sensitivity named");
  if (any(only_of_raised_queries))
    out.emplace_back("a record only raises the query where its noise is not symmetric, as of a count, in all releases");
  if (any([](const Mechanism& mechanism) { return mechanism.law().kind.guarantee; }))
    out.emplace_back("what is named by a guarantee keeps it, for these neighbours: that is not checked here");
  if (explanation.selects)
    out.emplace_back(
        "the best of several tries is put out alone: nobody sees the others, nor how many there were; that number is "
        "drawn from the law named, whatever the data are");
  out.emplace_back(
      "the attacker sees every output that is released; what is asked of the data may depend on earlier outputs, the "
      "mechanisms and their parameters not: they are fixed in advance");
  out.emplace_back(
      "random numbers are drawn from the laws named, not from floating-point imitations of them, and nobody sees them");
  return out;
}

void narrow(Bracket& one, const Bracket& by) { one = intersection(one, by); }

/// Epsilon falls as delta rises: what is proved at one bounds the others from its side. By falling delta.
void keep_falling(std::vector<Explanation::EpsilonAt>& epsilons) {
  for (std::size_t i = 1; i < epsilons.size(); ++i) narrow(epsilons[i].answer, at_least(epsilons[i - 1].answer.lower));
  for (std::size_t i = epsilons.size(); i-- > 1;) narrow(epsilons[i - 1].answer, at_most(epsilons[i].answer.upper));
}

/// Any test has at most delta + e^epsilon times as many true positives as false ones.
void keep_within(Bracket& tpr, double fpr, const std::vector<Explanation::EpsilonAt>& epsilons) {
  for (const auto& [delta, answer] : epsilons) narrow(tpr, at_most(round_up(delta + std::exp(answer.upper) * fpr, 8)));
}

}  // namespace

const Answer& Explanation::answer() const {
  const auto is_asked = [this](const EpsilonAt& one) { return one.delta == delta; };
  return std::find_if(epsilons.begin(), epsilons.end(), is_asked)->answer;
}

bool Explanation::converged() const {
  return std::all_of(epsilons.begin(), epsilons.end(), [](const EpsilonAt& e) { return e.answer.converged; });
}

void Explanation::assume_sampler(const std::string& sampler) {
  if (!sampler.empty()) assumptions.push_back("no sampler was named: that it is " + sampler + " is taken for granted");
}

Explanation explanation_of(const Composition& composition, double tolerance, Engine engine, double delta) {
  require(delta > 0 && delta < 1, "explain", "delta", delta,
          "0 < delta < 1: epsilon at delta 0, the largest loss, is a row of every page (and `pld epsilon --delta 0`)");
  constexpr double light = 1, heavy = 3, heaviest = 10;
  const std::vector<double> deltas = deltas_beside(delta);
  const double weights = 4 * light + (3 + static_cast<double>(deltas.size())) * heavy + heaviest;
  const Question question(answers_of_a_page);
  Sections page(weights);
  Explanation out;
  out.exact = composition.is_exact(), out.only_guaranteed = composition.is_only_guaranteed();
  out.delta = delta;
  constexpr double fine = 1e-3;
  const auto query = [&](double at, DirectionChoice choice) {
    return EpsilonQuery{.delta = at, .tolerance = tolerance, .direction = choice, .engine = engine};
  };
  const auto removal = [&](const Composition& of, double weight) {
    return page.write(weight, [&] { return epsilon_with_points(of, query(delta, DirectionChoice::remove)); });
  };
  CountedAnswer first = removal(composition, heavy);
  // Where there is too little work for very many kinds, all sections are about the same boxes of them.
  constexpr double most_kinds = 500, boxes = 128;
  const bool has_few = first.answer.converged || kinds_by_work(composition) <= most_kinds;
  const Composition kinds = has_few ? composition : with_few_kinds(composition, boxes);
  if (!has_few) {
    page.add(heaviest);
    const Bracket of_all = first.answer;
    first = removal(kinds, heaviest);  // which makes what all others are made of
    narrow(first.answer, of_all);
  }
  out.remove = first.answer;
  const CommonLatticePtr lattice = lattice_for_page(kinds, deltas.back(), tolerance, engine);
  // What takes a lattice anyway, or as much work, is read off the page's own.
  constexpr double points_a_kind = 2.5e5;
  const double little = points_a_kind * static_cast<double>(kinds.releases().size());
  const bool is_on_lattice = lattice && (first.answer.engine == Engine::lattice || first.points > little);
  const PrivacyProfile profile =
      profile_on(kinds, {.tolerance = fine, .engine = engine}, is_on_lattice ? lattice : nullptr);
  const auto read = [&](double at, DirectionChoice choice) {
    return epsilon_on_lattice(profile, at, choice, infinity);
  };
  const auto of_lattice = page.write(heaviest, [&] {
    const auto of_both = read(delta, DirectionChoice::worst);  // composes what all rows are read off
    return of_both ? read(delta, DirectionChoice::remove) : std::nullopt;
  });
  // Where asking alone has told less, it is not done again.
  const bool lattice_serves = of_lattice && !first.answer.converged && of_lattice->width() <= first.answer.width();
  const auto epsilon_at = [&](double at, DirectionChoice choice) -> Answer {
    const auto on_page = [&](const Bracket& found, bool converged) -> Answer {
      return {{found, out.exact, out.only_guaranteed}, one_of(choice), Engine::lattice, converged};
    };
    if (const auto found = epsilon_on_lattice(profile, at, choice, tolerance)) return on_page(*found, true);
    const auto wide = read(at, choice);
    if (lattice_serves && wide) return on_page(*wide, false);
    const Answer alone = pld::epsilon(kinds, query(at, choice));
    return wide && !alone.converged && wide->upper < alone.upper ? on_page(*wide, false) : alone;
  };
  if (lattice_serves) out.remove = epsilon_at(delta, DirectionChoice::remove);
  // Both ends are those of the other direction: neighbours may attain less than a pair that is symmetric.
  const bool is_alike = symmetric(kinds) && symmetric(kinds.attained());
  out.add = page.write(heavy, [&] { return is_alike ? out.remove : epsilon_at(delta, DirectionChoice::add); });
  for (const double at : deltas) {
    const auto in = [&](DirectionChoice choice) { return epsilon_at(at, choice); };
    const auto found = [&] {
      if (at == delta) return worse(out.remove, out.add);
      if (!is_on_lattice || symmetric(kinds)) return in(DirectionChoice::worst);
      return worse(in(DirectionChoice::remove), in(DirectionChoice::add));
    };
    out.epsilons.push_back({at, page.write(heavy, found)});
  }
  keep_falling(out.epsilons);
  for (Answer* one : {&out.remove, &out.add}) narrow(*one, at_most(out.answer().upper));
  const EpsilonQuery without_one{.delta = delta, .tolerance = tolerance};
  out.shares = page.write(heavy, [&] { return shares_of(kinds, lattice, without_one, worse(out.remove, out.add)); });

  page.write(light, [&] {
    out.advantage = membership_advantage(profile);
    out.bayes_error = bayes_error(profile, 0.5);
  });
  const auto at_rates = page.write(light, [&] { return TradeOff(profile).at(std::vector{0.01, 0.001}); });
  out.tpr_one_percent = at_rates[0].power, out.tpr_one_permille = at_rates[1].power;
  keep_within(out.tpr_one_percent, 0.01, out.epsilons);
  keep_within(out.tpr_one_permille, 0.001, out.epsilons);
  out.least_delta = least_delta;
  out.gaussian = page.write(light, [&] { return compare_with_gaussian(profile, least_delta, 1e-3); });
  const Direction worst = out.remove.estimate >= out.add.estimate ? Direction::remove : Direction::add;
  page.write(light, [&] {
    out.central_limit = central_limit_of(composition, worst);
    out.rho = zcdp_rho(composition);
  });
  out.pure_epsilon = max_divergence(composition);
  name_releases(composition, out);
  out.assumptions = assumptions_of(out, composition);
  return out;
}

std::optional<ShuffledInstead> shuffled_instead(const std::vector<Entry>& entries, double delta,
                                                const Finding& poisson) {
  if (entries.size() != 1 || !entries.front().sampling.contains("poisson")) return std::nullopt;
  Entry entry = entries.front();
  const double rate = entry.sampling.at("poisson");
  const double batches = std::ceil(1 / rate), passes = std::floor(static_cast<double>(entry.count) * rate);
  if (!(batches >= 2 && batches <= 1e9 && passes >= 1)) return std::nullopt;
  entry.sampling = {{"shuffled", batches}};
  entry.count = static_cast<std::int64_t>(passes);
  try {
    Composition composition(Relation::zero_out);
    const Release release = release_of(entry);
    composition.add(release.mechanism, release.count);
    return ShuffledInstead{static_cast<std::int64_t>(batches), entry.count, delta,
                           pld::epsilon(composition, {.delta = delta}), poisson};
  } catch (const MissingTheorem&) {
    return std::nullopt;
  }
}

OrderedJson explanation_fields(const Explanation& e, const Composition& composition, double tolerance) {
  const auto loss = [&](const Bracket& bracket) { return json_finding({bracket, e.exact}); };
  const auto of_all_epsilons = [&](const Bracket& bracket) {
    return json_finding({bracket, composition.has_worst_neighbours()});
  };
  OrderedJson out = {{"query", "explain"}};
  add_whose(out, {Bracket{}, e.exact, e.only_guaranteed});
  out["epsilons"] = OrderedJson::array();
  for (const auto& [delta, answer] : e.epsilons)
    out["epsilons"].push_back({{"delta", delta},
                               {"epsilon", json_finding(answer)},
                               {"direction", name(answer.direction)},
                               {"engine", name(answer.engine)},
                               {"converged", answer.converged}});
  out["directions"] = {{"delta", e.delta}, {"remove", json_finding(e.remove)}, {"add", json_finding(e.add)}};
  out["advantage"] = loss(e.advantage);
  out["bayes_error"] = json_bracket(e.bayes_error);
  out["tpr_at_fpr"] = {{"0.01", of_all_epsilons(e.tpr_one_percent)}, {"0.001", of_all_epsilons(e.tpr_one_permille)}};
  out["gaussian"] = {{"least_delta", e.least_delta},
                     {"smallest_mu", loss(e.gaussian.smallest_mu)},
                     {"largest_mu", loss(e.gaussian.largest_mu)}};
  if (e.central_limit)
    out["central_limit"] = {{"mu", json_bracket(e.central_limit->mu)},
                            {"berry_esseen_error", json_bracket(e.central_limit->berry_esseen_error)}};
  out["zcdp_rho"] = of_all_epsilons(e.rho);
  out["pure_epsilon"] = loss(e.pure_epsilon);
  out["shares"] = OrderedJson::array();
  for (const Share& share : e.shares)
    out["shares"].push_back({{"place", share.place},
                             {"mechanism", share.mechanism},
                             {"count", share.count},
                             {"epsilon_without", json_finding(share.epsilon_without)},
                             {"share", json_number(share.share)}});
  out["assumptions"] = e.assumptions;
  add_composition(out, composition);
  add_options(out, DirectionChoice::worst, tolerance);
  return out;
}

}  // namespace pld
