#include "hone/journal/housekeeping.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/journal/layout.h"
#include "hone/journal/projection.h"
#include "hone/journal/record_table.h"
#include "hone/sqlite/migrate.h"
#include "hone/sqlite/transaction.h"

namespace hone::journal {
namespace {

sqlite::Database open(const std::string& path) {
  auto database = sqlite::Database::open({.path = path, .page_size = kPageSize});
  sqlite::migrate(database, layout());
  return database;
}

std::optional<std::int64_t> number_of(sqlite::Database& database, const std::string& id) {
  auto find = database.prepare("SELECT number FROM runs WHERE id = ?");
  if (!find.bind(id).step()) return std::nullopt;
  return find.integer(0);
}

bool goes_on(const RunLine& line) { return line.state == State::Running && is_alive(line.process); }

bool any_goes_on(sqlite::Database& database) {
  auto rows =
      database.prepare(fmt::format("SELECT {} FROM runs WHERE state = 'running'", kLineColumns));
  while (rows.step()) {
    if (goes_on(line_from(rows))) return true;
  }
  return false;
}

void remove_run(sqlite::Database& database, const std::string& id) {
  const std::int64_t number = *number_of(database, id);
  if (const auto line = read_line(database, number); line && goes_on(*line)) {
    throw Error(
        ErrorKind::InvalidInput,
        fmt::format("run {} goes on in process {} and is not removed", id, line->process.id),
        "wait for it, or end that process first");
  }
  database.prepare("DELETE FROM chunks WHERE run = ?").bind(number).run();
  database.prepare("DELETE FROM leases WHERE run = ?").bind(number).run();
  database.prepare("DELETE FROM originals WHERE run = ?").bind(number).run();
  database.prepare("DELETE FROM runs WHERE number = ?").bind(number).run();
}

void sweep_texts(sqlite::Database& database) {
  std::vector<std::int64_t> used;
  RecordTable(database).for_each_text([&](std::int64_t text) { used.push_back(text); });
  std::ranges::sort(used);
  used.erase(std::ranges::unique(used).begin(), used.end());
  std::vector<std::int64_t> unused;
  auto texts = database.prepare("SELECT id FROM texts ORDER BY id");
  while (texts.step()) {
    if (!std::ranges::binary_search(used, texts.integer(0))) unused.push_back(texts.integer(0));
  }
  auto remove = database.prepare("DELETE FROM texts WHERE id = ?");
  for (const std::int64_t id : unused) remove.bind(id).run();
}

// Gives the room back to the disk. Somebody who reads right now keeps it a little longer.
void shrink(sqlite::Database& database) {
  try {
    database.execute("VACUUM");
    (void)database.integer("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unavailable) throw;
  }
}

std::int64_t size_of(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace

void add_run(const std::string& path, std::span<const Record> records) {
  auto database = open(path);
  sqlite::Transaction transaction(database);
  RecordTable table(database);
  const std::string& id = records.front().run;
  if (number_of(database, id)) {
    throw Error(ErrorKind::InvalidInput, fmt::format("there is a run {} in the store already", id),
                fmt::format("see `hone show {0}`; `hone rm {0}` removes it", id));
  }
  for (const Record& record : records) HONE_CHECK(table.add(record));
  HONE_CHECK(table.write().empty());
  transaction.commit();
}

Removal remove_runs(const std::string& path, std::span<const std::string> ids) {
  Removal removal;
  auto database = open(path);
  const std::int64_t size = size_of(path);
  {
    sqlite::Transaction transaction(database);
    for (const std::string& id : ids) {
      if (!number_of(database, id)) continue;
      remove_run(database, id);
      ++removal.runs;
    }
    database.execute("UPDATE generation SET number = number + 1");
    removal.kept_texts = any_goes_on(database);
    if (!removal.kept_texts) sweep_texts(database);
    transaction.commit();
  }
  shrink(database);
  removal.bytes = std::max<std::int64_t>(0, size - size_of(path));
  return removal;
}

}  // namespace hone::journal
