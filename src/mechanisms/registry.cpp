#include "pld/mechanisms/registry.hpp"

#include <algorithm>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "mechanisms/ranges.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/dp_points.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/poisson_difference.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/replace_sensitivity.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "pld/mechanisms/skellam.hpp"
#include "pld/mechanisms/trade_off_points.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"

namespace pld {
namespace {

using Values = ParameterValues;

/// Ends of ranges as text.
const std::string positive = ranges::positive.text(), probability = ranges::probability.text(),
                  whole = ranges::whole_sensitivity.text(), guarantee_epsilon = ranges::guarantee_epsilon.text(),
                  renyi_order = ranges::renyi_order.text(), concentrated_rho = ranges::concentrated_rho.text();

/// "> 0 and finite; RATIO from 0.001 to 300".
std::string positive_with(const std::string& ratio, const Range& range) {
  return positive + "; " + ratio + " " + range.text();
}

const std::string scale_rule = positive_with("sensitivity / scale", ranges::scaled_sensitivity);

const ParameterInfo l2_sensitivity{"sensitivity", "l2 sensitivity of the query", positive, 1};
const ParameterInfo l1_sensitivity{"sensitivity", "l1 sensitivity of the query", positive, 1};
const ParameterInfo scalar_sensitivity{"sensitivity", "sensitivity of the query, one number", positive, 1};
const ParameterInfo integer_sensitivity{"sensitivity", "sensitivity of the query", whole, 1};
const ParameterInfo count_sensitivity{
    "sensitivity", "sensitivity of the query, which a record only raises where the noise is not symmetric", whole, 1};

const ParameterInfo replace_sensitivity{"replace_sensitivity",
                                        "what a replaced record moves the query by; 0: twice the sensitivity",
                                        "0, or between sensitivity and twice that", 0};
const ParameterInfo integer_replace_sensitivity{
    "replace_sensitivity", replace_sensitivity.meaning,
    replace_sensitivity.accepted + "; a whole number, or 1.41422 (two cells by 1 each; sigma >= 2)", 0};

const ParameterInfo attained_sensitivity{
    "attained_sensitivity", "what some record is known to move the query by, if less than sensitivity; 0: sensitivity",
    "0, or up to sensitivity; 0 beside replace_sensitivity", 0};

/// With a parameter replace_sensitivity of its own.
template <class Parameters>
Mechanism as_replaced(const Parameters& parameters, const Values& p) {
  const double replaced = p.at("replace_sensitivity");
  return replaced == 0 ? Mechanism(parameters) : with_replace_sensitivity(parameters, replaced);
}

/// Makes the mechanism of the values with these names, in the order of its members.
template <class Parameters, class... Names>
auto of_numbers(Names... names) {
  return [=](const Values& p) -> Mechanism { return Parameters{p.at(names)...}; };
}
template <class Parameters, class... Names>
auto of_lists(Names... names) {
  return [=](const Values& p) -> Mechanism { return Parameters{p.list(names)...}; };
}
template <class Parameters, class... Names>
auto or_replaced(Names... names) {
  return [=](const Values& p) { return as_replaced(Parameters{p.at(names)...}, p); };
}

Mechanism gaussian_noise(const Values& p) {
  const double attained = p.at("attained_sensitivity");
  if (attained == 0) return as_replaced(Gaussian{p.at("sigma"), p.at("sensitivity")}, p);
  require(p.at("replace_sensitivity") == 0, "gaussian", "attained_sensitivity", attained,
          "0 beside replace_sensitivity");
  return BoundedGaussian{p.at("sigma"), p.at("sensitivity"), attained};
}

/// The names of all elements, for a message.
template <class Named>
std::string names(const std::vector<Named>& all) {
  std::string text;
  for (const Named& one : all) text += (text.empty() ? "" : ", ") + one.name;
  return text;
}

template <class Named>
auto find(const std::vector<Named>& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
}

}  // namespace

const std::vector<MechanismType>& mechanism_types() {
  static const std::vector<MechanismType> types{
      {"gaussian",
       "Gaussian noise",
       {{"sigma",
         "standard deviation of the noise",
         positive_with("sensitivity / sigma", ranges::closed_form_ratio),
         {}},
        l2_sensitivity,
        replace_sensitivity,
        attained_sensitivity},
       "Dong, Roth, Su 2022",
       gaussian_noise,
       {.numbers = {{"sigma", 1}}}},
      {"laplace",
       "Laplace noise",
       {{"scale",
         "mean absolute value of the noise",
         positive_with("sensitivity / scale", ranges::closed_form_ratio),
         {}},
        l1_sensitivity,
        replace_sensitivity},
       "Dwork, McSherry, Nissim, Smith 2006",
       or_replaced<Laplace>("scale", "sensitivity"),
       {.numbers = {{"scale", 1}}}},
      {"logistic",
       "logistic noise",
       {{"scale", "scale of the noise, sqrt(3)/pi of its standard deviation", scale_rule, {}}, scalar_sensitivity},
       "Dong, Roth, Su 2022",
       of_numbers<Logistic>("scale", "sensitivity"),
       {.numbers = {{"scale", 1}}}},
      {"generalized",
       "noise with density proportional to e^(-|x/scale|^shape)",
       {{"shape", "1 is Laplace, 2 Gaussian", ranges::generalized_shape.text(), {}},
        {"scale", "scale of the noise", scale_rule + "; (sensitivity / scale)^shape at most 1e5", {}},
        scalar_sensitivity},
       "Subbotin 1923; Dong, Roth, Su 2022",
       of_numbers<GeneralizedGaussian>("shape", "scale", "sensitivity"),
       {.numbers = {{"shape", 1.5}, {"scale", 1}}}},
      {"sinh-normal",
       "noise a arsinh(N(0, sigma^2) / a)",
       {{"sigma",
         "standard deviation of the normal inside",
         positive_with("sensitivity / sigma", ranges::scaled_sensitivity),
         {}},
        {"a", "where its tails begin to shrink", ranges::sinh_normal_a.text("sigma"), {}},
        scalar_sensitivity},
       "Bun, Dwork, Rothblum, Steinke 2018",
       of_numbers<SinhNormal>("sigma", "a", "sensitivity"),
       {.numbers = {{"sigma", 1}, {"a", 2}}}},
      {"truncated-laplace",
       "Laplace noise conditioned on |x| <= bound",
       {{"scale", "scale of the Laplace law", scale_rule, {}},
        {"bound", "largest noise", ranges::truncation.text("scale"), {}},
        scalar_sensitivity},
       "Geng, Ding, Guo, Kumar 2020",
       of_numbers<TruncatedLaplace>("scale", "bound", "sensitivity"),
       {.numbers = {{"scale", 1}, {"bound", 20}}}},
      {"randomized-response",
       "one of k answers: the true one, or any other",
       {{"p", "probability of the true answer", probability, {}},
        {"k", "number of answers", ranges::answers.text(), 2}},
       "Warner 1965; Kairouz, Bonawitz, Ramage 2016",
       of_numbers<RandomizedResponse>("p", "k"),
       {.numbers = {{"p", 0.75}}}},
      {"exponential",
       "the exponential mechanism, probabilities proportional to e^(epsilon u / (2 sensitivity)) (one release: bounded "
       "range; several: upper bound)",
       {{"epsilon", "its epsilon, the length of the range of its losses", ranges::selection_epsilon.text(), {}}},
       "Dong, Durfee, Rogers 2020",
       of_numbers<ExponentialMechanism>("epsilon"),
       {.numbers = {{"epsilon", 0.5}}}},
      {"report-noisy-max",
       "the largest of counts with Laplace noise (upper bound: Laplace noise of its epsilon)",
       {{"scale",
         "mean absolute value of the noise; give twice it where a record that is added moves all counts one way, none "
         "down (epsilon is then sensitivity / scale)",
         positive_with("2 sensitivity / scale", ranges::selection_epsilon),
         {}},
        {"sensitivity", "sensitivity of each count", positive, 1}},
       "Dwork, Roth 2014",
       of_numbers<ReportNoisyMax>("scale", "sensitivity"),
       {.numbers = {{"scale", 4}}}},
      {"permute-and-flip",
       "permute-and-flip selection (one release: Laplace noise of its epsilon; several: upper bound)",
       {{"epsilon", "its epsilon", ranges::selection_epsilon.text(), {}}},
       "McKenna, Sheldon 2020",
       of_numbers<PermuteAndFlip>("epsilon"),
       {.numbers = {{"epsilon", 0.5}}}},
      {"dp",
       "the worst (epsilon, delta)-DP mechanism",
       {{"epsilon", "its epsilon", ranges::dp_epsilon.text(), {}}, {"delta", "its delta", probability, 0}},
       "Kairouz, Oh, Viswanath 2015",
       of_numbers<ApproximateDp>("epsilon", "delta"),
       {.numbers = {{"epsilon", 0.5}, {"delta", 1e-9}}}},
      {"discrete-laplace",
       "integer noise with mass proportional to e^(-a|x|)",
       {{"a", "rate of decay of the noise", ranges::discrete_laplace_a.text(), {}},
        integer_sensitivity,
        replace_sensitivity},
       "Ghosh, Roughgarden, Sundararajan 2012",
       or_replaced<DiscreteLaplace>("a", "sensitivity"),
       {.numbers = {{"a", 0.5}}}},
      {"discrete-gaussian",
       "integer noise with mass proportional to e^(-x^2/(2 sigma^2))",
       {{"sigma", "sigma of the noise", ranges::discrete_gaussian_sigma.text(), {}},
        integer_sensitivity,
        integer_replace_sensitivity},
       "Canonne, Kamath, Steinke 2020",
       or_replaced<DiscreteGaussian>("sigma", "sensitivity"),
       {.numbers = {{"sigma", 3}}}},
      {"binomial",
       "integer noise: the number of heads of n coins",
       {{"n", "number of coins", ranges::coins.text(), {}},
        {"p", "probability of heads", ranges::heads.text(), 0.5},
        count_sensitivity,
        replace_sensitivity},
       "Agarwal, Suresh, Yu, Kumar, McMahan 2018",
       or_replaced<Binomial>("n", "sensitivity", "p"),
       {.numbers = {{"n", 100}}}},
      {"skellam",
       "integer noise: the difference of two Poisson variables of one mean",
       {{"variance", "variance of the noise, twice that mean", ranges::poisson_variance.text(), {}},
        integer_sensitivity,
        replace_sensitivity},
       "Agarwal, Kairouz, Liu 2021",
       or_replaced<Skellam>("variance", "sensitivity"),
       {.numbers = {{"variance", 10}}}},
      {"poisson-difference",
       "integer noise: the difference of two Poisson variables",
       {{"plus", "mean of the first", positive_with("plus + minus", ranges::poisson_variance), {}},
        {"minus", "mean of the other", ranges::poisson_skew.text("plus"), {}},
        count_sensitivity,
        replace_sensitivity},
       "Skellam 1946; Dong, Roth, Su 2022",
       or_replaced<PoissonDifference>("plus", "minus", "sensitivity"),
       {.numbers = {{"plus", 8}, {"minus", 4}}}},
      {"integer-noise",
       "integer noise with any log-concave masses at consecutive integers",
       {{"masses", "the masses, in order", "cells >= 0 with a sum of 1", {}, true},
        count_sensitivity,
        replace_sensitivity},
       "Dong, Roth, Su 2022",
       [](const Values& p) -> Mechanism {
         return as_replaced(IntegerNoise{p.list("masses"), p.at("sensitivity")}, p);
       },
       {.lists = {{"masses", {0.25, 0.5, 0.25}}}}},
      {"mass-table",
       "any pair of mass functions on the same outcomes",
       {{"p", "masses with the record (replace-one: with one value)", "cells >= 0 with a sum of 1", {}, true},
        {"q",
         "masses without it (replace-one: with the other value)",
         "cells >= 0 with a sum of 1, as many as p",
         {},
         true}},
       "Zhu, Dong, Wang 2022",
       of_lists<MassTable>("p", "q"),
       {.lists = {{"p", {0.75, 0.25}}, {"q", {0.25, 0.75}}}}},
      {"gaussian-mixture",
       "Gaussian noise on a query whose sensitivity is random",
       {{"sigma", "standard deviation of the noise", positive, {}},
        {"shifts", "the sensitivities", "0, or " + ranges::mixture_shift.text("sigma"), {}, true},
        {"weights", "their probabilities", "one a shift, with a sum of 1, " + ranges::mixture_weight.text(), {}, true}},
       "Choquette-Choo, Ganesh, Steinke, Thakurta 2024",
       [](const Values& p) -> Mechanism {
         return GaussianMixture{p.at("sigma"), p.list("shifts"), p.list("weights")};
       },
       {.numbers = {{"sigma", 1}}, .lists = {{"shifts", {0, 1}}, {"weights", {0.5, 0.5}}}}},
      {"dp-points",
       "the worst mechanism that is (epsilon, delta)-DP at each of some points",
       {{"epsilons", "the epsilons", guarantee_epsilon, {}, true},
        {"deltas", "the deltas", "one an epsilon, " + probability, {}, true}},
       "Zhu, Dong, Wang 2022",
       of_lists<DpPoints>("epsilons", "deltas"),
       {.lists = {{"epsilons", {0.5, 1}}, {"deltas", {1e-5, 1e-9}}}}},
      {"trade-off",
       "the worst mechanism that is f-DP, f joining points by straight lines",
       {{"alphas", "false positive rates", "from 0, increasing, <= 1", {}, true},
        {"betas", "least false negative rates", "one an alpha, convex, decreasing to 0, alpha + beta <= 1", {}, true}},
       "Dong, Roth, Su 2022",
       of_lists<TradeOffPoints>("alphas", "betas"),
       {.lists = {{"alphas", {0, 0.25, 1}}, {"betas", {0.75, 0.375, 0}}}}},
      {"zcdp",
       "any (xi, rho)-zCDP mechanism (upper bound: converted)",
       {{"rho", "its rho", concentrated_rho, {}}, {"xi", "its xi", ranges::concentrated_xi.text(), 0}},
       "Bun, Steinke 2016; Canonne, Kamath, Steinke 2020",
       of_numbers<ConcentratedDp>("rho", "xi"),
       {.numbers = {{"rho", 0.02}}}},
      {"tcdp",
       "any (rho, omega)-tCDP mechanism (upper bound: converted)",
       {{"rho", "its rho", concentrated_rho, {}}, {"omega", "its omega", renyi_order, {}}},
       "Bun, Dwork, Rothblum, Steinke 2018; Canonne, Kamath, Steinke 2020",
       of_numbers<TruncatedConcentratedDp>("rho", "omega"),
       {.numbers = {{"rho", 0.02}, {"omega", 100}}}},
      {"rdp",
       "any mechanism with these Renyi divergences (upper bound: converted)",
       {{"orders", "the orders", renyi_order + ", increasing", {}, true},
        {"epsilons", "the divergences", "one an order, " + guarantee_epsilon, {}, true}},
       "Mironov 2017; Canonne, Kamath, Steinke 2020",
       of_lists<RenyiDp>("orders", "epsilons"),
       {.lists = {{"orders", {2, 8, 32}}, {"epsilons", {0.04, 0.16, 0.64}}}}},
  };
  return types;
}

std::vector<std::string> MechanismType::lists() const {
  std::vector<std::string> all;
  for (const ParameterInfo& parameter : parameters)
    if (parameter.is_list) all.push_back(parameter.name);
  return all;
}

Mechanism make_mechanism(const std::string& type, const std::map<std::string, double>& numbers,
                         const std::map<std::string, std::vector<double>>& lists) {
  const StandardArithmetic arithmetic;
  const auto found = find(mechanism_types(), type);
  if (found == mechanism_types().end())
    throw DomainError("mechanism", "type", type, "one of " + names(mechanism_types()));
  const auto refuse_unknown = [&](const std::string& name, bool is_list, const std::string& value) {
    const auto parameter = find(found->parameters, name);
    if (parameter == found->parameters.end())
      throw DomainError(type, name, value, "one of the parameters " + names(found->parameters));
    if (parameter->is_list != is_list)
      throw DomainError(type, name, value, parameter->is_list ? "a list of numbers" : "a number");
  };
  for (const auto& [name, value] : numbers) refuse_unknown(name, false, number_text(value));
  for (const auto& [name, values] : lists) refuse_unknown(name, true, "a list of " + std::to_string(values.size()));
  Values values{numbers, lists};
  for (const ParameterInfo& parameter : found->parameters) {
    if (numbers.contains(parameter.name) || lists.contains(parameter.name)) continue;
    if (!parameter.default_value) throw DomainError(type, parameter.name, "missing", parameter.accepted);
    values.numbers[parameter.name] = *parameter.default_value;
  }
  return found->make(values);
}

}  // namespace pld
