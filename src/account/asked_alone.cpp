#include "account/asked_alone.hpp"

#include <bit>

#include "core/intersection.hpp"
#include "core/work.hpp"

namespace pld {
namespace {

std::vector<std::size_t> spread(const std::vector<std::size_t>& all) {
  std::vector<std::size_t> out;
  for (std::size_t step = std::bit_ceil(all.size()); step > 0; step /= 2)
    for (std::size_t i = 0; i < all.size(); i += step)
      if (out.empty() || i % (2 * step) != 0) out.push_back(all[i]);
  return out;
}

}  // namespace

void ask_alone(std::vector<Bracket>& found, const std::vector<std::size_t>& wide, std::optional<Side> certain,
               const std::function<double(const Bracket&)>& doubt, const std::function<Bracket(std::size_t)>& ask) {
  if (wide.empty()) return;
  constexpr int most_in_vain = 3;
  constexpr double clearly = 0.8;
  int in_vain = 0;
  for (const std::size_t i : spread({wide.rbegin(), wide.rend()})) {
    if (in_vain == most_in_vain || !Work::affords_piece()) return;
    const double before = doubt(found[i]);
    found[i] = sharpened(found[i], ask(i), certain);
    in_vain = doubt(found[i]) < clearly * before ? 0 : in_vain + 1;
  }
}

}  // namespace pld
