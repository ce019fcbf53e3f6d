// Brings a database to the layout that this version of hone knows.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "hone/sqlite/database.h"

namespace hone::sqlite {

// What a database of hone is. Append to `migrations`, never change one that was released: entry n
// takes a database from version n (counted after the forgotten ones) to n + 1.
struct Layout {
  std::string_view name;        // For people: "run store".
  std::int32_t application_id;  // Marks the file as ours.
  std::span<const char* const> migrations;
  // So many versions came before the first migration, and are no longer known.
  std::int64_t forgotten = 0;
};

// Applies what is missing, in one transaction. Throws Unsupported for a database from a newer
// version and InvalidInput for a database of another program; neither is touched.
void migrate(Database& database, const Layout& layout);

// For databases opened to be read: throws like migrate(), and Unsupported for one that is older.
// False for a database that has nothing in it yet.
bool check_layout(Database& database, const Layout& layout);

}  // namespace hone::sqlite
