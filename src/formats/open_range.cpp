#include "formats/open_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "pairs/renyi_curve.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

constexpr double least = 1e-9, most = 1e12;

/// Privacy profile of one release at a few epsilons, from its exact tails; of a converted guarantee the guarantee, at
/// as many orders.
constexpr std::array epsilons{0.0, 1e-3, 0.1, 1.0, 10.0};
constexpr std::array<double, epsilons.size()> orders{1.01, 1.5, 2, 8, 64};
std::array<double, epsilons.size()> profile(const DominatingPair& pair) {
  std::array<double, epsilons.size()> out{};
  if (const RenyiCurve* guarantee = pair.renyi_curve()) {
    constexpr double nothing_known = 1e300;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = orders[i] <= guarantee->highest_order ? guarantee->at(orders[i]) : nothing_known;
    return out;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const LossCell above = pair.above(epsilons[i]);
    out[i] = std::exp(above.log_mass) - std::exp(epsilons[i] + above.log_q_mass) +
             std::exp(pair.log_mass_at_plus_infinity());
  }
  return out;
}

class Probe {
 public:
  Probe(const std::function<Mechanism(double)>& at, const std::string& what) : at_(at), what_(what) {}

  [[nodiscard]] OpenRange range() const {
    const double start = some_value();
    OpenRange out;
    if (is_whole(start)) out.scale = Unknown::Scale::whole;
    out.lowest = reach(start, 0.1, is_whole(start));
    out.highest = reach(start, 10, is_whole(start));
    out.safer = safer(out);
    return out;
  }

  [[nodiscard]] Unknown::Safer safer(const OpenRange& range) const {
    constexpr double per_decade = 2;
    const double decades = std::log10(range.highest / range.lowest);
    const int points = static_cast<int>(std::clamp(per_decade * decades, 16.0, 64.0));
    bool rises = false, falls = false;
    std::optional<std::array<double, epsilons.size()>> last;
    for (int i = 0; i <= points; ++i) {
      double value = std::clamp(range.lowest * std::pow(10, decades * i / points), range.lowest, range.highest);
      if (range.scale == Unknown::Scale::whole) value = std::round(value);
      const auto now = profile(*at_(value).pair(Direction::remove));
      for (std::size_t j = 0; last && j < now.size(); ++j) {
        const double noise = 1e-6 * now[j] + 1e-13;
        rises = rises || now[j] > (*last)[j] + noise;
        falls = falls || now[j] < (*last)[j] - noise;
      }
      last = now;
    }
    if (rises && falls) throw not_ordered(what_);
    if (!rises && !falls) throw ReadError(what_ + " cannot be the unknown: privacy does not depend on it");
    return rises ? Unknown::Safer::smaller : Unknown::Safer::larger;
  }

 private:
  [[nodiscard]] bool accepts(double value) const {
    try {
      static_cast<void>(at_(value));
      return true;
    } catch (const DomainError&) {
      return false;
    }
  }

  [[nodiscard]] double some_value() const {
    for (double away = 1; away <= 1e9; away *= 2) {
      if (accepts(away)) return away;
      if (accepts(1 / away)) return 1 / away;
    }
    static_cast<void>(at_(1));  // says what is accepted
    throw ReadError(what_ + " cannot be the unknown: no value of it is accepted");
  }

  [[nodiscard]] bool is_whole(double value) const {
    return value == std::floor(value) && !accepts(value + 0.5) && (accepts(value + 1) || accepts(value - 1));
  }

  /// The last accepted value from `start` on, by factors first and then between an accepted and a refused one.
  [[nodiscard]] double reach(double start, double factor, bool whole) const {
    const double end = factor < 1 ? (whole ? 1.0 : least) : most;
    const auto toward = [&](double value) {
      return factor < 1 ? std::max(value * factor, end) : std::min(value * factor, end);
    };
    double good = start;
    while (good != end) {
      double bad = toward(good);
      if (whole) bad = std::round(bad);
      if (accepts(bad)) {
        good = bad;
        continue;
      }
      for (int i = 0; i < 60; ++i) {
        const double middle = whole ? std::floor((good + bad) / 2) : std::sqrt(good * bad);
        if (middle == good || middle == bad) break;
        (accepts(middle) ? good : bad) = middle;
      }
      return good;
    }
    return good;
  }

  const std::function<Mechanism(double)>& at_;
  const std::string& what_;
};

}  // namespace

void require_order(const OpenRange& range, const std::function<Mechanism(double)>& at, const std::string& what) {
  static_cast<void>(Probe(at, what).safer(range));
}

ReadError not_ordered(const std::string& what) {
  return ReadError(what + " cannot be the unknown: privacy neither rises nor falls with it throughout");
}

OpenRange probed_range(const std::function<Mechanism(double)>& at, const std::string& what) {
  return Probe(at, what).range();
}

bool is_near_nothing(const Mechanism& mechanism) {
  const DominatingPair& pair = *mechanism.pair(Direction::remove);
  return profile(pair).front() < 1e-4 && pair.log_mass_at_plus_infinity() == -infinity;
}

}  // namespace pld
