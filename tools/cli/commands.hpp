#pragma once

#include <CLI/CLI.hpp>

#include "exit_codes.hpp"

namespace pld::cli {

/// Each adds one subcommand to `app`, which sets `status` when it has run.
void add_epsilon_command(CLI::App& app, ExitCode& status);
void add_delta_command(CLI::App& app, ExitCode& status);
void add_calibrate_command(CLI::App& app, ExitCode& status);
void add_ledger_command(CLI::App& app, ExitCode& status);
void add_batch_command(CLI::App& app, ExitCode& status);
void add_compare_command(CLI::App& app, ExitCode& status);
void add_audit_command(CLI::App& app, ExitCode& status);
void add_curve_command(CLI::App& app, ExitCode& status);
void add_explain_command(CLI::App& app, ExitCode& status);
void add_mechanisms_command(CLI::App& app, ExitCode& status);
void add_export_command(CLI::App& app, ExitCode& status);
void add_help_command(CLI::App& app, ExitCode& status);
void add_completion_commands(CLI::App& app, ExitCode& status);
void add_manual_command(CLI::App& app, ExitCode& status);

}  // namespace pld::cli
