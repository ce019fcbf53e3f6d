// How a transfer ends: its limits in time, and what libcurl's results mean to the caller.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "hone/base/units.h"
#include "hone/net/transfer.h"

namespace hone::net {
namespace {

using TimePoint = Transfer::Clock::time_point;

struct Limit {
  TimePoint at;
  ErrorKind kind;
  std::string_view what;  // Follows the name of the server.
  Duration time;          // Follows that.
};

std::vector<Limit> limits_of(const HttpLimits& limits, TimePoint started,
                             std::optional<TimePoint> requested,
                             std::optional<TimePoint> last_byte) {
  std::vector<Limit> all;
  all.reserve(3);
  const auto add = [&all](TimePoint from, Duration time, ErrorKind kind, std::string_view what) {
    all.push_back({from + time, kind, what, time});
  };
  if (limits.total)
    add(started, *limits.total, ErrorKind::DeadlineExceeded, "did not answer within");
  if (limits.first_byte && requested && !last_byte) {
    add(*requested, *limits.first_byte, ErrorKind::Unavailable, "did not begin to answer within");
  }
  if (limits.stall && last_byte) {
    add(*last_byte, *limits.stall, ErrorKind::Unavailable, "fell silent in its answer for");
  }
  return all;
}

std::string listening_hint(const std::string& origin) {
  return fmt::format("check that a server listens at {}", origin);
}

Unreachable unreachable(const std::string& origin, std::string_view reason) {
  return {ErrorKind::Unavailable, fmt::format("connecting to {}: {}", origin, reason),
          listening_hint(origin)};
}

Error not_an_address(const std::string& url) {
  return {ErrorKind::InvalidInput, fmt::format("`{}` is not the address of an HTTP server", url),
          "write it like http://127.0.0.1:8080/v1"};
}

Error untrusted(const std::string& origin, std::string_view detail) {
  return {ErrorKind::InvalidInput,
          fmt::format("the certificate of {} is not trusted: {}", origin, detail),
          "set SSL_CERT_FILE to a file with the certificate of the authority that signed it"};
}

Error no_tls(const std::string& origin, std::string_view detail) {
  return {
      ErrorKind::Unavailable, fmt::format("no TLS connection to {}: {}", origin, detail),
      "check that the server speaks https there (or write http://), and that SSL_CERT_FILE names "
      "a file with its authority"};
}

Error broken(const std::string& origin, std::string_view reason) {
  return {ErrorKind::Unavailable, fmt::format("{} broke the exchange off: {}", origin, reason),
          fmt::format("try again; if it stays so, look at the log of the server at {}", origin)};
}

}  // namespace

std::string origin_of(std::string_view url) {
  const auto scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  std::string_view authority = url.substr(begin, url.find_first_of("/?#", begin) - begin);
  if (const auto user = authority.rfind('@'); user != std::string_view::npos) {
    authority.remove_prefix(user + 1);
  }
  return fmt::format("{}{}", url.substr(0, begin), authority);
}

std::optional<TimePoint> Transfer::next_limit() const {
  const auto limits = limits_of(request_.limits, started_, requested_, last_byte_);
  const auto first = std::ranges::min_element(limits, {}, &Limit::at);
  if (first == limits.end()) return std::nullopt;
  return first->at;
}

void Transfer::check_limits(TimePoint now) {
  for (const auto& limit : limits_of(request_.limits, started_, requested_, last_byte_)) {
    if (limit.at > now) continue;
    const std::string message =
        fmt::format("{} {} {}", origin_of(request_.url), limit.what, show_duration(limit.time));
    fail(std::make_exception_ptr(Error(limit.kind, message)));
  }
}

void Transfer::finish(CURLcode result) {
  deliver();
  if (result == CURLE_OK || has_failed()) return;
  if (result == CURLE_OPERATION_TIMEDOUT || result == CURLE_COULDNT_CONNECT ||
      result == CURLE_COULDNT_RESOLVE_HOST || result == CURLE_COULDNT_RESOLVE_PROXY) {
    fail(std::make_exception_ptr(translate_connecting(result)));
  } else {
    fail(std::make_exception_ptr(translate(result)));
  }
}

Unreachable Transfer::translate_connecting(CURLcode result) const {
  const std::string origin = origin_of(request_.url);
  if (result == CURLE_OPERATION_TIMEDOUT) {  // libcurl is told only how long connecting may take.
    return unreachable(
        origin, fmt::format("no connection within {}", show_duration(request_.limits.connect)));
  }
  long code = 0;
  curl_.easy_getinfo(handle(), CURLINFO_OS_ERRNO, &code);
  if (result == CURLE_COULDNT_CONNECT && code != 0) {
    return unreachable(origin, std::generic_category().message(static_cast<int>(code)));
  }
  return unreachable(origin, curl_.easy_strerror(result));
}

Error Transfer::translate(CURLcode result) const {
  const std::string origin = origin_of(request_.url);
  const std::string_view reason = curl_.easy_strerror(result);
  const std::string_view detail = detail_.front() == '\0' ? reason : detail_.data();
  switch (result) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return not_an_address(origin);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM:
      return untrusted(origin, detail);
    case CURLE_SSL_CONNECT_ERROR:
      return no_tls(origin, detail);
    case CURLE_GOT_NOTHING:
      return broken(origin, "it closed the connection without an answer");
    case CURLE_PARTIAL_FILE:
      return broken(origin, "half of the answer is missing");
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return broken(origin, "the connection was reset");
    case CURLE_OUT_OF_MEMORY:
      return {ErrorKind::Internal, "libcurl is out of memory"};
    default:
      return broken(origin, reason);
  }
}

}  // namespace hone::net
