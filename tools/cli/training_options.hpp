#pragma once

#include <CLI/CLI.hpp>
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

  /// Of words that name another number of mechanisms than one.
  [[nodiscard]] ReadError describes_one() const;

 private:
  [[nodiscard]] double number(const char* what, const std::string& text) const;

  std::string command_, dataset_size_, batch_, epochs_, sampler_;
  mutable bool said_ = false;  ///< on stderr what was taken for granted
};

}  // namespace pld::cli
