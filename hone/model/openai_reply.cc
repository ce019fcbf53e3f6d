#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/model/http_failure.h"
#include "hone/model/json_at.h"
#include "hone/model/openai_json.h"
#include "hone/model/openai_wire.h"

namespace hone::model {
namespace {

constexpr std::size_t kTokensKept = 32;  // Choices are short: their tokens stand at the start.

// Some servers report zeros; then nothing is known.
std::optional<core::Usage> usage_in(const Json& reply) {
  const Json* usage = object_at(reply, "usage");
  if (usage == nullptr) return std::nullopt;
  core::Usage told{.calls = 1};
  told.input.count = count_at(*usage, "prompt_tokens").value_or(0);
  told.output.count = count_at(*usage, "completion_tokens").value_or(0);
  if (const Json* details = object_at(*usage, "prompt_tokens_details")) {
    told.cached.count = std::min(told.input.count, count_at(*details, "cached_tokens").value_or(0));
    told.cache_written.count = std::min(told.input.count - told.cached.count,
                                        count_at(*details, "cache_write_tokens").value_or(0));
  }
  if (const Json* details = object_at(*usage, "completion_tokens_details")) {
    told.reasoning.count =
        std::min(told.output.count, count_at(*details, "reasoning_tokens").value_or(0));
  }
  if (told.total().count == 0) return std::nullopt;
  return told;
}

Ending ending_from(const std::string& reason) {
  if (reason == "length" || reason == "max_tokens") return Ending::Length;
  if (reason == "tool_calls" || reason == "function_call") return Ending::ToolCalls;
  if (reason == "content_filter") return Ending::Filtered;
  if (reason == "error" || reason == "abort") return Ending::Interrupted;
  return reason.empty() ? Ending::Untold : Ending::Complete;
}

std::optional<double> probability_in(const Json& token) {
  const auto found = token.find("logprob");
  if (found == token.end() || !found->is_number()) return std::nullopt;
  return std::exp(std::min(0.0, found->get<double>()));
}

TokenChoice token_choice(const Json& token) {
  TokenChoice choice{.chosen = text_at(token, "token")};
  bool has_chosen = false;
  if (const Json* likely = array_at(token, "top_logprobs")) {
    for (const Json& other : *likely) {
      if (!other.is_object()) continue;
      choice.likely.push_back({text_at(other, "token"), probability_in(other).value_or(0)});
      has_chosen = has_chosen || choice.likely.back().text == choice.chosen;
    }
  }
  if (!has_chosen) choice.likely.push_back({choice.chosen, probability_in(token).value_or(0)});
  return choice;
}

void take_tokens(const Json& choice, Answer& answer) {
  const Json* told = object_at(choice, "logprobs");
  const Json* tokens = told == nullptr ? nullptr : array_at(*told, "content");
  if (tokens == nullptr) return;
  for (const Json& token : *tokens) {
    if (token.is_object() && answer.tokens.size() < kTokensKept) {
      answer.tokens.push_back(token_choice(token));
    }
  }
}

std::vector<core::ToolCall> tool_calls_in(const Json& message) {
  std::vector<core::ToolCall> calls;
  const Json* list = array_at(message, "tool_calls");
  if (list == nullptr) return calls;
  for (const Json& call : *list) {
    const Json* function = object_at(call, "function");
    if (function == nullptr) continue;
    calls.push_back(
        {text_at(call, "id"), text_at(*function, "name"), {raw_at(*function, "arguments")}});
  }
  return calls;
}

bool says_json(const net::HttpResponse& response) {
  return lower(response.header("content-type").value_or("")).find("json") != std::string::npos;
}

}  // namespace

std::string content_of(const Json& message) {
  std::string text = text_at(message, "content");
  const Json* parts = array_at(message, "content");
  if (parts == nullptr) return text;
  for (const Json& part : *parts) text += text_at(part, "text");
  return text;
}

const Json* first_choice(const Json& reply) {
  const Json* choices = array_at(reply, "choices");
  if (choices == nullptr || choices->empty()) return nullptr;
  return choices->front().is_object() ? &choices->front() : nullptr;
}

void take_envelope(const Json& reply, Answer& answer) {
  answer.model = text_at(reply, "model", answer.model);
  if (auto usage = usage_in(reply)) answer.usage = std::move(usage);
}

void take_choice(const Json& choice, Answer& answer) {
  const Ending ending = ending_from(text_at(choice, "finish_reason"));
  if (ending != Ending::Untold) answer.ending = ending;
  take_tokens(choice, answer);
}

Answer OpenAiReader::read(const net::HttpResponse& response) const {
  const Json reply = reply_json(response.body, says_json(response));
  throw_carried_error(reply);
  const Json* choice = first_choice(reply);
  const Json* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (message == nullptr) {
    throw Error(ErrorKind::Corrupt,
                "the reply has no choices[0].message: " + one_line(response.body, 80),
                "check that the base URL is that of an OpenAI-compatible API");
  }
  Answer answer;
  take_envelope(reply, answer);
  take_choice(*choice, answer);
  answer.text = content_of(*message);
  answer.refusal = text_at(*message, "refusal");
  answer.tool_calls = tool_calls_in(*message);
  return answer;
}

}  // namespace hone::model
