#include "hone/model/script.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/model/text_file.h"
#include "hone/yaml/field.h"

namespace hone::model {
namespace {

using Kind = ScriptedFailure::Kind;

constexpr std::array<std::string_view, 9> kRuleKeys{
    "role", "attempt", "contains", "reply", "usage", "delay", "repeat", "error", "tool_calls"};
constexpr std::array<std::string_view, 3> kUsageKeys{"input", "output", "cached"};
constexpr std::array<std::string_view, 2> kCallKeys{"name", "arguments"};
constexpr std::array<std::string_view, 2> kErrorKeys{"status", "retry_after"};

constexpr std::array<std::pair<std::string_view, Kind>, 4> kFailures{
    {{"timeout", Kind::Timeout},
     {"refusal", Kind::Refusal},
     {"length", Kind::Length},
     {"disconnect", Kind::Disconnect}}};

Error unknown_word(const yaml::Field& field, std::string_view what,
                   const std::vector<std::string>& words) {
  const auto near = nearest(field.text(), words);
  const std::string question = near ? fmt::format("; did you mean `{}`?", *near) : std::string();
  return field.error(fmt::format("`{}` is no {}{}", one_line(field.text(), 40), what, question),
                     "known: " + join(words, ", "));
}

core::Role role(const yaml::Field& field) {
  if (const auto role = core::role_from(field.text())) return *role;
  throw unknown_word(field, "role", {"generate", "evaluate", "reflect", "revise", "embed"});
}

core::Usage usage(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kUsageKeys);
  core::Usage usage{.calls = 1};
  if (const auto input = fields.find("input")) usage.input = {input->whole(0)};
  if (const auto output = fields.find("output")) usage.output = {output->whole(0)};
  if (const auto cached = fields.find("cached")) usage.cached = {cached->whole(0)};
  return usage;
}

ScriptedFailure failure(const yaml::Field& field) {
  if (field.node().get_if<std::string>() != nullptr) {
    std::vector<std::string> words;
    for (const auto& [word, kind] : kFailures) {
      if (word == field.text()) return {.kind = kind};
      words.emplace_back(word);
    }
    throw unknown_word(field, "failure", words);
  }
  const yaml::Fields fields = field.mapping(kErrorKeys);
  ScriptedFailure failure{.kind = Kind::Status};
  failure.status = static_cast<int>(fields.get("status").whole(400, 599));
  if (const auto wait = fields.find("retry_after")) {
    failure.retry_after = std::chrono::ceil<std::chrono::milliseconds>(wait->duration());
  }
  return failure;
}

std::string reply(const yaml::Field& field) {
  if (field.is_null()) throw field.must_be("text, or a value to write as JSON");
  const auto* text = field.node().get_if<std::string>();
  return text == nullptr ? field.json().text : *text;
}

bool may_come_with_reply(Kind kind) { return kind == Kind::Length || kind == Kind::Disconnect; }

// Ids are given by place: a script names none.
std::vector<core::ToolCall> tool_calls(const yaml::Field& field) {
  std::vector<core::ToolCall> calls;
  for (const yaml::Field& item : field.list()) {
    const yaml::Fields fields = item.mapping(kCallKeys);
    core::ToolCall call{.id = fmt::format("call_{}", calls.size() + 1)};
    call.name = fields.get("name").text();
    const auto arguments = fields.find("arguments");
    call.arguments = arguments ? arguments->json() : JsonText{"{}"};
    calls.push_back(std::move(call));
  }
  return calls;
}

void check(const yaml::Fields& fields, const ScriptRule& rule) {
  const auto reply = fields.find("reply");
  if (!reply && !rule.failure && rule.tool_calls.empty()) {
    throw fields.field().error("the rule has no `reply` and no `error`");
  }
  if (reply && rule.failure && !may_come_with_reply(rule.failure->kind)) {
    throw reply->error("`reply` stands beside an `error` that comes without a reply",
                       "keep one of them; error: length and error: disconnect may have a reply");
  }
}

ScriptRule rule(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kRuleKeys);
  ScriptRule rule;
  if (const auto value = fields.find("role")) rule.role = role(*value);
  if (const auto value = fields.find("attempt")) {
    rule.attempt = static_cast<int>(value->whole(1, 1'000'000));
  }
  if (const auto value = fields.find("contains")) rule.contains = value->text();
  if (const auto value = fields.find("reply")) rule.reply = reply(*value);
  if (const auto value = fields.find("tool_calls")) rule.tool_calls = tool_calls(*value);
  if (const auto value = fields.find("usage")) rule.usage = usage(*value);
  if (const auto value = fields.find("delay")) rule.delay = value->duration();
  if (const auto value = fields.find("repeat")) rule.repeat = value->boolean();
  if (const auto value = fields.find("error")) rule.failure = failure(*value);
  check(fields, rule);
  return rule;
}

}  // namespace

std::vector<ScriptRule> parse_script(std::string_view text, std::string_view file) {
  const yaml::Document document = yaml::parse(text, file);
  const yaml::Field whole(document);
  if (whole.node().get_if<yaml::Node::List>() == nullptr) {
    throw whole.must_be("a list of rules", "write lines such as - {role: generate, reply: \"…\"}");
  }
  std::vector<ScriptRule> rules;
  for (const yaml::Field& field : whole.list()) rules.push_back(rule(field));
  return rules;
}

std::vector<ScriptRule> read_script(const std::string& file) {
  try {
    return parse_script(read_text_file(file), file);
  } catch (Error& failure) {
    throw failure.while_doing("reading the script");
  }
}

}  // namespace hone::model
