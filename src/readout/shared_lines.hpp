#pragma once

#include <functional>
#include <vector>

#include "readout/line_reading.hpp"

namespace pld {

/// Supporting lines at many alphas from one set of readings of the profile. There are as many as the tolerance asks
/// for: a reading that is lowest at some alpha certifies the line there from its neighbours. Where they are too far
/// apart for that, the intervals on either side of it are cut.
class SharedLines {
 public:
  /// The profile at increasing epsilons.
  using ReadAll = std::function<std::vector<LineProfile>(const std::vector<double>&)>;

  /// For lines with epsilons from `lowest` to `highest`. tolerance: of the smaller one's logarithm, of power and type
  /// II error.
  SharedLines(ReadAll read, const ProfileEnd& end, double lowest, double highest, double tolerance);

  /// Certified: the least power of all lines, 0 < alpha < 1.
  [[nodiscard]] CertifiedLine at(double alpha) const;

  /// Whether that is within the tolerance, or about as narrow as the readings are.
  [[nodiscard]] bool is_narrow(const CertifiedLine& line) const { return line.good() || line.width <= tolerance_; }

  /// Whether the readings themselves are too wide for anything narrow. Where nothing is certified there is no width to
  /// tell.
  [[nodiscard]] bool is_hopeless(const CertifiedLine& line) const {
    return line.own_width < infinity && line.own_width > 10 * tolerance_;
  }

 private:
  struct Node {
    double epsilon = 0;
    LineProfile profile;
    bool settled = false;
  };
  void add(std::vector<double> epsilons);
  [[nodiscard]] std::vector<double> new_epsilons();
  [[nodiscard]] bool is_straight(std::size_t node, double alpha) const;
  [[nodiscard]] double inside(std::size_t node) const;
  [[nodiscard]] LineReading reading_at(std::size_t node, double alpha) const;
  [[nodiscard]] double touching_alpha(std::size_t node) const;
  [[nodiscard]] CertifiedLine certified(std::size_t& node, double alpha) const;

  ReadAll read_;
  ProfileEnd end_;
  double lowest_, highest_, step_ = 0, tolerance_;
  std::vector<Node> nodes_;              ///< by increasing epsilon
  std::vector<double> touching_alphas_;  ///< of each node
};

}  // namespace pld
