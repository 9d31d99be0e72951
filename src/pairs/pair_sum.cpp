#include "pairs/pair_sum.hpp"

#include <algorithm>

#include "numeric/log_sum.hpp"
#include "pairs/fused.hpp"

namespace pld {
namespace {

LossCell weighted(LossCell cell, double log_weight) {
  cell.log_mass += log_weight;
  cell.log_q_mass += log_weight;
  return cell;
}

/// The parts' cells, each with its weight, as one.
template <class Cell>
LossCell fused_over(const std::vector<PairSum::Part>& parts, const Cell& cell) {
  LossCell sum;
  for (const auto& part : parts) sum = fused(sum, weighted(cell(*part.pair), part.log_weight));
  return sum;
}

template <class Error>
double largest_over(const std::vector<PairSum::Part>& parts, const Error& error) {
  double largest = 0;
  for (const auto& part : parts) largest = std::max(largest, error(*part.pair));
  return largest;
}

template <class LogMass>
double log_sum_over(const std::vector<PairSum::Part>& parts, const LogMass& log_mass) {
  double sum = -infinity;
  for (const auto& part : parts) sum = log_sum(sum, part.log_weight + log_mass(*part.pair));
  return sum;
}

void sort_by_loss(std::vector<LossCell>& cells) {
  std::sort(cells.begin(), cells.end(), [](const LossCell& a, const LossCell& b) { return a.loss < b.loss; });
}

}  // namespace

double PairSum::log_mass_at_plus_infinity() const {
  return log_sum_over(parts_, [](const DominatingPair& pair) { return pair.log_mass_at_plus_infinity(); });
}

double PairSum::log_q_mass_at_minus_infinity() const {
  return log_sum_over(parts_, [](const DominatingPair& pair) { return pair.log_q_mass_at_minus_infinity(); });
}

LossRange PairSum::range() const {
  LossRange all{infinity, -infinity};
  for (const auto& [log_weight, pair] : parts_) {
    const LossRange one = pair->range();
    all = {std::min(all.lowest, one.lowest), std::max(all.highest, one.highest)};
  }
  return all;
}

std::vector<LossCell> PairSum::atoms(LossRange within) const {
  std::vector<LossCell> all;
  for (const auto& [log_weight, pair] : parts_)
    for (const LossCell& atom : pair->atoms(within)) all.push_back(weighted(atom, log_weight));
  sort_by_loss(all);
  return all;
}

bool PairSum::has_density() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.pair->has_density(); });
}

void PairSum::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  const std::size_t first = out.size();
  out.resize(first + (edges.empty() ? 0 : edges.size() - 1));
  std::vector<LossCell> own;
  for (const auto& [log_weight, pair] : parts_) {
    if (!pair->has_density()) continue;
    own.clear();
    pair->cells(edges, own);
    for (std::size_t i = 0; i < own.size(); ++i) out[first + i] = fused(out[first + i], weighted(own[i], log_weight));
  }
}

double PairSum::cell_cost() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.pair->cell_cost();
  return sum;
}

LossCell PairSum::above(double z) const {
  return fused_over(parts_, [z](const DominatingPair& pair) { return pair.above(z); });
}

LossCell PairSum::below(double z) const {
  return fused_over(parts_, [z](const DominatingPair& pair) { return pair.below(z); });
}

LossCell PairSum::above_and_doubtful(double z) const {
  return fused_over(parts_, [z](const DominatingPair& pair) { return pair.above_and_doubtful(z); });
}

double PairSum::loss_error(LossRange within) const {
  return largest_over(parts_, [within](const DominatingPair& pair) { return pair.loss_error(within); });
}

double PairSum::edge_error(double z) const {
  return largest_over(parts_, [z](const DominatingPair& pair) { return pair.edge_error(z); });
}

std::vector<LossCell> PairSum::outline() const {
  std::vector<LossCell> all;
  for (const auto& [log_weight, pair] : parts_)
    for (const LossCell& cell : pair->outline()) all.push_back(weighted(cell, log_weight));
  sort_by_loss(all);
  for (constexpr std::size_t most = 1000; all.size() > most;) {
    std::vector<LossCell> pairs;
    for (std::size_t i = 0; i < all.size(); i += 2)
      pairs.push_back(i + 1 < all.size() ? fused(all[i], all[i + 1]) : all[i]);
    all = std::move(pairs);
  }
  return all;
}

double PairSum::log_tail_moment(double order, double from) const {
  return log_sum_over(parts_, [=](const DominatingPair& pair) { return pair.log_tail_moment(order, from); });
}

double PairSum::infinite_order() const {
  double least = infinity;
  for (const Part& part : parts_) least = std::min(least, part.pair->infinite_order());
  return least;
}

bool PairSum::analytic() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return has_analytic_law(*part.pair); });
}

std::optional<AnalyticLaw> PairSum::analytic_law(double log_negligible) const {
  AnalyticLaw sum;
  for (const auto& [log_weight, pair] : parts_) {
    auto law = pld::analytic_law(*pair, log_negligible);
    if (!law) return std::nullopt;
    const AnalyticLaw part = weighted(*std::move(law), log_weight);
    sum.atoms.insert(sum.atoms.end(), part.atoms.begin(), part.atoms.end());
    sum.densities.insert(sum.densities.end(), part.densities.begin(), part.densities.end());
    sum.log_infinite_p = log_sum(sum.log_infinite_p, part.log_infinite_p);
    sum.log_infinite_q = log_sum(sum.log_infinite_q, part.log_infinite_q);
    sum.log_lost = log_sum(sum.log_lost, part.log_lost);
    sum.sums_to_one = sum.sums_to_one && part.sums_to_one;
  }
  return sum;
}

}  // namespace pld
