// The functions of numbers below whole queries, on any doubles at all: a refusal, or a number, and what is known of it.

#include <cmath>

#include "fuzz_target.hpp"
#include "input.hpp"
#include "numeric/compensated_sum.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/normal_tail.hpp"
#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/composition_theorems.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/bounds/fixed_size_sampling.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/bounds/renyi.hpp"
#include "pld/readout/attack_risk.hpp"
#include "pld/readout/gaussian_comparison.hpp"

namespace {

using namespace pld;
using fuzz::Input;
using fuzz::promise;

/// No more than `b`, or no more than rounding makes it.
bool at_most(double a, double b, double relative = 1e-12) { return a <= b || a - b <= relative * (1 + std::fabs(b)); }

/// Checks what `function` answers, unless it refuses.
template <class Function, class Check>
void ask(const Function& function, const Check& check) {
  try {
    check(function());
  } catch (const DomainError&) {
  }
}

template <class Function>
void ask_in(double low, double high, const Function& function, const char* what) {
  ask(function, [&](double value) { promise(low <= value && value <= high, what); });
}

template <class Function>
void ask_number(const Function& function, const char* what) {
  ask_in(-infinity, infinity, function, what);
}

void normal_law(Input& input) {
  const double x = input.number(), y = input.number(), width = std::fabs(input.number());
  if (std::isnan(x) || std::isnan(y) || std::isnan(width)) return;
  const double tail = log_normal_tail(x), other = log_normal_tail(y);
  promise(tail <= 0, "log of a tail <= 0");
  promise(x <= y ? at_most(other, tail, 1e-15) : at_most(tail, other, 1e-15), "a tail falls");
  const double mills = mills_ratio(std::fabs(x));
  promise(0 <= mills && mills <= 1.2534, "0 <= Mills ratio <= sqrt(pi / 2)");
  if (std::isinf(x)) return;
  const double interval = log_normal_interval(x, width);
  promise(at_most(interval, tail, 1e-14), "an interval has no more than its tail");
  const double scaled = scaled_normal_interval(std::fabs(x), width);
  promise(0 <= scaled && at_most(scaled, mills, 1e-14), "0 <= scaled interval <= Mills ratio");
  if (width < 0.5 && std::fabs(x) * width < 0.5) return;
  const double mean = truncated_normal_mean(x, width);
  promise(at_most(x, mean, 1e-14) && at_most(mean, x + width, 1e-14), "a mean lies inside");
}

void logarithms(Input& input) {
  const double a = input.number(), b = input.number();
  if (std::isnan(a) || std::isnan(b)) return;
  const double top = std::fmax(a, b), rest = std::fmin(a, b), sum = log_sum(a, b);
  promise(top <= sum && (std::isinf(top) || at_most(sum, top + 0.6931471805599454, 1e-15)),
          "max <= log_sum <= max + log 2");
  if (top < infinity) promise(log_difference(top, rest) <= top, "log_difference <= the larger");
  promise(log_one_minus_exp(-std::fabs(a)) <= 0, "log(1 - e^x) <= 0");
  promise(round_down(a, 8) <= a && a <= round_up(a, 8), "outward");
  CompensatedSum total;
  for (const double term : {a, b, -a}) total.add(term);
  if (std::isfinite(2 * a) && std::isfinite(2 * b) && std::isfinite(a + b))
    promise(std::fabs(total.value() - b) <= 4 * unit_roundoff * std::fabs(b) + 1e-30 * std::fabs(a),
            "what cancels leaves the rest");
}

void gaussian_dp(Input& input) {
  using namespace bounds;
  const double mu = input.number(), epsilon = input.number(), delta = input.number(), sensitivity = input.number();
  ask_in(
      0, 1, [&] { return gdp_delta(mu, epsilon); }, "gdp delta in [0, 1]");
  ask_in(
      -infinity, 0, [&] { return gdp_log_delta(mu, epsilon); }, "gdp log delta <= 0");
  ask_number([&] { return gdp_epsilon(mu, delta); }, "gdp epsilon");
  ask_in(
      0, 1, [&] { return gdp_trade_off(mu, delta); }, "gdp f in [0, 1]");
  ask_in(
      0, infinity, [&] { return classical_gaussian_sigma(epsilon, delta, sensitivity); }, "classical sigma >= 0");
  ask_in(
      0, infinity, [&] { return classical_gaussian_epsilon(mu, delta, sensitivity); }, "classical epsilon >= 0");
  ask_in(
      0, infinity, [&] { return classical_gaussian_epsilon_as_printed(mu, delta, sensitivity); },
      "printed epsilon >= 0");
  ask_in(
      0, infinity, [&] { return analytic_gaussian_sigma(epsilon, delta, sensitivity); }, "analytic sigma >= 0");
  ask_in(
      0, infinity, [&] { return gaussian_mu(epsilon, -std::fabs(delta)); }, "mu >= 0");
}

void renyi(Input& input) {
  using namespace bounds;
  const double alpha = input.number(), rdp = input.number(), delta = input.number(), epsilon = input.number();
  ask_in(
      0, infinity, [&] { return renyi_gaussian(alpha, rdp, delta); }, "D >= 0");
  ask_in(
      0, infinity, [&] { return renyi_laplace(alpha, rdp, delta); }, "D >= 0");
  ask_in(
      0, infinity, [&] { return renyi_randomized_response(alpha, rdp); }, "D >= 0");
  ask_in(
      0, infinity, [&] { return renyi_of_pure_dp(alpha, epsilon); }, "D >= 0");
  ask_in(
      0, 1, [&] { return delta_from_renyi_basic(alpha, rdp, epsilon); }, "delta in [0, 1]");
  ask_in(
      0, 1, [&] { return delta_from_renyi_tight(alpha, rdp, epsilon); }, "delta in [0, 1]");
  ask([&] { return epsilon_from_renyi_tight(alpha, rdp, delta); },
      [&](double tight) { promise(at_most(tight, epsilon_from_renyi_basic(alpha, rdp, delta)), "tight <= basic"); });
}

void fixed_size(Input& input) {
  using namespace bounds;
  const double rho = std::fabs(input.number()), share = input.number();
  const int alpha = input.whole(0, 24);
  const bounds::RenyiCurve curve = [rho](double order) { return rho <= 1e300 ? order * rho : 0; };
  ask([&] { return fixed_size_renyi(curve, infinity, share, alpha); },
      [&](double sharp) {
        const double loose = fixed_size_renyi_loose(curve, share, alpha);
        promise(0 <= sharp && at_most(sharp, loose), "0 <= theorem <= its loose form");
        promise(at_most(loose, fixed_size_renyi_one_order(curve(alpha), share, alpha)), "orders <= the last one's");
      });
}

void concentrated(Input& input) {
  using namespace bounds;
  const ZeroConcentrated zero{.xi = input.number(), .rho = input.number()};
  const double delta = input.number(), sensitivity = input.number();
  ask_in(
      0, infinity, [&] { return zcdp_gaussian_rho(zero.xi, zero.rho); }, "rho >= 0");
  ask_in(
      0, infinity, [&] { return zcdp_rho_of_pure_dp(zero.xi); }, "rho >= 0");
  ask([&] { return epsilon_from_zcdp_tight(zero, delta); },
      [&](double tight) { promise(at_most(tight, epsilon_from_zcdp(zero, delta)), "tight <= basic"); });
  ask_in(
      0, infinity,
      [&] {
        return epsilon_from_tcdp({zero.rho, zero.xi}, delta);
      },
      "epsilon >= 0");
  ask_in(
      0, infinity,
      [&] {
        return tcdp_amplify_by_sampling({zero.rho, zero.xi}, delta).rho;
      },
      "rho >= 0");
  ask_in(
      0, infinity, [&] { return tcdp_arsinh(zero.rho, zero.xi, sensitivity).omega; }, "omega >= 0");
}

void approximate_renyi(Input& input) {
  using namespace bounds;
  const double epsilon = input.number(), delta = input.number(), alpha = input.number(), at = input.number();
  ask([&] { return approximate_renyi_of_dp(epsilon, delta, alpha); },
      [&](const ApproximateRenyi& guarantee) {
        promise(guarantee.epsilon >= 0 && guarantee.delta >= 0, "epsilon, delta >= 0");
        ask_in(
            guarantee.delta, infinity, [&] { return delta_from_approximate_renyi(guarantee, at); },
            "delta_hat >= delta");
        ask_number([&] { return epsilon_from_approximate_renyi(guarantee, at); }, "epsilon_hat");
        ask_in(
            2 * guarantee.epsilon, infinity, [&] { return compose(guarantee, guarantee).epsilon; }, "they add up");
      });
}

void alpha_dp(Input& input) {
  using namespace bounds;
  const double alpha = input.number(), scale = input.number(), sensitivity = input.number(), delta = input.number();
  const auto convert = [&](const AlphaDp& guarantee) {
    promise(guarantee.log_moment() >= 0 && guarantee.epsilon() >= 0, "log moment, epsilon >= 0");
    ask([&] { return epsilon_from_adp_as_proved(guarantee, delta); },
        [&](double proved) {
          promise(at_most(proved, epsilon_from_adp_as_printed(guarantee, delta)), "proved <= printed");
        });
    ask_number([&] { return epsilon_from_adp_algorithm_line(guarantee, delta); }, "as line 12 has it");
    ask_in(
        0, infinity, [&] { return compose(guarantee, scale).log_moment(); }, "composed >= 0");
    ask_in(
        0, infinity, [&] { return adp_group(guarantee, 2).log_moment(); }, "group >= 0");
  };
  ask([&] { return AlphaDp::from_epsilon(alpha, scale); }, convert);
  ask([&] { return adp_gaussian(alpha, scale, sensitivity); }, convert);
  ask([&] { return adp_laplace(alpha, scale, sensitivity); }, convert);
  ask([&] { return adp_randomized_response(alpha, scale); }, convert);
  ask_in(
      0, infinity, [&] { return adp_gaussian_variance(alpha, scale, sensitivity); }, "variance >= 0");
  ask_in(
      0, infinity, [&] { return adp_sigma_for_order(alpha, scale, sensitivity, 3, delta); }, "sigma >= 0");
}

void composition_theorems(Input& input) {
  using namespace bounds;
  std::vector<RepeatedGuarantee> parts;
  for (int left = input.whole(1, 2); left > 0; --left)
    parts.push_back({{input.number(), input.number()}, input.coin() ? input.whole(0, 12) : input.number()});
  const double slack = input.number(), delta = input.number();
  const auto guarantee = [](const DpGuarantee& it) {
    promise(it.epsilon >= 0 && it.delta >= 0, "epsilon, delta >= 0");
  };
  const RepeatedGuarantee& first = parts.front();
  ask([&] { return basic_composition(parts); }, guarantee);
  ask([&] { return advanced_composition(first.guarantee, first.count, slack); }, guarantee);
  ask([&] { return advanced_composition_short(first.guarantee, first.count, slack); }, guarantee);
  ask([&] { return heterogeneous_advanced_composition(parts, slack); }, guarantee);
  ask([&] { return kairouz_oh_viswanath_explicit(parts, slack); }, guarantee);
  ask([&] { return amplify_by_sampling(first.guarantee, slack); }, guarantee);
  ask_in(
      0, infinity, [&] { return moments_accountant_epsilon(slack, first.count, delta); }, "epsilon >= 0");
  ask_in(
      0, infinity, [&] { return slack_left(parts, delta); }, "slack >= 0");
  double releases = 0;
  for (const RepeatedGuarantee& part : parts) releases += part.count;
  if (!(releases <= 24)) return;
  ask([&] { return optimal_composition_epsilon(parts, delta); },
      [&](double optimal) {
        const DpGuarantee basic = basic_composition(parts);
        // Where basic composition leaves nothing of delta, rounding up may find less than nothing.
        const bool affords_basic = basic.delta * (1 + 1e-12) <= delta;
        promise(!std::isnan(optimal) && (!affords_basic || at_most(optimal, basic.epsilon, 1e-11)), "optimal <= basic");
      });
}

void attacks(Input& input) {
  const double prior = input.number(), epsilon = input.number(), delta = input.number(), probability = input.number();
  ask_in(
      0, 1, [&] { return posterior_bound(prior, epsilon); }, "posterior in [0, 1]");
  ask([&] { return posterior_bound(prior, epsilon, delta, probability); },
      [&](double posterior) {
        promise(at_most(posterior_bound(prior, epsilon), posterior) && posterior <= 1, "pure <= approximate <= 1");
      });
}

constexpr void (*checks[])(Input&) = {normal_law,           logarithms,   gaussian_dp,       renyi,
                                      fixed_size,           concentrated, approximate_renyi, alpha_dp,
                                      composition_theorems, attacks};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  checks[input.byte() % std::size(checks)](input);
  return 0;
}
