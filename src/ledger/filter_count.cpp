#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <optional>

#include "core/standard_arithmetic.hpp"
#include "formats/tries_text.hpp"
#include "numeric/exact_fraction.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/privacy_filter.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/divergence.hpp"
#include "readout/gaussian_mu.hpp"

namespace pld {

namespace {

constexpr const char* in_filter = "filter";

Fraction required_fraction(const std::string& text) {
  const auto read = fraction_from_text(text);
  if (!read) throw ReadError(in_filter, "sum", "'" + text.substr(0, 40) + "'", "a fraction, as 3/5000");
  return *read;
}

/// What filters go by: one release under the relation, as (epsilon, delta)-DP where it is, and how many like it.
class CountedRelease {
 public:
  CountedRelease(const Entry& entry, const Neighbours& neighbours)
      : entry_(entry),
        neighbours_(neighbours),
        counted_as_(counted_as(entry, neighbours)),
        times_(is_told() ? releases_of_a_record(entry) : 1),
        mechanism_(release_of(counted_as_).mechanism.under(neighbours)),
        guarantee_(guarantee_of(counted_as_, neighbours)) {
    if (!entry.tries.empty()) count_tries();
    if (tries_) return;
    if (guarantee_ && has_infinite_losses(mechanism_.law())) return;  // of a converted pair, which are none of its own
    for (const Direction direction : {Direction::remove, Direction::add}) add(*mechanism_.pair(direction));
    if (neighbours.group > 1 && delta_ == 1)
      count_one_by_one();
    else if (counted_as_.sampling.empty())
      count_as_written();
  }

  [[nodiscard]] std::string text() const { return release_of(entry_).mechanism.under(neighbours_).text(); }

  /// The delta of the (loss, delta)-DP that its losses imply. Above 0 nothing but that is used of it.
  [[nodiscard]] Fraction delta() const { return std::min<Fraction>(1, times_ * delta_); }

  /// Whether no infinite loss of real neighbours is known: those of the pair are then what it was rounded up by.
  [[nodiscard]] bool only_bounded_by_them() const {
    const auto attained = attained_law(mechanism_.law());
    return attained && !has_infinite_losses(*attained);
  }

  [[nodiscard]] std::optional<Fraction> epsilon() const { return of_all(loss_); }

  [[nodiscard]] std::optional<Fraction> rho() const { return of_all(rho_of_one()); }

  [[nodiscard]] std::optional<Fraction> divergence(double order) const {
    const auto told = of_all(divergence_of_one(order));
    const bool knows_its_own = is_told() && delta_ == 0 && !guarantee_;
    if (!knows_its_own) return told;
    const auto own = finite(divergence_of(entry_, order));
    return told && own ? std::min(*told, *own) : told ? told : own;
  }

  [[nodiscard]] std::optional<Fraction> squared_gdp() const { return of_all(squared_gdp_of_one()); }

 private:
  [[nodiscard]] std::optional<Fraction> of_all(const std::optional<Fraction>& one) const {
    return one ? std::optional<Fraction>(times_ * *one) : std::nullopt;
  }

  /// D_alpha <= rho alpha at every order alpha > 1. Sampling adds nothing: divergences of mixtures with equal weights
  /// are at most the largest of their parts' (van Erven, Harremoes 2014, theorem 13).
  [[nodiscard]] std::optional<Fraction> rho_of_one() const {
    if (gives_nothing()) return Fraction(0);
    std::optional<Fraction> least;
    const auto offer = [&](const Fraction& rho) { least = least ? std::min(*least, rho) : rho; };
    if (loss_) offer(rho_of_pure_dp(*loss_));
    if (delta_ > 0) return least;
    if (const auto squared = squared_mu()) offer(*squared / 2);
    if (const auto own = rho_by_name()) offer(*own);
    const double slope =
        std::max(mechanism_.pair(Direction::remove)->renyi_slope(), mechanism_.pair(Direction::add)->renyi_slope());
    // Above that of the numbers as written, of which doubles are half a unit apart and their squares a whole one.
    if (slope < infinity) offer(fraction_of(round_up(slope, 8)));
    const bool no_more_to_know = least && (is_known_exactly() || tries_);
    if (const auto read = no_more_to_know ? std::nullopt : finite(zcdp_rho(one_release(counted_as_)).upper))
      offer(*read);
    return least;
  }

  /// Whether what its name says is what some neighbours lose, so that nothing less can be read off its divergences. Of
  /// Gaussian noise samples come to it at large orders, unless both values of a replaced record may be left out.
  [[nodiscard]] bool is_known_exactly() const {
    if (squared_mu()) return neighbours_.relation != Relation::replace_one || !entry_.sampling.contains("poisson");
    return counted_as_.sampling.empty() && (entry_.type == "laplace" || entry_.type == "zcdp");
  }

  [[nodiscard]] std::optional<Fraction> divergence_of_one(double order) const {
    if (gives_nothing()) return Fraction(0);
    if (tries_) return divergence_of_selection(order);
    if (delta_ > 0 || one_by_one_) return loss_ ? finite(renyi_divergence(pure_dp(), order).upper) : std::nullopt;
    if (const auto squared = squared_mu(); squared && counted_as_.sampling.empty())
      return fraction_of(order) * *squared / 2;
    const double guaranteed =
        guarantee_ && order <= guarantee_->highest_order ? round_up(guarantee_->at(order), 4) : infinity;
    if (guarantee_ && !is_sample(entry_)) return finite(guaranteed);
    return finite(std::min(guaranteed, divergence_of(counted_as_, order)));
  }

  [[nodiscard]] std::optional<Fraction> squared_gdp_of_one() const {
    if (gives_nothing()) return Fraction(0);
    if (delta_ == 0 && entry_.type == "gaussian")
      if (const auto squared = squared_mu()) return squared;
    if (!loss_) return std::nullopt;
    const auto mu = finite(mu_of_pure_dp(double_above(*loss_)));
    return mu ? std::optional<Fraction>(*mu * *mu) : std::nullopt;
  }

  /// The curve of a mechanism given by its Renyi divergences, which hold of samples of it too. In a batch of a fixed
  /// size another record takes the place of one that is left out.
  static std::optional<RenyiCurve> guarantee_of(Entry entry, Neighbours neighbours) {
    if (neighbours.relation == Relation::add_remove && has_fixed_size(entry))
      neighbours.relation = Relation::replace_one;
    if (is_sample(entry)) entry.sampling.clear();
    const Mechanism whole = release_of(entry).mechanism.under(neighbours);
    const RenyiCurve* const curve = whole.pair(Direction::remove)->renyi_curve();
    return curve == nullptr ? std::nullopt : std::optional(*curve);
  }

  static bool has_infinite_losses(const Law& law) {
    return std::max(law.remove->log_mass_at_plus_infinity(), law.add->log_mass_at_plus_infinity()) > -infinity;
  }

  /// Whether a batch of a fixed size, in which another record takes the place of one left out, is (part of) the law.
  static bool has_fixed_size(const Entry& entry) {
    return entry.sampling.contains("without_replacement") || entry.sampling.contains("truncated_poisson");
  }

  static bool is_sample(const Entry& entry) {
    return entry.sampling.contains("poisson") || entry.sampling.contains("without_replacement");
  }

  [[nodiscard]] Composition one_release(const Entry& entry) const {
    return Composition(neighbours_).add(release_of(entry).mechanism);
  }
  [[nodiscard]] double divergence_of(const Entry& entry, double order) const {
    return renyi_divergence(one_release(entry), order).upper;
  }

  /// Whether it is the same law whatever the data, exactly.
  [[nodiscard]] bool gives_nothing() const { return delta_ == 0 && loss_ && *loss_ == 0; }

  /// A release that one record is in, where it is put into steps or batches: to be told which loses what all of these
  /// do (docs/random_allocation.md), and what is told loses no less. Several records may be in several steps.
  static Entry counted_as(Entry entry, const Neighbours& neighbours) {
    const bool told = entry.sampling.contains("allocation") || entry.sampling.contains("shuffled");
    if (told && neighbours.group == 1) entry.sampling.clear();
    return entry;
  }

  [[nodiscard]] bool is_told() const { return counted_as_.sampling != entry_.sampling; }

  static Fraction releases_of_a_record(const Entry& entry) {
    Fraction all = 1;
    for (const char* number : {"participations", "passes"})
      if (const auto given = entry.sampling.find(number); given != entry.sampling.end())
        all *= fraction_of(given->second);
    return all;
  }

  /// Whether no more is lost than on all data under the same relation.
  [[nodiscard]] bool loses_no_more_than_whole() const {
    return counted_as_.sampling.empty() || entry_.sampling.contains("poisson");
  }

  /// A selection of tries that are epsilon-DP is (2 + shape) epsilon-DP (Papernot, Steinke 2022), and no loss is above
  /// that of its pair, which goes by the run's profile.
  void count_tries() {
    tries_ = tries_from_text(entry_.tries, in_filter);
    Fraction sum = 0;
    for (const Entry& each : entry_.tried) {
      const CountedRelease one(each, neighbours_);
      const auto epsilon = one.epsilon();
      if (!epsilon || one.delta() > 0) return;
      sum += each.count * *epsilon;
    }
    // A pair that is rounded up to some mass at infinity says nothing of pure DP.
    if (!has_infinite_losses(mechanism_.law())) add(*mechanism_.pair(Direction::remove));
    if (tries_->law != Tries::Law::negative_binomial) return;
    const Fraction of_tries = (2 + decimal_of(tries_->shape)) * sum;
    loss_ = loss_ ? std::min(*loss_, of_tries) : of_tries;
  }

  /// By those of one try, D_a + (1 + shape) ((1 - 1/b) D_b + log(1/gamma) / b) + log E K / (a - 1) for any b > 1
  /// (Papernot, Steinke 2022, theorem 2); and no more than that of pure DP.
  [[nodiscard]] std::optional<Fraction> divergence_of_selection(double order) const {
    const double of_loss = loss_ ? renyi_divergence(pure_dp(), order).upper : infinity;
    if (tries_->law != Tries::Law::negative_binomial) return finite(of_loss);
    Composition one(neighbours_);
    for (const Entry& each : entry_.tried) {
      const Release release = release_of(each);
      one.add(release.mechanism, release.count);
    }
    const double own = renyi_divergence(one, order).upper + std::log(mean_of(*tries_)) / (order - 1);
    const auto bound = [&](double log_more) {
      const double b = 1 + std::exp(log_more);
      const double others = (1 - 1 / b) * renyi_divergence(one, b).upper - std::log(tries_->gamma) / b;
      return std::min(1e300, own + (1 + tries_->shape) * others);
    };
    constexpr double lowest = -3, highest = 8;
    constexpr int digits = 12;
    const double of_tries = boost::math::tools::brent_find_minima(bound, lowest, highest, digits).second;
    const double least = std::min(of_tries < 1e300 ? round_up(of_tries, 64) : infinity, of_loss);
    return finite(least);
  }

  /// What is (epsilon, delta)-DP for one of its k records is (k epsilon, delta (1 + e^epsilon + ... +
  /// e^((k - 1) epsilon)))-DP for a group.
  [[nodiscard]] Fraction delta_one_by_one(const Fraction& loss, const Fraction& delta) const {
    if (delta == 0) return 0;
    if (loss == 0) return std::min<Fraction>(1, group() * delta);
    const double epsilon = double_above(loss);
    double sum = 1;
    for (int i = 1; i < neighbours_.group; ++i) sum = round_up(sum + round_up(std::exp(i * epsilon), 4 + i * epsilon));
    return sum < infinity ? std::min<Fraction>(1, delta * fraction_of(sum)) : 1;
  }

  /// A group of which no pair is known.
  void count_one_by_one() {
    const CountedRelease one(entry_, neighbours_.relation);
    one_by_one_ = true;
    const auto epsilon = one.epsilon();
    delta_ = epsilon ? delta_one_by_one(*epsilon, one.delta()) : one.delta();
    loss_.reset();
    if (epsilon) loss_ = group() * *epsilon;
  }

  /// What the numbers say that a person wrote, where doubles next to them would be added.
  void count_as_written() {
    if (const auto loss = loss_by_name()) loss_ = *loss;
    if (entry_.type == "dp") delta_ = delta_one_by_one(parameter("epsilon", 0), parameter("delta", 0));
  }

  void add(const DominatingPair& pair) {
    const double log_mass = pair.log_mass_at_plus_infinity();
    if (log_mass > -infinity)
      delta_ = std::max(delta_, fraction_of(std::min(1.0, round_up(std::exp(log_mass), 8 - 2 * log_mass))));
    Fraction loss = 0;
    if (const auto exact = pair.exact_highest()) {
      loss = fraction_of(exact->rate) * fraction_of(exact->times) / fraction_of(exact->over);
    } else {
      const double highest = pair.range().highest;
      if (highest == infinity) bounded_ = false, loss_.reset();
      const double above = highest < infinity ? highest + pair.loss_error({highest, highest}) : 0;
      if (above > 0) loss = fraction_of(round_up(above));
    }
    if (bounded_) loss_ = loss_ ? std::max(*loss_, loss) : loss;
  }

  [[nodiscard]] Fraction parameter(const char* name, double otherwise) const {
    const auto given = entry_.parameters.find(name);
    return decimal_of(given == entry_.parameters.end() ? otherwise : given->second);
  }

  /// What replacing a record, or changing a group, multiplies a sensitivity, or the exponent of a selection, by.
  [[nodiscard]] Fraction moved() const { return (replaces() ? 2 : 1) * group(); }
  [[nodiscard]] Fraction group() const { return neighbours_.group; }
  [[nodiscard]] bool replaces() const {
    return neighbours_.relation == Relation::replace_one ||
           (neighbours_.relation == Relation::add_remove && has_fixed_size(entry_));
  }

  /// How far neighbours move the query.
  [[nodiscard]] Fraction distance() const {
    const Fraction replaced = parameter("replace_sensitivity", 0);
    return replaces() && replaced > 0 ? group() * replaced : moved() * parameter("sensitivity", 1);
  }

  /// The square of distance(). A replace_sensitivity of discrete Gaussian noise that is not whole stands for sqrt(2): a
  /// record moves two cells by 1.
  [[nodiscard]] Fraction squared_distance() const {
    const bool two_cells =
        replaces() && entry_.type == "discrete-gaussian" && denominator(parameter("replace_sensitivity", 0)) != 1;
    const Fraction far = two_cells ? group() : distance();
    return (two_cells ? 2 : 1) * far * far;
  }

  /// The largest loss of pure DP, of mechanisms in which it is a product.
  [[nodiscard]] std::optional<Fraction> loss_by_name() const {
    const std::string& type = entry_.type;
    if (type == "dp") return group() * parameter("epsilon", 0);
    if (type == "exponential" || type == "permute-and-flip") return moved() * parameter("epsilon", 0);
    if (type == "laplace") return distance() / parameter("scale", 0);
    if (type == "report-noisy-max") return 2 * distance() / parameter("scale", 0);
    if (type == "discrete-laplace") return distance() * parameter("a", 0);
    return std::nullopt;
  }

  /// (sensitivity / sigma)^2 of Gaussian noise, and of discrete Gaussian noise, whose divergences are no larger
  /// (Canonne, Kamath, Steinke 2020, theorem 4). Samples have no more.
  [[nodiscard]] std::optional<Fraction> squared_mu() const {
    if ((!loses_no_more_than_whole() && !has_fixed_size(entry_)) ||
        (entry_.type != "gaussian" && entry_.type != "discrete-gaussian"))
      return std::nullopt;
    const Fraction sigma = parameter("sigma", 0);
    return squared_distance() / (sigma * sigma);
  }

  /// 1 + 1/2 + ... + 1/k: (xi, rho)-zCDP is (k xi of these, k^2 rho)-zCDP for groups (Bun, Steinke 2016, proposition
  /// 27), and xi <= xi alpha.
  [[nodiscard]] Fraction harmonic() const {
    Fraction sum = 0;
    for (int i = 1; i <= neighbours_.group; ++i) sum += Fraction(1) / i;
    return sum;
  }

  /// What theorems say of mechanisms with a name.
  [[nodiscard]] std::optional<Fraction> rho_by_name() const {
    if (entry_.type == "zcdp") return group() * (group() * parameter("rho", 0) + harmonic() * parameter("xi", 0));
    if (!loses_no_more_than_whole()) return std::nullopt;
    if (entry_.type == "laplace") return rho_of_laplace(distance() / parameter("scale", 0));
    if (entry_.type == "exponential") {
      const Fraction range = moved() * parameter("epsilon", 0);
      return range * range / 8;  // of a bounded range (Cesar, Rogers 2021, lemma 3.4)
    }
    return std::nullopt;
  }

  /// The mean loss epsilon + e^-epsilon - 1, and no more than epsilon^2 / 2 (docs/budgets.md, lemma 5).
  [[nodiscard]] static Fraction rho_of_laplace(const Fraction& epsilon) {
    const double above = double_above(epsilon);
    const double mean = above + std::expm1(-above);
    const Fraction exact = epsilon * epsilon / 2;
    return smaller(exact, mean + 8 * unit_roundoff * (above + 1e-300));
  }

  /// epsilon tanh(epsilon / 2), and no more than epsilon^2 / 2 (docs/budgets.md, lemma 4).
  [[nodiscard]] static Fraction rho_of_pure_dp(const Fraction& epsilon) {
    const double above = double_above(epsilon);
    const Fraction exact = epsilon * epsilon / 2;
    return smaller(exact, round_up(above * std::tanh(above / 2), 8));
  }

  [[nodiscard]] Composition pure_dp() const {
    return Composition().add(ApproximateDp{.epsilon = double_above(*loss_)});
  }

  /// Returns the lesser bound; a rounded one beyond the doubles says nothing.
  static Fraction smaller(const Fraction& exact, double rounded) {
    return rounded < infinity ? std::min(exact, fraction_of(rounded)) : exact;
  }

  static std::optional<Fraction> finite(double bound) {
    return bound < infinity ? std::optional(fraction_of(bound)) : std::nullopt;
  }

  const Entry& entry_;
  Neighbours neighbours_;
  Entry counted_as_;
  Fraction times_;
  Mechanism mechanism_;
  std::optional<RenyiCurve> guarantee_;
  std::optional<Tries> tries_{};
  bool bounded_ = true, one_by_one_ = false;
  std::optional<Fraction> loss_;
  Fraction delta_ = 0;
};

struct Refusal {
  const char *of, *accepted;
};

/// What is unknown of a release that the filter cannot take, and which filter may.
Refusal refusal_of(FilterKind kind) {
  switch (kind) {
    case FilterKind::basic:
      return {"no finite epsilon of pure DP", "one of bounded losses; zcdp, renyi and gdp take Gaussian noise"};
    case FilterKind::zcdp:
      return {"no rho of zCDP that is known", "one that has it; renyi takes more kinds"};
    case FilterKind::renyi:
      return {"no finite Renyi divergence of the filter's order", "one that has it; a lower order may be finite"};
    case FilterKind::gdp:
      break;
  }
  return {"no mu of Gaussian DP that is known", "Gaussian noise, or one of bounded losses; zcdp and renyi take more"};
}

std::optional<Fraction> loss_of(const CountedRelease& release, const PrivacyFilter& filter) {
  switch (filter.kind) {
    case FilterKind::basic:
      return release.epsilon();
    case FilterKind::zcdp:
      return release.rho();
    case FilterKind::renyi:
      return release.divergence(filter.order);
    case FilterKind::gdp:
      break;
  }
  return release.squared_gdp();
}

}  // namespace

double FilterCount::loss_above() const {
  const StandardArithmetic arithmetic;
  return decimal_above(required_fraction(loss));
}
double FilterCount::delta_above() const {
  const StandardArithmetic arithmetic;
  return decimal_above(required_fraction(delta));
}

FilterCount count_of(const Entry& entry, const Neighbours& neighbours, const PrivacyFilter& filter) {
  const CountedRelease release(entry, neighbours);
  const auto loss = loss_of(release, filter);
  if (!loss) {
    const Refusal refusal = refusal_of(filter.kind);
    throw DomainError("filter " + std::string(name(filter.kind)), "release", release.text() + ", with " + refusal.of,
                      refusal.accepted);
  }
  if (release.delta() > 0 && filter.delta_cap == 0)
    throw DomainError("filter " + std::string(name(filter.kind)), "release",
                      release.text() + (release.only_bounded_by_them() ? ", bounded by a pair with infinite losses"
                                                                       : ", with infinite losses"),
                      "one without: the budget has no reserve of delta for them (--reserve)");
  return {text_of(shortened_up(*loss)), text_of(shortened_up(release.delta()))};
}

FilterCount plus(const FilterCount& sum, const FilterCount& one, std::int64_t times) {
  const auto added = [times](const std::string& all, const std::string& part) {
    return text_of(shortened_up(required_fraction(all) + times * required_fraction(part)));
  };
  return {added(sum.loss, one.loss), added(sum.delta, one.delta)};
}

FilterCount minus(const FilterCount& sum, const FilterCount& part) {
  const auto left = [](const std::string& all, const std::string& less) {
    const Fraction rest = required_fraction(all) - required_fraction(less);
    if (rest < 0) throw ReadError(in_filter, "sum", "'" + all.substr(0, 40) + "'", "no less than what is taken back");
    return text_of(shortened_up(rest));
  };
  return {left(sum.loss, part.loss), left(sum.delta, part.delta)};
}

bool within(const FilterCount& sum, const PrivacyFilter& filter) {
  return required_fraction(sum.loss) <= decimal_of(filter.cap) &&
         required_fraction(sum.delta) <= decimal_of(filter.delta_cap);
}

double left(const FilterCount& sum, const PrivacyFilter& filter) {
  const StandardArithmetic arithmetic;
  return decimal_below(std::max<Fraction>(0, decimal_of(filter.cap) - required_fraction(sum.loss)));
}

std::int64_t room(const FilterCount& sum, const FilterCount& one, const PrivacyFilter& filter) {
  const auto times = [](double cap, const std::string& all, const std::string& part) -> std::int64_t {
    const Fraction left = decimal_of(cap) - required_fraction(all), each = required_fraction(part);
    if (left < 0) return 0;
    if (each == 0 || left / each >= Composition::max_count) return Composition::max_count;
    const Fraction quotient = left / each;
    return static_cast<std::int64_t>(numerator(quotient) / denominator(quotient));
  };
  return std::min(times(filter.cap, sum.loss, one.loss), times(filter.delta_cap, sum.delta, one.delta));
}

}  // namespace pld
