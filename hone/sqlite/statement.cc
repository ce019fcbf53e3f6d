#include "hone/sqlite/statement.h"

#include <utility>

#include "hone/sqlite/connection.h"
#include "hone/sqlite/failure.h"

namespace hone::sqlite {

Statement::Statement(Connection& connection, std::string sql, sqlite3_stmt* handle)
    : connection_(&connection), sql_(std::move(sql)), handle_(handle) {}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      sql_(std::move(other.sql_)),
      handle_(std::exchange(other.handle_, nullptr)) {}

Statement::~Statement() {
  if (handle_ == nullptr) return;
  reset();
  sqlite3_clear_bindings(handle_);
  // A second one of the same text is dropped.
  connection_->idle.try_emplace(std::move(sql_), StatementHandle(handle_));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) throw failure(connection_->handle.get(), code, connection_->path);
}

// Its result is the failure of the last step, which was thrown then.
void Statement::reset() { sqlite3_reset(handle_); }

void Statement::bind_at(int index, std::int64_t value) {
  check(sqlite3_bind_int64(handle_, index, value));
}
void Statement::bind_at(int index, double value) {
  check(sqlite3_bind_double(handle_, index, value));
}
void Statement::bind_at(int index, std::string_view value) {
  const char* data = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(handle_, index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::bind_at(int index, Blob value) {
  const char* data = value.bytes.empty() ? "" : value.bytes.data();
  check(sqlite3_bind_blob64(handle_, index, data, value.bytes.size(), SQLITE_STATIC));
}
void Statement::bind_at(int index, std::nullptr_t) { check(sqlite3_bind_null(handle_, index)); }

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const Error error = failure(connection_->handle.get(), code, connection_->path);
  reset();
  throw error;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

std::string_view Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {reinterpret_cast<const char*>(data), size};
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {static_cast<const char*>(data), size};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::optional<std::string> Statement::optional_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return std::string(text(column));
}

std::optional<std::int64_t> Statement::optional_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

}  // namespace hone::sqlite
