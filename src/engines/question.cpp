#include "engines/question.hpp"

#include <algorithm>

#include "core/work.hpp"

namespace pld {

Question::Question(double answers) { Work::begin(answers); }

Question::~Question() { Work::end(); }

PartOfQuestion::PartOfQuestion(double points) : kept_(std::max(0.0, Work::left() - points)) { Work::add(-kept_); }

PartOfQuestion::~PartOfQuestion() { Work::add(kept_); }

Allowance::Allowance(double most) : given_(std::min(most, 0.9 * Work::left())), points_(given_) {}

Allowance::~Allowance() { Work::note(given_ - points_); }

}  // namespace pld
