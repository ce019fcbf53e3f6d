#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/model/openai_json.h"
#include "hone/model/openai_wire.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

constexpr std::size_t kShown = 80;  // Characters of a foreign text in a message.

const Json* object_at(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

std::int64_t count_at(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return 0;
  return std::max<std::int64_t>(0, found->get<std::int64_t>());
}

// Some servers report zeros; then nothing is known.
std::optional<core::Usage> usage_in(const Json& reply) {
  const Json* usage = object_at(reply, "usage");
  if (usage == nullptr) return std::nullopt;
  core::Usage told{.calls = 1};
  told.input.count = count_at(*usage, "prompt_tokens");
  told.output.count = count_at(*usage, "completion_tokens");
  if (const Json* details = object_at(*usage, "prompt_tokens_details")) {
    told.cached.count = std::min(told.input.count, count_at(*details, "cached_tokens"));
  }
  if (told.total().count == 0) return std::nullopt;
  return told;
}

core::Finish finish_of(const OpenAiAnswer& answer) {
  if (answer.finish_reason == "length") return core::Finish::Length;
  for (const std::string_view cut : {"content_filter", "tool_calls", "function_call"}) {
    if (answer.finish_reason == cut) return core::Finish::Interrupted;
  }
  return core::Finish::Complete;
}

bool says_json(const net::HttpResponse& response) {
  return lower(response.header("content-type").value_or("")).find("json") != std::string::npos;
}

}  // namespace

std::string text_at(const Json& object, std::string_view key, std::string otherwise) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return otherwise;
  return found->get<std::string>();
}

std::string content_of(const Json& message) {
  const auto content = message.find("content");
  if (content == message.end()) return {};
  if (content->is_string()) return content->get<std::string>();
  std::string text;
  if (!content->is_array()) return text;
  for (const auto& part : *content) {
    if (part.is_object()) text += text_at(part, "text");
  }
  return text;
}

const Json* first_choice(const Json& reply) {
  const auto choices = reply.find("choices");
  if (choices == reply.end() || !choices->is_array() || choices->empty()) return nullptr;
  return choices->front().is_object() ? &choices->front() : nullptr;
}

void take_envelope(const Json& reply, OpenAiAnswer& answer) {
  answer.model = text_at(reply, "model", answer.model);
  if (auto usage = usage_in(reply)) answer.usage = std::move(usage);
}

Error not_json(std::string_view what, std::string_view text) {
  return {ErrorKind::Corrupt, fmt::format("{} is not JSON: {}", what, one_line(text, kShown)),
          "check that the base URL is that of an OpenAI-compatible API, mostly ending in /v1"};
}

OpenAiAnswer read_openai_answer(const net::HttpResponse& response) {
  const std::string body = to_utf8(response.body);
  const auto reply = try_parse_json(body);
  if (!reply && says_json(response)) {
    throw Error(ErrorKind::Unavailable,
                fmt::format("the reply is cut off or no JSON: {}", one_line(body, kShown)),
                "try again; if it stays so, look at the log of the server");
  }
  if (!reply) throw not_json("the reply", body);
  throw_carried_error(*reply);
  const Json* choice = first_choice(*reply);
  const Json* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (message == nullptr) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("the reply has no choices[0].message: {}", one_line(body, kShown)),
                "check that the base URL is that of an OpenAI-compatible API");
  }
  OpenAiAnswer answer;
  take_envelope(*reply, answer);
  answer.text = content_of(*message);
  answer.refusal = text_at(*message, "refusal");
  answer.finish_reason = text_at(*choice, "finish_reason");
  return answer;
}

core::Usage openai_usage(const OpenAiAnswer& answer, const core::ModelRequest& request) {
  if (answer.usage) return *answer.usage;
  core::Usage estimate{.calls = 1, .estimated = true};
  for (const auto& message : request.messages)
    estimate.input += core::estimate_tokens(message.text);
  estimate.output = core::estimate_tokens(answer.text);
  return estimate;
}

core::ModelReply openai_reply(const OpenAiAnswer& answer, const core::ModelRequest& request) {
  const core::Usage usage = openai_usage(answer, request);
  if (!answer.refusal.empty() ||
      (answer.finish_reason == "content_filter" && answer.text.empty())) {
    const std::string reason = answer.refusal.empty() ? "its content filter" : answer.refusal;
    const Error refused(ErrorKind::Refused,
                        fmt::format("the provider declined to answer: {}", one_line(reason, 200)),
                        "word the task differently or ask another model");
    throw core::PaidError(refused, usage);
  }
  core::ModelReply reply;
  reply.text = answer.text;
  reply.finish = finish_of(answer);
  reply.model = answer.model;
  reply.usage = usage;
  return reply;
}

}  // namespace hone::model
