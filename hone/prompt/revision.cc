#include "hone/prompt/revision.h"

#include <fmt/format.h>

#include <algorithm>
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

void add_versions(Json& values, const std::vector<const core::Attempt*>& versions) {
  Json list = Json::array();
  std::vector<std::string_view> texts;
  for (const core::Attempt* version : versions) {
    const std::string& text = version->output.text;
    list.push_back(Json{{"title", title_of(*version)}, {"text", text}});
    texts.push_back(text);
  }
  values["versions"] = std::move(list);
  values["versions_mark"] = mark_for("version", texts);
}

void add_reasons(Json& values, const core::Run& run, const RevisionView& view) {
  const core::Attempt* best = run.find_best();
  const bool all = view.reasons && best != nullptr;
  std::vector<std::string> faults;
  if (all) faults = reasons(*best);
  if (view.only) faults = {reason(*view.only)};
  values["reasons"] = std::move(faults);
  values["later"] = all && !view.only ? later_reasons(run) : std::vector<std::string>();
  values["regressed"] = all && is_regression(run);
  values["advice"] = all ? advice(run, view.reflections) : std::vector<std::string>();
  values["problem"] = view.problem;
}

// Where no text is shown, faults of any version are to be avoided alike.
void merge_later(Json& values) {
  for (Json& line : values["later"]) values["reasons"].push_back(std::move(line));
  values["later"] = Json::array();
}

Json values_with_best(const core::Run& run, const RevisionView& view) {
  HONE_CHECK(!run.attempts.empty());
  const core::Attempt* best = run.find_best();
  Json values = values_of(run, best->output);
  add_reasons(values, run, view);
  add_versions(values, versions_of(run, best, view.versions));
  values["one_fault"] = view.only.has_value();
  return values;
}

}  // namespace

Prompt regenerate_prompt(const core::Run& run, const RevisionView& view) {
  Json values = values_of(run);
  add_reasons(values, run, view);
  if (!values["regressed"].get<bool>()) merge_later(values);
  add_versions(values, versions_of(run, nullptr, view.versions));
  return made("regenerate", run, values);
}

Prompt full_rewrite_prompt(const core::Run& run, const RevisionView& view) {
  return made("full_rewrite", run, values_with_best(run, view));
}

Prompt targeted_edit_prompt(const core::Run& run, const RevisionView& view) {
  Json values = values_with_best(run, view);
  values["suffix"] = edit_suffix(run.find_best()->output.text);
  return made("targeted_edit", run, values);
}

}  // namespace hone::prompt
