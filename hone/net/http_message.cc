#include "hone/net/http_message.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "hone/base/text.h"

namespace hone::net {
namespace {

using namespace std::chrono;

constexpr double kLongestWait = 366.0 * 24 * 3600;  // Seconds; longer ones are mistakes.

std::optional<Duration> from_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kLongestWait) return std::nullopt;
  return duration_cast<Duration>(duration<double>(seconds));
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<unsigned> month_named(std::string_view name) {
  constexpr std::array<std::string_view, 12> names = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<unsigned>(found - names.begin()) + 1;
}

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::optional<Instant> parse_date(std::string_view text) {
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto day_of_month = digits(text.substr(5, 2));
  const auto month_number = month_named(text.substr(8, 3));
  const auto year_number = digits(text.substr(12, 4));
  const auto hour = digits(text.substr(17, 2));
  const auto minute = digits(text.substr(20, 2));
  const auto second = digits(text.substr(23, 2));
  if (!day_of_month || !month_number || !year_number || !hour || !minute || !second)
    return std::nullopt;
  const auto date =
      year(*year_number) / month(*month_number) / day(static_cast<unsigned>(*day_of_month));
  if (!date.ok()) return std::nullopt;
  return sys_days(date) + hours(*hour) + minutes(*minute) + seconds(*second);
}

}  // namespace

std::optional<Duration> retry_after(const HttpResponse& response, Instant now) {
  if (const auto text = response.header("retry-after-ms")) {
    if (const auto number = to_number(*text)) return from_seconds(*number / 1000);
  }
  const auto text = response.header("retry-after");
  if (!text) return std::nullopt;
  if (const auto number = to_number(*text)) return from_seconds(*number);
  const auto date = parse_date(*text);
  if (!date) return std::nullopt;
  return std::max(*date - now, Duration{});
}

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
  for (const auto& header : headers) {
    if (lower(header.name) == lower(name)) return header.value;
  }
  return std::nullopt;
}

}  // namespace hone::net
