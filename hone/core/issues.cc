#include "hone/core/issues.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hone::core {
namespace {

std::set<std::string> labels(const Evaluation& evaluation) {
  std::set<std::string> result;
  for (const Issue& issue : evaluation.issues) result.insert(label(issue));
  return result;
}

}  // namespace

std::string label(const Issue& issue) {
  const std::string check = issue.check.empty() ? "" : issue.check + ": ";
  // Issues without a place differ by what they say.
  if (issue.path.empty() && !issue.line) return check + issue.message;
  const std::string place = issue.path.empty() ? fmt::format("line {}", *issue.line) : issue.path;
  return fmt::format("{}{} {}", check, place, issue.kind);
}

Changes compare_issues(const Evaluation& parent, const Evaluation& now,
                       const std::vector<const Evaluation*>& earlier) {
  if (parent.issues.empty() && now.issues.empty()) return {};
  const std::set<std::string> before = labels(parent);
  const std::set<std::string> after = labels(now);
  const bool has_new = !std::ranges::includes(before, after);
  std::set<std::string> ever;
  if (has_new) {
    for (const Evaluation* evaluation : earlier) ever.merge(labels(*evaluation));
  }
  Changes changes;
  for (const std::string& issue : before) {
    (after.contains(issue) ? changes.carried : changes.resolved).push_back(issue);
  }
  for (const std::string& issue : after) {
    if (before.contains(issue)) continue;
    (ever.contains(issue) ? changes.resurfaced : changes.added).push_back(issue);
  }
  return changes;
}

}  // namespace hone::core
