#include "core/work.hpp"

#include <algorithm>
#include <chrono>

#include "pld/core/errors.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

/// Some 7 ns each, twice that on a slow machine.
constexpr double points_of_an_answer = 1.2e8, points_a_kind = 7e5, most_points_of_kinds = 5e7;

/// What still is done when the time is up: bounds by moments, and what tells that there are none.
constexpr double points_when_late = 2e6;

/// About as many are handled, so that an answer is planned for the time that it has.
constexpr double points_a_second = 1e8;

struct Open {
  int questions = 0;
  double points_of_answers = 0, points_of_kinds = 0, points = points_of_an_answer;
  double points_when_late = 0;
};
thread_local Open open;
thread_local double points_taken = 0;
thread_local long asked = 0, begun = 0;

/// As many as there is time for, and what is done in any case.
double in_time(double points) {
  const auto end = TimeLimit::end();
  if (!end) return points;
  const std::chrono::duration<double> left = *end - TimeLimit::Clock::now();
  return std::clamp(points_a_second * left.count(), points_when_late, points);
}

}  // namespace

double Work::left() {
  ++asked;
  const double all = open.questions > 0 ? std::max(0.0, open.points) : points_of_an_answer;
  return TimeLimit::is_over() ? std::min(all, open.points_when_late) : all;
}

bool Work::is_counted() { return open.questions > 0; }

long Work::question() { return open.questions > 0 ? begun : 0; }

bool Work::affords_piece() {
  constexpr double points = 2e6;
  return left() > points;
}

void Work::take(double points) {
  if (!(points <= left())) throw WorkSpent{};
  note(points);
}

double Work::taken() { return points_taken; }

long Work::times_asked() { return asked; }

bool Work::is_short() {
  constexpr double most = points_of_an_answer + most_points_of_kinds;
  return in_time(most) < most;
}

void Work::note(double points) {
  points_taken += points;
  if (open.questions == 0) return;
  open.points -= points;
  if (TimeLimit::is_over()) open.points_when_late = std::max(0.0, open.points_when_late - points);
}

void Work::give_back(double points) {
  points_taken -= points;
  add(points);
}

void Work::stop_if_late() {
  if (TimeLimit::is_over()) throw WorkSpent{};
}

void Work::allow_for(double kinds) {
  const double wanted = std::min(points_a_kind * kinds, most_points_of_kinds);
  if (open.questions == 0 || wanted <= open.points_of_kinds) return;
  open.points += in_time(open.points_of_answers + wanted) - in_time(open.points_of_answers + open.points_of_kinds);
  open.points_of_kinds = wanted;
}

void Work::begin(double answers) {
  if (open.questions++ > 0) return;
  ++begun;
  open.points_of_answers = points_of_an_answer * answers;
  open.points_of_kinds = 0;
  open.points = in_time(open.points_of_answers);
  open.points_when_late = TimeLimit::is_over() ? 0 : points_when_late;
}

void Work::end() { --open.questions; }

void Work::leave_at_least(double points) {
  if (open.questions > 0) open.points = std::max(open.points, points);
}

void Work::add(double points) {
  if (open.questions > 0) open.points += points;
}

}  // namespace pld
