#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace pld::cli {

/// Maps lines to lines on several threads, keeping their order. Holds no more than a window of lines at a time. It
/// writes an answer as soon as those before it are written: a program at the other end of two pipes need not
/// close its own.
class OrderedPool {
 public:
  using Work = std::function<std::string(const std::string& line, std::int64_t number)>;  ///< numbers count from 1

  OrderedPool(Work work, std::size_t threads) : work_(std::move(work)), threads_(threads) {}

  /// Reads `in` to its end. False where `out` could not be written: the rest of `in` is left unread. Throws
  /// std::runtime_error, all that was read before answered, where `in` cannot be read on, and before any is where no
  /// thread can be started.
  /// `written` is called after each line with what was written.
  bool run(std::istream& in, std::ostream& out, const std::function<void(const std::string&)>& written);

 private:
  struct Slot {
    std::string question;
    std::int64_t number = 0;
    std::optional<std::string> answer;
  };

  void start(std::vector<std::jthread>& workers);
  void end_reading();
  void read(std::istream& in);
  void answer();
  bool write(std::ostream& out, const std::function<void(const std::string&)>& written);

  Work work_;
  std::size_t threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Slot> window_;  ///< oldest first; a deque keeps its elements in place
  std::size_t taken_ = 0;    ///< how many of the window a worker has taken
  std::size_t bytes_ = 0;    ///< of the window's questions
  bool at_end_ = false;      ///< nothing more will be read
};

}  // namespace pld::cli
