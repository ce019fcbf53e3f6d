#include "hone/memory/reflection_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/reflection_form.h"

namespace hone::memory {
namespace {

constexpr std::string_view kComment = "\n<!-- hone ";
constexpr std::string_view kCommentEnd = " -->";
constexpr std::string_view kNotStated = "Not stated.";
constexpr std::size_t kTitleWords = 5;
constexpr std::size_t kSummaryColumns = 60;

using Sections = std::vector<std::pair<std::string, std::string>>;

std::string day_of(Instant at) { return to_iso8601(at).substr(0, 10); }

std::string or_not_stated(std::string_view text) {
  return std::string(trim(text).empty() ? kNotStated : trim(text));
}

core::ReflectionForm form_of(const StoredLesson& lesson) {
  using core::ReflectionForm;
  if (lesson.kind == Kind::Playbook || lesson.ending == Ending::Succeeded) {
    return ReflectionForm::Procedure;
  }
  if (lesson.kind == Kind::Decision || lesson.ending == Ending::Decided) {
    return ReflectionForm::Decision;
  }
  if (lesson.ending == Ending::Noted) return ReflectionForm::Sentence;
  return lesson.ending == Ending::Partial ? ReflectionForm::Short : ReflectionForm::Full;
}

// The sections of the lesson's form, in which its text takes the place of what it was made from.
Sections sections_of(const StoredLesson& lesson) {
  using core::ReflectionForm;
  if (lesson.kind == Kind::Rule) {
    return {{"Principle", std::string(kPrinciplePrefix) + lesson.text}};
  }
  const ReflectionForm form = form_of(lesson);
  if (form == ReflectionForm::Sentence) return {{"Tactical rule candidate", lesson.text}};
  core::Reflection said = lesson.reflection;
  said.rule = lesson.text;
  if (form == ReflectionForm::Procedure) {
    const std::string_view prefix = lesson.kind == Kind::Playbook ? kProcedurePrefix : "";
    said.procedure = std::string(prefix) + lesson.text;
    // The reasons of a failure are no reasons why something worked.
    if (lesson.ending != Ending::Succeeded) said.why.clear();
  }
  Sections sections;
  for (const core::ReflectionSection& section : core::sections(said, form))
    sections.emplace_back(section.heading, or_not_stated(section.text));
  return sections;
}

std::string summary_of(const StoredLesson& lesson) {
  return one_line(lesson.task.empty() ? lesson.text : lesson.task, kSummaryColumns);
}

std::string body_of(const StoredLesson& lesson) {
  const bool procedure = lesson.kind == Kind::Playbook || lesson.ending == Ending::Succeeded;
  std::string body = fmt::format("# {}: {} - {} - {}\n", procedure ? "Procedure" : "Reflection",
                                 day_of(lesson.created), lesson.owner.agent, summary_of(lesson));
  for (const auto& [heading, text] : sections_of(lesson))
    body += fmt::format("\n## {}\n\n{}\n", heading, text);
  return body;
}

std::string mark_of(std::string_view body) { return sha256(body).substr(0, 12); }

// A comment may not contain two dashes.
std::string comment_of(const StoredLesson& lesson, std::string_view body) {
  Json json = to_json(lesson);
  for (const char* counted :
       {"agent", "tenant", "merged", "recalled", "passed", "failed", "unknown"})
    json.erase(counted);
  json["body"] = mark_of(body);
  std::string text = dump(json);
  for (std::size_t at = 0; (at = text.find("--", at)) != text.npos;)
    text.replace(at, 2, "-\\u002d");
  return text;
}

std::optional<Json> comment_in(std::string_view text) {
  const auto start = text.rfind(kComment);
  if (start == text.npos) return std::nullopt;
  const auto end = text.find(kCommentEnd, start);
  if (end == text.npos) return std::nullopt;
  const auto first = start + kComment.size();
  return try_parse_json(text.substr(first, end - first));
}

Sections read_sections(std::string_view body) {
  Sections sections{{"", ""}};
  for (const std::string& line : split(body, '\n')) {
    if (line.starts_with("## ")) {
      sections.emplace_back(std::string(trim(line.substr(3))), "");
    } else if (!line.starts_with("# ")) {
      sections.back().second += line + "\n";
    }
  }
  for (auto& [heading, text] : sections) {
    text = std::string(trim(text));
    if (text == kNotStated) text.clear();
  }
  return sections;
}

std::string section(const Sections& sections, std::string_view heading) {
  for (const auto& [name, text] : sections) {
    if (lower(name).starts_with(lower(heading))) return text;
  }
  return {};
}

std::string without(std::string text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

bool has_section(const Sections& sections, std::string_view heading) {
  return std::ranges::any_of(sections, [&](const auto& section) {
    return lower(section.first).starts_with(lower(heading));
  });
}

// Which headings say what. A field that the form of the file does not have keeps its value.
void take_fields(core::Reflection& said, const Sections& sections) {
  struct Place {
    std::string core::Reflection::* field;
    std::string_view heading;
  };
  constexpr Place kPlaces[] = {{&core::Reflection::what_happened, "What happened"},
                               {&core::Reflection::what_happened, "What alternatives existed"},
                               {&core::Reflection::what_went_wrong, "What went wrong"},
                               {&core::Reflection::why, "Why"},
                               {&core::Reflection::do_differently, "What should I do differently"},
                               {&core::Reflection::rule, "Tactical rule candidate"}};
  for (const Place& place : kPlaces) {
    if (has_section(sections, place.heading)) said.*place.field = section(sections, place.heading);
  }
}

// The advice, and what else the sections say.
void take_sections(StoredLesson& lesson, const Sections& sections) {
  take_fields(lesson.reflection, sections);
  const std::string principle = without(section(sections, "Principle"), kPrinciplePrefix);
  const std::string strategy = without(section(sections, "Strategy"), kProcedurePrefix);
  for (const std::string& text :
       {section(sections, "Tactical rule candidate"), principle, strategy,
        section(sections, "What should I do differently"),
        section(sections, "What was the decision"), sections.front().second}) {
    if (text.empty()) continue;
    lesson.text = text.size() > kLongestText ? one_line(text, kLongestText / 4) : text;
    return;
  }
}

// What a person's file is, by its headings.
void take_kind(StoredLesson& lesson, const Sections& sections) {
  if (has_section(sections, "Principle")) {
    lesson.kind = Kind::Rule;
  } else if (has_section(sections, "Strategy")) {
    lesson.kind = Kind::Playbook;
    lesson.ending = Ending::Succeeded;
  } else if (has_section(sections, "What was the decision")) {
    lesson.kind = Kind::Decision;
    lesson.ending = Ending::Decided;
  } else if (has_section(sections, "What went wrong")) {
    const bool full = has_section(sections, "Tactical rule candidate");
    lesson.ending = full ? Ending::Failed : Ending::Partial;
  }
}

// The task that the title names: what follows the agent.
std::string task_in_title(std::string_view body) {
  const std::string_view title = body.substr(0, body.find('\n'));
  std::size_t at = title.find(" - ");
  if (!title.starts_with("# ") || at == title.npos) return {};
  at = title.find(" - ", at + 3);
  return at == title.npos ? std::string() : std::string(trim(title.substr(at + 3)));
}

}  // namespace

std::string render_reflection(const StoredLesson& lesson) {
  const std::string body = body_of(lesson);
  return fmt::format("{}{}{}{}\n", body, kComment, comment_of(lesson, body), kCommentEnd);
}

StoredLesson read_reflection(std::string_view text, const Owner& owner, std::string_view path) {
  if (!is_utf8(text)) {
    throw Error(ErrorKind::InvalidInput, "the file is not UTF-8", "save it as UTF-8");
  }
  const auto comment = comment_in(text);
  const std::string_view body = text.substr(0, text.rfind(kComment));
  StoredLesson lesson{.id = sha256(path).substr(0, 16), .text = {}};
  if (comment) lesson = lesson_from_json(*comment);
  lesson.owner = owner;
  if (comment && comment->value("body", "") == mark_of(body)) return lesson;
  const std::string id = lesson.id;
  lesson.text.clear();
  const Sections sections = read_sections(body);
  take_sections(lesson, sections);
  if (!comment) {
    take_kind(lesson, sections);
    lesson.task = task_in_title(body);
  }
  if (!is_lesson_id(id)) lesson.id = sha256(path).substr(0, 16);
  if (trim(lesson.text).empty()) {
    throw Error(ErrorKind::InvalidInput, "the file says nothing",
                "write the advice below `## Tactical rule candidate`");
  }
  return lesson;
}

std::string reflection_file_name(const StoredLesson& lesson) {
  std::string name = day_of(lesson.created);
  std::size_t words = 0;
  std::string word;
  for (const char c : lesson.text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty() && words < kTitleWords) {
      name += "-" + std::exchange(word, {}).substr(0, 24);
      ++words;
    }
  }
  return words == 0 ? name + "-reflection" : name;
}

std::optional<Instant> day_of_file_name(std::string_view name) {
  if (name.size() < 10) return std::nullopt;
  try {
    return parse_iso8601(std::string(name.substr(0, 10)) + "T00:00:00Z");
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace hone::memory
