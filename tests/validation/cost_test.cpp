// What answers cost and how wide they are, counted instead of timed: bytes allocated on the way are the same on a busy
// machine, and a grid, a search or a table that grows allocates more. tests/data/cost.txt has a line for each question
// to a composition.
//   bin/test_validation -tc=validation.cost.table --no-skip    prints the table anew
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "formats/query_text.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "validation/allocation_count.hpp"

namespace {

using namespace pld;

/// The relative width of an answer; an absolute one below 1.
double spread(const Bracket& answer) {
  if (answer.lower == answer.upper) return 0;
  return answer.width() / std::max(1.0, std::fabs(answer.estimate));
}

/// The widest of some answers.
template <class Answers, class Part>
double widest(const Answers& answers, const Part& part) {
  double most = 0;
  for (const auto& answer : answers) most = std::max(most, spread(part(answer)));
  return most;
}

std::vector<double> powers(double first, double last, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(first * std::pow(last / first, i / (count - 1.0)));
  return out;
}

double width_of_running_total(const Composition& run, const TotalGrid& grid) {
  RunningTotal total(grid, run.relation());
  for (const Release& release : run.releases()) total.add(release.mechanism, release.count);
  total.fold();
  return spread(total.epsilon({.delta = 1e-6}));
}

/// A question's answer is its spread.
using Question = std::function<double(const Composition&)>;

const std::map<std::string, Question>& questions() {
  static const auto epsilon_at = [](double delta, Engine engine = Engine::automatic) {
    return [=](const Composition& run) { return spread(epsilon(run, {.delta = delta, .engine = engine})); };
  };
  static const auto log_delta_at = [](const DeltaQuery& query) {
    return [=](const Composition& run) { return spread(delta(run, query).log_delta); };
  };
  static const std::map<std::string, Question> all = {
      {"epsilon-1e-6", epsilon_at(1e-6)},
      {"epsilon-1e-100", epsilon_at(1e-100)},
      {"epsilon-1e-300", epsilon_at(1e-300)},
      {"epsilon-0.9", epsilon_at(0.9)},
      {"delta--2", log_delta_at({.epsilon = -2})},
      {"lattice-epsilon-1e-6", epsilon_at(1e-6, Engine::lattice)},
      {"delta-1", log_delta_at({.epsilon = 1})},
      {"lattice-delta-1", log_delta_at({.epsilon = 1, .engine = Engine::lattice})},
      {"lattice-delta-1-tight", log_delta_at({.epsilon = 1, .tolerance = 1e-7, .engine = Engine::lattice})},
      {"lattice-profile-curve",
       [](const Composition& run) {
         return widest(profile(run, {.engine = Engine::lattice}).log_profile(powers(0.01, 2, 8)),
                       [](const ProfileBracket& b) { return b.log_complement; });
       }},
      {"lattice-delta-1-noise", log_delta_at({.epsilon = 1, .tolerance = 1e-13, .engine = Engine::lattice})},
      {"delta-1-tight", log_delta_at({.epsilon = 1, .tolerance = 1e-9})},
      {"total-variation", [](const Composition& run) { return spread(membership_advantage(profile(run))); }},
      {"profile-curve",
       [](const Composition& run) {
         return widest(profile(run).log_profile(powers(0.01, 10, 60)),
                       [](const ProfileBracket& b) { return b.log_delta; });
       }},
      {"epsilon-curve",
       [](const Composition& run) {
         return widest(profile(run).epsilon(powers(1e-12, 0.5, 60)), [](const Bracket& b) { return b; });
       }},
      {"trade-off", [](const Composition& run) { return spread(trade_off(run).at(0.01).log_power); }},
      {"trade-off-curve",
       [](const Composition& run) {
         return widest(trade_off(run).at(powers(1e-8, 0.99, 60)), [](const OperatingPoint& p) { return p.beta; });
       }},
      {"trade-off-at-a-kink",
       [](const Composition& run) {
         return widest(trade_off(run).at(powers(0.1, 0.101, 60)), [](const OperatingPoint& p) { return p.log_beta; });
       }},
      {"gaussian-comparison",
       [](const Composition& run) { return spread(compare_with_gaussian(profile(run)).smallest_mu); }},
      {"kl", [](const Composition& run) { return spread(kl_divergence(run)); }},
      {"renyi-8", [](const Composition& run) { return spread(renyi_divergence(run, 8)); }},
      {"trade-off-inverse", [](const Composition& run) { return spread(trade_off(run).inverse(0.1)); }},
      {"hellinger", [](const Composition& run) { return spread(hellinger_distance(run)); }},
      {"loss-moments",
       [](const Composition& run) { return spread(loss_moments(run, Direction::remove).value().third); }},
      {"xi", [](const Composition& run) { return spread(zcdp_xi(run, 0.01)); }},
      {"omega", [](const Composition& run) { return spread(tcdp_omega(run, 1)); }},
      {"rho", [](const Composition& run) { return spread(zcdp_rho(run)); }},
      {"running-total", [](const Composition& run) { return width_of_running_total(run, grid_for(run, 1e-6)); }},
      {"running-total-unplanned", [](const Composition& run) { return width_of_running_total(run, {}); }},
  };
  return all;
}

Composition composition_of(const std::string& words, const std::string& relation) {
  Composition run(relation_from_text(relation, "cost.txt"));
  std::istringstream all(words);
  for (std::string word; all >> word;) {
    const Release release = release_of(entry_from_text(word));
    run.add(release.mechanism, release.count);
  }
  return run.is_exact() ? run : run.of_pairs();  // the bound itself: what real neighbours attain may be far from it
}

struct Cost {
  double kilobytes = 0, width = 0;
};

Cost cost_of(const Question& question, const Composition& run) {
  const std::size_t before = test::bytes_allocated();
  const double width = question(run);
  return {static_cast<double>(test::bytes_allocated() - before) / 1024, width};
}

/// A line of the table: what was asked of what, and what it took when the line was written.
struct Row {
  std::string question, relation, words;
  Cost cost;
};

std::vector<Row> table() {
  std::vector<Row> rows;
  std::ifstream file(PLD_TEST_DATA "/cost.txt");
  for (Row row; file >> row.question >> row.cost.kilobytes >> row.cost.width >> row.relation &&
                std::getline(file >> std::ws, row.words);)
    rows.push_back(row);
  return rows;
}

Cost cost_of(const Row& row) { return cost_of(questions().at(row.question), composition_of(row.words, row.relation)); }

}  // namespace

TEST_CASE("validation.cost.answers_take_and_tell_as_much_as_they_did") {
  const std::vector<Row> rows = table();
  CHECK(rows.size() > 200);
  for (const Row& row : rows) {
    CAPTURE(row.question);
    CAPTURE(row.words);
    const Cost now = cost_of(row);
    // Another libm or FFTW may steer a search another way now and then. What has become far better leaves the table out
    // of date.
    CHECK(now.kilobytes <= 1.1 * row.cost.kilobytes + 1);
    CHECK(now.kilobytes >= 0.9 * row.cost.kilobytes - 1);
    CHECK(now.width <= 1.2 * row.cost.width + 2e-15);
    CHECK(now.width >= 0.8 * row.cost.width - 2e-15);
  }
}

// A guarantee's pair is a table of a megabyte, which sums of divergences need not make.
TEST_CASE("validation.cost.many_guarantees_make_few_tables") {
  const auto megabytes = [](const std::function<void(const Composition&)>& ask) {
    Composition composition;
    for (int i = 0; i < 100; ++i)
      composition.add(RenyiDp{.orders = {2, 4, 16}, .epsilons = {1e-4 * i, 2e-4 * i, 1e-3 * i}});
    const std::size_t before = test::bytes_allocated();
    ask(composition);
    return static_cast<double>(test::bytes_allocated() - before) / 1e6;
  };
  const double of_rho = megabytes([](const Composition& c) { CHECK(zcdp_rho(c).upper == infinity); });
  CHECK(of_rho <= 20);
  const double of_power = megabytes([](const Composition& c) { CHECK(trade_off(c).at(0.01).power.upper >= 0.01); });
  CHECK(of_power <= 30);
}

TEST_CASE("validation.cost.table" * doctest::skip()) {
  for (const Row& row : table()) {
    const Cost now = cost_of(row);
    std::printf("%-20s %9.1f %9.3g  %s %s\n", row.question.c_str(), now.kilobytes, now.width, row.relation.c_str(),
                row.words.c_str());
  }
}
