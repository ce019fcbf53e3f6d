// Lessons in memory: for tests, for programs that keep nothing, and as the plainest model of what a
// store does.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "hone/base/error.h"
#include "hone/memory/lesson_store.h"

namespace hone::memory {
namespace {

int& count_of(Trials& trials, core::Outcome outcome) {
  if (outcome == core::Outcome::Passed) return trials.passed;
  return outcome == core::Outcome::Failed ? trials.failed : trials.unknown;
}

struct Row {
  StoredLesson lesson;
  Revision revision = 0;
  bool erased = false;
  std::string model;
  Vector vector;
  std::map<std::string, Trial> trials;  // By run.
};

struct World {
  std::map<std::string, Row> rows;            // By id.
  std::map<std::string, std::string> merges;  // From the id learned to the lesson.
  std::map<std::string, std::string> texts;   // From fingerprint to lesson.
};

class MemoryStore final : public LessonStore {
 public:
  std::vector<Addition> add(std::span<const StoredLesson> lessons) override {
    for (const StoredLesson& lesson : lessons) check(lesson);
    const std::lock_guard lock(mutex_);
    ++revision_;
    std::vector<Addition> additions;
    for (const StoredLesson& lesson : lessons) additions.push_back(add_one(lesson));
    return additions;
  }

  bool merge(const std::string& tenant, const Merge& merge) override {
    const std::lock_guard lock(mutex_);
    Row& row = get(tenant, merge.into);
    return merge_into(worlds_[tenant], row, merge.id);
  }

  void replace(const StoredLesson& lesson) override {
    check(lesson);
    const std::lock_guard lock(mutex_);
    Row& row = get(lesson.owner.tenant, lesson.id);
    World& world = worlds_[lesson.owner.tenant];
    world.texts.erase(fingerprint(row.lesson.owner, row.lesson.text));
    const StoredLesson before = std::exchange(row.lesson, lesson);
    row.lesson.owner = before.owner;
    row.lesson.merged = before.merged;
    row.lesson.trials = before.trials;
    world.texts.emplace(fingerprint(before.owner, lesson.text), lesson.id);
    row.model.clear();
    row.revision = ++revision_;
  }

  void erase(const std::string& tenant, std::span<const std::string> ids) override {
    const std::lock_guard lock(mutex_);
    ++revision_;
    World& world = worlds_[tenant];
    for (const std::string& id : ids) {
      const auto found = world.rows.find(id);
      if (found == world.rows.end() || found->second.erased) continue;
      const StoredLesson& lesson = found->second.lesson;
      std::erase_if(world.texts, [&](const auto& text) { return text.second == id; });
      found->second = {.lesson = {.id = lesson.id, .text = {}, .owner = lesson.owner},
                       .revision = revision_,
                       .erased = true};
    }
  }

  std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) override {
    const std::lock_guard lock(mutex_);
    const auto& rows = worlds_[tenant].rows;
    const auto found = rows.find(id);
    if (found == rows.end() || found->second.erased) return std::nullopt;
    return found->second.lesson;
  }

  std::vector<StoredLesson> list(const Scope& scope) override {
    const std::lock_guard lock(mutex_);
    std::vector<StoredLesson> lessons;
    for (const auto& [id, row] : worlds_[scope.tenant].rows) {
      if (!row.erased && scope.covers(row.lesson.owner)) lessons.push_back(row.lesson);
    }
    std::ranges::sort(lessons, {}, [](const StoredLesson& lesson) {
      return std::tie(lesson.created, lesson.id);
    });
    return lessons;
  }

  std::int64_t count(const Scope& scope) override {
    return static_cast<std::int64_t>(list(scope).size());
  }

  void record(const std::string& tenant, std::span<const Trial> trials) override {
    const std::lock_guard lock(mutex_);
    World& world = worlds_[tenant];
    for (const Trial& trial : trials) {
      const auto found = world.rows.find(trial.lesson);
      if (found != world.rows.end() && !found->second.erased) record_one(found->second, trial);
    }
  }

  std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) override {
    const std::lock_guard lock(mutex_);
    std::vector<Trial> trials;
    const auto& rows = worlds_[tenant].rows;
    if (const auto found = rows.find(lesson); found != rows.end()) {
      for (const auto& [run, trial] : found->second.trials) trials.push_back(trial);
    }
    std::ranges::sort(trials, std::greater(),
                      [](const Trial& trial) { return std::tie(trial.at, trial.run); });
    return trials;
  }

  Revision changes(const std::string& tenant, Revision after, const std::string& model,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    const std::lock_guard lock(mutex_);
    std::vector<const Row*> changed;
    for (const auto& [id, row] : worlds_[tenant].rows) {
      if (row.revision > after) changed.push_back(&row);
    }
    std::ranges::sort(changed, {}, [](const Row* row) {
      return std::tie(row->revision, row->lesson.created, row->lesson.id);
    });
    for (const Row* row : changed) {
      const bool has_vector = !row->erased && row->model == model;
      visit(
          {.lesson = row->lesson,
           .erased = row->erased,
           .vector = has_vector ? std::span<const float>(row->vector) : std::span<const float>()});
    }
    return revision_;
  }

  void keep_vectors(const std::string& tenant, const std::string& model,
                    std::span<const VectorOf> vectors) override {
    const std::lock_guard lock(mutex_);
    auto& rows = worlds_[tenant].rows;
    for (const auto& [id, vector] : vectors) {
      const auto found = rows.find(id);
      if (found == rows.end() || found->second.erased) continue;
      found->second.model = model;
      found->second.vector = vector;
    }
  }

 private:
  Row& get(const std::string& tenant, const std::string& id) {
    auto& rows = worlds_[tenant].rows;
    const auto found = rows.find(id);
    if (found != rows.end() && !found->second.erased) return found->second;
    throw Error(ErrorKind::NotFound, "there is no lesson `" + id + "` of tenant `" + tenant + "`",
                "see `hone lessons list`");
  }

  bool merge_into(World& world, Row& row, const std::string& id) {
    if (world.rows.contains(id) || !world.merges.emplace(id, row.lesson.id).second) return false;
    ++row.lesson.merged;
    return true;
  }

  Addition add_one(const StoredLesson& lesson) {
    World& world = worlds_[lesson.owner.tenant];
    if (world.rows.contains(lesson.id)) return {Added::Known, lesson.id};
    if (const auto merged = world.merges.find(lesson.id); merged != world.merges.end())
      return {Added::Known, merged->second};
    const std::string text = fingerprint(lesson.owner, lesson.text);
    if (const auto same = world.texts.find(text); same != world.texts.end()) {
      merge_into(world, world.rows.at(same->second), lesson.id);
      return {Added::Merged, same->second};
    }
    world.texts.emplace(text, lesson.id);
    world.rows.emplace(lesson.id, Row{.lesson = lesson, .revision = revision_});
    return {Added::Stored, lesson.id};
  }

  static void record_one(Row& row, const Trial& trial) {
    const auto [known, fresh] = row.trials.try_emplace(trial.run, trial);
    Trials& counts = row.lesson.trials;
    if (fresh) ++counts.recalled;
    if (!trial.outcome) return;
    if (!fresh && known->second.outcome) --count_of(counts, *known->second.outcome);
    known->second.outcome = trial.outcome;
    ++count_of(counts, *trial.outcome);
    if (*trial.outcome == core::Outcome::Passed) row.lesson.probation = false;
  }

  std::mutex mutex_;
  Revision revision_ = 0;
  std::map<std::string, World> worlds_;  // By tenant.
};

}  // namespace

std::unique_ptr<LessonStore> make_lesson_store() { return std::make_unique<MemoryStore>(); }

}  // namespace hone::memory
