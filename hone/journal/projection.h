// One line about a run, derived from its records: what lists show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hone/core/run.h"
#include "hone/journal/record.h"
#include "hone/sqlite/database.h"

namespace hone::journal {

enum class State {
  Running,
  Waiting,      // For a person.
  Interrupted,  // Cancelled, or its process is dead; can be resumed.
  Finished
};
std::string_view to_string(State state);  // "running", …
std::optional<State> state_from(std::string_view text);

struct RunLine {
  std::string run;
  std::string task;
  State state = State::Running;
  Instant started;
  std::optional<Instant> finished;
  std::optional<core::StopReason> stop;
  bool success = false;
  ProcessIdentity process;

  bool operator==(const RunLine&) const = default;
};
// {"run","state","task","started","stop","success"}, as `hone list --json` shows it.
Json to_json(const RunLine& line);

// Whether a record has a say in the line of its run.
bool matters(const Record& record);
// The line after one more record that matters. Throws Corrupt.
void apply(RunLine& line, const Record& record);

// The line of run `number`; absent when the table has none.
std::optional<RunLine> read_line(sqlite::Database& database, std::int64_t number);
void write_line(sqlite::Database& database, std::int64_t number, const RunLine& line);
// The columns of a row of `SELECT kLineColumns FROM runs`.
inline constexpr std::string_view kLineColumns =
    "id, task, state, started, finished, stop, success, host, process, process_started, "
    "boot";
RunLine line_from(const sqlite::Statement& row);

// Writes all lines again from the records; inside a transaction of the caller.
void rebuild_lines(sqlite::Database& database);

}  // namespace hone::journal
