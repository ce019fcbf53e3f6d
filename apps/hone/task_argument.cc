#include "apps/hone/task_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/criteria.h"
#include "hone/task/stop_rules.h"
#include "hone/yaml/field.h"

namespace hone::app {
namespace {

Error usage(std::string message, std::string hint) {
  return Error(ErrorKind::InvalidInput, std::move(message), std::move(hint));
}

bool names_a_file(const std::string& argument) {
  const std::filesystem::path path(argument);
  const std::array<std::string, 3> extensions{".yaml", ".yml", ".json"};
  std::error_code failure;
  return std::ranges::find(extensions, path.extension().string()) != extensions.end() ||
         std::filesystem::is_regular_file(path, failure);
}

std::string read_file(const std::string& path, std::string_view flag) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) {
    throw usage(fmt::format("{}: the file `{}` cannot be read", flag, path),
                "check its name and rights");
  }
  return text.str();
}

template <class Options>
void replace_or_add(task::TaskFile& file, std::string name, Options options) {
  const auto same = std::ranges::find_if(file.checks, [](const task::Check& check) {
    return std::holds_alternative<Options>(check.options);
  });
  if (same != file.checks.end()) {
    same->options = std::move(options);
  } else {
    file.checks.push_back({.name = std::move(name), .options = std::move(options)});
  }
}

int positive(std::string_view key, std::string_view value) {
  const auto number = parse_count(value);
  if (number >= 1 && number <= 1'000'000) return static_cast<int>(number);
  throw usage(fmt::format("--stop {}: `{}` is not between 1 and 1,000,000", key, value),
              "write a whole number of at least 1");
}

// "plateau=3", "stable={attempts: 2, similarity: 0.8}", "duplicate=off", or a rule alone to switch
// it on: read like the key of a task file.
void set_stop(core::StopRules& rules, const std::string& entry) {
  const auto equals = entry.find('=');
  const std::string key = entry.substr(0, equals);
  std::string value = equals == std::string::npos ? "true" : entry.substr(equals + 1);
  if (value == "off") value = "false";
  const auto document = yaml::parse("{" + key + ": " + value + "}", "--stop");
  task::read_stop(rules, yaml::Field(document));
}

void set_limits(task::TaskFile& file, const Flags& flags) {
  if (flags.attempts) file.stop.attempts = positive("attempts", std::to_string(*flags.attempts));
  for (const std::string& rule : flags.stop) set_stop(file.stop, rule);
  if (!flags.tokens.empty()) file.budget.tokens = Tokens{parse_count(flags.tokens)};
  if (!flags.time.empty()) file.budget.time = parse_duration(flags.time);
  if (flags.select.empty()) return;
  const auto selection = core::selection_from(flags.select);
  if (!selection) {
    throw usage(fmt::format("--select {} is no rule", flags.select),
                "use highest_score, latest, first_satisfactory, weighted_recency or first");
  }
  file.select = *selection;
}

void set_models(task::TaskFile& file, const Flags& flags) {
  if (!flags.model.empty()) file.models = {{core::Role::Generate, flags.model}};
  if (!flags.judge_model.empty()) file.models[core::Role::Evaluate] = flags.judge_model;
  if (!flags.reflector_model.empty()) file.models[core::Role::Reflect] = flags.reflector_model;
  for (const core::Role role : {core::Role::Generate, core::Role::Revise}) {
    core::Sampling& sampling = file.sampling[role];
    if (flags.temperature) sampling.temperature = flags.temperature;
    if (!flags.max_tokens.empty()) sampling.max_tokens = Tokens{parse_count(flags.max_tokens)};
  }
  if (!flags.seed) return;
  for (const auto role :
       {core::Role::Generate, core::Role::Evaluate, core::Role::Reflect, core::Role::Revise}) {
    file.sampling[role].seed = flags.seed;
  }
}

void set_checks(task::TaskFile& file, const Flags& flags) {
  if (!flags.schema_file.empty()) {
    replace_or_add(file, "schema", task::SchemaCheck{{read_file(flags.schema_file, "--schema")}});
  }
  if (!flags.regex.empty()) {
    file.checks.push_back({.name = "regex", .options = task::RegexCheck{{flags.regex}, {}}});
  }
  for (const std::string& command : flags.checks) {
    file.checks.push_back({.name = "command", .options = task::CommandCheck{.run = command}});
  }
  if (!flags.judge.empty()) replace_or_add(file, "judge", task::JudgeCheck{.rubric = flags.judge});
  if (!flags.threshold) return;
  (void)Score(*flags.threshold);
  file.accept_threshold = *flags.threshold;
  for (task::Check& check : file.checks) {
    if (auto* judge = std::get_if<task::JudgeCheck>(&check.options))
      judge->threshold = flags.threshold;
  }
}

}  // namespace

task::TaskFile task_of(const std::string& argument) {
  if (argument == "-") {
    const std::string prompt{std::istreambuf_iterator<char>(std::cin),
                             std::istreambuf_iterator<char>()};
    if (trim(prompt).empty())
      throw usage("stdin holds no prompt", "pipe the task's text into hone");
    return task::task_of_prompt(prompt);
  }
  if (names_a_file(argument)) return task::load_task_file(argument);
  if (trim(argument).find_first_of(" \t\n") == std::string_view::npos) {
    throw usage(fmt::format("`{}` is neither a file nor a prompt in words", argument),
                "name a task file (.yaml), or write the task as a sentence in quotes");
  }
  return task::task_of_prompt(argument);
}

task::TaskFile with_flags(task::TaskFile file, const Flags& flags) {
  if (!flags.profile.empty() && flags.profile != "default") {
    throw usage(fmt::format("--profile {} is not in this version", flags.profile), "leave it out");
  }
  set_models(file, flags);
  set_checks(file, flags);
  set_limits(file, flags);
  return file;
}

bool add_default_check(task::TaskFile& file) {
  if (!file.checks.empty()) return false;
  file.checks.push_back({.name = "judge", .options = task::JudgeCheck()});
  return true;
}

}  // namespace hone::app
