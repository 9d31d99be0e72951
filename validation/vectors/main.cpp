// Writes the files of tests/vectors: enclosures of delta and epsilon that share no code with the accountant.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "family.hpp"

namespace {

/// One row a line, so that a change shows as one.
void write(const std::filesystem::path& folder, const vectors::Family& family) {
  std::ofstream file(folder / family.file);
  file << "{\"format\": 1, \"adjacency\": \"add-remove\",\n\"method\": " << vectors::Json(family.method) << ",\n\"rows\": [\n";
  for (std::size_t i = 0; i < family.rows.size(); ++i) file << family.rows[i] << (i + 1 < family.rows.size() ? ",\n" : "\n]}\n");
  if (!file.flush()) throw std::runtime_error("cannot write " + (folder / family.file).string());
  std::printf("%s: %zu rows\n", family.file.c_str(), family.rows.size());
  std::fflush(stdout);
}

void write_all(const std::filesystem::path& folder) {
  using namespace vectors;
  std::filesystem::create_directories(folder);
  for (const auto family : {gaussian_family, sampled_gaussian_family, laplace_family, additive_noise_family,
                            randomized_response_family, approximate_dp_family, discrete_laplace_family,
                            discrete_gaussian_family, binomial_family, selection_family, mixed_family})
    write(folder, family());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_vectors FOLDER   writes the files of tests/vectors there\n");
    return 2;
  }
  try {
    write_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_vectors: %s\n", error.what());
    return 1;
  }
  return 0;
}
