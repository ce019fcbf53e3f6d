// Runs with secrets in them: what is on the disk, and what comes back from there.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "hone/journal/originals.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr const char* kRun = "01jd0000000run01";
// In halves, so that no scanner takes the test for a leak.
const std::string kKey = std::string("sk-") + "proj-abcdefghijklmnop1234567890";
const std::vector<std::string> kPlanted = {kKey, "ada@example.org", "10.1.2.3",
                                           "postgres://app:s3cr3tpw@db.example.org/app",
                                           "4111 1111 1111 1111"};

class SealingTest : public StoreTest {
 protected:
  std::shared_ptr<Sealer> sealer(const std::string& name = "seal.key") {
    return std::make_shared<Sealer>(SealKeyPlace{.file = directory_ / "keys" / name});
  }
  RecordedRun recorded() { return RunStore(path()).recorded(kRun); }
};

std::string planted_text() {
  std::string text;
  for (const std::string& secret : kPlanted) text += "Use " + secret + " here. ";
  return text + std::string(150, 'm') + "\n[EMAIL_1] stands here";
}

core::ModelReply leaky_reply(const core::ModelRequest& request) {
  core::ModelReply answer = scripted_reply(request);
  if (request.role == core::Role::Reflect) answer.text += " Ask bob@example.org.";
  if (request.role == core::Role::Generate || request.role == core::Role::Revise) {
    answer.text += planted_text() + (request.attempt == 2 ? "\xff" : "");
  }
  return answer;
}

RunHeader leaky_header() {
  RunHeader header = header_of(kRun);
  header.task.text = R"({"task":"Mail ada@example.org with )" + kKey + R"("})";
  return header;
}

core::Run record_leaky(const std::string& path, std::shared_ptr<Sealer> sealer) {
  Journal journal({.path = path, .sealer = std::move(sealer)});
  const auto recording = Recording::record(journal, leaky_header());
  FakeModel model(leaky_reply);
  return run_recorded(*recording, model, 2);
}

core::Run replayed(RecordedRun past) {
  const auto replay = Recording::replay(std::move(past));
  AbsentModel absent("fake:rules");
  return run_recorded(*replay, absent, 2);
}

TEST_F(SealingTest, NothingPlantedIsInAnyFile) {
  record_leaky(path(), sealer());
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory_)) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (const std::string& secret : kPlanted) {
      EXPECT_EQ(bytes.find(secret), std::string::npos) << secret << " in " << file.path();
    }
  }
  const RecordedRun run = recorded();
  EXPECT_EQ(run.header.task.text, R"({"task":"Mail [EMAIL_1] with [OPENAI_KEY_1]"})");
  EXPECT_GE(run.sealed.size(), 7u);
}

TEST_F(SealingTest, WithTheKeyAReplayIsExact) {
  const core::Run first = record_leaky(path(), sealer());
  RecordedRun past = recorded();
  EXPECT_EQ(unseal(past, sealer().get()), Unsealed::All);
  EXPECT_EQ(past.header, leaky_header());
  const core::Run again = replayed(past);
  EXPECT_EQ(again, first);
  EXPECT_NE(again.attempts[0].output.text.find(kKey), std::string::npos);
  EXPECT_NE(again.attempts[0].output.text.find("[EMAIL_1] stands here"), std::string::npos);
  EXPECT_EQ(original_run(past).attempts, first.attempts);
}

TEST_F(SealingTest, WithoutTheKeyAReplayShowsPlaceholders) {
  record_leaky(path(), sealer());
  RecordedRun past = recorded();
  EXPECT_EQ(unseal(past, nullptr), Unsealed::NoKey);
  const core::Run shown = replayed(past);
  EXPECT_EQ(shown.attempts, fold(past).attempts);
  EXPECT_NE(shown.attempts[0].output.text.find("Use [OPENAI_KEY_1] here."), std::string::npos);
  EXPECT_NE(shown.attempts[0].output.text.find("[LITERAL_1] stands here"), std::string::npos);
}

TEST_F(SealingTest, WithoutASealerNoOriginalIsKept) {
  record_leaky(path(), nullptr);
  RecordedRun past = recorded();
  EXPECT_EQ(unseal(past, sealer().get()), Unsealed::NotKept);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "keys"));
  EXPECT_EQ(replayed(past).attempts, fold(past).attempts);
}

TEST_F(SealingTest, AnotherKeyIsTold) {
  record_leaky(path(), sealer());
  RecordedRun past = recorded();
  const auto other = sealer("other.key");
  other->key();
  const Error error = error_of([&] { unseal(past, other.get()); });
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.message().find("were sealed with the key"), std::string::npos);
}

TEST_F(SealingTest, AChangedOriginalIsTold) {
  record_leaky(path(), sealer());
  RecordedRun past = recorded();
  past.sealed[0].sealed.back() ^= 1;
  const Error error = error_of([&] { unseal(past, sealer().get()); });
  EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  EXPECT_NE(error.message().find("was changed"), std::string::npos);
}

TEST_F(SealingTest, ARunWithoutSecretsNeedsNoKey) {
  record_run(path(), kRun);
  RecordedRun past = recorded();
  EXPECT_EQ(unseal(past, nullptr), Unsealed::Nothing);
}

TEST_F(SealingTest, AClassThatIsSwitchedOffStaysInTheClear) {
  RunHeader header = leaky_header();
  header.redaction.personal = false;
  {
    Journal journal({.path = path()});
    Recording::record(journal, header);
  }
  const RecordedRun run = recorded();
  EXPECT_EQ(run.header.redaction, header.redaction);
  EXPECT_EQ(run.header.task.text, R"({"task":"Mail ada@example.org with [OPENAI_KEY_1]"})");
}

// A run that was killed between two calls, with the key.
TEST_F(SealingTest, AResumeAnswersWithTheOriginals) {
  {
    Journal journal({.path = path(), .sealer = sealer()});
    const auto recording = Recording::record(journal, leaky_header());
    FakeModel model([](const core::ModelRequest& request) -> core::ModelReply {
      if (request.attempt == 2) throw Error(ErrorKind::Cancelled, "the work was cancelled");
      return leaky_reply(request);
    });
    run_recorded(*recording, model);
  }
  RecordedRun past = recorded();
  EXPECT_EQ(unseal(past, sealer().get()), Unsealed::All);
  FakeModel model(leaky_reply);
  core::Run run;
  {
    Journal journal({.path = path(), .sealer = sealer()});
    const auto recording = Recording::resume(journal, past, this_process());
    run = run_recorded(*recording, model);
  }
  EXPECT_NE(run.attempts[0].output.text.find(kKey), std::string::npos);
  ASSERT_EQ(run.attempts.size(), 3u);
  RecordedRun whole = recorded();
  EXPECT_EQ(unseal(whole, sealer().get()), Unsealed::All);
  EXPECT_EQ(original_run(whole).attempts, run.attempts);
}

}  // namespace
}  // namespace hone::journal
