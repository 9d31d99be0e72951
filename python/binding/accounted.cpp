#include "accounted.hpp"

#include <algorithm>
#include <optional>

#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/formats/mechanism_text.hpp"

namespace pld::python {

namespace {

std::optional<Relation> relation_asked(const std::string& adjacency) {
  if (adjacency.empty()) return std::nullopt;
  return relation_from_text(adjacency, "composition");
}

}  // namespace

/// Equal mechanisms are merged by the composition, and so are their entries.
void Accounted::add(const Entry& entry, const Mechanism& mechanism, std::int64_t count) {
  const std::size_t before = composition_.releases().size();
  composition_.add(mechanism, count);
  if (composition_.releases().size() > before) {
    entries_.push_back(entry);
  } else if (!entry.assumed_sampler.empty()) {  // and so is what one of them takes for granted
    const auto& all = composition_.releases();
    const auto same = std::find_if(all.begin(), all.end(),
                                   [&](const Release& one) { return one.mechanism.text() == mechanism.text(); });
    entries_[static_cast<std::size_t>(same - all.begin())].assumed_sampler = entry.assumed_sampler;
  }
}

Accounted Accounted::from_json(std::string_view text, const std::string& adjacency, FileAccess files) {
  // Read as a whole first: it is that reader's messages that name the place of what is wrong.
  const Composition asked = composition_from_json(text, {relation_asked(adjacency), std::nullopt}, files);
  Accounted accounted(asked.neighbours());
  for (const Entry& entry : entries_from_json(text, {asked.relation(), std::nullopt}, files)) {
    const Release release = release_of(entry);
    accounted.add(entry, release.mechanism, release.count);
  }
  return accounted;
}

Accounted Accounted::from_words(const std::vector<std::string>& words, const std::string& adjacency) {
  Accounted accounted(relation_from_text(adjacency, "composition"));
  for (const std::string& word : words) {
    const Entry entry = entry_from_text(word);
    const Release release = release_of(entry);
    accounted.add(entry, release.mechanism, release.count);
  }
  return accounted;
}

void Accounted::require_composable(const Accounted& other) const {
  if (other.composition_.relation() != composition_.relation())
    throw DomainError("composition", "adjacency", name(other.composition_.relation()),
                      std::string(name(composition_.relation())) +
                          ", as in what it is composed with: make both with one adjacency= (zero-out takes the batches "
                          "of shuffled data, and what add-remove takes)");
  if (other.composition_.neighbours() != composition_.neighbours())
    throw DomainError("composition", "group", std::to_string(other.composition_.neighbours().group),
                      std::to_string(composition_.neighbours().group) + ", as in what it is composed with");
}

Accounted Accounted::sum(const std::vector<const Accounted*>& parts) {
  Accounted sum = *parts.front();
  for (std::size_t part = 1; part < parts.size(); ++part) {
    const Accounted& other = *parts[part];
    for (std::size_t i = 0; i < other.entries_.size(); ++i) {
      const Release& release = other.composition_.releases()[i];
      sum.add(other.entries_[i], release.mechanism, release.count);
    }
  }
  return sum;
}

Accounted Accounted::times(double count) const { return repeated(composition_.neighbours(), count); }

Accounted Accounted::in_groups(double records) const {
  if (const int group = composition_.neighbours().group; group != 1)
    throw DomainError("in_groups", "group", std::to_string(group), "1: records of groups are not grouped again");
  return repeated({composition_.relation(), records}, 1);
}

Accounted Accounted::best_of(const std::string& tries) const {
  if (tries.empty()) throw DomainError("best_of", "tries", "''", "a law, as geometric:mean=10");
  Accounted best(composition_.neighbours());
  for (const Entry& selection : selected(entries(), tries, "best_of"))
    best.add(selection, release_of(selection).mechanism, 1);
  return best;
}

Accounted Accounted::assuming(const std::string& sampler) const {
  Accounted all = *this;
  for (Entry& entry : all.entries_) entry.assumed_sampler = sampler;
  return all;
}

Accounted Accounted::repeated(const Neighbours& neighbours, double count) const {
  Accounted product(neighbours);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Release& release = composition_.releases()[i];
    const double repeated = static_cast<double>(release.count) * count;
    product.add(entries_[i], release.mechanism, count_from_number(repeated, "composition"));
  }
  return product;
}

std::vector<Entry> Accounted::entries() const {
  std::vector<Entry> all = entries_;
  for (std::size_t i = 0; i < all.size(); ++i) all[i].count = composition_.releases()[i].count;
  return all;
}

std::string Accounted::json() const {
  nlohmann::ordered_json mechanisms = nlohmann::ordered_json::array();
  for (const Entry& entry : entries()) mechanisms.push_back(entry_json(entry));
  nlohmann::ordered_json ledger;
  add_neighbours(ledger, composition_.neighbours());
  ledger["mechanisms"] = mechanisms;
  return ledger.dump();
}

}  // namespace pld::python
