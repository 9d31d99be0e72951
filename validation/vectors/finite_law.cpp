#include "finite_law.hpp"

#include <cstdlib>

namespace vectors {

Interval delta(const FiniteLaw& law, const Interval& epsilon) {
  const Interval factor = exp(epsilon);
  Interval sum = law.p_at_infinity;
  for (const Outcome& outcome : law.outcomes) sum += positive_part(outcome.p - factor * outcome.q);
  return sum;
}

Interval delta(const LatticeLaw& law, const Interval& epsilon) {
  const Interval kept = delta(outcomes_of(law), epsilon);
  return kept + Interval(Real(0), law.p_dropped.upper());
}

FiniteLaw sampled(const FiniteLaw& law, const Interval& rate, bool swapped) {
  FiniteLaw result;
  for (const auto& [p, q] : law.outcomes) {
    const Interval mixture = (Interval(1) - rate) * q + rate * p;
    result.outcomes.push_back(swapped ? Outcome{q, mixture} : Outcome{mixture, q});
  }
  // Outcomes of p alone: with the record rate p; without it none, so swapped they count for nothing.
  if (!swapped) result.p_at_infinity = rate * law.p_at_infinity;
  return result;
}

namespace {

/// Adds the products of the outcomes from `first` on, `left` releases being left; `so_far` holds the rest's product.
void add_products(const FiniteLaw& law, std::size_t first, int left, const Outcome& so_far, FiniteLaw& result) {
  const Outcome& outcome = law.outcomes[first];
  if (first + 1 == law.outcomes.size()) {
    result.outcomes.push_back({so_far.p * power(outcome.p, left), so_far.q * power(outcome.q, left)});
    return;
  }
  Outcome product = so_far;  // times C(left, n) outcome^n
  for (int n = 0; n <= left; ++n) {
    add_products(law, first + 1, left - n, product, result);
    const Interval ratio = Interval(left - n) / Interval(n + 1);
    product = {product.p * outcome.p * ratio, product.q * outcome.q * ratio};
  }
}

}  // namespace

FiniteLaw power(const FiniteLaw& law, int count) {
  FiniteLaw result;
  add_products(law, 0, count, {1, 1}, result);
  result.p_at_infinity = Interval(1) - power(Interval(1) - law.p_at_infinity, count);
  return result;
}

FiniteLaw product(const FiniteLaw& a, const FiniteLaw& b) {
  FiniteLaw result;
  for (const Outcome& x : a.outcomes)
    for (const Outcome& y : b.outcomes) result.outcomes.push_back({x.p * y.p, x.q * y.q});
  result.p_at_infinity = a.p_at_infinity + b.p_at_infinity - a.p_at_infinity * b.p_at_infinity;
  return result;
}

namespace {

LatticeLaw convolve(const LatticeLaw& a, const LatticeLaw& b) {
  LatticeLaw result;
  for (const auto& [i, x] : a.outcomes) {
    for (const auto& [j, y] : b.outcomes) {
      Outcome& sum = result.outcomes[i + j];
      sum.p += x.p * y.p;
      sum.q += x.q * y.q;
    }
  }
  return result;
}

}  // namespace

LatticeLaw power(const LatticeLaw& law, int count) {
  LatticeLaw result{.outcomes = {{0, {1, 1}}}}, square = law;
  for (int n = count; n > 0; n /= 2) {
    if (n % 2 == 1) result = convolve(result, square);
    if (n > 1) square = convolve(square, square);
  }
  result.p_at_infinity = Interval(1) - power(Interval(1) - law.p_at_infinity, count);
  result.p_dropped = Interval(count) * law.p_dropped;  // at least one of them dropped: at most the sum
  return result;
}

FiniteLaw outcomes_of(const LatticeLaw& law) {
  FiniteLaw result{.outcomes = {}, .p_at_infinity = law.p_at_infinity};
  for (const auto& [index, outcome] : law.outcomes) result.outcomes.push_back(outcome);
  return result;
}

FiniteLaw randomized_response(const Interval& p, int k) {
  const Interval other = (Interval(1) - p) / Interval(k - 1);
  FiniteLaw law{.outcomes = {{p, other}, {other, p}}};
  if (k > 2) law.outcomes.push_back({Interval(k - 2) * other, Interval(k - 2) * other});
  return law;
}

FiniteLaw approximate_dp(const Interval& epsilon, const Interval& delta) {
  const Interval rest = Interval(1) - delta;
  const Interval likely = rest / (Interval(1) + exp(-epsilon)), unlikely = rest / (Interval(1) + exp(epsilon));
  return {.outcomes = {{likely, unlikely}, {unlikely, likely}}, .p_at_infinity = delta};
}

LatticeLaw discrete_laplace(const Interval& a, int shift) {
  const Interval ratio = exp(-a), scale = (Interval(1) - ratio) / (Interval(1) + ratio);
  const auto mass = [&](int x) { return scale * power(ratio, std::abs(x)); };
  LatticeLaw law;
  // Outcomes x <= 0 all have the loss -shift a, those x >= shift all shift a.
  const Interval near_tail = Interval(1) / (Interval(1) + ratio), far_tail = near_tail * power(ratio, shift);
  law.outcomes[-shift] = {far_tail, near_tail};
  law.outcomes[shift] = {near_tail, far_tail};
  for (int x = 1; x < shift; ++x) law.outcomes[2 * x - shift] = {mass(x - shift), mass(x)};
  return law;
}

LatticeLaw discrete_gaussian(const Interval& sigma, int shift, int reach) {
  const Interval rate = Interval(1) / (Interval(2) * sigma * sigma);
  const auto weight = [&](int x) { return exp(-rate * Interval(x) * Interval(x)); };
  // Beyond `reach`, (reach + 1 + j)^2 >= (reach + 1)^2 + 2 (reach + 1) j.
  const Interval ratio = exp(-rate * Interval(2 * (reach + 1)));
  const Interval tail = weight(reach + 1) / (Interval(1) - ratio);
  Interval sum = Interval(2) * Interval(Real(0), tail.upper());
  for (int x = -reach; x <= reach; ++x) sum += weight(x);
  LatticeLaw law;
  // Every outcome whose p mass is not in a tail; its q mass as it is.
  for (int x = shift - reach; x <= shift + reach; ++x)
    law.outcomes[2 * x - shift] = {weight(x - shift) / sum, weight(x) / sum};
  law.p_dropped = Interval(2) * tail / sum;
  return law;
}

FiniteLaw binomial_noise(int coins, int shift) {
  std::vector<Interval> mass(static_cast<std::size_t>(coins) + 1);
  Interval next = Interval(1) / power(Interval(2), coins);
  for (int n = 0; n <= coins; ++n) {
    mass[static_cast<std::size_t>(n)] = next;
    next = next * Interval(coins - n) / Interval(n + 1);
  }
  FiniteLaw law;
  for (int x = 0; x <= coins + shift; ++x) {
    const bool with = x >= shift, without = x <= coins;
    const Interval p = with ? mass[static_cast<std::size_t>(x - shift)] : Interval(0);
    if (without) {
      law.outcomes.push_back({p, mass[static_cast<std::size_t>(x)]});
    } else {
      law.p_at_infinity += p;
    }
  }
  return law;
}

}  // namespace vectors
