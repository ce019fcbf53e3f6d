#include "hone/journal/seal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>
#include <vector>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

const std::string kKey(64, '7');

class SealerTest : public StoreTest {
 protected:
  std::string file() const { return directory_ / "config" / "seal.key"; }
  void write(const std::string& text, std::filesystem::perms permissions) {
    std::filesystem::create_directories(directory_ / "config");
    std::ofstream(file()) << text;
    std::filesystem::permissions(file(), permissions);
  }
};

RC_GTEST_PROP(SealKey, OpensWhatItSealed, (const std::string& text, const std::string& place)) {
  const SealKey key = SealKey::parse(kKey);
  const std::string sealed = key.seal(text, place);
  RC_ASSERT(key.open(sealed, place) == text);
  RC_ASSERT(key.seal(text, place) != sealed);
  RC_ASSERT(key.open(sealed, place + "x") == std::nullopt);
  RC_ASSERT(SealKey::random().open(sealed, place) == std::nullopt);
}

TEST(SealKey, SeesEveryChange) {
  const SealKey key = SealKey::parse(kKey);
  const std::string sealed = key.seal("a@example.org", "run [EMAIL_1]");
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(key.open(changed, "run [EMAIL_1]"), std::nullopt) << i;
    EXPECT_EQ(key.open(sealed.substr(0, i), "run [EMAIL_1]"), std::nullopt) << i;
  }
}

TEST(SealKey, IsReadInTwoForms) {
  const std::string base64 = "d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3c=";
  EXPECT_EQ(SealKey::parse(" " + kKey + "\n").fingerprint().size(), 16u);
  EXPECT_EQ(SealKey::parse(base64).fingerprint(),
            SealKey::parse("7777777777777777777777777777777777777777777777777777777777777777")
                .fingerprint());
  for (const std::string& text : {std::string(), std::string("hunter2"), kKey + "7",
                                  std::string(63, '7') + "g", std::string(43, '!') + "="}) {
    const Error error = error_of([&] { SealKey::parse(text); });
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_EQ(error.message(), "the key for sealed originals is not one");
  }
}

TEST_F(SealerTest, MakesAFileThatOnlyItsOwnerReads) {
  Sealer sealer({.file = file()});
  EXPECT_EQ(sealer.find_key(), nullptr);
  EXPECT_FALSE(std::filesystem::exists(file())) << "it is made when it is needed";
  const std::string fingerprint = sealer.key().fingerprint();
  struct stat status{};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(Sealer({.file = file()}).find_key()->fingerprint(), fingerprint);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_ / "config"), {}), 1);
}

TEST_F(SealerTest, MakesOneKeyWhenManyBegin) {
  std::vector<std::string> fingerprints(8);
  std::vector<std::thread> threads;
  for (std::string& fingerprint : fingerprints) {
    threads.emplace_back([&] { fingerprint = Sealer({.file = file()}).key().fingerprint(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& fingerprint : fingerprints) EXPECT_EQ(fingerprint, fingerprints[0]);
}

TEST_F(SealerTest, RefusesAFileThatOthersMayRead) {
  using std::filesystem::perms;
  for (const perms extra : {perms::group_read, perms::others_read, perms::group_write}) {
    write(kKey, perms::owner_read | perms::owner_write | extra);
    const Error error = error_of([&] { Sealer sealer({.file = file()}); });
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error.message().find("others may read the key"), std::string::npos);
    EXPECT_EQ(error.hint(), "make it yours alone: chmod 600 " + file());
  }
}

TEST_F(SealerTest, SaysThatAFileHoldsNoKey) {
  write("not a key", std::filesystem::perms::owner_read);
  const Error error = error_of([&] { Sealer sealer({.file = file()}); });
  EXPECT_EQ(error.message(), "the key for sealed originals is not one (`" + file() + "`)");
}

TEST_F(SealerTest, SaysThatAFileCannotBeMade) {
  std::ofstream(directory_ / "config") << "a file where the folder should be";
  Sealer sealer({.file = directory_ / "config" / "seal.key2"});
  const Error error = error_of([&] { sealer.key(); });
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.hint().find("--seal none"), std::string::npos);
}

TEST(SealKeyPlace, FollowsTheEnvironment) {
  setenv("XDG_CONFIG_HOME", "/config", 1);
  EXPECT_EQ(seal_key_place().file, "/config/hone/seal.key");
  EXPECT_EQ(seal_key_place("/mine").file, "/mine");
  setenv("HONE_SEAL_KEY", kKey.c_str(), 1);
  EXPECT_EQ(seal_key_place("/mine").key, kKey);
  unsetenv("HONE_SEAL_KEY");
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", "/people/me", 1);
  EXPECT_EQ(seal_key_place().file, "/people/me/.config/hone/seal.key");
}

}  // namespace
}  // namespace hone::journal
