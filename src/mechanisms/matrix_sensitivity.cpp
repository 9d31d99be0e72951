#include "pld/mechanisms/matrix_sensitivity.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr const char* where = "matrix_sensitivity";

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void require_matrix(const StrategyMatrix& strategy) {
  const auto rows = static_cast<double>(strategy.rows), steps = static_cast<double>(strategy.steps);
  require(rows >= 1, where, "number of rows", rows, "1 or more");
  require(steps >= 1, where, "number of columns", steps, "1 or more");
  const auto entries = static_cast<double>(strategy.entries.size());
  require(entries == rows * steps, where, "number of entries", entries, "one for each row and column");
  double largest = 0;
  for (const double entry : strategy.entries) {
    require(std::isfinite(entry), where, "entry", entry, "a finite number");
    largest = std::max(largest, std::fabs(entry));
  }
  require(largest > 0, where, "largest entry", largest, "other than 0");
}

void require_whole(const char* name, double value) {
  require(value >= 1 && value <= 1e9 && value == std::floor(value), where, name, value, "a whole number from 1 to 1e9");
}

/// Steps taken part in, the last one first, and what they add up to.
struct Choice {
  double sum = 0;
  std::vector<Eigen::Index> steps{};
};

/// The largest sum of some values >= 0, as many and as far apart as participations are; without its steps if not asked.
Choice largest_choice(const Eigen::Ref<const Eigen::VectorXd>& values, const Participation& participation,
                      bool with_steps) {
  const auto size = static_cast<std::size_t>(values.size());
  const std::size_t apart = static_cast<std::size_t>(std::min(participation.min_separation, static_cast<double>(size)));
  const double most = std::min(participation.participations,
                               1 + std::floor(static_cast<double>(size - 1) / participation.min_separation));
  const auto rounds = static_cast<std::size_t>(most);
  std::vector<double> best(size + 1);    // of the first so many values
  std::vector<std::vector<bool>> takes;  // whether the last of these is among them
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<double> next(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
      const double before = i + 1 > apart ? best[i + 1 - apart] : 0;
      next[i + 1] = std::max(next[i], values[static_cast<Eigen::Index>(i)] + before);
    }
    best = std::move(next);
    if (!with_steps) continue;
    takes.emplace_back(size + 1);
    for (std::size_t i = 0; i < size; ++i) takes.back()[i + 1] = best[i + 1] > best[i];
  }
  Choice choice{best.back()};
  for (std::size_t i = size, round = takes.size(); i > 0 && round > 0;) {
    if (!takes[round - 1][i]) {
      --i;
      continue;
    }
    choice.steps.push_back(static_cast<Eigen::Index>(i - 1));
    i = i > apart ? i - apart : 0;
    --round;
  }
  return choice;
}

/// |C_i . C_j|, rounded up: a computed product is within rows units of the sum of its terms' sizes, and so is the
/// computed sum of these.
Matrix products_of(const Eigen::Ref<const Matrix>& c) {
  const double units = 2 * static_cast<double>(c.rows()) + 4;
  const Matrix sizes = c.cwiseAbs();
  Matrix products = (c.transpose() * c).cwiseAbs();
  products += (2 * units * unit_roundoff) * (sizes.transpose() * sizes);
  products.array() += 1e-300;
  return products;
}

/// The norm of C x, rounded down, for the x of 1 and -1 at these steps that no turn of one sign makes larger.
double moved_by(const Eigen::Ref<const Matrix>& c, const std::vector<Eigen::Index>& steps) {
  constexpr int most_rounds = 16;
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(c.rows()), sizes = sum;
  std::vector<double> signs;
  for (const Eigen::Index step : steps) {
    signs.push_back(c.col(step).dot(sum) < 0 ? -1 : 1);
    sum += signs.back() * c.col(step);
    sizes += c.col(step).cwiseAbs();
  }
  bool turned = true;
  for (int round = 0; turned && round < most_rounds; ++round) {
    turned = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto column = c.col(steps[i]);
      if (!(signs[i] * column.dot(sum) < 0.5 * column.squaredNorm())) continue;  // well within what a turn gains
      signs[i] = -signs[i];
      sum += 2 * signs[i] * column;
      turned = true;
    }
  }
  sum.setZero();
  for (std::size_t i = 0; i < steps.size(); ++i) sum += signs[i] * c.col(steps[i]);
  const double units = 2 * static_cast<double>(steps.size()) + 2;
  const Eigen::VectorXd least = (sum.cwiseAbs() - units * unit_roundoff * sizes).cwiseMax(0);
  return round_down(least.norm(), static_cast<double>(c.rows()) + 8);
}

/// Finds the longest column, which is the bound of one participation, as its square.
MatrixSensitivity of_columns(const Eigen::Ref<const Matrix>& c) {
  Eigen::Index longest = 0;
  const double square = c.colwise().squaredNorm().maxCoeff(&longest);
  return {round_up(square + 1e-300, 2 * static_cast<double>(c.rows()) + 4), moved_by(c, {longest})};
}

/// Bounds the square, and takes the larger move by two choices of steps: the worst row's, and that of the rows whose
/// bounds add up to most.
MatrixSensitivity of_choices(const Eigen::Ref<const Matrix>& c, const Participation& participation) {
  const Matrix products = products_of(c);
  Eigen::VectorXd inner(c.cols());
  for (Eigen::Index i = 0; i < c.cols(); ++i)
    inner[i] = largest_choice(products.row(i).transpose(), participation, false).sum;
  Eigen::Index worst = 0;
  inner.maxCoeff(&worst);
  const Choice beside_worst = largest_choice(products.row(worst).transpose(), participation, true),
               together = largest_choice(inner, participation, true);
  return {round_up(together.sum, 8 * static_cast<double>(c.cols()) + 8),
          std::max(moved_by(c, beside_worst.steps), moved_by(c, together.steps))};
}

Eigen::Map<const Matrix> checked(const StrategyMatrix& strategy, const Participation& participation) {
  require_matrix(strategy);
  require_whole("participations", participation.participations);
  require_whole("min_separation", participation.min_separation);
  return {strategy.entries.data(), static_cast<Eigen::Index>(strategy.rows), static_cast<Eigen::Index>(strategy.steps)};
}

}  // namespace

double matrix_sensitivity(const StrategyMatrix& strategy, const Participation& participation) {
  return matrix_sensitivity_between(strategy, participation).bound;
}

MatrixSensitivity matrix_sensitivity_between(const StrategyMatrix& strategy, const Participation& participation) {
  const StandardArithmetic arithmetic;
  const Eigen::Map<const Matrix> c = checked(strategy, participation);
  const auto [square, attained] = participation.participations == 1 ? of_columns(c) : of_choices(c, participation);
  const double bound = round_up(std::sqrt(square), 2);
  require(bound > 1e-140 && bound < infinity, where, "bound", bound, "above 1e-140 and finite");
  return {bound, std::min(attained, bound)};
}

bool is_attained(const MatrixSensitivity& found, const StrategyMatrix& strategy) {
  const double units = 16 * static_cast<double>(strategy.rows + strategy.steps) + 64;
  return found.attained >= found.bound * (1 - units * unit_roundoff);
}

}  // namespace pld
