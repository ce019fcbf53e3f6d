#include "hone/net/http_message.h"

#include <gtest/gtest.h>

namespace hone::net {
namespace {

using namespace std::chrono_literals;

struct Case {
  const char* header;
  const char* value;
  std::optional<Duration> expected;
};

TEST(RetryAfter, IsReadInEveryFormThatServersUse) {
  const Instant now = parse_iso8601("2026-11-22T09:30:00Z");
  const std::vector<Case> cases = {
      {"Retry-After", "2", 2s},
      {"retry-after", "0.5", 500ms},
      {"Retry-After", "0", 0s},
      {"retry-after-ms", "125", 125ms},
      {"Retry-After", "Sun, 22 Nov 2026 09:30:07 GMT", 7s},
      {"Retry-After", "Sun, 22 Nov 2026 09:29:00 GMT", 0s},
      {"Retry-After", "Sun, 31 Feb 2026 09:29:00 GMT", std::nullopt},
      {"Retry-After", "soon", std::nullopt},
      {"Retry-After", "-1", std::nullopt},
      {"Retry-After", "1e300", std::nullopt},
      {"X-Other", "2", std::nullopt},
  };
  for (const auto& [header, value, expected] : cases) {
    const HttpResponse response{.status = 429, .headers = {{header, value}}, .body = ""};
    EXPECT_EQ(retry_after(response, now), expected) << header << ": " << value;
  }
}

}  // namespace
}  // namespace hone::net
