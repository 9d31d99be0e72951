#include "ledger/budget_lines.hpp"

#include <string_view>

#include "core/number_text.hpp"
#include "formats/composition_fields.hpp"
#include "formats/json_position.hpp"
#include "formats/strict_json.hpp"
#include "formats/text_file.hpp"
#include "ledger/budget_store.hpp"
#include "ledger/record_text.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/refused_line.hpp"

namespace pld {
namespace {

constexpr std::string_view before_chain = ",\"chain\":\"", after_chain = "\"}";
constexpr std::size_t digits_of_chain = 64;

std::string end_body(std::int64_t records) { return "{\"end\":" + std::to_string(records) + "}"; }

/// The next line without its end, which a mail or an editor may have made \r\n; nothing at the end of the text.
std::optional<std::string> next_line(std::istream& in) {
  std::string line;
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    if (c == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return line;
    }
    if (line.size() == most_bytes_of_a_file) throw ReadError("the line is longer than 64 MB");
    line += static_cast<char>(c);
  }
  if (in.bad()) throw ReadError("cannot be read to its end");
  if (!line.empty()) throw ReadError("the line is cut short: it does not end in a newline");
  return std::nullopt;
}

std::string without_mark(const std::string& line) { return std::string(utf8_text(line, "the text")); }

/// A refusal of one line, of which a place in it is told without a line of its own.
std::string told_at(std::int64_t number, const std::string& what) {
  const std::string told = without_line(what);
  return "line " + std::to_string(number) + (told != what ? ", " : ": ") + told;
}

/// `read(line)` of each line until it says no; what it refuses is told with the line's number.
void read_lines(std::istream& in, const std::function<bool(const std::string&)>& read) {
  std::int64_t number = 1;
  try {
    for (bool more = true; more; ++number) {
      const auto line = next_line(in);
      if (!line) throw ReadError("the text ends here, but must go on");
      more = read(number == 1 ? without_mark(*line) : *line);
    }
    if (next_line(in)) throw ReadError("a line after the last");
  } catch (const ReadError& error) {
    throw RefusedLine(number, error.what());
  }
}

struct ChainedLine {
  std::string body, chain;
};

ChainedLine taken_apart(const std::string& line) {
  const std::size_t tail = before_chain.size() + digits_of_chain + after_chain.size();
  if (line.size() > tail) {
    const std::string_view end = std::string_view(line).substr(line.size() - tail);
    if (end.starts_with(before_chain) && end.ends_with(after_chain))
      return {line.substr(0, line.size() - tail) + "}", std::string(end.substr(before_chain.size(), digits_of_chain))};
  }
  const bool first = line.find("\"pld-budget\"") != std::string::npos;
  throw ReadError(std::string("must be a line of `pld ledger export`, with \"chain\" as the last field") +
                  (first ? "; give --kind planned or --kind adaptive for a budget of before there were kinds" : ""));
}

Target old_target(const nlohmann::json& header) {
  const double written_by = header.is_object() ? number_field(header, "pld-budget", "budget") : 1;
  if (written_by != 1)
    throw ReadError("budget", "version", number_text(written_by),
                    "1, of before there were kinds of budgets: a later one says of which kind it is");
  require_object(header, {"pld-budget", "epsilon", "delta", "adjacency"}, "budget");
  return {number_field(header, "epsilon", "budget"), number_field(header, "delta", "budget")};
}

void apply_old(const nlohmann::json& record, OldBudget& budget) {
  require_object(record, {"spend", "undo"}, "record");
  if (record.size() != 1)
    throw ReadError("record holds " + std::to_string(record.size()) + " fields, but must hold one");
  if (record.contains("spend")) {
    budget.spent.push_back(entry_from(record["spend"], "spend", FileAccess::forbidden));
    return;
  }
  if (number_field(record, "undo", "record") != 1) throw ReadError("record: undo must be 1");
  if (budget.spent.empty()) throw ReadError("record: undo, but nothing is spent");
  budget.spent.pop_back();
}

}  // namespace

RefusedLine::RefusedLine(std::int64_t number, const std::string& what) : ReadError(told_at(number, what)) {}

std::string with_chain(const std::string& body, const std::string& chain) {
  std::string line(body, 0, body.size() - 1);
  return line.append(before_chain).append(chain).append(after_chain);
}

std::string end_line(std::int64_t records, const std::string& head) {
  return with_chain(end_body(records), BudgetStore::link(head, end_body(records)));
}

void read_budget_lines(std::istream& lines, const BudgetLineReaders& readers) {
  std::string head;
  std::int64_t records = -1;  // with the budget itself 0
  read_lines(lines, [&](const std::string& line) {
    const auto [body, chain] = taken_apart(line);
    if (BudgetStore::link(head, body) != chain)
      throw ReadError("the line does not match its checksum: it, or one before it, was changed");
    if (records >= 0 && body == end_body(records)) return false;
    head = chain;
    if (records++ < 0) {
      readers.rules(body, rules_from_text(body));
      return true;
    }
    const LedgerRecord record = record_from_text(body);
    if (record.id != records)
      throw ReadError("record", "id", std::to_string(record.id), std::to_string(records) + ", the next");
    readers.record(body, record);
    return true;
  });
}

OldBudget read_old_budget(std::istream& lines) {
  std::optional<OldBudget> budget;
  std::int64_t number = 1;
  try {
    for (; const auto line = next_line(lines); ++number) {
      const std::string text = budget ? *line : without_mark(*line);
      const nlohmann::json record = strict_json(text);
      with_positions(text, [&] {
        if (budget)
          apply_old(record, *budget);
        else
          budget = OldBudget{.target = old_target(record), .relation = relation_field(record, "budget")};
      });
    }
    if (!budget) throw ReadError("the file is empty, but must hold a budget");
  } catch (const ReadError& error) {
    throw RefusedLine(number, error.what());
  }
  return *budget;
}

}  // namespace pld
