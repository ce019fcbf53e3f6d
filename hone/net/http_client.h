// HTTP requests that can be cancelled and limited in time, by libcurl on the awaiting event loop.
#pragma once

#include <functional>
#include <string_view>

#include "hone/async/async.h"
#include "hone/base/error.h"
#include "hone/net/http_message.h"

namespace hone::net {

struct HttpClientOptions {
  // The most connections to one server; further requests wait for a free one. A plain server sees
  // at most so many requests at once.
  long connections_per_host = 256;
  // The same where TLS offers HTTP/2, which shares each connection among some 100 requests. libcurl
  // opens more than it needs when many begin at once, so a small number saves handshakes. Raise it
  // for a server that speaks TLS and HTTP/1.1 only.
  long secure_connections_per_host = 32;
};

// Thrown when nothing answers at an address: no such name, connection refused, no route, or no
// connection in time. Its kind is Unavailable.
class Unreachable final : public Error {
 public:
  using Error::Error;
};

// Receives a piece of a reply's body as it comes. `head` has status and headers.
using BodySink = std::function<void(const HttpResponse& head, std::string_view bytes)>;

// Sends requests over connections that it keeps open between them: clients with equal options share
// those of the event loop they run on. Speaks HTTP/1.1, and HTTP/2 over TLS. Honours http_proxy,
// HTTPS_PROXY, ALL_PROXY, NO_PROXY (and HTTP_PROXY) except for this machine's own addresses, and
// SSL_CERT_FILE. Follows no redirect: it is returned as it is.
//
// Throws InvalidInput for an address that is none or a certificate that is not trusted, Unreachable
// or Unavailable when the exchange breaks or one of its limits but `total` passes, DeadlineExceeded
// when `total` does, Corrupt for a body over the limit, Unsupported without libcurl, and what a
// sink throws. Cancelling (terminal) closes the request's stream and throws Cancelled, unless the
// whole reply has arrived: then it is returned.
//
// Threads: any, but each call's event loop must run on one thread.
class HttpClient {
 public:
  explicit HttpClient(HttpClientOptions options = {}) : options_(options) {}

  async<HttpResponse> send(HttpRequest request) const;
  // Gives the body to `sink` instead of keeping it, if the status is 2xx; `response.body` has it
  // otherwise. The sink runs on the event loop, between two steps of the work on it.
  async<HttpResponse> stream(HttpRequest request, BodySink sink) const;

 private:
  HttpClientOptions options_;
};

}  // namespace hone::net
