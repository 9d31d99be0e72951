// What is not as it was written is refused: in the tables, and in the bytes of the file.

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "formats/refusals.hpp"
#include "ledger/folder.hpp"
#include "ledger/sha256.hpp"
#include "pld/ledger/budget_file.hpp"

namespace pld {
namespace {

using test::Folder;

const Entry gaussian{.type = "gaussian", .parameters = {{"sigma", 50}}};

void make_ledger(const std::string& path) {
  BudgetRules rules{.targets = {Target{1, 1e-6}}};
  rules.filter = filter_for(rules.targets, FilterKind::zcdp);
  const BudgetFile file(path);
  file.init(rules);
  for (int i = 0; i < 4; ++i) {
    const Entry entry{.type = "gaussian", .parameters = {{"sigma", 40.0 + i}}};
    REQUIRE(file.spend({.releases = {entry}, .token = std::to_string(i) + "t", .name = "n"}).accepted);
  }
  REQUIRE(file.undo(2) == 5);
}

void make_planned_ledger(const std::string& path) {
  const BudgetFile file(path);
  Entry three = gaussian;
  three.count = 3;
  file.init({.kind = BudgetKind::planned, .targets = {Target{1, 1e-6}}}, {three});
  REQUIRE(file.spend({.releases = {gaussian}}).accepted);
}

std::unique_ptr<sqlite3, int (*)(sqlite3*)> opened(const std::string& path) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  return {database, &sqlite3_close};
}

void change(const std::string& path, const std::string& sql) {
  const auto database = opened(path);
  REQUIRE_MESSAGE(sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK,
                  sqlite3_errmsg(database.get()));
}

/// What the query finds first.
std::string value(const std::string& path, const std::string& sql) {
  const auto keep = [](void* found, int, char** values, char**) {
    *static_cast<std::string*>(found) = values[0];
    return 0;
  };
  const auto database = opened(path);
  std::string found;
  REQUIRE(sqlite3_exec(database.get(), sql.c_str(), keep, &found, nullptr) == SQLITE_OK);
  return found;
}

/// All that a ledger says, as lines.
std::string content(const std::string& path) {
  const BudgetFile file(path);
  std::string text;
  file.export_lines([&](std::string_view line) { text.append(line).append("\n"); });
  const LedgerStatus status = file.status();
  text += status.head + ' ' + status.counted.loss + ' ' + std::to_string(status.spends);
  for (const PlanItem& item : status.plan)
    text += item.mechanism + std::to_string(item.planned) + std::to_string(item.made);
  return text;
}

/// Nothing where the ledger is refused.
std::optional<std::string> content_if_read(const std::string& path) {
  try {
    return content(path);
  } catch (const ReadError&) {
  } catch (const LedgerFailure&) {
  }
  return std::nullopt;
}

TEST_CASE("ledger.damage.rows changed, dropped, doubled or moved are refused") {
  const Folder folder;
  make_ledger(folder.file("good"));
  make_planned_ledger(folder.file("planned"));
  const auto refused = [&](const std::string& good, const std::string& sql, bool spends_too) {
    const std::string path = folder.file("damaged");
    std::filesystem::copy_file(folder.file(good), path, std::filesystem::copy_options::overwrite_existing);
    change(path, sql);
    CHECK_MESSAGE(!content_if_read(path), sql);
    if (spends_too)
      CHECK_MESSAGE(
          !test::refusal([&] { static_cast<void>(BudgetFile(path).spend({.releases = {gaussian}})); }).empty(), sql);
  };
  for (const char* sql :
       {"UPDATE record SET body = replace(body, '1e-06', '1e-05') WHERE id = 0",
        "UPDATE record SET body = replace(body, '42', '43') WHERE id = 3",
        "UPDATE record SET body = replace(body, '\"n\"', '\"m\"') WHERE id = 1",
        "UPDATE record SET chain = upper(chain) WHERE id = 1", "UPDATE record SET token = '9t' WHERE id = 3",
        "UPDATE record SET token = NULL WHERE id = 3", "UPDATE record SET undone = 3 WHERE id = 5",
        "DELETE FROM record WHERE id = 1", "UPDATE record SET id = 7 WHERE id = 1",
        "INSERT INTO record SELECT id + 10, body, chain, NULL, NULL FROM record WHERE id = 4",
        "UPDATE record SET body = (SELECT body FROM record WHERE id = 1), chain = (SELECT chain FROM record WHERE id = "
        "1) "
        "WHERE id = 3"})
    refused("good", sql, false);
  for (const char* sql :
       {"DELETE FROM record WHERE id = 5", "DELETE FROM record WHERE id = 0", "DELETE FROM standing",
        "UPDATE standing SET body = replace(body, '\"spends\":3', '\"spends\":2')", "UPDATE standing SET total = x'00'",
        "UPDATE standing SET seal = replace(seal, substr(seal, 1, 1), 'x')",
        "UPDATE record SET chain = (SELECT chain FROM record WHERE id = 4) WHERE id = 5", "PRAGMA user_version = 3",
        "PRAGMA application_id = 1", "CREATE TABLE other(x)",
        "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END", "CREATE VIEW v AS SELECT 1",
        "DROP INDEX record_token", "PRAGMA journal_mode = WAL"})
    refused("good", sql, true);
  for (const char* sql : {"UPDATE plan SET made = 0", "UPDATE plan SET planned = 4", "DELETE FROM plan",
                          "UPDATE plan SET mechanism = 'gaussian:sigma=51'"})
    refused("planned", sql,
            std::string(sql).find("DELETE") == std::string::npos && std::string(sql).find("51") == std::string::npos);
}

TEST_CASE("ledger.damage.an undo that a spend is not undone by is no answer") {
  const Folder folder;
  make_ledger(folder.file("damaged"));
  const std::string path = folder.file("damaged");
  REQUIRE(BudgetFile(path).undo(2) == 5);
  change(path, "UPDATE record SET undone = 3 WHERE id = 5");
  const std::string said = test::refusal([&] { static_cast<void>(BudgetFile(path).undo(3)); });
  CHECK_MESSAGE(said.find("an undo is found at a record that does not undo it") != std::string::npos, said);
}

TEST_CASE("ledger.damage.a total that its checksum fits but that cannot be read is refused as damage") {
  const Folder folder;
  make_ledger(folder.file("damaged"));
  const std::string path = folder.file("damaged"), body = value(path, "SELECT body FROM standing");
  const std::string no_total = "\xf6";  // CBOR's null
  change(path, "UPDATE standing SET total = x'f6', seal = '" + sha256(body + '\n' + no_total) + "'");
  const auto refusal = [&](const auto& ask) {
    return test::refusal([&] { static_cast<void>(ask(BudgetFile(path))); });
  };
  const auto spend = [](const BudgetFile& file) { return file.spend({.releases = {gaussian}}); };
  const auto status = [](const BudgetFile& file) { return file.status(); };
  for (const std::string& said : {refusal(spend), refusal(status)}) {
    CHECK(said.find("damaged' is damaged: the sums cannot be read (running total") != std::string::npos);
    CHECK(said.find("nothing of it is used") != std::string::npos);
  }
}

/// Tries the bits `step` apart: refused, or the same is read; and what is not read is not spent from either.
void flip_bits(const std::string& good, std::size_t step, std::size_t first) {
  const Folder folder;
  const std::string path = folder.file("damaged"), bytes = test::bytes_of(good), said = content(good);
  const double counted = BudgetFile(good).status().counted.loss_above();
  int refused = 0, same = 0, other = 0, spent = 0, wrongly_spent = 0;
  for (std::size_t bit = first; bit < 8 * bytes.size(); bit += step) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    test::write_bytes(path, changed);
    const auto read = content_if_read(path);
    ++(!read ? refused : *read == said ? same : other);
    try {
      const Spending spending = BudgetFile(path).spend({.releases = {gaussian}});
      spent += spending.accepted ? 1 : 0;
      if (spending.accepted && (!read || spending.counted < counted)) ++wrongly_spent;
    } catch (const std::exception&) {
    }
  }
  MESSAGE(refused, " of ", refused + same + other, " flipped bits refused, ", same, " read as before, ", other,
          " read otherwise; ", spent, " spends accepted, ", wrongly_spent, " of them wrongly");
  CHECK(other == 0);
  CHECK(wrongly_spent == 0);
  CHECK(refused > 0);
}

TEST_CASE("ledger.damage.a flipped bit of the file is refused or changes nothing") {
  const Folder folder;
  make_ledger(folder.file("good"));
  make_planned_ledger(folder.file("planned"));
  flip_bits(folder.file("good"), 251, 7);
  flip_bits(folder.file("planned"), 509, 3);
}

TEST_CASE("ledger.damage.every bit flipped" * doctest::test_suite("slow")) {
  const Folder folder;
  make_ledger(folder.file("good"));
  flip_bits(folder.file("good"), 1, 0);
}

/// `text` with another digit in the place of one of its own.
std::string with_other_digit(std::string text, std::mt19937& random) {
  std::size_t at = random() % text.size();
  while (text[at] < '0' || text[at] > '9') at = (at + 1) % text.size();
  text[at] = static_cast<char>('0' + (text[at] - '0' + 1 + random() % 9) % 10);
  return text;
}

/// Whether a ledger can be started from the lines.
bool imports(const std::string& path, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  std::istringstream in(text);
  std::filesystem::remove(path);
  return test::refusal([&] { static_cast<void>(BudgetFile(path).import_lines(in)); }).empty();
}

/// Digits flipped, lines dropped and doubled, `times` each: how many of these exports are imported.
int damaged_exports_taken(const std::string& good, int times, std::mt19937& random) {
  const Folder folder;
  std::vector<std::string> lines;
  BudgetFile(good).export_lines([&](std::string_view line) { lines.emplace_back(line); });
  REQUIRE(imports(folder.file("copy"), lines));
  int taken = 0;
  for (int i = 0; i < 3 * times; ++i) {
    std::vector<std::string> changed = lines;
    const auto at = changed.begin() + static_cast<std::ptrdiff_t>(random() % lines.size());
    if (i % 3 == 0) *at = with_other_digit(*at, random);
    if (i % 3 == 1) changed.erase(at);
    if (i % 3 == 2) {
      const std::string again = *at;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(random() % (lines.size() + 1)), again);
    }
    taken += imports(folder.file("copy"), changed) ? 1 : 0;
  }
  return taken;
}

/// The same of the rows of the table, ids closed up behind what is dropped and moved on for what is doubled: how many
/// of these ledgers are read, or spent from.
int damaged_tables_taken(const std::string& good, int times, std::mt19937& random) {
  const Folder folder;
  const std::string path = folder.file("damaged"), bytes = test::bytes_of(good);
  const auto records = static_cast<unsigned>(BudgetFile(good).status().records);
  int taken = 0;
  for (int i = 0; i < 3 * times; ++i) {
    test::write_bytes(path, bytes);
    const std::string id = std::to_string(random() % (records + 1));
    if (i % 3 == 0) {
      const std::string column = random() % 2 == 0 ? "body" : "chain", where = " WHERE id = " + id;
      const std::string now = value(path, "SELECT " + column + " FROM record" + where);
      change(path, "UPDATE record SET " + column + " = '" + with_other_digit(now, random) + "'" + where);
    } else if (i % 3 == 1) {
      change(path, "DELETE FROM record WHERE id = " + id + "; UPDATE record SET id = id - 1 WHERE id > " + id);
    } else {
      change(path, "UPDATE record SET id = -id WHERE id > " + id + "; UPDATE record SET id = 1 - id WHERE id < 0; " +
                       "INSERT INTO record SELECT id + 1, body, chain, NULL, NULL FROM record WHERE id = " + id);
    }
    const bool spent =
        test::refusal([&] { static_cast<void>(BudgetFile(path).spend({.releases = {gaussian}})); }).empty();
    taken += spent || content_if_read(path) ? 1 : 0;
  }
  return taken;
}

void damage_at_random(int times) {
  const Folder folder;
  make_ledger(folder.file("good"));
  std::mt19937 random(5);
  CHECK(damaged_exports_taken(folder.file("good"), times, random) == 0);
  CHECK(damaged_tables_taken(folder.file("good"), times, random) == 0);
}

TEST_CASE("ledger.damage.digits flipped, lines and rows dropped and doubled are refused") { damage_at_random(100); }

TEST_CASE("ledger.damage.72,000 digits flipped, lines and rows dropped and doubled" * doctest::test_suite("slow")) {
  damage_at_random(12'000);
}

TEST_CASE("ledger.damage.files cut short or overwritten") {
  const Folder folder;
  const std::string path = folder.file("damaged");
  make_ledger(folder.file("good"));
  const std::string bytes = test::bytes_of(folder.file("good")), said = content(folder.file("good"));
  int refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += 301) {
    for (const std::size_t zeros : {std::size_t{0}, bytes.size() - size}) {
      test::write_bytes(path, bytes.substr(0, size) + std::string(zeros, '\0'));
      const auto read = content_if_read(path);
      CHECK_MESSAGE((!read || *read == said), size);  // the last page has room that holds nothing
      refused += read ? 0 : 1;
    }
  }
  CHECK(refused > 120);
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    std::string noise = bytes.substr(0, 100);
    while (noise.size() < bytes.size()) noise += static_cast<char>(random());
    test::write_bytes(path, noise);
    CHECK(!content_if_read(path));
  }
}

/// A journal that somebody else left beside the ledger would be put into it.
TEST_CASE("ledger.damage.somebody else's journal is not taken up") {
  const Folder folder;
  const std::string path = folder.file("budget");
  make_ledger(path);
  const std::string said = content(path);
  std::filesystem::create_symlink("/etc/hostname", path + "-journal");
  CHECK_REFUSED(BudgetFile(path).spend({.releases = {gaussian}}), "-journal");
  CHECK(!content_if_read(path));
  std::filesystem::remove(path + "-journal");
  if (geteuid() == 0) {
    test::write_bytes(path + "-journal", "not a journal");
    REQUIRE(chown((path + "-journal").c_str(), 65534, 65534) == 0);
    CHECK_REFUSED(BudgetFile(path).status(), "belongs to user 65534");
    std::filesystem::remove(path + "-journal");
  }
  CHECK(content(path) == said);
}

}  // namespace
}  // namespace pld
