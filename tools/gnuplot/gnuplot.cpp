#include "gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "core/printable.hpp"

namespace pld::gnuplot {

namespace {

/// A file without a name: gnuplot may end at any time, or fill the disk, and nobody waits for it or gets a signal.
class NamelessFile {
 public:
  NamelessFile() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw std::runtime_error(std::string("cannot make a temporary file: ") + std::strerror(errno));
  }
  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

  /// For another process to read from its beginning.
  void write(const std::string& text) const {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0 ||
        std::fseek(file_.get(), 0, SEEK_SET) != 0)
      throw std::runtime_error(std::string("cannot write a temporary file: ") + std::strerror(errno));
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    char buffer[1 << 16];
    std::rewind(file_.get());
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, file_.get())) all.append(buffer, got);
    if (std::ferror(file_.get()) != 0) throw std::runtime_error("cannot read back what gnuplot drew");
    return all;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Runs `gnuplot -d` on the files; true where it ended well.
bool run(const NamelessFile& script, const NamelessFile& output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, script.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  char program[] = "gnuplot", no_start_up_file[] = "-d";
  char* const words[] = {program, no_start_up_file, nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program, &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw std::runtime_error(std::string("cannot start gnuplot (Debian's package gnuplot-nox): ") +
                             std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    const auto byte = static_cast<unsigned char>(c);
    // Digits too: an escape takes all that follow it.
    if (std::isalpha(byte) != 0 || c == ' ' || byte >= 0x80) {
      out += c;
    } else {
      out += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
              static_cast<char>('0' + byte % 8)};
    }
  }
  return out + '"';
}

std::string drawn(const std::string& script) {
  const NamelessFile in, out;
  in.write(script);
  if (!run(in, out)) throw std::runtime_error("gnuplot failed");
  std::string picture = out.text();
  if (picture.empty()) throw std::runtime_error("gnuplot drew nothing");
  return picture;
}

void draw(const std::string& script, const std::string& path) {
  const NamelessFile in, out;
  in.write(script);
  if (!run(in, out)) throw std::runtime_error("gnuplot failed to draw '" + path + "'");
}

}  // namespace pld::gnuplot
