#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"

/// What every target of this folder defines: one input, which must neither crash nor break a promise. Called by
/// libFuzzer, and by replay.cpp on the inputs kept in corpus/.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace pld::fuzz {

/// A promise the library makes about every input. Not assert(): release builds are fuzzed too.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Reads something a person wrote: fine, or a refusal in one line.
template <class Read>
void read_or_refuse(const Read& read) {
  const auto one_line = [](const std::string& message) {
    promise(!message.empty() && message.find('\n') == std::string::npos, "a refusal is one line");
  };
  try {
    read();
  } catch (const ReadError& error) {
    one_line(error.what());
  } catch (const DomainError& error) {
    one_line(error.what());
  }
}

/// One input of 1024, told by the sum of its bytes, gets the work of a question. The others get one 500th, so that a
/// night tries more of them, and meets the ends of the work more often.
class WorkOfInput {
 public:
  WorkOfInput(const std::uint8_t* data, std::size_t size)
      : part_(std::accumulate(data, data + size, 0) % 1024 == 1023 ? whole() : whole() / 500) {}
  /// Else a thread that has once met what is no number answers nothing closely any more.
  ~WorkOfInput() { promise(std::isfinite(Work::taken()), "the work that was taken is a number"); }
  WorkOfInput(const WorkOfInput&) = delete;
  WorkOfInput& operator=(const WorkOfInput&) = delete;

 private:
  /// Takes what many kinds of releases are allowed beforehand, so that a part is not added to later.
  static double whole() {
    constexpr double many = 1e9;
    Work::allow_for(many);
    return Work::left();
  }

  Question question_;
  PartOfQuestion part_;
};

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace pld::fuzz
