#include "training_options.hpp"

#include <cmath>
#include <cstdint>
#include <iostream>

#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "formats/read_number.hpp"
#include "formats/training_run.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "progress.hpp"
#include "sampling/schemes.hpp"

namespace pld::cli {

void TrainingOptions::add_to(CLI::App& command, const std::string& where) {
  command_ = where.empty() ? command.get_name() : where;
  constexpr const char* group = "A training run";
  command.add_option("--dataset-size", dataset_size_, "records N of the data")->group(group);
  command.add_option("--batch,--expected-batch", batch_, "size B of a batch, in the mean where its size is random")
      ->group(group);
  command.add_option("--epochs", epochs_, "passes E over the data: steps = E N/B, rounded up")->group(group);
  command
      .add_option("--sampler", sampler_,
                  "how batches are drawn: poisson (default), fixed-size, allocation, shuffled or truncated "
                  "(docs/schemes.md)")
      ->group(group);
  command.add_option("--cap", cap_, "of --sampler truncated: the largest batch, to which Poisson samples are cut")
      ->group(group);
}

ReadError TrainingOptions::describes_one() const {
  return ReadError(command_ +
                   ": --dataset-size, --batch, --epochs, --sampler and --cap describe one training run: name "
                   "one mechanism, as gaussian:noise_multiplier=1");
}

std::vector<Entry> TrainingOptions::entries_of(const std::vector<std::string>& words, FileAccess files) const {
  if (given() && words.size() != 1) throw describes_one();
  std::vector<Entry> all;
  for (const std::string& word : words) {
    OpenEntry one{entry_from_text(word, files)};
    if (given()) write_to(one);
    if (!one.open.empty()) throw ReadError(command_, one.open.begin()->first, "'?'", "a number");
    all.push_back(std::move(one.entry));
  }
  return all;
}

void TrainingOptions::write_to(OpenEntry& open) const {
  if (dataset_size_.empty() || batch_.empty() || epochs_.empty())
    throw ReadError(command_ + ": --dataset-size, --batch and --epochs belong together: give all three" +
                    (command_ == "curve" || command_ == "calibrate" ? ", as '?' the one that is looked for" : ""));
  bool says_so_itself = !open.entry.sampling.empty() || open.entry.count != 1;
  for (const char* const name : {"q", "poisson", "wor", "allocation", "shuffled", "count", "epochs", "batch"})
    says_so_itself = says_so_itself || open.open.contains(name);
  if (says_so_itself)
    throw ReadError(command_ + ": --dataset-size, --batch and --epochs stand for q and count: leave those out");
  TrainingRun run{.sampler = sampler_,
                  .otherwise = "poisson",
                  .batch = batch_open() ? 1 : number("batch", batch_),
                  .dataset = dataset_size(),
                  .epochs = epochs_open() ? 1 : epochs()};
  if (!cap_.empty()) {
    if (run.sampler != "truncated") throw ReadError(command_ + ": --cap is for --sampler truncated");
    open.entry.sampling["largest_batch"] = number("cap", cap_);
  }
  run.write_to(open.entry, command_);
  if (batch_open()) open.open["batch"] = 1;
  if (epochs_open()) open.open["epochs"] = 1;
}

namespace {

/// " (a loop over a data loader makes 3540)" where that is more than is composed.
std::string of_loop(const Entry& entry) {
  const std::optional<std::int64_t> loop = longer_loop(entry);
  return loop ? " (a loop over a data loader makes " + std::to_string(*loop) + ")" : "";
}

/// "q = 0.01, count = 300: " of the run's numbers, without those that are looked for or drawn against.
std::string numbers_of(const OpenEntry& open, const Entry& entry, bool poisson) {
  bool open_rate = false;
  for (const auto& [name, factor] : open.open) {
    if (name == "batch") return std::string(poisson ? "q" : "wor") + " = batch / dataset: ";
    open_rate = open_rate || sampling_number_of_word(name) != nullptr;
  }
  if (open_rate) return {};
  const std::string rate = number_text(entry.sampling.at(poisson ? "poisson" : "without_replacement"));
  const bool open_count = open.open.contains("epochs") || open.open.contains("count");
  return std::string(poisson ? "q" : "wor") + " = " + rate +
         (open_count ? "" : ", count = " + std::to_string(entry.count) + of_loop(entry)) + ": ";
}

}  // namespace

void AssumedSampler::see(const OpenEntry& open) {
  for (const OpenEntry& tried : open.tried) see(tried);
  const Entry* const entry = assuming(open.entry);
  if (entry == nullptr || !name_.empty()) return;
  name_ = entry->assumed_sampler;
  if (!entry->sampling.contains(name_ == "poisson" ? "poisson" : "without_replacement")) {  // as a ledger says
    std::cerr << "pld: note: no sampler was named: that it is " << name_ << " is taken for granted\n";
    return;
  }
  const bool poisson = name_ == "poisson";  // of --dataset-size; dataset= is of fixed-size batches
  std::cerr << "pld: note: " << numbers_of(open, *entry, poisson) << "holds where each batch is "
            << (poisson ? "a Poisson sample of that expected size (--sampler poisson); fixed-size batches (--sampler "
                          "fixed-size) and those of a shuffled dataset (--sampler shuffled) are not\n"
                        : "of one size and drawn anew from all records (sampler=fixed-size); Poisson samples "
                          "(sampler=poisson) and batches of a shuffled dataset (sampler=shuffled) are not\n");
}

void TrainingOptions::warn_of(double delta) const {
  if (given() && delta > 1 / dataset_size())
    std::cerr << "pld: warning: delta " << number_text(delta) << " exceeds 1/" << number_text(dataset_size())
              << ": it lets a mechanism publish a record outright\n";
}

std::optional<ShuffledRun> TrainingOptions::shuffled_instead(const OpenEntry& open, double value) const {
  const double passes = open.open.contains("epochs") || epochs_open() ? value : epochs();
  if (!poisson_unasked() || !(passes >= 1)) return std::nullopt;
  OpenEntry shuffled = open;
  const bool open_batch = shuffled.open.erase("batch") > 0;
  shuffled.open.erase("epochs");
  for (const auto& [name, factor] : shuffled.open)
    if (name == "count" || sampling_number_of_word(name) != nullptr) return std::nullopt;
  const double rate = open_batch ? value / open.entry.sizes.at("dataset") : open.entry.sampling.at("poisson");
  const double batches = std::ceil(1 / rate);
  if (batches > sampling_number_of_field("shuffled")->highest) return std::nullopt;
  shuffled.entry.sampling = {{"shuffled", batches}};
  shuffled.entry.epochs = std::floor(passes);
  return ShuffledRun{batches, composition_at({shuffled}, value, Relation::zero_out)};
}

void say_shuffled(const ShuffledRun& run, const std::string& what, const std::string& at) {
  std::cerr << "pld: note: with batches of a dataset shuffled for every pass " << what << " at " << at
            << " (shuffled=" << number_text(run.batches) << ", zero-out)\n";
}

void say_if_shuffled(const std::optional<ShuffledRun>& run, const EpsilonQuery& query, double claimed,
                     const std::string& besides) {
  if (!run) return;
  const double least = counting_seconds([&] { return epsilon(run->composition, {.delta = query.delta}).lower; });
  if (least > claimed)
    say_shuffled(*run, "epsilon is at least " + text_down(least, 6), "delta " + number_text(query.delta) + besides);
}

void say_if_shuffled(const std::optional<ShuffledRun>& run, const DeltaQuery& query, double claimed) {
  if (!run) return;
  const double least = counting_seconds([&] { return delta(run->composition, {.epsilon = query.epsilon}).lower; });
  if (least > claimed)
    say_shuffled(*run, "delta is at least " + text_down(least, 6), "epsilon " + number_text(query.epsilon));
}

double TrainingOptions::number(const char* what, const std::string& text) const {
  if (command_ == "calibrate" && text.starts_with('?'))
    throw ReadError(command_, what, "'" + text + "'",
                    "a number: of a training run --batch or --epochs may be ?, or a number of its mechanism");
  const double value = finite_from_text(text, command_, what);
  if (!(value > 0)) throw ReadError(command_, what, "'" + text + "'", "> 0");
  return value;
}

}  // namespace pld::cli
