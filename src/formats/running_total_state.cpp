#include "pld/formats/running_total_state.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "account/running_total_state.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/composition_fields.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Json = nlohmann::json;

constexpr int version = 3;
constexpr const char* in_total = "running total";

bool reads_back(const Mechanism& mechanism) {
  try {
    return release_of(entry_from_text(mechanism.text())).mechanism.text() == mechanism.text();
  } catch (const std::exception&) {
    return false;
  }
}

Json measure_json(const LatticeMeasure& m) {
  return {{"spacing", m.spacing},
          {"origin", m.origin},
          {"first", m.first},
          {"weights", m.weights},
          {"log_scale", m.log_scale},
          {"slack", m.slack},
          {"pointwise", m.pointwise},
          {"position_error", m.position_error},
          {"log_scale_error", m.log_scale_error}};
}

Json total_json(const LatticeTotal& total) {
  Json blocks = Json::array();
  for (const TotalBlock& block : total.blocks)
    blocks.push_back(
        {{"upper", measure_json(block.upper)}, {"lower", measure_json(block.lower)}, {"batches", block.batches}});
  return {{"blocks", blocks},
          {"log_finite", total.log_finite},
          {"log_finite_roundings", total.log_finite_roundings},
          {"cut_mass", total.cut_mass}};
}

double checked(const Json& object, const char* field, bool accepted(double), const char* rule) {
  const double value = number_field(object, field, in_total);
  if (!accepted(value)) throw ReadError(in_total, field, std::to_string(value), rule);
  return value;
}
double finite(const Json& object, const char* field) {
  return checked(
      object, field, [](double x) { return std::isfinite(x); }, "a finite number");
}
/// An error bound: infinite is one.
double error(const Json& object, const char* field) {
  return checked(
      object, field, [](double x) { return x >= 0; }, "a number from 0 on");
}
std::int64_t whole(const Json& object, const char* field) {
  if (!object.contains(field) || !object[field].is_number_integer())
    throw ReadError(in_total, field, "no whole number", "one");
  return object[field].get<std::int64_t>();
}

LatticeMeasure measure_from(const Json& object, double tilt) {
  require_object(
      object,
      {"spacing", "origin", "first", "weights", "log_scale", "slack", "pointwise", "position_error", "log_scale_error"},
      in_total);
  LatticeMeasure m;
  m.tilt = tilt;
  m.spacing = checked(
      object, "spacing", [](double x) { return x > 0 && std::isfinite(x); }, "a finite number > 0");
  m.origin = finite(object, "origin");
  m.first = whole(object, "first");
  m.log_scale = finite(object, "log_scale");
  m.slack = error(object, "slack");
  m.pointwise = error(object, "pointwise");
  m.position_error = error(object, "position_error");
  m.log_scale_error = error(object, "log_scale_error");
  for (const Json& weight : array_field(object, "weights", in_total)) {
    if (!weight.is_number() || !(weight.get<double>() >= 0 && std::isfinite(weight.get<double>())))
      throw ReadError(in_total, "weight", weight.dump().substr(0, 40), "a finite number from 0 on");
    m.weights.push_back(weight.get<double>());
  }
  const double lowest = m.position(m.first);
  if (!(std::fabs(lowest) + m.spacing * static_cast<double>(m.weights.size()) < infinity))
    throw ReadError(in_total, "first", std::to_string(m.first), "of finite losses");
  return m;
}

LatticeTotal total_from(const Json& object, double tilt) {
  require_object(object, {"blocks", "log_finite", "log_finite_roundings", "cut_mass"}, in_total);
  LatticeTotal total;
  total.log_finite = checked(
      object, "log_finite", [](double x) { return x <= 0; }, "a number up to 0");
  total.log_finite_roundings = error(object, "log_finite_roundings");
  total.cut_mass = error(object, "cut_mass");
  for (const Json& block : array_field(object, "blocks", in_total)) {
    require_object(block, {"upper", "lower", "batches"}, in_total);
    if (!block.contains("upper") || !block.contains("lower"))
      throw ReadError(in_total, "block", "incomplete", "of two measures");
    total.blocks.push_back(
        {measure_from(block["upper"], tilt), measure_from(block["lower"], tilt), whole(block, "batches")});
  }
  if (total.blocks.empty()) throw ReadError(in_total, "blocks", "empty", "one or more");
  return total;
}

Json gaussians_json(const JoinedGaussians& joined) {
  return {{"sum", joined.squared_mu.sum()}, {"carry", joined.squared_mu.carry()}, {"terms", joined.terms}};
}

JoinedGaussians gaussians_from(const Json& object) {
  require_object(object, {"sum", "carry", "terms"}, in_total);
  JoinedGaussians joined;
  const double sum = checked(
      object, "sum", [](double x) { return x >= 0 && std::isfinite(x); }, "a finite number from 0 on");
  const double carry = finite(object, "carry");
  if (!(std::fabs(carry) <= 1e-6 * sum))
    throw ReadError(in_total, "carry", std::to_string(carry), "small beside the sum");
  joined.squared_mu = {sum, carry};
  joined.terms = checked(
      object, "terms", [](double x) { return x >= 0 && x < 1e15 && x == std::floor(x); }, "a whole number from 0 on");
  return joined;
}

Json cells_json(const ReleaseCells& cells) {
  Json families = Json::array();
  for (const auto& [name, family] : cells.families()) {
    Json boxes = Json::array();
    for (const auto& [box, cell] : family.cells)
      boxes.push_back({{"least", cell.least}, {"largest", cell.largest}, {"count", cell.count}});
    families.push_back({{"member", family.member.text()}, {"cells", boxes}});
  }
  return {{"level", cells.level()}, {"families", families}};
}

Mechanism mechanism_from(const Json& object, const char* field) {
  return release_of(entry_from_text(text_field(object, field, in_total), FileAccess::forbidden)).mechanism;
}

ReleaseCells cells_from(const Json& object, const Neighbours& neighbours) {
  require_object(object, {"level", "families"}, in_total);
  ReleaseCells cells;
  cells.widen_to(static_cast<int>(checked(
      object, "level", [](double x) { return x >= 0 && x <= ReleaseCells::most_level && x == std::floor(x); },
      "from 0 to 26")));
  for (const Json& family : array_field(object, "families", in_total)) {
    require_object(family, {"member", "cells"}, in_total);
    const Mechanism member = mechanism_from(family, "member").under(neighbours);
    for (const Json& cell : array_field(family, "cells", in_total)) {
      require_object(cell, {"least", "largest", "count"}, in_total);
      cells.add(member, {numbers_field(cell, "least", in_total), numbers_field(cell, "largest", in_total),
                         whole(cell, "count")});
    }
  }
  return cells;
}

RunningTotalState state_from(const Json& object) {
  require_object(
      object,
      {"pld-running-total", "adjacency", "group", "grid", "listed", "gaussians", "cells", "remove", "add", "exact"},
      in_total);
  if (number_field(object, "pld-running-total", in_total) != version)
    throw ReadError(in_total, "version", object["pld-running-total"].dump(), std::to_string(version));
  const Json grid = object.value("grid", Json());
  require_object(grid, {"tilt", "spacing", "log_cut", "log_negligible"}, in_total);
  const Neighbours neighbours = neighbours_fields(object, in_total);
  RunningTotalState state;
  state.listed = Composition(neighbours);
  state.grid = {finite(grid, "tilt"), finite(grid, "spacing"), finite(grid, "log_cut"), finite(grid, "log_negligible")};
  for (const Json& release : array_field(object, "listed", in_total)) {
    require_object(release, {"mechanism", "count"}, in_total);
    state.listed.add(mechanism_from(release, "mechanism"),
                     count_from_number(number_field(release, "count", in_total), in_total));
  }
  state.gaussians = gaussians_from(object.value("gaussians", Json()));
  state.cells = cells_from(object.value("cells", Json()), neighbours);
  if (object.contains("remove")) {
    state.remove = total_from(object["remove"], state.grid.tilt);
    state.on_lattice = true;
    const Json exact = object.value("exact", Json());
    if (!exact.is_boolean()) throw ReadError(in_total, "exact", exact.dump(), "true or false");
    state.exact_on_lattice = exact.get<bool>();
    if (object.contains("add")) state.add = total_from(object["add"], state.grid.tilt);
  }
  return state;
}

}  // namespace

std::string running_total_bytes(const RunningTotal& total) {
  const RunningTotalState& state = total.state();
  const auto& releases = state.listed.releases();
  const auto& families = state.cells.families();
  if (!std::all_of(releases.begin(), releases.end(), [](const Release& r) { return reads_back(r.mechanism); }) ||
      !std::all_of(families.begin(), families.end(),
                   [](const auto& family) { return reads_back(family.second.member); })) {
    RunningTotal folded = total;
    folded.fold();
    return running_total_bytes(folded);
  }
  const TotalGrid& grid = state.grid;
  Json out{{"pld-running-total", version},
           {"adjacency", name(state.listed.relation())},
           {"gaussians", gaussians_json(state.gaussians)},
           {"cells", cells_json(state.cells)},
           {"grid",
            {{"tilt", grid.tilt},
             {"spacing", grid.spacing},
             {"log_cut", grid.log_cut},
             {"log_negligible", grid.log_negligible}}},
           {"listed", Json::array()}};
  if (state.listed.neighbours().group != 1) out["group"] = state.listed.neighbours().group;
  for (const Release& release : releases)
    out["listed"].push_back({{"mechanism", release.mechanism.text()}, {"count", release.count}});
  if (state.on_lattice) out["remove"] = total_json(state.remove), out["exact"] = state.exact_on_lattice;
  if (state.add) out["add"] = total_json(*state.add);
  const std::vector<std::uint8_t> bytes = Json::to_cbor(out);
  return {bytes.begin(), bytes.end()};
}

RunningTotal running_total_from_bytes(std::string_view bytes) {
  const StandardArithmetic arithmetic;
  try {
    return RunningTotal(state_from(Json::from_cbor(bytes.begin(), bytes.end())));
  } catch (const Json::parse_error& error) {
    throw ReadError(std::string(in_total) + ": byte " + std::to_string(error.byte) + " of " +
                    std::to_string(bytes.size()) + " is not what follows in a saved one");
  } catch (const Json::exception&) {
    throw ReadError(std::string(in_total) + ": a part has not the form of a saved one");
  } catch (const DomainError& error) {
    throw ReadError(std::string(in_total) + ": " + error.what());
  }
}

}  // namespace pld
