// The tables of the run store.
#pragma once

#include <string>

#include "hone/sqlite/migrate.h"

namespace hone::journal {

// texts    long texts of all runs, each once; records refer to them (texts.h)
// runs     one line a run: what lists show; derived from the records, see projection.h
// chunks   the records: what happened; only ever added to
// leases, holders  who may write a run, see lease.h
// originals  what was taken out of the texts of a run, sealed
const sqlite::Layout& layout();

// Throws Corrupt when the tables are not those that this version made.
void check_tables(sqlite::Database& database);

// Bytes. A store of a few runs is small, and what one effect changes lies in few pages.
inline constexpr int kPageSize = 2048;

// $XDG_DATA_HOME/hone/store.db, or ~/.local/share/hone/store.db.
std::string default_store_path();

}  // namespace hone::journal
