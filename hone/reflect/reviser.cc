#include "hone/reflect/reviser.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "hone/base/text.h"
#include "hone/prompt/edits.h"
#include "hone/prompt/prompts.h"
#include "hone/prompt/revision.h"
#include "hone/reflect/asking.h"

namespace hone::reflect {
namespace {

constexpr int kAsks = 2;

bool is_edit(const Plan& plan) {
  return plan.strategy == Strategy::TargetedEdit || plan.strategy == Strategy::Incremental;
}

bool is_blank(const core::Output& output) {
  return output.finish == core::Finish::Complete && trim(output.text).empty();
}

prompt::Prompt whole_text_prompt(const core::Run& run, const Plan& plan) {
  if (plan.fresh) return prompt::generate_prompt(run);
  if (plan.strategy == Strategy::Regenerate) return prompt::regenerate_prompt(run, plan.view);
  return prompt::full_rewrite_prompt(run, plan.view);
}

using Edited = std::variant<std::string, prompt::UnfitEdits>;

Edited edited_text(const std::string& text, const core::Output& reply) {
  if (reply.finish == core::Finish::Length) {
    return prompt::UnfitEdits{"it was cut off at the token limit"};
  }
  if (reply.finish == core::Finish::Interrupted) return prompt::UnfitEdits{"it was interrupted"};
  auto read = prompt::read_edits(reply.text);
  if (auto* unfit = std::get_if<prompt::UnfitEdits>(&read)) return std::move(*unfit);
  return prompt::apply_edits(text, std::get<std::vector<prompt::Edit>>(read));
}

std::string told(std::string what, const std::string& why) {
  return why.empty() ? what : fmt::format("{} ({})", what, why);
}

}  // namespace

ModelReviser::ModelReviser(core::Model& model, RevisionOptions options, core::Sampling sampling,
                           std::optional<JsonText> schema)
    : model_(model),
      options_(std::move(options)),
      sampling_(sampling),
      schema_(std::move(schema)) {}

async<core::Output> ModelReviser::ask(core::Context context, Work& work, prompt::Prompt prompt) {
  OutputRequest request{core::Role::Revise, std::move(prompt), work.sampling, work.ask++};
  request.drafts = !is_edit(work.plan);
  if (!is_edit(work.plan)) request.schema = schema_;
  auto asking = ask_for_output(std::move(context), model_, std::move(request));
  co_return co_await std::move(asking);
}

// The best text with edits applied, and which model made them; none if they do not fit.
async<std::optional<core::Output>> ModelReviser::edited(core::Context context, Work& work) {
  const std::string& text = work.run.find_best()->output.text;
  prompt::RevisionView view = work.plan.view;
  for (int i = 0; i < kAsks; ++i) {
    auto asking = ask(context, work, prompt::targeted_edit_prompt(work.run, view));
    core::Output reply = co_await std::move(asking);
    Edited result = edited_text(text, reply);
    if (auto* changed = std::get_if<std::string>(&result)) {
      reply.text = std::move(*changed);
      co_return reply;
    }
    view.problem = std::get<prompt::UnfitEdits>(result).problem;
  }
  co_return std::nullopt;
}

async<core::Output> ModelReviser::written(core::Context context, Work& work) {
  Plan& plan = work.plan;
  core::Output output;
  for (int i = 0; i < kAsks; ++i) {
    auto asking = ask(context, work, whole_text_prompt(work.run, plan));
    output = co_await std::move(asking);
    if (!is_blank(output)) break;
    plan.view.problem = "it was empty";
  }
  co_return output;
}

async<core::Output> ModelReviser::revise(core::Context context, const core::Run& run) {
  Work work{run, plan_revision(run, options_), revision_sampling(run, options_, sampling_)};
  std::string done(to_string(work.plan.strategy));
  std::optional<core::Output> output;
  if (is_edit(work.plan)) {
    auto editing = edited(context, work);
    output = co_await std::move(editing);
    if (!output) done = "full_rewrite after " + done;
    work.plan.strategy = Strategy::FullRewrite;
  }
  if (!output) {
    auto writing = written(std::move(context), work);
    output = co_await std::move(writing);
  }
  output->strategy = told(std::move(done), work.plan.why);
  co_return *std::move(output);
}

}  // namespace hone::reflect
