#include "apps/hone/task_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/criteria.h"
#include "hone/task/loomflow.h"
#include "hone/task/plain_checks.h"
#include "hone/task/profile.h"
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

int positive(std::string_view flag, std::int64_t number) {
  if (number >= 1 && number <= 1'000'000) return static_cast<int>(number);
  throw usage(fmt::format("{} {} is not between 1 and 1,000,000", flag, number),
              "write a whole number of at least 1");
}

Usd money(double amount) {
  if (amount > 0 && std::isfinite(amount)) return Usd{amount};
  throw usage(fmt::format("--usd {} is no budget", amount),
              "write an amount above 0, such as 0.05");
}

void set_limits(task::TaskFile& file, const Flags& flags) {
  if (flags.attempts) file.stop.attempts = positive("--attempts", *flags.attempts);
  if (flags.jobs && flags.each.empty()) file.at_once = positive("--jobs", *flags.jobs);
  for (const std::string& rule : flags.stop) add_stop_rule(file.stop, rule);
  if (!flags.tokens.empty()) file.budget.tokens = Tokens{parse_count(flags.tokens)};
  if (flags.usd) file.budget.usd = money(*flags.usd);
  if (!flags.time.empty()) file.budget.time = parse_duration(flags.time);
  if (flags.select.empty()) return;
  const auto selection = core::selection_from(flags.select);
  if (!selection) {
    throw usage(fmt::format("--select {} is no rule", flags.select),
                "use highest_score, latest, first_satisfactory, weighted_recency or first");
  }
  file.select = *selection;
}

void set_lessons(task::TaskFile& file, const Flags& flags) {
  memory::Owner& owner = file.lessons.owner;
  if (!flags.agent.empty()) memory::check_name("an agent", owner.agent = flags.agent);
  if (!flags.tenant.empty()) memory::check_name("a tenant", owner.tenant = flags.tenant);
  if (flags.no_lessons) file.lessons = {.recall = 0, .learn = false, .owner = owner};
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
    replace_or_add(file, "schema", task::schema_in(flags.schema_file, "--schema"));
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
    if (auto* judge = std::get_if<task::JudgeCheck>(&check.options)) {
      judge->threshold = flags.threshold;
    } else if (auto* criteria = std::get_if<task::CriteriaCheck>(&check.options)) {
      criteria->threshold = flags.threshold;
    }
  }
}

void fill_sampling(task::TaskFile& file, const Flags& defaults) {
  for (const core::Role role : {core::Role::Generate, core::Role::Revise}) {
    core::Sampling& sampling = file.sampling[role];
    if (!sampling.temperature) sampling.temperature = defaults.temperature;
    if (!sampling.max_tokens && !defaults.max_tokens.empty()) {
      sampling.max_tokens = Tokens{parse_count(defaults.max_tokens)};
    }
  }
  if (!defaults.seed) return;
  for (const auto role :
       {core::Role::Generate, core::Role::Evaluate, core::Role::Reflect, core::Role::Revise}) {
    core::Sampling& sampling = file.sampling[role];
    if (!sampling.seed) sampling.seed = defaults.seed;
  }
}

bool gives_checks(const Flags& flags) {
  return !flags.checks.empty() || !flags.schema_file.empty() || !flags.regex.empty() ||
         !flags.judge.empty();
}

// The defaults for what the file leaves open; checks on the command line replace those in it.
Flags open_in(const task::TaskFile& file, const Flags& flags) {
  Flags defaults = *flags.defaults;
  if (file.says("model")) {
    defaults.model.clear();
    defaults.judge_model.clear();
    defaults.reflector_model.clear();
  }
  if (file.says("check") || gives_checks(flags)) {
    defaults.schema_file.clear();
    defaults.regex.clear();
    defaults.judge.clear();
    defaults.checks.clear();
  }
  if (file.says("stop.attempts")) defaults.attempts.reset();
  std::erase_if(defaults.stop, [&](const std::string& rule) {
    return file.says("stop." + rule.substr(0, rule.find('=')));
  });
  if (file.says("select")) defaults.select.clear();
  if (file.says("budget.tokens")) defaults.tokens.clear();
  if (file.says("budget.time")) defaults.time.clear();
  if (file.says("lessons.agent")) defaults.agent.clear();
  if (file.says("lessons.tenant")) defaults.tenant.clear();
  if (file.says("escalate")) defaults.escalate.clear();
  return defaults;
}

void set_defaults(task::TaskFile& file, const Flags& flags) {
  fill_sampling(file, *flags.defaults);
  Flags open = open_in(file, flags);
  open.temperature.reset();
  open.max_tokens.clear();
  open.seed.reset();
  // A judge's own threshold in the file stays.
  if (open.threshold && !file.says("accept")) file.accept_threshold = *open.threshold;
  open.threshold.reset();
  set_models(file, open);
  set_checks(file, open);
  set_limits(file, open);
  set_lessons(file, open);
  if (!open.escalate.empty()) file.escalate.to = open.escalate;
}

std::string prompt_from_stdin() {
  std::string prompt{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  if (trim(prompt).empty()) throw usage("stdin holds no prompt", "pipe the task's text into hone");
  return prompt;
}

void require_words(const std::string& argument) {
  if (trim(argument).find_first_of(" \t\n") != std::string_view::npos) return;
  throw usage(fmt::format("`{}` is neither a file nor a prompt in words", argument),
              "name a task file (.yaml), or write the task as a sentence in quotes");
}

std::string profile_for(const task::TaskFile& file, const Flags& flags) {
  if (!flags.profile.empty() || !flags.defaults || file.says("profile")) return flags.profile;
  return flags.defaults->profile;
}

}  // namespace

void add_stop_rule(core::StopRules& rules, std::string_view entry) {
  const auto equals = entry.find('=');
  const auto key = entry.substr(0, equals);
  auto value = equals == std::string_view::npos ? "true" : entry.substr(equals + 1);
  if (value == "off") value = "false";
  const auto document = yaml::parse(fmt::format("{{{}: {}}}", key, value), "--stop");
  task::read_stop(rules, yaml::Field(document));
}

task::TaskFile task_of(const std::string& argument) {
  if (argument == "-") return task::task_of_prompt(prompt_from_stdin());
  if (names_a_file(argument)) return task::load_task_file(argument);
  require_words(argument);
  return task::task_of_prompt(argument);
}

task::TaskBatch batch_of(const std::string& argument, std::span<const task::InputRow> rows) {
  if (argument == "-") return task::batch_of_prompt(prompt_from_stdin(), rows);
  if (names_a_file(argument)) return task::load_task_batch(argument, rows);
  require_words(argument);
  return task::batch_of_prompt(argument, rows);
}

std::optional<std::uint64_t> seed_of(const Flags& flags) {
  if (flags.seed || !flags.defaults) return flags.seed;
  return flags.defaults->seed;
}

task::TaskFile with_flags(task::TaskFile file, const Flags& flags) {
  const std::string profile = profile_for(file, flags);
  if (!profile.empty() && !task::apply_profile(file, profile)) {
    throw usage(fmt::format("--profile {} is not in this version", profile),
                "use default, protocol, loomflow or paper");
  }
  if (file.profile == "loomflow") {
    task::check(task::LoomflowOptions{.max_attempts = flags.attempts.value_or(1),
                                      .threshold = flags.threshold.value_or(0)});
  }
  if (flags.defaults) set_defaults(file, flags);
  set_models(file, flags);
  set_checks(file, flags);
  set_limits(file, flags);
  set_lessons(file, flags);
  if (!flags.escalate.empty()) file.escalate.to = flags.escalate;
  return file;
}

bool add_default_check(task::TaskFile& file) {
  if (!file.checks.empty()) return false;
  task::JudgeCheck judge{.rubric = file.rubric};
  if (!file.rubric.empty()) judge.score = evaluate::ScoreFrom::Stated;
  file.checks.push_back({.name = "judge", .options = std::move(judge)});
  return true;
}

}  // namespace hone::app
