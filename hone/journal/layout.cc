#include "hone/journal/layout.h"

#include <array>
#include <cstdlib>

#include "hone/base/error.h"

namespace hone::journal {
namespace {

// `hash` is the first 64 bits of the SHA-256 of the body; `encoding` 0 is the body as it is.
// Times are nanoseconds since 1970.
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
  process INTEGER NOT NULL,
  process_started INTEGER NOT NULL
);
CREATE UNIQUE INDEX runs_by_id ON runs (id);
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  digest BLOB,
  prompt TEXT,
  request TEXT,
  answer TEXT NOT NULL,
  failed INTEGER NOT NULL,
  redacted INTEGER NOT NULL,
  at INTEGER NOT NULL
);
CREATE UNIQUE INDEX records_by_run ON records (run, sequence);
CREATE TRIGGER records_are_final BEFORE UPDATE ON records
BEGIN SELECT raise(ABORT, 'records are never changed'); END;
)sql";

// `key` is the fingerprint of the key that sealed; both are null where no original was kept.
constexpr const char* kOriginals = R"sql(
CREATE TABLE originals (
  run INTEGER NOT NULL,
  placeholder TEXT NOT NULL,
  key BLOB,
  sealed BLOB,
  PRIMARY KEY (run, placeholder)
) WITHOUT ROWID;
)sql";

// `generation` counts how often runs and texts were removed. Times as above.
constexpr const char* kLeases = R"sql(
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
ALTER TABLE runs ADD COLUMN boot TEXT NOT NULL DEFAULT '';
)sql";

constexpr std::array kMigrations{kFirstLayout, kOriginals, kLeases};
constexpr sqlite::Layout kLayout{"run store", 0x686f6e65, kMigrations};  // "hone"

}  // namespace

const sqlite::Layout& layout() { return kLayout; }

std::string default_store_path() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return std::string(data) + "/hone/store.db";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return std::string(home) + "/.local/share/hone/store.db";
  throw Error(ErrorKind::InvalidInput, "neither XDG_DATA_HOME nor HOME says where the store is",
              "name a file with --store");
}

}  // namespace hone::journal
