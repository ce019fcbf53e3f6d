// A task file: what the user wants done, by whom, checked how, within which limits.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/effects.h"
#include "hone/core/loop.h"
#include "hone/core/task.h"
#include "hone/evaluate/code_check.h"
#include "hone/evaluate/judge.h"
#include "hone/evaluate/tests_check.h"
#include "hone/memory/recall.h"
#include "hone/prompt/prompts.h"
#include "hone/reflect/policy.h"
#include "hone/reflect/reflector.h"

namespace hone::task {

// One entry of `check:`. Whatever can be wrong with it has been looked at: a schema compiles, a
// pattern too.
struct SchemaCheck {
  JsonText schema;
};
struct ContainsCheck {
  std::vector<std::string> texts;  // At least one, none empty.
};
struct EqualsCheck {
  JsonText value;
};
struct RegexCheck {
  std::vector<std::string> must;
  std::vector<std::string> must_not;
};
struct CommandCheck {
  std::string run;
  Duration timeout = std::chrono::seconds(60);
};
struct JudgeCheck {
  std::string rubric;               // Empty: the criteria of the task's type.
  std::optional<double> threshold;  // Absent: that of `accept:`.
  int samples = 1;
  bool sequential = false;
  evaluate::ScoreFrom score = evaluate::ScoreFrom::Auto;
  std::vector<prompt::Example> examples;
};
// One entry of `criteria:`; the judge scores those with neither pattern nor command.
struct CriterionEntry {
  std::string name;
  std::string description;
  double weight = 1;
  std::optional<double> threshold;  // Absent: any score will do.
  std::optional<RegexCheck> pattern;
  std::optional<CommandCheck> command;
};
struct CriteriaCheck {
  std::vector<CriterionEntry> criteria;  // Empty: the default ones of the task's type.
  std::string rubric;
  std::optional<double> threshold;  // Of the weighted score. Absent: that of `accept:`.

  bool asks_a_model() const;
};
struct CompareCheck {
  std::optional<std::string> reference;  // Absent: the best attempt before this one.
  std::string rubric;
};
// `python:`, `lua:` and `prolog:`.
struct CodeCheck {
  core::Language language = core::Language::Python;
  std::string code;
  evaluate::CodePlace place;  // Of its first line.
  core::CodeLimits limits;
  std::optional<double> threshold;
  bool trusted = false;
};
struct TestsCheck {
  std::vector<std::string> tests;  // At least one.
  std::string setup;
  std::string language = "python";
  std::string command;  // Empty: Python in the sandbox.
  core::CodeLimits limits = evaluate::TestsOptions().limits;
  std::optional<double> threshold;
  bool hidden = false;
  bool shared = false;  // One namespace for all tests of the process, as the paper's harness had.
};
using CheckOptions = std::variant<SchemaCheck, ContainsCheck, EqualsCheck, RegexCheck, CommandCheck,
                                  CodeCheck, TestsCheck, JudgeCheck, CriteriaCheck, CompareCheck>;

struct Check {
  std::string name;     // The key, or the file's `name:`.
  bool always = false;  // Run even after a miss (judges).
  CheckOptions options;

  bool asks_a_model() const;
};

// Lessons of other runs: how many are shown at most, and whether this one leaves some.
struct LessonRules {
  int recall = 3;
  bool learn = true;
  memory::Owner owner = {};
  bool all_agents = false;  // Those of the tenant's other agents are shown too.
  memory::Order order = memory::Order::Hybrid;
  double least = 0.5;    // Relevance below which none is shown.
  bool at_once = false;  // Learned after each reflection and recalled before each attempt.
  bool block = false;    // All lessons of this very task, and no other (memory::LessonsOptions).

  bool are_used() const { return recall > 0 || learn; }
  bool operator==(const LessonRules&) const = default;
};

// How attempts are reflected on.
struct ReflectionRules {
  reflect::ReflectorOptions options;
  bool success = false;  // After a pass, too.

  bool operator==(const ReflectionRules&) const = default;
};

// Who takes over from a run that gives up: a command or a webhook; empty for nobody.
struct EscalationRules {
  std::string to;
  Duration timeout = std::chrono::seconds(60);

  bool operator==(const EscalationRules&) const = default;
};

struct TaskFile {
  std::filesystem::path folder;  // Where `file://` and commands start; empty for a prompt in words.
  core::Task task;               // Rendered.
  std::map<core::Role, std::string> models;       // Specs; absent roles use that of generate.
  std::map<core::Role, core::Sampling> sampling;  // Only what the file sets; what it sets for no
                                                  // role in particular is for generate and revise.
  std::vector<Check> checks;
  double accept_threshold = 0.8;
  reflect::RevisionOptions revise;
  core::StopRules stop;
  core::Selection select = core::Selection::HighestScore;
  core::Budget budget;
  LessonRules lessons;
  ReflectionRules reflect;
  EscalationRules escalate;
  std::string profile = "default";  // The one that was applied.
  // Of the judge of a task that has no check, and its kind of score. Empty: criteria of the type.
  std::string rubric;
  int at_once = 1;  // Attempts made at once, as rounds.
  // The keys that the file sets, nested ones as "stop.attempts": defaults from elsewhere are for
  // the others.
  std::set<std::string, std::less<>> keys;

  static constexpr int kMostAtOnce = 1000;

  bool says(std::string_view key) const { return keys.contains(key); }
};

// One value of `input` among many, and what messages call it: "rows.jsonl:3".
struct InputRow {
  JsonText value;
  std::string place;
};
// One task for many inputs: the task of each row, and all that they have in common.
struct TaskBatch {
  TaskFile file;
  std::vector<core::Task> tasks;  // By row.
};

// Reads a task file, and the files that it names. Throws InvalidInput as "file:line:column: …" for
// anything that is wrong with it, and for a file that cannot be read.
TaskFile load_task_file(const std::filesystem::path& file);
// The same from text; `file` is what messages call it, and `folder` is where `file://` starts.
TaskFile parse_task_file(std::string_view text, const std::string& file,
                         const std::filesystem::path& folder);
// Reads a task file for the rows, which take the place of its own `input`. Texts in them that begin
// with file:// stay as they are: rows are data, and data names no files. Throws InvalidInput as
// load_task_file, with the row in front where a template cannot be rendered.
TaskBatch load_task_batch(const std::filesystem::path& file, std::span<const InputRow> rows);
// The same of a prompt in words, which is a template over `input` here.
TaskBatch batch_of_prompt(const std::string& prompt, std::span<const InputRow> rows);
// The task of a prompt in words, which is no template: braces in it stay.
TaskFile task_of_prompt(std::string prompt);

}  // namespace hone::task
