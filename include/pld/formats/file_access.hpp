#pragma once

namespace pld {

/// Whether a mechanism may take its lists from a file that it names (file=PATH). Who answers others' queries forbids
/// it: it tells which files there are, and reads them with the rights of who answers.
enum class FileAccess { allowed, forbidden };

}  // namespace pld
