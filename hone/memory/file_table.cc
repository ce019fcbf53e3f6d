#include "hone/memory/file_table.h"

#include <array>

#include "hone/sqlite/migrate.h"
#include "hone/sqlite/transaction.h"

namespace hone::memory {
namespace {

constexpr const char* kFirstLayout = R"sql(
CREATE TABLE files (
  path TEXT PRIMARY KEY,
  tenant TEXT NOT NULL,
  lesson TEXT NOT NULL,
  changed INTEGER NOT NULL,
  size INTEGER NOT NULL,
  problem TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX files_by_lesson ON files (tenant, lesson);
)sql";
constexpr std::array kMigrations{kFirstLayout};
constexpr sqlite::Layout kLayout{"table of lesson files", 0x686f6e66, kMigrations};  // "honf"

}  // namespace

FileTable::FileTable(const std::string& path) : database_(sqlite::Database::open({.path = path})) {
  sqlite::migrate(database_, kLayout);
}

std::map<std::string, KnownFile> FileTable::all() {
  std::map<std::string, KnownFile> files;
  sqlite::Statement rows =
      database_.prepare("SELECT path, tenant, lesson, changed, size, problem FROM files");
  rows.bind();
  while (rows.step()) {
    files[std::string(rows.text(0))] = {.tenant = std::string(rows.text(1)),
                                        .lesson = std::string(rows.text(2)),
                                        .changed = rows.integer(3),
                                        .size = rows.integer(4),
                                        .problem = std::string(rows.text(5))};
  }
  return files;
}

void FileTable::set(const std::string& path, const KnownFile& file) {
  database_.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)")
      .bind(path, file.tenant, file.lesson, file.changed, file.size, file.problem)
      .run();
}

void FileTable::set_all(const std::map<std::string, KnownFile>& files) {
  if (files.empty()) return;
  sqlite::Transaction transaction(database_);
  for (const auto& [path, file] : files) set(path, file);
  transaction.commit();
}

void FileTable::remove(const std::string& path) {
  database_.prepare("DELETE FROM files WHERE path = ?").bind(path).run();
}

std::optional<std::string> FileTable::path_of(const std::string& tenant,
                                              const std::string& lesson) {
  sqlite::Statement row =
      database_.prepare("SELECT path FROM files WHERE tenant = ? AND lesson = ?");
  if (!row.bind(tenant, lesson).step()) return std::nullopt;
  return std::string(row.text(0));
}

}  // namespace hone::memory
