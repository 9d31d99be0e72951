// What is written reads back as the same: entries, in every form they have, with numbers of all magnitudes.

#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/number_text.hpp"
#include "formats/composition_fields.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/registry.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

class RandomEntries {
 public:
  Entry next() {
    const auto& types = mechanism_types();
    const MechanismType& type = types[generator_() % types.size()];
    Entry entry{.type = type.name};
    for (const ParameterInfo& parameter : type.parameters) {
      if (generator_() % 4 == 0) continue;
      if (parameter.is_list)
        entry.lists[parameter.name] = numbers();
      else
        entry.parameters[parameter.name] = number();
    }
    const auto sampling = generator_() % 4;
    if (sampling == 0) entry.sampling = {{"poisson", number()}};
    if (sampling == 1) entry.sampling = {{"without_replacement", number()}};
    if (generator_() % 2 == 0) entry.count = static_cast<std::int64_t>(generator_() % 1'000'000'000'001);
    return entry;
  }

 private:
  std::vector<double> numbers() {
    std::vector<double> list(1 + generator_() % 5);
    for (double& value : list) value = number();
    return list;
  }

  /// Any finite double: whole ones and all bit patterns.
  double number() {
    if (generator_() % 4 == 0) return static_cast<double>(generator_() % 1000);
    const double value = std::bit_cast<double>(generator_());
    return std::isfinite(value) ? value : 0.1;
  }

  std::mt19937_64 generator_{20260711};
};

void check_same(const Entry& got, const Entry& want) {
  CHECK(got.type == want.type);
  CHECK(got.parameters == want.parameters);
  CHECK(got.lists == want.lists);
  CHECK(got.sampling == want.sampling);
  CHECK(got.count == want.count);
}

TEST_CASE("ledger.round_trip.entries_in_json") {
  RandomEntries random;
  for (int file = 0; file < 200; ++file) {
    std::vector<Entry> entries;
    nlohmann::ordered_json mechanisms = nlohmann::ordered_json::array();
    for (int i = 0; i < file % 7; ++i) {
      entries.push_back(random.next());
      mechanisms.push_back(entry_json(entries.back()));
    }
    const nlohmann::ordered_json ledger{{"adjacency", "add-remove"}, {"mechanisms", mechanisms}};
    for (const int indent : {-1, 0, 3}) {
      const auto read = entries_from_json(ledger.dump(indent));
      REQUIRE(read.size() == entries.size());
      for (std::size_t i = 0; i < read.size(); ++i) check_same(read[i], entries[i]);
    }
  }
}

TEST_CASE("ledger.round_trip.entries_in_words") {
  RandomEntries random;
  for (int i = 0; i < 2000; ++i) {
    Entry entry = random.next();
    if (entry.type == "mass-table") entry.sampling.erase("poisson");  // in words its q is the second law
    std::string word = entry.type;
    char separator = ':';
    const auto append = [&](const std::string& key, const std::string& value) {
      word.append(1, separator).append(key).append("=").append(value);
      separator = ',';
    };
    for (const auto& [name, value] : entry.parameters) append(name, number_text(value));
    for (const auto& [name, values] : entry.lists) {
      std::string list;
      for (const double value : values) list.append(list.empty() ? "" : "/").append(number_text(value));
      append(name, list);
    }
    for (const auto& [field, value] : entry.sampling) append(field == "poisson" ? "q" : "wor", number_text(value));
    append("count", std::to_string(entry.count));
    CAPTURE(word);
    check_same(entry_from_text(word), entry);
  }
}

TEST_CASE("ledger.round_trip.compositions") {
  Composition run(Neighbours(Relation::replace_one, 2));
  for (const char* word : {"gaussian:sigma=0.7,q=0.1,count=30", "laplace:scale=3.0000000000000004",
                           "skellam:variance=9", "mass-table:p=0.6/0.4,q=0.5/0.5,count=4"}) {
    const Release release = release_of(entry_from_text(word));
    run.add(release.mechanism, release.count);
  }
  const std::string written = composition_to_json(run);
  const Composition back = composition_from_json(written);
  CHECK(back.neighbours() == run.neighbours());
  REQUIRE(back.releases().size() == run.releases().size());
  for (std::size_t i = 0; i < run.releases().size(); ++i) {
    CHECK(back.releases()[i].mechanism.text() == run.releases()[i].mechanism.text());
    CHECK(back.releases()[i].count == run.releases()[i].count);
  }
  CHECK(composition_to_json(back) == written);
  Composition own;
  own.add(Mechanism::of_law("my own", Mechanism(RandomizedResponse{.p = 0.6}).law()));
  CHECK_THROWS_AS(static_cast<void>(composition_to_json(own)), ReadError);
}

}  // namespace
}  // namespace pld
