// The JSON form of a stored lesson.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/memory/lesson.h"

namespace hone::memory {
namespace {

using Field = std::string core::Reflection::*;
constexpr std::pair<const char*, Field> kReflection[] = {
    {"text", &core::Reflection::text},
    {"what_happened", &core::Reflection::what_happened},
    {"what_went_wrong", &core::Reflection::what_went_wrong},
    {"why", &core::Reflection::why},
    {"do_differently", &core::Reflection::do_differently},
    {"rule", &core::Reflection::rule},
    {"principle", &core::Reflection::principle},
    {"procedure", &core::Reflection::procedure}};

Json reflection_json(const core::Reflection& reflection) {
  Json json = Json::object();
  for (const auto& [name, field] : kReflection) {
    if (!(reflection.*field).empty()) json[name] = reflection.*field;
  }
  return json;
}

[[noreturn]] void fail(std::string_view member, std::string_view expected) {
  throw Error(ErrorKind::InvalidInput,
              fmt::format("`{}` of a lesson has to be {}", member, expected),
              "see `hone lessons export` for how a lesson looks");
}

const Json* member_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string text_in(const Json& json, const char* name) {
  const Json* value = member_of(json, name);
  if (value == nullptr) return {};
  if (!value->is_string()) fail(name, "a text");
  return value->get<std::string>();
}

int count_in(const Json& json, const char* name) {
  const Json* value = member_of(json, name);
  if (value == nullptr) return 0;
  if (!value->is_number_integer()) fail(name, "a whole number");
  const auto count = value->get<std::int64_t>();
  if (count < 0 || count > 1'000'000'000) fail(name, "a number from 0 to 1000000000");
  return static_cast<int>(count);
}

bool flag_in(const Json& json, const char* name) {
  const Json* value = member_of(json, name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) fail(name, "true or false");
  return value->get<bool>();
}

template <class Enum>
Enum word_in(const Json& json, const char* name, std::optional<Enum> (*from)(std::string_view),
             Enum fallback) {
  const std::string text = text_in(json, name);
  if (text.empty()) return fallback;
  const auto value = from(text);
  if (!value) fail(name, fmt::format("one of the known words, not `{}`", text));
  return *value;
}

const Json& object_in(const Json& json, const char* name) {
  static const Json empty = Json::object();
  const Json* value = member_of(json, name);
  if (value == nullptr) return empty;
  if (!value->is_object()) fail(name, "an object");
  return *value;
}

Trials trials_in(const Json& json) {
  return {.recalled = count_in(json, "recalled"),
          .passed = count_in(json, "passed"),
          .failed = count_in(json, "failed"),
          .unknown = count_in(json, "unknown")};
}

std::vector<std::string> texts_in(const Json& json, const char* name) {
  const Json* value = member_of(json, name);
  if (value == nullptr) return {};
  if (!value->is_array()) fail(name, "a list of texts");
  std::vector<std::string> texts;
  for (const Json& text : *value) {
    if (!text.is_string()) fail(name, "a list of texts");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

void read_details(const Json& json, StoredLesson& lesson) {
  const Json& reflection = object_in(json, "reflection");
  for (const auto& [name, field] : kReflection)
    lesson.reflection.*field = text_in(reflection, name);
  const Json& provenance = object_in(json, "provenance");
  lesson.provenance = {.run = text_in(provenance, "run"),
                       .attempt = count_in(provenance, "attempt"),
                       .evidence = text_in(provenance, "evidence")};
  const std::string created = text_in(json, "created");
  if (!created.empty()) lesson.created = parse_iso8601(created);
}

}  // namespace

Json to_json(const StoredLesson& lesson) {
  return {{"id", lesson.id},
          {"text", lesson.text},
          {"kind", to_string(lesson.kind)},
          {"agent", lesson.owner.agent},
          {"tenant", lesson.owner.tenant},
          {"task_type", lesson.task_type},
          {"tool", lesson.tool},
          {"conditions", lesson.conditions},
          {"task", lesson.task},
          {"ending", to_string(lesson.ending)},
          {"created", to_iso8601(lesson.created)},
          {"merged", lesson.merged},
          {"recalled", lesson.trials.recalled},
          {"passed", lesson.trials.passed},
          {"failed", lesson.trials.failed},
          {"unknown", lesson.trials.unknown},
          {"probation", lesson.probation},
          {"forgotten", lesson.forgotten},
          {"contradicts", lesson.contradicts},
          {"provenance",
           {{"run", lesson.provenance.run},
            {"attempt", lesson.provenance.attempt},
            {"evidence", lesson.provenance.evidence}}},
          {"reflection", reflection_json(lesson.reflection)}};
}

StoredLesson lesson_from_json(const Json& json) {
  if (!json.is_object()) {
    throw Error(ErrorKind::InvalidInput, "a lesson has to be a JSON object",
                "write {\"text\": \"…\"}");
  }
  StoredLesson lesson{.id = text_in(json, "id"), .text = text_in(json, "text")};
  const std::string tenant = text_in(json, "tenant");
  const std::string agent = text_in(json, "agent");
  if (!tenant.empty()) lesson.owner.tenant = tenant;
  if (!agent.empty()) lesson.owner.agent = agent;
  lesson.kind = word_in(json, "kind", &kind_from, Kind::Lesson);
  lesson.ending = word_in(json, "ending", &ending_from, Ending::Noted);
  lesson.task_type = text_in(json, "task_type");
  lesson.tool = text_in(json, "tool");
  lesson.conditions = text_in(json, "conditions");
  lesson.task = text_in(json, "task");
  lesson.merged = count_in(json, "merged");
  lesson.trials = trials_in(json);
  lesson.probation = flag_in(json, "probation");
  lesson.forgotten = flag_in(json, "forgotten");
  lesson.contradicts = texts_in(json, "contradicts");
  read_details(json, lesson);
  return lesson;
}

}  // namespace hone::memory
