// What the tests of models behind HTTP share: one answer, as each provider's server writes it.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "hone/model/answer.h"
#include "hone/model/http_model.h"
#include "hone/net/fake_server.h"

namespace hone::model {

// What a server says; usage is 9 tokens in, 4 of them cached, and 5 out.
struct Spoken {
  std::vector<std::string> pieces = {"Hel", "lö."};
  Ending ending = Ending::Complete;
  std::vector<core::ToolCall> calls = {};
  std::string error = {};  // A type of error that ends the stream after the pieces.
  bool tells_usage = true;

  std::string text() const {
    std::string whole;
    for (const std::string& piece : pieces) whole += piece;
    return whole;
  }
};

// One provider: how its servers speak and which model listens.
struct WireKind {
  std::string name;
  std::string (*whole)(const Spoken& spoken);
  std::string (*stream)(const Spoken& spoken);
  std::unique_ptr<core::Model> (*make)(HttpModelOptions options);

  std::unique_ptr<core::Model> model(const std::string& url, CallLimits limits = {}) const {
    return make({.name = name + ":m",
                 .model = "m",
                 .base_url = url,
                 .key = net::Secret("sk-secret"),
                 .limits = limits});
  }
};

inline void PrintTo(const WireKind& kind, std::ostream* out) { *out << kind.name; }

// "openai" and "anthropic", in this order.
const std::vector<WireKind>& wire_kinds();

inline net::FakeReply whole_reply(std::string body) {
  return {.headers = {{"Content-Type", "application/json"}}, .chunks = {std::move(body)}};
}

inline net::FakeReply stream_reply(std::vector<std::string> chunks) {
  return {.headers = {{"Content-Type", "text/event-stream"}},
          .chunks = std::move(chunks),
          .chunked = true};
}

}  // namespace hone::model
