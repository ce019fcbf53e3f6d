// Models behind the OpenAI Chat Completions API: the provider's own, and every compatible server.
#pragma once

#include <atomic>
#include <chrono>
#include <string>

#include "hone/core/effects.h"
#include "hone/model/openai_wire.h"
#include "hone/net/http_client.h"
#include "hone/net/secret.h"

namespace hone::model {

struct OpenAiOptions {
  std::string name;      // As the user wrote it: "openai:gpt-4.1".
  std::string model;     // As the server knows it: "gpt-4.1".
  std::string base_url;  // "https://api.openai.com/v1"; a slash at the end is ignored.
  net::Secret key;       // Empty: none is sent.
  std::string key_name = "OPENAI_API_KEY";  // Where the key comes from or should; for messages.
  // How long the server may think: whole answers come at once, streams begin early.
  Duration first_byte = std::chrono::minutes(10);
  Duration first_byte_of_stream = std::chrono::minutes(3);
  Duration stall = std::chrono::minutes(1);  // The longest silence inside an answer.
};

// POST {base_url}/chat/completions; streams when the request asks for drafts. Source: OpenAI API
// reference, "Chat Completions"; what compatible servers leave out or add is tolerated.
//
// Asks for JSON by `response_format` where the request has a schema, and goes on without it on
// servers that refuse it. Usage that the server does not report is estimated and marked.
//
// Errors: as core::Model says, and PaidError for an answer that broke off or was refused. A server
// that cannot be reached throws net::Unreachable. Threads: any; see net::HttpClient.
class OpenAi final : public core::Model {
 public:
  explicit OpenAi(OpenAiOptions options, net::HttpClient client = net::HttpClient());

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return options_.name; }

 private:
  OpenAiServer server() const;
  net::HttpRequest http_request(const core::Context& context,
                                const core::ModelRequest& request) const;

  OpenAiOptions options_;
  net::HttpClient client_;
  std::atomic<bool> takes_schemas_{true};
};

}  // namespace hone::model
