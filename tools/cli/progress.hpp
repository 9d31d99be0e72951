#pragma once

#include <unistd.h>

#include <iostream>
#include <string>

#include "stopwatch.hpp"

namespace pld::cli {

/// Counts on stderr while a person waits: nothing in the first second, then four times a second; nothing where stderr
/// is no terminal.
class Progress {
 public:
  /// Of `total` things called `unit`; 0: nobody knows how many.
  explicit Progress(std::string unit, long total = 0) : unit_(std::move(unit)), total_(total) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void count() {
    ++done_;
    const double now = stopwatch_.seconds();
    if (!watched_ || now < next_) return;
    std::cerr << '\r' << so_far() << ", " << static_cast<long>(static_cast<double>(done_) / now)
              << " a second (Ctrl-C stops)   " << std::flush;
    shown_ = true;
    next_ = now + 0.25;
  }
  ~Progress() {
    if (shown_) std::cerr << '\r' << so_far() << " in " << stopwatch_.seconds() << " s                        \n";
  }

 private:
  [[nodiscard]] std::string so_far() const {
    return std::to_string(done_) + (total_ > 0 ? " of " + std::to_string(total_) : "") + ' ' + unit_;
  }

  const std::string unit_;
  const long total_;
  const bool watched_ = isatty(STDERR_FILENO) != 0;
  const Stopwatch stopwatch_{};
  long done_ = 0;
  double next_ = 1;
  bool shown_ = false;
};

}  // namespace pld::cli
