// hone lessons: what was learned, for people to see and to change.
#include "apps/hone/lessons_command.h"

#include <CLI/CLI.hpp>
#include <functional>

#include "apps/hone/configuration.h"

namespace hone::app {
namespace {

struct Part {
  const char* name;
  const char* description;
  const char* example;
  std::function<void(CLI::App&, LessonFlags&)> add_flags;
  std::function<int(const LessonFlags&)> act;
};

void add_id(CLI::App& command, LessonFlags& flags) {
  command.add_option("ID", flags.id, "Id of the lesson, or how it begins")->required();
}

void add_ids(CLI::App& command, LessonFlags& flags) {
  command.add_option("ID", flags.ids, "Ids of lessons, or how they begin")->required();
}

void add_details(CLI::App& command, LessonFlags& flags) {
  command.add_option("--when", flags.conditions, "When it holds, in words");
  command.add_option("--task-type", flags.task_type, "Type of task that it is about");
  command.add_option("--tool", flags.tool, "Tool or interface that it is about");
}

void add_filter(CLI::App& command, LessonFlags& flags) {
  command
      .add_option("--filter", flags.filter,
                  "Conditions on members, such as {\"task_type\":\"code\"}")
      ->type_name("JSON");
  command.add_option("--kind", flags.kind, "lesson, rule, playbook or decision");
}

void add_list_flags(CLI::App& command, LessonFlags& flags) {
  add_filter(command, flags);
  command.add_option("--sort", flags.sort, "created (default), recalled or effect");
  command.add_flag("--forgotten", flags.forgotten, "Those that were forgotten, instead");
}

void add_text_flags(CLI::App& command, LessonFlags& flags) {
  command.add_option("TEXT", flags.text, "The advice, in a sentence")->required();
  command.add_option("--kind", flags.kind, "lesson (default), rule, playbook or decision");
  add_details(command, flags);
}

void add_show_flags(CLI::App& command, LessonFlags& flags) {
  add_id(command, flags);
  command
      .add_option("--as", flags.form,
                  "Only what was reflected, as full, short, procedure, decision or sentence")
      ->type_name("FORM");
}

void add_decide_flags(CLI::App& command, LessonFlags& flags) {
  command.add_option("DECISION", flags.text, "What was decided, in a sentence")->required();
  command.add_option("--alternatives", flags.alternatives, "What else could have been chosen");
  command.add_option("--why", flags.why, "Why this was chosen");
  command.add_option("--task", flags.task, "What it was decided for");
  command.add_flag("--significant", flags.significant,
                   "It leaves a principle and a procedure, too");
  command.add_option("--principle", flags.principle, "A rule for such choices, in a sentence");
  command.add_option("--procedure", flags.procedure, "The steps that led to it");
  command.add_option("-m,--model", flags.common.model,
                     "Let this model write what is missing, in one call");
  add_access_flags(command, flags.common);
  add_details(command, flags);
}

void add_edit_flags(CLI::App& command, LessonFlags& flags) {
  add_id(command, flags);
  command.add_option("--text", flags.text, "The advice, in a sentence");
  add_details(command, flags);
}

void add_forget_flags(CLI::App& command, LessonFlags& flags) {
  add_ids(command, flags);
  command.add_flag("--erase", flags.erase, "Take them out for good: they cannot be restored");
}

void add_merge_flags(CLI::App& command, LessonFlags& flags) {
  add_id(command, flags);
  command.add_option("INTO", flags.into, "Id of the lesson that stays")->required();
}

void add_import_flags(CLI::App& command, LessonFlags& flags) {
  command.add_option("FILE", flags.file, "JSON lines, - for stdin, or a folder of Markdown files")
      ->required();
}

void add_export_flags(CLI::App& command, LessonFlags& flags) {
  command.add_option("-o,--output", flags.file, "Write to this file")->type_name("FILE");
  command.add_option("--markdown", flags.folder, "Write Markdown files into this folder instead")
      ->type_name("DIR");
}

void add_recall_flags(CLI::App& command, LessonFlags& flags) {
  command.add_option("TASK", flags.text, "The task, in words")->required();
  command.add_option("-k,--most", flags.most, "Most lessons shown (default 3)");
  command.add_option("--least", flags.least, "Relevance from which one is shown (default 0.5)");
  command.add_option("--order", flags.order, "hybrid (default), similarity or protocol");
  command.add_option("--diversity", flags.diversity, "0, the most relevant, to 1, the least alike");
  command.add_flag("--all-agents", flags.all_agents, "Those of all agents of the tenant");
  command.add_option("--task-type", flags.task_type, "Type of the task, for --order protocol");
  command.add_option("--tool", flags.tool, "Tool that the task uses, for --order protocol");
  add_filter(command, flags);
}

void add_nothing(CLI::App&, LessonFlags&) {}

const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {"list", "List the lessons, the newest last", "hone lessons list", add_list_flags,
       list_lessons},
      {"show", "Show a lesson, where it comes from and what came of it",
       "hone lessons add \"Quote shell variables.\" -q | xargs hone lessons show", add_show_flags,
       show_lesson},
      {"recall", "Show what a task would be shown, and why",
       "hone lessons recall \"Write a shell loop over files\"", add_recall_flags, recall_lessons},
      {"add", "Add a lesson", "hone lessons add \"Quote shell variables.\" --task-type code",
       add_text_flags, add_lesson},
      {"decide", "Record a decision: what was chosen, instead of what, and why",
       "hone lessons decide \"Keep runs in SQLite.\" --alternatives \"PostgreSQL, files\" --why "
       "\"It needs no server.\"",
       add_decide_flags, decide_lesson},
      {"edit", "Change a lesson",
       "hone lessons add \"Quote variables.\" -q | xargs hone lessons edit --text \"Quote shell "
       "variables.\"",
       add_edit_flags, edit_lesson},
      {"forget", "Never show lessons again; they can be restored",
       "hone lessons add \"Guess.\" -q | xargs hone lessons forget", add_forget_flags,
       [](const LessonFlags& flags) { return set_forgotten(flags, true); }},
      {"restore", "Show forgotten lessons again",
       "hone lessons add \"Guess.\" -q | xargs hone lessons restore", add_ids,
       [](const LessonFlags& flags) { return set_forgotten(flags, false); }},
      {"merge", "Count one lesson as a repeat of another", "hone lessons list", add_merge_flags,
       merge_lessons},
      {"import", "Add lessons from a file or folder; they are on probation until they helped",
       "echo '{\"text\": \"Quote shell variables.\"}' | hone lessons import -", add_import_flags,
       import_lessons},
      {"export", "Print the lessons as JSON lines", "hone lessons export", add_export_flags,
       export_lessons},
      {"doctor", "Find duplicates, contradictions and lessons that nobody needs",
       "hone lessons doctor", add_nothing, examine_lessons}};
  return all;
}

}  // namespace

void add_lessons_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("lessons", "What runs learned: see it, change it");
  command->footer("Example:\n  hone lessons list");
  command->require_subcommand(1);
  for (const Part& part : parts()) {
    CLI::App* own = command->add_subcommand(part.name, part.description);
    own->footer(std::string("Example:\n  ") + part.example);
    const auto flags = std::make_shared<LessonFlags>();
    part.add_flags(*own, *flags);
    add_lesson_flags(*own, flags->common);
    add_output_flags(*own, flags->common);
    own->callback([flags, own, &part, &chosen] {
      chosen = [flags, own, &part] {
        flags->common = configured(flags->common, *own);
        return part.act(*flags);
      };
    });
  }
}

}  // namespace hone::app
