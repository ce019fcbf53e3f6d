// The tables of the lesson store in SQLite.
#pragma once

#include "hone/sqlite/migrate.h"

namespace hone::memory {

const sqlite::Layout& lesson_layout();

}  // namespace hone::memory
