// What goes wrong on the other side, by what the caller can do about it.
#include "hone/model/http_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/model/json_at.h"

namespace hone::model {
namespace {

constexpr std::size_t kShown = 300;  // Characters of a provider's message.

Complaint complaint_in(const Json& error) {
  if (error.is_string()) return {.message = error.get<std::string>()};
  if (!error.is_object()) return {.message = dump(error)};
  Complaint complaint{text_at(error, "message"), text_at(error, "type"), text_at(error, "code"),
                      text_at(error, "param")};
  const auto code = error.find("code");
  if (code != error.end() && code->is_number_integer()) complaint.code = dump(*code);
  if (complaint.message.empty()) complaint.message = dump(error);
  return complaint;
}

}  // namespace

Complaint complaint_of(const net::HttpResponse& response) {
  const std::string body = to_utf8(response.body);
  const auto parsed = try_parse_json(body);
  if (!parsed || !parsed->is_object()) return {.message = std::string(trim(body))};
  for (const std::string_view key : {"error", "detail", "message"}) {
    const auto found = parsed->find(key);
    if (found != parsed->end() && !found->is_null()) return complaint_in(*found);
  }
  return {.message = std::string(trim(body))};
}

bool mentions(const Complaint& complaint, std::span<const std::string_view> words) {
  const std::string all = lower(complaint.message + " " + complaint.type + " " + complaint.code +
                                " " + complaint.param);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return all.find(word) != std::string::npos; });
}

namespace {

bool is_too_long(const Complaint& complaint) {
  constexpr std::array<std::string_view, 8> words = {
      "context_length",  "context length",     "context size",      "context window",
      "too many tokens", "prompt is too long", "request_too_large", "exceeds the maximum length"};
  return mentions(complaint, words);
}

bool is_policy(const Complaint& complaint) {
  constexpr std::array<std::string_view, 3> words = {"content_policy", "content_filter",
                                                     "content management policy"};
  return mentions(complaint, words);
}

bool is_without_credit(const Complaint& complaint) {
  constexpr std::array<std::string_view, 4> words = {"insufficient_quota", "billing_hard_limit",
                                                     "billing_error", "credit balance is too low"};
  return mentions(complaint, words);
}

std::string said(const ModelServer& server, int status, const Complaint& complaint) {
  return fmt::format(
      "asking {} at {}: status {}: {}", server.model, server.base_url, status,
      complaint.message.empty() ? "no reason given" : one_line(complaint.message, kShown));
}

Error refused_key(const ModelServer& server, int status, const Complaint& complaint) {
  const std::string found = said(server, status, complaint);
  if (!server.has_key) {
    return {ErrorKind::InvalidInput, fmt::format("the server asks for a key: {}", found),
            fmt::format("set {} or use --api-key-file", server.key_name)};
  }
  return {ErrorKind::InvalidInput, fmt::format("the key was refused: {}", found),
          fmt::format("check the key in {} and what it may be used for", server.key_name)};
}

Error not_found(const ModelServer& server, const Complaint& complaint) {
  return {ErrorKind::NotFound,
          fmt::format("model `{}` was not found: {}", server.model, said(server, 404, complaint)),
          "see `hone models` for the names, and check that the base URL ends in /v1 where the "
          "server has it there"};
}

Error without_credit(std::string message) {
  return {ErrorKind::InvalidInput, std::move(message),
          "the account has no credit left: check its plan and billing"};
}

Error overloaded(std::string message) {
  return {ErrorKind::Overloaded, std::move(message), "wait, or use fewer runs at once (-j)"};
}

Error rejected(std::string message, const Complaint& complaint) {
  if (is_policy(complaint)) {
    return {ErrorKind::Refused, std::move(message),
            "word the task differently or ask another model"};
  }
  if (is_too_long(complaint)) {
    return {
        ErrorKind::InvalidInput, std::move(message),
        "the prompt does not fit into this model: shorten it, lower --max-tokens, or use a model "
        "with a longer context"};
  }
  return {ErrorKind::InvalidInput, std::move(message), "change what the message names"};
}

Error redirected(const ModelServer& server, const net::HttpResponse& response) {
  const std::string target(response.header("location").value_or("another address"));
  return {ErrorKind::InvalidInput,
          fmt::format("{} redirects to {}", server.base_url, one_line(target, kShown)),
          "no key was sent there: if you trust that address, use it as the base URL"};
}

Error by_status(const ModelServer& server, const net::HttpResponse& response) {
  const int status = response.status;
  const Complaint complaint = complaint_of(response);
  std::string message = said(server, status, complaint);
  if (status >= 300 && status < 400) return redirected(server, response);
  if (status == 401 || status == 403) return refused_key(server, status, complaint);
  if (status == 404) return not_found(server, complaint);
  if (is_without_credit(complaint) || status == 402) return without_credit(std::move(message));
  if (status == 429 || status == 529) return overloaded(std::move(message));
  if (status >= 500 || status == 408 || status == 409 || status == 425) {
    return {ErrorKind::Unavailable, std::move(message), "try again later"};
  }
  return rejected(std::move(message), complaint);
}

// The kind of an error that came with status 200, where only its words tell.
ErrorKind kind_of(const Complaint& complaint) {
  constexpr std::array<std::string_view, 4> busy = {"rate_limit", "rate limit", "overloaded",
                                                    "429"};
  constexpr std::array<std::string_view, 4> ours = {"invalid_request_error", "authentication_error",
                                                    "permission_error", "not_found_error"};
  if (mentions(complaint, busy)) return ErrorKind::Overloaded;
  if (is_policy(complaint)) return ErrorKind::Refused;
  if (is_too_long(complaint) || is_without_credit(complaint) || mentions(complaint, ours)) {
    return ErrorKind::InvalidInput;
  }
  return ErrorKind::Unavailable;
}

}  // namespace

Error provider_failure(const ModelServer& server, const net::HttpResponse& response, Instant now) {
  Error failure = by_status(server, response);
  if (const auto wait = net::retry_after(response, now)) {
    failure.wait(std::chrono::ceil<std::chrono::milliseconds>(*wait));
  }
  return failure;
}

void throw_carried_error(const Json& reply) {
  if (!reply.is_object()) return;
  const auto error = reply.find("error");
  if (error == reply.end() || error->is_null()) return;
  const Complaint complaint = complaint_in(*error);
  throw Error(kind_of(complaint),
              fmt::format("the server reports an error: {}", one_line(complaint.message, kShown)),
              "try again; if it stays so, look at the log of the server");
}

}  // namespace hone::model
