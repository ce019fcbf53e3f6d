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

namespace hone::memory {
namespace {

constexpr std::string_view kComment = "\n<!-- hone ";
constexpr std::string_view kCommentEnd = " -->";
constexpr std::string_view kNotStated = "Not stated.";
constexpr std::size_t kTitleWords = 5;
constexpr std::size_t kSummaryColumns = 60;
constexpr std::string_view kPrinciple = "I should follow this rule: ";
constexpr std::string_view kProcedure = "These steps worked: ";

using Sections = std::vector<std::pair<std::string, std::string>>;

std::string day_of(Instant at) { return to_iso8601(at).substr(0, 10); }

std::string or_not_stated(std::string_view text) {
  return std::string(trim(text).empty() ? kNotStated : trim(text));
}

Sections sections_of(const StoredLesson& lesson) {
  const core::Reflection& said = lesson.reflection;
  if (lesson.kind == Kind::Rule) {
    return {{"Principle", std::string(kPrinciple) + lesson.text}};
  }
  if (lesson.kind == Kind::Playbook || lesson.ending == Ending::Succeeded) {
    const std::string prefix(lesson.kind == Kind::Playbook ? kProcedure : "");
    return {{"Strategy", prefix + lesson.text}, {"Why it worked", or_not_stated(said.why)}};
  }
  if (lesson.kind == Kind::Decision || lesson.ending == Ending::Decided) {
    return {{"What was the decision?", lesson.text},
            {"What alternatives existed?", or_not_stated(said.what_happened)},
            {"Why was this option chosen?", or_not_stated(said.why)}};
  }
  if (lesson.ending == Ending::Noted) return {{"Tactical rule candidate", lesson.text}};
  const std::pair<std::string, std::string> happened{"What happened?",
                                                     or_not_stated(said.what_happened)};
  const std::pair<std::string, std::string> wrong{"What went wrong?",
                                                  or_not_stated(said.what_went_wrong)};
  if (lesson.ending == Ending::Partial) {
    return {happened,
            wrong,
            {"What should I do differently?",
             said.do_differently.empty() ? lesson.text : said.do_differently}};
  }
  return {happened,
          wrong,
          {"Why did it go wrong?", or_not_stated(said.why)},
          {"What should I do differently?", or_not_stated(said.do_differently)},
          {"Tactical rule candidate", lesson.text}};
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

// The advice, and what else the sections say.
void take_sections(StoredLesson& lesson, const Sections& sections) {
  core::Reflection& said = lesson.reflection;
  said.what_happened = section(sections, "What happened");
  said.what_went_wrong = section(sections, "What went wrong");
  said.why = section(sections, "Why");
  said.do_differently = section(sections, "What should I do differently");
  said.rule = section(sections, "Tactical rule candidate");
  const std::string principle = without(section(sections, "Principle"), kPrinciple);
  const std::string strategy = without(section(sections, "Strategy"), kProcedure);
  for (const std::string& text :
       {said.rule, principle, strategy, said.do_differently,
        section(sections, "What was the decision"), sections.front().second}) {
    if (text.empty()) continue;
    lesson.text = text.size() > kLongestText ? one_line(text, kLongestText / 4) : text;
    return;
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
  take_sections(lesson, read_sections(body));
  if (!comment) lesson.task = task_in_title(body);
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
