#include "hone/journal/run_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/core/json_form_reader.h"
#include "hone/journal/layout.h"
#include "hone/journal/lease.h"
#include "hone/journal/originals.h"
#include "hone/journal/record_table.h"

namespace hone::journal {
namespace {

constexpr std::size_t kMostCandidates = 5;

// Whether its process still runs is told by the process or, on another machine, by the lease.
RunLine with_life(RunLine line, sqlite::Database& database) {
  if (line.state != State::Running) return line;
  bool alive = is_alive(line.process);
  if (alive && line.process.host != this_process().host) {
    const auto end = lease_end(database, line.run);
    alive = !end || *end > std::chrono::system_clock::now();
  }
  if (!alive) line.state = State::Interrupted;
  return line;
}

Error no_such_run(std::string_view id) {
  return {ErrorKind::NotFound, fmt::format("there is no run `{}`", id), "see `hone list`"};
}

Error ambiguous(std::string_view prefix, const std::vector<RunLine>& candidates) {
  std::string shown;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
    shown += fmt::format("{}{} ({})", i == 0 ? "" : ", ", candidates[i].run, candidates[i].task);
  }
  if (candidates.size() > kMostCandidates) shown += ", …";
  return {ErrorKind::InvalidInput,
          fmt::format("`{}` could be any of several runs: {}", prefix, shown),
          "write more of the id"};
}

void take_back(RecordedRun& run, const Record& resumed) {
  const Json json = parse_json(resumed.answer);
  const auto kept = core::JsonReader(json).unsigned_integer("events");
  if (kept < run.events.size()) run.events.resize(kept);
}

void add(RecordedRun& run, Record record) {
  run.next_sequence = record.sequence + 1;
  if (record.kind == Kind::Resumed && record.at > run.last) run.paused += record.at - run.last;
  run.last = std::max(run.last, record.at);
  record.paused = run.paused;
  if (record.is_effect()) {
    run.effects.push_back(std::move(record));
  } else if (record.kind == Kind::Event) {
    run.events.push_back({std::move(record.answer), record.at, record.redacted, run.paused});
  } else if (record.kind == Kind::Header) {
    run.header = header_from_json(parse_json(record.answer));
    run.header_redacted = record.redacted;
  } else if (record.kind == Kind::Again) {
    run.again.push_back(std::move(record.path));
  } else {
    take_back(run, record);
  }
}

}  // namespace

struct RunStore::State {
  explicit State(sqlite::Database opened) : database(std::move(opened)), table(database) {}
  sqlite::Database database;
  RecordTable table;
};

RunStore::RunStore(const std::string& path) : path_(path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  auto database = sqlite::Database::open({.path = path, .access = sqlite::Access::ReadOnly});
  if (!sqlite::check_layout(database, layout())) return;
  check_tables(database);
  state_ = std::make_unique<State>(std::move(database));
}

RunStore::~RunStore() = default;

std::vector<RunLine> RunStore::list() {
  std::vector<RunLine> lines;
  if (!state_) return lines;
  auto rows = state_->database.prepare(
      fmt::format("SELECT {} FROM runs ORDER BY started DESC, id DESC", kLineColumns));
  while (rows.step()) lines.push_back(with_life(line_from(rows), state_->database));
  return lines;
}

// Ids sort as text: those that begin with a prefix follow it without a gap.
std::vector<RunLine> RunStore::lines_from(std::string_view first_id, std::size_t most) {
  std::vector<RunLine> lines;
  if (!state_) return lines;
  auto rows = state_->database.prepare(
      fmt::format("SELECT {} FROM runs WHERE id >= ? ORDER BY id LIMIT ?", kLineColumns));
  rows.bind(first_id, static_cast<std::int64_t>(most));
  while (rows.step()) lines.push_back(with_life(line_from(rows), state_->database));
  return lines;
}

RunLine RunStore::find_run(std::string_view id_or_prefix) {
  const std::string prefix = lower(trim(id_or_prefix));
  if (prefix.empty()) throw no_such_run(id_or_prefix);
  auto candidates = lines_from(prefix, kMostCandidates + 1);
  std::erase_if(candidates, [&](const RunLine& line) { return !line.run.starts_with(prefix); });
  if (candidates.empty()) throw no_such_run(id_or_prefix);
  if (candidates.size() > 1 && candidates.front().run != prefix)
    throw ambiguous(prefix, candidates);
  return candidates.front();
}

std::int64_t RunStore::number_of(std::string_view id) {
  if (!state_) throw no_such_run(id);
  auto find = state_->database.prepare("SELECT number FROM runs WHERE id = ?");
  if (!find.bind(id).step()) throw no_such_run(id);
  return find.integer(0);
}

void RunStore::for_each_record(std::string_view id, const std::function<void(Record)>& take) {
  const std::int64_t number = number_of(id);
  state_->table.forget();  // Runs may have been removed since.
  state_->table.for_each(number, take);
}

RecordedRun RunStore::recorded(std::string_view id) {
  RecordedRun run;
  for_each_record(id, [&](Record record) { add(run, std::move(record)); });
  check_end(run, id);
  run.sealed = state_->table.originals(number_of(id));
  run.originals = placeholders_of(run);
  return run;
}

// Of a run that is finished, the end is there.
void RunStore::check_end(const RecordedRun& run, std::string_view id) {
  const auto line = read_line(state_->database, number_of(id));
  const bool ends =
      !run.events.empty() && run.events.back().text.starts_with(R"({"event":"run_finished")");
  if (!line || line->state != journal::State::Finished || ends) return;
  throw Error(ErrorKind::Corrupt,
              fmt::format("the store `{}` is damaged: the end of run {} is missing", path_, id),
              "restore it from a backup, or choose another file with --store");
}

std::vector<Record> RunStore::records(std::string_view id) {
  std::vector<Record> records;
  for_each_record(id, [&](Record record) {
    record.run = id;
    records.push_back(std::move(record));
  });
  return records;
}

core::Run RunStore::load(std::string_view id) { return fold(recorded(id)); }

}  // namespace hone::journal
