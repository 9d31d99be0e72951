#include "pld/ledger/budget_file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <sstream>
#include <thread>
#include <vector>

#include "formats/refusals.hpp"
#include "ledger/folder.hpp"
#include "pld/account/query.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/ledger/released.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

using test::Folder;

const Entry gaussian{.type = "gaussian", .parameters = {{"sigma", 50}}};
const Entry sampled{.type = "gaussian",
                    .parameters = {{"sigma", 30}, {"sensitivity", 1.5}},
                    .sampling = {{"poisson", 0.1}},
                    .count = 3};
constexpr Target target{.epsilon = 1, .delta = 1e-6};

BudgetRules adaptive(const Goal& goal = target) {
  BudgetRules rules{.targets = {goal}};
  rules.filter = filter_for(rules.targets, FilterKind::zcdp);
  return rules;
}

BudgetRules planned(const Goal& goal = target) { return {.kind = BudgetKind::planned, .targets = {goal}}; }

std::vector<LedgerRecord> records_of(const BudgetFile& file) {
  std::vector<LedgerRecord> all;
  file.for_each([&](const LedgerRecord& record) { all.push_back(record); });
  return all;
}

Spending spend(const BudgetFile& file, const Entry& entry, const std::string& token = "") {
  return file.spend({.releases = {entry}, .token = token});
}

TEST_CASE("ledger.budget_file.keeps what is spent, with its name, note and token") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  CHECK_REFUSED(file.status(), "budget", "does not exist");
  CHECK_REFUSED(spend(file, gaussian), "budget", "does not exist");
  file.init(adaptive());
  CHECK_REFUSED(file.init(adaptive()), "budget", "exists");
  CHECK(spend(file, gaussian).id == 1);
  const Spending second =
      file.spend({.releases = {sampled, gaussian}, .token = "night 7", .name = "US", .note = "a note: ü, \" and \n"});
  CHECK(second.accepted);
  CHECK(second.id == 2);

  const auto records = records_of(file);
  REQUIRE(records.size() == 2);
  CHECK(records[1].releases.size() == 2);
  CHECK(records[1].releases[0].parameters == sampled.parameters);
  CHECK(records[1].releases[0].sampling == sampled.sampling);
  CHECK(records[1].releases[0].count == 3);
  CHECK(records[1].name == "US");
  CHECK(records[1].note == "a note: ü, \" and \n");
  CHECK(records[1].token == "night 7");

  LedgerStatus status = file.status();
  CHECK(status.spends == 2);
  CHECK(status.records == 2);
  // 2 of 1 / 5000 and 3 of (1.5 / 30)^2 / 2, whatever the sampling.
  CHECK_REL(status.counted.loss_above(), 2.0 / 5000 + 3 * 0.00125, 1e-15);
  CHECK(status.counted.loss_above() >= 0.00415);
  CHECK(second.counted == status.counted.loss_above());
  const DeltaAnswer composed = status.spent.delta({.epsilon = 0.01});
  const Release release = release_of(sampled);
  const DeltaAnswer alone =
      delta(Composition().add(release.mechanism, release.count).add(Gaussian{.sigma = 50}, 2), {.epsilon = 0.01});
  CHECK(composed.lower <= alone.upper);
  CHECK(composed.upper >= alone.lower);

  CHECK_REFUSED(spend(file, {.type = "gaussian", .parameters = {{"sigma", -1}}}), "sigma is -1");
  CHECK_REFUSED(file.spend({}), "no release");
  CHECK_REFUSED(file.spend({.releases = {gaussian}, .name = "\xff"}), "name", "UTF-8");
  CHECK_REFUSED(file.spend({.releases = {gaussian}, .token = std::string(1001, 'x')}), "token", "1000");
  CHECK(file.status().head == status.head);
}

TEST_CASE("ledger.budget_file.undo takes one spend back, and stays in the ledger") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive());
  for (const double sigma : {1000.0, 40.0, 50.0})
    REQUIRE(spend(file, {.type = "gaussian", .parameters = {{"sigma", sigma}}}).accepted);
  CHECK(file.undo(2) == 4);
  LedgerStatus status = file.status();
  CHECK(status.spends == 2);
  CHECK(status.records == 4);
  CHECK(status.counted.loss == "401/2000000");  // 1 / 2e6 and 1 / 5000
  const auto records = records_of(file);
  CHECK(records[0].standing);
  CHECK(!records[1].standing);
  CHECK(records[2].standing);
  CHECK(records[3].undone == 2);
  const DeltaAnswer left = status.spent.delta({.epsilon = 0.01});
  const DeltaAnswer alone =
      delta(Composition().add(Gaussian{.sigma = 1000}).add(Gaussian{.sigma = 50}), {.epsilon = 0.01});
  CHECK(left.lower <= alone.upper);
  CHECK(left.upper >= alone.lower);
  CHECK(file.undo(2) == 4);  // who lost the answer asks again
  CHECK(file.status().head == status.head);
  for (const std::int64_t id : {4, 5, 0, -1}) CHECK_REFUSED(file.undo(id), "that of a spend");
}

TEST_CASE("ledger.budget_file.a token spends once") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive());
  const Spending first = spend(file, gaussian, "a");
  REQUIRE(spend(file, sampled).accepted);
  const Spending again = spend(file, gaussian, "a");
  CHECK(again.accepted);
  CHECK(again.repeated);
  CHECK(again.id == first.id);
  CHECK(again.counts == first.counts);
  CHECK(again.counted == first.counted);
  CHECK(again.composed == first.composed);
  CHECK(file.status().records == 2);
  CHECK_REFUSED(spend(file, sampled, "a"), "'a'", "record 1", "something else");
  REQUIRE(file.undo(1) == 3);
  CHECK_REFUSED(spend(file, gaussian, "a"), "'a'", "record 1", "undone");
  // Of what is refused nothing is remembered.
  CHECK(!spend(file, {.type = "gaussian", .parameters = {{"sigma", 1}}}, "b").accepted);
  CHECK(spend(file, gaussian, "b").accepted);
}

TEST_CASE("ledger.budget_file.an adaptive budget is spent to its cap and no further") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive(ZeroConcentratedDp{1}));
  const Entry tenth{.type = "gaussian", .parameters = {{"sigma", 10}}};
  for (int i = 0; i < 200; ++i) REQUIRE(spend(file, tenth).accepted);
  const Spending refused = spend(file, {.type = "gaussian", .parameters = {{"sigma", 1e9}}});
  CHECK(!refused.accepted);
  CHECK(refused.refusal.find("rho") != std::string::npos);
  CHECK(file.status().records == 200);
  REQUIRE(file.undo(17) == 201);
  CHECK(spend(file, {.type = "gaussian", .parameters = {{"sigma", 1e9}}}).accepted);
  CHECK_REFUSED(spend(file, {.type = "skellam", .parameters = {{"variance", 100}}}), "skellam", "rho");
}

/// The filter goes by its sum alone: what the composition would allow is refused.
TEST_CASE("ledger.budget_file.an adaptive budget does not go by the composition") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive());
  const Entry small{.type = "gaussian", .parameters = {{"sigma", 4.3}}, .count = 1};
  const Spending refused = spend(file, small);
  REQUIRE(!refused.accepted);
  REQUIRE(refused.composed.size() == 1);
  CHECK(refused.composed[0] < target.delta);  // sigma 4.23 would do (Balle, Wang 2018)
}

TEST_CASE("ledger.budget_file.a planned budget is composed, and is its plan") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  CHECK_REFUSED(file.init(planned()), "lists its releases");
  CHECK_REFUSED(file.init(adaptive(), {gaussian}), "no plan");
  const Entry tight{.type = "gaussian", .parameters = {{"sigma", 4.5}}};
  CHECK_REFUSED(file.init(planned(), {tight, tight}), "plan", "delta at epsilon 1", "1e-06");
  Entry five = gaussian;
  five.count = 5;
  file.init(planned(), {tight, gaussian, five});
  LedgerStatus status = file.status();
  REQUIRE(status.plan.size() == 2);
  CHECK(status.plan[1].mechanism == "gaussian:sigma=50");
  CHECK(status.plan[1].planned == 6);
  CHECK(status.records == 3);

  const Spending first = spend(file, five);
  CHECK(first.accepted);
  REQUIRE(first.composed.size() == 1);
  const DeltaAnswer whole =
      delta(Composition().add(Gaussian{.sigma = 4.5}).add(Gaussian{.sigma = 50}, 6), {.epsilon = 1, .tolerance = 1e-9});
  CHECK(first.composed[0] >= whole.lower);
  CHECK(first.composed[0] <= whole.upper * (1 + 1e-3));
  CHECK(spend(file, gaussian).accepted);
  const Spending over = spend(file, gaussian);
  CHECK(!over.accepted);
  CHECK(over.refusal.find("6") != std::string::npos);
  CHECK(!spend(file, sampled).accepted);
  CHECK(file.spend({.releases = {tight, gaussian}}).accepted == false);  // all or nothing
  CHECK(spend(file, tight).accepted);
  CHECK(file.undo(first.id) == 7);
  CHECK(spend(file, five).accepted);
  CHECK(!spend(file, gaussian).accepted);

  const BudgetFile by_rho(folder.file("rho"));
  by_rho.init(planned(ZeroConcentratedDp{0.005}), {{.type = "gaussian", .parameters = {{"sigma", 10}}}});
  CHECK_REFUSED(BudgetFile(folder.file("rho2"))
                    .init(planned(ZeroConcentratedDp{0.00499}), {{.type = "gaussian", .parameters = {{"sigma", 10}}}}),
                "rho is 0.005");
}

TEST_CASE("ledger.budget_file.an export is imported as it was, and nothing else") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive());
  for (int i = 0; i < 5; ++i) REQUIRE(spend(file, i % 2 == 0 ? gaussian : sampled, std::to_string(i) + "t").accepted);
  REQUIRE(file.undo(3) == 6);
  std::string text;
  file.export_lines([&](std::string_view line) { text.append(line).append("\n"); });

  const auto imported = [&](const std::string& lines, const std::string& name) {
    std::istringstream in(lines);
    BudgetFile(folder.file(name)).import_lines(in);
  };
  imported(text, "copy");
  const BudgetFile copy(folder.file("copy"));
  CHECK(copy.status().head == file.status().head);
  CHECK(copy.status().counted.loss == file.status().counted.loss);
  CHECK(spend(copy, gaussian, "0t").repeated);
  std::string again;
  BudgetFile(folder.file("copy")).export_lines([&](std::string_view line) { again.append(line).append("\n"); });
  CHECK(again == text);
  CHECK(released_in_text(text)->releases.size() == 4);
  CHECK(released_in_file(folder.file("budget")).releases.size() == 4);

  // Every byte changed, every line dropped, doubled or swapped with the next, and cut short at every byte: refused.
  int refused = 0, tried = 0;
  const auto is_refused = [&](const std::string& lines) {
    ++tried;
    const std::string message = test::refusal([&] { imported(lines, "bad"); });
    refused += message.empty() ? 0 : 1;
    if (message.empty()) CHECK_MESSAGE(false, "imported: ", lines);
    REQUIRE(!std::filesystem::exists(folder.file("bad")));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ (1 << (i % 7)));
    is_refused(changed);
    is_refused(text.substr(0, i));
  }
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string dropped, doubled, swapped;
    for (std::size_t j = 0; j < lines.size(); ++j) {
      if (j != i) dropped += lines[j];
      doubled += j == i ? lines[j] + lines[j] : lines[j];
      swapped += j == i && i + 1 < lines.size() ? lines[j + 1] : i + 1 == j ? lines[i] : lines[j];
    }
    is_refused(dropped);
    is_refused(doubled);
    if (i + 1 < lines.size()) is_refused(swapped);
  }
  MESSAGE(refused, " of ", tried, " damaged exports refused");
  CHECK(refused == tried);
  CHECK_REFUSED(imported(text, "copy"), "exists");
}

TEST_CASE("ledger.budget_file.a budget of before there were kinds") {
  const std::string old =
      "{\"pld-budget\":1,\"epsilon\":1,\"delta\":1e-06}\n{\"spend\":{\"type\":\"gaussian\",\"sigma\":50.0}}\n"
      "{\"spend\":{\"type\":\"gaussian\",\"sigma\":3.0}}\n{\"undo\":1}\n"
      "{\"spend\":{\"type\":\"gaussian\",\"sigma\":4.3}}\n";
  const Folder folder;
  const auto zcdp = [](const std::vector<Goal>& targets) { return filter_for(targets, FilterKind::zcdp); };
  std::istringstream first(old), second(old);
  const BudgetFile adapting(folder.file("adaptive")), planning(folder.file("planned"));
  adapting.import_old(first, BudgetKind::adaptive, zcdp);
  LedgerStatus status = adapting.status();
  CHECK(status.spends == 2);
  CHECK(!within(status.counted, status.rules.filter));  // it went by the composition: recorded all the same
  CHECK(!spend(adapting, {.type = "gaussian", .parameters = {{"sigma", 1e9}}}).accepted);
  planning.import_old(second, BudgetKind::planned, zcdp);
  CHECK(planning.status().spends == 2);
  CHECK(planning.status().plan.size() == 2);
  CHECK(!spend(planning, gaussian).accepted);
  CHECK(released_in_text(old)->releases.size() == 2);

  const auto refused = [&](const std::string& text, std::initializer_list<const char*> says) {
    std::istringstream in(text);
    const std::string message =
        test::refusal([&] { BudgetFile(folder.file("bad")).import_old(in, BudgetKind::adaptive, zcdp); });
    CHECK_MESSAGE(test::holds_each(message, says), text, " says: ", message);
  };
  const std::string header = "{\"pld-budget\":1,\"epsilon\":1,\"delta\":1e-6}\n";
  refused("", {"empty"});
  refused(header.substr(0, header.size() - 1), {"line 1", "end"});
  refused("{\"pld-budget\":2,\"epsilon\":1,\"delta\":1e-6}\n", {"line 1", "version is 2"});
  refused("{\"pld-budget\":1,\"epsilon\":1}\n", {"line 1", "delta is missing"});
  refused("{\"pld-budget\":1,\"epsilon\":1,\"delta\":1e300}\n", {"delta is 1e300"});
  refused(header + "{}\n", {"line 2"});
  refused(header + "{\"undo\":1}\n", {"line 2", "nothing is spent"});
  refused(header + "{\"spend\":{\"type\":\"gaus\"}}\n", {"line 2", "'gaus'"});
  refused(header + "{\"spend\":{\"type\":\"gaussian\",\"sigma\":1,\"colour\":2}}\n", {"line 2", "colour"});
  refused(header + "{\"spend\":{\"type\":\"mass-table\",\"file\":\"/etc/passwd\"}}\n", {"line 2", "forbidden"});
  refused(header + header, {"line 2", "not known", "spend, undo"});
}

TEST_CASE("ledger.budget_file.a full disk loses nothing") {
  const Folder folder;
  const std::string path = folder.file("budget");
  const BudgetFile file(path);
  file.init(adaptive());
  for (int i = 0; i < 20; ++i) REQUIRE(spend(file, gaussian).accepted);
  const std::string before = test::bytes_of(path);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);  // so that writing fails
    const rlimit limit{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      static_cast<void>(spend(file, sampled));
    } catch (const LedgerFailure& failure) {
      _exit(std::string(failure.what()).find("nothing is recorded") != std::string::npos ? 7 : 1);
    } catch (const std::exception&) {
      _exit(2);
    }
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(test::bytes_of(path) == before);
  CHECK(spend(file, sampled).accepted);
}

TEST_CASE("ledger.budget_file.sixteen writers lose nothing and never overspend") {
  const Folder folder;
  const std::string path = folder.file("budget");
  BudgetFile(path).init(adaptive(ZeroConcentratedDp{0.5}));
  const Entry hundredth{.type = "gaussian", .parameters = {{"sigma", 10}}};  // rho 1/200: a hundred fit
  std::vector<pid_t> children;
  for (int i = 0; i < 16; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      int accepted = 0;
      for (int k = 0; k < 10; ++k) accepted += spend(BudgetFile(path), hundredth).accepted ? 1 : 0;
      _exit(accepted);
    }
    children.push_back(child);
  }
  int accepted = 0;
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    accepted += WEXITSTATUS(status);
  }
  CHECK(accepted == 100);
  const LedgerStatus status = BudgetFile(path).status();
  CHECK(status.spends == 100);
  CHECK(status.counted.loss == "1/2");
}

TEST_CASE("ledger.budget_file.threads of one process take turns too") {
  const Folder folder;
  const BudgetFile file(folder.file("budget"));
  file.init(adaptive());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) static_cast<void>(spend(file, gaussian));
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(file.status().spends == 20);
}

TEST_CASE("ledger.budget_file.who waits too long is told, and nothing is recorded") {
  const Folder folder;
  const std::string path = folder.file("budget");
  BudgetFile(path).init(adaptive());
  int ready[2], done[2];
  REQUIRE(pipe(ready) == 0);
  REQUIRE(pipe(done) == 0);
  const pid_t child = fork();
  if (child == 0) {  // anybody who may read the file may hold a lock on it
    const int held = ::open(path.c_str(), O_RDWR);
    flock lock{.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512, .l_pid = 0};
    char byte = fcntl(held, F_SETLK, &lock) == 0 ? 'y' : 'n';
    static_cast<void>(!write(ready[1], &byte, 1));
    static_cast<void>(!read(done[0], &byte, 1));
    _exit(0);
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  REQUIRE(byte == 'y');
  const BudgetFile impatient(path, std::chrono::milliseconds(200));
  std::string message;
  try {
    static_cast<void>(spend(impatient, gaussian));
  } catch (const LedgerFailure& failure) {
    message = failure.what();
  }
  CHECK(test::holds_each(message, {"in use", "200 ms", "nothing is recorded"}));
  REQUIRE(write(done[1], &byte, 1) == 1);
  waitpid(child, nullptr, 0);
  CHECK(spend(impatient, gaussian).id == 1);
}

TEST_CASE("ledger.budget_file.files that are no ledgers, or not only one") {
  const Folder folder;
  const std::string path = folder.file("budget");
  const BudgetFile file(path);
  const auto refused = [&](std::initializer_list<const char*> says) {
    for (int i = 0; i < 3; ++i) {
      const std::string message = test::refusal([&] {
        if (i == 0) static_cast<void>(file.status());
        if (i == 1) static_cast<void>(spend(file, gaussian));
        if (i == 2) static_cast<void>(file.undo(1));
      });
      CHECK_MESSAGE(test::holds_each(message, says), message);
    }
  };
  test::write_bytes(path, "");
  refused({"empty", "ledger init"});
  test::write_bytes(path, "{\"pld-budget\":1,\"epsilon\":1,\"delta\":1e-6}\n");
  refused({"no budget", "import"});
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  refused({"not a regular file"});
  std::filesystem::remove(path);
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  refused({"not a regular file"});
  std::filesystem::remove(path);

  file.init(adaptive());
  std::filesystem::create_hard_link(path, folder.file("other"));
  refused({"2 names"});
  std::filesystem::remove(folder.file("other"));
  CHECK(spend(file, gaussian).accepted);
  std::filesystem::create_symlink(path, folder.file("link"));
  CHECK(spend(BudgetFile(folder.file("link")), gaussian).accepted);  // through a link it is the same ledger
  CHECK(file.status().spends == 2);
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  std::filesystem::create_symlink(folder.file("nothing"), folder.file("dangling"));
  CHECK_REFUSED(BudgetFile(folder.file("dangling")).init(adaptive()), "exists already");
  CHECK_REFUSED(BudgetFile(folder.file("no/folder")).init(adaptive()), "cannot write", "No such file");
  CHECK_REFUSED(BudgetFile("").status(), "empty");
}

TEST_CASE("ledger.budget_file.owner and mode are kept") {
  const Folder folder;
  const std::string path = folder.file("budget");
  const BudgetFile file(path);
  file.init(adaptive());
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  const bool is_root = geteuid() == 0;
  if (is_root) REQUIRE(chown(path.c_str(), 65534, 65534) == 0);
  REQUIRE(spend(file, gaussian).accepted);
  REQUIRE(file.undo(1) == 2);
  struct stat now {};
  REQUIRE(stat(path.c_str(), &now) == 0);
  CHECK((now.st_mode & 07777) == 0640);
  if (is_root) CHECK((now.st_uid == 65534 && now.st_gid == 65534));
}

}  // namespace
}  // namespace pld
