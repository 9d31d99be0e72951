#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "chart.hpp"
#include "core/number_text.hpp"
#include "core/printable.hpp"
#include "curve.hpp"
#include "gnuplot/gnuplot.hpp"
#include "pdf_title.hpp"

namespace pld::cli {
namespace {

/// Told apart on a screen, in print and by the colour-blind (Okabe and Ito 2008), and by their dashes in grey: 36 of
/// them.
constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"};
constexpr const char* dashes[] = {"1", "(12,3)", "(4,2)", "(12,3,3,3)", "(2,2)", "(12,3,3,3,3,3)"};
const char* colour(std::size_t curve) { return colours[curve % std::size(colours)]; }
const char* dash(std::size_t curve) { return dashes[(curve + curve / std::size(colours)) % std::size(dashes)]; }

/// What is drawn: delta or type II error, or the power where alpha runs over a logarithmic scale.
const std::vector<Bracket>& drawn(const Curves& all, const Curve& curve) {
  return all.kind == CurveKind::trade_off && all.range.logarithmic ? curve.power : curve.y;
}

bool logarithmic_y(const Curves& all) {
  return all.kind == CurveKind::profile || (all.kind == CurveKind::trade_off && all.range.logarithmic);
}

/// What is proved, which is drawn: of an exact curve any of its bracket.
double Bracket::*proved_end(const Curves& all, const Curve& curve) {
  if (curve.exact) return &Bracket::estimate;
  return &drawn(all, curve) == &curve.y && all.kind == CurveKind::trade_off ? &Bracket::lower : &Bracket::upper;
}

/// Of what only dominates the legend says on which side of the line the truth is.
std::string legend(const Curves& all, const Curve& curve) {
  if (curve.exact) return curve.name;
  return curve.name + (proved_end(all, curve) == &Bracket::lower ? " (at least)" : " (at most)");
}

/// Least and largest of what is drawn and has a place on its axis.
std::pair<double, double> extent(const Curves& all) {
  std::pair<double, double> ends{infinity, -infinity};
  for (const Curve& curve : all.curves)
    for (const Bracket& y : drawn(all, curve)) {
      const double value = y.*proved_end(all, curve);
      if (!std::isfinite(value) || (logarithmic_y(all) && !(value > 1e-300))) continue;
      ends = {std::fmin(ends.first, value), std::fmax(ends.second, value)};
    }
  return ends;
}

/// A band narrower than a line's width is not drawn.
bool band_visible(const Curves& all, const Curve& curve) {
  if (!curve.exact) return false;
  const auto [least, largest] = extent(all);
  for (const Bracket& b : drawn(all, curve)) {
    const double height = logarithmic_y(all) ? (b.lower > 0 ? std::log10(b.upper / b.lower) / 10 : b.upper > 0)
                                             : b.width() / (largest - least);
    if (height > 0.002) return true;
  }
  return false;
}

/// Whether two curves are one line on paper.
bool coincide(const Curves& all, const Curve& a, const Curve& b) {
  const auto [least, largest] = extent(all);
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    const auto at = std::lower_bound(a.x.begin(), a.x.end(), b.x[i]);
    if (at == a.x.end() || *at != b.x[i]) return false;
    const double one = drawn(all, a)[static_cast<std::size_t>(at - a.x.begin())].estimate;
    const double other = drawn(all, b)[i].estimate;
    const double apart =
        logarithmic_y(all) ? std::log10(one / other) / std::log10(largest / least) : (one - other) / (largest - least);
    if (std::fabs(apart) > 0.001) return false;  // of the axis: less than a line's width
  }
  return true;
}

/// Decades from the one below `low` to the one above `high`: labels at every one, or every so many with a mark at those
/// between; marks at 2 to 9 only where each decade has its label.
std::string decade_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  constexpr int steps[] = {1, 2, 5, 10, 20, 50, 100};
  const int step =
      *std::find_if(std::begin(steps), std::end(steps) - 1, [&](int s) { return (last - first) / s <= 7; });
  std::string text;
  const auto tick = [&](const std::string& label, const std::string& at, int level) {
    text += (text.empty() ? "(" : ", ") + ("\"" + label + "\" " + at) + " " + std::to_string(level);
  };
  for (int decade = first; decade <= last; ++decade) {
    const std::string power = std::to_string(decade);
    const bool labelled = decade % step == 0;
    tick(labelled ? "10^{" + power + "}" : "", "1e" + power, labelled ? 0 : 1);
    for (int digit = 2; step == 1 && digit <= 9; ++digit) tick("", std::to_string(digit) + "e" + power, 1);
  }
  return text + ")";
}

/// A name in lines of so many characters, broken after a word or a comma where that is possible.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::string rest = text; !rest.empty();) {
    std::size_t end = rest.size();
    if (end > width) {
      const auto at = rest.find_last_of(" ,", width - 1);
      end = at == std::string::npos || at < width / 3 ? width : at + 1;
      while (end > 1 && (static_cast<unsigned char>(rest[end]) & 0xC0) == 0x80) --end;  // no character in two halves
    }
    lines.push_back(rest.substr(0, end));
    rest.erase(0, end);
  }
  return lines;
}

/// What an axis says of a number.
std::string axis_label(const std::string& against) {
  static const std::map<std::string, std::string> known{{"count", "steps"},
                                                        {"sigma", "σ"},
                                                        {"noise_multiplier", "noise multiplier σ"},
                                                        {"q", "sampling rate q"},
                                                        {"rate", "sampling rate"},
                                                        {"poisson", "sampling rate q"},
                                                        {"delta", "δ"},
                                                        {"wor", "share of the data in a batch"}};
  const auto found = known.find(against);
  return found == known.end() ? against : found->second;
}

/// A line of the legend beside which nothing is drawn.
constexpr const char* only_text = "keyentry with lines lc bgnd title ";

class Script {
 public:
  Script(const Curves& all, PictureFormat format, const PictureLook& look) : all_(all), look_(look) {
    text_.precision(17);
    write_legend();
    if (legend_height() > most_of_it * height() || longest_note > characters()) compact_ = true, write_legend();
    terminal(format);
    for (std::size_t i = 0; i < all.curves.size(); ++i) data("curve" + std::to_string(i), all.curves[i]);
    if (all.reference) data("reference", *all.reference);
    observed();
    axes();
    plots();
  }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  /// As many as fit beside the axis and a line's sample, at the mean width of a character.
  [[nodiscard]] std::size_t characters() const {
    if (compact_)
      return static_cast<std::size_t>(std::fmax(20, (72 * look_.width - 5 * key_font()) / (0.57 * key_font())));
    const bool square = all_.kind == CurveKind::trade_off && !all_.range.logarithmic;
    const double points = 72 * look_.width * (square ? 0.7 : 1) - (square ? 7 : 11) * look_.font_size;
    return static_cast<std::size_t>(std::fmax(20, points / (0.57 * look_.font_size)));
  }

  /// More of a picture's height than this is too much for a legend, and so is a note that does not fit beside the axis:
  /// it is then smaller, shorter and as wide as the picture.
  static constexpr double most_of_it = 0.35;
  static constexpr std::size_t longest_note = 33;
  [[nodiscard]] double key_font() const { return (compact_ ? 0.8 : 1) * look_.font_size; }
  [[nodiscard]] double legend_height() const {
    return 1.4 * key_font() / 72 * static_cast<double>(legend_lines() + (compact_ ? 0 : notes_));
  }
  [[nodiscard]] std::size_t legend_lines() const {
    std::size_t lines = reference_.size();
    for (const auto& one : legends_) lines += one.size();
    return lines;
  }

  void write_legend() {
    legends_.clear();
    for (const Curve& curve : all_.curves) legends_.push_back(lines_of(legend(all_, curve), characters()));
    if (!all_.reference || coincide(all_, all_.curves.front(), *all_.reference)) return;
    std::string name = all_.reference->name;
    if (!compact_)
      name += std::string(", of the same total variation") + (all_.curves.size() > 1 ? " as the first" : "");
    reference_ = lines_of(name, characters());
  }

  /// Four inches, and a line's height for each line of the legend beyond three.
  [[nodiscard]] double height() const {
    const std::size_t lines = legend_lines();
    const double more = lines > 3 ? static_cast<double>(lines - 3) : 0;
    return look_.height.value_or(look_.width * 2 / 3 + more * 1.25 * look_.font_size / 72);
  }

  void terminal(PictureFormat format) {
    key_scale_ = format == PictureFormat::svg ? 150 / 72. : (format == PictureFormat::png ? 300 : 72) / 96.;
    const auto font = [&](double scale) {
      return " font " +
             gnuplot::quoted(look_.font + "," + number_text(std::round(100 * scale * look_.font_size) / 100));
    };
    text_ << "set terminal ";
    switch (format) {
      case PictureFormat::svg:  // 150 pixels an inch
        text_ << "svg size " << std::round(150 * look_.width) << ',' << std::round(150 * height()) << font(150 / 72.)
              << " background \"white\"\n";
        break;
      case PictureFormat::png:  // 300, as print takes; a font's points are of 96 an inch
        text_ << "pngcairo size " << std::round(300 * look_.width) << ',' << std::round(300 * height())
              << " linewidth 2" << font(300 / 96.) << "\n";
        break;
      case PictureFormat::pdf:  // likewise of 96
        text_ << "pdfcairo size " << look_.width << "in," << height() << "in fontscale 1 linewidth 0.9"
              << font(72 / 96.) << "\n";
        break;
    }
    if (look_.title.empty()) return;
    text_ << (compact_ ? "set label " : "set title ") << gnuplot::quoted(look_.title) << " noenhanced";
    if (compact_)  // above the legend
      text_ << " center at screen 0.5,screen " << 1 - (0.03 + 0.7 * look_.font_size / 72) / height();
    text_ << "\n";
  }

  void data(const std::string& name, const Curve& curve) {
    text_ << "$" << name << " << EOD\n";
    const auto& y = drawn(all_, curve);
    bool drawing = false;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const bool point = std::isfinite(y[i].upper) && (!logarithmic_y(all_) || y[i].upper > 1e-300);
      if (!point) {
        // Beyond the largest loss a profile is 0: its line goes down to the axis.
        const bool ends = drawing && all_.kind == CurveKind::profile;
        text_ << (ends ? number_text(curve.x[i]) + " 1e-300 1e-300 1e-300\n" : "\n");
        drawing = false;
        continue;
      }
      drawing = true;
      const double floor = logarithmic_y(all_) ? 1e-300 : 0;
      text_ << curve.x[i] << ' ' << std::fmax(floor, y[i].lower) << ' '
            << std::fmax(floor, y[i].*proved_end(all_, curve)) << ' ' << y[i].upper << '\n';
    }
    text_ << "EOD\n";
  }

  void observed() {
    text_ << "$observed << EOD\n";
    for (const ObservedRates& rates : all_.observed)
      text_ << std::fmax(rates.false_positives, all_.range.low) << ' ' << rates.true_positives << '\n';
    text_ << "EOD\n";
  }

  /// Above the axes; a compact one from the picture's left edge on, whose place is kept free for it.
  [[nodiscard]] std::string key() const {
    const std::string look = " vertical maxcols 1 Left reverse spacing 1.2 ";
    if (!compact_) return "set key noenhanced tmargin left" + look + "samplen 4\n";
    const double title = look_.title.empty() ? 0 : 1.5 * look_.font_size / 72, top = 1 - (0.03 + title) / height();
    return "set key noenhanced at screen 0.02," + number_text(top) + " left top" + look + "samplen 2.5 font \"," +
           number_text(key_scale_ * key_font()) + "\"\nset tmargin at screen " +
           number_text(top - (legend_height() + 0.05) / height()) + "\n";
  }

  void axes() {
    text_ << "set encoding utf8\nset border 3 lw 1.2\nset tics nomirror out scale 0.7,0.4\nset grid lt 1 lc rgb "
             "\"#d0d0d0\" lw 0.7\n"
          << key() << "set xrange [" << all_.range.low * (all_.range.logarithmic ? 1 - 1e-9 : 1) << ':'
          << all_.range.high << "]\n";  // a mark right at the end of a logarithmic axis may be rounded out of it
    if (all_.range.logarithmic)
      text_ << "set logscale x\nset xtics " << decade_ticks(all_.range.low, all_.range.high) << "\n";
    const auto [bottom, top] = y_range();
    if (bottom < top) text_ << "set yrange [" << bottom << ':' << top << "]\n";
    if (logarithmic_y(all_)) text_ << "set logscale y\nset ytics " << decade_ticks(bottom, top) << "\n";
    if (all_.kind == CurveKind::profile) {
      text_ << "set xlabel \"ε\"\nset ylabel \"δ(ε)\"\n";
    } else if (all_.kind == CurveKind::epsilon) {
      text_ << "set xlabel " << gnuplot::quoted(axis_label(all_.against)) << "\nset ylabel "
            << gnuplot::quoted(all_.delta ? "ε at δ = " + number_text(*all_.delta) : "ε(δ)") << "\n";
    } else if (all_.range.logarithmic) {
      text_ << "set xlabel \"false positive rate α\"\nset ylabel \"true positive rate 1 − f(α)\"\n";
    } else {
      text_ << "set xlabel \"type I error α\"\nset ylabel \"type II error f(α)\"\n";
      if (all_.range.low == 0 && all_.range.high == 1 && !look_.y_range) text_ << "set size ratio 1\n";
    }
  }

  /// That asked for, or whole decades, or all from 0 on.
  [[nodiscard]] std::pair<double, double> y_range() const {
    if (look_.y_range && !(logarithmic_y(all_) && !(look_.y_range->first > 0))) return *look_.y_range;
    const auto [least, largest] = extent(all_);
    if (all_.kind == CurveKind::trade_off && !all_.range.logarithmic) return {0, 1};
    if (!(least <= largest)) return logarithmic_y(all_) ? std::pair(1e-10, 1.0) : std::pair(0.0, 1.0);
    const auto decade = [](double value, auto rounded) { return std::pow(10, rounded(std::log10(value))); };
    const auto up = [](double x) { return std::ceil(x - 1e-9); };
    const auto down = [](double x) { return std::floor(x + 1e-9); };
    if (all_.kind == CurveKind::profile) return {lowest_decade(), std::fmax(decade(largest, up), 10 * lowest_decade())};
    if (all_.kind == CurveKind::trade_off) return {decade(std::fmin(least, all_.range.low), down), 1};
    return {std::fmin(0, 1.05 * least), largest > 0 ? 1.05 * largest : 0.1};
  }

  /// The reference may fall far below what is asked for, and of several curves one far below the others: all of them
  /// down to 1e-16, and one at least to its end.
  [[nodiscard]] double lowest_decade() const {
    constexpr double of_interest = 1e-16;
    double least = 1, highest_end = 0;
    for (const Curve& curve : all_.curves) {
      double end = 1;
      for (const Bracket& y : curve.y)
        if (y.lower > 1e-300) end = std::fmin(end, y.lower);
      least = std::fmin(least, end);
      highest_end = std::fmax(highest_end, end);
    }
    least = std::fmin(highest_end, std::fmax(least, of_interest));
    return std::pow(10, std::fmin(-1, std::floor(std::log10(least))));
  }

  void plots() {
    std::string separator = "plot ";
    const auto next = [&] {
      text_ << separator;
      separator = ", \\\n  ";
    };
    bool any_band = false;
    for (std::size_t i = 0; i < all_.curves.size(); ++i) {
      if (!band_visible(all_, all_.curves[i])) continue;
      any_band = true;
      next();
      text_ << "$curve" << i << " using 1:2:4 with filledcurves fs transparent solid 0.25 noborder lc rgb \""
            << colour(i) << "\" notitle";
    }
    // The rest of a legend too long for a line.
    const auto more = [&](const std::vector<std::string>& lines) {
      for (std::size_t i = 1; i < lines.size(); ++i) next(), text_ << only_text << gnuplot::quoted(lines[i]);
    };
    for (std::size_t i = 0; i < all_.curves.size(); ++i) {
      next();
      text_ << "$curve" << i << " using 1:3 with lines lw 2.5 lc rgb \"" << colour(i) << "\" dt " << dash(i)
            << " title " << gnuplot::quoted(legends_[i].front());
      more(legends_[i]);
    }
    if (!reference_.empty()) {
      next();
      text_ << "$reference using 1:3 with lines lw 2 lc rgb \"#555555\" dt (1,3) title "
            << gnuplot::quoted(reference_.front());
      more(reference_);
    }
    const bool all_exact =
        std::all_of(all_.curves.begin(), all_.curves.end(), [](const Curve& curve) { return curve.exact; });
    if (!all_.curves.empty() && (any_band || all_exact) && !compact_) {
      next();
      text_ << only_text
            << gnuplot::quoted(any_band ? "shaded: the certified interval" : "intervals narrower than the lines");
    }
    if (all_.kind == CurveKind::trade_off) {
      next();
      text_ << (all_.range.logarithmic ? "x" : "1-x") << " with lines lw 1 lc rgb \"#aaaaaa\" "
            << (compact_ ? "notitle" : "title \"no information\"");
    }
    if (!all_.observed.empty()) {
      next();
      text_ << "$observed using 1:2 with points pt 7 ps 0.5 lc rgb \"black\" title \"observed\"";
    }
    text_ << "\n";
  }

  const Curves& all_;
  const PictureLook& look_;
  std::vector<std::vector<std::string>> legends_{};  ///< of each curve, in lines
  std::vector<std::string> reference_{};             ///< empty: not drawn
  static constexpr std::size_t notes_ = 1;           ///< lines of a legend that are no curve's
  bool compact_ = false;
  double key_scale_ = 1;  ///< what a font's point is to the terminal
  std::ostringstream text_;
};

}  // namespace

std::optional<PictureFormat> picture_format(const std::string& file) {
  if (file.ends_with(".svg")) return PictureFormat::svg;
  if (file.ends_with(".png")) return PictureFormat::png;
  if (file.ends_with(".pdf")) return PictureFormat::pdf;
  return std::nullopt;
}

std::string picture(const Curves& curves, PictureFormat format, const PictureLook& look) {
  std::string bytes = gnuplot::drawn(Script(curves, format, look).text());
  const std::string title = printable(look.title.empty() ? "Privacy curves" : look.title);
  if (format == PictureFormat::pdf) return with_title(std::move(bytes), title);
  // What a browser shows beside the pointer.
  constexpr std::string_view own_title = "<title>Gnuplot</title>";
  if (const auto at = bytes.find(own_title); format == PictureFormat::svg && at != std::string::npos)
    bytes.replace(at, own_title.size(), "<title>" + escaped(title) + "</title>");
  return bytes;
}

}  // namespace pld::cli
