#include "curve.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdlib>

#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "formats/answer_fields.hpp"
#include "formats/query_text.hpp"

namespace pld::cli {
namespace {

/// Shortest text that reads back as the same double.
std::string cell(double value) { return number_text(value); }

std::string cells(const Bracket& b) { return cell(b.lower) + ',' + cell(b.estimate) + ',' + cell(b.upper); }

OrderedJson column(const std::vector<Bracket>& brackets, double Bracket::*end) {
  OrderedJson values = OrderedJson::array();
  for (const Bracket& b : brackets) values.push_back(json_number(b.*end));
  return values;
}

/// The lower ends of losses: null where no loss of real neighbours is known.
OrderedJson lower_column(const std::vector<Bracket>& brackets, bool exact) {
  OrderedJson values = column(brackets, &Bracket::lower);
  for (std::size_t i = 0; i < brackets.size(); ++i)
    if (!Finding{brackets[i], exact}.has_lower()) values[i] = nullptr;
  return values;
}

OrderedJson columns(const std::vector<Bracket>& brackets, bool exact) {
  return {{"lower", lower_column(brackets, exact)},
          {"estimate", column(brackets, &Bracket::estimate)},
          {"upper", column(brackets, &Bracket::upper)}};
}

}  // namespace

std::vector<double> CurveRange::values() const {
  std::vector<double> out;
  for (int i = 0; i < points; ++i) {
    const double share = points == 1 ? 0 : static_cast<double>(i) / (points - 1);
    if (i == points - 1 && points > 1)
      out.push_back(high);
    else
      out.push_back(logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share);
  }
  return out;
}

Curve curve_of(const std::string& name, const PrivacyProfile& profile, CurveKind kind, const CurveRange& range,
               DirectionChoice direction) {
  const bool exact = profile.composition().is_exact();
  Curve curve{
      .name = name, .exact = exact, .composition = {}, .x = range.values(), .y = {}, .power = {}, .log_delta = {}};
  const double wanted = std::log1p(profile.options().tolerance);
  if (kind == CurveKind::trade_off) {
    for (const OperatingPoint& point : TradeOff(profile, direction).at(curve.x)) {
      curve.y.push_back(point.beta);
      curve.power.push_back(point.power);
      // Relative to the smaller of the two errors a test can be judged by.
      const double beta_doubt = exact ? point.log_beta.width() : point.log_beta.estimate - point.log_beta.lower;
      curve.converged = curve.converged && std::fmin(Finding{point.log_power, exact}.doubt(), beta_doubt) <= 8 * wanted;
    }
    return curve;
  }
  const auto profiles = profile.log_profile(curve.x, direction);
  const Bracket largest = profile.largest_loss(direction);
  const double largest_loss = exact ? largest.lower : largest.estimate;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Bracket& log_delta = profiles[i].log_delta;
    curve.log_delta.push_back(log_delta);
    curve.y.push_back({std::exp(log_delta.lower), std::exp(log_delta.estimate), std::exp(log_delta.upper)});
    // Within rounding of the largest loss, and below a double's range, no bracket is narrower.
    curve.converged = curve.converged && (Finding{log_delta, exact}.doubt() <= wanted || log_delta.upper < -745 ||
                                          curve.x[i] >= largest_loss);
  }
  return curve;
}

std::optional<Curve> gaussian_reference(const PrivacyProfile& profile, CurveKind kind, const CurveRange& range,
                                        DirectionChoice direction) {
  const double advantage = profile.delta(0, direction).estimate;
  if (!(advantage > 1e-9 && advantage < 1 - 1e-6)) return std::nullopt;  // beyond, its distance from 1 is uncertain
  // delta(0) = 2 Phi(mu/2) - 1. What is drawn is the very Gaussian that the legend names.
  constexpr int digits = 4;
  const std::string mu = text_up(2 * boost::math::quantile(boost::math::normal(), (1 + advantage) / 2), digits);
  Composition gaussian;
  gaussian.add(Gaussian{.sigma = 1 / std::strtod(mu.c_str(), nullptr)});
  return curve_of("Gaussian, mu = " + mu, PrivacyProfile(gaussian), kind, range, DirectionChoice::remove);
}

std::string csv_text(const Curves& curves) {
  const bool several = curves.curves.size() > 1, trade_off = curves.kind == CurveKind::trade_off;
  std::string text = several ? "composition," : "";
  text += trade_off ? "alpha,lower,estimate,upper,power_lower,power_estimate,power_upper,exact\n"
                    : "epsilon,lower,estimate,upper,exact\n";
  for (std::size_t c = 0; c < curves.curves.size(); ++c) {
    const Curve& curve = curves.curves[c];
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (several) text += std::to_string(c + 1) + ',';
      text += cell(curve.x[i]) + ',' + cells(curve.y[i]);
      if (trade_off) text += ',' + cells(curve.power[i]);
      text += curve.exact ? ",true\n" : ",false\n";
    }
  }
  return text;
}

std::string json_text(const Curves& curves) {
  const bool trade_off = curves.kind == CurveKind::trade_off;
  OrderedJson all = {{"query", "curve"},
                     {"of", trade_off ? "tradeoff" : "profile"},
                     {"direction", name(curves.direction)},
                     {"compositions", OrderedJson::array()}};
  for (const Curve& curve : curves.curves) {
    OrderedJson x = OrderedJson::array();
    for (const double value : curve.x) x.push_back(json_number(value));
    OrderedJson one = {{"name", curve.name}, {trade_off ? "alpha" : "epsilon", x}};
    one[trade_off ? "type_two_error" : "delta"] = columns(curve.y, curve.exact || trade_off);
    if (trade_off)
      one["power"] = columns(curve.power, curve.exact);
    else
      one["log_delta"] = columns(curve.log_delta, curve.exact);
    one["converged"] = curve.converged;
    one["exact"] = curve.exact;
    add_composition(one, curve.composition);
    all["compositions"].push_back(one);
  }
  add_options(all, curves.direction, curves.tolerance);
  return all.dump() + '\n';
}

}  // namespace pld::cli
