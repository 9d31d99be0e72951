#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "core/price.hpp"
#include "core/standard_arithmetic.hpp"

namespace pld {

/// What is made once it is asked for, once, at the same price for each question. Safe to ask from several threads.
template <class Value>
class Later {
 public:
  explicit Later(std::function<Value()> make) : make_(std::move(make)) {}

  [[nodiscard]] const Value& get() const {
    std::call_once(made_, [this] {
      const StandardArithmetic arithmetic;
      value_.emplace(make_);
      make_ = nullptr;
    });
    return value_->get();
  }

 private:
  mutable std::once_flag made_;
  mutable std::function<Value()> make_;  ///< and all it holds, until then
  mutable std::optional<Priced<Value>> value_;
};

}  // namespace pld
