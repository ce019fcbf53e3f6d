// The table of records: adding to it and reading it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/journal/record.h"
#include "hone/journal/seal.h"
#include "hone/journal/texts.h"
#include "hone/sqlite/database.h"

namespace hone::journal {

// Threads: as the database.
class RecordTable {
 public:
  // The database has the tables of layout().
  // Without a sealer the originals of what was taken out are not kept.
  explicit RecordTable(sqlite::Database& database, Sealer* sealer = nullptr);

  // Adds the record, and what follows from it for the line of its run; inside a transaction of the
  // caller. False when somebody else has written that sequence number of the run, or when the run
  // is not there: then nothing changes.
  bool add(const Record& record);
  // What was added since the last commit is not there: the transaction was rolled back.
  void forget();

  // The number of the run in the tables; absent if it is not there.
  std::optional<std::int64_t> number_of(const std::string& run);
  // The number of its next record.
  std::int64_t next_sequence(std::int64_t number);

  // The records of a run in order, long texts put back.
  void for_each(std::int64_t number, const std::function<void(Record)>& take);
  std::vector<SealedOriginal> originals(std::int64_t number);
  // Those of all runs that make their lines, run by run.
  void for_each_that_matters(const std::function<void(std::int64_t, const Record&)>& take);

 private:
  // A header makes it.
  std::optional<std::int64_t> number_for(const Record& record);
  bool insert(std::int64_t number, const Record& record);
  void keep_originals(std::int64_t number, const Record& record);
  Record read(const sqlite::Statement& row);

  sqlite::Database& database_;
  Sealer* sealer_;
  sqlite::Statement insert_;
  Texts texts_;
  std::unordered_map<std::string, std::int64_t> numbers_;  // Of runs that go on.
};

}  // namespace hone::journal
