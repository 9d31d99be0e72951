#include "formats/near_name.hpp"

#include "support/checks.hpp"

namespace {

const std::vector<std::string> types{"gaussian", "gaussian-mixture", "laplace", "trade-off", "dp", "rdp", "q", "sigma"};

}  // namespace

TEST_CASE("formats.near_name.slips") {
  for (const char* text : {"guassian", "gausian", "gaussiann", "Gaussian", "gauusian", "gauss"})
    CHECK(pld::near_name(text, types) == "gaussian");
  CHECK(pld::near_name("gaussian_mixture", types) == "gaussian-mixture");
  CHECK(pld::near_name("gaussian_mix", types) == "gaussian-mixture");
  CHECK(pld::near_name("tradeoff", types) == "trade-off");
  CHECK(pld::near_name("sigm", types) == "sigma");
  CHECK(pld::near_name("Q", types) == "q");
  CHECK(pld::near_name("rpd", types) == "rdp");
}

TEST_CASE("formats.near_name.nothing_is_near") {
  const std::string long_text(1'000'000, 'g');
  for (const std::string& text : {std::string(), std::string("k"), std::string("xyz"), std::string("skellam"),
                                  long_text, std::string("la"), std::string("\xff\xfe")})
    CHECK(pld::near_name(text, types).empty());
  CHECK(pld::near_name("gaussian", {}).empty());
}

TEST_CASE("formats.near_name.nearest_wins") {
  CHECK(pld::near_name("abcx", {"abcdef", "abc", "abcd"}) == "abc");
  CHECK(pld::near_name("abcdxf", {"abcdeg", "abcdef"}) == "abcdef");
  CHECK(pld::did_you_mean("rpd", types) == " (did you mean rdp?)");
  CHECK(pld::did_you_mean("xyz", types).empty());
}

TEST_CASE("formats.near_name.words_of_the_field") {
  for (const char* text : {"sample_rate", "sampling_rate", "rate"}) CHECK(pld::near_name(text, types) == "q");
  for (const char* text : {"std", "stddev", "scale", "noise"}) CHECK(pld::near_name(text, types) == "sigma");
  CHECK(pld::near_name("b", {"scale"}) == "scale");
  CHECK(pld::near_name("--sigma", {"scale", "sigma"}) == "sigma");
  CHECK(pld::near_name("sigma", {"batch", "noise_multiplier"}) == "noise_multiplier");
  CHECK(pld::near_name("\u03c3", types) == "sigma");
  CHECK(pld::near_name("--batch-size", {"--delta", "--batch"}) == "--batch");
  CHECK(pld::near_name("rate", {"scale"}).empty());
  CHECK(pld::near_name("--epsilon", {"--version", "--range"}).empty());  // dashes are no letters alike
}

TEST_CASE("formats.near_name.what_other_guarantees_and_neighbours_are_called") {
  for (const char* text : {"gdp", "mu-gdp", "GDP", "gaussian_dp"})
    CHECK(pld::did_you_mean(text, types) == " (did you mean gaussian:sigma=1/mu,replace_sensitivity=1?)");
  for (const char* text : {"approx-dp", "approximate-dp", "pure-dp"}) CHECK(pld::near_name(text, types) == "dp");
  const std::vector<std::string> relations{"add-remove", "replace-one", "zero-out"};
  for (const char* text : {"bounded", "substitution", "replace"})
    CHECK(pld::near_name(text, relations) == "replace-one");
  for (const char* text : {"unbounded", "ADD_OR_REMOVE_ONE"}) CHECK(pld::near_name(text, relations) == "add-remove");
}
