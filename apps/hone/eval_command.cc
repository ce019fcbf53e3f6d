// hone eval: what the checks of a task say of one given output.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/assembly.h"
#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/data_file.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/models.h"
#include "apps/hone/scene.h"
#include "apps/hone/task_argument.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/judged.h"
#include "hone/core/transcript.h"

namespace hone::app {
namespace {

async<void> judge_into(core::Judged& judged, core::Context context, core::Run run,
                       core::Evaluator& evaluator, core::Output output) {
  judged = co_await core::judged(std::move(context), run, evaluator, output);
}

void print(const core::Evaluation& evaluation, const Flags& flags) {
  if (flags.json) {
    fmt::print("{}\n", dump(core::to_json(evaluation)));
    return;
  }
  core::Attempt attempt{.number = 1};
  attempt.evaluation = evaluation;
  fmt::print("{}", core::evaluation_lines(attempt));
}

int evaluate(const std::string& argument, const std::string& output_file, const Flags& flags) {
  task::TaskFile file = with_flags(task_of(argument), flags);
  add_default_check(file);
  Models models(flags, file.folder);
  const auto make = [&](core::Role, const std::string& spec) { return models.make(spec); };
  Assembly assembly(file,
                    {.make_model = make, .need = Need::EvaluatorOnly, .code = &models.code()});
  const core::Output output{.text = read_file_or_stdin(output_file, "--output")};
  core::Run run;
  run.id = "eval";
  run.task = file.task;
  core::NoEvents nobody;
  Scene scene(file.budget, seed_of(flags));
  core::Context context = scene.context(run.id, nobody).at("attempt", 1).at("evaluate");
  context.attempt = 1;
  core::Judged judged;
  EventLoop loop;
  loop.cancel_on_signals();
  loop.run([&] { return judge_into(judged, context, run, assembly.evaluator(), output); });
  print(judged.evaluation, flags);
  if (judged.ends_run) tell(to_error(judged.ends_run));
  return judged.evaluation.outcome == core::Outcome::Passed ? kDone : kNotGoodEnough;
}

}  // namespace

void add_eval_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("eval", "Evaluate a given output; nothing is generated");
  command->footer(
      "Example:\n  hone eval examples/order/task.yaml --output examples/order/good.json");
  const auto flags = std::make_shared<Flags>();
  const auto argument = std::make_shared<std::string>();
  const auto output = std::make_shared<std::string>();
  command->add_option("TASK", *argument, "Task file, or prompt in words")->required();
  command->add_option("--output", *output, "File that holds the output, or - for stdin")
      ->type_name("FILE")
      ->required();
  add_model_flags(*command, *flags);
  add_attempts_flag(*command, *flags);
  add_task_flags(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback([=, &chosen] {
    chosen = [=] { return evaluate(*argument, *output, configured(*flags, *command)); };
  });
}

}  // namespace hone::app
