#include "hone/reflect/reflector.h"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/judged.h"
#include "hone/prompt/prompts.h"
#include "hone/prompt/reflection.h"
#include "hone/prompt/templates.h"
#include "hone/reflect/asking.h"

namespace hone::reflect {
namespace {

constexpr double kTemperature = 0.5;
constexpr Tokens kMaxTokens{768};
constexpr std::array<std::string_view, 3> kForms{"full", "by_outcome", "sentence"};

// Failures of this one call; the rest ends the run.
bool goes_on_after(const core::Context& context, const Error& error) {
  return error.kind() == ErrorKind::Refused || core::is_silence(context, error);
}

core::Sampling for_reflections(core::Sampling sampling) {
  if (!sampling.temperature) sampling.temperature = kTemperature;
  if (!sampling.max_tokens) sampling.max_tokens = kMaxTokens;
  return sampling;
}

}  // namespace

std::string_view to_string(Forms forms) { return kForms[static_cast<std::size_t>(forms)]; }

std::optional<Forms> forms_from(std::string_view text) {
  const auto found = std::ranges::find(kForms, text);
  if (found == kForms.end()) return std::nullopt;
  return static_cast<Forms>(found - kForms.begin());
}

std::optional<prompt::ReflectionAsk> ask_after(const core::Run& run,
                                               const ReflectorOptions& options) {
  const core::Attempt& last = run.attempts.back();
  prompt::ReflectionAsk ask{.instruction = options.instruction};
  ask.form = core::form_after(last.evaluation);
  if (options.forms == Forms::Sentence) {
    ask.form = core::ReflectionForm::Sentence;
  } else if (options.forms == Forms::Full) {
    const bool keeps = options.keeps_procedures && ask.form == core::ReflectionForm::Procedure;
    if (!keeps && options.instruction.empty()) return std::nullopt;
    if (!keeps) ask.form = core::ReflectionForm::Full;
  }
  ask.mars = ask.form == core::ReflectionForm::Full && !last.duplicate_of;
  return ask;
}

ModelReflector::ModelReflector(core::Model& model, core::Sampling sampling,
                               ReflectorOptions options)
    : model_(model), sampling_(for_reflections(sampling)), options_(std::move(options)) {}

async<void> ModelReflector::ask(core::Context context, const core::Run& run,
                                core::Reflection& reflection) {
  const auto form = ask_after(run, options_);
  prompt::Prompt prompt = form ? prompt::reflect_prompt(run, *form) : prompt::reflect_prompt(run);
  const core::Context asking = context.at("ask", 1);
  core::ModelRequest request;
  request.role = core::Role::Reflect;
  request.attempt = context.attempt;
  request.messages = std::move(prompt.messages);
  request.prompt = std::move(prompt.identity);
  request.sampling = core::sampling_at(asking, sampling_);
  request.schema = form ? prompt::reply_schema(*form) : prompt::schema_named("reflection");
  const core::ModelReply reply = co_await model_.complete(asking, request);
  reflection =
      form ? prompt::read_reflection(reply.text, *form) : prompt::read_reflection(reply.text);
}

async<core::Reflection> ModelReflector::reflect(core::Context context, const core::Run& run) {
  core::Reflection reflection;
  const std::exception_ptr failure = co_await caught(ask(context, run, reflection));
  if (!failure) co_return reflection;
  if (!goes_on_after(context, to_error(failure))) std::rethrow_exception(failure);
  co_return prompt::reflection_without_answer(run.attempts.back());
}

async<core::Reflection> reflect_on_decision(core::Context context, core::Model& model,
                                            DecisionRequest request) {
  auto prompt = prompt::decision_prompt(request.task, request.said, request.significant);
  const core::Context asking = context.at("ask", 1);
  core::ModelRequest asked;
  asked.role = core::Role::Reflect;
  asked.messages = std::move(prompt.messages);
  asked.prompt = std::move(prompt.identity);
  asked.sampling = core::sampling_at(asking, for_reflections(request.sampling));
  asked.schema = prompt::schema_named("decision");
  const core::ModelReply reply = co_await model.complete(asking, asked);
  co_return prompt::read_decision(reply.text, std::move(request.said), request.significant);
}

}  // namespace hone::reflect
