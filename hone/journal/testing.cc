#include "hone/journal/testing.h"

#include <exception>
#include <random>

#include "hone/base/text.h"
#include "hone/core/json_form.h"

namespace hone::journal {

std::string noise(std::size_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += "0123456789abcdef"[random() % 16];
  return text;
}

core::ModelRequest request_for(core::Role role, int attempt, const core::Run& run) {
  core::ModelRequest request;
  request.role = role;
  request.attempt = attempt;
  request.messages = {{core::Speaker::System, "You write memos."},
                      {core::Speaker::User, run.task.prompt}};
  for (const core::Attempt& before : run.attempts) {
    request.messages.push_back({core::Speaker::Assistant, before.output.text});
    if (!before.reflection) continue;
    request.messages.push_back({core::Speaker::User, before.reflection->text});
  }
  request.messages.push_back({core::Speaker::User, "Now: " + std::string(to_string(role))});
  request.prompt = {std::string(to_string(role)), "0123456789ab"};
  return request;
}

async<core::ModelReply> ModelRoles::ask(core::Context context, core::Role role,
                                        const core::Run& run) {
  const core::ModelRequest request = request_for(role, context.attempt, run);
  co_return co_await model_.complete(context.at("ask", 1), request);
}

async<core::Output> ModelRoles::generate(core::Context context, const core::Run& run) {
  const core::ModelReply answer = co_await ask(context, core::Role::Generate, run);
  const core::Output output{answer.text, answer.finish, answer.model, ""};
  co_return output;
}

async<core::Evaluation> ModelRoles::evaluate(core::Context context, const core::Run& run,
                                             const core::Output& output) {
  core::ModelRequest request = request_for(core::Role::Evaluate, context.attempt, run);
  request.messages.push_back({core::Speaker::Assistant, output.text});
  const core::ModelReply verdict = co_await model_.complete(context.at("ask", 1), request);
  const double score = to_number(verdict.text).value_or(0);
  const core::Issue issue{"/total", std::nullopt,          "it has no total",
                          "judge",  core::Severity::Error, "judge"};
  if (score < 0.8) co_return core::failed(Score(score), {issue});
  co_return core::passed(Score(score));
}

async<core::Reflection> ModelRoles::reflect(core::Context context, const core::Run& run) {
  const core::ModelReply answer = co_await ask(context, core::Role::Reflect, run);
  core::Reflection reflection;
  reflection.text = reflection.rule = answer.text;
  co_return reflection;
}

async<core::Output> ModelRoles::revise(core::Context context, const core::Run& run) {
  const core::ModelReply answer = co_await ask(context, core::Role::Revise, run);
  const core::Output output{answer.text, answer.finish, answer.model, "regenerate"};
  co_return output;
}

async<core::ModelReply> CountingModel::complete(core::Context context,
                                                const core::ModelRequest& request) {
  core::ModelReply answer;
  std::exception_ptr failure;
  try {
    answer = co_await model_.complete(context, request);
  } catch (...) {
    failure = std::current_exception();
  }
  context.ledger->settle(request.role, failure ? core::usage_of(failure) : answer.usage);
  if (failure) std::rethrow_exception(failure);
  co_return answer;
}

async<void> run_recorded(core::Run& result, Recording& recording, core::Model& model, Clock& clock,
                         core::EventSink& listener, int at_once) {
  CountingModel counting(model);
  JournaledModel journaled(recording, counting);
  ModelRoles roles(journaled);
  core::NoMemory memory;
  core::Ledger ledger;
  core::SeededRandom random(1);
  Recorder recorder(recording, listener);
  core::Context context;
  context.run = result.id;
  context.ledger = &ledger;
  context.events = &recorder;
  context.clock = &clock;
  context.random = &random;
  core::Task task;
  task.name = "memo";
  task.prompt = "Write a memo.";
  core::LoopOptions options;
  options.stop.when.plateau.reset();
  options.at_once = at_once;
  result = co_await core::reflect(context, task, roles.roles(memory), options);
  co_await recording.close();
}

core::Run run_recorded(Recording& recording, core::Model& model, int at_once) {
  SteppingClock live;
  ReplayClock replayed(recording);
  Clock& clock = recording.replays() ? static_cast<Clock&>(replayed) : live;
  core::NoEvents nobody;
  core::Run run;
  run.id = recording.run();
  run_sync([&] { return run_recorded(run, recording, model, clock, nobody, at_once); });
  return run;
}

core::Run record_run(const std::string& path, const std::string& id) {
  Journal journal({.path = path});
  const auto recording = Recording::record(journal, header_of(id));
  FakeModel model(scripted_reply);
  return run_recorded(*recording, model);
}

}  // namespace hone::journal
