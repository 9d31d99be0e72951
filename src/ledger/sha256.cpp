#include "ledger/sha256.hpp"

#include <sodium.h>

namespace pld {
namespace {

template <std::size_t size>
std::string hexadecimal(const unsigned char (&bytes)[size]) {
  std::string text(2 * size + 1, '\0');  // with the end that sodium writes
  sodium_bin2hex(text.data(), text.size(), bytes, size);
  text.pop_back();
  return text;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return hexadecimal(hash);
}

std::string random_name() {
  unsigned char bytes[16];
  randombytes_buf(bytes, sizeof bytes);
  return hexadecimal(bytes);
}

}  // namespace pld
