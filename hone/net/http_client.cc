#include "hone/net/http_client.h"

#include <memory>
#include <utility>

#include "hone/net/curl_loop.h"
#include "hone/net/transfer.h"

namespace hone::net {

namespace {

long connections_for(const HttpRequest& request, const HttpClientOptions& options) {
  const bool is_secure = request.url.starts_with("https:");
  return is_secure ? options.secure_connections_per_host : options.connections_per_host;
}

}  // namespace

async<HttpResponse> HttpClient::send(HttpRequest request) const {
  BodySink keep;
  return stream(std::move(request), std::move(keep));
}

async<HttpResponse> HttpClient::stream(HttpRequest request, BodySink sink) const {
  const long connections = connections_for(request, options_);
  const auto transfer = std::make_shared<Transfer>(std::move(request), std::move(sink));
  co_await perform(transfer, connections);
  co_return transfer->take();
}

}  // namespace hone::net
