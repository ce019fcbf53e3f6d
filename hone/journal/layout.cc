#include "hone/journal/layout.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "hone/base/error.h"

namespace hone::journal {
namespace {

// `hash` is the first 64 bits of the SHA-256 of the text; `encoding` 0 is the text as it is. A
// chunk is packed after the one `base` records before it, or after none (0); `sum`: see RowSum.
// `key` is the fingerprint of the key that sealed; both are null where no original was kept.
// `generation` counts how often runs and texts were removed. Times are nanoseconds since 1970.
constexpr const char* kFirstLayout = R"sql(
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  encoding INTEGER NOT NULL,
  body BLOB NOT NULL
);
CREATE INDEX texts_by_hash ON texts (hash);
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  task TEXT NOT NULL,
  state TEXT NOT NULL,
  started INTEGER NOT NULL,
  finished INTEGER,
  stop TEXT,
  success INTEGER NOT NULL,
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  process INTEGER NOT NULL,
  process_started INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
CREATE UNIQUE INDEX runs_by_id ON runs (id);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  first INTEGER NOT NULL,
  alone INTEGER NOT NULL,
  body BLOB NOT NULL,
  sum INTEGER NOT NULL
);
CREATE UNIQUE INDEX chunks_by_run ON chunks (run, first);
CREATE TRIGGER chunks_are_final BEFORE UPDATE ON chunks
BEGIN SELECT raise(ABORT, 'records are never changed'); END;
CREATE TABLE originals (
  run INTEGER NOT NULL,
  placeholder TEXT NOT NULL,
  key BLOB,
  sealed BLOB,
  PRIMARY KEY (run, placeholder)
) WITHOUT ROWID;
CREATE TABLE holders (
  id INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  boot TEXT NOT NULL,
  process INTEGER NOT NULL,
  started INTEGER NOT NULL,
  expires INTEGER NOT NULL
);
CREATE TABLE leases (
  run INTEGER PRIMARY KEY,
  holder INTEGER NOT NULL
);
CREATE TABLE generation (number INTEGER NOT NULL);
INSERT INTO generation VALUES (0);
)sql";

constexpr std::array kMigrations{kFirstLayout};
constexpr std::int64_t kNeverReleased = 4;
constexpr sqlite::Layout kLayout{"run store", 0x686f6e65, kMigrations, kNeverReleased};  // "hone"

}  // namespace

const sqlite::Layout& layout() { return kLayout; }

void check_tables(sqlite::Database& database) {
  constexpr std::array kColumns{
      "SELECT id, hash, encoding, body FROM texts LIMIT 0",
      "SELECT number, id, task, state, started, finished, stop, success, host, process, "
      "process_started, boot, sum FROM runs LIMIT 0",
      "SELECT id, run, first, alone, body, sum FROM chunks LIMIT 0",
      "SELECT run, placeholder, key, sealed FROM originals LIMIT 0",
      "SELECT run, holder FROM leases LIMIT 0",
      "SELECT id, host, boot, process, started, expires FROM holders LIMIT 0",
      "SELECT number FROM generation LIMIT 0"};
  try {
    for (const char* columns : kColumns) database.prepare(columns).run();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Internal) throw;
    throw Error(ErrorKind::Corrupt, fmt::format("{}; it is damaged", error.message()),
                "restore it from a backup, move it away, or choose another place with --store");
  }
}

std::string default_store_path() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return std::string(data) + "/hone/store.db";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/share/hone/store.db";
  throw Error(ErrorKind::InvalidInput, "neither XDG_DATA_HOME nor HOME says where the store is",
              "name a file with --store");
}

}  // namespace hone::journal
