#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>

#include "stopwatch.hpp"

namespace pld::cli {

/// Counts on stderr while a person waits: nothing in the first second, then twice a second; nothing where stderr is no
/// terminal. Nobody else writes there as long as it lives.
class Progress {
 public:
  /// The seconds alone.
  Progress() : Progress("") {}
  /// Of `total` things called `unit`; 0: nobody knows how many. A person who types them is not told of them.
  explicit Progress(std::string unit, long total = 0, bool typed = false) : unit_(std::move(unit)), total_(total) {
    if (!typed && isatty(STDERR_FILENO) != 0) ticker_ = std::jthread([this](const std::stop_token& end) { tick(end); });
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void count() { ++done_; }

  ~Progress() {
    if (!ticker_.joinable()) return;
    ticker_.request_stop();
    ticker_.join();
    if (widest_ == 0) return;
    show(unit_.empty() ? "" : so_far() + " in " + seconds());
    std::cerr << (unit_.empty() ? '\r' : '\n') << std::flush;
  }

 private:
  void tick(const std::stop_token& end) {
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto waited = [&](std::chrono::milliseconds time) {
      return ended.wait_for(lock, end, time, [&] { return end.stop_requested(); });
    };
    for (bool over = waited(std::chrono::milliseconds(1000)); !over; over = waited(std::chrono::milliseconds(500)))
      show((unit_.empty() ? "" : so_far() + ", ") + seconds() + " (Ctrl-C stops)");
  }

  /// Over what was shown before.
  void show(std::string line) {
    const std::size_t width = line.size();
    if (width < widest_) line.append(widest_ - width, ' ');
    widest_ = line.size();
    std::cerr << '\r' << line << std::flush;
  }

  [[nodiscard]] std::string so_far() const {
    return std::to_string(done_) + (total_ > 0 ? " of " + std::to_string(total_) : "") + ' ' + unit_;
  }
  [[nodiscard]] std::string seconds() const { return std::to_string(static_cast<long>(stopwatch_.seconds())) + " s"; }

  const std::string unit_;
  const long total_;
  const Stopwatch stopwatch_{};
  std::atomic<long> done_ = 0;
  std::size_t widest_ = 0;
  std::jthread ticker_;  ///< last: it reads the others
};

/// What `work` returns, its seconds counted while a person waits.
template <class Work>
auto counting_seconds(const Work& work) {
  const Progress seconds;
  return work();
}

}  // namespace pld::cli
