#include "engines/question.hpp"

#include <algorithm>

#include "lattice/discretise.hpp"

namespace pld {
namespace {

/// Some 7 ns each.
constexpr double points_of_a_question = 2e8;

struct Open {
  int questions = 0;
  double points = points_of_a_question;
};
thread_local Open open;

}  // namespace

Question::Question() {
  if (open.questions++ == 0) open.points = points_of_a_question;
}

Question::~Question() { --open.questions; }

double Question::points_left() { return open.questions > 0 ? open.points : points_of_a_question; }

void Question::take(double points) {
  if (open.questions > 0) spend(points, open.points);
}

PartOfQuestion::PartOfQuestion(double points) : kept_(std::max(0.0, open.points - points)) { open.points -= kept_; }

PartOfQuestion::~PartOfQuestion() { open.points += kept_; }

Allowance::Allowance(double most) : given_(std::min(most, 0.75 * Question::points_left())), points_(given_) {}

Allowance::~Allowance() {
  if (open.questions > 0) open.points = std::max(0.0, open.points - (given_ - points_));
}

}  // namespace pld
