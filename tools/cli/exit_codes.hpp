#pragma once

namespace pld::cli {

/// What `pld` exits with; documented in README.md.
enum class ExitCode {
  answered = 0,
  internal_error = 1,
  bad_input = 2,
  tolerance_not_reached = 3,
  claim_under_reports = 4,
  refuted_by_data = 4,
  over_budget = 4,
};

}  // namespace pld::cli
