#include "hone/memory/files_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "hone/base/error.h"
#include "hone/memory/file_table.h"
#include "hone/memory/lesson_folder.h"
#include "hone/memory/reflection_file.h"
#include "hone/memory/sqlite_store.h"

namespace hone::memory {
namespace {

// Tenants and ids of the lessons that have a file.
using Present = std::set<std::pair<std::string, std::string>>;

class FilesStore final : public LessonStore {
 public:
  explicit FilesStore(FilesOptions options)
      : newest_(options.newest),
        folder_(std::move(options.folder)),
        table_(folder_.index_file("files.db")),
        index_(open_lesson_store(folder_.index_file("lessons.db"))) {}

  std::vector<Addition> add(std::span<const StoredLesson> lessons) override {
    const Held held(*this);
    refresh();
    const std::vector<Addition> additions = index_->add(lessons);
    for (std::size_t at = 0; at < lessons.size(); ++at) {
      if (additions[at].outcome == Added::Stored) write_new(lessons[at]);
    }
    archive();
    return additions;
  }

  bool merge(const std::string& tenant, const Merge& merge) override {
    return index_->merge(tenant, merge);
  }

  void replace(const StoredLesson& lesson) override {
    const Held held(*this);
    refresh();
    index_->replace(lesson);
    rewrite(*index_->find(lesson.owner.tenant, lesson.id));
  }

  void erase(const std::string& tenant, std::span<const std::string> ids) override {
    const Held held(*this);
    refresh();
    index_->erase(tenant, ids);
    for (const std::string& id : ids) {
      while (const auto path = table_.path_of(tenant, id)) {
        folder_.remove(*path);
        table_.remove(*path);
      }
    }
  }

  std::optional<StoredLesson> find(const std::string& tenant, const std::string& id) override {
    return index_->find(tenant, id);
  }
  std::vector<StoredLesson> list(const Scope& scope) override {
    take_in();
    return index_->list(scope);
  }
  std::int64_t count(const Scope& scope) override {
    take_in();
    return index_->count(scope);
  }
  void record(const std::string& tenant, std::span<const Trial> trials) override {
    index_->record(tenant, trials);
  }
  std::vector<Trial> trials(const std::string& tenant, const std::string& lesson) override {
    return index_->trials(tenant, lesson);
  }
  Revision changes(const std::string& tenant, Revision after, const std::string& model,
                   const std::function<void(const ChangedLesson&)>& visit) override {
    take_in();
    return index_->changes(tenant, after, model, visit);
  }
  void keep_vectors(const std::string& tenant, const std::string& model,
                    std::span<const VectorOf> vectors) override {
    index_->keep_vectors(tenant, model, vectors);
  }

  std::vector<std::string> problems() override {
    take_in();
    const Held held(*this);
    std::vector<std::string> problems;
    for (const auto& [path, file] : table_.all()) {
      if (!file.problem.empty()) problems.push_back(fmt::format("{}: {}", path, file.problem));
    }
    return problems;
  }

 private:
  // One thread of one process in the folder at a time.
  struct Held {
    explicit Held(FilesStore& store)
        : thread(store.mutex_), process(store.folder_.index_file("lock")) {}
    std::lock_guard<std::mutex> thread;
    FolderLock process;
  };

  void take_in() {
    const Held held(*this);
    refresh();
  }

  // Takes in what changed in the folder since the last look.
  void refresh() {
    std::map<std::string, KnownFile> known = table_.all();
    std::vector<FoundFile> changed;
    Present present;
    folder_.visit([&](const FoundFile& found) {
      const auto file = known.extract(found.path);
      const bool same = !file.empty() && file.mapped().changed == found.changed &&
                        file.mapped().size == found.size;
      if (same) {
        present.emplace(file.mapped().tenant, file.mapped().lesson);
      } else {
        changed.push_back(found);
      }
    });
    read(changed, present);
    for (const auto& [path, file] : known) lose(path, file, present);
    if (!std::exchange(is_whole_, true)) write_missing();
  }

  // Reads files all at once: a folder of thousands is taken in by two transactions.
  void read(const std::vector<FoundFile>& changed, Present& present) {
    std::map<std::string, KnownFile> files;
    std::vector<StoredLesson> fresh;
    std::vector<std::string> paths;
    for (const FoundFile& found : changed) {
      KnownFile& file = files[found.path];
      file = {
          .tenant = found.owner.tenant, .lesson = {}, .changed = found.changed, .size = found.size};
      try {
        StoredLesson lesson = lesson_in(found);
        file.lesson = lesson.id;
        if (index_->find(lesson.owner.tenant, lesson.id)) {
          index_->replace(lesson);
        } else {
          paths.push_back(found.path);
          fresh.push_back(std::move(lesson));
        }
      } catch (const Error& error) {
        file.problem = error.message();
      }
    }
    if (!fresh.empty()) {
      const std::vector<Addition> additions = index_->add(fresh);
      // A file that repeats another one stands for the same lesson.
      for (std::size_t at = 0; at < paths.size(); ++at) files[paths[at]].lesson = additions[at].id;
    }
    for (const auto& [path, file] : files) present.emplace(file.tenant, file.lesson);
    table_.set_all(files);
  }

  StoredLesson lesson_in(const FoundFile& found) {
    StoredLesson lesson = read_reflection(folder_.read(found), found.owner, found.path);
    if (lesson.created == Instant()) {
      const std::string name = found.path.substr(found.path.rfind('/') + 1);
      lesson.created = day_of_file_name(name).value_or(Instant(Duration(found.changed)));
    }
    const auto before = index_->find(lesson.owner.tenant, lesson.id);
    // A copy below another agent is a lesson of its own.
    if (before && before->owner != lesson.owner)
      lesson.id = lesson_id(lesson.owner, found.path, Instant());
    check(lesson);
    return lesson;
  }

  // The file is gone: what it said is no longer shown, unless another file says it.
  void lose(const std::string& path, const KnownFile& file, const Present& present) {
    table_.remove(path);
    if (file.lesson.empty() || present.contains({file.tenant, file.lesson})) return;
    auto lesson = index_->find(file.tenant, file.lesson);
    if (!lesson || lesson->forgotten) return;
    lesson->forgotten = true;
    index_->replace(*lesson);
  }

  // A crash may have come between the index and the file.
  void write_missing() {
    Present written;
    std::set<std::string> tenants{Owner().tenant};
    for (const auto& [path, file] : table_.all()) {
      written.emplace(file.tenant, file.lesson);
      tenants.insert(file.tenant);
    }
    for (const std::string& tenant : tenants) {
      for (const StoredLesson& lesson : index_->list({.tenant = tenant, .agent = std::nullopt})) {
        if (!lesson.forgotten && !written.contains({tenant, lesson.id})) write_new(lesson);
      }
    }
  }

  void keep_in_mind(const std::string& path, const StoredLesson& lesson) {
    const FoundFile found = folder_.look_at(path, lesson.owner);
    table_.set(path, {.tenant = lesson.owner.tenant,
                      .lesson = lesson.id,
                      .changed = found.changed,
                      .size = found.size});
  }

  void write_new(const StoredLesson& lesson) { keep_in_mind(folder_.write_new(lesson), lesson); }

  void rewrite(const StoredLesson& lesson) {
    const auto path = table_.path_of(lesson.owner.tenant, lesson.id);
    if (!path) {
      if (!lesson.forgotten) write_new(lesson);
      return;
    }
    folder_.write(*path, lesson);
    keep_in_mind(*path, lesson);
  }

  // Moves what is older than the newest few of each agent to the archive.
  void archive() {
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<std::string, StoredLesson>>>
        by_agent;
    for (const auto& [path, file] : table_.all()) {
      if (auto lesson = index_->find(file.tenant, file.lesson)) {
        auto& files = by_agent[{file.tenant, lesson->owner.agent}];
        files.emplace_back(path, std::move(*lesson));
      }
    }
    for (auto& [owner, files] : by_agent) archive_oldest(files);
  }

  void archive_oldest(std::vector<std::pair<std::string, StoredLesson>>& files) {
    if (files.size() <= newest_) return;
    std::ranges::sort(files, std::greater(),
                      [](const auto& file) { return std::tuple(file.second.created, file.first); });
    for (auto& [path, lesson] : std::span(files).subspan(newest_)) {
      folder_.archive(path, lesson);
      table_.remove(path);
      lesson.forgotten = true;
      index_->replace(lesson);
    }
  }

  std::size_t newest_;
  bool is_whole_ = false;  // Files of all lessons have been written.
  std::mutex mutex_;
  LessonFolder folder_;
  FileTable table_;
  std::unique_ptr<LessonStore> index_;
};

}  // namespace

std::unique_ptr<LessonStore> open_lesson_files(FilesOptions options) {
  return std::make_unique<FilesStore>(std::move(options));
}

}  // namespace hone::memory
