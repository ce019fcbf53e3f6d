// One compiled SQL statement, with its values and its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3_stmt;

namespace hone::sqlite {

class Connection;

// Bytes, where a plain string is text.
struct Blob {
  std::string_view bytes;
};

// Comes from Database::prepare and goes back to be used again when it is destroyed.
// Threads and errors: as Database.
class Statement {
 public:
  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Starts over with these values for the parameters ?1, ?2, …. Texts and blobs are not copied:
  // they outlive the steps.
  template <class... Values>
  Statement& bind(const Values&... values) {
    reset();
    int index = 0;
    (bind_at(++index, values), ...);
    return *this;
  }
  // Goes to the next row; false when there is none.
  bool step();
  // Ends the reading of rows. A statement that is kept and not read to its end holds on to what it
  // read: writers cannot tidy up behind it.
  void reset();
  // Runs a statement that gives no rows (or whose rows do not matter) to its end.
  void run();

  // Columns of the current row, from 0. Views hold until the next step.
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;
  std::optional<std::string> optional_text(int column) const;
  std::optional<std::int64_t> optional_integer(int column) const;

 private:
  friend class Database;
  Statement(Connection& connection, std::string sql, sqlite3_stmt* handle);

  void bind_at(int index, std::int64_t value);
  void bind_at(int index, int value) { bind_at(index, std::int64_t{value}); }
  void bind_at(int index, bool value) { bind_at(index, std::int64_t{value}); }
  void bind_at(int index, double value);
  void bind_at(int index, std::string_view value);
  void bind_at(int index, const std::string& value) { bind_at(index, std::string_view(value)); }
  void bind_at(int index, const char* value) { bind_at(index, std::string_view(value)); }
  void bind_at(int index, Blob value);
  void bind_at(int index, std::nullptr_t);
  template <class Value>
  void bind_at(int index, const std::optional<Value>& value) {
    if (value) {
      bind_at(index, *value);
    } else {
      bind_at(index, nullptr);
    }
  }
  void check(int code) const;

  Connection* connection_;
  std::string sql_;
  sqlite3_stmt* handle_;
};

}  // namespace hone::sqlite
