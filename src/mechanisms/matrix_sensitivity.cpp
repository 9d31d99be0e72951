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
  for (const double entry : strategy.entries) require(std::isfinite(entry), where, "entry", entry, "a finite number");
}

void require_whole(const char* name, double value) {
  require(value >= 1 && value <= 1e9 && value == std::floor(value), where, name, value, "a whole number from 1 to 1e9");
}

/// The largest sum of some values >= 0, as many and as far apart as participations are.
double largest_choice(const Eigen::Ref<const Eigen::VectorXd>& values, const Participation& participation) {
  const auto size = static_cast<std::size_t>(values.size());
  const std::size_t apart = static_cast<std::size_t>(std::min(participation.min_separation, static_cast<double>(size)));
  const double rounds = std::min(participation.participations,
                                 1 + std::floor(static_cast<double>(size - 1) / participation.min_separation));
  std::vector<double> best(size + 1);  // of the first so many values
  for (double round = 0; round < rounds; ++round) {
    std::vector<double> next(size + 1);
    for (std::size_t i = 0; i < size; ++i) {
      const double before = i + 1 > apart ? best[i + 1 - apart] : 0;
      next[i + 1] = std::max(next[i], values[static_cast<Eigen::Index>(i)] + before);
    }
    best = std::move(next);
  }
  return best.back();
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

double largest_square(const Eigen::Ref<const Matrix>& c, const Participation& participation) {
  if (participation.participations == 1) {
    const double units = 2 * static_cast<double>(c.rows()) + 4;
    return round_up(c.colwise().squaredNorm().maxCoeff() + 1e-300, units);
  }
  const Matrix products = products_of(c);
  Eigen::VectorXd inner(c.cols());
  for (Eigen::Index i = 0; i < c.cols(); ++i) inner[i] = largest_choice(products.row(i).transpose(), participation);
  return round_up(largest_choice(inner, participation), 8 * static_cast<double>(c.cols()) + 8);
}

}  // namespace

double matrix_sensitivity(const StrategyMatrix& strategy, const Participation& participation) {
  const StandardArithmetic arithmetic;
  require_matrix(strategy);
  require_whole("participations", participation.participations);
  require_whole("min_separation", participation.min_separation);
  const Eigen::Map<const Matrix> c(strategy.entries.data(), static_cast<Eigen::Index>(strategy.rows),
                                   static_cast<Eigen::Index>(strategy.steps));
  const double bound = round_up(std::sqrt(largest_square(c, participation)), 2);
  require(bound > 1e-140 && bound < infinity, where, "bound", bound, "above 1e-140 and finite");
  return bound;
}

}  // namespace pld
