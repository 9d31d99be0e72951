#include "formats/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

constexpr std::size_t chunk = 1 << 16;

[[noreturn]] void fail(const std::string& name) {
  throw ReadError("cannot read '" + name + "': " + std::strerror(errno));
}

void require_regular(const struct stat& file, const std::string& path) {
  if (!S_ISREG(file.st_mode)) throw ReadError("'" + path + "' is not a regular file");
}

/// Closes it.
struct Opened {
  int descriptor;
  ~Opened() { ::close(descriptor); }
};

}  // namespace

bool is_utf16(std::string_view text) {
  const bool is_marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  return is_marked || text.substr(0, 2).find('\0') != std::string_view::npos;
}

std::string_view utf8_text(std::string_view text, const std::string& name) {
  if (is_utf16(text)) throw ReadError(name + " must be UTF-8, but is UTF-16");
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

namespace {

std::string text_of_pipe(const std::string& path) {
  const Opened pipe{::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC)};
  if (pipe.descriptor < 0) fail(path);
  return text_of_descriptor(pipe.descriptor, path);
}

}  // namespace

std::string_view without_blank_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

bool is_own_pipe(const std::string& path) {
  struct stat file {};
  return (path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin") &&
         ::stat(path.c_str(), &file) == 0 && S_ISFIFO(file.st_mode);
}

std::string text_of_descriptor(int descriptor, const std::string& name) {
  std::string text;
  while (true) {
    const std::size_t had = text.size();
    text.resize(had + chunk);
    const ssize_t got = ::read(descriptor, text.data() + had, chunk);
    text.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) fail(name);
    if (text.size() > most_bytes_of_a_file) throw ReadError("'" + name + "' is larger than 64 MB");
  }
}

void require_regular_file(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) fail(path);
  require_regular(file, path);
}

std::optional<std::string> text_of_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) return std::nullopt;  // no file has such a name
  // Looked at before it is opened, since opening alone may set a device going; and after, since it may be another then.
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail(path);
  }
  require_regular(file, path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) fail(path);
  const Opened closed{descriptor};
  if (::fstat(descriptor, &file) != 0) fail(path);
  require_regular(file, path);
  return text_of_descriptor(descriptor, path);
}

std::optional<std::string> text_of_input(const std::string& path) {
  return is_own_pipe(path) ? text_of_pipe(path) : text_of_file(path);
}

}  // namespace pld
