#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pld::cli {

/// What the last of `words`, those after `pld`, may go on to be, each as a whole word; one that ends in ':' or '='
/// goes on itself. The single answer ":files" means the names of files.
std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words);

/// The script that asks `pld complete` from that shell. Throws ReadError unless it is bash, zsh or fish.
std::string completion_script(const std::string& shell);

std::vector<std::string> shells();

}  // namespace pld::cli
