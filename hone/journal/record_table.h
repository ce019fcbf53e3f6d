// The records of all runs: adding to them and reading them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/journal/chunk.h"
#include "hone/journal/folding.h"
#include "hone/journal/packing.h"
#include "hone/journal/projection.h"
#include "hone/journal/record.h"
#include "hone/journal/seal.h"
#include "hone/journal/texts.h"
#include "hone/sqlite/database.h"

namespace hone::journal {

// Records of a run that are added in one transaction are one row, a chunk, under the sequence
// number of the first. Threads: as the database.
class RecordTable {
 public:
  // The database has the tables of layout().
  // Without a sealer the originals of what was taken out are not kept.
  explicit RecordTable(sqlite::Database& database, Sealer* sealer = nullptr);

  // Takes a record of a run in their order, to be written by the next write() of the same
  // transaction of the caller; the record outlives that. False when the run is not there: then
  // nothing changes.
  bool add(const Record& record);
  // Writes what was added, and what follows from it for the lines of the runs. Gives the runs of
  // which somebody else has written these sequence numbers: of them nothing is written.
  std::vector<std::string> write();
  // What was added since the last commit is not there: the transaction was rolled back.
  void forget();
  // Somebody else may have gone on with the run in the meantime.
  void forget(const std::string& run) { open_.erase(run); }

  // The number of the run in the tables; absent if it is not there.
  std::optional<std::int64_t> number_of(const std::string& run);
  // The number of its next record.
  std::int64_t next_sequence(std::int64_t number);

  // The records of a run in order, as they were.
  void for_each(std::int64_t number, const std::function<void(Record)>& take);
  std::vector<SealedOriginal> originals(std::int64_t number);
  // Every text of Texts that a record of any run refers to, as often as it does.
  void for_each_text(const std::function<void(std::int64_t)>& take);

 private:
  // A run that goes on.
  struct OpenRun {
    std::int64_t number = 0;
    std::vector<const Record*> added;
    std::optional<RunLine> line;  // Once it is known.
    bool line_changed = false;
    Folding folding;
    std::optional<Window> window;  // Once something was written.
  };
  using OpenRuns = std::unordered_map<std::string, OpenRun>;

  OpenRun* find(const Record& record);
  OpenRun& opened(const std::string& run, std::int64_t number);
  void apply_to_line(OpenRun& run, const Record& record);
  bool write_chunk(OpenRun& run, const std::vector<const Record*>& added);
  void keep_originals(std::int64_t number, const Record& record);
  // What was read of a run.
  struct Read {
    std::map<std::int64_t, std::string> bodies;
    Window window;
  };
  // Adds the body of a row (run, first, alone, body, sum).
  const std::string& read_body(const sqlite::Statement& row, Read& read);
  void read_chunk(const sqlite::Statement& row, Read& read,
                  const std::function<void(Record)>& take);
  void check_end(std::int64_t number, std::int64_t chunks);
  Error damaged(std::string_view how) const;

  sqlite::Database& database_;
  Sealer* sealer_;
  sqlite::Statement insert_;
  Texts texts_;
  Packer packer_;
  std::string window_;  // Scratch.
  OpenRuns open_;
  std::vector<OpenRuns::value_type*> changed_;  // Of runs with something `added`.
};

}  // namespace hone::journal
