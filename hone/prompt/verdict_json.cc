#include "hone/prompt/verdict_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"
#include "hone/prompt/labels.h"
#include "hone/prompt/score_text.h"

namespace hone::prompt {
namespace {

constexpr std::array<std::string_view, 4> kFlags{"passed", "pass", "valid", "verdict"};
constexpr std::array<std::string_view, 4> kScales{"scale", "max_score", "max", "out_of"};

template <class Names>
bool is_one_of(std::string_view key, const Names& names) {
  return std::ranges::find(names, key) != names.end();
}

std::optional<bool> flag_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  return value.is_string() ? flag_from(value.get_ref<const std::string&>()) : std::nullopt;
}

std::optional<Scale> scale_of(const Json& value) {
  if (value.is_number() && value.get<double>() >= 1) return Scale{0, value.get<double>()};
  if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number() &&
      value[0].get<double>() < value[1].get<double>()) {
    return Scale{value[0].get<double>(), value[1].get<double>()};
  }
  if (!value.is_string()) return std::nullopt;
  const std::string& words = value.get_ref<const std::string&>();
  if (const auto number = to_number(words); number && *number >= 1) return Scale{0, *number};
  return scale_from(words);
}

std::optional<double> score_of(const Json& value, std::optional<Scale> scale) {
  if (value.is_string()) return score_in(value.get_ref<const std::string&>(), scale);
  if (!value.is_number()) return std::nullopt;
  return scale ? on_scale(value.get<double>(), *scale) : value.get<double>();
}

std::string text_of(const Json& value) {
  return value.is_string() ? std::string(trim(value.get_ref<const std::string&>())) : std::string();
}

// "/a/b", "a.b" and "$.a.b" as a JSON pointer.
std::string pointer_from(std::string path) {
  if (path.starts_with('$')) path.erase(0, path.starts_with("$.") ? 2 : 1);
  if (path.empty() || path.starts_with('/')) return path;
  std::ranges::replace(path, '.', '/');
  return "/" + path;
}

std::string member_text(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto found = object.find(name); found != object.end()) return text_of(*found);
  }
  return {};
}

void add_issue(std::vector<core::Issue>& issues, const Json& value) {
  core::Issue issue;
  if (value.is_object()) {
    issue.path = pointer_from(member_text(value, {"path", "pointer", "location"}));
    issue.message = member_text(value, {"message", "issue", "error", "description"});
    const auto line = value.find("line");
    if (line != value.end() && line->is_number_integer()) issue.line = line->get<int>();
  } else {
    issue.message = text_of(value);
  }
  if (!issue.message.empty()) issues.push_back(std::move(issue));
}

void add_issues(std::vector<core::Issue>& issues, const Json& value) {
  if (!value.is_array()) return add_issue(issues, value);
  for (const Json& item : value) add_issue(issues, item);
}

void add_texts(std::vector<std::string>& texts, const Json& value) {
  if (value.is_array()) {
    for (const Json& item : value) add_texts(texts, item);
  } else if (std::string text = text_of(value); !text.empty()) {
    texts.push_back(std::move(text));
  }
}

std::optional<double> confidence_of(const Json& value) {
  const auto confidence = score_of(value, {});
  if (!confidence || *confidence < 0 || *confidence > 1) return std::nullopt;
  return confidence;
}

void add_remark(Verdict& remarks, const std::string& key, const Json& value) {
  if (is_one_of(key, std::array{"reason", "feedback", "explanation"})) {
    if (remarks.reason.empty()) remarks.reason = text_of(value);
  } else if (key == "issues" || key == "errors") {
    add_issues(remarks.issues, value);
  } else if (key == "suggestions") {
    add_texts(remarks.suggestions, value);
  } else if (key == "confidence") {
    remarks.confidence = confidence_of(value);
  }
}

// Flags of objects inside of `value`.
void collect_flags(const Json& value, std::vector<bool>& flags) {
  for (const auto& [key, member] : value.items()) {
    const bool named = value.is_object() && is_one_of(lower(key), kFlags);
    if (const auto flag = named ? flag_of(member) : std::nullopt) flags.push_back(*flag);
    if (member.is_structured()) collect_flags(member, flags);
  }
}

// The scale that an object names beside its score; false if it cannot be read.
bool find_scale(const Json& object, std::optional<Scale>& scale) {
  for (const auto& [key, value] : object.items()) {
    if (!is_one_of(lower(key), kScales)) continue;
    const auto named = scale_of(value);
    if (!named || (scale && *scale != *named)) return false;
    scale = named;
  }
  return true;
}

void add_score(Evidence& evidence, const Json& object, const Json& value) {
  std::optional<Scale> scale;
  const bool readable = find_scale(object, scale);
  const auto score = readable ? score_of(value, scale) : std::nullopt;
  if (score) {
    evidence.scores.push_back(*score);
  } else {
    evidence.problem = "`score` must be a number from 0 to 1";
  }
}

void add_flag(Evidence& evidence, const std::string& key, const Json& value) {
  if (const auto flag = flag_of(value)) {
    evidence.flags.push_back(*flag);
  } else {
    evidence.problem = "`" + key + "` must be true or false";
  }
}

// The end of the object that starts at `text[0]`; npos if it does not end.
std::size_t closing_brace(std::string_view text) {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++open;
    } else if (c == '}' && --open == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

// A brace that may begin an object with members.
bool may_open(std::string_view text) {
  const auto next = text.find_first_not_of(" \t\r\n", 1);
  return next != std::string_view::npos && text[next] == '"';
}

// An object that is no verdict itself but holds one says something else: a list, an example.
void add_value(Evidence& evidence, const Json& value) {
  if (is_verdict(value)) return add_object(evidence, value);
  std::vector<bool> flags;
  collect_flags(value, flags);
  if (!flags.empty()) evidence.problem = "the verdict is inside of another object";
}

}  // namespace

bool is_verdict(const Json& value) {
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.items(), [](const auto& member) {
    const std::string key = lower(member.key());
    return key == "score" || is_one_of(key, kFlags);
  });
}

void add_object(Evidence& evidence, const Json& object) {
  evidence.stated = true;
  Verdict remarks;
  for (const auto& [name, value] : object.items()) {
    const std::string key = lower(name);
    if (is_one_of(key, kFlags)) {
      add_flag(evidence, key, value);
    } else if (key == "score") {
      add_score(evidence, object, value);
    } else {
      add_remark(remarks, key, value);
      if (value.is_structured()) collect_flags(value, evidence.flags);
    }
  }
  evidence.remarks = std::move(remarks);
}

Objects objects_in(std::string_view text) {
  constexpr int kMostTries = 200;  // Each may read the whole text.
  Objects objects;
  int tries = 0;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos; ++at) {
    if (!may_open(text.substr(at))) continue;
    objects.too_many = ++tries > kMostTries;
    if (objects.too_many) break;
    const std::size_t end = closing_brace(text.substr(at));
    if (end == std::string_view::npos) continue;
    if (!try_parse_json(text.substr(at, end + 1))) continue;
    objects.found.push_back({at, at + end + 1, {std::string(text.substr(at, end + 1))}});
    at += end;
  }
  return objects;
}

std::string add_objects(Evidence& evidence, std::string_view text) {
  const Objects objects = objects_in(text);
  if (objects.too_many) evidence.problem = "it has too many braces";
  std::string prose;
  std::size_t from = 0;
  for (const Located& object : objects.found) {
    add_value(evidence, parse_json(object.text.text));
    prose += text.substr(from, object.begin - from);
    prose += '\n';
    from = object.end;
  }
  prose += text.substr(from);
  return prose;
}

std::optional<std::string_view> without_thoughts(std::string_view reply) {
  constexpr std::string_view kOpen = "<think>";
  constexpr std::string_view kClose = "</think>";
  reply = trim(reply);
  if (!reply.starts_with(kOpen)) return reply;
  const auto end = reply.find(kClose);
  if (end == std::string_view::npos) return std::nullopt;
  return trim(reply.substr(end + kClose.size()));
}

}  // namespace hone::prompt
