#include "tests/fake_openai/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::fake_openai {

struct Script::Reply {
  Json fields;
  bool is_used = false;
};

namespace {

constexpr std::array<std::string_view, 12> kKeys = {"text",   "finish",   "usage",     "body",
                                                    "stream", "status",   "headers",   "contains",
                                                    "role",   "delay_ms", "cut_after", "repeat"};

void check(const Json& fields) {
  if (!fields.is_object()) throw Error(ErrorKind::InvalidInput, "a reply must be an object");
  for (const auto& [key, value] : fields.items()) {
    if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
    throw Error(ErrorKind::InvalidInput, fmt::format("a reply has the unknown key `{}`", key));
  }
}

Json usage_of(const Json& fields) {
  const Json usual = {{"prompt_tokens", 10}, {"completion_tokens", 5}, {"total_tokens", 15}};
  return fields.value("usage", usual);
}

Json completion(const Json& fields) {
  const Json message = {{"role", "assistant"}, {"content", fields.value("text", "")}};
  const Json choice = {
      {"index", 0}, {"message", message}, {"finish_reason", fields.value("finish", "stop")}};
  return {{"id", "fake"},
          {"object", "chat.completion"},
          {"model", "fake"},
          {"choices", Json::array({choice})},
          {"usage", usage_of(fields)}};
}

std::string event(const Json& delta, const Json& finish) {
  const Json choice = {{"index", 0}, {"delta", delta}, {"finish_reason", finish}};
  const Json chunk = {{"model", "fake"}, {"choices", Json::array({choice})}};
  return fmt::format("data: {}\n\n", dump(chunk));
}

// The text in pieces of a few characters, never splitting one.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0, begin = 0; i < text.size(); ++i) {
    const bool is_end = i + 1 == text.size() || (text[i + 1] & 0xC0) != 0x80;
    if (!is_end || (i + 1 - begin < 8 && i + 1 < text.size())) continue;
    pieces.push_back(text.substr(begin, i + 1 - begin));
    begin = i + 1;
  }
  return pieces;
}

std::vector<std::string> stream_of(const Json& fields) {
  std::vector<std::string> events;
  for (const auto& piece : pieces_of(fields.value("text", ""))) {
    events.push_back(event({{"content", piece}}, nullptr));
  }
  events.push_back(event(Json::object(), fields.value("finish", "stop")));
  const Json usage = usage_of(fields);
  if (!usage.is_null()) {
    events.push_back(
        fmt::format("data: {}\n\n", dump({{"choices", Json::array()}, {"usage", usage}})));
  }
  events.push_back("data: [DONE]\n\n");
  return events;
}

std::vector<std::string> split_events(const std::string& body) {
  std::vector<std::string> events;
  for (std::size_t begin = 0; begin < body.size();) {
    const auto end = body.find("\n\n", begin);
    const std::size_t next = end == std::string::npos ? body.size() : end + 2;
    events.push_back(body.substr(begin, next - begin));
    begin = next;
  }
  return events;
}

bool wants_stream(const net::FakeRequest& request) {
  const auto body = try_parse_json(request.body);
  return body && body->is_object() && body->value("stream", false);
}

bool fits(const Json& fields, const net::FakeRequest& request) {
  return request.body.find(fields.value("contains", "")) != std::string::npos;
}

std::vector<std::string> chunks_of(const Json& fields, bool streams) {
  if (!fields.contains("body")) {
    if (streams) return stream_of(fields);
    return {dump(completion(fields))};
  }
  const Json& body = fields.at("body");
  const std::string text = body.is_string() ? body.get<std::string>() : dump(body);
  if (streams) return split_events(text);
  return {text};
}

net::FakeReply reply_of(const Json& fields, const net::FakeRequest& request) {
  const bool is_raw = fields.contains("body");
  const bool streams = fields.value("stream", !is_raw && wants_stream(request));
  net::FakeReply reply{.status = fields.value("status", 200)};
  const Json headers = fields.value("headers", Json::object());
  for (const auto& [name, value] : headers.items()) {
    reply.headers.emplace_back(name, value.get<std::string>());
  }
  const bool has_type = std::ranges::any_of(
      reply.headers, [](const auto& header) { return lower(header.first) == "content-type"; });
  if (!has_type) {
    reply.headers.emplace_back("Content-Type", streams ? "text/event-stream" : "application/json");
  }
  reply.chunks = chunks_of(fields, streams);
  reply.chunked = streams;
  reply.before = std::chrono::milliseconds(fields.value("delay_ms", 0));
  reply.between = reply.before;
  if (fields.contains("cut_after")) reply.cut_after = fields.at("cut_after").get<std::size_t>();
  return reply;
}

net::FakeReply failure(int status, std::string_view message) {
  const Json body = {{"error", {{"message", message}, {"type", "fake_server"}}}};
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .chunks = {dump(body)}};
}

}  // namespace

Script::Script(std::string_view json) {
  const Json list = parse_json(json);
  if (!list.is_array())
    throw Error(ErrorKind::InvalidInput, "the script must be a list of replies");
  for (const auto& fields : list) {
    check(fields);
    try {
      reply_of(fields, net::FakeRequest{});
    } catch (const Json::exception& error) {  // A value of the wrong type.
      throw Error(ErrorKind::InvalidInput, fmt::format("a reply is wrong: {}", error.what()));
    }
    replies_.push_back({.fields = fields});
  }
}

Script::~Script() = default;

net::FakeReply Script::answer(const net::FakeRequest& request) {
  if (request.method != "POST" || !request.target.ends_with("/chat/completions")) {
    return failure(404, "only POST …/chat/completions is served");
  }
  const auto reply = std::ranges::find_if(replies_, [&](const Reply& candidate) {
    return !candidate.is_used && fits(candidate.fields, request);
  });
  if (reply == replies_.end()) return failure(500, "the script has no reply left for this request");
  reply->is_used = !reply->fields.value("repeat", false);
  const std::string role = reply->fields.value("role", "reply");
  fmt::print(stderr, "{} {} {}\n", request.method, request.target, role);
  return reply_of(reply->fields, request);
}

}  // namespace hone::fake_openai
