#include "hone/reflect/reflector.h"

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

// Failures of this one call; the rest ends the run.
bool goes_on_after(const core::Context& context, const Error& error) {
  return error.kind() == ErrorKind::Refused || core::is_silence(context, error);
}

}  // namespace

ModelReflector::ModelReflector(core::Model& model, core::Sampling sampling)
    : model_(model), sampling_(sampling) {
  if (!sampling_.temperature) sampling_.temperature = kTemperature;
  if (!sampling_.max_tokens) sampling_.max_tokens = kMaxTokens;
}

async<void> ModelReflector::ask(core::Context context, const core::Run& run,
                                core::Reflection& reflection) {
  prompt::Prompt prompt = prompt::reflect_prompt(run);
  const core::Context asking = context.at("ask", 1);
  core::ModelRequest request;
  request.role = core::Role::Reflect;
  request.attempt = context.attempt;
  request.messages = std::move(prompt.messages);
  request.prompt = std::move(prompt.identity);
  request.sampling = core::sampling_at(asking, sampling_);
  request.schema = prompt::schema_named("reflection");
  const core::ModelReply reply = co_await model_.complete(asking, request);
  reflection = prompt::read_reflection(reply.text);
}

async<core::Reflection> ModelReflector::reflect(core::Context context, const core::Run& run) {
  core::Reflection reflection;
  const std::exception_ptr failure = co_await caught(ask(context, run, reflection));
  if (!failure) co_return reflection;
  if (!goes_on_after(context, to_error(failure))) std::rethrow_exception(failure);
  co_return prompt::reflection_without_answer(run.attempts.back());
}

}  // namespace hone::reflect
