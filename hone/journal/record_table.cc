#include "hone/journal/record_table.h"

#include <fmt/format.h>

#include "hone/base/error.h"
#include "hone/base/hexadecimal.h"
#include "hone/journal/originals.h"
#include "hone/journal/projection.h"

namespace hone::journal {
namespace {

constexpr std::size_t kMostKnown = 10'000;

std::optional<std::string_view> null_if_empty(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

RecordTable::RecordTable(sqlite::Database& database, Sealer* sealer)
    : database_(database),
      sealer_(sealer),
      insert_(database.prepare(
          "INSERT OR IGNORE INTO records (run, sequence, kind, path, digest, prompt, request, "
          "answer, failed, redacted, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      texts_(database) {}

std::optional<std::int64_t> RecordTable::number_of(const std::string& run) {
  if (const auto known = numbers_.find(run); known != numbers_.end()) return known->second;
  auto find = database_.prepare("SELECT number FROM runs WHERE id = ?");
  if (!find.bind(run).step()) return std::nullopt;
  if (numbers_.size() >= kMostKnown) numbers_.clear();
  return numbers_[run] = find.integer(0);
}

std::optional<std::int64_t> RecordTable::number_for(const Record& record) {
  const auto known = number_of(record.run);
  if (known || record.kind != Kind::Header) return known;
  return numbers_[record.run] = database_.integer("SELECT coalesce(max(number), 0) + 1 FROM runs");
}

std::int64_t RecordTable::next_sequence(std::int64_t number) {
  auto last = database_.prepare("SELECT max(sequence) + 1 FROM records WHERE run = ?");
  return last.bind(number).step() ? last.integer(0) : 0;
}

bool RecordTable::insert(std::int64_t number, const Record& record) {
  const std::string digest = from_hexadecimal(record.digest);
  std::optional<sqlite::Blob> digest_column;
  if (!digest.empty()) digest_column = sqlite::Blob{digest};
  const std::string request = texts_.fold(record.request);
  const std::string answer = texts_.fold(record.answer);
  insert_
      .bind(number, record.sequence, to_string(record.kind), record.path, digest_column,
            null_if_empty(record.prompt), null_if_empty(request), answer, record.failed,
            record.redacted, std::int64_t{record.at.time_since_epoch().count()})
      .run();
  return database_.changes() == 1;
}

bool RecordTable::add(const Record& record) {
  const auto number = number_for(record);
  if (!number || !insert(*number, record)) return false;
  if (!record.originals.empty()) keep_originals(*number, record);
  if (!matters(record)) return true;
  RunLine line = read_line(database_, *number).value_or(RunLine());
  apply(line, record);
  write_line(database_, *number, line);
  if (record.path == "run_finished") numbers_.erase(record.run);
  return true;
}

void RecordTable::keep_originals(std::int64_t number, const Record& record) {
  auto insert = database_.prepare(
      "INSERT OR IGNORE INTO originals (run, placeholder, key, sealed) VALUES (?, ?, ?, ?)");
  for (const Original& original : record.originals) {
    if (sealer_ == nullptr) {
      insert.bind(number, original.placeholder, nullptr, nullptr).run();
      continue;
    }
    const SealKey& key = sealer_->key();
    const std::string fingerprint = from_hexadecimal(key.fingerprint());
    const std::string sealed =
        key.seal(original.text, seal_place(record.run, original.placeholder));
    insert.bind(number, original.placeholder, sqlite::Blob{fingerprint}, sqlite::Blob{sealed})
        .run();
  }
}

std::vector<SealedOriginal> RecordTable::originals(std::int64_t number) {
  std::vector<SealedOriginal> originals;
  auto rows = database_.prepare("SELECT placeholder, key, sealed FROM originals WHERE run = ?");
  rows.bind(number);
  while (rows.step()) {
    originals.push_back(
        {std::string(rows.text(0)), to_hexadecimal(rows.blob(1)), std::string(rows.blob(2))});
  }
  return originals;
}

void RecordTable::forget() {
  texts_.forget();
  numbers_.clear();
}

Record RecordTable::read(const sqlite::Statement& row) {
  Record record;
  record.sequence = row.integer(1);
  const auto kind = kind_from(row.text(2));
  if (!kind) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("the store `{}` is damaged: a record is of the unknown kind `{}`",
                            database_.path(), row.text(2)));
  }
  record.kind = *kind;
  record.path = row.text(3);
  record.digest = to_hexadecimal(row.blob(4));
  record.prompt = row.text(5);
  record.request = texts_.unfold(row.text(6));
  record.answer = texts_.unfold(row.text(7));
  record.failed = row.integer(8) != 0;
  record.redacted = row.integer(9) != 0;
  record.at = Instant(Duration(row.integer(10)));
  return record;
}

void RecordTable::for_each(std::int64_t number, const std::function<void(Record)>& take) {
  auto rows = database_.prepare(
      "SELECT run, sequence, kind, path, digest, prompt, request, answer, failed, redacted, at "
      "FROM records WHERE run = ? ORDER BY sequence");
  rows.bind(number);
  while (rows.step()) take(read(rows));
}

void RecordTable::for_each_that_matters(
    const std::function<void(std::int64_t, const Record&)>& take) {
  auto rows = database_.prepare(
      "SELECT run, sequence, kind, path, digest, prompt, request, answer, failed, redacted, at "
      "FROM records WHERE kind IN ('header', 'resumed') OR "
      "(kind = 'event' AND path IN ('stopped', 'run_finished')) ORDER BY run, sequence");
  while (rows.step()) take(rows.integer(0), read(rows));
}

}  // namespace hone::journal
