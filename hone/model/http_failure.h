// What goes wrong at a provider, by what the caller can do about it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/net/http_message.h"

namespace hone::model {

// Who was asked, for messages.
struct ModelServer {
  std::string model;
  std::string base_url;
  std::string key_name;  // Where its key comes from: "OPENAI_API_KEY".
  bool has_key = false;
};

// What a status other than 2xx means to the caller.
Error provider_failure(const ModelServer& server, const net::HttpResponse& response, Instant now);

// {"error": {"message", "type", "code", "param"}}, or "error" as a text, as some servers send it.
// What is not told is empty.
struct Complaint {
  std::string message;
  std::string type;
  std::string code;
  std::string param;
};
Complaint complaint_of(const net::HttpResponse& response);
// Any of its parts has any of the words in it, which are in lower case.
bool mentions(const Complaint& complaint, std::span<const std::string_view> words);

// Throws if the reply, or an event of a stream, is an error in spite of its status.
void throw_carried_error(const Json& reply);

}  // namespace hone::model
