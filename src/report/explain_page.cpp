#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/number_text.hpp"
#include "report/directions.hpp"
#include "report/explanation.hpp"
#include "report/outward_words.hpp"

namespace pld {
namespace {

std::string percent(double share) {
  char text[40];
  char* const end = std::to_chars(text, text + sizeof text, 100 * share, std::chars_format::fixed, 1).ptr;
  return std::string(text, end).append(" %");
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text + ' ';
}

class Page {
 public:
  void title(const std::string& text) { out_ << (first_ ? "" : "\n") << text << '\n', first_ = false; }
  void row(const std::string& label, const std::string& value, const std::string& note = "") {
    const std::string rest = note.empty() ? value : padded(value, 22) + note;
    out_ << "  " << (rest.empty() ? label : padded(label, 34) + rest) << '\n';
  }
  void item(const std::string& text) {
    constexpr std::size_t width = 96;
    std::istringstream words(text);
    std::string line = "  -", word;
    while (words >> word) {
      if (line.size() + 1 + word.size() > width) out_ << line << '\n', line = "   ";
      line += ' ' + word;
    }
    out_ << line << '\n';
  }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
  bool first_ = true;
};

std::string repeated(const std::string& mechanism, std::int64_t count) {
  return count == 1 ? mechanism : mechanism + " x " + std::to_string(count);
}

/// The first of many kinds, and how many releases the others are.
void write_releases(const std::vector<Release>& releases, Page& page) {
  constexpr std::size_t most_told = 20;
  const std::size_t told = releases.size() > most_told ? most_told - 1 : releases.size();
  for (std::size_t i = 0; i < told; ++i) page.row(repeated(releases[i].mechanism.text(), releases[i].count), "");
  if (releases.size() == told) return;
  std::int64_t others = 0;
  for (std::size_t i = told; i < releases.size(); ++i) others += releases[i].count;
  page.row("and " + std::to_string(releases.size() - told) + " more kinds, " + std::to_string(others) + " releases",
           "");
}

/// The dearest of many, and what none of the others exceeds.
void write_shares(const std::vector<Share>& shares, Page& page) {
  constexpr std::size_t most_told = 10;
  const std::size_t told = std::min(shares.size(), most_told);
  for (std::size_t i = 0; i < told; ++i)
    page.row(repeated(shares[i].mechanism, shares[i].count), at_most(shares[i].epsilon_without, 4),
             "about " + percent(shares[i].share) + " less");
  if (shares.size() > told)
    page.row("and " + std::to_string(shares.size() - told) + " more, each", "",
             "about " + percent(shares[told].share) + " less at most");
}

}  // namespace

std::string page(const Explanation& e, const Composition& composition) {
  Page page;
  page.title("Composition");
  if (composition.releases().empty()) page.row("nothing is released", "");
  write_releases(composition.releases(), page);

  const auto loss = [&](const Bracket& bracket) { return Finding{bracket, e.exact, e.only_guaranteed}; };
  const bool differ = directions_differ(composition);
  page.title(e.only_guaranteed
                 ? "Smallest epsilon (an upper bound: what a guarantee allows, of which a mechanism may lose less)"
             : !e.exact       ? "Smallest epsilon (an upper bound: no neighbours need attain what is composed)"
             : !e.converged() ? "Smallest epsilon (rounded up)"
                              : "Smallest epsilon (exact, rounded up)");
  const auto how_near = [](const Answer& answer) {
    return answer.converged
               ? ""
               : ", tolerance not reached" + (answer.exact && !answer.only_guaranteed ? ": " + at_least(answer) : "");
  };
  for (const auto& [delta, answer] : e.epsilons)
    page.row("delta " + number_text(delta), at_most(answer, 6),
             known(answer, (differ ? std::string("direction ") + name(answer.direction) + ", " : "") + "engine " +
                               name(answer.engine) + how_near(answer)));
  if (std::isfinite(e.pure_epsilon.upper))
    page.row("delta 0 (pure DP)", at_most(e.pure_epsilon, 6), known(loss(e.pure_epsilon), ""));
  const bool remove = e.remove.estimate >= e.add.estimate, same = !differ || e.remove.estimate == e.add.estimate;
  const bool overlap = e.remove.lower <= e.add.upper && e.add.lower <= e.remove.upper;
  if (composition.relation() != Relation::replace_one)  // which has no direction
    page.row((e.exact ? "worst direction at delta " : "larger bound at delta ") + number_text(e.delta),
             same                 ? "both alike"
             : e.exact && overlap ? "not told apart"
             : remove             ? "remove"
                                  : "add",
             same ? "" : "remove " + at_most(e.remove, 4) + ", add " + at_most(e.add, 4));

  page.title("What the best attack can do that sees all that is released");
  page.row("membership advantage", percent_at_most(e.advantage), "true less false positive rate");
  page.row("true positives at 1 % false", percent_at_most(e.tpr_one_percent));
  page.row("true positives at 0.1 % false", percent_at_most(e.tpr_one_permille));
  page.row("wrong at even odds", percent_at_least(e.bayes_error), "of the time; 50 % is guessing");

  page.title("The same in other currencies");
  page.row("mu down to delta " + number_text(e.least_delta), at_most(e.gaussian.smallest_mu, 4),
           "of Gaussian DP that covers it there; not mu over all alphas");
  if (e.gaussian.largest_mu.lower > 0)  // as every composition is nowhere better than mu = 0
    page.row("", at_least(e.gaussian.largest_mu),
             std::string("largest that ") + (e.only_guaranteed ? "some mechanism with the guarantee" : "it") +
                 " is nowhere better than there");
  if (e.central_limit) {
    page.row("mu of the normal limit", at_most(e.central_limit->mu, 4),
             "an approximation; Berry-Esseen error " + at_most(e.central_limit->berry_esseen_error, 2));
  }
  page.row("rho of zCDP", at_most(e.rho, 4),
           std::isfinite(e.rho.lower) ? "" : "none: some Renyi divergence is infinite");

  if (!e.shares.empty()) {
    page.title("What each mechanism costs: epsilon at delta " + number_text(e.delta) + " without it");
    write_shares(e.shares, page);
  }

  page.title("What these numbers stand on");
  for (const std::string& assumption : e.assumptions) page.item(assumption);
  return page.text();
}

}  // namespace pld
