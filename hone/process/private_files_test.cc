#include "hone/process/private_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "hone/base/error.h"

namespace hone::process {
namespace {

unsigned mode_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

TEST(PrivateFiles, HoldTheirContentForTheOwnerOnlyAndVanish) {
  std::filesystem::path path;
  {
    const PrivateFiles files({{"HONE_OUTPUT_FILE", std::string("a\0b", 3)}, {"OTHER", ""}});
    path = files.paths().at("HONE_OUTPUT_FILE");
    std::ifstream stream(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_EQ(content, std::string("a\0b", 3));
    EXPECT_EQ(mode_of(path), 0600U);
    EXPECT_EQ(mode_of(path.parent_path()), 0700U);
    EXPECT_TRUE(std::filesystem::exists(files.paths().at("OTHER")));
    std::ofstream(path.parent_path() / "left by a child") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path.parent_path()));
}

TEST(PrivateFiles, RefuseANameThatIsAPath) {
  const std::map<std::string, std::string> contents = {{"../x", "1"}};
  EXPECT_THROW(PrivateFiles{contents}, Error);
}

TEST(PrivateFiles, SayWhereTheyCannotBeMade) {
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/proc/nowhere", 1);
  try {
    const std::map<std::string, std::string> contents = {{"A", "1"}};
    const PrivateFiles files(contents);
    ADD_FAILURE() << "made in /proc";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("/proc/nowhere"), std::string::npos) << error.message();
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old.c_str(), 1);
}

}  // namespace
}  // namespace hone::process
