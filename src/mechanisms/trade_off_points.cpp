#include "pld/mechanisms/trade_off_points.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "pairs/profile_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// What a line of a trade-off function says, from its end nearer alpha = 0 to the other: it has the slope -e^epsilon
/// and meets alpha = 0 at 1 - delta. Products of doubles cancel in delta, and a quotient near 1 has lost the digits of
/// its logarithm; here they are exact, or nearly.
ProfilePoint point_of_line(double alpha, double beta, double alpha_end, double beta_end) {
  using Exact = boost::multiprecision::cpp_bin_float_50;
  const Exact run = Exact(alpha_end) - alpha, fall = Exact(beta) - beta_end;
  const Exact delta = ((1 - Exact(beta)) * run - alpha * fall) / run;
  const auto log_of = [](const Exact& x) { return static_cast<Extended>(log(x)); };
  return {log_of(fall / run), delta > 0 ? log_of(delta) : -infinity};
}

void require_trade_off(const std::vector<double>& alphas, const std::vector<double>& betas) {
  constexpr const char* where = "trade-off";
  require_in(whole_from_to(2, ranges::most_points), where, "number of alphas", static_cast<double>(alphas.size()));
  require(betas.size() == alphas.size(), where, "number of betas", static_cast<double>(betas.size()),
          "one beta an alpha");
  require(alphas.front() == 0, where, "first alpha", alphas.front(), "0");
  require(betas.back() == 0, where, "last beta", betas.back(), "0");
  double slope_before = infinity;
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    require_in(ranges::probability, where, "alphas", alphas[i]);
    require(betas[i] >= 0 && alphas[i] + betas[i] <= 1 + 4 * unit_roundoff, where, "betas", betas[i],
            "0 <= beta <= 1 - alpha");
    if (i == 0) continue;
    require(alphas[i] > alphas[i - 1], where, "alphas", alphas[i], "increasing alphas");
    const double slope = (betas[i - 1] - betas[i]) / (alphas[i] - alphas[i - 1]);
    require(slope > 0, where, "betas", betas[i], "decreasing betas");
    require(slope <= slope_before * (1 + 1e-12), where, "betas", betas[i], "convex betas: the lines flatten");
    slope_before = slope;
  }
}

}  // namespace

std::string describe(const TradeOffPoints& mechanism) {
  return "trade-off:alphas=" + listed(mechanism.alphas) + ",betas=" + listed(mechanism.betas);
}

// The profile is the convex conjugate 1 - min(f(a) + e^epsilon a): a line of slope -e^epsilon becomes a point. A line
// less steep than -1 gives the point of its mirror image, which says the same of the swapped pair.
PairPtr dominating_pair(const TradeOffPoints& mechanism, Direction) {
  const auto& [alphas, betas] = mechanism;
  require_trade_off(alphas, betas);
  std::vector<ProfilePoint> points;
  for (std::size_t i = 0; i + 1 < alphas.size(); ++i) {
    const bool steep = betas[i] - betas[i + 1] >= alphas[i + 1] - alphas[i];
    points.push_back(steep ? point_of_line(alphas[i], betas[i], alphas[i + 1], betas[i + 1])
                           : point_of_line(betas[i + 1], alphas[i + 1], betas[i], alphas[i]));
  }
  return pair_of_profile(std::move(points));
}

}  // namespace pld
