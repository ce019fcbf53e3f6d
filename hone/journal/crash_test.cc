// Kills processes at random instants and looks at what they leave.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <sstream>

#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

constexpr int kKills = 20;

struct Child {
  pid_t process = 0;
  FILE* told = nullptr;
};

Child start(const std::string& store, const std::string& run) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::string program = HONE_CRASH_CHILD;
  std::string path = store;
  std::string id = run;
  char* const arguments[] = {program.data(), path.data(), id.data(), nullptr};
  Child child;
  EXPECT_EQ(posix_spawn(&child.process, program.c_str(), &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child.told = fdopen(ends[0], "r");
  return child;
}

// Kills the child after it has told of `lines` attempts; the attempts it told of in all.
int kill_after(const Child& child, int lines, useconds_t then_wait) {
  char line[128];
  int attempts = 0;
  const auto read_one = [&] {
    if (fgets(line, sizeof line, child.told) == nullptr) return false;
    std::istringstream words(line);
    std::string run;
    words >> run >> attempts;
    return true;
  };
  for (int i = 0; i < lines; ++i) EXPECT_TRUE(read_one()) << "the child ended by itself";
  usleep(then_wait);  // The instant of the kill is the random input of this test.
  kill(child.process, SIGKILL);
  while (read_one()) {
  }
  fclose(child.told);
  int status = 0;
  waitpid(child.process, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  return attempts;
}

class CrashTest : public StoreTest {
 protected:
  std::string integrity() {
    auto database = sqlite::Database::open({.path = path()});
    auto check = database.prepare("PRAGMA integrity_check");
    return check.step() ? std::string(check.text(0)) : "nothing";
  }
};

TEST_F(CrashTest, LosesNoAttemptThatWasFollowedByADurableEffect) {
  std::mt19937 random(20'260'101);
  for (int i = 0; i < kKills; ++i) {
    const std::string id = "run" + std::to_string(100 + i);
    const Child child = start(path(), id);
    const int lines = static_cast<int>(random() % 6);
    const int told = kill_after(child, lines, static_cast<useconds_t>(random() % 20'000));
    ASSERT_EQ(integrity(), "ok");
    RunStore store(path());
    if (told == 0 && store.list().empty()) continue;  // Killed before it had begun.
    const auto lines_now = store.list();
    const auto found = std::ranges::find(lines_now, id, &RunLine::run);
    if (told == 0 && found == lines_now.end()) continue;
    ASSERT_NE(found, lines_now.end());
    EXPECT_EQ(found->state, State::Interrupted);
    const core::Run run = store.load(id);
    ASSERT_GE(static_cast<int>(run.attempts.size()), told);
    for (const core::Attempt& attempt : run.attempts) {
      EXPECT_EQ(attempt.evaluation.score, Score(0.1));
      EXPECT_EQ(attempt.output.text,
                "text of attempt " + std::to_string(attempt.number) + std::string(300, '.'));
    }
  }
}

TEST_F(CrashTest, LetsAKilledRunBeResumed) {
  const Child child = start(path(), "run1");
  kill_after(child, 3, 0);
  const RecordedRun past = RunStore(path()).recorded("run1");
  ASSERT_GE(past.effects.size(), 9u);
  FakeModel model(scripted_reply);
  Journal journal({.path = path()});
  const auto recording = Recording::resume(journal, past, this_process());
  JournaledModel journaled(*recording, model);
  EXPECT_EQ(RunStore(path()).find_run("run1").state, State::Interrupted);
  journal.flush();
  EXPECT_EQ(RunStore(path()).find_run("run1").state, State::Running);
  EXPECT_EQ(fold(RunStore(path()).recorded("run1")).attempts, fold(past).attempts);
}

TEST_F(CrashTest, NobodyElseGoesOnWithARunUntilItsProcessIsDead) {
  const Child child = start(path(), "run1");
  char line[128];
  ASSERT_NE(fgets(line, sizeof line, child.told), nullptr);
  Journal journal({.path = path()});
  const Error error = error_of([&] { journal.claim("run1", 1); });
  EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
  EXPECT_NE(error.message().find("goes on in process " + std::to_string(child.process)),
            std::string::npos)
      << error.message();
  kill_after(child, 0, 0);
  journal.claim("run1", RunStore(path()).recorded("run1").next_sequence);
}

}  // namespace
}  // namespace hone::journal
