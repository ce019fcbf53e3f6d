#include "hone/prompt/revision.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/prompt/edits.h"
#include "hone/prompt/marks.h"
#include "hone/prompt/parts.h"
#include "hone/prompt/reasons.h"

namespace hone::prompt {
namespace {

std::string title_of(const core::Attempt& attempt) {
  const core::Evaluation& evaluation = attempt.evaluation;
  const std::string score =
      evaluation.score ? fmt::format(" {:.2f}", evaluation.score->value()) : std::string();
  return fmt::format("Version {}, {}{}:", attempt.number, to_string(evaluation.outcome), score);
}

// The newest versions that differ from each other and from `shown`, oldest first.
std::vector<const core::Attempt*> versions_of(const core::Run& run, const core::Attempt* shown,
                                              std::optional<int> count) {
  std::vector<const core::Attempt*> versions;
  int left = count.value_or(std::numeric_limits<int>::max());
  std::size_t total = 0;
  for (auto attempt = run.attempts.rbegin(); attempt != run.attempts.rend() && left > 0;
       ++attempt) {
    if (attempt->duplicate_of || &*attempt == shown) continue;
    total += attempt->output.text.size();
    if (total > kLongestVersions) break;
    versions.insert(versions.begin(), &*attempt);
    --left;
  }
  return versions;
}

void add_versions(Values& values, const std::vector<const core::Attempt*>& versions) {
  Json list = Json::array();
  std::vector<std::string_view> texts;
  for (const core::Attempt* version : versions) {
    const std::string& text = version->output.text;
    list.push_back(Json{{"title", title_of(*version)}, {"text", text}});
    texts.push_back(text);
  }
  values.json("versions", {dump(list)});
  values.text("versions_mark", mark_for("version", texts));
}

// What there is to say about the attempts so far.
struct Said {
  std::vector<std::string> reasons;
  std::vector<std::string> later;
  std::vector<std::string> advice;
  bool regressed = false;
};

Said said_of(const core::Run& run, const RevisionView& view) {
  Said said;
  const core::Attempt* best = run.find_best();
  const bool all = view.reasons && best != nullptr;
  if (all) said.advice = advice(run, view.reflections);
  if (!view.faults) {
    for (const core::Lesson& lesson : run.recalled) std::erase(said.advice, lesson.text);
    return said;
  }
  if (all) {
    said.reasons = reasons(*best);
    said.regressed = is_regression(run);
  }
  if (view.only) said.reasons = {reason(*view.only)};
  if (all && !view.only) said.later = later_reasons(run);
  return said;
}

// Where no text is shown, faults of any version are to be avoided alike.
void merge_later(Said& said) {
  std::ranges::move(said.later, std::back_inserter(said.reasons));
  said.later.clear();
}

void add(Values& values, Said said, const RevisionView& view) {
  values.texts("reasons", std::move(said.reasons));
  values.texts("later", std::move(said.later));
  values.texts("advice", std::move(said.advice));
  values.flag("regressed", said.regressed);
  values.refer("problem", view.problem);
}

Values values_with_best(const core::Run& run, const RevisionView& view) {
  HONE_CHECK(!run.attempts.empty());
  const core::Attempt* best = run.find_best();
  Values values = values_of(run, best->output);
  add(values, said_of(run, view), view);
  add_versions(values, versions_of(run, best, view.versions));
  values.flag("one_fault", view.only.has_value());
  return values;
}

}  // namespace

Prompt regenerate_prompt(const core::Run& run, const RevisionView& view) {
  Values values = values_of(run);
  Said said = said_of(run, view);
  if (!said.regressed) merge_later(said);
  add(values, std::move(said), view);
  add_versions(values, versions_of(run, nullptr, view.versions));
  return made("regenerate", run, values);
}

Prompt full_rewrite_prompt(const core::Run& run, const RevisionView& view) {
  return made("full_rewrite", run, values_with_best(run, view));
}

Prompt targeted_edit_prompt(const core::Run& run, const RevisionView& view) {
  Values values = values_with_best(run, view);
  values.text("suffix", edit_suffix(run.find_best()->output.text));
  return made("targeted_edit", run, values);
}

}  // namespace hone::prompt
