// One connection to an SQLite file. The only folder of hone that knows SQLite.
//
//   Database database = Database::open({.path = "store.db"});
//   Statement insert = database.prepare("INSERT INTO words (text, count) VALUES (?, ?)");
//   insert.bind("hone", 1).run();
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hone/sqlite/statement.h"

namespace hone::sqlite {

enum class Access {
  ReadWrite,  // Makes the file, and the directories above it, if they do not exist.
  ReadOnly    // Throws NotFound if the file does not exist; works in a read-only directory too.
};

struct OpenOptions {
  std::string path;
  Access access = Access::ReadWrite;
  // How long to wait while another process writes.
  std::chrono::milliseconds busy_timeout = std::chrono::seconds(5);
  // Of a file that is made: a power of two from 512 to 65536. Small ones suit many small tables.
  int page_size = 4096;
};

// Threads: one at a time. Lifetime: outlives its statements. Errors: hone::Error; Corrupt (not a
// database, damaged), Unavailable (locked, disk full, read-only, no such directory), InvalidInput
// (a constraint, a path that cannot be a database), Internal (wrong SQL).
class Database {
 public:
  // Opens in WAL mode with synchronous=FULL and foreign keys: what is committed survives a crash of
  // the machine, and readers do not wait for writers.
  static Database open(const OpenOptions& options);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Runs statements that give no rows and take no values.
  void execute(const char* sql);
  // Statements are compiled once and kept; `sql` is a literal or outlives the connection's use of
  // it as a key (it is copied).
  Statement prepare(std::string_view sql);

  std::int64_t last_insert_id() const;
  std::int64_t changes() const;  // Rows changed by the last statement.
  // The first column of the first row; 0 when there is none.
  std::int64_t integer(std::string_view sql);
  const std::string& path() const;

 private:
  friend class Transaction;
  explicit Database(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
};

}  // namespace hone::sqlite
