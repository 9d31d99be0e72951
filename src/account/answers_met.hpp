#pragma once

#include <algorithm>

#include "core/intersection.hpp"
#include "core/side.hpp"
#include "engines/answer_width.hpp"
#include "pld/account/answer.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// What an answer's tolerance is of: log delta where a delta was asked for, else epsilon.
template <class Answer>
[[nodiscard]] Bracket asked_of(const Answer& answer) {
  if constexpr (requires { answer.log_delta; })
    return answer.log_delta;
  else
    return answer;
}

/// How many answers' work a question at a tolerance has, wherever it is asked: more where that is finer than a query's
/// which names none.
template <class Query>
[[nodiscard]] double answers_of(double tolerance) {
  constexpr double to_finer = 1.4;  // steps by tenths take some two fifths of what the last does
  return tolerance < Query{}.tolerance ? to_finer : 1;
}

/// Whether an answer is as narrow as asked.
[[nodiscard]] inline bool is_close(const Answer& answer, double tolerance) { return is_narrow(answer, tolerance); }
[[nodiscard]] inline bool is_close(const DeltaAnswer& answer, double tolerance) {
  return is_narrow_log_delta(answer.log_delta, tolerance);
}

/// Changes the bracket of an answer by those of others, and where a delta was asked for that of its logarithm likewise.
template <class Answer, class Change, class... Others>
void change_brackets(Answer& answer, const Change& change, const Others&... others) {
  change(static_cast<Bracket&>(answer), static_cast<const Bracket&>(others)...);
  if constexpr (requires { answer.log_delta; }) change(answer.log_delta, others.log_delta...);
}

/// What two answers to one question say together, and how the nearer one came about: the narrower, or of bounds the
/// lower one.
template <class Answer>
[[nodiscard]] Answer also(const Answer& found, const Answer& before) {
  const auto nearness = [](const Answer& answer) {
    const Bracket asked = asked_of(answer);
    return answer.exact ? asked.width() : asked.upper;
  };
  const bool is_nearer = !(nearness(before) < nearness(found));
  Answer out = is_nearer ? found : before;
  const auto meet = [](Bracket& into, const Bracket& other) { into = intersection(into, other); };
  change_brackets(out, meet, is_nearer ? before : found);
  return out;
}

/// The smaller one of two upper ends, or the larger one of two lower ends.
template <class Answer>
[[nodiscard]] Answer with_end_of(const Answer& look, Side side, Answer answer) {
  const auto meet = [side](Bracket& into, const Bracket& other) {
    into = intersection(into, side == Side::lower ? at_least(other.lower) : at_most(other.upper));
  };
  change_brackets(answer, meet, look);
  return answer;
}

/// The larger of two answers in two directions, end by end.
template <class Answer>
[[nodiscard]] Answer worse_of(const Answer& a, const Answer& b) {
  Answer out = asked_of(a).estimate >= asked_of(b).estimate ? a : b;
  const auto larger = [](Bracket& into, const Bracket& x, const Bracket& y) {
    into.lower = std::max(x.lower, y.lower), into.upper = std::max(x.upper, y.upper);
  };
  change_brackets(out, larger, a, b);
  return out;
}

/// From what real neighbours attain up to an upper bound.
template <class Answer>
[[nodiscard]] Answer between(const Answer& below, Answer answer) {
  change_brackets(
      answer, [](Bracket& into, const Bracket& attained) { into.lower = attained.lower; }, below);
  return answer;
}

/// Makes `into` the smaller of two upper bounds. Its lower end is that of both: either may be loose.
template <class Answer>
void take_smaller(Answer& into, const Answer& other) {
  const bool is_smaller = asked_of(other).upper < asked_of(into).upper;
  Answer better = is_smaller ? other : into;
  const Answer& worse = is_smaller ? into : other;
  better.converged = better.converged && (worse.converged || asked_of(worse).lower >= asked_of(better).lower);
  const auto lower = [](Bracket& bracket, const Bracket& loose) {
    bracket.lower = std::min(bracket.lower, loose.lower);
  };
  change_brackets(better, lower, worse);
  into = better;
}

/// Lowers an answer to an upper bound of it, if that is one. Its own lower end stays, where that is not above.
template <class Answer>
void lower_to(const Answer& bound, Answer& answer) {
  if (!(asked_of(bound).upper < asked_of(answer).upper)) return;
  const bool exact = answer.exact;
  const auto lower = [exact](Bracket& bracket, const Bracket& other) {
    const double most = other.upper;
    bracket = {std::min(bracket.lower, most), exact ? std::min(bracket.estimate, most) : most, most};
  };
  change_brackets(answer, lower, bound);
  answer.engine = bound.engine, answer.converged = bound.converged, answer.renyi_routes = bound.renyi_routes;
}

}  // namespace pld
