#include "hone/memory/sqlite_store.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "hone/base/error.h"
#include "hone/memory/sqlite_layout.h"
#include "hone/memory/sqlite_row.h"
#include "hone/sqlite/transaction.h"

namespace hone::memory {
namespace {

std::int64_t ticks(Instant at) { return at.time_since_epoch().count(); }

std::string_view bytes_of(const Vector& vector) {
  return {reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)};
}

// The column that counts the runs with this outcome.
std::string_view column_of(core::Outcome outcome) { return core::to_string(outcome); }

const std::string kSelect = fmt::format("SELECT {} FROM lessons ", kLessonColumns);

// While it lives, commits survive a kill but wait for no disk: for vectors, which can be made
// again, and counts, of which a run more or less is no matter.
class Unhurried {
 public:
  explicit Unhurried(sqlite::Database& database) : database_(database) {
    database_.execute("PRAGMA synchronous=NORMAL");
  }
  ~Unhurried() { database_.execute("PRAGMA synchronous=FULL"); }
  Unhurried(const Unhurried&) = delete;
  Unhurried& operator=(const Unhurried&) = delete;

 private:
  sqlite::Database& database_;
};

class SqliteStore final : public LessonStore {
 public:
  explicit SqliteStore(const std::string& path)
      : database_(sqlite::Database::open({.path = path})) {
    sqlite::migrate(database_, lesson_layout());
  }

  std::vector<Addition> add(std::span<const StoredLesson> lessons) override {
    for (const StoredLesson& lesson : lessons) check(lesson);
    const std::lock_guard lock(mutex_);
    sqlite::Transaction transaction(database_);
    const Revision revision = next_revision();
    std::vector<Addition> additions;
    for (const StoredLesson& lesson : lessons) additions.push_back(add_one(lesson, revision));
    transaction.commit();
    return additions;
  }

  bool merge(const std::string& tenant, const Merge& merge) override {
    const std::lock_guard lock(mutex_);
    const Unhurried unhurried(database_);
    sqlite::Transaction transaction(database_);
    get_number(tenant, merge.into);
    const bool fresh = merge_into(tenant, merge);
    transaction.commit();
    return fresh;
  }

  void replace(const StoredLesson& lesson) override {
    check(lesson);
    const std::lock_guard lock(mutex_);
    sqlite::Transaction transaction(database_);
    const std::int64_t number = get_number(lesson.owner.tenant, lesson.id);
    const Owner owner = owner_of(number);
    const std::string text = fingerprint(owner, lesson.text);
    const auto other = with_text(owner, text);
    const bool is_taken = other && *other != lesson.id;
    database_
        .prepare(
            "UPDATE lessons SET revision = ?, fingerprint = ?, text = ?, kind = ?, ending = ?, "
            "task_type = ?, tool = ?, conditions = ?, task = ?, details = ?, created = ?, "
            "probation = ?, forgotten = ? WHERE number = ?")
        .bind(next_revision(), is_taken ? text + lesson.id : text, lesson.text,
              to_string(lesson.kind), to_string(lesson.ending), lesson.task_type, lesson.tool,
              lesson.conditions, lesson.task, details_of(lesson), ticks(lesson.created),
              lesson.probation, lesson.forgotten, number)
        .run();
    database_.prepare("DELETE FROM vectors WHERE lesson = ?").bind(number).run();
    transaction.commit();
  }

  void erase(const std::string& tenant, std::span<const std::string> ids) override {
    const std::lock_guard lock(mutex_);
    sqlite::Transaction transaction(database_);
    const Revision revision = next_revision();
    for (const std::string& id : ids) {
      if (const auto number = number_of(tenant, id)) erase_one(*number, revision);
    }
    transaction.commit();
  }

  std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) override {
    const std::lock_guard lock(mutex_);
    sqlite::Statement rows =
        database_.prepare(kSelect + "WHERE tenant = ? AND id = ? AND fingerprint IS NOT NULL");
    if (!rows.bind(tenant, id).step()) return std::nullopt;
    return read_lesson(rows);
  }

  std::vector<StoredLesson> list(const Scope& scope) override {
    const std::lock_guard lock(mutex_);
    sqlite::Statement rows = database_.prepare(
        kSelect +
        "WHERE tenant = ?1 AND fingerprint IS NOT NULL AND (?2 IS NULL OR agent = ?2) "
        "ORDER BY created, id");
    rows.bind(scope.tenant, scope.agent);
    std::vector<StoredLesson> lessons;
    while (rows.step()) lessons.push_back(read_lesson(rows));
    return lessons;
  }

  std::int64_t count(const Scope& scope) override {
    const std::lock_guard lock(mutex_);
    sqlite::Statement row = database_.prepare(
        "SELECT count(*) FROM lessons WHERE tenant = ?1 AND fingerprint IS NOT NULL AND "
        "(?2 IS NULL OR agent = ?2)");
    row.bind(scope.tenant, scope.agent).step();
    return row.integer(0);
  }

  void record(const std::string& tenant, std::span<const Trial> trials) override {
    const std::lock_guard lock(mutex_);
    const Unhurried unhurried(database_);
    sqlite::Transaction transaction(database_);
    for (const Trial& trial : trials) {
      if (const auto number = number_of(tenant, trial.lesson)) record_one(*number, trial);
    }
    transaction.commit();
  }

  std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) override {
    const std::lock_guard lock(mutex_);
    std::vector<Trial> trials;
    const auto number = number_of(tenant, lesson);
    if (!number) return trials;
    sqlite::Statement rows = database_.prepare(
        "SELECT run, outcome, at FROM trials WHERE lesson = ? ORDER BY at DESC, run DESC");
    rows.bind(*number);
    while (rows.step()) {
      Trial trial{.lesson = lesson, .run = std::string(rows.text(0))};
      if (!rows.is_null(1)) trial.outcome = core::outcome_from(rows.text(1));
      trial.at = Instant(Duration(rows.integer(2)));
      trials.push_back(std::move(trial));
    }
    return trials;
  }

  Revision changes(const std::string& tenant, Revision after, const std::string& model,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    const std::lock_guard lock(mutex_);
    // Read first: what is committed after it is visited now and once more the next time.
    const Revision revision = database_.integer("SELECT value FROM revisions");
    sqlite::Statement rows = database_.prepare(
        fmt::format("SELECT {}, fingerprint IS NULL, vector FROM lessons LEFT JOIN vectors ON "
                    "lesson = number AND model = ?3 WHERE tenant = ?1 AND revision > ?2 "
                    "ORDER BY revision, number",
                    kLessonColumns));
    rows.bind(tenant, after, model);
    Vector vector;
    while (rows.step()) {
      const StoredLesson lesson = read_lesson(rows);
      const std::string_view bytes = rows.blob(kLessonColumnCount + 1);
      vector.resize(bytes.size() / sizeof(float));
      if (!bytes.empty()) std::memcpy(vector.data(), bytes.data(), vector.size() * sizeof(float));
      visit({.lesson = lesson, .erased = rows.integer(kLessonColumnCount) != 0, .vector = vector});
    }
    return revision;
  }

  void keep_vectors(const std::string& tenant, const std::string& model,
                    std::span<const VectorOf> vectors) override {
    const std::lock_guard lock(mutex_);
    const Unhurried unhurried(database_);
    sqlite::Transaction transaction(database_);
    for (const auto& [id, vector] : vectors) {
      const auto number = number_of(tenant, id);
      if (!number) continue;
      database_.prepare("INSERT OR REPLACE INTO vectors (lesson, model, vector) VALUES (?, ?, ?)")
          .bind(*number, model, sqlite::Blob{bytes_of(vector)})
          .run();
    }
    transaction.commit();
  }

 private:
  Revision next_revision() {
    database_.execute("UPDATE revisions SET value = value + 1");
    return database_.integer("SELECT value FROM revisions");
  }

  // Of a lesson that has not been erased.
  std::optional<std::int64_t> number_of(const std::string& tenant, const std::string& id) {
    sqlite::Statement row = database_.prepare(
        "SELECT number FROM lessons WHERE tenant = ? AND id = ? AND fingerprint IS NOT NULL");
    if (!row.bind(tenant, id).step()) return std::nullopt;
    return row.integer(0);
  }

  std::int64_t get_number(const std::string& tenant, const std::string& id) {
    if (const auto number = number_of(tenant, id)) return *number;
    throw Error(ErrorKind::NotFound,
                fmt::format("there is no lesson `{}` of tenant `{}`", id, tenant),
                "see `hone lessons list`");
  }

  Owner owner_of(std::int64_t number) {
    sqlite::Statement row = database_.prepare("SELECT tenant, agent FROM lessons WHERE number = ?");
    row.bind(number).step();
    return {.tenant = std::string(row.text(0)), .agent = std::string(row.text(1))};
  }

  std::optional<std::string> with_text(const Owner& owner, const std::string& text) {
    sqlite::Statement row = database_.prepare(
        "SELECT id FROM lessons WHERE tenant = ? AND agent = ? AND fingerprint = ?");
    if (!row.bind(owner.tenant, owner.agent, text).step()) return std::nullopt;
    return std::string(row.text(0));
  }

  // The lesson that an id learned before has become: itself or another one.
  std::optional<std::string> known(const std::string& tenant, const std::string& id) {
    sqlite::Statement row = database_.prepare(
        "SELECT id FROM lessons WHERE tenant = ?1 AND id = ?2 "
        "UNION ALL SELECT lesson FROM merges WHERE tenant = ?1 AND id = ?2");
    if (!row.bind(tenant, id).step()) return std::nullopt;
    return std::string(row.text(0));
  }

  bool merge_into(const std::string& tenant, const Merge& merge) {
    if (known(tenant, merge.id)) return false;
    database_.prepare("INSERT INTO merges (tenant, id, lesson) VALUES (?, ?, ?)")
        .bind(tenant, merge.id, merge.into)
        .run();
    database_.prepare("UPDATE lessons SET merged = merged + 1 WHERE tenant = ? AND id = ?")
        .bind(tenant, merge.into)
        .run();
    return true;
  }

  Addition add_one(const StoredLesson& lesson, Revision revision) {
    const std::string& tenant = lesson.owner.tenant;
    if (const auto same = known(tenant, lesson.id)) return {Added::Known, *same};
    const std::string text = fingerprint(lesson.owner, lesson.text);
    if (const auto same = with_text(lesson.owner, text)) {
      merge_into(tenant, {.id = lesson.id, .into = *same});
      return {Added::Merged, *same};
    }
    const Trials& trials = lesson.trials;
    database_
        .prepare(
            "INSERT INTO lessons (tenant, id, agent, revision, fingerprint, text, kind, ending, "
            "task_type, tool, conditions, task, details, created, merged, recalled, passed, "
            "failed, unknown, probation, forgotten) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(tenant, lesson.id, lesson.owner.agent, revision, text, lesson.text,
              to_string(lesson.kind), to_string(lesson.ending), lesson.task_type, lesson.tool,
              lesson.conditions, lesson.task, details_of(lesson), ticks(lesson.created),
              lesson.merged, trials.recalled, trials.passed, trials.failed, trials.unknown,
              lesson.probation, lesson.forgotten)
        .run();
    return {Added::Stored, lesson.id};
  }

  void erase_one(std::int64_t number, Revision revision) {
    database_
        .prepare(
            "UPDATE lessons SET revision = ?, fingerprint = NULL, text = '', conditions = '', "
            "task = '', tool = '', details = '{}' WHERE number = ?")
        .bind(revision, number)
        .run();
    database_.prepare("DELETE FROM vectors WHERE lesson = ?").bind(number).run();
    database_.prepare("DELETE FROM trials WHERE lesson = ?").bind(number).run();
  }

  void count_one(std::int64_t number, std::string_view column, int step) {
    database_.prepare(fmt::format("UPDATE lessons SET {0} = {0} + ? WHERE number = ?", column))
        .bind(step, number)
        .run();
  }

  void record_one(std::int64_t number, const Trial& trial) {
    sqlite::Statement before =
        database_.prepare("SELECT outcome FROM trials WHERE lesson = ? AND run = ?");
    const bool fresh = !before.bind(number, trial.run).step();
    const auto known = fresh ? std::nullopt : before.optional_text(0);
    before.reset();
    if (fresh) {
      database_.prepare("INSERT INTO trials (lesson, run, at) VALUES (?, ?, ?)")
          .bind(number, trial.run, ticks(trial.at))
          .run();
      count_one(number, "recalled", 1);
    }
    if (!trial.outcome) return;
    if (known) count_one(number, column_of(*core::outcome_from(*known)), -1);
    database_.prepare("UPDATE trials SET outcome = ? WHERE lesson = ? AND run = ?")
        .bind(core::to_string(*trial.outcome), number, trial.run)
        .run();
    count_one(number, column_of(*trial.outcome), 1);
    if (*trial.outcome == core::Outcome::Passed) {
      database_.prepare("UPDATE lessons SET probation = 0 WHERE number = ?").bind(number).run();
    }
  }

  std::mutex mutex_;
  sqlite::Database database_;
};

}  // namespace

std::string default_lessons_path() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return std::string(data) + "/hone/lessons.db";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/share/hone/lessons.db";
  throw Error(ErrorKind::InvalidInput, "neither XDG_DATA_HOME nor HOME says where lessons are kept",
              "name a folder with --lessons-dir");
}

std::unique_ptr<LessonStore> open_lesson_store(const std::string& path) {
  return std::make_unique<SqliteStore>(path);
}

}  // namespace hone::memory
