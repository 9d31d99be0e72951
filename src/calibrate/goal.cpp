#include "pld/calibrate/goal.hpp"

#include <cmath>

#include "bounds/overloaded.hpp"
#include "core/number_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double limit_of(const Goal& goal) {
  return std::visit(
      bounds::Overloaded{[](const Target& g) { return g.delta; }, [](const Advantage& g) { return g.limit; },
                         [](const TestPower& g) { return g.tpr; }, [](const GaussianDp& g) { return g.mu; },
                         [](const ZeroConcentratedDp& g) { return g.rho; }},
      goal);
}

std::string quantity_of(const Goal& goal) {
  return std::visit(bounds::Overloaded{[](const Target& g) { return "delta at epsilon " + number_text(g.epsilon); },
                                       [](const Advantage&) { return std::string("advantage"); },
                                       [](const TestPower& g) {
                                         return "true positive rate at false positive rate " + number_text(g.fpr);
                                       },
                                       [](const GaussianDp&) { return std::string("mu over all alphas"); },
                                       [](const ZeroConcentratedDp&) { return std::string("rho"); }},
                    goal);
}

void require_valid(const Goal& goal, const char* where) {
  const auto probability = [where](const char* what, double p) {
    require(p >= 0 && p <= 1, where, what, p, "from 0 to 1");
  };
  if (const auto* g = std::get_if<Target>(&goal)) {
    require(std::isfinite(g->epsilon), where, "epsilon", g->epsilon, "a finite number");
    require(g->delta >= 0 && g->delta <= 1, where, "delta", g->delta, "0 <= delta <= 1");
  }
  if (const auto* g = std::get_if<Advantage>(&goal)) probability("advantage", g->limit);
  if (const auto* g = std::get_if<TestPower>(&goal)) {
    require(g->fpr > 0 && g->fpr < 1, where, "fpr", g->fpr, "0 < fpr < 1");
    require(g->tpr >= g->fpr && g->tpr <= 1, where, "tpr", g->tpr, "fpr <= tpr <= 1");
  }
  if (const auto* g = std::get_if<GaussianDp>(&goal))
    require(g->mu > 0 && g->mu < infinity, where, "mu", g->mu, "mu > 0 and finite");
  if (const auto* g = std::get_if<ZeroConcentratedDp>(&goal))
    require(g->rho > 0 && g->rho < infinity, where, "rho", g->rho, "rho > 0 and finite");
}

}  // namespace pld
