// The connection and its compiled statements, shared by Database and Statement.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

namespace hone::sqlite {

struct CloseConnection {
  void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }
};
using StatementHandle = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

class Connection {
 public:
  std::string path;
  std::unique_ptr<sqlite3, CloseConnection> handle;
  std::map<std::string, StatementHandle, std::less<>> idle;  // Compiled and not in use, by SQL.
};

}  // namespace hone::sqlite
