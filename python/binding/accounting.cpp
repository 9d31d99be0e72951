#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "accounted.hpp"
#include "arrays.hpp"
#include "bindings.hpp"
#include "formats/query_text.hpp"
#include "pld/account/query.hpp"
#include "pld/formats/answer_line.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld::python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

template <class Query>
Query query_of(double Query::*asked, double value, double tolerance, const std::string& direction,
               const std::string& engine, const char* where) {
  Query query{};
  query.*asked = value;
  query.tolerance = tolerance;
  query.direction = direction_from_text(direction, where);
  query.engine = engine_from_text(engine, where);
  return query;
}

nb::tuple ends(const Bracket& bracket) { return nb::make_tuple(bracket.lower, bracket.estimate, bracket.upper); }

/// What Python makes its answer of: the bracket's ends, then how it came about.
nb::tuple parts(const Answer& answer) {
  nb::object routes = nb::none();
  if (answer.renyi_routes)
    routes = nb::make_tuple(ends(answer.renyi_routes->added_first), ends(answer.renyi_routes->converted_first));
  return nb::make_tuple(answer.lower, answer.estimate, answer.upper, name(answer.direction), name(answer.engine),
                        answer.converged, answer.exact, routes);
}

nb::tuple ask_epsilon(const Accounted& run, double delta, double tolerance, const std::string& direction,
                      const std::string& engine) {
  const auto query = query_of(&EpsilonQuery::delta, delta, tolerance, direction, engine, "epsilon");
  const auto answer = [&] {
    const nb::gil_scoped_release others_run;
    return epsilon(run.composition(), query);
  }();
  return parts(answer);
}

nb::tuple ask_delta(const Accounted& run, double at, double tolerance, const std::string& direction,
                    const std::string& engine) {
  const auto query = query_of(&DeltaQuery::epsilon, at, tolerance, direction, engine, "delta");
  const auto answer = [&] {
    const nb::gil_scoped_release others_run;
    return delta(run.composition(), query);
  }();
  return nb::make_tuple(parts(answer), ends(answer.log_delta));
}

/// Runs `work(i)` for all i < size on `threads` threads, and hears Ctrl-C between pieces. Rethrows what work throws.
template <class Work>
void in_parallel(std::size_t size, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::exception_ptr thrown;
  std::size_t running = std::max(1U, threads);
  std::mutex mutex;
  std::condition_variable done;
  const auto serve = [&] {
    try {
      for (std::size_t i; !stop && (i = next++) < size;) work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!thrown) thrown = std::current_exception();
      stop = true;
    }
    const std::scoped_lock lock(mutex);
    --running;
    done.notify_one();
  };
  bool interrupted = false;
  {
    const nb::gil_scoped_release others_run;
    std::vector<std::jthread> pool;
    for (std::size_t i = running; i > 0; --i) pool.emplace_back(serve);
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
      lock.unlock();
      {
        const nb::gil_scoped_acquire python;
        if (!interrupted && PyErr_CheckSignals() != 0) interrupted = stop = true;
      }
      lock.lock();
    }
    lock.unlock();
  }
  if (interrupted) nb::raise_python_error();
  if (thrown) std::rethrow_exception(thrown);
}

/// Rows lower, estimate, upper and whether converged and exact (1 or 0); a column for each run and its delta.
Table ask_many(const std::vector<const Accounted*>& runs, const Numbers& deltas, double tolerance,
               const std::string& direction, const std::string& engine, unsigned threads) {
  std::vector<std::vector<double>> rows(5, std::vector<double>(runs.size()));
  const auto query = query_of(&EpsilonQuery::delta, 0, tolerance, direction, engine, "epsilon");
  in_parallel(runs.size(), threads, [&](std::size_t i) {
    EpsilonQuery mine = query;
    mine.delta = deltas.data()[i];
    const Answer answer = epsilon(runs[i]->composition(), mine);
    rows[0][i] = answer.lower;
    rows[1][i] = answer.estimate;
    rows[2][i] = answer.upper;
    rows[3][i] = answer.converged;
    rows[4][i] = answer.exact;
  });
  return table_of(rows, runs.size());
}

std::string answer_of_line(std::string_view line) {
  const nb::gil_scoped_release others_run;
  return answer_line(line);
}

/// (name, meaning, source, [(parameter, meaning, accepted, default or None, is a list)], {parameter: example})
nb::list types() {
  nb::list all;
  for (const MechanismType& type : mechanism_types()) {
    nb::list parameters;
    for (const ParameterInfo& p : type.parameters)
      parameters.append(nb::make_tuple(p.name, p.meaning, p.accepted, p.default_value, p.is_list));
    nb::dict example;
    for (const auto& [name, value] : type.example.numbers) example[name.c_str()] = value;
    for (const auto& [name, values] : type.example.lists) example[name.c_str()] = values;
    all.append(nb::make_tuple(type.name, type.meaning, type.source, parameters, example));
  }
  return all;
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
  nb::class_<Accounted>(module, "Accounted")
      .def_static("of", &Accounted::of, "type"_a, "numbers"_a, "lists"_a, "sampling"_a, "count"_a, "adjacency"_a)
      .def_static("from_json", &Accounted::from_json, "text"_a, "adjacency"_a = "")
      .def_static("from_words", &Accounted::from_words, "words"_a, "adjacency"_a = "")
      .def("plus", &Accounted::plus, "other"_a)
      .def("times", &Accounted::times, "count"_a)
      .def("json", &Accounted::json)
      .def("releases", releases)
      .def("is_exact", [](const Accounted& run) { return run.composition().is_exact(); })
      .def("adjacency", [](const Accounted& run) { return name(run.composition().relation()); })
      .def("epsilon", ask_epsilon, "delta"_a, "tolerance"_a, "direction"_a, "engine"_a)
      .def("delta", ask_delta, "epsilon"_a, "tolerance"_a, "direction"_a, "engine"_a);
  module.def("epsilon_many", ask_many, "runs"_a, "deltas"_a, "tolerance"_a, "direction"_a, "engine"_a, "threads"_a);
  module.def("answer_line", answer_of_line, "line"_a);
  module.def("mechanism_types", types);
}

}  // namespace pld::python
