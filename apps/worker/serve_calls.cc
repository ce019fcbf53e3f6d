#include "apps/worker/serve_calls.h"

#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "hone/base/error.h"

namespace hone::worker {
namespace {

using sandbox::FrameHead;
using sandbox::FrameType;
using sandbox::Secret;

struct Call {
  Secret secret{};
  core::CodeRequest request;
};

core::CodeRequest request_from(const Json& json) {
  core::CodeRequest request;
  request.use = json.at("use") == "test"    ? core::CodeUse::Test
                : json.at("use") == "value" ? core::CodeUse::Value
                                            : core::CodeUse::Check;
  request.code = json.at("code").get<std::string>();
  request.test = json.value("test", std::string());
  request.shared = json.value("shared", std::string());
  request.trusted = json.value("trusted", false);
  request.limits.timeout = Duration(json.value("timeout", std::int64_t{0}));
  request.variables = JsonText{json.value("variables", std::string("{}"))};
  return request;
}

// The text in which the request came is gone from memory when this returns, but for its parts.
std::optional<Call> next_call() {
  FrameHead head;
  if (!sandbox::read_all(sandbox::kSocket, reinterpret_cast<char*>(&head), sizeof head)) return {};
  Call call;
  if (head.type != FrameType::Request || head.length < call.secret.size()) return {};
  if (!sandbox::read_all(sandbox::kSocket, call.secret.data(), call.secret.size())) return {};
  std::string body(head.length - call.secret.size(), '\0');
  if (!sandbox::read_all(sandbox::kSocket, body.data(), body.size())) return {};
  call.request = request_from(parse_json(body));
  return call;
}

std::string text_of(const core::CodeResult& result) {
  Json answer;
  answer["end"] = core::to_string(result.end);
  if (result.value) answer["value"] = result.value->text;
  if (!result.message.empty()) answer["message"] = result.message;
  if (result.line) answer["line"] = *result.line;
  if (result.column) answer["column"] = *result.column;
  return dump(answer);
}

bool send_answer(const Secret& secret, const std::string& answer, std::size_t longest) {
  const std::string proof(secret.data(), secret.size());
  if (answer.size() > longest)
    return sandbox::write_frame(sandbox::kSocket, FrameType::TooLong, proof);
  return sandbox::write_frame(sandbox::kSocket, FrameType::Answer, proof + answer);
}

}  // namespace

void serve_calls(Interpreter& interpreter, const sandbox::WorkerLimits& limits) try {
  const pid_t worker = ::getpid();
  while (const auto call = next_call()) {
    const core::CodeResult result = interpreter.answer(call->request);
    // What the code forked and what came back with it has no say.
    if (::getpid() != worker) return;
    if (!send_answer(call->secret, text_of(result), limits.longest_answer)) return;
    if (!limits.reused) return;
  }
} catch (const std::exception&) {
  // The engine hears of the end of this process, whatever it was.
  return;
}

void refuse_call(const std::string& reason) try {
  const auto call = next_call();
  if (!call) return;
  const core::CodeResult refusal{.end = core::CodeEnd::Died, .message = reason};
  send_answer(call->secret, text_of(refusal), std::string::npos);
} catch (const std::exception&) {
  return;
}

}  // namespace hone::worker
