// The profile of a composition between that of the same one beside a small Gaussian release and what its chords tell.
#include "engines/contour/smoothed.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engines/inverse.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

namespace {
using pld::Bracket;
using pld::Direction;
using pld::Effort;
using pld::ProfileBracket;
using pld::test::ExactAtom;
using pld::test::ExactProfile;
using pld::test::Real;

using Tables = std::vector<pld::MassTable>;

/// All outcomes of the releases, in 50 digits; of an infinite loss, what P has of it.
struct Exact {
  ExactProfile finite;
  Real infinite;

  [[nodiscard]] Real delta(double epsilon) const { return infinite + finite(epsilon); }
};
Exact exact_of(const Tables& tables) {
  std::vector<ExactAtom> all{{0, 1}};
  for (const pld::MassTable& table : tables) {
    std::vector<ExactAtom> next;
    for (const ExactAtom& atom : all)
      for (std::size_t i = 0; i < table.p.size(); ++i)
        if (table.q[i] > 0)
          next.push_back({atom.loss + log(Real(table.p[i]) / Real(table.q[i])), atom.mass * Real(table.p[i])});
    all = std::move(next);
  }
  const ExactProfile finite(std::move(all));
  return {finite, 1 - finite.mass()};
}

pld::Terms terms_of(const Tables& tables) {
  pld::Terms terms;
  for (const pld::MassTable& table : tables) terms.push_back({dominating_pair(table, Direction::remove), 1});
  return terms;
}
pld::Terms terms_of(const std::string& text) {
  const pld::Release release = pld::release_of(pld::entry_from_text(text));
  return {{release.mechanism.pair(Direction::remove), release.count}};
}

/// Masses in 1024ths, which doubles hold; sometimes one that q lacks.
pld::MassTable drawn(std::mt19937& random) {
  const auto masses = [&](int least) {
    const int a = std::uniform_int_distribution(1, 700)(random), b = std::uniform_int_distribution(least, 300)(random);
    return std::vector<double>{a / 1024.0, b / 1024.0, (1024 - a - b) / 1024.0};
  };
  const std::vector<double> p = masses(1);
  const bool lacks = std::uniform_int_distribution(0, 3)(random) == 0;
  std::vector<double> q = masses(1);
  if (lacks) q[0] += q[1], q[1] = 0;
  return {p, q};
}

/// At the losses, where a profile has its kinks and smoothing adds the most, and between them.
std::vector<double> places(const ExactProfile& profile, std::mt19937& random) {
  std::vector<double> all{-3, 0, 1e-6, 2.5};
  const auto& atoms = profile.atoms();
  std::uniform_int_distribution<std::size_t> any(0, atoms.size() - 1);
  for (int i = 0; i < 6; ++i) {
    const double loss = static_cast<double>(atoms[any(random)].loss);
    all.push_back(loss);
    all.push_back(loss + std::uniform_real_distribution(-1e-3, 1e-3)(random));
  }
  return all;
}
}  // namespace

TEST_CASE("contour.smoothed.agrees_with_50_digits") {
  std::mt19937 random(20261126);
  int narrow = 0, all = 0;
  for (int draw = 0; draw < 25; ++draw) {
    Tables tables;
    for (int i = 0; i <= draw % 5; ++i) tables.push_back(drawn(random));
    const Exact exact = exact_of(tables);
    const pld::Terms terms = terms_of(tables);
    REQUIRE(pld::smoothed_takes(terms));
    for (const double width : {1e-1, 1e-2, 1e-4}) {
      for (const double epsilon : places(exact.finite, random)) {
        const auto piece = pld::smoothed_piece(terms, {.epsilon = epsilon, .width = width}, Effort::thorough);
        if (!piece) continue;
        const ProfileBracket found = piece->at(epsilon);
        const Real delta = exact.delta(epsilon);
        CAPTURE(draw);
        CAPTURE(width);
        CAPTURE(epsilon);
        if (delta > 0) CHECK_INSIDE(found.log_delta, static_cast<double>(log(delta)));
        if (delta < 1) CHECK_INSIDE(found.log_complement, static_cast<double>(log(1 - delta)));
        ++all;
        narrow += found.log_delta.width() <= width ? 1 : 0;
      }
    }
  }
  CHECK(all > 1000);
  CHECK(narrow > all * 9 / 10);
}

// At a lone kink chords waste next to nothing: a few percent of what smoothing adds, however much that is.
TEST_CASE("contour.smoothed.is_sharp_at_a_kink") {
  const Tables tables{{{0.9375, 0.0625}, {0.0009765625, 0.9990234375}}};
  const Exact exact = exact_of(tables);
  const double kink = static_cast<double>(exact.finite.atoms().front().loss),
               truth = static_cast<double>(log(exact.delta(kink)));
  for (const double width : {1.0, 1e-2, 1e-4}) {
    const auto piece = pld::smoothed_piece(terms_of(tables), {.epsilon = kink, .width = width}, Effort::thorough);
    REQUIRE(piece);
    const Bracket found = piece->at(kink).log_delta;
    CHECK_INSIDE(found, truth);
    CHECK(truth - found.lower < 0.05 * (found.upper - truth));
  }
}

// What lies before the first chord counts in full, and is no part of a delta of 1e-24.
TEST_CASE("contour.smoothed.reaches_small_deltas") {
  const double rare = 0x1p-20;
  const Tables tables(4, {{1 - rare, rare}, {1 - rare / 4, rare / 4}});
  const Exact exact = exact_of(tables);
  for (const double epsilon : {3.0, 5.0}) {
    const auto piece = pld::smoothed_piece(terms_of(tables), {.epsilon = epsilon, .width = 1e-2}, Effort::thorough);
    REQUIRE(piece);
    const Bracket found = piece->at(epsilon).log_delta;
    CHECK_INSIDE(found, static_cast<double>(log(exact.delta(epsilon))));
    CHECK(found.width() < 1e-2);
  }
}

// A piece holds at every epsilon, also where e^epsilon is more than any double and the line was made for e^epsilon - 1.
TEST_CASE("contour.smoothed.holds_far_from_where_it_was_made") {
  const Tables tables(2, {{0.5, 0.25, 0.25}, {0.25, 0.75, 0}});
  const double truth = static_cast<double>(log(exact_of(tables).delta(800)));
  for (const double made_for : {-0.5, -2.0, -5.0, 0.5}) {
    const auto piece = pld::smoothed_piece(terms_of(tables), {.epsilon = made_for, .width = 1e-3}, Effort::thorough);
    REQUIRE(piece);
    for (const double epsilon : {5.0, 300.0, 709.0, 710.0, 720.0, 1e6})
      CHECK_INSIDE(piece->at(epsilon).log_delta, truth);
  }
}

TEST_CASE("contour.smoothed.finds_the_epsilon_of_a_delta") {
  std::mt19937 random(7);
  for (int draw = 0; draw < 12; ++draw) {
    const Tables tables{drawn(random), drawn(random), drawn(random), drawn(random)};
    const Exact exact = exact_of(tables);
    for (const double delta : {0.3, 1e-2}) {
      if (!(exact.infinite < delta && exact.delta(0) > delta)) continue;
      const double log_delta = std::log(delta);
      const auto piece =
          pld::smoothed_piece(terms_of(tables), {.log_delta = log_delta, .width = 1e-3}, Effort::thorough);
      REQUIRE(piece);
      const Bracket epsilon = pld::epsilon_where([&](double at) { return piece->at(at); }, log_delta, piece->centre());
      CAPTURE(draw);
      CAPTURE(delta);
      CHECK(exact.delta(epsilon.lower) >= delta);
      CHECK(exact.delta(epsilon.upper) <= delta);
      CHECK(epsilon.width() < 4e-3 * epsilon.upper);
    }
  }
}

TEST_CASE("contour.smoothed.pays_where_a_lattice_rounds") {
  for (const char* text : {"discrete-gaussian:sigma=3,q=.1,count=3", "skellam:variance=30,q=.01,count=1000"})
    CHECK(pld::smoothing_pays(terms_of(text), 1e-4));
  for (const char* text : {"randomized-response:p=.6,count=3000", "laplace:scale=5,count=10", "gaussian:sigma=1,q=.01"})
    CHECK_FALSE(pld::smoothing_pays(terms_of(text), 1e-4));
  CHECK_FALSE(pld::smoothed_takes({}));
}

// Atoms beside a density are soon on a fine lattice where kinds are few.
TEST_CASE("contour.smoothed.pays_for_atoms_beside_densities_where_kinds_are_many") {
  const auto sampled_laplaces = [](int kinds) {
    pld::Terms terms;
    for (int i = 0; i < kinds; ++i) terms.push_back(terms_of("laplace:q=.01,scale=" + std::to_string(20 + i)).front());
    return terms;
  };
  CHECK(pld::smoothing_pays(sampled_laplaces(40), 1e-4));
  CHECK_FALSE(pld::smoothing_pays(sampled_laplaces(40), 1e-8));
  CHECK_FALSE(pld::smoothing_pays(sampled_laplaces(10), 1e-4));
}

// Where a law's masses may be rounded to far more than 1 a line of it says nothing.
struct HalfUnknown final : pld::AtomicPair, pld::RoundedTotal {
  using AtomicPair::AtomicPair;
  [[nodiscard]] double total_doubt() const override { return 0.6; }
  [[nodiscard]] double q_total_doubt() const override { return 0; }
  [[nodiscard]] pld::Side rounded_to() const override { return pld::Side::upper; }
};

TEST_CASE("contour.smoothed.refuses_masses_that_do_not_add_up") {
  const double log_half = std::log(0.5);
  const std::vector<pld::UnroundedAtom> atoms{{-1, log_half - 1, log_half}, {0, log_half, log_half}};
  const pld::Terms known{{std::make_shared<pld::AtomicPair>(atoms, -pld::infinity, -pld::infinity, 0), 5}},
      unknown{{std::make_shared<HalfUnknown>(atoms, -pld::infinity, -pld::infinity, 0), 5}};
  CHECK(pld::smoothed_takes(known));
  REQUIRE(pld::total_spread(unknown).p == pld::infinity);
  CHECK_FALSE(pld::smoothed_takes(unknown));
}
