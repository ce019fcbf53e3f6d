#include "hone/model/scripted.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::model {
namespace {

using Kind = ScriptedFailure::Kind;

constexpr std::size_t kMostRuns = 65'536;
constexpr int kMostTries = 3;        // Of one call: see Retried.
constexpr std::size_t kShown = 400;  // Characters of a message that no rule fits.

std::string_view last_message(const core::ModelRequest& request) {
  return request.messages.empty() ? std::string_view() : request.messages.back().text;
}

bool fits(const ScriptRule& rule, const core::ModelRequest& request) {
  if (rule.role && *rule.role != request.role) return false;
  if (rule.attempt && *rule.attempt != request.attempt) return false;
  return last_message(request).find(rule.contains) != std::string_view::npos;
}

core::Usage usage_of(const ScriptRule& rule, const core::ModelRequest& request) {
  if (rule.usage) return *rule.usage;
  core::Usage usage{.calls = 1, .estimated = true};
  for (const core::Message& message : request.messages) {
    usage.input += core::estimate_tokens(message.text);
  }
  usage.output = core::estimate_tokens(rule.reply);
  return usage;
}

// The first `bytes` bytes, or a little less so that no character is torn.
std::string_view start_of(std::string_view text, std::size_t bytes) {
  bytes = std::min(bytes, text.size());
  while (bytes > 0 && bytes < text.size() && (text[bytes] & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

void draft(const core::Context& context, const core::ModelRequest& request, std::string_view text) {
  if (!request.drafts) return;
  constexpr std::size_t kPieces = 3;
  const std::size_t bytes = std::max<std::size_t>(4, (text.size() + kPieces - 1) / kPieces);
  while (!text.empty()) {
    const std::string_view piece = start_of(text, bytes);
    context.emit(core::Draft{request.attempt, std::string(piece)});
    text.remove_prefix(piece.size());
  }
}

async<void> wait(core::Context context, Duration delay) {
  if (delay == Duration::zero()) co_return;
  const Instant until = context.clock->now() + delay;
  if (!context.deadline || until < *context.deadline) {
    co_await context.clock->sleep_until(until);
    co_return;
  }
  co_await context.clock->sleep_until(*context.deadline);
  throw Error(ErrorKind::DeadlineExceeded, "the time of the run was up before the script answered",
              "give the run more time");
}

ErrorKind kind_of(int status) {
  if (status == 429) return ErrorKind::Overloaded;
  if (status == 404) return ErrorKind::NotFound;
  return status >= 500 || status == 408 ? ErrorKind::Unavailable : ErrorKind::InvalidInput;
}

Error status_error(const ScriptedFailure& failure) {
  Error error(kind_of(failure.status),
              fmt::format("the scripted model answered with status {}", failure.status));
  if (failure.retry_after) error.wait(*failure.retry_after);
  return error;
}

Error error_of(const ScriptedFailure& failure) {
  switch (failure.kind) {
    case Kind::Timeout:
      return {ErrorKind::DeadlineExceeded, "the scripted model did not answer in time"};
    case Kind::Refusal:
      return {ErrorKind::Refused, "the scripted model refused to answer", "change the task"};
    case Kind::Disconnect:
      return {ErrorKind::Unavailable, "the scripted model closed the connection"};
    case Kind::Status:
      return status_error(failure);
    case Kind::Length:
      break;
  }
  fail_check("a failure that is an error", __FILE__, __LINE__);
}

bool passes(const ScriptedFailure& failure) {
  const ErrorKind kind = error_of(failure).kind();
  return kind == ErrorKind::Unavailable || kind == ErrorKind::Overloaded;
}

bool is_cut(const ScriptRule& rule) { return rule.failure && rule.failure->kind == Kind::Length; }

bool answers(const ScriptRule& rule) { return !rule.failure || is_cut(rule); }

core::ModelReply reply_of(const ScriptRule& rule, const core::ModelRequest& request) {
  core::ModelReply reply;
  reply.text = rule.reply;
  reply.finish = is_cut(rule) ? core::Finish::Length : core::Finish::Complete;
  reply.model = "scripted";
  reply.usage = usage_of(rule, request);
  reply.tool_calls = rule.tool_calls;
  return reply;
}

}  // namespace

ScriptedModel::ScriptedModel(std::vector<ScriptRule> rules, std::string file)
    : rules_(std::move(rules)), file_(std::move(file)) {}

async<core::ModelReply> ScriptedModel::complete(core::Context context,
                                                const core::ModelRequest& request) {
  const ScriptRule& rule = take(context.run, request);
  co_await wait(context, rule.delay);
  if (rule.failure && !is_cut(rule)) {
    draft(context, request, start_of(rule.reply, rule.reply.size() / 2));
    throw error_of(*rule.failure);
  }
  draft(context, request, rule.reply);
  co_return reply_of(rule, request);
}

const ScriptRule& ScriptedModel::take(const std::string& run, const core::ModelRequest& request) {
  const std::scoped_lock lock(mutex_);
  std::vector<bool>& used = used_by(run);
  const auto found = find_rule(used, request);
  if (!found) {
    const auto fitting = [&](const ScriptRule& rule) { return fits(rule, request); };
    throw no_rule(request, static_cast<std::size_t>(std::ranges::count_if(rules_, fitting)));
  }
  used[*found] = !rules_[*found].repeat;
  return rules_[*found];
}

std::optional<std::size_t> ScriptedModel::find_rule(const std::vector<bool>& used,
                                                    const core::ModelRequest& request,
                                                    std::optional<std::string_view> reply) const {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (used[i] || !fits(rules_[i], request)) continue;
    if (!reply || (answers(rules_[i]) && rules_[i].reply == *reply)) return i;
  }
  return std::nullopt;
}

// Attempts at once are answered in another order than they asked: what they were told says which
// rule it was. The failing ones before it were tries of the same call.
void ScriptedModel::mark_used(const std::string& run, const core::ModelRequest& request,
                              const core::ModelReply* reply) {
  const std::scoped_lock lock(mutex_);
  std::vector<bool>& used = used_by(run);
  for (int attempt = 0; attempt < kMostTries; ++attempt) {
    std::optional<std::size_t> found = find_rule(used, request);
    if (!found || (reply == nullptr && answers(rules_[*found]))) return;
    if (reply != nullptr && answers(rules_[*found])) {
      found = find_rule(used, request, reply->text).value_or(*found);
    }
    used[*found] = !rules_[*found].repeat;
    if (answers(rules_[*found]) || !passes(*rules_[*found].failure)) return;
  }
}

std::vector<bool>& ScriptedModel::used_by(const std::string& run) {
  if (const auto known = by_run_.find(run); known != by_run_.end()) {
    runs_.splice(runs_.begin(), runs_, known->second);
    return runs_.front().used;
  }
  if (runs_.size() >= kMostRuns) {
    by_run_.erase(runs_.back().run);
    runs_.pop_back();
  }
  runs_.push_front({run, std::vector<bool>(rules_.size())});
  by_run_.emplace(run, runs_.begin());
  return runs_.front().used;
}

Error ScriptedModel::no_rule(const core::ModelRequest& request, std::size_t used_up) const {
  const std::string_view role = core::to_string(request.role);
  const std::string_view message = last_message(request);
  const std::string_view start = start_of(message, kShown);
  const std::string used =
      used_up == 0 ? std::string() : fmt::format(" ({} that would fit are used up)", used_up);
  return {ErrorKind::InvalidInput,
          fmt::format("no rule of {} fits the request of role {}, attempt {}{}, whose last message "
                      "is: {}{}",
                      file_, role, request.attempt, used, start,
                      start.size() < message.size() ? "…" : ""),
          fmt::format("add a rule such as - {{role: {}, attempt: {}, reply: \"…\"}}, or repeat: "
                      "true to one that is used up",
                      role, request.attempt)};
}

}  // namespace hone::model
