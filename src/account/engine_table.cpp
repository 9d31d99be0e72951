#include "account/engine_table.hpp"

#include "engines/closed_form/closed_form.hpp"
#include "engines/contour/contour.hpp"

namespace pld {
namespace {

bool takes_all(const Terms& /*terms*/) { return true; }

/// Where a coarse line would be about as much work as a fine one, the finer one has been tried already.
constexpr double finest_again = 1e-6;

PiecePtr all_outcomes(EngineWork& work) { return closed_form_piece(work.terms()); }

PiecePtr quick_line(EngineWork& work) {
  return contour_piece(work.terms(), work.epsilon(), work.width(), Effort::quick);
}
PiecePtr thorough_line(EngineWork& work) {
  if (!(work.width() > finest_again)) return nullptr;
  return contour_piece(work.terms(), work.epsilon(), work.width(), Effort::thorough);
}

PiecePtr whole_lattice(EngineWork& work) { return work.lattice()->whole(); }

/// Parts are placed by what delta is at one epsilon, so that they go first only where they are read near it.
bool parts_first(EngineWork& work) { return !work.lattice()->is_read_far() && work.lattice()->needs_parts(); }
PiecePtr needed_parts(EngineWork& work) { return parts_first(work) ? work.lattice()->parts() : nullptr; }
PiecePtr other_parts(EngineWork& work) { return parts_first(work) ? nullptr : work.lattice()->parts(); }

PiecePtr moments_of_many(EngineWork& work) {
  return work.lattice()->without_lattice_first() ? without_lattice_piece(work.lattice()) : nullptr;
}
PiecePtr moments_of_few(EngineWork& work) {
  return work.lattice()->without_lattice_first() ? nullptr : without_lattice_piece(work.lattice());
}

}  // namespace

const std::vector<EngineRow>& engine_table() {
  static const std::vector<EngineRow> rows = {
      {Engine::closed_form, "the exact tail masses of the pair; all outcomes, one by one",
       "one release of anything; Gaussians that are not sampled (they join into one); releases of few losses each, up "
       "to a thousand outcomes in all",
       "microseconds; some milliseconds for an epsilon of a thousand outcomes", closed_form_takes, all_outcomes},
      {Engine::contour,
       "inverse Laplace integral of the moment generating function along a line through the saddle point, to about "
       "1e-12",
       "Gaussians, sampled or not, whose integrand decays soon enough",
       "a millisecond, whatever the counts; 50 to 100 where it takes long doubles", contour_takes, quick_line},
      {Engine::lattice, "moments (Chernoff, Chebyshev) and largest losses",
       "more than a million releases, or a delta next to 1", "milliseconds", takes_all, moments_of_many},
      {Engine::lattice, "releases with one rare loss, with more and with none, each on a lattice",
       "up to four kinds of releases, where no tilt serves both rare losses and others", "some lattices", takes_all,
       needed_parts},
      {Engine::lattice, "both-sided discretisation, tilt, FFT", "everything",
       "some ten milliseconds, more as 1 / sqrt(tolerance); at most some seconds, by a fixed budget of work", takes_all,
       whole_lattice},
      {Engine::lattice, "releases with one rare loss, with more and with none, each on a lattice",
       "up to four kinds of releases with rare losses", "some lattices", takes_all, other_parts},
      {Engine::lattice, "moments (Chernoff, Chebyshev) and largest losses", "everything", "milliseconds", takes_all,
       moments_of_few},
      {Engine::contour, "the line again, with as much work as a lattice may be", "Gaussians, sampled or not",
       "up to a second", contour_takes, thorough_line},
  };
  return rows;
}

std::string engine_table_text() {
  std::string text = "| engine | takes | how | cost |\n|---|---|---|---|\n";
  for (const EngineRow& row : engine_table())
    text += std::string("| `") + name(row.engine) + "` | " + row.takes_what + " | " + row.method + " | " + row.cost +
            " |\n";
  return text;
}

}  // namespace pld
