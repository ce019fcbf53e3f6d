#include "hone/base/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hone/base/error.h"

namespace hone {
namespace {

using namespace std::chrono_literals;

TEST(Units, ReadTimesWithTheirUnit) {
  EXPECT_EQ(parse_duration("90s"), 90s);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("1.5h"), 90min);
  EXPECT_EQ(parse_duration("2"), 2s);
  for (const auto* bad : {"", "s", "-1s", "5 parsecs", "nan", "inf"}) {
    EXPECT_THROW(parse_duration(bad), Error) << bad;
  }
}

TEST(Units, ReadCountsWithTheirUnit) {
  EXPECT_EQ(parse_count("20k"), 20'000);
  EXPECT_EQ(parse_count("1.5M"), 1'500'000);
  EXPECT_THROW(parse_count("1.5"), Error);
  EXPECT_THROW(parse_count("many"), Error);
}

TEST(Units, AScoreIsNeverOutsideItsRange) {
  EXPECT_EQ(Score(0.5).value(), 0.5);
  EXPECT_THROW(Score(1.01), Error);
  EXPECT_THROW((void)Score{std::numeric_limits<double>::quiet_NaN()}, Error);
  EXPECT_EQ(Score::in_range(-0.1), std::nullopt);
}

TEST(Units, AnInstantReadsBackFromItsText) {
  const Instant at(std::chrono::nanoseconds(1'763'769'600'123'456'000));
  EXPECT_EQ(parse_iso8601(to_iso8601(at)), at);
  EXPECT_THROW(parse_iso8601("yesterday"), Error);
}

TEST(Units, ShowTimesForPeople) {
  EXPECT_EQ(show_duration(850ms), "850 ms");
  EXPECT_EQ(show_duration(12340ms), "12.3 s");
  EXPECT_EQ(show_duration(245s), "4 min 05 s");
}

}  // namespace
}  // namespace hone
