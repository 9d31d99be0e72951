#include "pld/ledger/open_entry.hpp"

#include <algorithm>
#include <optional>

#include "pld/ledger/mechanism_text.hpp"
#include "pld/ledger/read_error.hpp"
#include "pld/ledger/read_number.hpp"

namespace pld {

namespace {

/// How privacy depends on a parameter, and where it is searched.
struct OpenParameter {
  const char* type;  ///< "" for every type
  const char* name;
  Unknown::Safer safer;
  Unknown::Scale scale;
  double lowest, highest;
};

constexpr auto larger = Unknown::Safer::larger, smaller = Unknown::Safer::smaller;
constexpr auto logarithmic = Unknown::Scale::logarithmic, odds = Unknown::Scale::odds, whole = Unknown::Scale::whole;

constexpr OpenParameter open_parameters[] = {
    {"", "q", smaller, logarithmic, 1e-12, 1},
    {"", "wor", smaller, logarithmic, 1e-12, 1},
    {"", "count", smaller, whole, 1, 1e12},
    {"gaussian", "sigma", larger, logarithmic, 1e-3, 1e12},
    {"gaussian", "sensitivity", smaller, logarithmic, 1e-12, 1e12},
    {"laplace", "scale", larger, logarithmic, 1e-3, 1e12},
    {"laplace", "sensitivity", smaller, logarithmic, 1e-12, 1e12},
    {"randomized-response", "p", smaller, odds, 0.5 + 1e-12, 1 - 1e-15},
    {"dp", "epsilon", smaller, logarithmic, 1e-12, 1e6},
    {"dp", "delta", smaller, logarithmic, 1e-300, 1},
    {"discrete-laplace", "a", smaller, logarithmic, 1e-9, 1e3},
    {"discrete-laplace", "sensitivity", smaller, whole, 1, 1e6},
    {"discrete-gaussian", "sigma", larger, logarithmic, 0.01, 1e6},
    {"discrete-gaussian", "sensitivity", smaller, whole, 1, 1e6},
};

const OpenParameter& open_parameter(const std::string& type, const std::string& name) {
  for (const OpenParameter& p : open_parameters) {
    if (name == p.name && (*p.type == '\0' || type == p.type)) return p;
  }
  throw ReadError(type + ": " + name + " cannot be the unknown");
}

void set(Entry& entry, const std::string& name, double value) {
  if (name == "q") {
    entry.poisson_rate = value;
  } else if (name == "wor") {
    entry.batch_rate = value;
  } else if (name == "count") {
    entry.count = count_from_number(value, entry.type);
  } else {
    entry.parameters[name] = value;
  }
}

/// What is left of an entry at the safe end: nothing, but for the parameters that reach an end with something left.
std::optional<Entry> safest(const OpenEntry& open) {
  if (open.open.empty()) return open.entry;
  const std::string& name = open.open.begin()->first;
  Entry entry = open.entry;
  if (entry.type == "dp" && (name == "epsilon" || name == "delta")) {
    entry.parameters[name] = 0;
    return entry;
  }
  if (entry.type.starts_with("discrete-") && name == "sensitivity") {
    entry.parameters[name] = 1;
    return entry;
  }
  return std::nullopt;
}

void add(const Entry& entry, Composition& composition) {
  const Release release = release_of(entry);
  composition.add(release.mechanism, release.count);
}

/// The word with each open number replaced by one that is accepted, and those numbers' factors.
std::pair<std::string, std::map<std::string, double>> closed(std::string_view word) {
  std::string text(word.substr(0, word.find(':')));
  std::map<std::string, double> open;
  if (text.size() == word.size()) return {text, open};
  char separator = ':';
  for (std::string_view rest = word.substr(text.size() + 1);;) {
    const auto comma = rest.find(',');
    std::string assignment(rest.substr(0, comma));
    if (const auto mark = assignment.find("=?"); mark != std::string::npos) {
      const std::string name = assignment.substr(0, mark);
      open[name] = factor_from_text(assignment.substr(mark + 1), std::string(word), name);
      assignment = name + "=1";
    }
    text.append(1, separator).append(assignment);
    separator = ',';
    if (comma == std::string_view::npos) return {text, open};
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

double factor_from_text(std::string_view text, const std::string& where, const std::string& what) {
  if (text == "?") return 1;
  if (!text.starts_with("?*")) throw ReadError(where, what, "'" + std::string(text) + "'", "a number, ? or ?*FACTOR");
  const double factor = finite_from_text(text.substr(2), where, what + "'s factor");
  if (!(factor > 0)) throw ReadError(where, what + "'s factor", "'" + std::string(text) + "'", "> 0");
  return factor;
}

OpenEntry open_entry_from_text(std::string_view word) {
  const auto [text, open] = closed(word);
  return {entry_from_text(text), open};
}

NamedUnknown unknown_of(const std::vector<OpenEntry>& entries, Relation relation) {
  NamedUnknown out;
  out.unknown.safest = Composition(relation);
  const OpenParameter* first = nullptr;
  int numbers = 0;
  bool factors = false;
  for (const OpenEntry& open : entries) {
    for (const auto& [name, factor] : open.open) {
      const OpenParameter& p = open_parameter(open.entry.type, name);
      factors = factors || factor != 1;
      if (++numbers == 1) {
        first = &p;
        out.name = name;
        out.unknown = {{}, Composition(relation), p.safer, p.scale, p.lowest / factor, p.highest / factor};
        continue;
      }
      if (p.safer != first->safer) {
        throw ReadError("the numbers '" + out.name + "' and '" + name +
                        "' cannot share an unknown: one is safer where it is larger, one where it is smaller");
      }
      out.unknown.lowest = std::max(out.unknown.lowest, p.lowest / factor);
      out.unknown.highest = std::min(out.unknown.highest, p.highest / factor);
    }
  }
  if (numbers == 0) throw ReadError("no unknown: write one number as '?', as in gaussian:sigma=?,count=10");
  if (numbers > 1 && !factors) {
    throw ReadError("'?' is written " + std::to_string(numbers) +
                    " times, but must be written once (or as ?*FACTOR for a common factor)");
  }
  for (const OpenEntry& open : entries) {
    for (const auto& [name, factor] : open.open) {
      if (open_parameter(open.entry.type, name).scale != logarithmic && (numbers > 1 || factor != 1))
        throw ReadError(open.entry.type + ": " + name + " takes no factor and shares no unknown: write '?' once");
    }
  }
  // Equal mechanisms are merged: together they stay within the largest count there is.
  if (out.name == "count") {
    for (const OpenEntry& open : entries) {
      if (open.open.empty()) out.unknown.highest -= static_cast<double>(open.entry.count);
    }
  }
  for (const OpenEntry& open : entries) {
    if (const auto left = safest(open)) add(*left, out.unknown.safest);
  }
  out.unknown.at = [entries, relation](double value) {
    Composition composition(relation);
    for (const OpenEntry& open : entries) {
      Entry entry = open.entry;
      for (const auto& [name, factor] : open.open) set(entry, name, value * factor);
      add(entry, composition);
    }
    return composition;
  };
  return out;
}

}  // namespace pld
