#include "pld/formats/mechanism_text.hpp"

#include <cmath>

#include "formats/refusals.hpp"
#include "support/checks.hpp"

TEST_CASE("ledger.mechanism_text.every_part_has_its_place") {
  const pld::Entry entry = pld::entry_from_text("gaussian:count=1e3,sigma=0.8,q=0.005,sensitivity=2");
  CHECK(entry.type == "gaussian");
  CHECK(entry.parameters == std::map<std::string, double>{{"sigma", 0.8}, {"sensitivity", 2.0}});
  CHECK(entry.sampling.at("poisson") == 0.005);
  CHECK(entry.count == 1000);
}

TEST_CASE("ledger.mechanism_text.a_sampling_rate_in_full") {
  CHECK(pld::entry_from_text("gaussian:sigma=1,poisson=0.005").sampling.at("poisson") == 0.005);
  const pld::Entry table = pld::entry_from_text("mass-table:p=0.75/0.25,q=0.25/0.75,poisson=0.1");
  CHECK(table.sampling.at("poisson") == 0.1);
  CHECK(table.lists.at("q") == std::vector{0.25, 0.75});
  const pld::Mechanism sampled = pld::release_of(table).mechanism;
  CHECK(sampled.text() == "mass-table:p=0.75/0.25,q=0.25/0.75,poisson=0.1");
  // delta(0) is the rate times the total variation of the table
  const auto above = sampled.pair(pld::Direction::remove)->above(0);
  CHECK_REL(std::exp(above.log_mass) - std::exp(above.log_q_mass), 0.05, 1e-14);
}

TEST_CASE("ledger.mechanism_text.what_is_left_out") {
  const pld::Entry entry = pld::entry_from_text("laplace:scale=50");
  CHECK(entry.parameters == std::map<std::string, double>{{"scale", 50.0}});
  CHECK(entry.sampling.empty());
  CHECK(entry.count == 1);
  CHECK(pld::entry_from_text("laplace").parameters.empty());
}

TEST_CASE("ledger.mechanism_text.a_count_in_any_spelling") {
  for (const char* word : {"gaussian:sigma=1,count=1000000000", "gaussian:sigma=1,count=1e9",
                           "gaussian:sigma=1,count=1000000000.0", "gaussian:sigma=1,count=+1E9"}) {
    CAPTURE(word);
    CHECK(pld::entry_from_text(word).count == 1'000'000'000);
  }
  CHECK(pld::entry_from_text("gaussian:sigma=1,count=1e12").count == pld::Composition::max_count);
}

TEST_CASE("ledger.mechanism_text.refuses_shapes_it_does_not_know") {
  const auto read = [](const char* word) { return pld::entry_from_text(word); };
  CHECK_REFUSED(read(""), "mechanism ''", "type is ''", "one of", "gaussian");
  CHECK_REFUSED(read(":sigma=1"), "type is ''");
  CHECK_REFUSED(read("gaus:sigma=1"), "mechanism 'gaus:sigma=1'", "'gaus'", "gaussian", "laplace");
  CHECK_REFUSED(read("gaussian:"), "''", "key=value");
  CHECK_REFUSED(read("gaussian:sigma"), "'sigma'", "key=value");
  CHECK_REFUSED(read("gaussian:=1"), "'=1'", "key=value");
  CHECK_REFUSED(read("gaussian:sigma=1,"), "''", "key=value");
  CHECK_REFUSED(read("gaussian:,sigma=1"), "''", "key=value");
  CHECK_REFUSED(read("gaussian:sigma="), "sigma is ''");
  CHECK_REFUSED(read("gaussian:sigma=1:count=2"), "'1:count=2'");
  CHECK_REFUSED(read("gaussian:sigma=1=2"), "'1=2'");
}

TEST_CASE("ledger.mechanism_text.refuses_keys_it_does_not_know_and_names_those_it_does") {
  const auto read = [](const char* word) { return pld::entry_from_text(word); };
  CHECK_REFUSED(
      read("gaussian:sgma=1"), "gaussian: parameter 'sgma' is not known",
      "sigma, sensitivity, replace_sensitivity, attained_sensitivity, q, poisson, wor, allocation, participations, "
      "passes, shuffled, truncated, cap, records, sampler, batch, dataset, epochs, count, steps");
  CHECK_REFUSED(
      read("gaussian:scale=1"), "'scale'",
      "sigma, sensitivity, replace_sensitivity, attained_sensitivity, q, poisson, wor, allocation, participations, "
      "passes, shuffled, truncated, cap, records, sampler, batch, dataset, epochs, count, steps");
  CHECK_REFUSED(read("gaussian:type=1"), "'type'");
}

TEST_CASE("ledger.mechanism_text.refuses_a_key_given_twice") {
  const auto read = [](const char* word) { return pld::entry_from_text(word); };
  CHECK_REFUSED(read("gaussian:sigma=1,sigma=1"), "sigma is given twice");
  CHECK_REFUSED(read("gaussian:sigma=1,q=0,q=0"), "q is given twice");
  CHECK_REFUSED(read("gaussian:sigma=1,count=1,count=1"), "count is given twice");
  CHECK_REFUSED(read("gaussian:sigma=1,q=0.5,poisson=0.5"), "poisson is given twice");
  CHECK_REFUSED(read("mass-table:p=.5/.5,q=.25/.75,q=0.1"), "q is given twice", "a sampling rate is written poisson=");
}

TEST_CASE("ledger.mechanism_text.refuses_values_that_are_no_numbers") {
  for (const std::string value : {"nan", "inf", "-inf", "1e999", "1e-999", "x", "0x1", "1 "}) {
    CAPTURE(value);
    CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=" + value), "gaussian: sigma is '", value.c_str());
    CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=1,q=" + value), "gaussian: q is '", value.c_str());
    CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=1,count=" + value), "gaussian: count is '", value.c_str());
  }
  CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=1,count=1.5"), "gaussian: count is 1.5", "1e12");
  CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=1,count=-1"), "gaussian: count is -1", "1e12");
  CHECK_REFUSED(pld::entry_from_text("gaussian:sigma=1,count=1e13"), "gaussian: count is 1e13", "1e12");
}

TEST_CASE("ledger.entry.makes_the_release_it_says") {
  const pld::Release release = pld::release_of(pld::entry_from_text("gaussian:sigma=0.8,q=0.005,count=7"));
  CHECK(release.count == 7);
  const auto law = release.mechanism.pair(pld::Direction::remove)->sampled_gaussian();
  REQUIRE(law.has_value());
  CHECK(law->q == 0.005);
  CHECK_ULP(law->mu, 1.25, 1);
}

TEST_CASE("ledger.entry.refuses_what_its_mechanism_refuses") {
  const auto release = [](const char* word) { return pld::release_of(pld::entry_from_text(word)); };
  CHECK_REFUSED(release("gaussian"), "gaussian", "sigma");
  CHECK_REFUSED(release("gaussian:sensitivity=1"), "gaussian", "sigma");
  CHECK_REFUSED(release("gaussian:sigma=-1"), "gaussian: sigma is -1");
  CHECK_REFUSED(release("gaussian:sigma=1,q=1.5"), "q is 1.5");
  CHECK_REFUSED(pld::release_of({.type = "gaus"}), "gaus");
  CHECK_REFUSED(pld::release_of({.type = "gaussian", .parameters = {{"sigma", 1}, {"x", 1}}}), "gaussian", "x");
}
