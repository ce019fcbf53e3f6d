#include "hone/sqlite/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "hone/sqlite/connection.h"
#include "hone/sqlite/failure.h"

namespace hone::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr int kRetryEvery = 5;  // Milliseconds.

void check_path(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::InvalidInput,
                path.empty() ? "the path of the store is empty"
                             : fmt::format("the store `{}` is a directory", path),
                "name a file with --store");
  }
}

void make_directory(const std::string& path) {
  const fs::path directory = fs::path(path).parent_path();
  std::error_code failed;
  if (directory.empty() || fs::is_directory(directory, failed)) return;
  fs::create_directories(directory, failed);
  if (failed) {
    throw Error(
        ErrorKind::Unavailable,
        fmt::format("the directory of the store `{}` cannot be made: {}", path, failed.message()),
        "check who may write there, or choose another place with --store");
  }
  fs::permissions(directory, fs::perms::owner_all, failed);
}

// Prompts and answers are their owner's business: SQLite alone would let everybody read them.
void make_private_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) ::close(descriptor);
}

std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

std::unique_ptr<Connection> connect(const OpenOptions& options, const std::string& name,
                                    int flags) {
  auto connection = std::make_unique<Connection>();
  connection->path = options.path;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  connection->handle.reset(handle);
  if (code != SQLITE_OK) throw failure(handle, code, options.path);
  sqlite3_busy_timeout(handle, static_cast<int>(options.busy_timeout.count()));
  return connection;
}

int execute_on(const Connection& connection, const char* sql) {
  return sqlite3_exec(connection.handle.get(), sql, nullptr, nullptr, nullptr);
}

// Several processes may make the same store at once; the change to WAL does not wait by itself.
void switch_to_wal(const Connection& connection, std::chrono::milliseconds patience) {
  int code = SQLITE_OK;
  for (auto waited = 0; waited <= patience.count(); waited += kRetryEvery) {
    code = execute_on(connection, "PRAGMA journal_mode=WAL");
    if ((code & 0xff) != SQLITE_BUSY) break;
    sqlite3_sleep(kRetryEvery);
  }
  if (code != SQLITE_OK) throw failure(connection.handle.get(), code, connection.path);
}

std::unique_ptr<Connection> open_to_write(const OpenOptions& options) {
  make_directory(options.path);
  make_private_file(options.path);
  auto connection = connect(options, options.path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // Has no effect on a file that is there already.
  execute_on(*connection, fmt::format("PRAGMA page_size={}", options.page_size).c_str());
  switch_to_wal(*connection, options.busy_timeout);
  const int code = execute_on(*connection, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON");
  if (code != SQLITE_OK) throw failure(connection->handle.get(), code, connection->path);
  return connection;
}

std::unique_ptr<Connection> open_to_read(const OpenOptions& options) {
  std::error_code ignored;
  if (!fs::exists(options.path, ignored)) {
    throw Error(ErrorKind::NotFound, fmt::format("there is no store `{}`", options.path),
                "run a task first, or name another file with --store");
  }
  auto connection = connect(options, options.path, SQLITE_OPEN_READONLY);
  const int code = execute_on(*connection, "SELECT count(*) FROM sqlite_schema");
  if (code == SQLITE_OK) return connection;
  // Where nothing can be written there is no place for WAL's shared index, and no writer either.
  const bool unwritable = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
  if (!unwritable) throw failure(connection->handle.get(), code, options.path);
  return connect(options, immutable_uri(options.path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

}  // namespace

Database Database::open(const OpenOptions& options) {
  check_path(options.path);
  return Database(options.access == Access::ReadOnly ? open_to_read(options)
                                                     : open_to_write(options));
}

Database::Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

void Database::execute(const char* sql) {
  const int code = execute_on(*connection_, sql);
  if (code != SQLITE_OK) throw failure(connection_->handle.get(), code, path());
}

Statement Database::prepare(std::string_view sql) {
  if (const auto idle = connection_->idle.find(sql); idle != connection_->idle.end()) {
    auto node = connection_->idle.extract(idle);
    return {*connection_, std::move(node.key()), node.mapped().release()};
  }
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v3(connection_->handle.get(), sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) throw failure(connection_->handle.get(), code, path());
  return {*connection_, std::string(sql), handle};
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_->handle.get());
}

std::int64_t Database::changes() const { return sqlite3_changes64(connection_->handle.get()); }

std::int64_t Database::integer(std::string_view sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

const std::string& Database::path() const { return connection_->path; }

}  // namespace hone::sqlite
