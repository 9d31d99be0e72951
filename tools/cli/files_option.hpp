#pragma once

#include <CLI/CLI.hpp>

#include "pld/formats/file_access.hpp"

namespace pld::cli {

/// --no-files, which every command that takes mechanisms has.
class FilesOption {
 public:
  /// `this` must outlive the command's parsing.
  void add_to(CLI::App& command) {
    command.add_flag("--no-files", forbidden_, "refuse mechanisms that name a file (file=PATH)");
  }
  [[nodiscard]] FileAccess access() const { return forbidden_ ? FileAccess::forbidden : FileAccess::allowed; }

 private:
  bool forbidden_ = false;
};

}  // namespace pld::cli
