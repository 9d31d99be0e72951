#include "pld/formats/running_total_state.hpp"

#include <cmath>
#include <string>

#include "account/running_total_state.hpp"
#include "formats/refusals.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

/// 50 sampled Gaussians (both directions on the lattice), then a few that are listed.
RunningTotal example(int from) {
  RunningTotal total(grid_for(Composition().add(poisson_sampled(Gaussian{.sigma = 2}, 0.1), 100), 1e-6));
  for (int i = from; i < from + 50; ++i) total.add(poisson_sampled(Gaussian{.sigma = 2 + 0.01 * i}, 0.1));
  total.fold();
  total.add(Laplace{.scale = 100}, 3);
  return total;
}

TEST_CASE("ledger.running_total_state.reads back as the same total") {
  RunningTotal total = example(0);
  const std::string bytes = running_total_bytes(total);
  RunningTotal back = running_total_from_bytes(bytes);
  CHECK(running_total_bytes(back) == bytes);
  for (const double epsilon : {0.1, 0.5, 1.0}) {
    const DeltaAnswer was = total.delta({.epsilon = epsilon}), is = back.delta({.epsilon = epsilon});
    CHECK(is.lower == was.lower);
    CHECK(is.upper == was.upper);
    CHECK(is.direction == was.direction);
  }
}

// A spacing of 1e6 and more was written, and refused when it was read.
TEST_CASE("ledger.running_total_state.losses of 1e30 are read back") {
  RunningTotal total(TotalGrid{.tilt = 1, .spacing = 0.5});
  total.add(make_mechanism("laplace", {{"scale", 1e-30}}), 2);
  total.fold();
  const std::string bytes = running_total_bytes(total);
  CHECK(running_total_bytes(running_total_from_bytes(bytes)) == bytes);
}

TEST_CASE("ledger.running_total_state.groups of records stay such") {
  RunningTotal total({}, Neighbours(Relation::zero_out, 3));
  total.add(Gaussian{.sigma = 20});
  for (int i = 0; i < 40; ++i) total.add(Laplace{.scale = 100.0 + i});  // boxes
  RunningTotal back = running_total_from_bytes(running_total_bytes(total));
  const double before = total.epsilon({.delta = 1e-6}).upper, after = back.epsilon({.delta = 1e-6}).upper;
  CHECK(before == after);
  RunningTotal once({}, Relation::zero_out);
  once.add(Gaussian{.sigma = 20.0 / 3});
  for (int i = 0; i < 40; ++i) once.add(Laplace{.scale = (100.0 + i) / 3});
  CHECK_REL(after, once.epsilon({.delta = 1e-6}).upper, 1e-3);
  CHECK_THROWS_AS(back.merge(once), DomainError);
}

TEST_CASE("ledger.running_total_state.shards that were saved merge") {
  RunningTotal merged = running_total_from_bytes(running_total_bytes(example(0)));
  merged.merge(running_total_from_bytes(running_total_bytes(example(50))));
  Composition all;
  for (int i = 0; i < 100; ++i) all.add(poisson_sampled(Gaussian{.sigma = 2 + 0.01 * i}, 0.1));
  all.add(Laplace{.scale = 100}, 6);
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
    for (const double epsilon : {0.5, 1.0}) {
      const DeltaAnswer found = merged.delta({.epsilon = epsilon, .tolerance = 0.02, .direction = direction});
      const DeltaAnswer fresh = delta(all, {.epsilon = epsilon, .direction = direction});
      CHECK(found.converged);
      CHECK(found.upper >= fresh.lower);
      CHECK(found.lower <= fresh.upper);
    }
  }
}

TEST_CASE("ledger.running_total_state.a list is a list again, whatever has no text goes on the lattice") {
  RunningTotal total;
  total.add(poisson_sampled(Gaussian{.sigma = 1.0 / 3}, 1e-3), 1'000'000'000);
  const RunningTotal back = running_total_from_bytes(running_total_bytes(total));
  CHECK(!back.state().on_lattice);
  REQUIRE(back.state().listed.releases().size() == 1);
  CHECK(back.state().listed.releases()[0].count == 1'000'000'000);
  CHECK(back.state().listed.releases()[0].mechanism.text() == total.state().listed.releases()[0].mechanism.text());
  total = RunningTotal(TotalGrid{.tilt = 1, .spacing = 1e-3});
  const Mechanism own = MassTable{.p = {0.5, 0.3, 0.2}, .q = {0.45, 0.35, 0.2}};
  total.add(Mechanism("a mechanism of one's own", own.pair(Direction::remove), own.pair(Direction::add)));
  RunningTotal table = running_total_from_bytes(running_total_bytes(total));
  CHECK(table.state().on_lattice);
  // delta(0) is the total variation, 0.05
  CHECK_INSIDE(table.delta({.epsilon = 0}), 0.05);
}

TEST_CASE("ledger.running_total_state.boxes merge in any order to the same bytes") {
  const auto shard = [](int from, int to) {
    RunningTotal part({}, Relation::zero_out);
    for (int i = from; i < to; ++i) {
      part.add(poisson_sampled(Gaussian{.sigma = 1 + 1e-3 * i}, 0.01));
      part.add(Laplace{.scale = 30 + 0.01 * i}, 2);
      part.add(Gaussian{.sigma = 8});  // mu^2 is a power of two: sums of it are exact
    }
    return running_total_from_bytes(running_total_bytes(part));
  };
  RunningTotal left = shard(0, 150), right = shard(150, 300), rest = shard(300, 450), back = rest;
  left.merge(right);
  left.merge(rest);
  back.merge(shard(0, 150));
  back.merge(right);
  CHECK(left.state().cells.level() > 0);
  REQUIRE(!left.state().gaussians.empty());
  const auto cells = [](const RunningTotal& total) {
    std::string text;
    for (const auto& [name, family] : total.state().cells.families())
      for (const auto& [box, cell] : family.cells)
        text += name + std::to_string(box[0]) + " " + std::to_string(cell.least[0]) + " " +
                std::to_string(cell.largest[0]) + " " + std::to_string(cell.count) + "\n";
    return text;
  };
  CHECK(cells(left) == cells(back));
  CHECK(left.state().gaussians.release().above->range().highest ==
        back.state().gaussians.release().above->range().highest);
  CHECK(left.state().gaussians.squared_mu.value() == back.state().gaussians.squared_mu.value());
  CHECK(running_total_from_bytes(running_total_bytes(left)).state().listed.relation() == Relation::zero_out);
}

TEST_CASE("ledger.running_total_state.refuses what is none") {
  const std::string bytes = running_total_bytes(example(0));
  const auto refused = [](const std::string& text) {
    const std::string said = test::refusal([&] { static_cast<void>(running_total_from_bytes(text)); });
    CHECK(!said.empty());
    CHECK_MESSAGE(said.find("json") == std::string::npos, said);
    CHECK_MESSAGE(said.find("CBOR") == std::string::npos, said);
  };
  refused("");
  refused("{}");
  for (std::size_t size = 1; size < bytes.size(); size = size * 3 / 2 + 1) refused(bytes.substr(0, size));
  refused(bytes + "x");
  std::string other = bytes;
  other.replace(other.find("log_cut"), 7, "log_cup");
  refused(other);
  other = bytes;
  other.replace(other.find("laplace"), 7, "laplacf");
  refused(other);
}

}  // namespace
}  // namespace pld
