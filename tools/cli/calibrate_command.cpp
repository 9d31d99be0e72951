#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "decimal.hpp"
#include "files_option.hpp"
#include "formats/fields.hpp"
#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/answer_json.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/formats/query_text.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/formats/read_number.hpp"
#include "stopwatch.hpp"

namespace pld::cli {

namespace {

/// The words of `--dataset-size N --batch B --epochs E`.
struct Training {
  std::string dataset_size, batch, epochs;

  [[nodiscard]] bool given() const { return !dataset_size.empty() || !batch.empty() || !epochs.empty(); }

  /// Sets q = B / N and count = E N / B (rounded up) of the one mechanism.
  void apply(std::vector<OpenEntry>& entries) const {
    if (dataset_size.empty() || batch.empty() || epochs.empty())
      throw ReadError("calibrate: --dataset-size, --batch and --epochs belong together: give all three");
    if (entries.size() != 1)
      throw ReadError("calibrate: --dataset-size describes one training run: name one mechanism, as gaussian:sigma=?");
    Entry& entry = entries.front().entry;
    if (!entry.sampling.empty() || entry.count != 1 || entries.front().open.contains("q") ||
        entries.front().open.contains("poisson") || entries.front().open.contains("count"))
      throw ReadError("calibrate: --dataset-size, --batch and --epochs stand for q and count: leave those out");
    const auto [n, b, e] = sizes();
    if (b > n) throw ReadError("calibrate", "batch", number_text(b), "at most the dataset's size, " + number_text(n));
    entry.sampling["poisson"] = share_of(b, n, "calibrate");
    entry.count = count_from_number(steps(e * n / b), "calibrate");
  }

  /// Says aloud what such words often hide.
  void say(const std::vector<OpenEntry>& entries, double value, const std::vector<Goal>& goals) const {
    const Entry& entry = entries.front().entry;
    std::cerr << "pld: note: q = " << number_text(entry.sampling.at("poisson")) << ", count = " << entry.count
              << ": holds where each batch is a Poisson sample of that expected size; fixed-size batches"
                 " (batch=,dataset= in a mechanism) and those of a shuffled dataset are not\n";
    say_if_shuffled(entries, value, goals);
    const double n = sizes().dataset;
    for (const Goal& goal : goals) {
      const auto* target = std::get_if<Target>(&goal);
      if (target != nullptr && target->delta > 1 / n)
        std::cerr << "pld: warning: delta " << number_text(target->delta) << " exceeds 1/" << number_text(n)
                  << ": it lets a mechanism publish a record outright\n";
    }
  }

 private:
  struct Sizes {
    double dataset, batch, epochs;
  };
  [[nodiscard]] Sizes sizes() const {
    return {number("dataset-size", dataset_size, true), number("batch", batch, true), number("epochs", epochs, false)};
  }

  /// Rounded up: a round-off above a whole number is no step.
  static double steps(double exact) { return std::ceil(exact * (1 - 1e-15)); }

  /// What the value found leaves where the batches are those of a data set shuffled for every pass instead.
  void say_if_shuffled(std::vector<OpenEntry> entries, double value, const std::vector<Goal>& goals) const {
    Entry& entry = entries.front().entry;
    const auto [n, b, e] = sizes();
    entry.sampling = {{"shuffled", steps(n / b)}};
    entry.count = static_cast<std::int64_t>(e);
    if (entry.count == 0) return;  // of a part of a pass nothing is known from below
    for (const Goal& goal : goals) {
      const auto* target = std::get_if<Target>(&goal);
      if (target == nullptr) continue;
      const double least =
          epsilon(unknown_of(entries, Relation::zero_out).unknown.at(value), {.delta = target->delta}).lower;
      if (least > target->epsilon)
        std::cerr << "pld: note: with batches of a dataset shuffled for every pass epsilon is at least "
                  << text_down(least, 6) << " at delta " << number_text(target->delta)
                  << " (shuffled=" << number_text(entry.sampling.at("shuffled")) << ", zero-out)\n";
    }
  }

  static double number(const char* what, const std::string& text, bool whole) {
    const double value = finite_from_text(text, "calibrate", what);
    if (!(value > 0) || (whole && value != std::floor(value)))
      throw ReadError("calibrate", what, "'" + text + "'", whole ? "a whole number > 0" : "> 0");
    return value;
  }
};

struct CalibrateCommand {
  std::vector<std::string> mechanisms, more_targets;
  std::string epsilon, delta, advantage, fpr, tpr, mu, rho, tolerance = "1e-5", direction = "worst", engine = "auto",
                                                            adjacency = "add-remove", group = "1";
  Training training;
  FilesOption files;
  bool json = false;

  static double number(const std::string& text, const char* what) { return finite_from_text(text, "calibrate", what); }

  static Target target_from(const std::string& pair) {
    const auto comma = pair.find(',');
    if (comma == std::string::npos) throw ReadError("calibrate", "target", "'" + pair + "'", "written EPSILON,DELTA");
    return {number(pair.substr(0, comma), "target's epsilon"), number(pair.substr(comma + 1), "target's delta")};
  }

  [[nodiscard]] std::vector<Goal> goals() const {
    std::vector<Goal> all;
    if (epsilon.empty() != delta.empty()) throw ReadError("calibrate: --epsilon and --delta belong together");
    if (fpr.empty() != tpr.empty()) throw ReadError("calibrate: --fpr and --tpr belong together");
    if (!epsilon.empty()) all.push_back(Target{number(epsilon, "epsilon"), number(delta, "delta")});
    for (const std::string& pair : more_targets) all.push_back(target_from(pair));
    if (!advantage.empty()) all.push_back(Advantage{number(advantage, "advantage")});
    if (!fpr.empty()) all.push_back(TestPower{number(fpr, "fpr"), number(tpr, "tpr")});
    if (!mu.empty()) all.push_back(GaussianDp{number(mu, "mu")});
    if (!rho.empty()) all.push_back(ZeroConcentratedDp{number(rho, "rho")});
    if (all.empty())
      throw ReadError(
          "calibrate: no target: give --epsilon and --delta, --target EPSILON,DELTA, --advantage, --fpr and --tpr, "
          "--mu or --rho");
    return all;
  }

  [[nodiscard]] ExitCode run() const {
    const CalibrateQuery query{.goals = goals(),
                               .tolerance = finite_from_text(tolerance, "calibrate", "tolerance"),
                               .direction = direction_from_text(direction, "calibrate"),
                               .engine = engine_from_text(engine, "calibrate")};
    std::vector<OpenEntry> entries;
    for (const std::string& word : mechanisms) entries.push_back(open_entry_from_text(word, files.access()));
    if (training.given()) training.apply(entries);
    const NamedUnknown unknown = unknown_of(
        entries, Neighbours(relation_from_text(adjacency, "calibrate"), finite_from_text(group, "calibrate", "group")));
    const Stopwatch stopwatch;
    const Calibration found = calibrate(unknown.unknown, query);
    if (training.given()) training.say(entries, found.chosen.value, query.goals);
    if (json) {
      std::cout << answer_json(query, unknown, found, stopwatch.seconds()) << '\n';
    } else {
      print(query, unknown, found, stopwatch.seconds());
    }
    return converged(found.chosen) ? ExitCode::answered : ExitCode::tolerance_not_reached;
  }

  static bool converged(const Trial& trial) {
    return std::all_of(trial.attained.begin(), trial.attained.end(), [](const Attained& one) { return one.converged; });
  }

  static void print_trial(const std::string& name, const Trial& trial, const char* verdict,
                          const CalibrateQuery& query) {
    std::cout << name << " = " << number_text(trial.value) << ' ' << verdict << '\n';
    for (std::size_t i = 0; i < query.goals.size(); ++i) {
      std::cout << "    " << quantity_of(query.goals[i]) << " <= " << at_most(trial.attained[i].value) << ", target "
                << number_text(limit_of(query.goals[i])) << '\n';
    }
  }

  static void print(const CalibrateQuery& query, const NamedUnknown& unknown, const Calibration& found,
                    double seconds) {
    print_trial(unknown.name, found.chosen, "meets the target", query);
    if (found.next) {
      print_trial(unknown.name, *found.next, found.next_fails ? "fails" : "is not proved to meet it", query);
    } else {
      std::cout << "which is the end of the range searched\n";
    }
    std::cout << found.trials << " compositions evaluated in " << number_text(std::round(seconds * 1e4) / 1e4) << " s"
              << (converged(found.chosen) ? "" : ", tolerance " + number_text(query.tolerance) + " not reached")
              << '\n';
  }
};

}  // namespace

void add_calibrate_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<CalibrateCommand>();
  CLI::App* command = app.add_subcommand("calibrate", "smallest noise, largest count or rate that meets a target");
  command->add_option("mechanism", state->mechanisms, "type:key=value,... with one number written as ?")->required();
  command->add_option("--epsilon", state->epsilon, "epsilon of the target");
  command->add_option("--delta", state->delta, "delta of the target");
  command->add_option("--target", state->more_targets, "EPSILON,DELTA: one more target to meet at once")
      ->allow_extra_args(false);
  command->add_option("--advantage", state->advantage, "target: total variation, the largest TPR - FPR of any attack");
  command->add_option("--fpr", state->fpr, "target: false positive rate of an attack ...");
  command->add_option("--tpr", state->tpr, "... whose true positive rate stays below this");
  command->add_option("--mu", state->mu,
                      "target: mu of Gaussian DP over all alphas (that of explain goes down to delta 1e-10)");
  command->add_option("--rho", state->rho, "target: rho of zero-concentrated DP");
  command->add_option("--dataset-size", state->training.dataset_size,
                      "records N of a training run on Poisson samples: q = B/N");
  command->add_option("--expected-batch,--batch", state->training.batch,
                      "mean size B of a Poisson sample (fixed-size batches are words: batch=B,dataset=N)");
  command->add_option("--epochs", state->training.epochs, "passes E over the data: count = E N/B");
  command->add_option("--tolerance", state->tolerance, "relative width asked of delta's brackets")
      ->capture_default_str();
  command->add_option("--direction", state->direction, "worst, remove or add")->capture_default_str();
  command->add_option("--adjacency", state->adjacency, "add-remove, replace-one or zero-out")->capture_default_str();
  command->add_option("--group", state->group, "how many records change at once")->capture_default_str();
  command->add_option("--engine", state->engine, "auto, lattice, contour or closed-form")->capture_default_str();
  state->files.add_to(*command);
  command->add_flag("--json", state->json, "print one JSON object on one line");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
