// A word of the command line, "gaussian:sigma=0.8,q=0.005,count=1000": read, or refused in one line.

#include "fuzz_target.hpp"
#include "pld/core/errors.hpp"
#include "pld/ledger/entry.hpp"
#include "pld/ledger/mechanism_text.hpp"
#include "pld/ledger/open_entry.hpp"
#include "pld/ledger/read_error.hpp"

namespace {

template <class Read>
void read_or_refuse(const Read& read) {
  const auto one_line = [](const std::string& message) {
    pld::fuzz::promise(!message.empty() && message.find('\n') == std::string::npos, "a refusal is one line");
  };
  try {
    read();
  } catch (const pld::ReadError& error) {
    one_line(error.what());
  } catch (const pld::DomainError& error) {
    one_line(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view word = pld::fuzz::text(data, size);
  read_or_refuse([&] { (void)pld::release_of(pld::entry_from_text(word)); });
  read_or_refuse([&] { (void)pld::open_entry_from_text(word); });
  return 0;
}
