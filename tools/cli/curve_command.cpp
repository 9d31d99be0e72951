#include <cmath>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "curve.hpp"
#include "formats/fields.hpp"
#include "formats/fresh_file.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "pld/formats/read_error.hpp"
#include "query_options.hpp"

namespace pld::cli {

namespace {

constexpr int most_points = 1'000'000;

struct CurveCommand {
  std::string of = "profile";
  std::string range;
  std::string output;
  bool no_reference = false;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const auto drawn = picture_format(output);
    const bool as_json = !drawn && is_json();
    Curves all{.kind = kind(),
               .range = {},
               .direction = options.direction(),
               .tolerance = options.tolerance(),
               .curves = {},
               .reference = {},
               .observed = {}};
    const ProfileOptions asked{.tolerance = options.tolerance(), .engine = options.engine()};
    std::vector<PrivacyProfile> profiles;
    const auto compositions = options.compositions();
    for (const auto& [name, composition] : compositions) profiles.emplace_back(composition, asked);
    all.range = range.empty() ? default_range(all, profiles) : range_of(range, all.kind);

    ExitCode status = ExitCode::answered;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      all.curves.push_back(curve_of(compositions[i].name, profiles[i], all.kind, all.range, all.direction));
      all.curves.back().composition = compositions[i].composition;
      if (!all.curves.back().converged) status = ExitCode::tolerance_not_reached;
    }
    if (drawn && !no_reference)
      all.reference = gaussian_reference(profiles.front(), all.kind, all.range, all.direction);
    const std::string bytes = drawn ? picture(all, *drawn) : as_json ? json_text(all) : csv_text(all);
    if (output.empty()) {
      std::cout << bytes;
    } else {
      write_file(output, bytes);
    }
    return status;
  }

 private:
  [[nodiscard]] CurveKind kind() const {
    if (of == "profile") return CurveKind::profile;
    if (of == "tradeoff") return CurveKind::trade_off;
    throw not_one_of("curve", "of", of, curve_kind_names());
  }

  /// Whether a text is JSON; else it is CSV.
  [[nodiscard]] bool is_json() const {
    if (output.empty()) return options.json();
    const auto dot = output.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : output.substr(dot);
    if (ending == ".csv" || ending == ".json") return ending == ".json";
    throw ReadError("curve: output is '" + output + "'" + did_you_mean(ending, {".csv", ".json", ".svg", ".png"}) +
                    ", but must end in .csv, .json, .svg or .png");
  }

  /// LO:HI:N. From LO > 0 to 100 LO or more, alphas are spaced evenly on the logarithmic scale.
  [[nodiscard]] static CurveRange range_of(const std::string& text, CurveKind kind) {
    const auto first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw ReadError("curve: range is '" + text + "', but must be LO:HI:N, as in 0:10:201");
    CurveRange r{.low = finite_from_text(text.substr(0, first), "curve", "range"),
                 .high = finite_from_text(text.substr(first + 1, second - first - 1), "curve", "range")};
    const double points = finite_from_text(text.substr(second + 1), "curve", "range");
    if (!(r.low < r.high)) throw ReadError("curve: range is '" + text + "', but LO must be less than HI");
    if (!(points >= 2 && points <= most_points && points == std::floor(points)))
      throw ReadError("curve: range is '" + text + "', but N must be a whole number from 2 to " +
                      number_text(most_points));
    if (kind == CurveKind::trade_off && !(r.low >= 0 && r.high <= 1))
      throw ReadError("curve: range is '" + text + "', but LO and HI must be within 0 and 1 for a trade-off function");
    r.points = static_cast<int>(points);
    r.logarithmic = kind == CurveKind::trade_off && r.low > 0 && r.high >= 100 * r.low;
    return r;
  }

  /// From 0 to where delta of the least private composition has come down to 1e-10; all of [0, 1] for a trade-off
  /// function.
  [[nodiscard]] static CurveRange default_range(const Curves& all, const std::vector<PrivacyProfile>& profiles) {
    CurveRange r{.low = 0, .high = 1, .points = 201};
    if (all.kind == CurveKind::trade_off) return r;
    r.high = 0;
    for (const PrivacyProfile& profile : profiles) {
      double end = profile.epsilon(1e-10, all.direction).estimate;
      if (!std::isfinite(end)) {
        // Beyond the largest finite loss nothing changes any more.
        end = std::fmax(0.0, profile.largest_loss(all.direction).estimate);
        if (!std::isfinite(end)) end = 10;
      }
      r.high = std::fmax(r.high, end);
    }
    // Rounded up to a number with two digits.
    if (!(r.high > 0)) r.high = 1;
    const double unit = std::pow(10, std::floor(std::log10(r.high)) - 1);
    r.high = std::ceil(r.high / unit) * unit;
    return r;
  }
};

}  // namespace

void add_curve_command(CLI::App& app, ExitCode& status) {
  auto state = std::make_shared<CurveCommand>();
  CLI::App* command = app.add_subcommand("curve", "privacy profile or trade-off function, as numbers or a picture");
  command->add_option("--of", state->of, "profile or tradeoff")->capture_default_str();
  command->add_option("--range", state->range, "LO:HI:N, N points of epsilon or alpha");
  command->add_option("--output", state->output, "FILE.csv, .json, .svg or .png; otherwise CSV (or --json) on stdout");
  command->add_flag("--no-reference", state->no_reference, "draw no Gaussian of the same total variation");
  state->options.add_to(*command, "1e-3");
  command->footer("The word 'vs' between mechanisms begins another composition.");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
