#include "hone/prompt/criteria_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/prompt/verdict.h"
#include "hone/prompt/verdict_json.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kLongestReply = 64 * 1024;
// Members beside criteria that stand at the top.
constexpr std::array<std::string_view, 11> kOthers{
    "suggestions", "issues",  "reason",     "feedback", "explanation",   "passed",
    "score",       "verdict", "confidence", "overall",  "weighted_score"};

// One criterion as the reply has it.
struct Stated {
  std::string name;
  Json value;
};

// A bare number or text as an object that read_verdict takes.
ReadVerdict read_value(const Json& value) {
  if (value.is_object()) return read_verdict(value);
  if (value.is_boolean()) return read_verdict(Json{{"passed", value}});
  return read_verdict(Json{{"score", value}});
}

void add_members(std::vector<Stated>& stated, const Json& object) {
  for (const auto& [name, value] : object.items()) stated.push_back({name, value});
}

void add_list(std::vector<Stated>& stated, const Json& list) {
  for (const Json& item : list) {
    if (!item.is_object()) continue;
    for (const char* key : {"name", "criterion"}) {
      const auto name = item.find(key);
      if (name == item.end() || !name->is_string()) continue;
      stated.push_back({name->get<std::string>(), item});
      break;
    }
  }
}

std::vector<Stated> stated_in(const Json& object) {
  std::vector<Stated> stated;
  const auto criteria = object.find("criteria");
  const bool named = criteria != object.end();
  if (named && criteria->is_array()) add_list(stated, *criteria);
  if (named && criteria->is_object()) add_members(stated, *criteria);
  if (named) return stated;
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(kOthers, lower(name)) == kOthers.end()) stated.push_back({name, value});
  }
  return stated;
}

std::vector<std::string> suggestions_in(const Json& object) {
  std::vector<std::string> texts;
  const auto suggestions = object.find("suggestions");
  if (suggestions == object.end() || !suggestions->is_array()) return texts;
  for (const Json& text : *suggestions) {
    if (text.is_string()) texts.emplace_back(trim(text.get_ref<const std::string&>()));
  }
  std::erase(texts, "");
  return texts;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& names) {
    for (const std::string& name : names) names_[criterion_key(name)] = name;
  }

  void add(const Json& object) {
    for (const Stated& stated : stated_in(object)) add(stated);
    for (std::string& text : suggestions_in(object)) {
      reply_.suggestions.push_back(std::move(text));
    }
  }

  CriteriaReply done() && {
    for (const auto& [key, name] : names_) {
      const bool known = reply_.scores.contains(name) || problems_.contains(name);
      if (!known) problems_[name] = fmt::format("it has no score for `{}`", name);
    }
    for (const auto& [name, problem] : problems_) {
      reply_.scores.erase(name);
      reply_.problem += (reply_.problem.empty() ? "" : "; ") + problem;
    }
    return std::move(reply_);
  }

 private:
  void add(const Stated& stated) {
    const auto asked = names_.find(criterion_key(stated.name));
    if (asked == names_.end()) {
      reply_.unasked.push_back(one_line(stated.name, 60));
      return;
    }
    const std::string& name = asked->second;
    const ReadVerdict read = read_value(stated.value);
    if (const auto* unreadable = std::get_if<Unreadable>(&read)) {
      problems_[name] = fmt::format("`{}`: {}", name, unreadable->problem);
      return;
    }
    const auto& verdict = std::get<Verdict>(read);
    const Score score = verdict.score.value_or(Score(verdict.passed.value_or(false) ? 1 : 0));
    const auto [known, is_new] =
        reply_.scores.try_emplace(name, CriterionScore{score, verdict.reason});
    if (!is_new && known->second.score != score) {
      problems_[name] = fmt::format("it has different scores for `{}`", name);
    }
  }

  std::map<std::string, std::string> names_;  // By key.
  std::map<std::string, std::string> problems_;
  CriteriaReply reply_;
};

}  // namespace

std::string criterion_key(std::string_view name) {
  std::string key = lower(trim(name));
  std::ranges::replace_if(key, [](char c) { return c == ' ' || c == '-'; }, '_');
  return key;
}

CriteriaReply read_criteria(std::string_view reply, const std::vector<std::string>& names) {
  Reader reader(names);
  const auto text = reply.size() > kLongestReply ? std::nullopt : without_thoughts(reply);
  const Objects objects = objects_in(text.value_or(""));
  CriteriaReply read;
  if (reply.size() > kLongestReply) read.problem = "it is too long";
  if (objects.too_many) read.problem = "it has too many braces";
  if (read.problem.empty() && objects.found.empty()) read.problem = "it has no scores in JSON";
  if (!read.problem.empty()) return read;
  for (const Located& object : objects.found) reader.add(parse_json(object.text.text));
  return std::move(reader).done();
}

}  // namespace hone::prompt
