#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/independent_runs.hpp"
#include "colour.hpp"
#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "curve.hpp"
#include "formats/answer_fields.hpp"
#include "formats/numbers_file.hpp"
#include "formats/read_number.hpp"
#include "pld/audit/evidence.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "stopwatch.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

constexpr int digits = 6;

/// A part of a total, as in 45/100.
struct CountedShare {
  std::int64_t part = 0, total = 0;
};

CountedShare share_of(const std::string& text, const char* what) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) throw ReadError("audit", what, "'" + text + "'", "written PART/TOTAL, as in 45/100");
  const auto count = [&](const std::string& word) {
    if (word.find('/') != std::string::npos)
      throw ReadError("audit", what, "'" + text + "'", "written PART/TOTAL, as in 45/100");
    return count_from_number(finite_from_text(word, "audit", what), std::string("audit: ") + what);
  };
  const CountedShare share{count(text.substr(0, slash)), count(text.substr(slash + 1))};
  if (share.total == 0) throw ReadError("audit", what, "'" + text + "'", "PART of a TOTAL from 1 on");
  return share;
}

/// What the data are taken for.
std::string independent_runs(std::int64_t in, std::int64_t out) {
  return std::to_string(in) + " independent runs with the record and " + std::to_string(out) + " without";
}

std::string one_runs_canaries(std::int64_t all) { return std::to_string(all) + " canaries of one run"; }

/// What was observed: the evidence, and the rates to draw with the least that was resolved.
struct Observed {
  Evidence evidence;
  std::string data;  ///< what they are taken for
  std::vector<ObservedRates> roc;
  double resolution = 1;
  bool below_chance = false;  ///< counts or scores say so: those that are the other way round refute nothing
};

double rate(std::int64_t part, std::int64_t total) { return static_cast<double>(part) / static_cast<double>(total); }

ObservedRates rates_of(const RunCounts& counts) {
  return {rate(counts.false_positives, counts.out), rate(counts.true_positives, counts.in)};
}

/// One point for each out score as the threshold.
std::vector<ObservedRates> roc_of(const Scores& scores) {
  const audit::RankedScores ranked(scores);
  std::vector<ObservedRates> roc;
  for (std::size_t rank = 1; rank <= ranked.ranks(); ++rank) roc.push_back(rates_of(ranked.above(rank)));
  return roc;
}

/// A number by each test.
using ByTest = std::vector<std::pair<AuditTest, double>>;

/// One hypothesis, and what each test says of it.
struct Tested {
  std::string hypothesis;
  std::optional<double> claim{};  ///< somebody's epsilon
  double p_value = 1;
  bool refuted = false;
  ByTest by_test{};
};

struct Findings {
  double delta = 0, confidence = 0;
  double least = 0;  ///< the largest epsilon that is refuted
  ByTest least_by_test{};
  std::vector<Tested> tested{};
};

OrderedJson fields_of(const RunCounts& cut) {
  return {{"true_positives", cut.true_positives},
          {"in", cut.in},
          {"false_positives", cut.false_positives},
          {"out", cut.out}};
}

OrderedJson fields_of(const RunGuesses& cut) {
  return {{"correct", cut.correct}, {"guessed", cut.guessed}, {"canaries", cut.canaries}, {"only_in", cut.only_in}};
}

/// What was counted, at each cut.
OrderedJson fields_of(const Evidence& evidence) {
  OrderedJson observed = OrderedJson::array();
  std::visit(
      [&](const auto& cuts) {
        for (const auto& cut : cuts) observed.push_back(fields_of(cut));
      },
      evidence.cuts());
  return observed;
}

OrderedJson fields_of(const ByTest& by_test) {
  OrderedJson fields = OrderedJson::object();
  for (const auto& [test, value] : by_test) fields[name(test)] = json_number(value);
  return fields;
}

OrderedJson fields_of(const Tested& tested) {
  OrderedJson fields{{"hypothesis", tested.hypothesis}};
  if (tested.claim) fields["claim"] = json_number(*tested.claim);
  fields.update(
      {{"refuted", tested.refuted}, {"p_value", json_number(tested.p_value)}, {"by_test", fields_of(tested.by_test)}});
  return fields;
}

struct AuditCommand {
  std::string delta, confidence = "0.95", claim;
  std::string true_positives, false_positives, correct, canaries, in_scores, out_scores, threshold, output;
  bool one_run = false;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    const Stopwatch stopwatch;
    Findings found{.delta = number(delta, "delta"), .confidence = number(confidence, "confidence")};
    if (options.direction() != DirectionChoice::worst)
      throw ReadError("audit", "direction", name(options.direction()), "worst: both are tested");
    const Observed observed = read();
    const std::optional<PrivacyProfile> profile = named();
    counting_seconds([&] { find(observed.evidence, profile, found); });
    if (!output.empty()) draw(observed, profile);
    if (options.json())
      print_json(observed, found, profile, stopwatch);
    else
      print(observed, found);
    const bool refuted =
        std::any_of(found.tested.begin(), found.tested.end(), [](const Tested& one) { return one.refuted; });
    return refuted ? ExitCode::refuted_by_data : ExitCode::answered;
  }

 private:
  void find(const Evidence& evidence, const std::optional<PrivacyProfile>& profile, Findings& found) const {
    for (const AuditTest test : evidence.tests()) {
      found.least_by_test.emplace_back(test, evidence.refuted_epsilon(found.delta, found.confidence, test));
      found.least = std::max(found.least, found.least_by_test.back().second);
    }
    const auto judge = [&](const std::string& hypothesis, const AttackFrontier& frontier) {
      found.tested.push_back(test(evidence, hypothesis, frontier, round_down(1 - found.confidence)));
    };
    if (!claim.empty()) {
      const double claimed = extended_from_text(claim, "audit", "claim");
      require(claimed >= 0, "audit", "claim", claimed, "claim >= 0");
      judge("claim " + claim + " at delta " + number_text(found.delta), AttackFrontier::of_claim(claimed, found.delta));
      found.tested.back().claim = claimed;
    }
    if (profile) judge(text_of(profile->composition()), AttackFrontier::of(*profile));
  }

  static double number(const std::string& text, const char* what) { return finite_from_text(text, "audit", what); }

  [[nodiscard]] std::optional<PrivacyProfile> named() const {
    if (!options.names_any()) {
      options.refuse_words_of_none();
      return std::nullopt;
    }
    return PrivacyProfile(options.composition(), {.tolerance = options.tolerance(), .engine = options.engine()});
  }

  static std::string text_of(const Composition& composition) {
    if (composition.releases().empty()) return "nothing released";
    std::string text;
    for (const Release& release : composition.releases())
      text += (text.empty() ? "" : " + ") + release.mechanism.text() +
              (release.count == 1 ? "" : " x " + std::to_string(release.count));
    return text;
  }

  [[nodiscard]] Observed read() const {
    const bool rates = !true_positives.empty() || !false_positives.empty();
    const bool guesses = !correct.empty() || !canaries.empty(), scores = !in_scores.empty() || !out_scores.empty();
    if (rates + guesses + scores != 1)
      throw ReadError(
          "audit: what was observed must be one of --true-positives with --false-positives, --correct with --canaries, "
          "--in with --out");
    if (!scores && one_run) throw ReadError("audit: --one-run is of the scores of --in and --out: leave it out");
    if (!scores && !threshold.empty())
      throw ReadError("audit: --threshold is of the scores of --in and --out: leave it out");
    if (rates) return of_rates();
    return guesses ? of_guesses() : of_scores();
  }

  [[nodiscard]] Observed of_rates() const {
    if (true_positives.empty() || false_positives.empty())
      throw ReadError("audit: --true-positives and --false-positives belong together: give both");
    const CountedShare in = share_of(true_positives, "true-positives"),
                       out = share_of(false_positives, "false-positives");
    const RunCounts counts{in.part, in.total, out.part, out.total};
    return {Evidence::of(counts),
            independent_runs(counts.in, counts.out),
            {rates_of(counts)},
            rate(1, counts.out),
            rate(in.part, in.total) < rate(out.part, out.total)};
  }

  [[nodiscard]] Observed of_guesses() const {
    if (correct.empty() || canaries.empty())
      throw ReadError("audit: --correct and --canaries belong together: give both");
    const CountedShare right = share_of(correct, "correct");
    const std::int64_t all = count_from_number(number(canaries, "canaries"), "audit: canaries");
    if (all < right.total)
      throw ReadError("audit", "canaries", canaries,
                      "at least " + std::to_string(right.total) + ", the guesses of --correct");
    return {Evidence::of(RunGuesses{right.part, right.total, all}),
            one_runs_canaries(all),
            {},
            1,
            2 * right.part < right.total};
  }

  [[nodiscard]] Observed of_scores() const {
    if (in_scores.empty() || out_scores.empty()) throw ReadError("audit: --in and --out belong together: give both");
    const Scores scores{numbers_of_file(in_scores), numbers_of_file(out_scores)};
    if (one_run && !threshold.empty())
      throw ReadError("audit: --threshold is for independent runs: leave out --one-run");
    const auto in = static_cast<std::int64_t>(scores.in.size()), out = static_cast<std::int64_t>(scores.out.size());
    return {evidence_of(scores), one_run ? one_runs_canaries(in + out) : independent_runs(in, out), roc_of(scores),
            rate(1, out), is_below_chance(scores)};
  }

  /// Whether an in score is below an out score more often than above it.
  static bool is_below_chance(const Scores& scores) {
    std::vector<double> out = scores.out;
    std::sort(out.begin(), out.end());
    double above = 0, below = 0;
    for (const double score : scores.in) {
      const auto equal = std::equal_range(out.begin(), out.end(), score);
      above += static_cast<double>(equal.first - out.begin());
      below += static_cast<double>(out.end() - equal.second);
    }
    return below > above;
  }

  [[nodiscard]] Evidence evidence_of(const Scores& scores) const {
    if (one_run) return Evidence::of_one_run(scores);
    if (threshold.empty()) return Evidence::of_independent_runs(scores);
    return Evidence::of(cut(scores, number(threshold, "threshold")));
  }

  static RunCounts cut(const Scores& scores, double at) {
    const auto reaching = [&](const std::vector<double>& all) {
      return std::count_if(all.begin(), all.end(), [&](double score) { return score >= at; });
    };
    return {reaching(scores.in), static_cast<std::int64_t>(scores.in.size()), reaching(scores.out),
            static_cast<std::int64_t>(scores.out.size())};
  }

  static Tested test(const Evidence& evidence, const std::string& hypothesis, const AttackFrontier& frontier,
                     double level) {
    Tested tested{.hypothesis = hypothesis};
    for (const AuditTest test : evidence.tests()) {
      tested.by_test.emplace_back(test, evidence.p_value(frontier, test));
      tested.p_value = std::min(tested.p_value, tested.by_test.back().second);
    }
    tested.refuted = tested.p_value <= level;
    return tested;
  }

  void draw(const Observed& observed, const std::optional<PrivacyProfile>& profile) const {
    const auto format = picture_format(output);
    if (!format) throw ReadError("audit", "output", "'" + output + "'", "a name that ends in .svg, .png or .pdf");
    if (observed.roc.empty()) throw ReadError("audit: right guesses have no rates to draw: leave out --output");
    constexpr int points = 201;
    Curves all{.kind = CurveKind::trade_off,
               .against = "alpha",
               .range = {.low = observed.resolution / 2, .high = 1, .points = points, .logarithmic = true},
               .direction = DirectionChoice::remove,
               .tolerance = options.tolerance(),
               .observed = observed.roc};
    if (profile) {
      // Either value of a record that is replaced may be the one that is in.
      if (profile->composition().relation() == Relation::replace_one) all.direction = DirectionChoice::worst;
      all.curves.push_back(
          curve_of(text_of(profile->composition()), *profile, all.kind, all.range.values(), all.direction));
    }
    write_whole_file(output, picture(all, *format));
  }

  void print(const Observed& observed, const Findings& found) const {
    const std::string swapped = in_scores.empty() ? "counts" : "scores";
    if (found.least > 0)
      std::cout << "epsilon >= " << text_down(found.least, digits);
    else
      std::cout << "no epsilon is refuted"
                << (observed.below_chance ? " (the attack does worse than chance: are its " + swapped + " swapped?)"
                                          : "");
    std::cout << " at delta " << number_text(found.delta) << ", confidence " << number_text(found.confidence) << ", of "
              << observed.data << '\n';
    for (const auto& [test, epsilon] : found.least_by_test)
      std::cout << "    " << name(test) << ": " << text_down(epsilon, digits) << '\n';
    for (const Tested& one : found.tested) {
      std::cout << one.hypothesis << ": " << (one.refuted ? alarming("REFUTED") : "not refuted")
                << ", p <= " << text_up(one.p_value, digits) << '\n';
      for (const auto& [test, p_value] : one.by_test)
        std::cout << "    " << name(test) << ": " << text_up(p_value, digits) << '\n';
    }
  }

  void print_json(const Observed& observed, const Findings& found, const std::optional<PrivacyProfile>& profile,
                  const Stopwatch& stopwatch) const {
    OrderedJson out{{"query", "audit"},
                    {"delta", json_number(found.delta)},
                    {"confidence", json_number(found.confidence)},
                    {"data", observed.data},
                    {"observed", fields_of(observed.evidence)},
                    {"epsilon", {{"lower", json_number(found.least)}, {"by_test", fields_of(found.least_by_test)}}},
                    {"hypotheses", OrderedJson::array()}};
    for (const Tested& one : found.tested) out["hypotheses"].push_back(fields_of(one));
    if (profile) add_composition(out, profile->composition());
    add_options(out, DirectionChoice::worst, options.tolerance());
    out["seconds"] = stopwatch.seconds();
    out.update(options.assumed());
    std::cout << out.dump() << '\n';
  }
};

}  // namespace

void add_audit_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<AuditCommand>();
  CLI::App* command = app.add_subcommand("audit", "what an attack observed, against a claim or a composition");
  command->add_option("--delta", state->delta, "in [0, 1]")->required();
  command->add_option("--confidence", state->confidence, "in (0, 1)")->capture_default_str();
  command->add_option("--true-positives", state->true_positives, "PART/TOTAL of independent runs with the record");
  command->add_option("--false-positives", state->false_positives, "PART/TOTAL of independent runs without it");
  command->add_option("--correct", state->correct,
                      "PART/TOTAL, right guesses among those made about one run's canaries");
  command->add_option("--canaries", state->canaries, "how many canaries that run had, each in or out by a fair coin");
  command->add_option("--in", state->in_scores,
                      "file of the scores of runs with the record, or of canaries that were in");
  command->add_option("--out", state->out_scores, "file of the scores of those without, or of canaries that were out");
  command->add_flag("--one-run", state->one_run, "the scores are those of canaries of one run");
  command->add_option("--threshold", state->threshold,
                      "a score, fixed before the runs, from which an attack says \"in\"");
  command->add_option("--claim", state->claim, "somebody's epsilon: is it refuted? (exit status 4 if so)");
  command->add_option("--output", state->output,
                      "FILE.svg, .png or .pdf: the observed rates and the certified frontier");
  state->options.add_to(*command, "1e-3");
  QueryOptions::hide(*command, "--direction");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
