#include "examples.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pld::cli {

namespace {

/// In this order a shell can run them all: the ledgers are made before they are read.
const std::vector<std::pair<const char*, std::vector<const char*>>> examples{
    {"",
     {"pld epsilon --delta 1e-6 gaussian:noise_multiplier=0.8,q=256/50000,steps=1000",
      "pld calibrate --epsilon 2 --delta 1e-6 'gaussian:noise_multiplier=?,q=0.005,steps=1000'",
      "pld explain gaussian:sigma=0.8,q=0.005,count=1000"}},
    {"epsilon",
     {"pld epsilon --delta 1e-6 gaussian:noise_multiplier=0.8,q=256/50000,steps=1000",
      "pld epsilon --delta 1e-5 --dataset-size 50000 --batch 256 --epochs 30 gaussian:noise_multiplier=1",
      "pld epsilon --delta 1e-6 --adjacency replace-one gaussian:sigma=2,wor=64/6400,count=100",
      "pld epsilon --delta 1e-6 laplace:scale=50,count=200 discrete-gaussian:sigma=20"}},
    {"delta", {"pld delta --epsilon 2 gaussian:sigma=0.8,q=0.005,count=1000"}},
    {"curve",
     {"pld curve --range 0:3:7 gaussian:sigma=0.8,q=0.005,count=1000",
      "pld curve --of tradeoff --output roc.csv gaussian:sigma=1 vs laplace:scale=1",
      "pld curve --of epsilon --against steps --delta 1e-5 --range 10:1000:3 gaussian:noise_multiplier=1,q=0.01"}},
    {"explain",
     {"pld explain gaussian:sigma=0.8,q=0.005,count=1000",
      "pld explain --output page.html gaussian:sigma=0.8,q=0.005,count=1000"}},
    {"export",
     {"pld export gaussian:sigma=0.8,q=0.005,count=1000",
      "pld export --dp-event gaussian:noise_multiplier=0.8,q=256/50000,epochs=3"}},
    {"calibrate",
     {"pld calibrate --epsilon 2 --delta 1e-6 'gaussian:noise_multiplier=?,q=0.005,steps=1000'",
      "pld calibrate --epsilon 2 --delta 1e-6 'gaussian:sigma=0.8,q=0.005,steps=?'",
      "pld calibrate --epsilon 3 --delta 1e-5 --dataset-size 50000 --expected-batch 256 --epochs 30 'gaussian:sigma=?'",
      "pld calibrate --rho 0.5 'gaussian:sigma=?*1,count=8' 'gaussian:sigma=?*2,count=16'"}},
    {"ledger",
     {"pld ledger init survey --epsilon 1 --delta 1e-6", "pld ledger spend survey gaussian:sigma=20 --token job-17",
      "pld ledger status survey", "pld calibrate --ledger survey 'gaussian:sigma=?'"}},
    {"ledger init", {"pld ledger init trial --epsilon 1 --delta 1e-6"}},
    {"ledger spend", {"pld ledger spend trial gaussian:sigma=20 --name ages --token job-17"}},
    {"ledger status", {"pld ledger status trial gaussian:sigma=20"}},
    {"ledger list", {"pld ledger list trial"}},
    {"ledger export", {"pld ledger export trial --output trial.jsonl"}},
    {"ledger import", {"pld ledger import copy trial.jsonl"}},
    {"ledger undo", {"pld ledger undo trial 1"}},
    {"batch", {R"(echo '{"query":"epsilon","delta":1e-6,"mechanisms":[{"type":"gaussian","sigma":2}]}' | pld batch)"}},
    {"compare", {"pld compare --delta 1e-6 --claim 2.5 gaussian:sigma=0.8,q=0.005,count=1000"}},
    {"audit",
     {"pld audit --delta 1e-5 --true-positives 20/50 --false-positives 10/50 gaussian:sigma=1",
      "pld audit --delta 1e-5 --correct 65/100 --canaries 1000 --claim 2"}},
    {"mechanisms", {"pld mechanisms", "pld help gaussian"}},
    {"help", {"pld help calibrate", "pld help ledger spend", "pld help laplace"}},
    {"completion", {"source <(pld completion bash)"}},
    {"man-page", {"pld man-page > pld.1"}},
};

CLI::App& command_at(CLI::App& app, const std::string& path) {
  if (path.empty()) return app;
  const auto blank = path.find(' ');
  CLI::App& command = *app.get_subcommand(path.substr(0, blank));
  return blank == std::string::npos ? command : command_at(command, path.substr(blank + 1));
}

}  // namespace

void add_examples(CLI::App& app) {
  for (const auto& [path, lines] : examples) {
    CLI::App& command = command_at(app, path);
    std::string text = command.get_footer();
    text += text.empty() ? "Examples:" : "\n\nExamples:";
    for (const char* line : lines) text += std::string("\n  ") + line;
    command.footer(text);
  }
}

}  // namespace pld::cli
