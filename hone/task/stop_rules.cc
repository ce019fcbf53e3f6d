#include "hone/task/stop_rules.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 11> kStopKeys{
    "attempts", "interrupted",     "unjudged", "duplicate", "oscillation", "diminishing",
    "stable",   "repeated_issues", "plateau",  "any",       "all"};
constexpr auto kWhenKeys = std::span(kStopKeys).subspan(3);
constexpr std::array<std::string_view, 2> kGainKeys{"attempts", "gain"};
constexpr std::array<std::string_view, 2> kSwingKeys{"turns", "swing"};
constexpr std::array<std::string_view, 2> kStableKeys{"attempts", "similarity"};

constexpr std::int64_t kMostAttempts = 1'000'000;

bool is_off(const yaml::Field& field) { return field.is_null() || field.is_false(); }
bool is_on(const yaml::Field& field) {
  const bool* value = field.node().get_if<bool>();
  return value != nullptr && *value;
}
bool is_number(const yaml::Field& field) { return field.node().get_if<std::int64_t>() != nullptr; }

int attempts(const yaml::Field& field, std::int64_t least = 1) {
  return static_cast<int>(field.whole(least, kMostAttempts));
}

// What the two numbers of a rule are called, where they go, and what a rule looks like.
struct Numbers {
  std::span<const std::string_view> keys;
  int& count;
  std::int64_t least;
  double& size;
  std::string_view example;
};

void read_numbers(const Numbers& numbers, const yaml::Field& field) {
  if (is_on(field)) return;
  if (is_number(field)) {
    numbers.count = attempts(field, numbers.least);
    return;
  }
  if (field.node().get_if<yaml::Node::Mapping>() == nullptr) {
    throw field.must_be(std::string("a mapping such as ") + std::string(numbers.example) +
                        ", or false");
  }
  const yaml::Fields fields = field.mapping(numbers.keys);
  if (const auto value = present(fields, numbers.keys[0])) {
    numbers.count = attempts(*value, numbers.least);
  }
  if (const auto value = present(fields, numbers.keys[1])) numbers.size = value->number(0, 1);
}

template <class Rule, class Read>
void set(std::optional<Rule>& rule, const std::optional<yaml::Field>& field, Read read) {
  if (!field) return;
  rule.reset();
  if (!is_off(*field)) rule = read(*field);
}

core::PlateauRule plateau(const yaml::Field& field) {
  core::PlateauRule rule;
  read_numbers({kGainKeys, rule.attempts, 1, rule.gain, "{attempts: 2, gain: 0.05}"}, field);
  return rule;
}
core::DiminishingRule diminishing(const yaml::Field& field) {
  core::DiminishingRule rule;
  read_numbers({kGainKeys, rule.attempts, 1, rule.gain, "{attempts: 2, gain: 0.05}"}, field);
  return rule;
}
core::OscillationRule oscillation(const yaml::Field& field) {
  core::OscillationRule rule;
  read_numbers({kSwingKeys, rule.turns, 2, rule.swing, "{turns: 3, swing: 0.05}"}, field);
  return rule;
}
core::StableRule stable(const yaml::Field& field) {
  core::StableRule rule;
  read_numbers({kStableKeys, rule.attempts, 1, rule.similarity, "{attempts: 2, similarity: 0.9}"},
               field);
  return rule;
}
int once(const yaml::Field& field) { return is_on(field) ? 1 : attempts(field); }
int repeats(const yaml::Field& field) { return is_on(field) ? 2 : attempts(field); }
int same_issues(const yaml::Field& field) { return is_on(field) ? 2 : attempts(field, 2); }

std::vector<core::StopWhen> rules_of(const yaml::Field& field);

void read_when(core::StopWhen& when, const yaml::Fields& fields) {
  set(when.duplicate, fields.find("duplicate"), repeats);
  set(when.oscillation, fields.find("oscillation"), oscillation);
  set(when.diminishing, fields.find("diminishing"), diminishing);
  set(when.stable, fields.find("stable"), stable);
  set(when.repeated_issues, fields.find("repeated_issues"), same_issues);
  set(when.plateau, fields.find("plateau"), plateau);
  if (const auto any = present(fields, "any")) when.any = rules_of(*any);
  if (const auto all = present(fields, "all")) when.all = rules_of(*all);
}

std::vector<core::StopWhen> rules_of(const yaml::Field& field) {
  std::vector<core::StopWhen> rules;
  for (const yaml::Field& item : field.list()) {
    core::StopWhen when;
    read_when(when, item.mapping(kWhenKeys));
    if (when == core::StopWhen()) throw item.must_be("a mapping with a stop rule that is on");
    rules.push_back(std::move(when));
  }
  return rules;
}

Json to_json(const core::StopWhen& when);

Json to_json(const std::vector<core::StopWhen>& rules) {
  Json list = Json::array();
  for (const core::StopWhen& rule : rules) list.push_back(to_json(rule));
  return list;
}

template <class Rule>
Json pair(const std::optional<Rule>& rule, std::span<const std::string_view> keys,
          int Rule::* count, double Rule::* size) {
  Json json = false;
  if (!rule) return json;
  json = Json::object();
  json[std::string(keys[0])] = (*rule).*count;
  json[std::string(keys[1])] = (*rule).*size;
  return json;
}

Json number(const std::optional<int>& rule) { return rule ? Json(*rule) : Json(false); }

Json to_json(const core::StopWhen& when) {
  using core::DiminishingRule, core::OscillationRule, core::PlateauRule, core::StableRule;
  Json json = {
      {"duplicate", number(when.duplicate)},
      {"oscillation",
       pair(when.oscillation, kSwingKeys, &OscillationRule::turns, &OscillationRule::swing)},
      {"diminishing",
       pair(when.diminishing, kGainKeys, &DiminishingRule::attempts, &DiminishingRule::gain)},
      {"stable", pair(when.stable, kStableKeys, &StableRule::attempts, &StableRule::similarity)},
      {"repeated_issues", number(when.repeated_issues)},
      {"plateau", pair(when.plateau, kGainKeys, &PlateauRule::attempts, &PlateauRule::gain)}};
  if (!when.any.empty()) json["any"] = to_json(when.any);
  if (!when.all.empty()) json["all"] = to_json(when.all);
  return json;
}

}  // namespace

void read_stop(core::StopRules& rules, const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kStopKeys);
  if (const auto value = fields.find("attempts")) rules.attempts = attempts(*value);
  if (const auto value = present(fields, "interrupted")) rules.interrupted = value->boolean();
  set(rules.unjudged, fields.find("unjudged"), once);
  read_when(rules.when, fields);
}

Json to_json(const core::StopRules& rules) {
  Json json = to_json(rules.when);
  json["interrupted"] = rules.interrupted;
  json["unjudged"] = number(rules.unjudged);
  json["attempts"] = rules.attempts;
  return json;
}

}  // namespace hone::task
