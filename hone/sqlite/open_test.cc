// Files that cannot be a store, and places where none can be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hone/base/error.h"
#include "hone/sqlite/database.h"

namespace hone::sqlite {
namespace {

namespace fs = std::filesystem;

// Permissions do not bind root: as long as this lives, the process has nobody's rights.
class AsNobody {
 public:
  AsNobody() {
    if (geteuid() == 0) changed_ = seteuid(65534) == 0;
  }
  ~AsNobody() {
    if (changed_) EXPECT_EQ(seteuid(0), 0);
  }

 private:
  bool changed_ = false;
};

class OpenTest : public testing::Test {
 protected:
  OpenTest() {
    std::string name = (fs::temp_directory_path() / "hone-open-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    fs::permissions(directory_, fs::perms(0755));
  }
  ~OpenTest() override {
    fs::permissions(directory_, fs::perms(0755));
    fs::remove_all(directory_);
  }

  std::string path() const { return directory_ / "store.db"; }
  void write(const std::string& bytes) { std::ofstream(path(), std::ios::binary) << bytes; }
  Error error_of(const OpenOptions& options) {
    try {
      Database database = Database::open(options);
      database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "it opened";
    return {ErrorKind::Internal, ""};
  }

  fs::path directory_;
};

TEST_F(OpenTest, RefusesADirectory) {
  const Error error = error_of({.path = directory_});
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error.message(), "the store `" + directory_.string() + "` is a directory");
  EXPECT_EQ(error.hint(), "name a file with --store");
}

TEST_F(OpenTest, RefusesGarbageAndLeavesItAlone) {
  const std::string garbage(5000, 'g');
  write(garbage);
  const Error error = error_of({.path = path()});
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_EQ(error.message(), "the store `" + path() + "` is damaged: file is not a database");
  EXPECT_NE(error.hint().find("--store"), std::string::npos);
  std::ifstream file(path(), std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), garbage);
}

TEST_F(OpenTest, RefusesATruncatedFile) {
  {
    Database database = Database::open({.path = path()});
    database.execute("CREATE TABLE t (a)");
    for (int i = 0; i < 50; ++i) database.execute("INSERT INTO t VALUES (randomblob(1000))");
  }
  fs::resize_file(path(), 3 * 4096 + 100);
  const Error error = error_of({.path = path()});
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_EQ(error.message(),
            "the store `" + path() + "` is damaged: database disk image is malformed");
}

TEST_F(OpenTest, SaysThatThereIsNothingToRead) {
  const Error error = error_of({.path = path(), .access = Access::ReadOnly});
  EXPECT_EQ(error.kind(), ErrorKind::NotFound);
  EXPECT_FALSE(fs::exists(path()));
}

TEST_F(OpenTest, ReadsInAReadOnlyDirectoryAndRefusesToWrite) {
  Database::open({.path = path()}).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
  fs::permissions(path(), fs::perms(0444));
  fs::permissions(directory_, fs::perms(0555));
  const AsNobody nobody;
  Database reader = Database::open({.path = path(), .access = Access::ReadOnly});
  EXPECT_EQ(reader.integer("SELECT count(*) FROM t"), 1);
  const Error error = error_of({.path = path()});
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find(path()), std::string::npos) << error.message();
  EXPECT_NE(error.hint().find("--store"), std::string::npos);
}

TEST_F(OpenTest, SaysThatADirectoryCannotBeMade) {
  fs::permissions(directory_, fs::perms(0555));
  const AsNobody nobody;
  const Error error = error_of({.path = directory_ / "deep" / "store.db"});
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find("cannot be made: Permission denied"), std::string::npos)
      << error.message();
}

TEST_F(OpenTest, SaysThatANewFileCannotBeMade) {
  fs::permissions(directory_, fs::perms(0555));
  const AsNobody nobody;
  const Error error = error_of({.path = path()});
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_EQ(error.message(),
            "the store `" + path() + "` cannot be opened: unable to open database file");
}

}  // namespace
}  // namespace hone::sqlite
