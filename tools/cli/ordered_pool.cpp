#include "ordered_pool.hpp"

#include <stdexcept>
#include <system_error>

namespace pld::cli {

namespace {
constexpr std::size_t lines_a_thread = 64;
/// Of lines held at a time, unless one is as long.
constexpr std::size_t most_bytes = 1 << 24;
}  // namespace

/// One worker does where there are no more threads to be had.
void OrderedPool::start(std::vector<std::jthread>& workers) {
  try {
    while (workers.size() < threads_) workers.emplace_back([this] { answer(); });
  } catch (const std::system_error&) {
    if (workers.empty()) throw;
  }
}

bool OrderedPool::run(std::istream& in, std::ostream& out, const std::function<void(const std::string&)>& written) {
  bool good = true;
  std::vector<std::jthread> workers, writer;
  try {
    writer.emplace_back([&] { good = write(out, written); });
    start(workers);
    read(in);
  } catch (const std::system_error& error) {
    end_reading();
    throw std::runtime_error(std::string("a thread cannot be started: ") + error.what());
  }
  writer.clear();
  if (good && in.bad()) throw std::runtime_error("standard input cannot be read to its end");
  return good;
}

void OrderedPool::end_reading() {
  const std::lock_guard lock(mutex_);
  at_end_ = true;
  changed_.notify_all();
}

void OrderedPool::read(std::istream& in) {
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;  // nothing was asked
    std::unique_lock lock(mutex_);
    const auto fits = [&] { return window_.size() < threads_ * lines_a_thread && bytes_ < most_bytes; };
    changed_.wait(lock, [&] { return fits() || at_end_; });
    if (at_end_) return;
    bytes_ += line.size();
    window_.push_back({std::move(line), number, {}});
    changed_.notify_all();
  }
  end_reading();
}

void OrderedPool::answer() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return taken_ < window_.size() || at_end_; });
    if (taken_ == window_.size()) return;
    Slot& slot = window_[taken_++];
    lock.unlock();
    std::string answered = work_(slot.question, slot.number);
    lock.lock();
    slot.answer = std::move(answered);
    changed_.notify_all();
  }
}

bool OrderedPool::write(std::ostream& out, const std::function<void(const std::string&)>& written) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] { return !window_.empty() && window_.front().answer; };
  while (true) {
    if (!ready()) {
      lock.unlock();
      out.flush();
      lock.lock();
    }
    changed_.wait(lock, [&] { return ready() || (window_.empty() && at_end_); });
    if (window_.empty()) return out.good();
    const std::string line = std::move(*window_.front().answer);
    bytes_ -= window_.front().question.size();
    window_.pop_front();
    --taken_;
    changed_.notify_all();
    lock.unlock();
    out << line << '\n';
    written(line);
    lock.lock();
    if (!out.good()) {
      at_end_ = true;
      window_.resize(taken_);
      changed_.notify_all();
      return false;
    }
  }
}

}  // namespace pld::cli
