// Quantities as types, so that a call site says what a number means.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hone {

using Duration = std::chrono::nanoseconds;

// A point in wall-clock time, in nanoseconds since 1970 (UTC). Clocks of hone never run backwards.
using Instant = std::chrono::time_point<std::chrono::system_clock, Duration>;

// The latest instant at which somebody still wants the result; absent means never.
using Deadline = std::optional<Instant>;

// How good an output is: 0 is worst, 1 is best. There is no "no score" value: use an optional.
class Score {
 public:
  // Throws InvalidInput outside [0, 1] and for NaN: scores are converted, never clamped.
  explicit Score(double value);
  static std::optional<Score> in_range(double value);

  double value() const { return value_; }
  auto operator<=>(const Score&) const = default;

 private:
  double value_;
};

// A count of model tokens.
struct Tokens {
  std::int64_t count = 0;
  auto operator<=>(const Tokens&) const = default;
  Tokens& operator+=(Tokens other) {
    count += other.count;
    return *this;
  }
};

// An amount of money in US dollars. Unknown prices are an absent Usd, never zero.
struct Usd {
  double amount = 0;
  auto operator<=>(const Usd&) const = default;
};

// "90s", "2m", "1.5h", "250ms" or a bare number of seconds. Throws InvalidInput.
Duration parse_duration(std::string_view text);
// "20k", "1.5M" or a bare count. Throws InvalidInput.
std::int64_t parse_count(std::string_view text);

// "850 ms", "12.3 s", "4 min 05 s".
std::string show_duration(Duration time);
// "2026-11-22T09:30:00.123456Z".
std::string to_iso8601(Instant at);
// The reverse; throws InvalidInput.
Instant parse_iso8601(std::string_view text);

// Whole seconds with six digits after the point, the way JSON results carry time.
double to_seconds(Duration time);

}  // namespace hone
