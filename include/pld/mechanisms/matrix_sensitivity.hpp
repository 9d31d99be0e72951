#pragma once

#include <cstddef>
#include <vector>

namespace pld {

/// A strategy matrix C, one column a step.
struct StrategyMatrix {
  std::size_t rows = 0, steps = 0;
  std::vector<double> entries;  ///< row by row, finite
};

/// Which rows of G a record contributes to: up to so many, at least so far apart (1: any).
struct Participation {
  double participations = 1;  ///< a whole number from 1 to 1e9
  double min_separation = 1;  ///< likewise
};

/// An upper bound of the l2 sensitivity of C G + noise to one record, whose contributions to rows of G have norm 1 at
/// most. The mechanism is then one Gaussian release of this sensitivity, also where gradients depend on earlier outputs
/// and C is lower triangular (Denisov, McMahan, Rush, Smith, Thakurta 2022). One participation has the largest column
/// norm; for more the bound may be above the truth. All rounding is upward: by (4 rows + 8 steps) 2^-53 of it or less,
/// beside what cancels in products of columns.
///
/// The bound: the square is at most the sum of |C_i . C_j| over the rows taken part in; each row's sum is at most its
/// largest over all choices of rows, and the sum of these at most the largest again (Choquette-Choo, Ganesh, McKenna,
/// McMahan, Rush, Thakurta, Xu 2023). Throws DomainError for an empty matrix, one of zeros, entries that are not finite
/// or not as many as rows and steps say, and numbers out of range; also for a bound that is not above 1e-140 and
/// finite. Safe to use from several threads.
[[nodiscard]] double matrix_sensitivity(const StrategyMatrix& strategy, const Participation& participation = {});

/// That bound, and what some record is known to move C G by, rounded down: the norm of C x for the best x of 0, 1 and
/// -1 that was found. They are one number but for rounding where no product of columns is negative and one choice of
/// rows is the worst for each of them.
struct MatrixSensitivity {
  double bound = 0, attained = 0;
};

/// Throws as matrix_sensitivity() does.
[[nodiscard]] MatrixSensitivity matrix_sensitivity_between(const StrategyMatrix& strategy,
                                                           const Participation& participation = {});

/// Whether what is attained is the bound, but for the rounding of both.
[[nodiscard]] bool is_attained(const MatrixSensitivity& found, const StrategyMatrix& strategy);

}  // namespace pld
