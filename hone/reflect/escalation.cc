#include "hone/reflect/escalation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/json_form.h"
#include "hone/net/http_client.h"
#include "hone/prompt/reasons.h"

namespace hone::reflect {
namespace {

constexpr std::size_t kAnswerColumns = 300;
constexpr std::size_t kAnswerBytes = 64 * 1024;

Json reflection_of(const core::Attempt& attempt) {
  Json json = {{"attempt", attempt.number},
               {"outcome", core::to_string(attempt.evaluation.outcome)},
               {"score", nullptr},
               {"reasons", prompt::reasons(attempt)}};
  if (attempt.evaluation.score) json["score"] = attempt.evaluation.score->value();
  const core::Reflection& said = *attempt.reflection;
  json["text"] = said.text;
  json["what_happened"] = said.what_happened;
  json["what_went_wrong"] = said.what_went_wrong;
  json["why"] = said.why;
  json["do_differently"] = said.do_differently;
  json["rule"] = said.rule;
  if (!said.principle.empty()) json["principle"] = said.principle;
  if (!said.procedure.empty()) json["procedure"] = said.procedure;
  return json;
}

void reword(Json& json, const std::function<std::string(std::string_view)>& wording) {
  if (json.is_string()) json = wording(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& item : json) reword(item, wording);
}

std::string_view said_last(const core::ProcessResult& result) {
  return trim(result.errors).empty() ? result.output : result.errors;
}

// Why the command did not end well, as a sentence.
std::string trouble(const core::ProcessResult& result, const EscalationOptions& options) {
  const std::string name = one_line(options.to, 80);
  if (result.timed_out) {
    return fmt::format("`{}` did not end within {}", name, show_duration(options.timeout));
  }
  if (result.signal) return fmt::format("`{}` was ended by signal {}", name, *result.signal);
  const std::string said = one_line(said_last(result), kAnswerColumns);
  return fmt::format("`{}` ended with {}{}", name, result.exit_code.value_or(1),
                     said.empty() ? "" : ": " + said);
}

}  // namespace

Json chain_of(const core::Run& run) {
  Json chain = {{"format", 1},
                {"run", run.id},
                {"name", run.task.name},
                {"task", run.task.prompt},
                {"type", run.task.type},
                {"stop", nullptr},
                {"selected", nullptr},
                {"output", nullptr},
                {"evaluation", nullptr},
                {"reflections", Json::array()},
                {"recalled", Json::array()}};
  if (run.stop) {
    chain["stop"] = {{"reason", core::to_string(run.stop->reason)}, {"detail", run.stop->detail}};
  }
  if (const core::Attempt* selected = run.find_selected()) {
    chain["selected"] = selected->number;
    chain["output"] = to_utf8(selected->output.text);
    chain["evaluation"] = core::to_json(selected->evaluation);
  }
  for (const core::Attempt& attempt : run.attempts) {
    if (attempt.reflection) chain["reflections"].push_back(reflection_of(attempt));
  }
  for (const core::Lesson& lesson : run.recalled)
    chain["recalled"].push_back({{"id", lesson.id}, {"text", lesson.text}});
  return chain;
}

bool is_webhook(std::string_view to) {
  const bool has_scheme = to.starts_with("http://") || to.starts_with("https://");
  return has_scheme && to.find_first_of(" \t\n") == to.npos;
}

HandOver::HandOver(core::Runner& runner, EscalationOptions options)
    : runner_(runner), options_(std::move(options)) {
  if (!trim(options_.to).empty()) return;
  throw Error(ErrorKind::InvalidInput, "there is nobody to escalate to",
              "give a command, or the address of a webhook");
}

core::ProcessRequest HandOver::request_for(const core::Run& run) const {
  Json chain = chain_of(run);
  if (options_.wording) reword(chain["reflections"], options_.wording);
  core::ProcessRequest request;
  request.command = options_.to;
  request.input = dump(chain) + "\n";
  request.timeout = options_.timeout;
  request.environment = {{"HONE_RUN", run.id},
                         {"HONE_STOP", std::string(core::to_string(run.stop->reason))}};
  request.role = core::Role::Reflect;
  return request;
}

async<std::string> HandOver::escalate(core::Context context, const core::Run& run) {
  const core::ProcessRequest request = request_for(run);
  const core::Context place = context.at("hand_over", 1);
  const core::ProcessResult result = co_await runner_.run(place, request);
  if (result.succeeded()) co_return one_line(result.output, kAnswerColumns);
  throw Error(ErrorKind::Unavailable, trouble(result, options_),
              "see `hone show` for the run, and hand it over yourself");
}

async<core::ProcessResult> WebhookRunner::run(core::Context, const core::ProcessRequest& request) {
  net::HttpRequest post;
  post.method = "POST";
  post.url = request.command;
  post.headers = {{"Content-Type", "application/json"}};
  post.body = request.input;
  post.limits.total = request.timeout;
  post.limits.body_bytes = kAnswerBytes;
  const net::HttpClient client;
  const net::HttpResponse response = co_await client.send(std::move(post));
  core::ProcessResult result;
  result.exit_code = response.status >= 200 && response.status < 300 ? 0 : 1;
  result.output = to_utf8(response.body);
  if (result.exit_code != 0) result.errors = fmt::format("HTTP status {}", response.status);
  co_return result;
}

}  // namespace hone::reflect
