#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "core/number_text.hpp"
#include "core/outward_text.hpp"
#include "core/printable.hpp"
#include "curve.hpp"
#include "first_given.hpp"
#include "formats/fields.hpp"
#include "formats/near_name.hpp"
#include "formats/read_number.hpp"
#include "formats/training_run.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/readout/trade_off.hpp"
#include "progress.hpp"
#include "query_options.hpp"
#include "sampling/schemes.hpp"
#include "whole_file.hpp"

namespace pld::cli {

namespace {

constexpr int most_points = 1'000'000;

struct CurveCommand {
  std::string of = "profile", against, delta, range, output, x_axis = "auto";
  std::string title, font, size, y_range;
  std::vector<std::string> names;
  bool no_reference = false;
  QueryOptions options;

  [[nodiscard]] ExitCode run() const {
    const TimeLimit limit = options.time_limit();
    const auto drawn = picture_format(output);
    const bool as_json = !drawn && is_json();
    if (!drawn) refuse_looks();
    const PictureLook looks = look();
    if (x_axis != "auto" && x_axis != "linear" && x_axis != "log")
      throw not_one_of("curve", "x-axis", x_axis, {"auto", "linear", "log"});
    Curves all = kind() == CurveKind::epsilon ? epsilons() : profiles(drawn.has_value());
    ExitCode status = ExitCode::answered;
    for (std::size_t i = 0; i < all.curves.size(); ++i) {
      if (i < names.size()) all.curves[i].name = names[i];
      if (!all.curves[i].wide.empty()) status = wide(all.curves[i], all.against);
    }
    if (names.size() > all.curves.size())
      throw ReadError(
          "curve", "name", "given " + std::to_string(names.size()) + " times",
          "given at most once for each composition, of which there are " + std::to_string(all.curves.size()));
    if (!as_json) say_direction(all);
    const auto json_line = [&] {
      OrderedJson fields = curve_fields(all);
      fields.update(options.assumed());
      return fields.dump() + '\n';
    };
    const std::string bytes = drawn ? picture(all, *drawn, looks) : as_json ? json_line() : csv_text(all);
    if (output.empty()) {
      std::cout << bytes;
    } else {
      write_whole_file(output, bytes);
      if (options.json()) std::cout << json_line();
    }
    return status;
  }

 private:
  [[nodiscard]] CurveKind kind() const {
    const auto all = curve_kind_names();
    const auto found = std::find(all.begin(), all.end(), of);
    if (found == all.end()) throw not_one_of("curve", "of", of, all);
    return static_cast<CurveKind>(found - all.begin());
  }

  /// Said, as neither a table nor a picture does.
  static void say_direction(const Curves& all) {
    for (const Curve& curve : all.curves) {
      const std::string where = in_one_direction(curve.composition, all.direction);
      if (!where.empty()) std::cerr << "pld: note: " << printable(curve.name) << " is drawn" << where << '\n';
    }
  }

  /// Said, so that exit status 3 has a reason.
  [[nodiscard]] ExitCode wide(const Curve& curve, const std::string& name_of_x) const {
    std::cerr << "pld: curve: tolerance " << number_text(options.tolerance()) << " is not reached by "
              << printable(curve.name) << " at " << curve.wide.size()
              << (curve.wide.size() == 1 ? " point, " : " points, the first ") << name_of_x << ' '
              << number_text(curve.wide.front()) << "; the intervals are certified all the same\n";
    return ExitCode::tolerance_not_reached;
  }

  /// At the middle of the curve, of which the entry is `open` where it is one of epsilons.
  void say_if_shuffled(const Curves& all, const OpenEntry& open) const {
    if (all.curves.size() != 1) return;
    const std::size_t middle = all.curves.front().x.size() / 2;
    const double x = all.curves.front().x[middle];
    const Bracket& y = all.curves.front().y[middle];
    if (all.kind == CurveKind::profile) {
      cli::say_if_shuffled(options.shuffled_instead(), DeltaQuery{.epsilon = x}, y.upper);
    } else if (all.kind == CurveKind::epsilon) {
      cli::say_if_shuffled(options.shuffled_instead(open, x), EpsilonQuery{.delta = all.delta.value_or(x)}, y.upper,
                           all.delta ? ", " + all.against + " " + number_text(x) : "");
    } else if (const auto run = options.shuffled_instead()) {
      const double most = trade_off(run->composition)(x).upper;
      if (most < y.lower) say_shuffled(*run, "beta is at most " + text_up(most, 6), "alpha " + number_text(x));
    }
  }

  /// Profiles and trade-off functions.
  [[nodiscard]] Curves profiles(bool for_picture) const {
    if (!against.empty() || !delta.empty())
      throw ReadError("curve: --against and --delta are for --of epsilon: leave them out");
    Curves all{.kind = kind(),
               .against = kind() == CurveKind::profile ? "epsilon" : "alpha",
               .direction = options.direction(),
               .tolerance = options.tolerance()};
    const auto compositions = options.compositions();
    counting_seconds([&] { draw_profiles(compositions, for_picture, all); });
    say_if_shuffled(all, {});
    return all;
  }

  void draw_profiles(const std::vector<NamedComposition>& compositions, bool for_picture, Curves& all) const {
    std::vector<PrivacyProfile> profiles;
    for (const auto& [name, composition] : compositions)
      profiles.emplace_back(composition, ProfileOptions{.tolerance = all.tolerance, .engine = options.engine()});
    all.range = range.empty() ? default_range(all, profiles) : range_of(range, all);
    const std::vector<double> x = all.range.values();
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      all.curves.push_back(curve_of(compositions[i].name, profiles[i], all.kind, x, all.direction));
      if (!for_picture) continue;
      const std::vector<double> wide = all.curves.back().wide;  // where it was asked for
      all.curves.back() = curve_of(compositions[i].name, profiles[i], all.kind,
                                   refined(all.curves.back(), profiles[i], all.kind, all.direction), all.direction);
      all.curves.back().wide = wide;
    }
    if (for_picture && !no_reference) all.reference = gaussian_reference(profiles.front(), all.kind, x, all.direction);
  }

  /// Epsilon against delta, or against a number of the mechanisms.
  [[nodiscard]] Curves epsilons() const {
    if (against.empty())
      throw ReadError(
          "curve: --of epsilon is drawn --against delta, group, steps, epochs or another number of a mechanism");
    const bool against_delta = against == "delta", against_group = against == "group";
    if (against_delta != delta.empty())
      throw ReadError(against_delta ? "curve: --delta is what epsilon is drawn against: leave it out"
                                    : "curve: --delta is required for --of epsilon --against " + against);
    Curves all{.kind = CurveKind::epsilon,
               .against = against,
               .direction = options.direction(),
               .tolerance = options.tolerance()};
    if (!against_delta) all.delta = finite_from_text(delta, "curve", "delta");
    const EpsilonQuery query{.delta = all.delta.value_or(1),
                             .tolerance = all.tolerance,
                             .direction = all.direction,
                             .engine = options.engine()};
    const Neighbours neighbours = options.asked_neighbours();
    if (against_group && neighbours.group != 1)
      throw ReadError("curve: group is " + std::to_string(neighbours.group) +
                      ", but is what epsilon is drawn against: leave it out");
    auto compositions = options.open_compositions();
    for (NamedEntries& one : compositions) {
      open(one, all);
      options.say_assumed(one);
    }
    if (range.empty() && !against_delta)
      throw ReadError("curve: --range LO:HI:N is required for --of epsilon --against " + against);
    const bool whole = all.range.whole;
    all.range = range_of(range.empty() ? "1e-12:1e-2:101" : range, all);
    all.range.whole = whole;
    if (whole && std::ceil(all.range.low) > std::floor(all.range.high))
      throw ReadError("curve: range is '" + range + "', but must hold a whole number, as " + against + " are");
    const std::vector<double> x = all.range.values();
    Progress progress("epsilons", static_cast<long>(x.size() * compositions.size()));
    for (const NamedEntries& one : compositions) {
      const std::vector<OpenEntry> released = options.selected(one.entries);
      const auto at = [&](double value) {
        return composition_in_range(released, all.against, value,
                                    {neighbours.relation, against_group ? value : neighbours.group});
      };
      const auto count = [&] { progress.count(); };
      all.curves.push_back(against_delta ? epsilon_at_deltas(one.name, at(x.front()), x, query, count)
                                         : epsilon_curve(one.name, at, x, query, count));
    }
    if (!against_group) say_if_shuffled(all, compositions.front().entries.front());
    return all;
  }

  /// The composition at a point of --range, which is named where no mechanism takes it.
  [[nodiscard]] static Composition composition_in_range(const std::vector<OpenEntry>& entries,
                                                        const std::string& name_of_x, double value,
                                                        const AskedNeighbours& asked) {
    try {
      return composition_at(entries, value, asked.neighbours());
    } catch (const DomainError& error) {
      throw ReadError("curve: at " + name_of_x + " " + number_text(value) + " of --range: " + error.what());
    }
  }

  /// Opens the number that epsilon is drawn against: the one written '?', or that of the only mechanism.
  void open(NamedEntries& one, Curves& all) const {
    const bool written = std::any_of(one.entries.begin(), one.entries.end(), is_open);
    if (all.against == "delta" || all.against == "group") {
      if (written)
        throw ReadError("curve: '?' in " + one.name + " is not what epsilon is drawn against, " + all.against);
      all.range.whole = all.against == "group";
      return;
    }
    if (!written) {
      if (one.entries.size() != 1)
        throw ReadError("curve: " + one.name + " is of several mechanisms: write '?' for the number that is " +
                        against);
      one.entries.front() = opened(one.entries.front().entry, against);
    } else {
      require_named(one, all.against);
    }
    for (const OpenEntry& entry : one.entries)
      for (const auto& [name, factor] : entry.open)
        all.range.whole = all.range.whole || is_whole_number(name, entry.entry);
  }

  /// What a number of the entry is called that the word names; nothing where there is none.
  [[nodiscard]] static std::optional<std::string> number_called(const std::string& word, const Entry& entry) {
    try {
      return opened(entry, word).open.begin()->first;
    } catch (const ReadError&) {
      return std::nullopt;
    }
  }

  /// Whether two words name one number: those of a sampling have several.
  [[nodiscard]] static bool is_same_number(const std::string& a, const std::string& b) {
    const SamplingNumber* const number = sampling_number_of_word(a);
    return a == b || (number != nullptr && number == sampling_number_of_word(b));
  }

  /// The numbers that x itself is, as they are written, and whether others are its multiples.
  struct Unknowns {
    std::vector<std::string> words;
    bool multiples = false;
  };

  [[nodiscard]] static Unknowns unknowns_of(const NamedEntries& one) {
    Unknowns out;
    for (const OpenEntry& entry : one.entries) {
      for (const auto& [name, factor] : entry.open) {
        const auto written = entry.words.find(name);
        if (factor == 1)
          out.words.push_back(written == entry.words.end() ? name : written->second);
        else
          out.multiples = true;
      }
    }
    return out;
  }

  /// x is called what it is: a number written '?', or where numbers are its multiples what is no number's name.
  static void require_named(const NamedEntries& one, const std::string& word) {
    bool is_name = false;
    for (const OpenEntry& entry : one.entries) {
      const auto called = number_called(word, entry.entry);
      if (!called) continue;
      for (const auto& [name, factor] : entry.open)
        if (factor == 1 && is_same_number(name, *called)) return;
      is_name = true;
    }
    const Unknowns unknowns = unknowns_of(one);
    if (unknowns.multiples && !is_name) return;
    constexpr const char* free = "a word that is no number's name, of which '?*' are multiples";
    if (unknowns.words.empty()) throw ReadError("curve", "against", "'" + word + "'", free);
    throw ReadError("curve", "against", "'" + word + "'",
                    unknowns.words.front() + ", the number written '?' in " + one.name +
                        (unknowns.multiples ? std::string(", or ") + free : ""));
  }

  [[nodiscard]] static bool is_whole_number(const std::string& name, const Entry& entry) {
    const SamplingNumber* const number = sampling_number_of_word(name);
    return name == "count" || name == "batch" || (number != nullptr && number->whole) ||
           (name == "epochs" && is_by_passes(entry));
  }

  /// Of what is no picture they would say nothing.
  void refuse_looks() const {
    const std::string said = first_given({{"--title", !title.empty()},
                                          {"--font", !font.empty()},
                                          {"--size", !size.empty()},
                                          {"--y-range", !y_range.empty()},
                                          {"--no-reference", no_reference}});
    if (!said.empty())
      throw ReadError("curve: " + said +
                      " is of a picture: name one by --output FILE.svg, .png or .pdf, or leave it out");
  }

  [[nodiscard]] PictureLook look() const {
    PictureLook look{.title = title};
    if (!font.empty()) {
      const auto comma = font.rfind(',');
      look.font = font.substr(0, comma);
      if (comma != std::string::npos) look.font_size = number_in(font.substr(comma + 1), "font's size", 2, 72);
    }
    if (!size.empty()) {
      const auto times = size.find('x');
      look.width = number_in(size.substr(0, times), "size's width", 1, 50);
      if (times != std::string::npos) look.height = number_in(size.substr(times + 1), "size's height", 1, 50);
    }
    if (!y_range.empty()) {
      const auto colon = y_range.find(':');
      if (colon == std::string::npos) throw ReadError("curve", "y-range", "'" + y_range + "'", "LO:HI");
      const double low = finite_from_text(y_range.substr(0, colon), "curve", "y-range");
      const double high = finite_from_text(y_range.substr(colon + 1), "curve", "y-range");
      if (!(low < high)) throw ReadError("curve: y-range is '" + y_range + "', but LO must be less than HI");
      look.y_range = {low, high};
    }
    return look;
  }

  static double number_in(const std::string& text, const char* what, double least, double most) {
    const double value = finite_from_text(text, "curve", what);
    if (!(value >= least && value <= most))
      throw ReadError("curve", what, "'" + text + "'", "from " + number_text(least) + " to " + number_text(most));
    return value;
  }

  /// Whether a text is JSON; else it is CSV.
  [[nodiscard]] bool is_json() const {
    if (output.empty()) return options.json();
    const auto dot = output.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : output.substr(dot);
    if (ending == ".csv" || ending == ".json") return ending == ".json";
    throw ReadError("curve: output is '" + output + "'" +
                    did_you_mean(ending, {".csv", ".json", ".svg", ".png", ".pdf"}) +
                    ", but must end in .csv, .json, .svg, .png or .pdf");
  }

  /// LO:HI:N. From LO > 0 to 100 LO or more, all but the epsilons of a profile are spaced evenly on the logarithmic
  /// scale, unless --x-axis says otherwise.
  [[nodiscard]] CurveRange range_of(const std::string& text, const Curves& all) const {
    const auto first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw ReadError("curve: range is '" + text + "', but must be LO:HI:N, as in 0:10:201");
    CurveRange r{.low = finite_from_text(text.substr(0, first), "curve", "range"),
                 .high = finite_from_text(text.substr(first + 1, second - first - 1), "curve", "range")};
    const double points = finite_from_text(text.substr(second + 1), "curve", "range");
    if (!(r.low < r.high)) throw ReadError("curve: range is '" + text + "', but LO must be less than HI");
    if (!std::isfinite(r.high - r.low))
      throw ReadError("curve: range is '" + text + "', but HI must be no more than 1.79e308 above LO");
    if (!(points >= 2 && points <= most_points && points == std::floor(points)))
      throw ReadError("curve: range is '" + text + "', but N must be a whole number from 2 to " +
                      number_text(most_points));
    const auto kind = all.kind;
    if ((kind == CurveKind::trade_off || all.against == "delta") && !(r.low >= 0 && r.high <= 1))
      throw ReadError("curve: range is '" + text + "', but LO and HI must be within 0 and 1, as every " + all.against);
    r.points = static_cast<int>(points);
    r.logarithmic =
        x_axis == "auto" ? kind != CurveKind::profile && r.low > 0 && r.high >= 100 * r.low : x_axis == "log";
    if (r.logarithmic && !(r.low > 0))
      throw ReadError("curve: range is '" + text + "', but LO must be > 0 on a logarithmic axis");
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
  command->add_option("--of", state->of, "profile (delta of epsilon), tradeoff, or epsilon (--against something)")
      ->capture_default_str();
  command->add_option(
      "--against", state->against,
      "of epsilon: delta, group, steps, epochs, noise_multiplier, rate or another number of a mechanism; of several "
      "mechanisms the number written ?");
  command->add_option("--delta", state->delta, "of epsilon: the delta, in [0, 1]");
  command->add_option("--range", state->range, "LO:HI:N, N points of x");
  command->add_option(
      "--output", state->output,
      "FILE.csv, .json, .svg, .png or .pdf (--json prints as well); without it CSV, or --json, on stdout");
  constexpr const char* look = "A picture";
  command->add_option("--name", state->names, "what a composition is called; once for each, in their order")
      ->allow_extra_args(false)
      ->group(look);
  command->add_option("--title", state->title, "above the picture")->group(look);
  command->add_option("--size", state->size, "WIDTH or WIDTHxHEIGHT in inches (6, and as high as its legend takes)")
      ->group(look);
  command->add_option("--font", state->font, "NAME or NAME,POINTS (Helvetica,8)")->group(look);
  command->add_option("--x-axis", state->x_axis, "auto, linear or log (auto: log from LO > 0 to 100 LO and more)")
      ->capture_default_str()
      ->group(look);
  command->add_option("--y-range", state->y_range, "LO:HI of the y axis")->group(look);
  command->add_flag("--no-reference", state->no_reference, "draw no Gaussian of the same total variation")->group(look);
  state->options.add_to(*command, "1e-3");
  command->footer("The word 'vs' between mechanisms begins another composition.");
  command->callback([state, &status] { status = state->run(); });
}

}  // namespace pld::cli
