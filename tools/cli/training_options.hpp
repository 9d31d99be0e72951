#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "pld/formats/open_entry.hpp"
#include "pld/formats/read_error.hpp"

namespace pld::cli {

/// --dataset-size N, --batch B, --epochs E and --sampler: the sampling and count of the one mechanism that is named.
class TrainingOptions {
 public:
  /// `this` must outlive the command's parsing.
  void add_to(CLI::App& command);

  [[nodiscard]] bool given() const {
    return !(dataset_size_.empty() && batch_.empty() && epochs_.empty() && sampler_.empty());
  }
  /// Whether Poisson samples were taken for granted, which is said on stderr.
  [[nodiscard]] bool poisson_unasked() const { return sampler_.empty(); }
  /// Whether the epochs are what is searched for.
  [[nodiscard]] bool epochs_open() const { return epochs_ == "?"; }
  /// Both > 0. Throw ReadError.
  [[nodiscard]] double dataset_size() const { return number("dataset-size", dataset_size_); }
  [[nodiscard]] double epochs() const { return number("epochs", epochs_); }

  /// Throws ReadError where an option is missing, or the entry says such a thing itself. Of epochs left open ("?") the
  /// entry is left open.
  void write_to(OpenEntry& open) const;

  /// On stderr, once, that Poisson samples were taken for granted, where they were.
  void say_sampling(const Entry& entry) const;

  /// The entry with batches of a data set shuffled for each of so many passes, where Poisson samples were taken for
  /// granted; none of less than one pass, of which nothing is known from below.
  [[nodiscard]] std::optional<Entry> shuffled_instead(const Entry& entry, double passes) const;

  /// Of words that name another number of mechanisms than one.
  [[nodiscard]] ReadError describes_one() const;

 private:
  [[nodiscard]] double number(const char* what, const std::string& text) const;

  std::string command_, dataset_size_, batch_, epochs_, sampler_;
  mutable bool said_ = false;  ///< on stderr what was taken for granted
};

/// On stderr what the answer is at least with such an entry's batches: "epsilon", at "delta 1e-05", say.
void say_shuffled(const Entry& entry, const std::string& what, double least, const std::string& at);

}  // namespace pld::cli
