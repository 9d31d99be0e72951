#include "ordered_pool.hpp"

namespace pld::cli {

namespace {
constexpr std::size_t lines_a_thread = 64;
}

bool OrderedPool::run(std::istream& in, std::ostream& out, const std::function<void(const std::string&)>& written) {
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < threads_; ++i) workers.emplace_back([this] { answer(); });
  bool good = true;
  std::jthread writer([&] { good = write(out, written); });
  read(in);
  writer.join();
  return good;
}

void OrderedPool::read(std::istream& in) {
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return window_.size() < threads_ * lines_a_thread || at_end_; });
    if (at_end_) return;
    window_.push_back({std::move(line), number, {}});
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  at_end_ = true;
  changed_.notify_all();
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
