#include "curve.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "account/directed_run.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "engines/answer_width.hpp"
#include "formats/answer_fields.hpp"
#include "pld/readout/attack_risk.hpp"

namespace pld::cli {
namespace {

/// Shortest text that reads back as the same double.
std::string cell(double value) { return number_text(value); }

std::string cells(const Bracket& b) { return cell(b.lower) + ',' + cell(b.estimate) + ',' + cell(b.upper); }

/// Three columns of what `fields_of` writes of each.
template <class Fields>
OrderedJson columns(const std::vector<Bracket>& brackets, const Fields& fields_of) {
  OrderedJson all;
  for (const char* end : {"lower", "estimate", "upper"}) all[end] = OrderedJson::array();
  for (const Bracket& bracket : brackets) {
    const OrderedJson fields = fields_of(bracket);
    for (auto& [end, values] : all.items()) values.push_back(fields[end]);
  }
  return all;
}

OrderedJson columns(const std::vector<Bracket>& brackets, bool exact) {
  return columns(brackets, [&](const Bracket& b) { return json_finding({b, exact}); });
}

/// Where lines through neighbouring points meet, if the points beside these lie on the same two lines.
std::vector<double> kinks(const std::vector<double>& u, const std::vector<double>& v) {
  std::vector<double> found;
  const auto slope = [&](std::size_t i) { return (v[i + 1] - v[i]) / (u[i + 1] - u[i]); };
  const auto same = [](double a, double b) { return std::fabs(a - b) <= 1e-6 * (std::fabs(a) + std::fabs(b)); };
  for (std::size_t i = 2; i + 3 < u.size(); ++i) {
    const double left = slope(i - 1), right = slope(i + 1);
    if (!same(slope(i - 2), left) || !same(right, slope(i + 2)) || same(left, right)) continue;
    const double at = u[i] + (v[i + 1] - v[i] - right * (u[i + 1] - u[i])) / (left - right);
    if (at > u[i] && at < u[i + 1]) found.push_back(at);
  }
  return found;
}

/// A field of CSV.
std::string quoted(std::string text) {
  for (auto at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) text.insert(at, 1, '"');
  return '"' + text + '"';
}

/// The name of y in JSON.
const char* name_of_y(CurveKind kind) {
  switch (kind) {
    case CurveKind::profile:
      return "delta";
    case CurveKind::trade_off:
      return "type_two_error";
    case CurveKind::epsilon:
      break;
  }
  return "epsilon";
}

/// The number of up to nine digits that a point was to be, where it is that but for the rounding of powers: 1e-10 for
/// 9.999999999999981e-11.
double as_written(double point) {
  constexpr int digits = 9;
  constexpr double rounding = 2e-13;
  char text[32];
  const char* const end = std::to_chars(text, text + sizeof text, point, std::chars_format::scientific, digits - 1).ptr;
  double few = point;
  std::from_chars(text, end, few);
  return std::fabs(few - point) <= rounding * std::fabs(point) ? few : point;
}

}  // namespace

std::vector<double> CurveRange::values() const {
  std::vector<double> out;
  for (int i = 0; i < points; ++i) {
    const double share = points == 1 ? 0 : static_cast<double>(i) / (points - 1);
    if (i == points - 1 && points > 1)
      out.push_back(high);
    else
      out.push_back(
          as_written(logarithmic ? std::pow(low, 1 - share) * std::pow(high, share) : low + (high - low) * share));
  }
  if (whole) {
    for (double& value : out) value = std::clamp(std::round(value), std::ceil(low), std::floor(high));
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
  return out;
}

Curve curve_of(const std::string& name, const PrivacyProfile& profile, CurveKind kind, const std::vector<double>& x,
               DirectionChoice direction) {
  const Composition& composition = profile.composition();
  const bool exact = kind == CurveKind::trade_off ? composition.has_worst_neighbours() : composition.is_exact();
  Curve curve{.name = name,
              .exact = exact,
              .composition = composition,
              .x = x,
              .y = {},
              .power = {},
              .log_delta = {},
              .wide = {}};
  if (kind == CurveKind::trade_off) {
    const double wanted = std::log1p(profile.options().tolerance);
    const std::vector<OperatingPoint> points = TradeOff(profile, direction).at(curve.x);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const OperatingPoint& point = points[i];
      const bool attained = exact && point.attained;
      curve.exact = curve.exact && attained;
      curve.y.push_back(point.beta);
      curve.power.push_back(point.power);
      // Relative to the smaller of the two errors a test can be judged by.
      const double beta_doubt = attained ? point.log_beta.width() : point.log_beta.estimate - point.log_beta.lower;
      const double doubt = std::fmin(Finding{point.log_power, attained}.doubt(), beta_doubt);
      if (!(doubt <= 8 * wanted)) curve.wide.push_back(x[i]);
    }
    return curve;
  }
  curve.log_delta = profile.log_delta(curve.x, direction);
  const Bracket largest = profile.largest_loss(direction);
  const double largest_loss = exact ? largest.lower : largest.estimate;
  for (std::size_t i = 0; i < curve.log_delta.size(); ++i) {
    const Bracket& log_delta = curve.log_delta[i];
    curve.y.push_back(probability(log_delta));
    // Within rounding of the largest loss no bracket is narrower.
    const bool narrow = is_narrow_delta({log_delta, exact}, profile.options().tolerance) || curve.x[i] >= largest_loss;
    if (!narrow) curve.wide.push_back(x[i]);
  }
  return curve;
}

std::optional<Curve> gaussian_reference(const PrivacyProfile& profile, CurveKind kind, const std::vector<double>& x,
                                        DirectionChoice direction) {
  const double advantage = membership_advantage(profile, direction).estimate;
  if (!(advantage > 1e-9 && advantage < 1 - 1e-6)) return std::nullopt;  // beyond, its distance from 1 is uncertain
  // delta(0) = 2 Phi(mu/2) - 1. What is drawn is the very Gaussian that the legend names.
  constexpr int digits = 4;
  const double exact = 2 * boost::math::quantile(boost::math::normal(), (1 + advantage) / 2);
  const std::string mu = text_up(exact * (1 - 1e-9), digits);  // a rounding above 1.000 is not 1.001
  Composition gaussian;
  gaussian.add(Gaussian{.sigma = 1 / std::strtod(mu.c_str(), nullptr)});
  return curve_of("Gaussian, μ = " + mu, PrivacyProfile(gaussian), kind, x, DirectionChoice::remove);
}

Curve epsilon_at_deltas(const std::string& name, const Composition& composition, const std::vector<double>& deltas,
                        EpsilonQuery query, const std::function<void()>& count) {
  const PrivacyProfile profile(
      composition, {.tolerance = query.tolerance, .engine = query.engine, .epsilon_tolerance = query.tolerance});
  Curve curve{.name = name,
              .exact = composition.is_exact(),
              .composition = composition,
              .x = deltas,
              .y = profile.epsilon(deltas, query.direction),
              .power = {},
              .log_delta = {},
              .wide = {}};
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    if (!is_narrow_epsilon({curve.y[i], curve.exact}, query.tolerance)) curve.wide.push_back(deltas[i]);
    count();
  }
  return curve;
}

Curve epsilon_curve(const std::string& name, const std::function<Composition(double)>& at, const std::vector<double>& x,
                    const EpsilonQuery& query, const std::function<void()>& count) {
  Curve curve{.name = name, .composition = {}, .x = x, .y = {}, .power = {}, .log_delta = {}, .wide = {}};
  for (const double value : x) {
    curve.composition = at(value);
    const Answer answer = pld::epsilon(curve.composition, query);
    curve.y.push_back(answer);
    curve.exact = curve.exact && answer.exact;
    if (!answer.converged) curve.wide.push_back(value);
    count();
  }
  return curve;
}

std::vector<double> refined(const Curve& curve, const PrivacyProfile& profile, CurveKind kind,
                            DirectionChoice direction) {
  // A trade-off function of finitely many losses is made of lines in alpha, a profile of lines in e^epsilon.
  const bool of_epsilon = kind == CurveKind::profile;
  std::vector<double> u = curve.x, v, x = curve.x;
  if (of_epsilon) std::transform(u.begin(), u.end(), u.begin(), [](double epsilon) { return std::exp(epsilon); });
  for (const Bracket& y : curve.y) v.push_back(y.estimate);
  for (const double kink : kinks(u, v)) x.push_back(of_epsilon ? std::log(kink) : kink);
  if (of_epsilon) {
    const double end = profile.largest_loss(direction).estimate;
    const auto beyond = std::find_if(curve.x.begin(), curve.x.end(), [&](double epsilon) { return epsilon >= end; });
    if (beyond != curve.x.begin() && beyond != curve.x.end()) {
      double gap = end - *std::prev(beyond);
      // Closer, an interval would show what rounding leaves of it.
      for (int i = 0; i < 9; ++i) x.push_back(end - (gap /= 10));
    }
  }
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

std::string csv_text(const Curves& curves) {
  const bool several = curves.curves.size() > 1, trade_off = curves.kind == CurveKind::trade_off;
  const bool guaranteed = std::any_of(curves.curves.begin(), curves.curves.end(),
                                      [](const Curve& curve) { return curve.composition.is_only_guaranteed(); });
  const auto flag = [](bool value) { return value ? ",true" : ",false"; };
  std::string text = several ? "composition," : "";
  text += curves.against + ",lower,estimate,upper" + (trade_off ? ",power_lower,power_estimate,power_upper" : "") +
          ",exact" + (guaranteed ? ",only_guaranteed" : "") + (several ? ",name\n" : "\n");
  for (std::size_t c = 0; c < curves.curves.size(); ++c) {
    const Curve& curve = curves.curves[c];
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (several) text += std::to_string(c + 1) + ',';
      text += cell(curve.x[i]) + ',' + cells(curve.y[i]);
      if (trade_off) text += ',' + cells(curve.power[i]);
      text += flag(curve.exact);
      if (guaranteed) text += flag(curve.composition.is_only_guaranteed());
      if (several) text += ',' + quoted(curve.name);
      text += '\n';
    }
  }
  return text;
}

OrderedJson curve_fields(const Curves& curves) {
  const bool trade_off = curves.kind == CurveKind::trade_off;
  OrderedJson all = {{"query", "curve"},
                     {"of", curve_kind_names()[static_cast<std::size_t>(curves.kind)]},
                     {"direction", name(curves.direction)}};
  if (curves.kind == CurveKind::epsilon) all["against"] = curves.against;
  if (curves.delta) all["delta"] = json_number(*curves.delta);
  all["compositions"] = OrderedJson::array();
  for (const Curve& curve : curves.curves) {
    OrderedJson x = OrderedJson::array();
    for (const double value : curve.x) x.push_back(json_number(value));
    OrderedJson one = {{"name", curve.name}, {curves.kind == CurveKind::epsilon ? "x" : curves.against, x}};
    one[name_of_y(curves.kind)] = columns(curve.y, curve.exact || trade_off);
    if (trade_off) one["power"] = columns(curve.power, curve.exact);
    if (curves.kind == CurveKind::profile)
      one["log_delta"] =
          columns(curve.log_delta, [&](const Bracket& log) { return json_log_finding(log, curve.exact); });
    one["converged"] = curve.wide.empty();
    add_whose(one, {Bracket{}, curve.exact, curve.composition.is_only_guaranteed()});
    add_composition(one, curve.composition);
    all["compositions"].push_back(one);
  }
  add_options(all, curves.direction, curves.tolerance);
  return all;
}

}  // namespace pld::cli
