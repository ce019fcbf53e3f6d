// Server-sent events: a stream means the same in whatever pieces it arrives.
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "hone/base/error.h"
#include "hone/net/sse.h"

namespace {

using Events = std::vector<hone::net::ServerSentEvent>;
constexpr std::size_t kLimit = 256;  // Small, so that it is reached.

// The events of `stream` in pieces of `piece` bytes; absent when one was too long.
std::optional<Events> events_of(std::string_view stream, std::size_t piece) {
  hone::net::SseParser parser(kLimit);
  Events all;
  try {
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      const Events some = parser.feed(stream.substr(at, piece));
      all.insert(all.end(), some.begin(), some.end());
    }
  } catch (const hone::Error& error) {
    hone::fuzz::require(error.kind() == hone::ErrorKind::Corrupt, "a long event is Corrupt");
    return std::nullopt;
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  const auto whole = events_of(stream, std::max<std::size_t>(1, size));
  for (const std::size_t piece : {1, 2, 7}) {
    hone::fuzz::require(events_of(stream, piece) == whole, "pieces change nothing");
  }
  for (const auto& event : whole.value_or(Events())) {
    hone::fuzz::require(!event.name.empty(), "every event has a name");
    hone::fuzz::require(event.data.size() <= kLimit, "no event is longer than the limit");
  }
  return 0;
}
