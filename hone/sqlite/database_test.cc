#include "hone/sqlite/database.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "hone/base/error.h"
#include "hone/sqlite/transaction.h"

namespace hone::sqlite {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() {
    std::string name = (fs::temp_directory_path() / "hone-sqlite-XXXXXX").string();
    directory_ = mkdtemp(name.data());
  }
  ~DatabaseTest() override { fs::remove_all(directory_); }

  std::string path() const { return directory_ / "words.db"; }
  Database open() { return Database::open({.path = path()}); }
  Database open_with_words() {
    Database database = open();
    database.execute("CREATE TABLE words (text TEXT UNIQUE, count INTEGER, bytes BLOB)");
    return database;
  }

  fs::path directory_;
};

TEST_F(DatabaseTest, GivesBackWhatWasPutIn) {
  Database database = open_with_words();
  const std::string bytes("a\0b", 3);
  database.prepare("INSERT INTO words VALUES (?, ?, ?)").bind("größer", 7, Blob{bytes}).run();
  database.prepare("INSERT INTO words VALUES (?, ?, ?)").bind("", nullptr, Blob{""}).run();
  Statement rows = database.prepare("SELECT text, count, bytes FROM words ORDER BY rowid");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "größer");
  EXPECT_EQ(rows.integer(1), 7);
  EXPECT_EQ(rows.blob(2), bytes);
  EXPECT_FALSE(rows.is_null(1));
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.optional_text(0), "");
  EXPECT_EQ(rows.optional_integer(1), std::nullopt);
  EXPECT_FALSE(rows.step());
}

TEST_F(DatabaseTest, KeepsStatementsApartThatAreOpenAtOnce) {
  Database database = open_with_words();
  for (const char* word : {"a", "b"}) {
    database.prepare("INSERT INTO words (text) VALUES (?)").bind(word).run();
  }
  constexpr std::string_view kAll = "SELECT text FROM words ORDER BY text";
  Statement outer = database.prepare(kAll);
  std::string pairs;
  while (outer.step()) {
    Statement inner = database.prepare(kAll);
    while (inner.step()) pairs += std::string(outer.text(0)) + std::string(inner.text(0)) + " ";
  }
  EXPECT_EQ(pairs, "aa ab ba bb ");
}

TEST_F(DatabaseTest, RollsBackUnlessCommitted) {
  Database database = open_with_words();
  {
    Transaction transaction(database);
    database.prepare("INSERT INTO words (text) VALUES (?)").bind("lost").run();
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM words"), 0);
  {
    Transaction transaction(database);
    database.prepare("INSERT INTO words (text) VALUES (?)").bind("kept").run();
    transaction.commit();
  }
  EXPECT_EQ(database.integer("SELECT count(*) FROM words"), 1);
}

TEST_F(DatabaseTest, IsDurableAndReadableWhileOthersWrite) {
  Database database = open_with_words();
  Statement mode = database.prepare("PRAGMA journal_mode");
  ASSERT_TRUE(mode.step());
  EXPECT_EQ(mode.text(0), "wal");
  EXPECT_EQ(database.integer("PRAGMA synchronous"), 2);
  EXPECT_EQ(database.integer("PRAGMA foreign_keys"), 1);
  Transaction writing(database);
  Database reader = Database::open({.path = path(), .access = Access::ReadOnly});
  EXPECT_EQ(reader.integer("SELECT count(*) FROM words"), 0);
}

TEST_F(DatabaseTest, IsReadableByItsOwnerOnly) {
  const std::string nested = directory_ / "new" / "store.db";
  const Database database = Database::open({.path = nested});
  EXPECT_EQ(fs::status(nested).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(directory_ / "new").permissions(), fs::perms::owner_all);
}

ErrorKind kind_of(const std::function<void()>& action, std::string* message = nullptr) {
  try {
    action();
  } catch (const Error& error) {
    if (message != nullptr) *message = error.message();
    return error.kind();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorKind::Internal;
}

TEST_F(DatabaseTest, TellsAConstraintFromABug) {
  Database database = open_with_words();
  const auto insert = [&] {
    database.prepare("INSERT INTO words (text) VALUES (?)").bind("same").run();
  };
  insert();
  EXPECT_EQ(kind_of(insert), ErrorKind::InvalidInput);
  EXPECT_EQ(kind_of([&] { database.prepare("SELECT nothing"); }), ErrorKind::Internal);
}

TEST_F(DatabaseTest, SaysThatAnotherProcessHoldsIt) {
  Database database = open_with_words();
  const Transaction held(database);
  Database other = Database::open({.path = path(), .busy_timeout = std::chrono::milliseconds(1)});
  std::string message;
  EXPECT_EQ(kind_of([&] { Transaction second(other); }, &message), ErrorKind::Unavailable);
  EXPECT_EQ(message, "the store `" + path() + "` is in use by another process");
}

TEST_F(DatabaseTest, SaysThatTheDiskIsFullAndGoesOnWhenItIsNot) {
  Database database = open_with_words();
  const auto insert = [&] {
    const std::string large(100'000, 'x');
    database.prepare("INSERT INTO words (text) VALUES (?)").bind(large).run();
  };
  database.execute("PRAGMA max_page_count=8");
  std::string message;
  EXPECT_EQ(kind_of(insert, &message), ErrorKind::Unavailable);
  EXPECT_EQ(message, "the store `" + path() + "` cannot grow: the disk is full");
  database.execute("PRAGMA max_page_count=100000");
  insert();
  EXPECT_EQ(database.integer("SELECT count(*) FROM words"), 1);
}

TEST_F(DatabaseTest, IsMadeByManyAtOnce) {
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      try {
        Database database = open();
        Transaction transaction(database);
        database.execute("CREATE TABLE IF NOT EXISTS seen (at INTEGER)");
        database.execute("INSERT INTO seen VALUES (1)");
        transaction.commit();
      } catch (const Error& error) {
        ADD_FAILURE() << error.message();
        ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(open().integer("SELECT count(*) FROM seen"), 8);
}

}  // namespace
}  // namespace hone::sqlite
