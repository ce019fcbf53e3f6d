// Where lessons are kept. Implementations: SQLite, files, memory; one suite of tests holds for all
// (store_conformance_test.cc).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hone/memory/lesson.h"

namespace hone::memory {

// What a caller may see: one agent's lessons, or those of all agents of the tenant.
struct Scope {
  std::string tenant = "default";
  std::optional<std::string> agent = "default";  // Absent: all agents.

  bool covers(const Owner& owner) const {
    return owner.tenant == tenant && (!agent || *agent == owner.agent);
  }
};

// What became of a lesson that was to be added.
enum class Added {
  Stored,  // It is new.
  Known,   // It had been added before (or erased since): nothing was done.
  Merged,  // Its agent has one that says the same, which counts one more.
};
struct Addition {
  Added outcome = Added::Stored;
  std::string id;  // The lesson that stands in the store: its own id, or that of the other one.

  bool operator==(const Addition&) const = default;
};

// One run in which a lesson was shown. Without an outcome the run has not ended.
struct Trial {
  std::string lesson;
  std::string run;
  std::optional<core::Outcome> outcome = {};
  Instant at = {};

  bool operator==(const Trial&) const = default;
};

// A lesson as learned again elsewhere: counted, not stored.
struct Merge {
  std::string id;    // Of what was learned.
  std::string into;  // The lesson that says the same.
};

using Vector = std::vector<float>;
struct VectorOf {
  std::string lesson;
  Vector vector;
};

// Grows with every change of a store. 0 is before the first.
using Revision = std::int64_t;

// One lesson that changed, with its vector if the store has one of that model.
struct ChangedLesson {
  const StoredLesson& lesson;
  bool erased = false;  // Nothing of it is left but its id.
  std::span<const float> vector;
};

// Blocking: called on worker threads. Threads: any, and any number of processes. Errors:
// hone::Error as sqlite::Database; what is committed survives kill -9 and, but for vectors and the
// last merges and trials, a crash of the machine. Tenants are worlds of their own: an id of another
// tenant does not exist.
class LessonStore {
 public:
  virtual ~LessonStore() = default;

  // Adds all or none; each is check()ed and has an id. Doing it again changes nothing.
  virtual std::vector<Addition> add(std::span<const StoredLesson> lessons) = 0;
  // Counts one more for the lesson `into`; false if this was done before. Throws NotFound.
  virtual bool merge(const std::string& tenant, const Merge& merge) = 0;
  // Replaces everything but id, owner, count of merges and trials. Throws NotFound.
  virtual void replace(const StoredLesson& lesson) = 0;
  // Takes lessons out for good; unknown ids do not matter. Their ids stay known, so that no resumed
  // run brings them back.
  virtual void erase(const std::string& tenant, std::span<const std::string> ids) = 0;

  virtual std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) = 0;
  // By creation, then id; forgotten ones are among them.
  virtual std::vector<StoredLesson> list(const Scope& scope) = 0;
  virtual std::int64_t count(const Scope& scope) = 0;

  // Counts for each lesson and run once; a later outcome of the same run takes the place of the
  // earlier one. A pass ends probation. Trials of unknown lessons are ignored.
  virtual void record(const std::string& tenant, std::span<const Trial> trials) = 0;
  // The runs in which the lesson was shown, the latest first.
  virtual std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) = 0;

  // Visits what changed in the tenant since `after`, in the order of the changes, with the vectors
  // of `model`; returns the revision up to which was visited.
  virtual Revision changes(const std::string& tenant, Revision after, const std::string& model,
                           const std::function<void(const ChangedLesson&)>& visit) = 0;
  // Keeps vectors of `model` in the place of any earlier ones; unknown lessons are ignored. This is
  // no change of the lessons.
  virtual void keep_vectors(const std::string& tenant, const std::string& model,
                            std::span<const VectorOf> vectors) = 0;

  // What the store holds and cannot read, a sentence each.
  virtual std::vector<std::string> problems() { return {}; }
};

// In memory, gone with the object.
std::unique_ptr<LessonStore> make_lesson_store();

// The lesson with this id or with an id that begins so. Throws NotFound, and InvalidInput with the
// candidates when several do.
StoredLesson find_lesson(LessonStore& store, const Scope& scope, std::string_view id_or_prefix);

}  // namespace hone::memory
