#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pld/core/doubles_around.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/neighbours.hpp"
#include "pld/mechanisms/parameters_around.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"
#include "pld/pairs/nodes.hpp"

namespace pld {

/// A mechanism under one relation.
struct Law {
  std::string text;  ///< what it is accounted for as, e.g. with the sensitivity that replacing a record has
  /// One object where both have the same loss distribution; for a symmetric relation, the two orders.
  PairPtr remove, add;
  LawKind kind{};
  /// Where the pair is not attained together: a law that one pair of neighbours attains in every release, which bounds
  /// the mechanism from below. Null where none is known.
  std::shared_ptr<const Law> below{};
  /// Beside a law that bounds another from below: what other pairs of neighbours attain likewise. Which of all tells
  /// most depends on what is asked, and of how many releases. Made when they are asked for; none of most types.
  std::function<std::vector<Law>()> others{};
  /// Where a law is worked out to some fineness: the same on other nodes, the error falling with their square.
  std::function<Law(const Nodes&)> at_nodes{};
};

/// The part of a law that one pair of neighbours attains in every release: all of it, or what is known below it.
[[nodiscard]] std::shared_ptr<const Law> attained_law(const Law& law);

/// The parameters whose add/remove pair is the pair of two data sets that differ in one record's value. With a
/// `sensitivity` to an added or removed record, a replaced one moves the query by up to twice that (triangle
/// inequality), and by that much where the two values are opposite.
template <class Parameters>
requires requires(Parameters p) { p.sensitivity *= 2; }
[[nodiscard]] Parameters replacing(Parameters parameters) {
  parameters.sensitivity *= 2;
  return parameters;
}

/// The parameters whose pair is that of a group of records, added or removed together. A group moves a query by up to
/// the sum of what its records do, and by that much where they all move it one way. Noise loses more where it is moved
/// more.
template <class Parameters>
requires requires(Parameters p) { p.sensitivity *= 2; }
[[nodiscard]] ParametersAround<Parameters> grouped(const Parameters& parameters, int group) {
  const DoublesAround moved = doubles_around_product(static_cast<double>(parameters.sensitivity), group);
  ParametersAround<Parameters> out{parameters, parameters};
  using Sensitivity = decltype(parameters.sensitivity);
  out.below.sensitivity = static_cast<Sensitivity>(moved.below);
  out.above.sensitivity = static_cast<Sensitivity>(moved.above);
  return out;
}

/// The law between two: `above` where both are the same, else bounded by `below` from below.
[[nodiscard]] Law law_between(const Law& below, Law above);

/// What is known of its pairs, where a type has no overload of its own. A type whose pair is not attained may have a
/// `witness` too: the parameters of a mechanism that is (an std::optional), which real neighbours of the type have; and
/// `other_witnesses`, a list of those that other neighbours have.
template <class Parameters>
[[nodiscard]] LawKind law_kind(const Parameters&) {
  return {};
}

/// One release, by value: its canonical text and its dominating pair in each direction, under any relation that a
/// theorem is known for. Every parameter struct (Gaussian, Laplace, ...) converts to it; so does anything of a user's
/// with a `describe` and a `dominating_pair` overload found by argument-dependent lookup. For replace-one it takes a
/// `sensitivity` (see replacing()) or an overload of `replacing` as well, for groups of records likewise `grouped`,
/// which may return ParametersAround.
class Mechanism {
 public:
  /// The law under a relation. Throws MissingTheorem where there is none.
  using Laws = std::function<Law(Relation)>;

  /// The law of groups of two records or more; none where only that of one record is known. Throws MissingTheorem where
  /// no bound of a group's follows from that of one record.
  using GroupLaws = std::function<std::optional<Law>(const Neighbours&)>;

  template <class Parameters>
  requires requires(const Parameters& p) {
    { describe(p) } -> std::convertible_to<std::string>;
    { dominating_pair(p, Direction::remove) } -> std::convertible_to<PairPtr>;
  }
  Mechanism(const Parameters& parameters)  // NOLINT(google-explicit-constructor): run.add(Gaussian{...}) is the point
      : Mechanism(
            describe(parameters), [parameters](Relation relation) { return law_under(parameters, relation); },
            [parameters](const Neighbours& neighbours) { return law_of_group(parameters, neighbours); }) {}

  Mechanism(std::string text, Laws laws, GroupLaws of_groups = {});

  /// From ready pairs, of add-remove and zero-out.
  Mechanism(const std::string& text, const PairPtr& remove, const PairPtr& add);

  /// How records get into it: what of, and the scheme's numbers by their names, e.g. {"poisson", 0.005}.
  struct Sampling {
    std::shared_ptr<const Mechanism> base;
    std::map<std::string, double> numbers{};
  };
  Mechanism(std::string text, Laws laws, Sampling sampling, GroupLaws of_groups = {});

  /// A mechanism that has one law, whatever the neighbours.
  static Mechanism of_law(std::string text, Law law);

  /// The canonical form, e.g. "gaussian:sigma=0.8,q=0.005": equal text means an equal law.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::optional<Sampling>& sampling() const { return sampling_; }

  /// The same mechanism with pair(), symmetric() and kind() for these neighbours. Throws MissingTheorem where no pair
  /// is known to dominate, DomainError where their parameters leave the range (a doubled sensitivity). A group whose
  /// pair is not known has that of outputs with nothing in common, which says nothing (Steps has bounds).
  [[nodiscard]] Mechanism under(const Neighbours& neighbours) const;

  /// The law under the neighbours of under(), add/remove where that was not called. Throws MissingTheorem.
  [[nodiscard]] const Law& law() const;
  [[nodiscard]] const PairPtr& pair(Direction direction) const {
    return direction == Direction::remove ? law().remove : law().add;
  }
  /// Both directions have the same loss distribution (one object serves both).
  [[nodiscard]] bool symmetric() const { return law().remove == law().add; }

 private:
  template <class Parameters>
  static Law law_under(const Parameters& parameters, Relation relation) {
    if (relation != Relation::replace_one) return law_from(parameters);
    if constexpr (requires { replacing(parameters); }) {
      return law_from(replacing(parameters));
    } else {
      throw MissingTheorem(describe(parameters), "adjacency", "replace-one",
                           "add-remove or zero-out: of this type no pair is known for the replacement of a record");
    }
  }
  template <class Parameters>
  static Law law_under(const ParametersAround<Parameters>& around, Relation relation) {
    return law_between(law_under(around.below, relation), law_under(around.above, relation));
  }
  template <class Parameters>
  static std::optional<Law> law_of_group(const Parameters& parameters, const Neighbours& neighbours) {
    if constexpr (requires { grouped(parameters, neighbours.group); }) {
      return law_under(grouped(parameters, neighbours.group), neighbours.relation);
    } else {
      return std::nullopt;
    }
  }
  template <class Parameters>
  static Law law_from(const Parameters& parameters) {
    const PairPtr remove = dominating_pair(parameters, Direction::remove);
    const PairPtr add = remove->symmetric() ? remove : dominating_pair(parameters, Direction::add);
    Law law{describe(parameters), remove, add, law_kind(parameters)};
    if constexpr (requires { witness(parameters); }) {
      if (const auto attained = witness(parameters)) {
        Law below = law_from(*attained);
        if constexpr (requires { other_witnesses(parameters); }) below.others = laws_of_others(parameters);
        law.below = std::make_shared<const Law>(std::move(below));
      }
    }
    return law;
  }

  template <class Parameters>
  static std::function<std::vector<Law>()> laws_of_others(const Parameters& parameters) {
    return [parameters] {
      std::vector<Law> laws;
      for (const auto& attained : other_witnesses(parameters)) laws.push_back(law_from(attained));
      return laws;
    };
  }

  [[nodiscard]] Law law_for(const Neighbours& neighbours) const;

  /// Shared by copies: both may hold mechanisms themselves.
  struct Source {
    Laws laws;
    GroupLaws of_groups{};
  };

  std::string text_;
  std::shared_ptr<const Source> source_;
  std::optional<Sampling> sampling_{};
  Neighbours neighbours_{};
  std::optional<Law> law_{};  ///< none where there is no theorem for neighbours_
};

}  // namespace pld
