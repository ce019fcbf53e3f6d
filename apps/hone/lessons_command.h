// What the parts of `hone lessons` share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/hone/commands.h"
#include "apps/hone/flags.h"
#include "hone/memory/recall.h"

namespace hone::app {

// Flags of one `hone lessons` subcommand; each uses some.
struct LessonFlags {
  Flags common;
  std::string id;
  std::string into;
  std::vector<std::string> ids;
  std::string text;
  std::string file;
  std::string folder;
  std::optional<std::string> conditions;
  std::optional<std::string> task_type;
  std::optional<std::string> tool;
  std::string alternatives;
  std::string why;
  std::string task;
  std::string principle;
  std::string procedure;
  bool significant = false;
  std::string form;
  std::string kind;
  std::string filter;
  std::string sort = "created";
  std::string order = "hybrid";
  std::optional<std::size_t> most;
  std::optional<double> least;
  std::optional<double> diversity;
  bool all_agents = false;
  bool forgotten = false;
  bool erase = false;
};

// Whose lessons: those of --tenant and, if it was given, --agent. Throws InvalidInput for bad
// names.
memory::Scope scope_of(const LessonFlags& flags);
memory::Owner owner_of(const LessonFlags& flags);

// Each returns the exit code.
int list_lessons(const LessonFlags& flags);
int show_lesson(const LessonFlags& flags);
int recall_lessons(const LessonFlags& flags);
int examine_lessons(const LessonFlags& flags);
int add_lesson(const LessonFlags& flags);
int decide_lesson(const LessonFlags& flags);
int edit_lesson(const LessonFlags& flags);
// Forgets or restores.
int set_forgotten(const LessonFlags& flags, bool forgotten);
int merge_lessons(const LessonFlags& flags);
int import_lessons(const LessonFlags& flags);
int export_lessons(const LessonFlags& flags);

}  // namespace hone::app
