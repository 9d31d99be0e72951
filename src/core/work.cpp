#include "core/work.hpp"

#include <algorithm>
#include <chrono>

#include "pld/core/errors.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

/// Some 7 ns each.
constexpr double points_of_a_question = 2e8;

/// What still is done when the time is up: bounds by moments, and what tells that there are none.
constexpr double points_when_late = 2e6;

/// About as many are handled, so that an answer is planned for the time that it has.
constexpr double points_a_second = 1e8;

struct Open {
  int questions = 0;
  double points = points_of_a_question;
  double points_when_late = 0;
};
thread_local Open open;

double points_in_time() {
  const auto end = TimeLimit::end();
  if (!end) return points_of_a_question;
  const std::chrono::duration<double> left = *end - TimeLimit::Clock::now();
  return std::clamp(points_a_second * left.count(), points_when_late, points_of_a_question);
}

}  // namespace

double Work::left() {
  const double all = open.questions > 0 ? std::max(0.0, open.points) : points_of_a_question;
  return TimeLimit::is_over() ? std::min(all, open.points_when_late) : all;
}

bool Work::affords_piece() {
  constexpr double points = 2e6;
  return left() > points;
}

void Work::take(double points) {
  if (points > left()) throw WorkSpent{};
  note(points);
}

void Work::note(double points) {
  if (open.questions == 0) return;
  open.points -= points;
  if (TimeLimit::is_over()) open.points_when_late = std::max(0.0, open.points_when_late - points);
}

void Work::stop_if_late() {
  if (TimeLimit::is_over()) throw WorkSpent{};
}

void Work::begin() {
  if (open.questions++ > 0) return;
  open.points = points_in_time();
  open.points_when_late = TimeLimit::is_over() ? 0 : points_when_late;
}

void Work::end() { --open.questions; }

void Work::add(double points) {
  if (open.questions > 0) open.points += points;
}

}  // namespace pld
