#include "hone/sqlite/migrate.h"

#include <fmt/format.h>

#include <algorithm>

#include "hone/base/error.h"
#include "hone/sqlite/transaction.h"

namespace hone::sqlite {
namespace {

struct Found {
  std::int64_t version;
  bool ours;
  bool empty;
};

Found look_at(Database& database, const Layout& layout) {
  return {database.integer("PRAGMA user_version"),
          database.integer("PRAGMA application_id") == layout.application_id,
          database.integer("SELECT count(*) FROM sqlite_schema") == 0};
}

std::int64_t newest(const Layout& layout) {
  return layout.forgotten + static_cast<std::int64_t>(layout.migrations.size());
}

void check_found(const Database& database, const Layout& layout, const Found& found) {
  const std::int64_t known = newest(layout);
  if (!found.ours && !found.empty) {
    throw Error(ErrorKind::InvalidInput,
                fmt::format("`{}` is a database of another program, not a {} of hone",
                            database.path(), layout.name),
                "choose another file with --store");
  }
  if (found.ours && found.version > known) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("the {} `{}` was written by a newer version of hone (layout {}, this "
                            "one knows up to {})",
                            layout.name, database.path(), found.version, known),
                "use that version, or choose another file with --store");
  }
  if (found.ours && found.version <= layout.forgotten && layout.forgotten > 0) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("the {} `{}` was written by a version of hone before its first release "
                            "(layout {})",
                            layout.name, database.path(), found.version),
                "move it away, or choose another file with --store");
  }
}

}  // namespace

bool check_layout(Database& database, const Layout& layout) {
  const Found found = look_at(database, layout);
  check_found(database, layout, found);
  if (!found.ours) return false;
  if (found.version == newest(layout)) return true;
  throw Error(ErrorKind::Unsupported,
              fmt::format("the {} `{}` was written by an older version of hone (layout {})",
                          layout.name, database.path(), found.version),
              "open it once where it can be written, which brings it up to date");
}

void migrate(Database& database, const Layout& layout) {
  const Found before = look_at(database, layout);
  check_found(database, layout, before);
  const std::int64_t target = newest(layout);
  if (before.ours && before.version == target) return;
  Transaction transaction(database);
  // Another process may have been faster.
  const Found found = look_at(database, layout);
  check_found(database, layout, found);
  for (auto version = std::max(found.version, layout.forgotten); version < target; ++version) {
    database.execute(layout.migrations[static_cast<std::size_t>(version - layout.forgotten)]);
  }
  database.execute(fmt::format("PRAGMA user_version = {}", target).c_str());
  database.execute(fmt::format("PRAGMA application_id = {}", layout.application_id).c_str());
  transaction.commit();
}

}  // namespace hone::sqlite
