#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "ordered_pool.hpp"
#include "pld/formats/answer_line.hpp"
#include "pld/formats/read_error.hpp"
#include "progress.hpp"
#include "timeout_option.hpp"

namespace pld::cli {

namespace {

/// Lines that are refused have their answers too, so that only a failure to write is one of the batch.
ExitCode run_batch(unsigned threads, FileAccess files, const TimeoutOption& timeout) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  Progress progress("lines", 0, isatty(STDIN_FILENO) != 0);
  { const TimeLimit refused_at_once = timeout.limit("batch"); }
  const auto answer = [&](const std::string& line, std::int64_t number) {
    const TimeLimit limit = timeout.limit("batch");
    return answer_line(line, files, number);
  };
  OrderedPool pool(answer, threads);
  // A directory, say, opens and reads as nothing.
  if (struct stat input{}; fstat(STDIN_FILENO, &input) != 0 || S_ISDIR(input.st_mode))
    throw ReadError("batch: standard input cannot be read, but must hold one JSON query a line");
  const bool written = pool.run(std::cin, std::cout, [&](const std::string&) { progress.count(); });
  return written ? ExitCode::answered : ExitCode::internal_error;
}

}  // namespace

void add_batch_command(CLI::App& app, ExitCode& status) {
  auto threads = std::make_shared<unsigned>(std::max(1U, std::thread::hardware_concurrency()));
  CLI::App* command = app.add_subcommand("batch",
                                         "answer JSON queries from stdin, one a line, in order on stdout: epsilon, "
                                         "delta, advantage, tpr, mu, rho, calibrate");
  command->add_option("--threads", *threads, "how many lines are worked on at once")
      ->check([](const std::string& word) {
        const bool is_count = CLI::Range(1U, 4096U)(word).empty();
        return is_count ? "" : "is '" + word + "', but must be a whole number from 1 to 4096";
      })
      ->capture_default_str();
  auto files = std::make_shared<bool>(false);
  command->add_flag("--files,!--no-files", *files,
                    "read files that mechanisms name (file=PATH), with the rights of this process");
  auto timeout = std::make_shared<TimeoutOption>();
  timeout->add_to(*command,
                  "seconds that one line may take: then its answer is what is known, an interval that may be wider");
  command->callback([threads, files, timeout, &status] {
    status = run_batch(*threads, *files ? FileAccess::allowed : FileAccess::forbidden, *timeout);
  });
}

}  // namespace pld::cli
