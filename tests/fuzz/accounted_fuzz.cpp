// The JSON of the Python package: refused in one line, or a composition whose own JSON is read back as it is, and which
// is composed and repeated as its releases are.

#include <string>

#include "../../python/binding/accounted.hpp"
#include "fuzz_target.hpp"
#include "pld/core/errors.hpp"

namespace {

using namespace pld;
using fuzz::promise;
using python::Accounted;

bool same(const Composition& a, const Composition& b) {
  bool same = a.neighbours() == b.neighbours() && a.releases().size() == b.releases().size();
  for (std::size_t i = 0; same && i < a.releases().size(); ++i)
    same = a.releases()[i].count == b.releases()[i].count &&
           a.releases()[i].mechanism.text() == b.releases()[i].mechanism.text();
  return same;
}

void check(const Accounted& run) {
  const std::string text = run.json();
  const Accounted back = Accounted::from_json(text, "");
  promise(back.json() == text, "what is written is read and written alike");
  promise(same(back.composition(), run.composition()), "what is written is the same composition");
  fuzz::read_or_refuse([&] {
    run.require_composable(run);
    promise(Accounted::sum({&run, &run}).json() == run.times(2).json(), "with itself is twice");
  });
  const bool grouped = run.composition().neighbours().group != 1;
  if (!grouped) promise(run.in_groups(1).json() == text, "in groups of one record");
  fuzz::read_or_refuse([&] { promise(!grouped || run.in_groups(1).json().empty(), "is grouped once"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkOfInput work(data, size);
  fuzz::read_or_refuse([&] { check(Accounted::from_json(fuzz::text(data, size), "")); });
  return 0;
}
