#include "account/release_cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "pairs/ordered_law.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {
namespace {

constexpr const char* where = "running total";

/// Boxes of one level lie within those of the next.
std::vector<std::int64_t> box_of(const std::vector<double>& sizes, int level) {
  constexpr double finest = 1 << 20;
  std::vector<std::int64_t> box;
  for (const double size : sizes)
    box.push_back(static_cast<std::int64_t>(std::floor(finest * std::log(size))) >> level);
  return box;
}

void join(ReleaseCells::Cell& into, const ReleaseCells::Cell& cell) {
  require(into.count <= Composition::max_count - cell.count, where, "count",
          static_cast<double>(into.count) + static_cast<double>(cell.count),
          "0 <= count <= 1e12, of releases that are much alike together");
  if (into.count == 0) {
    into = cell;
    return;
  }
  for (std::size_t i = 0; i < cell.least.size(); ++i) {
    into.least[i] = std::min(into.least[i], cell.least[i]);
    into.largest[i] = std::max(into.largest[i], cell.largest[i]);
  }
  into.count += cell.count;
}

/// The place in an ordered family, which it has in either direction; none of what is not attained together.
std::optional<OrderedLaw> law_of(const Mechanism& mechanism) {
  if (mechanism.law().kind.attained != Attainment::together) return std::nullopt;
  if (!mechanism.symmetric() && !ordered_law(*mechanism.pair(Direction::add))) return std::nullopt;
  return ordered_law(*mechanism.pair(Direction::remove));
}

OrderedLaw required(std::optional<OrderedLaw> law, const Mechanism& mechanism) {
  if (!law) throw DomainError(where, "mechanism", mechanism.text(), "one of an ordered family");
  return *std::move(law);
}

void require_sizes(const ReleaseCells::Cell& cell, std::size_t number) {
  require(cell.least.size() == number && cell.largest.size() == number, where, "number of sizes",
          static_cast<double>(cell.least.size()), "that of the family");
  for (std::size_t i = 0; i < number; ++i) {
    require(cell.least[i] > 0 && cell.least[i] < infinity, where, "size", cell.least[i], "size > 0 and finite");
    require(cell.largest[i] >= cell.least[i] && cell.largest[i] < infinity, where, "size", cell.largest[i],
            "no less than the least one, and finite");
  }
}

}  // namespace

bool ReleaseCells::takes(const Mechanism& mechanism) { return law_of(mechanism).has_value(); }

void ReleaseCells::add(const Mechanism& mechanism, std::int64_t count) {
  const StandardArithmetic arithmetic;
  const OrderedLaw law = required(law_of(mechanism), mechanism);
  put(law.family, mechanism, {law.sizes, law.sizes, count});
}

void ReleaseCells::add(const Mechanism& member, const Cell& cell) {
  const StandardArithmetic arithmetic;
  const OrderedLaw law = required(law_of(member), member);
  require_sizes(cell, law.sizes.size());
  put(law.family, member, cell);
}

void ReleaseCells::put(const std::string& name, const Mechanism& member, const Cell& cell) {
  require(0 <= cell.count && cell.count <= Composition::max_count, where, "count", static_cast<double>(cell.count),
          "0 <= count <= 1e12");
  if (cell.count == 0) return;
  const auto put_into = [&](ReleaseCells& all) {
    Family& family = all.families_.try_emplace(name, Family{member, {}}).first->second;
    const std::size_t before = family.cells.size();
    join(family.cells[box_of(cell.least, level_)], cell);
    all.size_ += family.cells.size() - before;
  };
  const auto family = families_.find(name);
  const bool is_new = family == families_.end() || !family->second.cells.contains(box_of(cell.least, level_));
  if (!is_new || size_ < most_ || level_ == most_level) return put_into(*this);
  ReleaseCells wider = *this;  // a box that joins others may hold too many releases
  put_into(wider);
  while (wider.size_ > most_ && wider.level_ < most_level) wider.widen_to(wider.level_ + 1);
  *this = std::move(wider);
}

void ReleaseCells::add(const ReleaseCells& other) {
  const StandardArithmetic arithmetic;
  widen_to(std::max(level_, other.level_));
  for (const auto& [name, family] : other.families_)
    for (const auto& [box, cell] : family.cells) add(family.member, cell);
}

void ReleaseCells::widen_to(int level) {
  const StandardArithmetic arithmetic;
  require(level >= 0 && level <= most_level, where, "level", level, "0 <= level <= 26");
  if (level <= level_) return;
  auto wider = families_;
  std::size_t size = 0;
  for (auto& [name, family] : wider) {
    family.cells.clear();
    for (const auto& [box, cell] : families_.at(name).cells) join(family.cells[box_of(cell.least, level)], cell);
    size += family.cells.size();
  }
  families_ = std::move(wider);
  size_ = size;
  level_ = level;
}

std::vector<BoundedRelease> ReleaseCells::releases(Direction direction) const {
  std::vector<BoundedRelease> out;
  for (const auto& [name, family] : families_) {
    const auto law = ordered_law(*family.member.pair(direction));
    for (const auto& [box, cell] : family.cells) {
      const PairPtr below = law->of_sizes(cell.least);
      out.push_back({below, cell.least == cell.largest ? below : law->of_sizes(cell.largest), cell.count});
    }
  }
  return out;
}

bool JoinedGaussians::takes(const Mechanism& mechanism) {
  const auto law = mechanism.pair(Direction::remove)->sampled_gaussian();
  return law && law->q == 1 && mechanism.symmetric() && mechanism.law().kind.attained == Attainment::together;
}

void JoinedGaussians::add(const Mechanism& mechanism, std::int64_t count) {
  const double mu = mechanism.pair(Direction::remove)->sampled_gaussian()->mu;
  squared_mu.add(static_cast<double>(count) * (mu * mu));
  ++terms;
}

void JoinedGaussians::add(const JoinedGaussians& other) {
  squared_mu.add(other.squared_mu);
  terms += 2 * other.terms;  // its sum and its carry are terms as well
}

BoundedRelease JoinedGaussians::release() const {
  // Each mu is within a rounding and each term within four more; the sum as CompensatedSum says; the root halves it
  // all.
  const double units = 8 + terms * terms * unit_roundoff;
  const double mu = std::sqrt(squared_mu.value());
  const auto gaussian = [](double size) {
    return dominating_pair(Gaussian{.sigma = 1, .sensitivity = size}, Direction::remove);
  };
  return {gaussian(round_down(mu, units)), gaussian(round_up(mu, units)), 1};
}

}  // namespace pld
