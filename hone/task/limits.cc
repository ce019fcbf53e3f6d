#include "hone/task/limits.h"

#include <algorithm>
#include <array>
#include <limits>

#include "hone/base/error.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 4> kBudgetKeys{"tokens", "usd", "calls", "time"};
constexpr std::array<std::string_view, 1> kAcceptKeys{"threshold"};
constexpr std::array<std::string_view, 4> kLessonsKeys{"recall", "learn", "agent", "tenant"};

}  // namespace

core::Budget read_budget(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kBudgetKeys);
  core::Budget budget;
  if (const auto value = present(fields, "tokens")) budget.tokens = Tokens{value->count(1)};
  if (const auto value = present(fields, "usd")) {
    budget.usd = Usd{value->number(0, std::numeric_limits<double>::infinity())};
  }
  if (const auto value = present(fields, "calls")) budget.calls = value->count(1);
  if (const auto value = present(fields, "time")) {
    budget.time = value->duration();
    if (*budget.time == Duration::zero()) throw value->must_be("a time of more than 0 s");
  }
  return budget;
}

core::Selection read_select(const yaml::Field& field) {
  if (const auto selection = core::selection_from(field.text())) return *selection;
  throw unknown_word(
      field, {"highest_score", "latest", "first_satisfactory", "weighted_recency", "first"});
}

Revise read_revise(const yaml::Field& field) {
  const std::string word = field.text();
  if (word == "regenerate") return Revise::Regenerate;
  if (word == "full_rewrite") return Revise::FullRewrite;
  const std::vector<std::string> later{"targeted_edit", "incremental", "hybrid"};
  if (std::ranges::find(later, word) != later.end()) throw value_not_in_this_version(field);
  throw unknown_word(field, {"regenerate", "full_rewrite"});
}

double read_accept(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kAcceptKeys);
  const auto threshold = present(fields, "threshold");
  return threshold ? threshold->number(0, 1) : TaskFile().accept_threshold;
}

void check_lessons(const yaml::Field& field) {
  if (field.is_false()) return;
  const yaml::Fields fields = field.mapping(kLessonsKeys);
  if (const auto recall = present(fields, "recall")) {
    const auto count = recall->whole(0);
    if (count != 0 && count != 3) throw value_not_in_this_version(*recall);
  }
  if (const auto learn = present(fields, "learn")) learn->boolean();
  for (const std::string_view key : {"agent", "tenant"}) {
    const auto name = present(fields, key);
    if (name && name->text() != "default") throw value_not_in_this_version(*name);
  }
}

void check_profile(const yaml::Field& field) {
  const std::string word = field.text();
  const std::vector<std::string> known{"default", "protocol", "loomflow", "tea", "prd", "paper"};
  if (word == "default") return;
  if (std::ranges::find(known, word) != known.end()) throw value_not_in_this_version(field);
  throw unknown_word(field, known);
}

}  // namespace hone::task
