// Runs a target on the inputs kept in the folders given: what the fuzzer once found stays mended, under any compiler.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "fuzz_target.hpp"
#include "pld/core/contradictions.hpp"

int main(int argc, char** argv) {
  int inputs = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      std::cerr << entry.path().filename().string() << std::endl;
      const auto before = pld::contradictions();
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      if (pld::contradictions() > before) std::cerr << "two certified bounds excluded each other" << std::endl;
      ++inputs;
    }
  std::cout << inputs << " inputs\n";
  return inputs > 0 && pld::contradictions() == 0 ? 0 : 1;
}
