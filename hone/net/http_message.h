// Requests and responses of HTTP as values.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/units.h"

namespace hone::net {

struct HttpHeader {
  std::string name;
  std::string value;
};

// How long each part of a request may take; absent means as long as it likes. Leave `connect` below
// 5 s: hone promises to give an address that does not answer up within that time.
struct HttpLimits {
  Duration connect = std::chrono::seconds(3);  // Name lookup, TCP and TLS.
  std::optional<Duration> first_byte;          // From the request sent to the first reply byte.
  std::optional<Duration> stall;               // Between two bytes of the reply.
  std::optional<Duration> total;               // All of it, waiting for a connection included.
  std::size_t body_bytes = 64 * 1024 * 1024;   // Of the reply.
};

// Not printable: its headers carry keys.
struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<HttpHeader> headers;
  std::string body;
  HttpLimits limits;
};

struct HttpResponse {
  int status = 0;   // Whatever the server said: 404 is an answer, not a failure.
  int version = 0;  // Of HTTP: 1 or 2.
  std::vector<HttpHeader> headers;
  std::string body;

  // The value of the first header of that name, in any case of its letters.
  std::optional<std::string_view> header(std::string_view name) const;
};

// How long the server asks to be left alone: Retry-After in seconds or as a date (RFC 9110, 10.2.3;
// only the current form of dates), or retry-after-ms as OpenAI sends it. Absent if it does not ask
// or cannot be understood; never negative.
std::optional<Duration> retry_after(const HttpResponse& response, Instant now);

}  // namespace hone::net
