#include "pld/formats/open_entry.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/fields.hpp"
#include "formats/mechanism_words.hpp"
#include "formats/open_range.hpp"
#include "formats/read_number.hpp"
#include "formats/training_run.hpp"
#include "formats/tries_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// What a count may be.
constexpr auto most_releases = static_cast<double>(Composition::max_count);

/// The share of the data that the entry's samples take; null where they take none.
const SamplingNumber* share_in(const Entry& entry) {
  const auto& all = sampling_numbers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SamplingNumber& number) {
    return !number.whole && entry.sampling.contains(number.field);
  });
  return found == all.end() ? nullptr : &*found;
}

/// What messages call it.
std::string name_of(const Entry& entry) { return entry.tries.empty() ? entry.type : "tries " + entry.tries; }

void set(Entry& entry, const std::string& name, double value) {
  if (const SamplingNumber* const number = sampling_number_of_word(name)) {
    entry.sampling[number->field] = value;
  } else if (name == "count") {
    entry.count = count_from_number(value, name_of(entry));
  } else if (name == "epochs") {
    entry.epochs = value;
  } else if (name == "batch") {
    entry.sizes["batch"] = value;
    entry.sampling[share_in(entry)->field] = share_of(value, entry.sizes.at("dataset"), entry.type);
  } else {
    entry.parameters[name] = value;
  }
}

/// The entry with its open numbers at the unknown's value.
Entry entry_at(const OpenEntry& open, double value) {
  Entry entry = open.entry;
  for (const OpenEntry& one : open.tried) entry.tried.push_back(entry_at(one, value));
  for (const auto& [name, factor] : open.open) set(entry, name, value * factor);
  // Of another rate they are another number of releases.
  if (entry.epochs && !open.open.contains("count")) entry.count = count_of_epochs(*entry.epochs, entry);
  return entry;
}

std::string names_of(const OpenEntry& open) {
  std::string text;
  for (const auto& [name, factor] : open.open) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The same in the words that were written.
std::string words_of(const OpenEntry& open) {
  std::string text;
  for (const auto& [name, factor] : open.open) {
    const auto word = open.words.find(name);
    text += (text.empty() ? "" : ", ") + (word == open.words.end() ? name : word->second);
  }
  return text;
}

/// What is said of the mechanism at a number that was tried is said of the words that were written.
template <class Make>
auto told_of_the_unknown(const OpenEntry& open, const Make& make) {
  try {
    return make();
  } catch (const MissingTheorem& missing) {
    if (open.open.empty()) throw;
    throw MissingTheorem(name_of(open.entry) + ":" + words_of(open) + "=?", missing.argument(), missing.value(),
                         missing.accepted());
  }
}

double number_of_answers(const Entry& entry) {
  const auto k = entry.parameters.find("k");
  return k == entry.parameters.end() ? 2 : k->second;
}

/// The open number of the sampling, if there is one: of an open batch the share that it is of the data.
const SamplingNumber* open_sampling(const OpenEntry& open) {
  if (open.open.contains("batch")) return share_in(open.entry);
  for (const auto& [name, factor] : open.open)
    if (const SamplingNumber* const number = sampling_number_of_word(name)) return number;
  return nullptr;
}

/// Whole where passes are; elsewhere in parts, of which each step is one.
OpenRange range_of_epochs(const Entry& entry) {
  const bool whole = is_by_passes(entry);
  return {Unknown::Safer::smaller, whole ? Unknown::Scale::whole : Unknown::Scale::logarithmic, whole ? 1 : 1e-6, 1e6};
}

/// The part of a range of whole numbers that the entry's others accept: from one of its ends to some number.
OpenRange accepted_part(OpenRange range, const OpenEntry& open) {
  const auto accepts = [&](double value) {
    try {
      static_cast<void>(release_of(entry_at(open, value)));
      return true;
    } catch (const DomainError&) {
      return false;
    }
  };
  const bool low = accepts(range.lowest);
  if (low == accepts(range.highest)) return range;
  double& end = low ? range.highest : range.lowest;
  double in = low ? range.lowest : range.highest, out = end;
  while (std::fabs(in - out) > 1) {
    const double middle = std::floor(in / 2 + out / 2);
    (accepts(middle) ? in : out) = middle;
  }
  end = in;
  return range;
}

/// Up to all records; where those are no sample and may lose less than all but one do, up to these. Of more than a
/// sample is cut to none are meant.
OpenRange range_of_batch(const SamplingNumber& share, const OpenEntry& open, Relation relation) {
  const double dataset = open.entry.sizes.at("dataset");
  const auto cut = open.entry.sampling.find("largest_batch");
  const bool may_lose_less = share.highest < 1 && relation == Relation::zero_out;
  const double most = may_lose_less ? dataset - 1 : dataset;
  const OpenRange range{Unknown::Safer::smaller, Unknown::Scale::whole, 1,
                        cut == open.entry.sampling.end() ? most : std::min(most, cut->second)};
  if (!(range.lowest < range.highest))
    throw ReadError(open.entry.type, "batch", "'?'",
                    "1: no other size is searched of a dataset of " + number_text(dataset) +
                        (cut == open.entry.sampling.end() ? "" : ", cut to " + number_text(cut->second)));
  return range;
}

OpenRange range_of_sampling(const SamplingNumber& number, const OpenEntry& open, Relation relation) {
  using enum Unknown::Safer;
  using enum Unknown::Scale;
  if (open.open.contains("batch")) return range_of_batch(number, open, relation);
  // A rate below this takes more steps for its epochs than a count may be.
  const double least_rate = open.entry.epochs && !number.whole ? *open.entry.epochs / most_releases * (1 + 1e-9) : 0;
  const OpenRange range{number.safer_when_larger ? larger : smaller, number.whole ? whole : logarithmic,
                        std::max(number.lowest, least_rate), number.highest};
  return number.whole ? accepted_part(range, open) : range;
}

/// Counts, rates and probabilities have ranges of their own; the others are found by trying.
OpenRange range_of(const OpenEntry& open, const Neighbours& neighbours) {
  using enum Unknown::Safer;
  using enum Unknown::Scale;
  const std::string& name = open.open.begin()->first;
  const double factor = open.open.begin()->second;
  const auto alone = [&](OpenRange range) {
    if (open.open.size() > 1)
      throw ReadError("the numbers '" + names_of(open) + "' cannot share an unknown: leave one of them open");
    if (range.scale == logarithmic) range.lowest /= factor, range.highest /= factor;
    return range;
  };
  if (open.open.contains("count")) return alone({smaller, whole, 1, most_releases});
  if (open.open.contains("epochs")) return alone(range_of_epochs(open.entry));
  if (open.open.contains("batch") && share_in(open.entry) == nullptr)
    throw ReadError(open.entry.type, "batch", "'?'",
                    "a number where a pass is cut into batches: their number can be the unknown, " +
                        open.entry.sampling.begin()->first + "=? without batch and dataset");
  const std::string what = open.entry.type + ": " + names_of(open);
  OpenEntry base = open;
  if (const SamplingScheme* const scheme = sampling_scheme(open.entry.sampling); scheme && scheme->ranged_by_base)
    base.entry.sampling.clear();
  // A group's noise has to be accepted too, and its loss grows as that of one record does, whose pair is known.
  const auto mechanism = [&](double value) {
    const Mechanism one = release_of(entry_at(base, value)).mechanism.under(neighbours.relation);
    static_cast<void>(one.under(neighbours));
    return one;
  };
  if (const SamplingNumber* const number = open_sampling(open)) {
    if (number->order == SamplingOrder::none) throw not_ordered(what);
    const OpenRange range = range_of_sampling(*number, open, neighbours.relation);
    if (number->order == SamplingOrder::tried) require_order(range, mechanism, what);
    return alone(range);
  }
  if (open.entry.type == "randomized-response" && name == "p")
    return alone({smaller, odds, 1 / number_of_answers(open.entry) * (1 + 1e-11), 1 - 1e-15});
  if (open.entry.type == "dp" && name == "delta") return alone({smaller, logarithmic, 1e-300, 1});
  return probed_range(mechanism, what);
}

/// What is left of an entry at the safe end, where that is more than next to nothing.
std::optional<Entry> safest(const OpenEntry& open, const Unknown& unknown, const Neighbours& neighbours) {
  if (!is_open(open)) return open.entry;
  const SamplingNumber* const number = open_sampling(open);
  if (open.open.contains("count") || open.open.contains("epochs") || (number != nullptr && !number->safer_when_larger))
    return std::nullopt;
  if (!open.tried.empty()) {
    Entry selection = open.entry;
    for (const OpenEntry& one : open.tried)
      if (std::optional<Entry> left = safest(one, unknown, neighbours)) selection.tried.push_back(std::move(*left));
    return selection.tried.empty() ? std::nullopt : std::optional(selection);
  }
  const Entry entry = entry_at(open, unknown.safer == Unknown::Safer::larger ? unknown.highest : unknown.lowest);
  return is_near_nothing(release_of(entry).mechanism.under(neighbours)) ? std::nullopt : std::optional(entry);
}

void add(const Entry& entry, Composition& composition) {
  const Release release = release_of(entry);
  composition.add(release.mechanism, release.count);
}

bool is_single_number(const MechanismType& type, const std::string& word) {
  const WordKind kind = kind_of_word(type, word);
  return kind != WordKind::numbers && kind != WordKind::text;
}

/// The word with each open number replaced by one that is accepted; `open` gets those numbers.
std::string closed(std::string_view word, OpenEntry& open) {
  std::string text(word.substr(0, word.find(':')));
  if (text.size() == word.size()) return text;
  char separator = ':';
  for (std::string_view rest = word.substr(text.size() + 1);;) {
    const auto comma = rest.find(',');
    std::string assignment(rest.substr(0, comma));
    if (const auto mark = assignment.find("=?"); mark != std::string::npos) {
      const MechanismType& type =
          mechanism_type(std::string(word.substr(0, word.find(':'))), "mechanism '" + std::string(word) + "'");
      const std::string written = assignment.substr(0, mark);
      leave_open(type, written, assignment.substr(mark + 1), std::string(word), open);
      assignment = written + "=1";
    }
    text.append(1, separator).append(assignment);
    separator = ',';
    if (comma == std::string_view::npos) return text;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

double factor_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const StandardArithmetic arithmetic;
  if (text == "?") return 1;
  if (!text.starts_with("?*")) throw ReadError(where, what, "'" + std::string(text) + "'", "a number, ? or ?*FACTOR");
  const double factor = finite_from_text(text.substr(2), where, what + "'s factor");
  if (!(factor > 0)) throw ReadError(where, what + "'s factor", "'" + std::string(text) + "'", "> 0");
  return factor;
}

void leave_open(const MechanismType& type, const std::string& word, std::string_view text, const std::string& where,
                OpenEntry& open) {
  const std::string name = plain_key(type, word);
  const double factor = factor_from_text(text, where, name);
  if (name == "dataset") throw ReadError(where, name, "'?'", "the size of the data at hand: batch can be the unknown");
  if (!is_single_number(type, word))
    throw ReadError(where, name, "'?'",
                    std::string(kind_of_word(type, word) == WordKind::numbers ? "a list of numbers" : "a name") +
                        ": only a single number can be the unknown");
  open.open[name] = factor;
  if (word != name) open.words[name] = word;
}

namespace {

/// The share of the data that an entry's sampling takes: a Poisson rate where it says none.
std::string word_of_rate(const Entry& entry) {
  const SamplingNumber* const share = share_in(entry);
  return share == nullptr ? "poisson" : share->words.back();
}

/// The words of numbers that the entry keeps: a batch only beside the data that it is a share of.
std::vector<std::string> numbers_to_open(const MechanismType& type, const Entry& entry) {
  const bool has_batch = entry.sizes.contains("dataset") && share_in(entry) != nullptr;
  std::vector<std::string> words = keys_in_text(type);
  std::erase_if(words, [&](const std::string& word) {
    return !is_single_number(type, word) || word == "dataset" || (word == "batch" && !has_batch);
  });
  words.emplace_back("rate");
  return words;
}

}  // namespace

OpenEntry opened(Entry entry, const std::string& key) {
  const MechanismType& type = mechanism_type(entry.type, entry.type);
  const std::vector<std::string> keys = numbers_to_open(type, entry);
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) throw not_one_of(entry.type, "parameter", key, keys);
  if (key == "steps") require_steps(entry, entry.type);
  const std::string name = key == "rate" ? word_of_rate(entry) : plain_key(type, key);
  return {std::move(entry), {{name, 1}}};
}

bool is_open(const OpenEntry& open) {
  return !open.open.empty() || std::any_of(open.tried.begin(), open.tried.end(), is_open);
}

std::vector<Entry> entries_at(const std::vector<OpenEntry>& entries, double value) {
  std::vector<Entry> all;
  for (const OpenEntry& open : entries) all.push_back(entry_at(open, value));
  return all;
}

Composition composition_at(const std::vector<OpenEntry>& entries, double value, const Neighbours& neighbours) {
  Composition composition(neighbours);
  for (const Entry& entry : entries_at(entries, value)) add(entry, composition);
  return composition;
}

OpenEntry open_entry_from_text(std::string_view word, FileAccess files) {
  const StandardArithmetic arithmetic;
  OpenEntry open;
  open.entry = entry_from_text(closed(word, open), files);
  return open;
}

namespace {

/// The entry whose open number the unknown is; null where all are multiples of it.
const OpenEntry* named_by(const std::vector<const OpenEntry*>& entries) {
  const auto found = std::find_if(entries.begin(), entries.end(), [](const OpenEntry* one) {
    return !one->open.empty() && one->open.begin()->second == 1;
  });
  return found == entries.end() ? nullptr : *found;
}

std::function<Composition(double)> compositions_of(const std::vector<OpenEntry>& entries, const Neighbours& neighbours);

/// The mechanism at a value. One that no open number changes is made once: the laws of some take long to work out.
std::function<Mechanism(double)> mechanism_of(const OpenEntry& open, const Neighbours& neighbours) {
  if (!open.tried.empty())
    return [run = compositions_of(open.tried, neighbours), tries = tries_from_text(open.entry.tries, "selection")](
               double value) { return private_selection(run(value), tries); };
  const bool fixed = open.open.empty() || (open.open.size() == 1 && open.open.contains("count"));
  if (fixed) return [known = release_of(open.entry).mechanism.under(neighbours)](double) { return known; };
  return [open](double value) { return release_of(entry_at(open, value)).mechanism; };
}

/// The composition at a value.
std::function<Composition(double)> compositions_of(const std::vector<OpenEntry>& entries,
                                                   const Neighbours& neighbours) {
  std::vector<std::function<Mechanism(double)>> mechanisms;
  for (const OpenEntry& open : entries) mechanisms.push_back(mechanism_of(open, neighbours));
  return [entries, mechanisms, neighbours](double value) {
    Composition composition(neighbours);
    for (std::size_t i = 0; i < entries.size(); ++i)
      composition.add(mechanisms[i](value), entry_at(entries[i], value).count);
    return composition;
  };
}

/// Adds the entries, and what selections among them try.
void add_each(const std::vector<OpenEntry>& entries, std::vector<const OpenEntry*>& all) {
  for (const OpenEntry& open : entries) {
    all.push_back(&open);
    add_each(open.tried, all);
  }
}

}  // namespace

NamedUnknown unknown_of(const std::vector<OpenEntry>& entries, const Neighbours& neighbours) {
  std::vector<const OpenEntry*> each;
  add_each(entries, each);
  const OpenEntry* const named = named_by(each);
  NamedUnknown out{.name = named == nullptr ? "?" : names_of(*named),
                   .unknown = {},
                   .entries = entries,
                   .written = named == nullptr ? "?" : words_of(*named)};
  Unknown& unknown = out.unknown;
  unknown.safest = Composition(neighbours);
  std::size_t numbers = 0;
  std::string first_names;
  bool factors = false, first = true;
  for (const OpenEntry* const open : each) {
    for (const auto& [name, factor] : open->open) factors = factors || factor != 1;
    numbers += open->open.size();
  }
  if (numbers == 0) throw ReadError("no unknown: write one number as '?', as in gaussian:sigma=?,count=10");
  for (const OpenEntry* const one : each) {
    const OpenEntry& open = *one;
    if (open.open.empty()) continue;
    const OpenRange range = told_of_the_unknown(open, [&] { return range_of(open, neighbours); });
    if (range.scale != Unknown::Scale::logarithmic && (numbers > 1 || factors))
      throw ReadError(name_of(open.entry) + ": " + names_of(open) +
                      " takes no factor and shares no unknown: write '?' once");
    if (first) {
      first_names = names_of(open);
      unknown = {{},
                 Composition(neighbours),
                 range.safer,
                 range.scale,
                 range.lowest,
                 range.highest,
                 number_of_answers(open.entry)};
      first = false;
      continue;
    }
    if (range.safer != unknown.safer)
      throw ReadError("the numbers '" + first_names + "' and '" + names_of(open) +
                      "' cannot share an unknown: one is safer where it is larger, one where it is smaller");
    unknown.lowest = std::max(unknown.lowest, range.lowest);
    unknown.highest = std::min(unknown.highest, range.highest);
  }
  if (numbers > 1 && !factors) {
    throw ReadError("'?' is written " + std::to_string(numbers) +
                    " times, but must be written once (or as ?*FACTOR for a common factor)");
  }
  if (!(unknown.lowest < unknown.highest)) {
    for (const OpenEntry* const open : each) static_cast<void>(release_of(entry_at(*open, unknown.highest)));
    throw ReadError("the numbers that share the unknown have no range in common");
  }
  // Equal mechanisms are merged: together they stay within the largest count there is.
  if (out.name == "count") {
    for (const OpenEntry* const open : each)
      if (open->open.empty()) unknown.highest -= static_cast<double>(open->entry.count);
  }
  for (const OpenEntry& open : entries) {
    if (const auto left = told_of_the_unknown(open, [&] { return safest(open, unknown, neighbours); }))
      add(*left, unknown.safest);
  }
  unknown.at = compositions_of(entries, neighbours);
  return out;
}

}  // namespace pld
