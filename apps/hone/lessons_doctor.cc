// hone lessons doctor: what is wrong with what was learned.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/hone/exit_code.h"
#include "apps/hone/lesson_memory.h"
#include "apps/hone/lessons_command.h"
#include "apps/hone/store.h"
#include "hone/async/clock.h"
#include "hone/base/text.h"
#include "hone/journal/run_store.h"
#include "hone/memory/likeness.h"

namespace hone::app {
namespace {

using memory::StoredLesson;

constexpr std::size_t kNeighbours = 12;
constexpr std::chrono::hours kLong{24 * 30};

struct Finding {
  std::string problem;  // "duplicate", "contradictory", "never_recalled", "orphaned",
                        // "unreadable".
  std::vector<std::string> lessons;
  std::string detail;
};

void find_pairs(std::vector<Finding>& findings, memory::LessonStore& store,
                memory::LessonIndex& index, const std::vector<StoredLesson>& lessons) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const StoredLesson& lesson : lessons) {
    const auto near = index.candidates(memory::LessonIndex::sought_by_words(lesson.text),
                                       lesson.owner.agent, kNeighbours);
    for (const memory::Candidate& candidate : near) {
      const auto pair = std::minmax(lesson.id, candidate.id);
      if (lesson.id == candidate.id || !seen.insert(pair).second) continue;
      const auto other = store.find(lesson.owner.tenant, candidate.id);
      if (!other) continue;
      const std::string detail =
          fmt::format("{} / {}", one_line(lesson.text, 60), one_line(other->text, 60));
      if (memory::says_the_same(lesson.text, other->text))
        findings.push_back({"duplicate", {lesson.id, other->id}, detail});
      if (memory::says_the_opposite(lesson.text, other->text))
        findings.push_back({"contradictory", {lesson.id, other->id}, detail});
    }
  }
}

std::set<std::string> known_runs(const Flags& flags) {
  std::set<std::string> runs;
  for (const journal::RunLine& line : journal::RunStore(store_path(flags)).list())
    runs.insert(line.run);
  return runs;
}

void find_single(std::vector<Finding>& findings, const std::vector<StoredLesson>& lessons,
                 const Flags& flags) {
  const std::set<std::string> runs = known_runs(flags);
  const Instant now = SystemClock().now();
  for (const StoredLesson& lesson : lessons) {
    const std::string& run = lesson.provenance.run;
    if (lesson.trials.recalled == 0 && now - lesson.created > kLong)
      findings.push_back({"never_recalled", {lesson.id}, one_line(lesson.text, 100)});
    if (!run.empty() && !runs.contains(run)) {
      findings.push_back({"orphaned", {lesson.id}, fmt::format("its run {} is gone", run)});
    }
  }
}

void print(const std::vector<Finding>& findings, const LessonFlags& flags) {
  if (flags.common.json) {
    Json rows = Json::array();
    for (const Finding& finding : findings) {
      rows.push_back(
          {{"problem", finding.problem}, {"lessons", finding.lessons}, {"detail", finding.detail}});
    }
    fmt::print("{}\n", dump_pretty(rows));
    return;
  }
  for (const Finding& finding : findings) {
    fmt::print("{:<15} {}  {}\n", finding.problem, join(finding.lessons, " "), finding.detail);
  }
  if (findings.empty()) fmt::print(stderr, "nothing is wrong\n");
}

}  // namespace

int examine_lessons(const LessonFlags& flags) {
  const auto store = open_lessons(flags.common);
  const auto embedder = make_embedder();
  std::vector<StoredLesson> lessons = store->list(scope_of(flags));
  std::erase_if(lessons, [](const StoredLesson& lesson) { return lesson.forgotten; });
  memory::Recall recall(*store, *embedder);
  std::vector<Finding> findings;
  find_pairs(findings, *store, recall.index(owner_of(flags).tenant), lessons);
  find_single(findings, lessons, flags.common);
  for (const std::string& problem : store->problems())
    findings.push_back({"unreadable", {}, problem});
  print(findings, flags);
  return kDone;
}

}  // namespace hone::app
