#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "pld/account/query.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/formats/read_error.hpp"

namespace pld::cli {

/// A run of shuffled passes, composed for records that are blanked out.
struct ShuffledRun {
  double batches = 1;  ///< of a pass
  Composition composition;
};

/// --dataset-size N, --batch B, --epochs E, --sampler and --cap: the sampling and count of the one mechanism named.
class TrainingOptions {
 public:
  /// `this` must outlive the command's parsing. Messages begin with `where`, or the command's name.
  void add_to(CLI::App& command, const std::string& where = "");

  [[nodiscard]] bool given() const {
    return !(dataset_size_.empty() && batch_.empty() && epochs_.empty() && sampler_.empty() && cap_.empty());
  }
  /// Whether Poisson samples were taken for granted, which is said on stderr.
  [[nodiscard]] bool poisson_unasked() const { return sampler_.empty(); }
  /// Whether the size of a batch, or the epochs, are what is searched for.
  [[nodiscard]] bool batch_open() const { return batch_ == "?"; }
  [[nodiscard]] bool epochs_open() const { return epochs_ == "?"; }
  /// Both > 0. Throw ReadError.
  [[nodiscard]] double dataset_size() const { return number("dataset-size", dataset_size_); }
  [[nodiscard]] double epochs() const { return number("epochs", epochs_); }

  /// What words name; where options are given it must be one mechanism, which they describe. Throws ReadError.
  [[nodiscard]] std::vector<Entry> entries_of(const std::vector<std::string>& words, FileAccess files) const;

  /// Throws ReadError where an option is missing, or the entry says such a thing itself. Leaves a batch and
  /// epochs open that are written "?".
  void write_to(OpenEntry& open) const;

  /// The run with batches of a data set shuffled for every pass, where Poisson samples were taken for granted; an open
  /// number is at `value`. None of less than one pass, of which nothing is known from below, nor where the open number
  /// is one that the run settles. None of more batches than shuffled passes may have.
  [[nodiscard]] std::optional<ShuffledRun> shuffled_instead(const OpenEntry& open, double value = 0) const;

  /// On stderr that a delta exceeds 1/N of the run, where it does.
  void warn_of(double delta) const;

  /// Of words that name another number of mechanisms than one.
  [[nodiscard]] ReadError describes_one() const;

 private:
  [[nodiscard]] double number(const char* what, const std::string& text) const;

  std::string command_, dataset_size_, batch_, epochs_, sampler_, cap_;
};

/// The sampler that was taken for granted, which is said on stderr when it is first seen.
class AssumedSampler {
 public:
  void see(const OpenEntry& open);
  [[nodiscard]] const std::string& name() const { return name_; }  ///< empty where there was none

 private:
  std::string name_;
};

/// On stderr what the answer is with such a run's batches: "epsilon is at least 12.24", at "delta 1e-05", say.
void say_shuffled(const ShuffledRun& run, const std::string& what, const std::string& at);

/// The same where epsilon, or delta, is more than `claimed`; `besides`: where else that is, ", sigma 2".
void say_if_shuffled(const std::optional<ShuffledRun>& run, const EpsilonQuery& query, double claimed,
                     const std::string& besides = "");
void say_if_shuffled(const std::optional<ShuffledRun>& run, const DeltaQuery& query, double claimed);

}  // namespace pld::cli
