#include "hone/sqlite/migrate.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "hone/base/error.h"

namespace hone::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::array kMigrations{"CREATE TABLE words (text TEXT)",
                                 "ALTER TABLE words ADD COLUMN count INTEGER DEFAULT 1"};
constexpr Layout kLayout{"word store", 4711, kMigrations};
constexpr Layout kOldLayout{"word store", 4711, std::span(kMigrations).first(1)};

class MigrateTest : public testing::Test {
 protected:
  MigrateTest() {
    std::string name = (fs::temp_directory_path() / "hone-migrate-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~MigrateTest() override { fs::remove_all(directory_); }
  Database open() { return Database::open({.path = directory_ / "store.db"}); }

  fs::path directory_;
};

TEST_F(MigrateTest, BringsAnOlderStoreUpToDateAndKeepsItsRows) {
  Database database = open();
  migrate(database, kOldLayout);
  database.execute("INSERT INTO words VALUES ('kept')");
  migrate(database, kLayout);
  migrate(database, kLayout);
  EXPECT_EQ(database.integer("SELECT count FROM words WHERE text = 'kept'"), 1);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
  EXPECT_TRUE(check_layout(database, kLayout));
}

TEST_F(MigrateTest, LeavesAFailedMigrationUndone) {
  Database database = open();
  migrate(database, kOldLayout);
  constexpr std::array kBroken{kMigrations[0], kMigrations[1], "CREATE TABLE words (twice)"};
  EXPECT_THROW(migrate(database, {"word store", 4711, kBroken}), Error);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 1);
  migrate(database, kLayout);
}

TEST_F(MigrateTest, RefusesANewerStoreWithASentence) {
  Database database = open();
  migrate(database, kLayout);
  for (const auto check : {+[](Database& db) { migrate(db, kOldLayout); },
                           +[](Database& db) { check_layout(db, kOldLayout); }}) {
    try {
      check(database);
      ADD_FAILURE() << "it was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      EXPECT_EQ(error.message(), "the word store `" + (directory_ / "store.db").string() +
                                     "` was written by a newer version of hone (layout 2, this "
                                     "one knows up to 1)");
    }
  }
  EXPECT_EQ(database.integer("PRAGMA user_version"), 2);
}

TEST_F(MigrateTest, RefusesAStoreFromBeforeTheFirstMigrationItKnows) {
  static constexpr Layout kReleased{"word store", 4711, std::span(kMigrations).first(1), 2};
  Database database = open();
  migrate(database, kLayout);  // Layout 2, which came before.
  for (const auto check : {+[](Database& db) { migrate(db, kReleased); },
                           +[](Database& db) { check_layout(db, kReleased); }}) {
    try {
      check(database);
      ADD_FAILURE() << "it was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      EXPECT_NE(error.message().find("before its first release (layout 2)"), std::string::npos);
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST_F(MigrateTest, CountsItsMigrationsAfterTheForgottenOnes) {
  constexpr Layout kFirst{"word store", 4711, std::span(kMigrations).first(1), 2};
  constexpr Layout kSecond{"word store", 4711, kMigrations, 2};
  Database database = open();
  migrate(database, kFirst);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 3);
  migrate(database, kSecond);
  EXPECT_EQ(database.integer("PRAGMA user_version"), 4);
  EXPECT_TRUE(check_layout(database, kSecond));
}

TEST_F(MigrateTest, RefusesToReadAnOlderStore) {
  Database database = open();
  EXPECT_FALSE(check_layout(database, kLayout));
  migrate(database, kOldLayout);
  EXPECT_THROW(check_layout(database, kLayout), Error);
}

TEST_F(MigrateTest, LeavesDatabasesOfOthersAlone) {
  Database database = open();
  database.execute("CREATE TABLE somebody_elses (a)");
  try {
    migrate(database, kLayout);
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema"), 1);
}

}  // namespace
}  // namespace hone::sqlite
