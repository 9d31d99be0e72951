#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <vector>

#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// Upper bounds of the logarithm of a step's profile at each of some epsilons, any where they are below a floor, and
/// what no loss of it is above.
struct StepBounds {
  using LogDeltas =
      std::function<std::vector<double>(const std::vector<double>& epsilons, DirectionChoice, double log_floor)>;
  LogDeltas roughly, closely;                           ///< for a search, and where it ends
  std::function<double(DirectionChoice)> largest_loss;  ///< infinite where losses may be
};

/// Splits an epsilon over the steps of a way so that sum_i e^(a_1 + ... + a_(i-1)) delta_i(a_i) is small, or so that it
/// comes to a delta and the epsilon is small.
///
/// A term is the integral of (x_(i-1) p - x_i q)_+ with x_i = e^(a_1 + ... + a_i), so that the sum is convex in the
/// x_i. It is least where step i loses more than a_i under its first law as often as step i - 1 loses more than a_(i-1)
/// under its second. So one number, how often the first step does, gives all places, which fall with it. The
/// frequencies are read off chords of the profiles, finer and finer ones near the places.
class Splits {
 public:
  /// Takes a direction for each step.
  Splits(const StepBounds& bounds, const std::vector<DirectionChoice>& steps);

  /// The least log of the sum that is found for a finite epsilon: an upper bound, whatever the search.
  double log_delta(double epsilon);

  /// The least epsilon that is found for log_delta in (-inf, 0): an upper bound likewise; infinite where none is found.
  double epsilon(double log_delta);

  /// What no loss is above, the sum of the steps' own; infinite where a step may lose infinitely.
  [[nodiscard]] double largest_loss() const;

 private:
  struct Corner {
    double place = 0, log_delta = 0;
  };

  /// What was read of the profile in one direction.
  struct Law {
    DirectionChoice direction;
    double largest;
    bool is_surveyed = false;                        ///< read on the first grid
    std::map<double, double> log_delta{};            ///< by epsilon
    std::vector<Corner> undrawn{};                   ///< read, but not among the chords yet
    std::vector<Corner> corners{};                   ///< of the chords
    std::vector<double> places{}, log_p{}, log_q{};  ///< of the chords' law: its masses beyond each corner

    void draw_chords(double apart);
    void add_corner(const Corner& here, double apart);
    [[nodiscard]] double log_chord(double place) const;
    [[nodiscard]] double log_doubt(double place) const;
    [[nodiscard]] double log_doubt_within(std::size_t chord) const;
    [[nodiscard]] std::size_t chord_of(double place) const;
  };
  using Places = std::vector<double>;  ///< of the steps

  void read(Law& law, std::vector<double> places) const;
  void read_first(double epsilon, double largest_size);
  double surround(double log_delta);
  void ignore_below(double log_delta, double epsilon);
  [[nodiscard]] Places places_of(double log_frequency) const;
  [[nodiscard]] std::vector<double> frequencies() const;
  template <class Excess>
  [[nodiscard]] Places best_places(const Excess& excess) const;
  [[nodiscard]] bool read_near(const Places& places, double apart);
  template <class LogDelta>
  [[nodiscard]] double log_sum_of(const Places& places, const LogDelta& log_delta) const;
  [[nodiscard]] double log_chord_sum(const Places& places) const;
  [[nodiscard]] bool is_known_around(const Places& places) const;
  [[nodiscard]] double log_sum_at(const Places& places);
  [[nodiscard]] double close_log_sum_at(const Places& places) const;
  [[nodiscard]] std::vector<std::vector<double>> by_law(const Places& places) const;
  template <class Excess, class Value>
  Places least(double near, const Excess& excess, const Value& value, double gained);

  const StepBounds& bounds_;
  double log_floor_ = -infinity;  ///< of a step's delta: smaller ones add nothing
  std::vector<Law> laws_{};
  std::vector<std::size_t> law_of_{};  ///< of each step
};

}  // namespace pld
