// A host may have set its thread to another rounding mode, to flush subnormal numbers (any library linked with
// -ffast-math does), or x87 to fewer bits. Every public function answers with the same digits, and gives its host's
// settings back.
#include <array>
#include <cfenv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pld/formats/answer_line.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

using namespace pld;

struct Host {
  std::string name;
  std::function<void()> set;
};

std::vector<Host> hosts() {
  std::vector<Host> all{{"upward", [] { std::fesetround(FE_UPWARD); }},
                        {"downward", [] { std::fesetround(FE_DOWNWARD); }},
                        {"towards zero", [] { std::fesetround(FE_TOWARDZERO); }}};
#if defined(__x86_64__)
  all.push_back({"flushes subnormal numbers", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }});
  all.push_back({"x87 of 53 bits", [] {
                   const unsigned short of_53_bits = 0x27f;
                   __asm__ volatile("fldcw %0" : : "m"(of_53_bits));
                 }});
#endif
  return all;
}

struct Settings {
  int rounding = std::fegetround();
  unsigned sse = 0;
  unsigned short x87 = 0;

  Settings() {
#if defined(__x86_64__)
    sse = _mm_getcsr() & 0xffc0U;
    __asm__ volatile("fnstcw %0" : "=m"(x87));
#endif
  }
  bool operator==(const Settings&) const = default;
};

/// What a function says on a thread with the host's settings, which it must leave as they were.
template <class F>
auto under(const Host& host, const F& f) {
  std::fenv_t ours;
  std::fegetenv(&ours);
  host.set();
  const Settings before;
  auto said = f();
  const bool kept = Settings() == before;
  std::fesetenv(&ours);
  CHECK(kept);
  return said;
}

template <class F>
void check_same_digits(const std::string& what, const F& f) {
  const auto expected = f();
  for (const Host& host : hosts()) {
    CAPTURE(what);
    CAPTURE(host.name);
    const auto found = under(host, f);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == expected[i]);
  }
}

using Ends = std::array<double, 3>;

Ends ends(const Bracket& b) { return {b.lower, b.estimate, b.upper}; }

void check_same_answer(const std::string& query) {
  const auto without_time = [](const std::string& line) {
    nlohmann::json answer = nlohmann::json::parse(line);
    answer.erase("seconds");
    return answer.dump();
  };
  CAPTURE(query);
  const std::string expected = without_time(answer_line(query));
  for (const Host& host : hosts()) {
    CAPTURE(host.name);
    CHECK(without_time(under(host, [&] { return answer_line(query); })) == expected);
  }
}

void check_rows_of_vectors(std::size_t every) {
  std::size_t seen = 0;
  for (const auto& file : std::filesystem::directory_iterator(PLD_TEST_DATA "/../vectors")) {
    if (file.path().extension() != ".json") continue;
    std::ifstream text(file.path());
    const nlohmann::json vectors = nlohmann::json::parse(text);
    for (nlohmann::json query : vectors["rows"]) {
      if (seen++ % every != 0) continue;
      if (query["direction"] == "both") query["direction"] = "worst";
      query["query"] = query.contains("delta") ? "epsilon" : "delta";
      query.erase("lower");
      query.erase("upper");
      check_same_answer(query.dump());
    }
  }
  CHECK(seen > 700);
}

}  // namespace

TEST_CASE("validation.host_arithmetic.each_door_gives_the_same_digits") {
  const auto sgd = [] {
    return Composition().add(poisson_sampled(Gaussian{.sigma = 0.9}, 0.01), 100).add(Laplace{.scale = 40}, 20);
  };
  check_same_digits("epsilon", [&] { return ends(epsilon(sgd(), {.delta = 1e-6})); });
  check_same_digits("delta", [&] { return ends(delta(sgd(), {.epsilon = 1}).log_delta); });
  check_same_digits("profile",
                    [&] { return ends(PrivacyProfile(sgd()).log_profile(0.5, DirectionChoice::worst).log_delta); });
  check_same_digits("trade-off", [&] { return ends(trade_off(sgd()).at(0.1).log_beta); });
  check_same_digits("rho", [&] { return ends(zcdp_rho(sgd())); });
  check_same_digits("divergence", [&] { return ends(renyi_divergence(sgd(), 2.5)); });
  check_same_digits("risk", [&] { return ends(membership_advantage(PrivacyProfile(sgd()))); });
  check_same_digits("total", [&] {
    RunningTotal total(grid_for(Composition().add(Laplace{.scale = 3}, 20), 1e-6));
    total.add(Laplace{.scale = 3}, 10);
    total.add(Gaussian{.sigma = 2}, 3);
    return ends(total.epsilon({.delta = 1e-6}));
  });
  check_same_answer(
      R"({"query":"calibrate","epsilon":1,"delta":1e-6,"mechanisms":[{"type":"gaussian","sigma":"?","count":10}]})");
  check_same_digits("subnormal", [] {
    return ends(delta(Composition().add(MassTable{.p = {.5, .5, 1e-310}, .q = {.25, .75, 0}}, 1'000'000'000'000),
                      {.epsilon = 1e13}));
  });
}

TEST_CASE("validation.host_arithmetic.a_sample_of_the_vectors") { check_rows_of_vectors(25); }

TEST_SUITE("slow") {
  TEST_CASE("validation.host_arithmetic.all_vectors") { check_rows_of_vectors(1); }
}
