// Preloaded before the C library, it makes one system call on the files of a folder fail, or kills the process there.
//
// PLD_FAULT_FOLDER: the folder; PLD_FAULT_AT: which of the calls, from 1; PLD_FAULT: "kill" (before the call),
// "killed" (after it), "short" (half of what is to be read or written) or the number of an errno. PLD_FAULT_LOG: a file
// that gets the name of each call.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int most_descriptors = 1024;
bool watched[most_descriptors];
int calls = 0;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool in_folder(const char* path) {
  const char* folder = setting("PLD_FAULT_FOLDER");
  return path != nullptr && *folder != '\0' && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool in_folder(int descriptor) { return descriptor >= 0 && descriptor < most_descriptors && watched[descriptor]; }

void log_call(const char* name) {
  const char* path = setting("PLD_FAULT_LOG");
  if (*path == '\0') return;
  const int log = next<int(const char*, int, ...)>("open")(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char line[64];
  const int length = std::snprintf(line, sizeof line, "%s\n", name);
  static_cast<void>(!next<ssize_t(int, const void*, size_t)>("write")(log, line, static_cast<size_t>(length)));
  next<int(int)>("close")(log);
}

[[noreturn]] void die() {
  kill(getpid(), SIGKILL);
  while (true) pause();
}

/// What is to happen at this call.
struct Fault {
  bool fails = false, is_short = false, kills_after = false;

  explicit Fault(const char* name) {
    log_call(name);
    if (++calls != std::atoi(setting("PLD_FAULT_AT"))) return;
    const char* what = setting("PLD_FAULT");
    if (std::strcmp(what, "kill") == 0) die();
    kills_after = std::strcmp(what, "killed") == 0;
    is_short = std::strcmp(what, "short") == 0;
    const int number = std::atoi(what);
    if (number != 0) fails = true, errno = number;
  }
};

template <class Call>
auto faulty(bool applies, const char* name, const Call& call) -> decltype(call(false)) {
  if (!applies) return call(false);
  const Fault fault(name);
  if (fault.fails) return -1;
  const auto result = call(fault.is_short);
  if (fault.kills_after) die();
  return result;
}

int opened(const char* name, const char* path, int flags, mode_t mode) {
  const bool applies = in_folder(path);
  const int descriptor =
      faulty(applies, name, [&](bool) { return next<int(const char*, int, ...)>(name)(path, flags, mode); });
  if (descriptor >= 0 && descriptor < most_descriptors) watched[descriptor] = applies;
  return descriptor;
}

mode_t mode_of(int flags, va_list rest) { return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; }

size_t part(size_t size, bool is_short) { return is_short && size > 1 ? size / 2 : size; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return opened("open64", path, flags, mode);
}

int close(int descriptor) {
  const bool applies = in_folder(descriptor);
  if (descriptor >= 0 && descriptor < most_descriptors) watched[descriptor] = false;
  // It is closed whatever close() says.
  const int result = next<int(int)>("close")(descriptor);
  return faulty(applies, "close", [&](bool) { return result; });
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  return faulty(in_folder(descriptor), "write", [&](bool is_short) {
    return next<ssize_t(int, const void*, size_t)>("write")(descriptor, bytes, part(size, is_short));
  });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  return faulty(in_folder(descriptor), "pwrite", [&](bool is_short) {
    return next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(descriptor, bytes, part(size, is_short), at);
  });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  return faulty(in_folder(descriptor), "pwrite64", [&](bool is_short) {
    return next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(descriptor, bytes, part(size, is_short), at);
  });
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t at) {
  return faulty(in_folder(descriptor), "pread", [&](bool is_short) {
    return next<ssize_t(int, void*, size_t, off_t)>("pread")(descriptor, bytes, part(size, is_short), at);
  });
}

ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t at) {
  return faulty(in_folder(descriptor), "pread64", [&](bool is_short) {
    return next<ssize_t(int, void*, size_t, off64_t)>("pread64")(descriptor, bytes, part(size, is_short), at);
  });
}

int fsync(int descriptor) {
  return faulty(in_folder(descriptor), "fsync", [&](bool) { return next<int(int)>("fsync")(descriptor); });
}

int fdatasync(int descriptor) {
  return faulty(in_folder(descriptor), "fdatasync", [&](bool) { return next<int(int)>("fdatasync")(descriptor); });
}

int ftruncate(int descriptor, off_t size) {
  return faulty(in_folder(descriptor), "ftruncate",
                [&](bool) { return next<int(int, off_t)>("ftruncate")(descriptor, size); });
}

int ftruncate64(int descriptor, off64_t size) {
  return faulty(in_folder(descriptor), "ftruncate64",
                [&](bool) { return next<int(int, off64_t)>("ftruncate64")(descriptor, size); });
}

int unlink(const char* path) {
  return faulty(in_folder(path), "unlink", [&](bool) { return next<int(const char*)>("unlink")(path); });
}

int rename(const char* from, const char* to) {
  return faulty(in_folder(from), "rename",
                [&](bool) { return next<int(const char*, const char*)>("rename")(from, to); });
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  return faulty(in_folder(from), "renameat2", [&](bool) {
    return next<int(int, const char*, int, const char*, unsigned)>("renameat2")(from_folder, from, to_folder, to,
                                                                                flags);
  });
}

// Locks, among others; their last argument is a pointer or fits into one.
int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return faulty(in_folder(descriptor), "fcntl",
                [&](bool) { return next<int(int, int, ...)>("fcntl")(descriptor, command, argument); });
}

int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return faulty(in_folder(descriptor), "fcntl64",
                [&](bool) { return next<int(int, int, ...)>("fcntl64")(descriptor, command, argument); });
}

}  // extern "C"
