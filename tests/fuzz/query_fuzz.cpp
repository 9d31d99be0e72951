// The numeric interface on any doubles at all: a refusal, or a bracket in order without NaN, within seconds.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "fuzz_target.hpp"
#include "pld/mechanisms/registry.hpp"
#include "pld/pld.hpp"

namespace {

/// Takes values off the input; zeros once it is used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  [[nodiscard]] bool empty() const { return left_ == 0; }
  [[nodiscard]] std::uint8_t byte() { return take<std::uint8_t>(); }
  /// Any bit pattern, or with an even first byte a short decimal: those reach further than random exponents do.
  [[nodiscard]] double number() {
    if (byte() % 2 != 0) return take<double>();
    const auto digits = static_cast<double>(take<std::int16_t>());
    return digits * std::pow(10.0, static_cast<int>(byte() % 32) - 24);
  }

 private:
  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof(T), left_);
    std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }

  const std::uint8_t* data_;
  std::size_t left_;
};

pld::Mechanism mechanism(Input& input) {
  const auto& types = pld::mechanism_types();
  const auto& type = types[input.byte() % types.size()];
  std::map<std::string, double> parameters;
  for (const auto& parameter : type.parameters)
    if (!parameter.default_value || input.byte() % 4 == 0) parameters[parameter.name] = input.number();
  const pld::Mechanism base = pld::make_mechanism(type.name, parameters);
  return input.byte() % 2 == 0 ? base : pld::poisson_sampled(base, input.number());
}

void check(const pld::Bracket& bracket) {
  pld::fuzz::promise(bracket.lower <= bracket.estimate, "lower <= estimate");
  pld::fuzz::promise(bracket.estimate <= bracket.upper, "estimate <= upper");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  try {
    pld::Composition run;
    for (int parts = input.byte() % 3; parts >= 0; --parts) {
      const pld::Mechanism part = mechanism(input);
      run.add(part, input.byte() % 2 == 0 ? 1 + input.byte() : static_cast<std::int64_t>(std::pow(10.0, input.byte() % 13)));
    }
    const bool asks_epsilon = input.byte() % 2 == 0;
    const double at = input.number();
    if (asks_epsilon) {
      check(pld::epsilon(run, {.delta = at}));
    } else {
      const pld::DeltaAnswer answer = pld::delta(run, {.epsilon = at});
      check(answer);
      check(answer.log_delta);
      pld::fuzz::promise(answer.lower >= 0 && answer.upper <= 1, "delta in [0, 1]");
    }
  } catch (const pld::DomainError&) {
  }
  return 0;
}
