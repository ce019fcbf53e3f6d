#include "hone/sqlite/failure.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace hone::sqlite {
namespace {

constexpr std::string_view kElsewhere = "or choose another place with --store";

Error unavailable(std::string message, std::string_view remedy) {
  return {ErrorKind::Unavailable, std::move(message), fmt::format("{}, {}", remedy, kElsewhere)};
}

}  // namespace

Error failure(sqlite3* handle, int code, const std::string& path) {
  const std::string reason = handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle);
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return {ErrorKind::Corrupt, fmt::format("the store `{}` is damaged: {}", path, reason),
              fmt::format("restore it from a backup, move it away, {}", kElsewhere)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return unavailable(fmt::format("the store `{}` is in use by another process", path),
                         "try again when that has ended");
    case SQLITE_FULL:
      return unavailable(fmt::format("the store `{}` cannot grow: the disk is full", path),
                         "make room");
    case SQLITE_READONLY:
      return unavailable(fmt::format("the store `{}` cannot be written: it is read-only", path),
                         "make it writable");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return unavailable(fmt::format("the store `{}` cannot be opened: {}", path, reason),
                         "check that its directory exists and that you may write there");
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
      return unavailable(fmt::format("the store `{}` cannot be used: {}", path, reason),
                         "check the disk");
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
      return {ErrorKind::InvalidInput,
              fmt::format("the store `{}` refuses this: {}", path, reason)};
    default:
      return {ErrorKind::Internal, fmt::format("the store `{}`: {}", path, reason),
              "this is a bug in hone; please report it with the command that led here"};
  }
}

}  // namespace hone::sqlite
