#pragma once

namespace pld {

/// A running sum with the rounding errors carried along (Neumaier 1974; each error by Knuth's addition, which does not
/// branch): off by at most 2 u |sum| + n^2 u^2 sum of |terms|.
class CompensatedSum {
 public:
  CompensatedSum() = default;
  /// One that was saved.
  CompensatedSum(double sum, double carry) : sum_(sum), carry_(carry) {}

  void add(double term) {
    const double next = sum_ + term, added = next - sum_;
    carry_ += (sum_ - (next - added)) + (term - added);
    sum_ = next;
  }
  void add(const CompensatedSum& other) {
    add(other.sum_);
    add(other.carry_);
  }
  [[nodiscard]] double value() const { return sum_ + carry_; }
  [[nodiscard]] double sum() const { return sum_; }
  [[nodiscard]] double carry() const { return carry_; }

 private:
  double sum_ = 0, carry_ = 0;
};

}  // namespace pld
