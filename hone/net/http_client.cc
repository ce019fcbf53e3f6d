#include "hone/net/http_client.h"

#include <memory>
#include <utility>

#include "hone/net/curl_loop.h"
#include "hone/net/transfer.h"

namespace hone::net {

async<HttpResponse> HttpClient::send(HttpRequest request) const {
  BodySink keep;
  return stream(std::move(request), std::move(keep));
}

async<HttpResponse> HttpClient::stream(HttpRequest request, BodySink sink) const {
  const HttpClientOptions options = options_;
  const auto transfer = std::make_shared<Transfer>(std::move(request), std::move(sink));
  co_await perform(transfer, options);
  co_return transfer->take();
}

}  // namespace hone::net
