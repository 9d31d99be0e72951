#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <optional>

#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"
#include "pld/ledger/privacy_filter.hpp"

namespace pld {
namespace {

/// How often the releases can be made, as a share: which filter is the better one, no more.
double times(const PrivacyFilter& filter, const std::vector<Entry>& releases, const Neighbours& neighbours) {
  FilterCount all;
  for (const Entry& entry : releases) all = plus(all, count_of(entry, neighbours, filter), entry.count);
  const double by_loss = filter.cap / all.loss_above();
  return all.delta == "0" ? by_loss : std::fmin(by_loss, filter.delta_cap / all.delta_above());
}

/// Tries a filter, keeps the best, and remembers why one was refused.
class Best {
 public:
  Best(const std::vector<Goal>& targets, const std::vector<Entry>& expected, const Neighbours& neighbours,
       double reserve)
      : targets_(targets), expected_(expected), neighbours_(neighbours), reserve_(reserve) {}

  /// How often; 0 where the filter takes them not at all.
  double offer(FilterKind kind, double order = 0) {
    try {
      const PrivacyFilter filter = filter_for(targets_, kind, order, kind == FilterKind::basic ? 0 : reserve_);
      const double found = times(filter, expected_, neighbours_);
      if (!best_ || found > times_) best_ = filter, times_ = found;
      return found;
    } catch (const DomainError& refused) {
      refusal_ = refused;
      return 0;
    }
  }

  /// Over the logarithm of the order less 1: on a grid, then around the best of it.
  void offer_orders() {
    constexpr double lowest = -2, highest = 9, step = 0.25;
    double best = lowest, most = 0;
    for (double x = lowest; x <= highest; x += step) {
      const double found = offer(FilterKind::renyi, 1 + std::exp(x));
      if (found > most) most = found, best = x;
    }
    constexpr int digits = 12;
    if (most > 0)
      boost::math::tools::brent_find_minima([&](double x) { return -offer(FilterKind::renyi, 1 + std::exp(x)); },
                                            best - step, best + step, digits);
  }

  [[nodiscard]] PrivacyFilter found() const {
    if (!best_) throw *refusal_;
    return *best_;
  }

 private:
  const std::vector<Goal>& targets_;
  const std::vector<Entry>& expected_;
  Neighbours neighbours_;
  double reserve_, times_ = 0;
  std::optional<PrivacyFilter> best_;
  std::optional<DomainError> refusal_;
};

}  // namespace

PrivacyFilter best_filter(const std::vector<Goal>& targets, const std::vector<Entry>& expected,
                          const Neighbours& neighbours, std::optional<FilterKind> kind, double reserve) {
  const StandardArithmetic arithmetic;
  if (expected.empty()) throw DomainError("filter", "number of releases expected", "0", "one or more");
  Best best(targets, expected, neighbours, reserve);
  for (const FilterKind one : {FilterKind::basic, FilterKind::zcdp, FilterKind::gdp})
    if (!kind || *kind == one) best.offer(one);
  if (!kind || *kind == FilterKind::renyi) best.offer_orders();
  return best.found();
}

}  // namespace pld
