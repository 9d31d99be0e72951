#include "pld/formats/composition_json.hpp"

#include <string>

#include "formats/refusals.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

std::string with_mechanism(const std::string& fields) {
  return R"({"mechanisms":[{"type":"laplace","scale":1},{)" + fields + "}]}";
}

}  // namespace

TEST_CASE("ledger.composition_json.reads_what_it_says") {
  const pld::Composition read = pld::composition_from_json(R"({
    "adjacency": "add-remove",
    "mechanisms": [{"type": "gaussian", "sigma": 0.8, "sampling": {"poisson": 0.005}, "count": 1000},
                   {"type": "laplace", "scale": 50, "count": 2e2}]})");
  pld::Composition built;
  built.add(pld::poisson_sampled(pld::Gaussian{.sigma = 0.8}, 0.005), 1000);
  built.add(pld::Laplace{.scale = 50}, 200);
  REQUIRE(read.releases().size() == built.releases().size());
  for (std::size_t i = 0; i < built.releases().size(); ++i) {
    CHECK(read.releases()[i].mechanism.text() == built.releases()[i].mechanism.text());
    CHECK(read.releases()[i].count == built.releases()[i].count);
  }
}

TEST_CASE("ledger.composition_json.what_may_be_left_out") {
  CHECK(pld::composition_from_json(R"({"mechanisms":[]})").releases().empty());
  const auto read = pld::composition_from_json(R"({"mechanisms":[{"type":"gaussian","sigma":3}]})");
  REQUIRE(read.releases().size() == 1);
  CHECK(read.releases()[0].count == 1);
}

TEST_CASE("ledger.composition_json.syntax_errors_have_line_and_column") {
  CHECK_REFUSED(pld::composition_from_json(""), "line 1, column 1");
  CHECK_REFUSED(pld::composition_from_json("{\n \"mechanisms\": [\n}"), "line 3, column 1: it must be JSON");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[]} 3)"), "line 1, column 19");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[NaN]})"), "line 1, column 16");
  CHECK_REFUSED(pld::composition_from_json("{\"\xff\":1}"), "line 1, column 3: it must be JSON");
  CHECK_REFUSED(pld::composition_from_json(std::string("\0", 1)), "line 1, column 1");
  CHECK_REFUSED(pld::composition_from_json("{\"mechanisms\":[]}" + std::string("\0{}", 3)), "line 1, column 18");
}

TEST_CASE("ledger.composition_json.unknown_and_repeated_fields_have_line_and_column") {
  CHECK_REFUSED(pld::composition_from_json("{\n  \"colour\": 1, \"mechanisms\": []}"), "line 2, column 3",
                "\"colour\"");
  CHECK_REFUSED(pld::composition_from_json("{\"mechanisms\": [\n {\"type\": \"gaussian\", \"sigma\": 1},\n"
                                           " {\"type\": \"laplace\", \"scale\": 1, \"sigma\": 1}]}"),
                "line 3, column 34", "mechanisms[1]", "\"sigma\"");
  CHECK_REFUSED(pld::composition_from_json("{\"mechanisms\": [{\"type\": \"gaussian\", \"sigma\": 1,\n\"sampling\":"
                                           "{\"poisson\": 0.1,\n\n  \"poison\": 0.1}}]}"),
                "line 4, column 3", "mechanisms[0].sampling", "\"poison\"");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[],"a\"b\\":1})"), "line 1, column 18");
  CHECK_REFUSED(pld::composition_from_json("{\"mechanisms\": [],\n \"mechanisms\": []}"), "line 2, column 2",
                "given twice");
  CHECK_REFUSED(
      pld::composition_from_json("{\"module_name\": \"m\", \"class_name\": \"ComposedDpEvent\", \"events\": [\n"
                                 "{\"module_name\": \"m\", \"class_name\": \"NoOpDpEvent\", \"x\": 1}]}"),
      "line 2, column 51", "event.events[0]");
}

TEST_CASE("ledger.composition_json.selections_of_selections_are_written_as_they_were_read") {
  const std::string inner =
      R"({"tries":"geometric:mean=3","mechanisms":[{"type":"laplace","scale":9.0},{"type":"dp","delta":0.0,"epsilon":0.1}],"count":2})";
  const std::string outer =
      R"({"tries":"poisson:mean=4","mechanisms":[)" + inner + R"(,{"type":"gaussian","sigma":8.0,"count":5}]})";
  const std::string text =
      R"({"adjacency":"add-remove","mechanisms":[)" + outer + R"(,{"type":"zcdp","rho":0.01,"xi":0.0}]})";
  CHECK(pld::composition_to_json(pld::composition_from_json(text)) == text);
}

TEST_CASE("ledger.composition_json.entries_of_a_selection_as_a_whole_are_one") {
  const std::vector<pld::Entry> entries =
      pld::entries_from_json(R"({"tries":"geometric:mean=3","mechanisms":["gaussian:sigma=8","laplace:scale=9"]})");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].tries == "geometric:mean=3");
  CHECK(entries[0].tried.size() == 2);
}

TEST_CASE("ledger.composition_json.refuses_numbers_no_double_can_hold") {
  const std::string no_double = "each number a double";
  for (const auto& [number, told] : {std::pair<std::string, std::string>{"1e400", no_double},
                                     {"-1e400", no_double},
                                     {"1e-400", "1e-400"},
                                     {"-0.3e-330", "-0.3e-330"}}) {
    INFO(number);
    CHECK_REFUSED(pld::composition_from_json(with_mechanism("\"type\":\"gaussian\",\"sigma\":" + number)),
                  told.c_str());
  }
  CHECK_REFUSED(pld::composition_from_json(with_mechanism(R"("type":"gaussian","sigma":-0.0e-9)")),
                "gaussian: sigma is");
}

TEST_CASE("ledger.composition_json.refuses_a_field_given_twice_anywhere") {
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[],"mechanisms":[]})"), "'mechanisms' is given twice");
  CHECK_REFUSED(pld::composition_from_json(with_mechanism(R"("type":"gaussian","sigma":1,"sigma":1)")),
                "'sigma' is given twice");
  CHECK_REFUSED(
      pld::composition_from_json(with_mechanism(R"("type":"gaussian","sigma":1,"sampling":{"poisson":1,"poisson":1})")),
      "'poisson' is given twice");
}

TEST_CASE("ledger.composition_json.refuses_a_field_given_twice_around_another_object") {
  CHECK_REFUSED(
      pld::composition_from_json(with_mechanism(R"("type":"gaussian","sigma":1,"sampling":{"poisson":1},"sigma":1)")),
      "'sigma' is given twice");
}

TEST_CASE("ledger.composition_json.a_missing_theorem_is_told_with_its_place") {
  const std::string mixture = R"({"type":"gaussian-mixture","sigma":1,"shifts":[0,1],"weights":[0.5,0.5]})";
  const std::string text = R"({"adjacency":"replace-one","mechanisms":["gaussian:sigma=1",)" + mixture + "]}";
  CHECK_THROWS_WITH_AS((void)pld::composition_from_json(text),
                       doctest::Contains("mechanisms[1]: gaussian-mixture:sigma=1,shifts=0/1,weights=0.5/0.5: "
                                         "adjacency is replace-one, but must be add-remove or zero-out: "),
                       pld::MissingTheorem);
  const std::string event = R"({"module_name":"m","class_name":"PoissonSampledDpEvent","sampling_probability":0.5,)"
                            R"("event":{"module_name":"m","class_name":"EpsilonDeltaDpEvent","epsilon":1,)"
                            R"("delta":0}})";
  CHECK_THROWS_WITH_AS((void)pld::composition_from_json(event, pld::Relation::replace_one),
                       doctest::Contains("but must be add-remove, or sampling without replacement: "),
                       pld::MissingTheorem);
}

TEST_CASE("ledger.composition_json.refuses_other_shapes") {
  CHECK_REFUSED(pld::composition_from_json("[]"), "ledger is an array", "object");
  CHECK_REFUSED(pld::composition_from_json("null"), "ledger is null", "object");
  CHECK_REFUSED(pld::composition_from_json("{}"), "mechanisms is missing", "array");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":7})"), "mechanisms is 7", "array");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":["x"]})"), "mechanisms[0]: mechanism 'x'",
                "gaussian, laplace");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[7]})"), "mechanisms[0] is 7", "object");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[],"Adjacency":"add-remove"})"), "\"Adjacency\"",
                "did you mean adjacency", "adjacency, group, tries, mechanisms");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[],"adjacency":"replace"})"), "'replace'",
                "one of add-remove, replace-one, zero-out");
  CHECK_REFUSED(pld::composition_from_json(R"({"mechanisms":[],"adjacency":"zero-out"})", pld::Relation::replace_one),
                "'zero-out'", "replace-one, as was asked for");
  const std::size_t deep = 200000;
  CHECK_REFUSED(pld::composition_from_json(std::string(deep, '[') + std::string(deep, ']')), "column 101",
                "nested more than 100 deep");
}

TEST_CASE("ledger.composition_json.a_string_says_a_number_as_the_command_line_does") {
  const auto read = [](const std::string& mechanism) {
    const pld::Composition run = pld::composition_from_json("{\"mechanisms\":[" + mechanism + "]}");
    REQUIRE(run.releases().size() == 1);
    return std::to_string(run.releases()[0].count) + " x " + run.releases()[0].mechanism.text();
  };
  // 1/3 is no double: the rate is the one above it, and sigma the nearest, which lies below.
  const std::string third = "100 x gaussian:sigma=0.3333333333333333,q=0.33333333333333337";
  CHECK(read(R"({"type":"gaussian","sigma":"1/3","q":"256/768","steps":"1e2"})") == third);
  CHECK(read(R"({"type":"gaussian","sigma":"1/3","sampling":{"poisson":"256/768"},"count":"200/2"})") == third);
  CHECK(read(R"("gaussian:sigma=1/3,q=256/768,steps=1e2")") == third);
  CHECK(read(R"({"type":"gaussian","sigma":"50%","sampling":{"batch":"256","dataset":"768"}})") ==
        "1 x gaussian:sigma=0.5,wor=0.33333333333333337");
  CHECK(read(R"({"type":"mass-table","p":["3/4","25%"],"q":"0.25/0.75"})") == "1 x mass-table:p=0.75/0.25,q=0.25/0.75");
  const pld::Composition group =
      pld::composition_from_json(R"({"group":"6/2","mechanisms":[{"type":"laplace","scale":1}]})");
  CHECK(group.neighbours().group == 3);
}

TEST_CASE("ledger.composition_json.refusals_name_the_mechanism_by_its_place") {
  const auto read = [](const char* fields) { return pld::composition_from_json(with_mechanism(fields)); };
  CHECK_REFUSED(read(R"("sigma":1)"), "mechanisms[1]: type is missing");
  CHECK_REFUSED(read(R"("type":1)"), "mechanisms[1]: type is 1", "string");
  CHECK_REFUSED(read(R"("type":"gaus")"), "mechanisms[1]: type is 'gaus'", "gaussian, laplace");
  CHECK_REFUSED(read(R"("type":"gaussian")"), "mechanisms[1]: gaussian", "sigma");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"rate":1)"), "mechanisms[1]: field \"rate\"", "did you mean q?",
                "sigma, sensitivity, replace_sensitivity, attained_sensitivity, q, poisson", "type, sampling");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":"x")"), "mechanisms[1]: sigma is 'x'", "a finite number");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":"inf")"), "mechanisms[1]: sigma is 'inf'", "a finite number");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":"?")"), "mechanisms[1]: sigma is '?'", "calibrate");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":null)"), "mechanisms[1]: sigma is null", "a number");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":-1)"), "mechanisms[1]: gaussian: sigma is -1");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"count":1.5)"), "mechanisms[1]: count is 1.5", "1e12");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"count":"1.5")"), "mechanisms[1]: count is \"1.5\"", "1e12");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"sampling":{"poisson":"1.5/9"})"), "mechanisms[1].sampling",
                "poisson is '1.5/9'", "a quotient of whole numbers");
  CHECK_REFUSED(read(R"("type":"mass-table","p":[0.5,"x"],"q":[1,0])"), "mechanisms[1]: p[1] is 'x'",
                "a finite number");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"sampling":0.5)"), "mechanisms[1].sampling is 0.5", "object");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"sampling":{})"),
                "mechanisms[1].sampling: one of poisson, without_replacement");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"sampling":{"x":1})"), "mechanisms[1].sampling: field \"x\"");
  CHECK_REFUSED(read(R"("type":"gaussian","sigma":1,"sampling":{"poisson":2})"), "mechanisms[1]", "q is 2");
  CHECK_REFUSED(read(R"("type":"laplace","scale":1,"count":1e12)"), "mechanisms[1]", "count", "1e12");
}
