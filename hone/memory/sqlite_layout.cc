#include "hone/memory/sqlite_layout.h"

#include <array>

namespace hone::memory {
namespace {

// Times are nanoseconds since 1970. An erased lesson has no fingerprint and no text, only its id.
// All rows that one transaction changed carry the revision that it drew.
constexpr const char* kFirstLayout = R"sql(
CREATE TABLE revisions (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL);
INSERT INTO revisions VALUES (1, 0);
CREATE TABLE lessons (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  revision INTEGER NOT NULL,
  fingerprint TEXT,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  ending TEXT NOT NULL,
  task_type TEXT NOT NULL,
  tool TEXT NOT NULL,
  conditions TEXT NOT NULL,
  task TEXT NOT NULL,
  details TEXT NOT NULL,
  created INTEGER NOT NULL,
  merged INTEGER NOT NULL,
  recalled INTEGER NOT NULL,
  passed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  probation INTEGER NOT NULL,
  forgotten INTEGER NOT NULL
);
CREATE UNIQUE INDEX lessons_by_id ON lessons (tenant, id);
CREATE UNIQUE INDEX lessons_by_text ON lessons (tenant, agent, fingerprint)
  WHERE fingerprint IS NOT NULL;
CREATE INDEX lessons_by_revision ON lessons (tenant, revision);
CREATE TABLE merges (
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  lesson TEXT NOT NULL,
  PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE TABLE trials (
  lesson INTEGER NOT NULL,
  run TEXT NOT NULL,
  outcome TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (lesson, run)
) WITHOUT ROWID;
CREATE TABLE vectors (
  lesson INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  vector BLOB NOT NULL
);
)sql";

constexpr std::array kMigrations{kFirstLayout};
constexpr sqlite::Layout kLayout{"lesson store", 0x686f6e6c, kMigrations};  // "honl"

}  // namespace

const sqlite::Layout& lesson_layout() { return kLayout; }

}  // namespace hone::memory
