#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "sources.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

int run(const std::filesystem::path& folder) {
  using namespace pld::validation;
  std::filesystem::create_directories(folder / "figures");
  Report report;
  for (const auto source :
       {renyi_notes, alpha_divergence_paper, hockey_stick_lecture, variants_table, decomposition_notes}) {
    report.sections.push_back(source());
    std::fprintf(stderr, "%s: done\n", report.sections.back().title.c_str());
  }
  for (const Section& section : report.sections) {
    for (const Figure& figure : section.figures) {
      for (const Drawing& panel : figure.panels) write(folder / "figures" / (panel.file + ".svg"), panel.svg);
    }
    for (const Row& row : section.rows) std::printf("%-25s %s\n", name(row.verdict), row.id.c_str());
  }
  write(folder / "report.md", to_markdown(report));
  write(folder / "report.html", to_html(report));
  std::printf("%s\n%s\n%s\n", counts(report).c_str(), (folder / "report.md").c_str(), (folder / "report.html").c_str());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 || words[1][0] == '-') {
    std::fprintf(stderr, "usage: pld-validate OUTDIR   writes report.md, report.html and figures/ there\n");
    return 2;
  }
  try {
    return run(words[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pld-validate: %s\n", error.what());
    return 1;
  }
}
