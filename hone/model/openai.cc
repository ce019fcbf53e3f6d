#include "hone/model/openai.h"

#include <memory>
#include <utility>

namespace hone::model {
namespace {

constexpr std::string_view kProvider = "https://api.openai.com/";

OpenAiDialect first_dialect(const HttpModelOptions& options) {
  return {.model = options.model, .newer_limit = options.base_url.starts_with(kProvider)};
}

}  // namespace

OpenAi::OpenAi(HttpModelOptions options, net::HttpClient client)
    : options_(std::move(options)), client_(client), manners_(first_dialect(options_)) {
  while (options_.base_url.ends_with('/')) options_.base_url.pop_back();
}

net::HttpRequest OpenAi::post(const core::Context& context, const core::ModelRequest& request,
                              const OpenAiDialect& dialect) const {
  net::HttpRequest http = http_request(options_, context, request);
  http.url = options_.base_url + "/chat/completions";
  if (!options_.key.is_empty()) {
    http.headers.push_back({"Authorization", "Bearer " + options_.key.reveal()});
  }
  http.body = openai_request(dialect, request);
  http.body.shrink_to_fit();  // It stays until the answer is there.
  return http;
}

async<core::ModelReply> OpenAi::complete(core::Context context, const core::ModelRequest& request) {
  while (true) {
    const OpenAiDialect dialect = manners_.toward(request);
    net::HttpRequest http = post(context, request, dialect);
    const auto reader = std::make_shared<OpenAiReader>();
    Exchanged exchanged = co_await exchange(client_, context, request, std::move(http), reader);
    if (exchanged.was_accepted()) {
      if (exchanged.reply->model.empty()) exchanged.reply->model = options_.model;
      co_return *std::move(exchanged.reply);
    }
    const auto concession = openai_concession(dialect, request, exchanged.response);
    if (!concession) {
      throw provider_failure(server_of(options_), exchanged.response, context.clock->now());
    }
    manners_.learn(request, *concession);
  }
}

}  // namespace hone::model
