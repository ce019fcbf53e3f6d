#include "hone/net/key_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "hone/base/error.h"

namespace hone::net {
namespace {

class KeyFileTest : public testing::Test {
 protected:
  KeyFileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "hone-key-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~KeyFileTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& text, mode_t mode) {
    const std::string path = folder_ / "key";
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  static Error failure(const std::string& path) {
    try {
      read_key_file(path);
    } catch (const Error& error) {
      return error;
    }
    return {ErrorKind::Internal, "it was taken"};
  }

  std::filesystem::path folder_;
};

TEST_F(KeyFileTest, GivesTheKeyWithoutWhiteSpaceAroundIt) {
  for (const mode_t mode : {0600, 0400}) {
    EXPECT_EQ(read_key_file(file(" sk-1\n", mode)).reveal(), "sk-1");
    std::filesystem::remove_all(folder_ / "key");
  }
}

TEST_F(KeyFileTest, ThatOthersMayReadIsRefusedWithTheCommandToRun) {
  for (const mode_t mode : {0640, 0604, 0644, 0620, 0777}) {
    const std::string path = file("sk-secret\n", mode);
    const Error error = failure(path);
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << mode;
    EXPECT_EQ(error.hint(), "run: chmod 600 " + path);
    EXPECT_EQ(error.message().find("sk-secret"), std::string::npos);
  }
}

TEST_F(KeyFileTest, ThatIsMissingEmptyOrNoFileIsNamed) {
  const std::string missing = folder_ / "missing";
  EXPECT_NE(failure(missing).message().find("`" + missing + "` cannot be read: No such file"),
            std::string::npos);
  EXPECT_NE(failure(file(" \n", 0600)).message().find("is empty"), std::string::npos);
  EXPECT_NE(failure(folder_).message().find("is no file"), std::string::npos);
  std::filesystem::remove(folder_ / "key");
  const std::string long_file = file(std::string(100'000, 'k'), 0600);
  EXPECT_NE(failure(long_file).message().find("is too long"), std::string::npos);
}

}  // namespace
}  // namespace hone::net
