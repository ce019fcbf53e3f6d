// A store in SQLite that costs nothing until it is needed.
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "hone/memory/sqlite_store.h"

namespace hone::memory {
namespace {

class LateStore final : public LessonStore {
 public:
  explicit LateStore(std::string path) : path_(std::move(path)) {}

  std::vector<Addition> add(std::span<const StoredLesson> lessons) override {
    return opened().add(lessons);
  }
  bool merge(const std::string& tenant, const Merge& merge) override {
    return opened().merge(tenant, merge);
  }
  void replace(const StoredLesson& lesson) override { opened().replace(lesson); }
  void erase(const std::string& tenant, std::span<const std::string> ids) override {
    if (LessonStore* store = existing()) store->erase(tenant, ids);
  }
  std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) override {
    LessonStore* store = existing();
    return store == nullptr ? std::nullopt : store->find(tenant, id);
  }
  std::vector<StoredLesson> list(const Scope& scope) override {
    LessonStore* store = existing();
    return store == nullptr ? std::vector<StoredLesson>() : store->list(scope);
  }
  std::int64_t count(const Scope& scope) override {
    LessonStore* store = existing();
    return store == nullptr ? 0 : store->count(scope);
  }
  void record(const std::string& tenant, std::span<const Trial> trials) override {
    if (LessonStore* store = existing()) store->record(tenant, trials);
  }
  std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) override {
    LessonStore* store = existing();
    return store == nullptr ? std::vector<Trial>() : store->trials(tenant, lesson);
  }
  Revision changes(const std::string& tenant, Revision after, const std::string& model,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    LessonStore* store = existing();
    return store == nullptr ? after : store->changes(tenant, after, model, visit);
  }
  void keep_vectors(const std::string& tenant, const std::string& model,
                    std::span<const VectorOf> vectors) override {
    if (LessonStore* store = existing()) store->keep_vectors(tenant, model, vectors);
  }

 private:
  LessonStore& opened() {
    const std::lock_guard lock(mutex_);
    if (!store_) store_ = open_lesson_store(path_);
    return *store_;
  }
  // Null while there is no file.
  LessonStore* existing() {
    std::error_code ignored;
    {
      const std::lock_guard lock(mutex_);
      if (!store_ && !std::filesystem::exists(path_, ignored)) return nullptr;
    }
    return &opened();
  }

  std::string path_;
  std::mutex mutex_;
  std::unique_ptr<LessonStore> store_;
};

}  // namespace

std::unique_ptr<LessonStore> open_lesson_store_late(const std::string& path) {
  return std::make_unique<LateStore>(path);
}

}  // namespace hone::memory
