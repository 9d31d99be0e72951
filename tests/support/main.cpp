#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <iostream>

#include "pld/core/contradictions.hpp"
#include "support/contradictions.hpp"

/// doctest's own main, and at its end no two bounds may have excluded each other, whatever was tested.
int main(int argc, char** argv) {
  const int failed = doctest::Context(argc, argv).run();
  const std::int64_t unexplained = pld::contradictions() - pld::test::provoked_contradictions;
  if (unexplained == 0) return failed;
  std::cerr << "contradictions(): " << unexplained << " times two certified bounds have excluded each other\n";
  return 1;
}
