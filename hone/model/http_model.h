// What the models behind HTTP share: how they are reached, and one call.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "hone/core/effects.h"
#include "hone/model/answer.h"
#include "hone/model/http_failure.h"
#include "hone/net/http_client.h"
#include "hone/net/secret.h"

namespace hone::model {

// How long each part of a call may take, and how much may come.
struct CallLimits {
  Duration connect = std::chrono::seconds(3);  // Name lookup, TCP and TLS; keep it below 5 s.
  // How long the server may think: whole answers come at once, streams begin early.
  Duration first_byte = std::chrono::minutes(10);
  Duration first_byte_of_stream = std::chrono::minutes(3);
  Duration stall = std::chrono::minutes(1);  // The longest silence inside an answer.
  // All of one try; absent: as long as the deadline of the run leaves.
  std::optional<Duration> total = std::chrono::minutes(30);
  std::size_t reply_bytes = 64 * 1024 * 1024;
};

struct HttpModelOptions {
  std::string name;      // As the user wrote it: "openai:gpt-4.1".
  std::string model;     // As the server knows it: "gpt-4.1".
  std::string base_url;  // "https://api.openai.com/v1"; a slash at the end is ignored.
  net::Secret key;       // Empty: none is sent.
  std::string key_name = "OPENAI_API_KEY";  // Where the key comes from or should; for messages.
  CallLimits limits;
};

ModelServer server_of(const HttpModelOptions& options);

// A POST of JSON with the limits of the call. Throws DeadlineExceeded when no time is left.
net::HttpRequest http_request(const HttpModelOptions& options, const core::Context& context,
                              const core::ModelRequest& request);

// What came of one call: the reply, or the response of a server that did not accept the request.
struct Exchanged {
  std::optional<core::ModelReply> reply;
  net::HttpResponse response;

  bool was_accepted() const { return reply.has_value(); }
};

// Makes one call. Drafts are told while they stream. An answer that had arrived whole before the
// connection broke is returned all the same. Throws PaidError for half an answer, and as
// core::Model does.
async<Exchanged> exchange(net::HttpClient client, core::Context context,
                          const core::ModelRequest& request, net::HttpRequest http,
                          std::shared_ptr<AnswerReader> reader);

}  // namespace hone::model
