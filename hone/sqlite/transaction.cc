#include "hone/sqlite/transaction.h"

#include <sqlite3.h>

#include "hone/sqlite/connection.h"

namespace hone::sqlite {

Transaction::Transaction(Database& database) : database_(database) {
  database_.prepare("BEGIN IMMEDIATE").run();
}

Transaction::~Transaction() {
  if (!open_) return;
  // SQLite itself rolls back after some failures; then this one has nothing to do and says so.
  sqlite3_exec(database_.connection_->handle.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.prepare("COMMIT").run();
  open_ = false;
}

}  // namespace hone::sqlite
