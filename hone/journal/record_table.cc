#include "hone/journal/record_table.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/error.h"
#include "hone/base/hexadecimal.h"
#include "hone/journal/originals.h"
#include "hone/journal/row_sum.h"

namespace hone::journal {
namespace {

constexpr std::size_t kMostOpen = 10'000;

std::int64_t sum_of(std::int64_t run, std::int64_t first, std::int64_t alone,
                    std::string_view body) {
  return RowSum().add(run).add(first).add(alone).add(body).value();
}

}  // namespace

RecordTable::RecordTable(sqlite::Database& database, Sealer* sealer)
    : database_(database),
      sealer_(sealer),
      insert_(database.prepare(
          "INSERT OR IGNORE INTO chunks (run, first, alone, body, sum) VALUES (?, ?, ?, ?, ?)")),
      texts_(database) {}

std::optional<std::int64_t> RecordTable::number_of(const std::string& run) {
  if (const auto known = open_.find(run); known != open_.end()) return known->second.number;
  auto find = database_.prepare("SELECT number FROM runs WHERE id = ?");
  if (!find.bind(run).step()) return std::nullopt;
  return find.integer(0);
}

RecordTable::OpenRun& RecordTable::opened(const std::string& run, std::int64_t number) {
  if (open_.size() >= kMostOpen && changed_.empty()) open_.clear();
  return open_.try_emplace(run, OpenRun{number, {}, {}, false, Folding(texts_), {}}).first->second;
}

// A header makes the run; its line says so to the next one.
RecordTable::OpenRun* RecordTable::find(const Record& record) {
  if (const auto known = open_.find(record.run); known != open_.end()) return &known->second;
  if (const auto number = number_of(record.run)) return &opened(record.run, *number);
  if (record.kind != Kind::Header) return nullptr;
  const auto next = database_.integer("SELECT coalesce(max(number), 0) + 1 FROM runs");
  OpenRun& run = opened(record.run, next);
  run.line.emplace();
  apply(*run.line, record);
  write_line(database_, next, *run.line);
  return &run;
}

std::int64_t RecordTable::next_sequence(std::int64_t number) {
  std::int64_t next = 0;
  for_each(number, [&](const Record& record) { next = record.sequence + 1; });
  return next;
}

void RecordTable::apply_to_line(OpenRun& run, const Record& record) {
  if (!matters(record)) return;
  if (!run.line) run.line = read_line(database_, run.number).value_or(RunLine());
  const RunLine line = *run.line;
  apply(*run.line, record);
  run.line_changed |= *run.line != line;
}

bool RecordTable::add(const Record& record) {
  OpenRun* const run = find(record);
  if (run == nullptr) return false;
  if (run->added.empty()) changed_.push_back(&*open_.find(record.run));
  run->added.push_back(&record);
  return true;
}

std::vector<std::string> RecordTable::write() {
  std::vector<std::string> refused;
  for (OpenRuns::value_type* const entry : std::exchange(changed_, {})) {
    OpenRun& run = entry->second;
    const std::vector<const Record*> added = std::exchange(run.added, {});
    if (!write_chunk(run, added)) {
      refused.push_back(entry->first);
      open_.erase(refused.back());
      continue;
    }
    for (const Record* record : added) {
      if (!record->originals.empty()) keep_originals(run.number, *record);
      apply_to_line(run, *record);
    }
    if (std::exchange(run.line_changed, false)) write_line(database_, run.number, *run.line);
    if (added.back()->path == "run_finished") open_.erase(open_.find(entry->first));
  }
  return refused;
}

bool RecordTable::write_chunk(OpenRun& run, const std::vector<const Record*>& added) {
  const std::int64_t first = added.front()->sequence;
  std::string body;
  Instant last;
  for (const Record* record : added) append_record(*record, first, run.folding, last, body);
  const std::int64_t alone = run.window ? 0 : 1;
  if (!run.window) run.window.emplace();
  const std::string_view packed = packer_.pack(body, run.window->text(window_));
  insert_
      .bind(run.number, first, alone, sqlite::Blob{packed},
            sum_of(run.number, first, alone, packed))
      .run();
  run.window->add(body);
  return database_.changes() == 1;
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
  open_.clear();
  changed_.clear();
}

Error RecordTable::damaged(std::string_view how) const {
  return {ErrorKind::Corrupt, fmt::format("the store `{}` is damaged: {}", database_.path(), how),
          "restore it from a backup, or choose another file with --store"};
}

const std::string& RecordTable::read_body(const sqlite::Statement& row, Read& read) {
  const std::int64_t first = row.integer(1);
  const std::int64_t alone = row.integer(2);
  const std::string_view packed = row.blob(3);
  if (alone != 0) read.window = Window();
  std::optional<std::string> body;
  if (sum_of(row.integer(0), first, alone, packed) == row.integer(4)) {
    body = packer_.unpack(packed, read.window.text(window_));
  }
  if (!body) throw damaged(fmt::format("record {} of a run is not what was written", first));
  read.window.add(*body);
  return read.bodies[first] = *std::move(body);
}

void RecordTable::read_chunk(const sqlite::Statement& row, Read& read,
                             const std::function<void(Record)>& take) {
  const BodyOf body_of = [&](std::int64_t chunk) -> std::string_view {
    const auto found = read.bodies.find(chunk);
    if (found == read.bodies.end()) throw damaged("a record refers to one that is missing");
    return found->second;
  };
  std::int64_t sequence = row.integer(1);
  for (Record& record : records_in(read_body(row, read))) {
    record.sequence = sequence++;
    record.request = unfolded(record.request, body_of, texts_);
    record.answer = unfolded(record.answer, body_of, texts_);
    take(std::move(record));
  }
}

void RecordTable::for_each(std::int64_t number, const std::function<void(Record)>& take) {
  auto rows = database_.prepare(
      "SELECT run, first, alone, body, sum FROM chunks WHERE run = ? ORDER BY first");
  rows.bind(number);
  Read read;
  std::int64_t next = 0;
  bool finished = false;
  while (rows.step()) {
    if (rows.integer(1) != next) throw damaged(fmt::format("record {} of a run is missing", next));
    read_chunk(rows, read, [&](Record record) {
      ++next;
      finished = record.path == "run_finished";
      take(std::move(record));
    });
  }
  if (!finished) check_end(number, static_cast<std::int64_t>(read.bodies.size()));
}

// After the end of an unfinished run nothing would miss what an index has lost. All rows are looked
// at: few runs end so. Another process may add to the run meanwhile, so the index is asked last.
void RecordTable::check_end(std::int64_t number, std::int64_t chunks) {
  const auto count = [&](const char* query) {
    auto rows = database_.prepare(query);
    return rows.bind(number).step() ? rows.integer(0) : 0;
  };
  const std::int64_t all = count("SELECT count(*) FROM chunks NOT INDEXED WHERE run = ?");
  if (all == chunks) return;
  const std::int64_t indexed = count("SELECT count(*) FROM chunks WHERE run = ?");
  if (all > indexed) throw damaged("the end of a run is missing");
}

void RecordTable::for_each_text(const std::function<void(std::int64_t)>& take) {
  auto rows =
      database_.prepare("SELECT run, first, alone, body, sum FROM chunks ORDER BY run, first");
  Read read;
  std::int64_t run = -1;
  while (rows.step()) {
    if (std::exchange(run, rows.integer(0)) != rows.integer(0)) read = Read();
    for (const Record& record : records_in(read_body(rows, read))) {
      journal::for_each_text(record.request, take);
      journal::for_each_text(record.answer, take);
    }
  }
}

}  // namespace hone::journal
