#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <sstream>

#include "accounted.hpp"
#include "bindings.hpp"
#include "core/same_neighbours.hpp"
#include "core/standard_arithmetic.hpp"
#include "forks.hpp"
#include "formats/composition_fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/query_text.hpp"
#include "formats/training_run.hpp"
#include "ledger/asked_rules.hpp"
#include "ledger/budget_rows.hpp"
#include "ledger/budget_steps.hpp"
#include "ledger/budget_store.hpp"
#include "ledger/ledger_json.hpp"
#include "listening.hpp"
#include "pld/core/errors.hpp"
#include "pld/ledger/filter_calibration.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

std::string bytes_of(const nb::handle& bytes) {
  const auto held = nb::cast<nb::bytes>(bytes);
  return {held.c_str(), held.size()};
}

std::string text_or_empty(const nb::handle& text) { return text.is_none() ? "" : nb::cast<std::string>(text); }

RecordRow record_from(const nb::handle& row) {
  return {nb::cast<std::int64_t>(row[0]), nb::cast<std::string>(row[1]), nb::cast<std::string>(row[2]),
          text_or_empty(row[3]), row[4].is_none() ? 0 : nb::cast<std::int64_t>(row[4])};
}

PlanRow plan_from(const nb::handle& row) {
  return {nb::cast<std::string>(row[0]), nb::cast<std::int64_t>(row[1]), nb::cast<std::int64_t>(row[2]),
          nb::cast<std::string>(row[3])};
}

/// Rows that an object of Python's reads and writes, with methods of the same names: pld.budgets has it. Rows are
/// tuples there, and None where there is no row, token or undone record. Methods are called without the GIL, which they
/// take.
class PythonRows : public BudgetRows {
 public:
  explicit PythonRows(nb::object rows) : rows_(std::move(rows)) {}

  [[nodiscard]] std::string name() const override {
    const InPython python;
    return nb::cast<std::string>(rows_.attr("name")());
  }
  void require_budget() override {
    const InPython python;
    rows_.attr("require_budget")();
  }
  [[nodiscard]] std::optional<RecordRow> record(std::int64_t id) override { return found(record_from, "record", id); }
  [[nodiscard]] std::optional<RecordRow> last_record() override { return found(record_from, "last_record"); }
  [[nodiscard]] std::optional<std::int64_t> id_with_token(const std::string& token) override {
    return found([](const nb::handle& id) { return nb::cast<std::int64_t>(id); }, "id_with_token", token);
  }
  [[nodiscard]] std::optional<std::int64_t> undo_of(std::int64_t id) override {
    return found([](const nb::handle& by) { return nb::cast<std::int64_t>(by); }, "undo_of", id);
  }
  void for_each_record(const std::function<void(const RecordRow&)>& each) override {
    const InPython python;
    for (const nb::handle row : nb::iter(rows_.attr("records")())) each(record_from(row));
  }
  void insert(const RecordRow& row) override {
    const InPython python;
    const nb::object token = row.token.empty() ? nb::none() : nb::cast(row.token);
    const nb::object undone = row.undone == 0 ? nb::none() : nb::cast(row.undone);
    rows_.attr("insert")(row.id, row.body, row.chain, token, undone);
  }
  [[nodiscard]] std::optional<StandingRow> standing() override {
    const auto read = [](const nb::handle& row) {
      return StandingRow{nb::cast<std::string>(row[0]), bytes_of(row[1]), nb::cast<std::string>(row[2])};
    };
    return found(read, "standing");
  }
  void write(const StandingRow& row) override {
    const InPython python;
    rows_.attr("write_standing")(row.body, nb::bytes(row.total.data(), row.total.size()), row.seal);
  }
  [[nodiscard]] std::optional<PlanRow> plan_row(const std::string& mechanism) override {
    return found(plan_from, "plan_row", mechanism);
  }
  [[nodiscard]] std::vector<PlanRow> plan() override {
    const InPython python;
    std::vector<PlanRow> all;
    for (const nb::handle row : nb::iter(rows_.attr("plan")())) all.push_back(plan_from(row));
    return all;
  }
  void write(const PlanRow& row) override {
    const InPython python;
    rows_.attr("write_plan")(row.mechanism, row.planned, row.made, row.seal);
  }

 private:
  /// What `read` makes of the row that the method finds, where it finds one.
  template <class Read, class... Asked>
  auto found(const Read& read, const char* method, const Asked&... asked)
      -> std::optional<decltype(read(nb::handle()))> {
    const InPython python;
    const nb::object row = rows_.attr(method)(asked...);
    if (row.is_none()) return std::nullopt;
    return read(row);
  }

  nb::object rows_;
};

/// `step(store)` on a budget's rows, while other threads of Python run.
template <class Step>
auto on(const nb::object& rows, const Step& step) {
  PythonRows python(rows);
  const AtWork others_run;
  const StandardArithmetic arithmetic;
  BudgetStore store(python);
  return step(store);
}

void require_neighbours(const Accounted& run, const Neighbours& of_budget) {
  require_same(run.composition().neighbours(), of_budget, "budget", "as in the budget");
}

/// Starts a budget; `named` is the plan of a planned one, what is expected of an adaptive one, or None.
void start(const nb::object& rows, const std::string& kind, const std::vector<std::map<std::string, double>>& targets,
           const std::string& adjacency, double group, const std::string& filter, std::optional<double> order,
           std::optional<double> reserve, const Accounted* named) {
  on(rows, [&](BudgetStore& store) {
    BudgetRules asked{.kind = budget_kind_from_text(kind),
                      .neighbours = {relation_from_text(adjacency, "budget"), group}};
    for (const auto& target : targets)
      for (const Goal& goal : goals_from(target, "budget")) asked.targets.push_back(goal);
    std::vector<Entry> entries;
    if (named != nullptr) require_neighbours(*named, asked.neighbours), entries = named->entries();
    AskedFilter by{.order = order, .reserve = reserve};
    if (!filter.empty()) by.kind = filter_from_text(filter);
    const BudgetRules rules = asked_rules(asked, by, entries);
    start_budget(store, rules, rules.kind == BudgetKind::planned ? entries : std::vector<Entry>());
  });
}

/// The fields that `pld ledger spend --json` prints, and the record to be committed: its id (0: none) and its link.
nb::tuple spend_of(const nb::object& rows, const Accounted& run, const std::string& token, const std::string& name,
                   const std::string& note) {
  const SpendRequest request{.releases = run.entries(), .token = token, .name = name, .note = note};
  std::string fields;
  const Appended appended = on(rows, [&](BudgetStore& store) {
    require_neighbours(run, store.rules().neighbours);
    Spending spending;
    const Appended record = spend(store, request, spending);
    fields = json_text(spending, request.releases);
    return record;
  });
  return nb::make_tuple(fields, appended.id, appended.link);
}

nb::tuple undo_of(const nb::object& rows, std::int64_t id) {
  std::int64_t record = 0;
  const Appended appended = on(rows, [&](BudgetStore& store) { return undo(store, id, record); });
  return nb::make_tuple(record, appended.link);
}

struct StatusAndRoom {
  LedgerStatus status;
  Room room;
};

/// `run`, or None: one release, of which it is asked how many more fit.
StatusAndRoom status_of(const nb::object& rows, const Accounted* run) {
  return on(rows, [run](BudgetStore& store) {
    StatusAndRoom found{status(store), {}};
    if (run == nullptr) return found;
    require_neighbours(*run, found.status.rules.neighbours);
    const std::vector<Entry> entries = run->entries();
    if (entries.size() != 1)
      throw DomainError("budget", "number of mechanisms asked for room", std::to_string(entries.size()), "1");
    found.room = {release_of(entries.front()).mechanism.text(), room_for(entries.front(), found.status),
                  assumed_sampler_of(entries)};
    return found;
  });
}

/// The fields that `pld ledger status --json` prints: what stands is composed, which may take long.
std::string fields_of(const StatusAndRoom& found) {
  return heard([found] { return json_text(found.status, found.room); });
}

/// A budget and what stands of it, by its filter's count.
struct RulesAndCount {
  BudgetRules rules;
  FilterCount counted;
};

RulesAndCount standing_of(const nb::object& rows) {
  return on(rows, [](BudgetStore& store) { return RulesAndCount{store.rules(), standing_count(store)}; });
}

/// The fields that `pld calibrate --ledger FILE --json` prints without a target; `mechanisms` is a text of composition
/// JSON with a number open.
std::string calibrated(const RulesAndCount& budget, const std::string& mechanisms) {
  return heard([budget, mechanisms] {
    const StandardArithmetic arithmetic;
    const auto begin = std::chrono::steady_clock::now();
    const ReadOpenEntries read = read_open_entries(mechanisms, {}, FileAccess::forbidden);
    require_same(read.neighbours, budget.rules.neighbours, "budget", "as in the budget");
    const NamedUnknown unknown = unknown_of(read.entries, read.neighbours);
    const FilterCalibration found = calibrate_to_filter(unknown, budget.rules, budget.counted);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    return json_text(unknown, found, budget.rules, taken.count());
  });
}

/// The records as `pld ledger list --json` prints them.
std::vector<std::string> records_of(const nb::object& rows) {
  return on(rows, [](BudgetStore& store) {
    std::vector<std::string> all;
    for_each_record(store, [&](const LedgerRecord& record) { all.push_back(json_text(record)); });
    return all;
  });
}

void export_to(const nb::object& rows, const nb::object& write) {
  on(rows, [&](BudgetStore& store) {
    export_lines(store, [&](std::string_view line) {
      const InPython python;
      write(std::string(line) + '\n');
    });
  });
}

void import_from(const nb::object& rows, const std::string& text) {
  on(rows, [&](BudgetStore& store) {
    std::istringstream lines(text);
    import_lines(store, lines);
  });
}

}  // namespace

void bind_budgets(nb::module_& module) {
  nb::class_<StatusAndRoom>(module, "BudgetStatus").def("fields", fields_of);
  nb::class_<RulesAndCount>(module, "BudgetStanding").def("calibrated", calibrated, "mechanisms"_a);
  module.def("budget_start", start, "rows"_a, "kind"_a, "targets"_a, "adjacency"_a, "group"_a, "filter"_a,
             "order"_a.none(), "reserve"_a.none(), "named"_a.none());
  module.def("budget_spend", spend_of, "rows"_a, "run"_a, "token"_a, "name"_a, "note"_a);
  module.def("budget_undo", undo_of, "rows"_a, "id"_a);
  module.def("budget_status", status_of, "rows"_a, "run"_a.none());
  module.def("budget_standing", standing_of, "rows"_a);
  module.def("budget_records", records_of, "rows"_a);
  module.def("budget_export", export_to, "rows"_a, "write"_a);
  module.def("budget_import", import_from, "rows"_a, "text"_a);
}

}  // namespace pld::python
