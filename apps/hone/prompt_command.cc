// hone prompt: what would be asked first, with the lessons of earlier runs that it would be shown,
// and about how large it is. Calls nothing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/hone/commands.h"
#include "apps/hone/configuration.h"
#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/task_argument.h"
#include "hone/core/json_form.h"
#include "hone/prompt/criteria.h"
#include "hone/prompt/prompts.h"

namespace hone::app {
namespace {

struct Shown {
  core::Role role;
  prompt::Prompt prompt;
};

std::int64_t estimate(const prompt::Prompt& prompt) {
  std::int64_t tokens = 0;
  for (const core::Message& message : prompt.messages)
    tokens += core::estimate_tokens(message.text).count;
  return tokens;
}

// A run that stands before its first verdict; the output is a stand-in that says so.
std::vector<Shown> prompts_of(const task::TaskFile& file, std::vector<core::Lesson> lessons) {
  core::Run run;
  run.task = file.task;
  run.recalled = std::move(lessons);
  std::vector<Shown> shown{{core::Role::Generate, prompt::generate_prompt(run)}};
  for (const task::Check& check : file.checks) {
    const auto* judge = std::get_if<task::JudgeCheck>(&check.options);
    if (judge == nullptr) continue;
    prompt::Rubric rubric{.text = judge->rubric};
    if (rubric.text.empty()) rubric.criteria = prompt::default_criteria(file.task.type);
    const core::Output output{.text = "(the output of attempt 1)"};
    shown.push_back({core::Role::Evaluate, prompt::judge_prompt(run, output, rubric)});
  }
  return shown;
}

Json to_json(const std::vector<Shown>& shown) {
  Json prompts = Json::array();
  for (const Shown& each : shown) {
    Json messages = Json::array();
    for (const core::Message& message : each.prompt.messages) {
      messages.push_back({{"role", core::to_string(message.speaker)}, {"content", message.text}});
    }
    prompts.push_back({{"role", core::to_string(each.role)},
                       {"messages", messages},
                       {"input_tokens", estimate(each.prompt)},
                       {"estimated", true},
                       {"usd", nullptr}});
  }
  return {{"format", 1}, {"prompts", prompts}};
}

void print(const std::vector<Shown>& shown) {
  for (const Shown& each : shown) {
    fmt::print("== {}  about {} tokens, price unknown\n", core::to_string(each.role),
               estimate(each.prompt));
    for (const core::Message& message : each.prompt.messages) {
      fmt::print("-- {}\n{}\n", core::to_string(message.speaker), message.text);
    }
    fmt::print("\n");
  }
}

}  // namespace

void add_prompt_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("prompt", "Show the first prompts and their size; calls nothing");
  command->footer("Example:\n  hone prompt examples/order/task.yaml");
  const auto flags = std::make_shared<Flags>();
  const auto argument = std::make_shared<std::string>();
  command->add_option("TASK", *argument, "Task file, prompt in words, or - for stdin")->required();
  add_model_flags(*command, *flags);
  add_attempts_flag(*command, *flags);
  add_task_flags(*command, *flags);
  add_output_flags(*command, *flags);
  command->callback([=, &chosen] {
    chosen = [=] {
      task::TaskFile file = with_flags(task_of(*argument), configured(*flags, *command));
      add_default_check(file);
      LessonMemory lessons(file.lessons, *flags);
      const auto shown = prompts_of(file, lessons.preview(file.task));
      lessons.tell_notes(*flags);
      if (flags->json) {
        fmt::print("{}\n", dump_pretty(to_json(shown)));
      } else {
        print(shown);
      }
      return kDone;
    };
  });
}

}  // namespace hone::app
