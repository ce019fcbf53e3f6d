#include "hone/model/anthropic.h"

#include <memory>
#include <utility>

namespace hone::model {
namespace {

constexpr std::string_view kVersion = "2023-06-01";

}  // namespace

Anthropic::Anthropic(HttpModelOptions options, net::HttpClient client)
    : options_(std::move(options)), client_(client), manners_({.model = options_.model}) {
  while (options_.base_url.ends_with('/')) options_.base_url.pop_back();
}

net::HttpRequest Anthropic::post(const core::Context& context, const core::ModelRequest& request,
                                 const AnthropicDialect& dialect) const {
  net::HttpRequest http = http_request(options_, context, request);
  const bool has_version = options_.base_url.ends_with("/v1");
  http.url = options_.base_url + (has_version ? "/messages" : "/v1/messages");
  http.headers.push_back({"anthropic-version", std::string(kVersion)});
  if (!options_.key.is_empty()) http.headers.push_back({"x-api-key", options_.key.reveal()});
  http.body = anthropic_request(dialect, request);
  return http;
}

async<core::ModelReply> Anthropic::complete(core::Context context,
                                            const core::ModelRequest& request) {
  while (true) {
    const AnthropicDialect dialect = manners_.toward(request);
    net::HttpRequest http = post(context, request, dialect);
    const auto reader = std::make_shared<AnthropicReader>();
    Exchanged exchanged = co_await exchange(client_, context, request, std::move(http), reader);
    if (exchanged.was_accepted()) {
      if (exchanged.reply->model.empty()) exchanged.reply->model = options_.model;
      co_return *std::move(exchanged.reply);
    }
    const auto concession = anthropic_concession(dialect, request, exchanged.response);
    if (!concession) {
      throw provider_failure(server_of(options_), exchanged.response, context.clock->now());
    }
    manners_.learn(request, *concession);
  }
}

}  // namespace hone::model
