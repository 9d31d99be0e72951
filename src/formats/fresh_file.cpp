#include "formats/fresh_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <system_error>
#include <utility>

#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

constexpr mode_t readable_by_umask = 0666;
constexpr int most_names = 100;

/// The calling thread's errno as bad input: a name under which nothing can be written.
[[noreturn]] void refuse(const std::string& target) {
  throw ReadError("cannot write '" + target + "': " + std::strerror(errno));
}

std::string folder_of(const std::string& target) {
  const auto slash = target.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : target.substr(0, slash);
}

/// ".NAME.k3v9x0q2": hidden, and told from others by chance alone.
std::string passing_name(const std::string& target) {
  constexpr char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  const auto slash = target.rfind('/');
  constexpr std::size_t longest_kept = 100;  // of at most 255
  std::string name(1, '.');
  name.append(target, slash == std::string::npos ? 0 : slash + 1, longest_kept).append(1, '.');
  for (int i = 0; i < 12; ++i) name += letters[random() % (sizeof letters - 1)];
  return name;
}

bool rename_to_free_name(const char* from, const char* to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;  // else a file system that knows no such thing
#endif
  return ::link(from, to) == 0 && ::unlink(from) == 0;
}

}  // namespace

FreshFile::FreshFile(std::string target) : target_(std::move(target)), folder_(folder_of(target_)) {
  struct stat there {};
  if (target_.empty() || target_.back() == '/') errno = EISDIR, refuse(target_);
  if (lstat(target_.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode))
    throw ReadError("cannot write '" + target_ + "': it is not a regular file");
  for (int i = 0; i < most_names && descriptor_ < 0; ++i) {
    path_ = folder_ + "/" + passing_name(target_);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, readable_by_umask);
    if (descriptor_ < 0 && errno != EEXIST && errno != EINTR) refuse(target_);
  }
  if (descriptor_ < 0) refuse(target_);
}

FreshFile::~FreshFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

void FreshFile::fail(const char* what) const {
  throw std::system_error(errno, std::generic_category(), std::string("cannot ") + what + " '" + target_ + "'");
}

void FreshFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void FreshFile::sync() {
  if (::fsync(descriptor_) != 0) fail("write");
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 && errno != EINTR) fail("write");
}

void FreshFile::sync_folder() const {
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A folder one may write to but not read cannot be synced; the file is there all the same.
  if (folder < 0 && errno == EACCES) return;
  const bool synced = folder >= 0 && ::fsync(folder) == 0;
  if (folder >= 0) ::close(folder);
  if (!synced) fail("be sure that the disk keeps");
}

void FreshFile::replace() {
  struct stat old {};
  if (lstat(target_.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {
    // Owner before mode, since a change of owner may clear mode bits. Who may not give a file away keeps it.
    if (::fchown(descriptor_, old.st_uid, old.st_gid) != 0 && errno != EPERM) fail("write");
    if (::fchmod(descriptor_, old.st_mode & 0777) != 0) fail("write");
  }
  sync();
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail("replace");
  path_.clear();
  sync_folder();
}

bool FreshFile::create() {
  sync();
  if (!rename_to_free_name(path_.c_str(), target_.c_str())) {
    if (errno == EEXIST) return false;
    fail("write");
  }
  path_.clear();
  sync_folder();
  return true;
}

void write_file(const std::string& target, std::string_view bytes) {
  FreshFile file(target);
  file.write(bytes);
  file.replace();
}

}  // namespace pld
