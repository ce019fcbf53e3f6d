#include "hone/memory/learning.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hone/memory/likeness.h"
#include "hone/memory/wording.h"

namespace hone::memory {
namespace {

constexpr std::size_t kNeighbours = 12;

// The lessons of the same agent that are nearest in words: what says the same or the opposite has
// most of them in common.
std::vector<StoredLesson> neighbours(LessonStore& store, LessonIndex& index,
                                     const StoredLesson& lesson) {
  std::vector<StoredLesson> found;
  const Sought sought = LessonIndex::sought_by_words(lesson.text);
  for (const Candidate& candidate : index.candidates(sought, lesson.owner.agent, kNeighbours)) {
    if (candidate.id == lesson.id) continue;
    if (auto other = store.find(lesson.owner.tenant, candidate.id))
      found.push_back(std::move(*other));
  }
  return found;
}

void point_at(LessonStore& store, StoredLesson lesson, const std::string& id) {
  if (std::ranges::find(lesson.contradicts, id) != lesson.contradicts.end()) return;
  lesson.contradicts.push_back(id);
  store.replace(lesson);
}

bool was_shown(const StoredLesson& lesson, std::span<const core::Lesson> shown) {
  return std::ranges::any_of(
      shown, [&](const core::Lesson& one) { return says_the_same(one.text, lesson.text); });
}

}  // namespace

std::optional<Addition> Learning::learn_one(const StoredLesson& lesson) {
  const std::string& tenant = lesson.owner.tenant;
  if (store_.find(tenant, lesson.id)) return Addition{Added::Known, lesson.id};
  StoredLesson made = lesson;
  std::vector<StoredLesson> opposed;
  for (StoredLesson& other : neighbours(store_, recall_.index(tenant), lesson)) {
    if (says_the_same(other.text, lesson.text)) {
      const bool fresh = store_.merge(tenant, {.id = lesson.id, .into = other.id});
      return Addition{fresh ? Added::Merged : Added::Known, other.id};
    }
    if (!says_the_opposite(other.text, lesson.text)) continue;
    made.contradicts.push_back(other.id);
    opposed.push_back(std::move(other));
  }
  const Addition addition = store_.add(std::span(&made, 1)).front();
  if (addition.outcome != Added::Stored) return addition;
  for (StoredLesson& other : opposed) point_at(store_, std::move(other), made.id);
  return addition;
}

void Learning::bound(const Owner& owner) {
  const Scope scope{.tenant = owner.tenant, .agent = owner.agent};
  const std::int64_t count = store_.count(scope);
  if (count <= most_) return;
  std::vector<StoredLesson> lessons = store_.list(scope);
  std::ranges::sort(lessons, {}, [](const StoredLesson& lesson) {
    return std::tuple(!lesson.forgotten, lesson.trials.passed, lesson.trials.recalled,
                      lesson.merged, lesson.created, lesson.id);
  });
  std::vector<std::string> ids;
  for (const StoredLesson& lesson :
       std::span(lessons).first(static_cast<std::size_t>(count - most_)))
    ids.push_back(lesson.id);
  store_.erase(owner.tenant, ids);
}

std::vector<std::optional<Addition>> Learning::learn(std::vector<StoredLesson> lessons,
                                                     std::span<const core::Lesson> shown) {
  std::vector<std::optional<Addition>> additions;
  for (StoredLesson& lesson : lessons) {
    lesson = generic(std::move(lesson));
    check(lesson);
    additions.push_back(was_shown(lesson, shown) ? std::nullopt : learn_one(lesson));
  }
  if (!lessons.empty()) bound(lessons.front().owner);
  return additions;
}

}  // namespace hone::memory
