#include "hone/journal/journaled_effects.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/core/json_form_writer.h"
#include "hone/core/spend.h"

namespace hone::journal {
namespace {

std::string identity_text(const core::PromptIdentity& prompt) {
  if (prompt.name.empty()) return {};
  return prompt.name + " " + prompt.hash;
}

std::string json_string(std::string_view text, Redactor& redactor) {
  core::JsonWriter writer(&redactor);
  writer.text(text);
  return writer.take();
}

Effect effect_of(Recording& recording, const core::Context& context, const std::string& model,
                 const core::ModelRequest& request) {
  const std::size_t before = recording.redactor().count();
  const std::string inner = core::journal_text(request, &recording.redactor());
  const std::string name = json_string(model, recording.redactor());
  std::string text;
  text.reserve(inner.size() + name.size() + 32);
  text.append(R"({"model":)").append(name).append(R"(,"request":)").append(inner) += '}';
  return {Kind::Model, context.path, identity_text(request.prompt), std::move(text),
          recording.redactor().count() > before};
}

// A process that is run, or code in one.
template <class Request>
Effect effect_of(Recording& recording, const core::Context& context, const Request& request) {
  const std::size_t before = recording.redactor().count();
  std::string text = core::journal_text(request, &recording.redactor());
  return {Kind::Process, context.path, "", std::move(text), recording.redactor().count() > before};
}

// What failed calls at this place had cost before the run was resumed belongs to the call that is
// made again: so a replay, which knows that one only, counts the same.
void add_cost(core::ModelReply& reply, const core::Usage& before) { reply.usage += before; }
void add_cost(core::ProcessResult&, const core::Usage&) {}
void add_cost(core::CodeResult&, const core::Usage&) {}

core::Usage cost_of(const core::ModelReply& reply) { return reply.usage; }
core::Usage cost_of(const core::ProcessResult&) { return {}; }
core::Usage cost_of(const core::CodeResult&) { return {}; }

core::PaidError failure_with(const std::exception_ptr& failure, core::Usage before) {
  return {to_error(failure), before += core::usage_of(failure)};
}

// The recorded answer, if there is one. It debits the ledger as the live one did.
template <class Reply>
std::optional<Reply> recorded_answer(Recording& recording, const core::Context& context,
                                     const Effect& effect, core::Role role,
                                     Reply (*read)(const Json&)) {
  try {
    const Record* past = recording.find_answer(effect);
    if (past == nullptr) return std::nullopt;
    Reply reply = read(parse_json(past->answer));
    core::spend(context, role, cost_of(reply));
    return reply;
  } catch (const core::PaidError& failure) {
    core::spend(context, role, failure.usage());
    throw;
  }
}

// The answer from the record, or that of `call`, which is on the disk before it is returned. A
// cancellation that arrives with the answer loses nothing: the answer is queued in the same
// resumption, and the wait for the disk does not listen.
template <class Reply>
async<Reply> journaled(Recording& recording, core::Context context, Effect effect, core::Role role,
                       async<Reply> call, Reply (*read)(const Json&)) {
  if (auto past = recorded_answer(recording, context, effect, role, read)) {
    co_return *std::move(past);
  }
  const core::Usage before = recording.spent_at(effect.path);
  core::spend(context, role, before);
  const bool interrupts = co_await cancellation_interrupts();
  const auto cancelled = co_await cancellation();
  std::optional<Reply> reply;
  std::exception_ptr failure;
  try {
    throw_if_cancelled(cancelled);
    reply = co_await std::move(call);
    add_cost(*reply, before);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    const core::PaidError paid = failure_with(failure, before);
    if (before != core::Usage{}) failure = std::make_exception_ptr(paid);
    recording.failed(std::move(effect), paid, context.clock->now());
  } else {
    const std::size_t secrets = recording.redactor().count();
    std::string answer = core::journal_text(*reply, &recording.redactor());
    const bool redacted = recording.redactor().count() > secrets;
    recording.answered(std::move(effect), std::move(answer), redacted, context.clock->now());
  }
  co_await pending_cancellation_waits(true);
  const std::exception_ptr unwritten = co_await caught(recording.settled());
  co_await pending_cancellation_waits(!interrupts);
  if (unwritten) std::rethrow_exception(unwritten);
  if (failure) std::rethrow_exception(failure);
  co_return *std::move(reply);
}

}  // namespace

async<core::ModelReply> JournaledModel::complete(core::Context context,
                                                 const core::ModelRequest& request) {
  Effect effect = effect_of(recording_, context, model_.name(), request);
  auto call = model_.complete(context, request);
  co_return co_await journaled(recording_, std::move(context), std::move(effect), request.role,
                               std::move(call), core::model_reply_from_json);
}

async<core::ProcessResult> JournaledRunner::run(core::Context context,
                                                const core::ProcessRequest& request) {
  Effect effect = effect_of(recording_, context, request);
  auto call = runner_.run(context, request);
  co_return co_await journaled(recording_, std::move(context), std::move(effect), request.role,
                               std::move(call), core::process_result_from_json);
}

async<core::CodeResult> JournaledCodeRunner::run(core::Context context,
                                                 const core::CodeRequest& request) {
  Effect effect = effect_of(recording_, context, request);
  auto call = runner_.run(context, request);
  co_return co_await journaled(recording_, std::move(context), std::move(effect), request.role,
                               std::move(call), core::code_result_from_json);
}

async<core::ModelReply> AbsentModel::complete(core::Context context, const core::ModelRequest&) {
  throw Error(ErrorKind::Internal, fmt::format("the model {} was asked at `{}` in a replay", name_,
                                               context.path.text()));
  co_return core::ModelReply();
}

}  // namespace hone::journal
