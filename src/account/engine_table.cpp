#include "account/engine_table.hpp"

#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/smoothed.hpp"
#include "engines/question.hpp"
#include "engines/tilted_lattice/without_lattice.hpp"
#include "pairs/gaussian_allocation.hpp"

namespace pld {
namespace {

bool takes_all(const Terms& /*terms*/) { return true; }
bool always_pays(const Terms& /*terms*/, double /*tolerance*/) { return true; }
bool has_closed_form(const Terms& terms, double /*tolerance*/) { return closed_form_takes(terms); }

/// Where a coarse line would be about as much work as a fine one, the finer one has been tried already.
constexpr double finest_again = 1e-6;

bool line_pays(const Terms& terms, double tolerance) {
  return contour_decays_soon(terms, tolerance) && !smoothing_takes_less(terms, tolerance);
}

PiecePtr all_outcomes(EngineWork& work) { return closed_form_piece(work.terms()); }
PiecePtr listed_outcomes(EngineWork& work) { return listed_outcomes_piece(work.terms()); }

/// Enough is left for a lattice, unless lines alone were asked for, thorough from the first, or know the law. Many
/// kinds, each of which a lattice discretises, are better told by a line.
double points_of_a_line(const EngineWork& work) {
  constexpr std::size_t many_kinds = 16;
  constexpr double share = 0.5, share_of_many = 0.75;
  if (work.effort() == Effort::thorough || has_allocation(work.terms())) return Work::left();
  return (work.terms().size() > many_kinds ? share_of_many : share) * Work::left();
}

/// Null where these are too few.
PiecePtr line(EngineWork& work, Effort effort) {
  const PartOfQuestion part(points_of_a_line(work));
  return contour_piece_for(work.terms(), work.ask(), effort);
}
PiecePtr first_line(EngineWork& work) { return line(work, work.effort()); }
PiecePtr smoothed_line(EngineWork& work) {
  const PartOfQuestion part(points_of_a_line(work));
  return smoothed_piece(work.terms(), work.ask(), work.effort() == Effort::quick ? Effort::slight : work.effort());
}
PiecePtr line_again(EngineWork& work) {
  if (work.effort() == Effort::thorough || work.is_read_far() || !(work.ask().width > finest_again)) return nullptr;
  return line(work, Effort::thorough);
}

PiecePtr whole_lattice(EngineWork& work) { return work.lattice()->whole(); }

/// Parts are placed by what delta is at one epsilon, so that they go first only where they are read near it.
bool parts_first(EngineWork& work) { return !work.is_read_far() && work.lattice()->needs_parts(); }
PiecePtr quick_lattice(EngineWork& work) { return parts_first(work) ? work.lattice()->quick() : nullptr; }
PiecePtr needed_parts(EngineWork& work) { return parts_first(work) ? work.lattice()->parts() : nullptr; }
PiecePtr other_parts(EngineWork& work) { return parts_first(work) ? nullptr : work.lattice()->parts(); }

/// Moments often tell one delta, and cost nothing; of a curve they tell what nothing else reaches, and where delta is
/// as good as nothing.
bool moments_first(EngineWork& work) {
  return work.needs_only_an_upper_bound() || (!work.is_read_far() && work.lattice()->without_lattice_first());
}
PiecePtr first_moments(EngineWork& work) {
  return moments_first(work) ? without_lattice_piece(work.lattice()) : nullptr;
}
PiecePtr last_moments(EngineWork& work) {
  if (!work.may_set_up()) return moments_alone_piece(work.terms(), work.ask().epsilon);
  return moments_first(work) ? nullptr : without_lattice_piece(work.lattice());
}

}  // namespace

const std::vector<EngineRow>& engine_table() {
  static const std::vector<EngineRow> rows = {
      {Engine::closed_form, "the exact tail masses of the pair; all outcomes, one by one: some units in the last place",
       "one release of anything; any number of Gaussians that are not sampled (they join into one); releases of few "
       "losses each (randomized response, `dp`, tables, sampled or not), up to a thousand outcomes in all",
       "microseconds; some milliseconds for an epsilon of a thousand outcomes", closed_form_takes, has_closed_form,
       all_outcomes},
      {Engine::contour,
       "inverse Laplace integral of the moment generating function along a vertical line through the saddle point, to "
       "about 1e-12, wider for counts near 1e12",
       "any number of Gaussians, sampled or not, and beside them or alone: noise on the line of any "
       "kind, exponential mechanisms, tables, randomized response, `dp`, noise on whole numbers, samples of these; "
       "groups and replaced records on Poisson samples of Gaussian noise; random allocations of it",
       "a millisecond, whatever the counts; generalized noise 50, as where it takes long doubles", contour_takes,
       line_pays, first_line},
      {Engine::closed_form, "all outcomes that are not too rare, in the order of their losses, to about 1e-10",
       "releases of few losses each that lie on no one lattice, up to a quarter of a million outcomes",
       "up to some hundredths of a second", outcomes_may_be_listed, always_pays, listed_outcomes},
      {Engine::contour, "the line of the composition beside a small Gaussian release, and chords of its profile",
       "what it took above, and atoms alone", "milliseconds, more as 1 / sqrt(tolerance)", smoothed_takes,
       smoothing_pays, smoothed_line},
      {Engine::lattice, "moments (Chernoff, Chebyshev) and largest losses",
       "more than a million releases, or a delta next to 1", "milliseconds", takes_all, always_pays, first_moments},
      {Engine::lattice, "both-sided discretisation, tilt, FFT, with little work",
       "up to four kinds of releases, where no tilt serves both rare losses and others", "some hundredths of a second",
       takes_all, always_pays, quick_lattice},
      {Engine::lattice, "releases with one rare loss, with more and with none, each on a lattice", "the same",
       "some lattices", takes_all, always_pays, needed_parts},
      {Engine::lattice, "both-sided discretisation, tilt, FFT, to the tolerance asked", "everything",
       "some ten milliseconds, more as 1 / sqrt(tolerance); at most a second or two, by a fixed budget of work",
       takes_all, always_pays, whole_lattice},
      {Engine::lattice, "releases with one rare loss, with more and with none, each on a lattice",
       "up to four kinds of releases with rare losses", "some lattices", takes_all, always_pays, other_parts},
      {Engine::lattice, "moments (Chernoff, Chebyshev) and largest losses", "everything", "milliseconds", takes_all,
       always_pays, last_moments, true},
      {Engine::contour, "the line again, with as much work as a lattice may be", "what it took above", "up to a second",
       contour_takes, contour_decays_soon, line_again},
  };
  return rows;
}

bool may_set_up(const Terms& terms) {
  constexpr double few_kinds = 100, points_a_kind = 2e4;
  const auto kinds = static_cast<double>(terms.size());
  return kinds <= few_kinds || points_a_kind * kinds <= Work::left();
}

std::string engine_table_text() {
  std::string text = "| engine | takes | how | cost |\n|---|---|---|---|\n";
  for (const EngineRow& row : engine_table())
    text += std::string("| `") + name(row.engine) + "` | " + row.takes_what + " | " + row.method + " | " + row.cost +
            " |\n";
  return text;
}

}  // namespace pld
