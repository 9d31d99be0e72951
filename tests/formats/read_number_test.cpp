#include "formats/read_number.hpp"

#include <cmath>
#include <limits>

#include "formats/refusals.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace {

struct Spelling {
  const char* text;
  double value;
};

}  // namespace

TEST_CASE("ledger.read_number.reads_every_spelling_to_the_nearest_double") {
  for (const Spelling& row : {Spelling{"1", 1}, Spelling{"+1", 1}, Spelling{"-3", -3}, Spelling{"1e9", 1e9},
                              Spelling{"1E+9", 1e9}, Spelling{".5", 0.5}, Spelling{"5.", 5}, Spelling{"0.1", 0.1},
                              Spelling{"5e-324", 5e-324}, Spelling{"1.7976931348623157e308", 1.7976931348623157e308},
                              Spelling{"0.1000000000000000055511151231257827", 0.1}, Spelling{"0e999", 0}}) {
    CAPTURE(row.text);
    CHECK(pld::finite_from_text(row.text, "here", "x") == row.value);
    CHECK(pld::extended_from_text(row.text, "here", "x") == row.value);
  }
}

TEST_CASE("ledger.read_number.tells_a_number_without_the_marks_between_its_digits") {
  CHECK_REFUSED(pld::finite_from_text("60_000", "here", "x"), "x is '60_000' (did you mean 60000?), but must be");
  CHECK_REFUSED(pld::finite_from_text(" 1/60_000", "here", "x"), "(did you mean 1/60000?)");
  CHECK_REFUSED(pld::extended_from_text("1'000", "here", "x"), "(did you mean 1000?)");
  CHECK_REFUSED(pld::finite_from_text("60,000", "here", "x"), "decimals take a point, and thousands no mark");
  CHECK_REFUSED(pld::finite_from_text("_", "here", "x"), "x is '_', but must be");
}

TEST_CASE("ledger.read_number.a zero has no sign") {
  for (const char* text : {"-0", "-0.0", "-0%", "0/-3"})
    CHECK_MESSAGE(!std::signbit(pld::finite_from_text(text, "here", "x")), text);
}

TEST_CASE("ledger.read_number.names_another_dash_than_the_keyboard_s") {
  for (const char* text : {"1e\xe2\x88\x92"
                           "5",
                           "\xe2\x80\x93"
                           "1",
                           "\xe2\x80\x94"
                           "1",
                           "1e\xef\xbc\x8d"
                           "5"})
    CHECK_REFUSED(pld::finite_from_text(text, "here", "x"), "here: x is '", text, "written with the keyboard's '-'");
  CHECK_REFUSED(pld::extended_from_text("\xe2\x88\x92inf", "here", "x"),
                "'-' instead of '\xe2\x88\x92', or inf or -inf");
}

TEST_CASE("ledger.read_number.refuses_what_is_no_finite_number") {
  for (const char* text :
       {"",     " ",   "x",   "1x",  " 1",  "1 ", "nan", "-nan", "NAN", "nan(7)", "inf", "-inf", "infinity",
        "0x10", "1,5", "1_0", "--1", "+-1", "+",  "-",   ".",    "e5",  "1e",     "1e+", "1.2.3"}) {
    CAPTURE(text);
    CHECK_REFUSED(pld::finite_from_text(text, "here", "x"), "here: x is '", text, "a finite number");
  }
}

TEST_CASE("ledger.read_number.refuses_what_no_double_can_hold") {
  for (const char* text : {"1e309", "-1e309", "1e-400", "-1e-400", "1e999999999999999999999"}) {
    CAPTURE(text);
    CHECK_REFUSED(pld::finite_from_text(text, "here", "x"), text, "4.94e-324", "1.79e308");
  }
}

TEST_CASE("ledger.read_number.infinities_where_they_mean_something") {
  CHECK(pld::extended_from_text("inf", "here", "x") == pld::infinity);
  CHECK(pld::extended_from_text("+inf", "here", "x") == pld::infinity);
  CHECK(pld::extended_from_text("-inf", "here", "x") == -pld::infinity);
  for (const char* text : {"nan", "Inf", "infinity", "1e999", "--inf", ""}) {
    CAPTURE(text);
    CHECK_REFUSED(pld::extended_from_text(text, "here", "x"), "x is", "inf or -inf");
  }
}

TEST_CASE("ledger.read_number.counts_are_whole") {
  for (const double count : {0.0, 1.0, 1000.0, 999999999999.0, 1e12}) {
    CHECK(static_cast<double>(pld::count_from_number(count, "here")) == count);
  }
  for (const double count : {-1.0, 0.5, 1.5, -1e-300, 1e12 + 1, 1e13, 1e300, pld::infinity, -pld::infinity,
                             std::numeric_limits<double>::quiet_NaN()}) {
    CAPTURE(count);
    CHECK_REFUSED(pld::count_from_number(count, "here"), "here: count is", "a whole number from 0 to 1e12");
  }
}
