#include <cmath>
#include <memory>
#include <sstream>

#include "curve.hpp"
#include "gnuplot/gnuplot.hpp"

namespace pld::cli {
namespace {

/// Told apart on a screen, in print and by the colour-blind (Okabe and Ito 2008), and by their dashes in grey.
struct Style {
  const char* colour;
  const char* dash;
};
constexpr Style styles[] = {{"#0072B2", "1"}, {"#D55E00", "2"},   {"#009E73", "4"},
                            {"#CC79A7", "5"}, {"#56B4E9", "'_'"}, {"#E69F00", "'-.'"}};

/// What is drawn: delta or type II error, or the power where alpha runs over a logarithmic scale.
const std::vector<Bracket>& drawn(const Curves& all, const Curve& curve) {
  return all.kind == CurveKind::trade_off && all.range.logarithmic ? curve.power : curve.y;
}

bool logarithmic_y(const Curves& all) { return all.kind == CurveKind::profile || all.range.logarithmic; }

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

/// A band narrower than a line's width is not drawn.
bool band_visible(const Curves& all, const Curve& curve) {
  for (const Bracket& b : drawn(all, curve)) {
    const double height =
        logarithmic_y(all) ? (b.lower > 0 ? std::log10(b.upper / b.lower) / 10 : b.upper > 0) : b.width();
    if (height > 0.002) return true;
  }
  return false;
}

class Script {
 public:
  Script(const Curves& all, PictureFormat format) : all_(all) {
    text_.precision(17);
    // 6 by 4 inches; a png has the 300 points an inch that print takes.
    text_ << "set terminal "
          << (format == PictureFormat::svg ? "svg size 900,600 font \"Helvetica,16\" background \"white\""
                                           : "pngcairo size 1800,1200 fontscale 2 linewidth 2 font \"Helvetica,13\"")
          << "\n";
    for (std::size_t i = 0; i < all.curves.size(); ++i) data("curve" + std::to_string(i), all.curves[i]);
    if (all.reference) data("reference", *all.reference);
    observed();
    axes();
    plots();
  }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  void data(const std::string& name, const Curve& curve) {
    text_ << "$" << name << " << EOD\n";
    const auto& y = drawn(all_, curve);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const bool point = std::isfinite(y[i].upper) && (!logarithmic_y(all_) || y[i].upper > 1e-300);
      if (!point) {
        text_ << "\n";
        continue;
      }
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

  void axes() {
    text_ << "set encoding utf8\nset border 3 lw 1.2\nset tics nomirror out scale 0.7\nset grid lt 1 lc rgb "
             "\"#d0d0d0\" lw 0.7\n"
          << "set key noenhanced tmargin left vertical maxcols 1 Left reverse spacing 1.2 samplen 4\n"
          << "set xrange [" << all_.range.low << ':' << all_.range.high << "]\n";
    if (all_.range.logarithmic) text_ << "set logscale x\nset format x \"10^{%L}\"\n";
    if (logarithmic_y(all_)) text_ << "set logscale y\nset format y \"10^{%L}\"\n";
    if (all_.kind == CurveKind::profile) {
      text_ << "set xlabel \"ε\"\nset ylabel \"δ(ε)\"\n";
      text_ << "set yrange [" << lowest_decade() << ":1]\n";
    } else if (all_.range.logarithmic) {
      text_ << "set xlabel \"false positive rate α\"\nset ylabel \"true positive rate 1 − f(α)\"\n"
            << "set yrange [:1]\n";
    } else {
      text_ << "set xlabel \"type I error α\"\nset ylabel \"type II error f(α)\"\nset yrange [0:1]\n";
      if (all_.range.low == 0 && all_.range.high == 1) text_ << "set size ratio 1\n";
    }
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
    for (std::size_t i = 0; i < all_.curves.size(); ++i) {
      if (!band_visible(all_, all_.curves[i])) continue;
      next();
      text_ << "$curve" << i << " using 1:2:4 with filledcurves fs transparent solid 0.25 noborder lc rgb \""
            << styles[i % std::size(styles)].colour << "\" notitle";
    }
    for (std::size_t i = 0; i < all_.curves.size(); ++i) {
      const Style& style = styles[i % std::size(styles)];
      next();
      text_ << "$curve" << i << " using 1:3 with lines lw 2.5 lc rgb \"" << style.colour << "\" dt " << style.dash
            << " title " << gnuplot::quoted(legend(all_, all_.curves[i]));
    }
    if (all_.reference) {
      next();
      text_ << "$reference using 1:3 with lines lw 2 lc rgb \"#555555\" dt (3,4) title "
            << gnuplot::quoted(all_.reference->name);
    }
    if (all_.kind == CurveKind::trade_off) {
      next();
      text_ << (all_.range.logarithmic ? "x" : "1-x") << " with lines lw 1 lc rgb \"#aaaaaa\" title \"no information\"";
    }
    if (!all_.observed.empty()) {
      next();
      text_ << "$observed using 1:2 with points pt 7 ps 0.5 lc rgb \"black\" title \"observed\"";
    }
    text_ << "\n";
  }

  const Curves& all_;
  std::ostringstream text_;
};

}  // namespace

std::optional<PictureFormat> picture_format(const std::string& file) {
  if (file.ends_with(".svg")) return PictureFormat::svg;
  if (file.ends_with(".png")) return PictureFormat::png;
  return std::nullopt;
}

std::string picture(const Curves& curves, PictureFormat format) {
  return gnuplot::drawn(Script(curves, format).text());
}

}  // namespace pld::cli
