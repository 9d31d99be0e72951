#pragma once

#include <string>
#include <string_view>

namespace pld {

/// A file in the making, in the folder it is meant for and under a name nobody can have prepared (O_EXCL, O_NOFOLLOW):
/// links and devices planted there are not written to. Whoever reads the target sees the old file or the whole new one.
class FreshFile {
 public:
  /// Throws ReadError where no file can be made beside `target`, or the target is a folder, device or other thing that
  /// is no regular file. A link is replaced, not followed.
  explicit FreshFile(std::string target);
  /// Removes what was not published.
  ~FreshFile();
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  // Both throw std::system_error, naming the target.
  void write(std::string_view bytes);
  /// Syncs the file, gives it owner and mode of the one it replaces, renames it and syncs the folder.
  void replace();
  /// The same where nothing may be there yet: false, and nothing is published, where something is.
  [[nodiscard]] bool create();

 private:
  [[noreturn]] void fail(const char* what) const;
  void sync();
  void sync_folder() const;

  std::string target_, folder_, path_;
  int descriptor_ = -1;
};

/// Writes the whole file; see FreshFile.
void write_file(const std::string& target, std::string_view bytes);

}  // namespace pld
