// Turns SQLite's result codes into errors that say what to do.
#pragma once

#include <string>
#include <string_view>

#include "hone/base/error.h"

struct sqlite3;

namespace hone::sqlite {

// The error for `code`, which the last call on `handle` gave (`handle` may be null).
Error failure(sqlite3* handle, int code, const std::string& path);

}  // namespace hone::sqlite
