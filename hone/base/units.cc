#include "hone/base/units.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone {
namespace {

struct Unit {
  std::string_view suffix;
  double factor;
};

constexpr std::array kTimeUnits{Unit{"ms", 1e-3},  Unit{"s", 1.0},     Unit{"m", 60.0},
                                Unit{"h", 3600.0}, Unit{"d", 86400.0}, Unit{"", 1.0}};
constexpr std::array kCountUnits{Unit{"k", 1e3}, Unit{"K", 1e3}, Unit{"M", 1e6}, Unit{"m", 1e6},
                                 Unit{"", 1.0}};

template <std::size_t N>
std::optional<double> parse_with_unit(std::string_view text, const std::array<Unit, N>& units) {
  text = trim(text);
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view suffix = trim({rest, text.data() + text.size()});
  for (const Unit& unit : units) {
    if (unit.suffix == suffix) return number * unit.factor;
  }
  return std::nullopt;
}

}  // namespace

Score::Score(double value) : value_(value) {
  if (!(value >= 0.0 && value <= 1.0)) {
    throw Error(ErrorKind::InvalidInput, fmt::format("the score {} is not between 0 and 1", value));
  }
}

std::optional<Score> Score::in_range(double value) {
  if (!(value >= 0.0 && value <= 1.0)) return std::nullopt;
  return Score(value);
}

Duration parse_duration(std::string_view text) {
  const auto seconds = parse_with_unit(text, kTimeUnits);
  if (!seconds || *seconds > 1e9) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is not a time", text),
                "write a number with ms, s, m, h or d, such as 90s");
  }
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
}

std::int64_t parse_count(std::string_view text) {
  const auto count = parse_with_unit(text, kCountUnits);
  if (!count || *count > 9e15 || *count != std::floor(*count)) {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is not a whole count", text),
                "write a whole number, with k or M if you like, such as 20k");
  }
  return static_cast<std::int64_t>(*count);
}

std::string show_duration(Duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string to_iso8601(Instant at) {
  const auto micros = std::chrono::floor<std::chrono::microseconds>(at.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(micros);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", fmt::gmtime(std::time_t(seconds.count())),
                     (micros - seconds).count());
}

Instant parse_iso8601(std::string_view text) {
  std::tm parts{};
  const std::string copy(text);
  const char* rest = strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  double fraction = 0;
  if (rest != nullptr && *rest == '.') {
    const char* end = copy.c_str() + copy.size();
    rest = std::from_chars(rest, end, fraction).ptr;
  }
  if (rest == nullptr || std::string_view(rest) != "Z") {
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is not a time in UTC", text),
                "write it as 2026-11-22T09:30:00Z");
  }
  const auto micros = std::chrono::microseconds(std::llround(fraction * 1e6));
  return Instant(std::chrono::seconds(timegm(&parts)) + micros);
}

double to_seconds(Duration time) {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::microseconds>(time).count()) /
         1e6;
}

}  // namespace hone
