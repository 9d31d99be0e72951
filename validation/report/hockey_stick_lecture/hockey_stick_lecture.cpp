#include "exact.hpp"
#include "parts.hpp"
#include "sources.hpp"

namespace pld::validation {

namespace lecture_parts {

bounds::Step response() { return {worst_pure(1)}; }
bounds::Step laplace() { return {Laplace{.scale = 1}}; }
bounds::Step gaussian_at_half() { return {Gaussian{.sigma = 1}}; }

}  // namespace lecture_parts

Section hockey_stick_lecture() {
  Section section{"hockey-stick-lecture",
                  "Wang: lecture 7, modern tools for privacy accounting",
                  "Slides: hockey-stick divergence, trade-off functions, the analytic Gaussian mechanism, accounting "
                  "by the mechanism. Rows "
                  "name the slide by its title. Its figures reached us as titles only and are drawn anew; where a "
                  "title names no parameters, "
                  "ours are named.",
                  {},
                  {}};
  namespace parts = lecture_parts;
  for (const auto part : {parts::divergences, parts::gaussian_mechanism, parts::testing, parts::representations,
                          parts::composition, parts::dominating_pairs}) {
    part(section);
  }
  return section;
}

}  // namespace pld::validation
