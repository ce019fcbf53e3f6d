#include "hone/journal/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "hone/core/json_form_reader.h"
#include "hone/journal/record_table.h"
#include "hone/journal/row_sum.h"

namespace hone::journal {
namespace {

constexpr std::array<std::string_view, 4> kStates{"running", "waiting", "interrupted", "finished"};

std::int64_t nanoseconds(Instant at) { return at.time_since_epoch().count(); }
Instant instant(std::int64_t nanoseconds) { return Instant(Duration(nanoseconds)); }

void begin(RunLine& line, const Record& record) {
  const RunHeader header = header_from_json(parse_json(record.answer));
  line.run = header.run;
  line.task = header.task_name;
  line.started = header.started;
  line.process = header.process;
}

void go_on(RunLine& line, const Record& record) {
  const Json json = parse_json(record.answer);
  const Json* process = core::JsonReader(json).find("process");
  if (process != nullptr) line.process = process_from_json(*process);
  line.state = State::Running;
  line.stop.reset();
  line.finished.reset();
  line.success = false;
}

}  // namespace

std::string_view to_string(State state) { return kStates[static_cast<std::size_t>(state)]; }

std::optional<State> state_from(std::string_view text) {
  const auto found = std::ranges::find(kStates, text);
  if (found == kStates.end()) return std::nullopt;
  return static_cast<State>(found - kStates.begin());
}

Json to_json(const RunLine& line) {
  return {{"run", line.run},
          {"state", to_string(line.state)},
          {"task", line.task},
          {"started", to_iso8601(line.started)},
          {"stop", line.stop ? Json(core::to_string(*line.stop)) : Json(nullptr)},
          {"success", line.success}};
}

bool matters(const Record& record) {
  if (record.kind == Kind::Header || record.kind == Kind::Resumed) return true;
  return record.kind == Kind::Event && (record.path == "stopped" || record.path == "run_finished");
}

void apply(RunLine& line, const Record& record) {
  if (record.kind == Kind::Header) return begin(line, record);
  if (record.kind == Kind::Resumed) return go_on(line, record);
  line.finished = record.at;
  if (record.path == "stopped") {
    const core::Event event = core::event_from_json(parse_json(record.answer));
    line.stop = std::get<core::Stopped>(event).stop.reason;
    line.success = line.stop == core::StopReason::Passed;
  } else {
    const bool cancelled = line.stop == core::StopReason::Cancelled;
    line.state = cancelled ? State::Interrupted : State::Finished;
  }
}

namespace {

std::int64_t sum_of(const sqlite::Statement& row) {
  RowSum sum;
  for (const int text : {0, 1, 2, 5, 7, 10}) sum.add(row.text(text));
  for (const int number : {3, 4, 6, 8, 9}) sum.add(row.integer(number));
  return sum.value();
}

void check_sum(const sqlite::Statement& row) {
  const auto sum = row.optional_integer(11);
  if (!sum || *sum == sum_of(row)) return;
  throw Error(ErrorKind::Corrupt,
              fmt::format("the store is damaged: what it says of run {} is not what was written",
                          row.text(0)),
              "restore it from a backup, or choose another file with --store");
}

}  // namespace

RunLine line_from(const sqlite::Statement& row) {
  check_sum(row);
  RunLine line;
  line.run = row.text(0);
  line.task = row.text(1);
  line.state = state_from(row.text(2)).value_or(State::Interrupted);
  line.started = instant(row.integer(3));
  if (const auto finished = row.optional_integer(4)) line.finished = instant(*finished);
  if (const auto stop = row.optional_text(5)) line.stop = core::stop_reason_from(*stop);
  line.success = row.integer(6) != 0;
  line.process = {std::string(row.text(7)), row.integer(8), row.integer(9),
                  std::string(row.text(10))};
  return line;
}

std::optional<RunLine> read_line(sqlite::Database& database, std::int64_t number) {
  auto row = database.prepare(
      "SELECT id, task, state, started, finished, stop, success, host, process, process_started, "
      "boot, sum FROM runs WHERE number = ?");
  if (!row.bind(number).step()) return std::nullopt;
  return line_from(row);
}

void write_line(sqlite::Database& database, std::int64_t number, const RunLine& line) {
  std::optional<std::int64_t> finished;
  if (line.finished) finished = nanoseconds(*line.finished);
  std::optional<std::string_view> stop;
  if (line.stop) stop = core::to_string(*line.stop);
  RowSum sum;
  sum.add(line.run).add(line.task).add(to_string(line.state)).add(stop.value_or(""));
  sum.add(line.process.host).add(line.process.boot);
  sum.add(nanoseconds(line.started)).add(finished.value_or(0)).add(std::int64_t{line.success});
  sum.add(line.process.id).add(line.process.started);
  database
      .prepare(
          "INSERT OR REPLACE INTO runs (number, id, task, state, started, finished, stop, "
          "success, host, process, process_started, boot, sum) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(number, line.run, line.task, to_string(line.state), nanoseconds(line.started), finished,
            stop, line.success, line.process.host, line.process.id, line.process.started,
            line.process.boot, sum.value())
      .run();
}

void rebuild_lines(sqlite::Database& database) {
  database.execute("DELETE FROM runs");
  RecordTable records(database);
  std::vector<std::int64_t> numbers;
  auto runs = database.prepare("SELECT DISTINCT run FROM chunks");
  while (runs.step()) numbers.push_back(runs.integer(0));
  for (const std::int64_t number : numbers) {
    RunLine line;
    records.for_each(number, [&](const Record& record) {
      if (matters(record)) apply(line, record);
    });
    write_line(database, number, line);
  }
}

}  // namespace hone::journal
