#pragma once

#include <csignal>
#include <string>
#include <string_view>

#include "formats/fresh_file.hpp"

namespace pld::cli {

/// Puts off what ends a program from outside (Ctrl-C, a closed terminal, kill): a file that is begun is finished.
class SignalsPutOff {
 public:
  SignalsPutOff() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&all, signal);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsPutOff(const SignalsPutOff&) = delete;
  SignalsPutOff& operator=(const SignalsPutOff&) = delete;
  ~SignalsPutOff() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Writes the file, or nothing of it: no signal leaves a part, nor its passing name.
inline void write_whole_file(const std::string& target, std::string_view bytes) {
  const SignalsPutOff until_written;
  write_file(target, bytes);
}

}  // namespace pld::cli
