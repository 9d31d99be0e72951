#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>

#include "account/directed_run.hpp"
#include "account/engine_refusals.hpp"
#include "account/epsilon_series.hpp"
#include "accounted.hpp"
#include "answers.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "forks.hpp"
#include "formats/answered_query.hpp"
#include "formats/fields.hpp"
#include "formats/mechanism_words.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/training_run.hpp"
#include "listening.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/mechanisms/registry.hpp"
#include "sampling/schemes.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Answers `ask()`. A closed form is found sooner than a thread is started that would let Ctrl-C be heard meanwhile.
template <class Ask>
auto answered(const Composition& run, Engine engine, Ask ask) {
  if (run.is_one_law() && by_closed_form(engine, run_in(run, Direction::remove).terms)) {
    const TimeLimit limit(end_of_limits());
    const AtWork others_run;
    return ask();
  }
  return heard(std::move(ask));
}

nb::tuple ask_epsilon(const Accounted& run, double delta, double tolerance, const std::string& direction,
                      const std::string& engine) {
  const auto query = query_of(&EpsilonQuery::delta, delta, tolerance, direction, engine, "epsilon");
  const Seconds seconds;
  const Answer answer =
      answered(run.composition(), query.engine, [run = run.composition(), query] { return epsilon(run, query); });
  return parts(run, query, delta, answer, seconds);
}

/// The same, and the ends of its logarithm.
nb::tuple ask_delta(const Accounted& run, double at, double tolerance, const std::string& direction,
                    const std::string& engine) {
  const auto query = query_of(&DeltaQuery::epsilon, at, tolerance, direction, engine, "delta");
  const Seconds seconds;
  const DeltaAnswer answer =
      answered(run.composition(), query.engine, [run = run.composition(), query] { return delta(run, query); });
  return nb::steal<nb::tuple>(
      PySequence_Concat(parts(run, query, at, answer, seconds).ptr(), nb::make_tuple(ends(answer.log_delta)).ptr()));
}

/// Runs whose answers are wanted, and where those go. Held by whatever works on them.
struct ManyRuns {
  std::vector<Composition> runs;
  std::vector<double> deltas;
  EpsilonQuery query;
  std::vector<Answer> answers{};
  std::vector<std::size_t> order{};  ///< such that runs that contain each other are neighbours, the largest first
  std::size_t piece = 1;             ///< as many neighbours go to one thread at a time

  std::atomic<std::size_t> next = 0, done = 0;
  std::atomic<bool> stopped = false;
};

/// What equal mechanisms are told by, however often they are released.
std::string mechanisms_of(const Composition& run) {
  std::vector<std::string> texts{name(run.relation())};
  for (const Release& release : run.releases()) texts.push_back(release.mechanism.text());
  std::sort(texts.begin() + 1, texts.end());
  std::string all;
  for (const std::string& text : texts) all += text + '\n';
  return all;
}

void sort_by_containment(ManyRuns& many) {
  struct Place {
    std::string mechanisms;
    double steps = 0, delta = 0;
    std::size_t index = 0;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < many.runs.size(); ++i) {
    Place place{.mechanisms = mechanisms_of(many.runs[i]), .delta = many.deltas[i], .index = i};
    for (const Release& release : many.runs[i].releases()) place.steps += static_cast<double>(release.count);
    places.push_back(std::move(place));
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tuple(a.mechanisms, -a.steps, a.delta, a.index) < std::tuple(b.mechanisms, -b.steps, b.delta, b.index);
  });
  for (const Place& place : places) many.order.push_back(place.index);
}

void serve(ManyRuns& many) {
  try {
    while (!many.stopped) {
      const std::size_t first = many.next.fetch_add(many.piece);
      if (first >= many.order.size()) return;
      EpsilonSeries series(many.query);
      for (std::size_t i = first; i < std::min(first + many.piece, many.order.size()) && !many.stopped; ++i) {
        const std::size_t at = many.order[i];
        many.answers[at] = series.at(many.runs[at], many.deltas[at]);
        ++many.done;
        Working::pause();
      }
    }
  } catch (...) {
    many.stopped = true;
    throw;
  }
}

/// Rows lower, estimate, upper and whether converged and exact (1 or 0); a column for each run and its delta.
/// `progress`, or None, is told how many more are done, about twenty times a second.
Table ask_many(const std::vector<const Accounted*>& runs, const Numbers& deltas, double tolerance,
               const std::string& direction, const std::string& engine, unsigned threads, const nb::object& progress) {
  const auto many = std::make_shared<ManyRuns>();
  for (const Accounted* run : runs) many->runs.push_back(run->composition());
  many->deltas = vector_of(deltas);
  many->query = query_of(&EpsilonQuery::delta, 0, tolerance, direction, engine, "epsilon");
  many->answers.resize(runs.size());
  sort_by_containment(*many);
  const std::size_t pool = std::max(1U, threads);
  many->piece = std::clamp<std::size_t>(runs.size() / (8 * pool), 1, 512);

  Listening listening;
  for (std::size_t i = 0; i < std::min(pool, runs.size()); ++i) listening.start([many] { serve(*many); });
  std::size_t told = 0;
  listening.wait([&] { many->stopped = true; },
                 [&] {
                   const std::size_t done = many->done;
                   if (!progress.is_none() && done > told) progress(done - told);
                   told = done;
                 });

  std::vector<std::vector<double>> rows(5);
  for (const Answer& answer : many->answers) {
    rows[0].push_back(answer.lower);
    rows[1].push_back(answer.estimate);
    rows[2].push_back(answer.upper);
    rows[3].push_back(answer.converged);
    rows[4].push_back(answer.exact);
  }
  return table_of(rows, runs.size());
}

/// The answer to a query as `pld batch` reads them.
std::string answer_to(std::string_view query) {
  return heard([query = std::string(query)] { return answered_query(strict_json(query), FileAccess::allowed).dump(); });
}

/// (name, meaning, source, [(parameter, meaning, accepted, default or None, is a list)], {parameter: example},
/// {another word for a parameter: the parameter})
nb::list types() {
  nb::list all;
  for (const MechanismType& type : mechanism_types()) {
    nb::list parameters;
    for (const ParameterInfo& p : type.parameters)
      parameters.append(nb::make_tuple(p.name, p.meaning, p.accepted, p.default_value, p.is_list));
    nb::dict example;
    for (const auto& [name, value] : type.example.numbers) example[name.c_str()] = value;
    for (const auto& [name, values] : type.example.lists) example[name.c_str()] = values;
    nb::dict others;
    for (const std::string& word : keys_in_text(type))
      if (const std::string plain = plain_key(type, word); plain != word) others[word.c_str()] = plain;
    all.append(nb::make_tuple(type.name, type.meaning, type.source, parameters, example, others));
  }
  return all;
}

/// {field in JSON: the word for it} of the numbers of samplings
nb::dict sampling_words() {
  nb::dict words;
  for (const SamplingNumber& number : sampling_numbers()) words[number.field.c_str()] = number.words.back();
  return words;
}

/// Throws unless it is a word of the type; neighbours are named among them here.
void require_word(const std::string& type, const std::string& word) {
  require_known_word(word, mechanism_type(type, "mechanism '" + type + "'"), {"adjacency"});
}

/// The words for shares of the data.
nb::list sampling_shares() {
  nb::list words;
  for (const SamplingNumber& number : sampling_numbers())
    if (!number.whole)
      for (const std::string& word : number.words) words.append(word);
  return words;
}

// A selection composes the run of which the best is taken: that may take long, here and where such a ledger is read.

Accounted read(std::string_view text, const std::string& adjacency, bool files) {
  const FileAccess access = files ? FileAccess::allowed : FileAccess::forbidden;
  return heard([text = std::string(text), adjacency, access] { return Accounted::from_json(text, adjacency, access); });
}

Accounted in_groups(const Accounted& run, double records) {
  return heard([run, records] { return run.in_groups(records); });
}

Accounted best_of(const Accounted& run, const std::string& tries) {
  return heard([run, tries] { return run.best_of(tries); });
}

/// (text, what it is accounted for as, count, whether its pair is attained together) of each release.
nb::list releases(const Accounted& run) {
  nb::list all;
  for (const Release& r : run.composition().releases()) {
    const Law& law = r.mechanism.law();
    all.append(nb::make_tuple(r.mechanism.text(), law.text, r.count, law.kind.attained == Attainment::together));
  }
  return all;
}

}  // namespace

void bind_accounting(nb::module_& module) {
  using others_run = nb::call_guard<AtWork>;
  nb::class_<AnswerText>(module, "AnswerText").def("__str__", [](const AnswerText& text) { return text.written(); });
  nb::class_<Accounted>(module, "Accounted")
      .def_static("from_json", read, "text"_a, "adjacency"_a = "", "files"_a = true)
      .def_static("from_words", &Accounted::from_words, "words"_a, "adjacency"_a = "add-remove", others_run())
      .def_static("sum", &Accounted::sum, "parts"_a, others_run())
      .def("require_composable", &Accounted::require_composable, "other"_a)
      .def("times", &Accounted::times, "count"_a, others_run())
      .def("assuming", &Accounted::assuming, "sampler"_a)
      .def("assumed_sampler", &Accounted::assumed_sampler)
      .def("json", &Accounted::json, others_run())
      .def("releases", releases)
      .def("is_exact", [](const Accounted& run) { return run.composition().is_exact(); })
      .def("has_worst_neighbours", [](const Accounted& run) { return run.composition().has_worst_neighbours(); })
      .def("is_only_guaranteed", [](const Accounted& run) { return run.composition().is_only_guaranteed(); })
      .def("adjacency", [](const Accounted& run) { return name(run.composition().relation()); })
      .def("group", [](const Accounted& run) { return run.composition().neighbours().group; })
      .def("in_groups", in_groups, "records"_a)
      .def("best_of", best_of, "tries"_a)
      .def("epsilon", ask_epsilon, "delta"_a, "tolerance"_a, "direction"_a, "engine"_a)
      .def("delta", ask_delta, "epsilon"_a, "tolerance"_a, "direction"_a, "engine"_a);
  module.def("epsilon_many", ask_many, "runs"_a, "deltas"_a, "tolerance"_a, "direction"_a, "engine"_a, "threads"_a,
             "progress"_a.none());
  module.def("answer", answer_to, "query"_a);
  module.def(
      "count_from_text",
      [](const std::string& text) {
        return count_from_number(finite_from_text(text, "composition", "count"), "composition", text);
      },
      "text"_a);
  module.def(
      "factor_from_text", [](const std::string& text) { return factor_from_text(text, "composition", "factor"); },
      "text"_a);
  module.def("mechanism_types", types);
  module.def("sampler_names", sampler_names);
  module.def("sampling_words", sampling_words);
  module.def("text_words", text_words);
  module.def("require_word", require_word, "type"_a, "word"_a);
  module.def(
      "did_you_mean",
      [](const std::string& given, const std::vector<std::string>& accepted) { return did_you_mean(given, accepted); },
      "given"_a, "accepted"_a);
  module.def("sampling_shares", sampling_shares);
}

}  // namespace pld::python
