#include "hone/process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "hone/async/cancel.h"
#include "hone/async/group.h"
#include "hone/async/run_sync.h"
#include "hone/async/worker_pool.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

async<void> run_into(Ended& ended, ProcessOptions options) {
  ended = co_await run_process(std::move(options));
}

Ended run(ProcessOptions options) {
  Ended ended;
  run_sync([&] { return run_into(ended, options); });
  return ended;
}

Ended run(const std::string& command) {
  ProcessOptions options;
  options.command = command;
  return run(options);
}

// The state letter of a process: Z for a zombie, absent for none.
std::optional<char> state_of(pid_t id) {
  std::ifstream stream("/proc/" + std::to_string(id) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  return text[name_end + 2];
}

// A killed process takes a moment to die; who is not dead after five seconds lives.
bool dies(pid_t id) {
  const auto until = Steady::now() + seconds(5);
  while (Steady::now() < until) {
    const auto state = state_of(id);
    if (!state || *state == 'Z' || *state == 'X') return true;
    std::this_thread::yield();
  }
  return false;
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

// Every test leaves neither a child, not even a zombie, nor an open descriptor.
class Process : public testing::Test {
 protected:
  void SetUp() override { descriptors_ = open_descriptors(); }
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(open_descriptors(), descriptors_);
  }

 private:
  std::size_t descriptors_ = 0;
};

struct EndCase {
  std::string command;
  std::optional<int> exit_code;
  std::optional<int> signal;
};
TEST_F(Process, EndsWithACodeOrASignal) {
  const EndCase cases[] = {{"true", 0, {}},
                           {"exit 7", 7, {}},
                           {"no-such-command-anywhere", 127, {}},
                           {"/etc/passwd", 126, {}},
                           {"kill -SEGV $$", {}, SIGSEGV},
                           {"kill -KILL $$", {}, SIGKILL}};
  for (const EndCase& test : cases) {
    const Ended ended = run(test.command);
    EXPECT_EQ(ended.exit_code, test.exit_code) << test.command;
    EXPECT_EQ(ended.signal, test.signal) << test.command;
    EXPECT_FALSE(ended.timed_out) << test.command;
  }
}

TEST_F(Process, GetsInputAndVariablesAndKeepsStreamsApart) {
  ProcessOptions options;
  options.command = "cat; echo \"$GREETING\" >&2; cat \"$TEXT_FILE\" >&2; pwd >&2";
  options.input = "from stdin";
  options.environment = {{"GREETING", "hello"}};
  options.files = {{"TEXT_FILE", "from a file\n"}};
  options.directory = "/";
  const Ended ended = run(options);
  EXPECT_EQ(ended.output, "from stdin");
  EXPECT_EQ(ended.errors, "hello\nfrom a file\n/\n");
}

TEST_F(Process, StartsWithDefaultSignalsAndNoDescriptorOfOurs) {
  const int leaked = ::fcntl(STDERR_FILENO, F_DUPFD, 77);  // Not marked to be closed.
  ASSERT_GE(leaked, 77);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const std::string number = std::to_string(leaked);
  const Ended ended = run("test -e /proc/$$/fd/" + number + " && echo leaked; kill -PIPE $$");
  std::signal(SIGPIPE, before);
  ::close(leaked);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(ended.signal, SIGPIPE);
}

TEST_F(Process, SaysWhatCannotBeStarted) {
  ProcessOptions options;
  options.command = "true";
  options.directory = "/no/such/directory";
  try {
    run(options);
    ADD_FAILURE() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("/no/such/directory"), std::string::npos) << error.message();
  }
  EXPECT_THROW(run(std::string("true\0false", 10)), Error);
}

TEST_F(Process, ThatDoesNotReadItsInputIsNotHarmedByIt) {
  ProcessOptions options;
  options.command = "exec 0<&-; echo done";
  options.input = std::string(4 << 20, 'x');
  EXPECT_EQ(run(options).output, "done\n");
  options.command = "echo done";
  EXPECT_EQ(run(options).exit_code, 0);
}

TEST_F(Process, ReadsAndWritesAtOnceWithoutDeadlock) {
  ProcessOptions options;
  options.command = "cat; cat >&2 /dev/null";
  options.input = std::string(4 << 20, 'x');
  options.output_limit = 8 << 20;
  const Ended ended = run(options);
  EXPECT_EQ(ended.output.size(), options.input.size());
  EXPECT_FALSE(ended.truncated);
}

TEST_F(Process, OutputIsCappedAndTheRestDrained) {
  ProcessOptions options;
  options.command = "head -c 10485760 /dev/zero | tr '\\0' x; echo end >&2";
  options.output_limit = 1000;
  const Ended ended = run(options);
  EXPECT_EQ(ended.output, std::string(1000, 'x'));
  EXPECT_EQ(ended.errors, "end\n");
  EXPECT_TRUE(ended.truncated);
  EXPECT_EQ(ended.exit_code, 0);
}

TEST_F(Process, OutputThatIsNotUtf8IsRepaired) {
  const Ended ended = run("printf 'a\\377b'");
  EXPECT_EQ(ended.output,
            "a\xEF\xBF\xBD"
            "b");
}

struct StuckCase {
  std::string name;
  std::string command;
};
const StuckCase kStuck[] = {
    {"loops", "while true; do true; done"},
    {"ignores SIGTERM", "trap '' TERM; while true; do true; done"},
    {"its children ignore SIGTERM", "sh -c 'trap \"\" TERM; while true; do sleep 1; done'; true"},
    {"writes for ever", "yes"},
    {"stopped", "kill -STOP $$"},
    {"waits for a child", "sleep 1000; echo woke"}};
TEST_F(Process, ThatDoesNotEndIsKilledWithItsGroup) {
  for (const StuckCase& test : kStuck) {
    ProcessOptions options;
    options.command = "echo $$; " + test.command;
    options.timeout = milliseconds(100);
    options.grace = milliseconds(50);
    options.output_limit = 100;
    const auto started = Steady::now();
    const Ended ended = run(options);
    EXPECT_LT(Steady::now() - started, seconds(5)) << test.name;
    EXPECT_TRUE(ended.timed_out) << test.name;
    const auto group = static_cast<pid_t>(std::stol(ended.output));
    EXPECT_TRUE(dies(group)) << test.name;
  }
}

TEST_F(Process, MayUseItsGraceToSayGoodbye) {
  ProcessOptions options;
  options.command = "trap 'echo bye; exit 3' TERM; while true; do sleep 0.01; done";
  options.timeout = milliseconds(200);
  options.grace = seconds(20);
  const Ended ended = run(options);
  EXPECT_TRUE(ended.timed_out);
  EXPECT_EQ(ended.output, "bye\n");
  EXPECT_EQ(ended.exit_code, 3);
}

TEST_F(Process, LeavesNoGrandchildInTheBackground) {
  const std::string_view commands[] = {
      "sleep 1000 & echo $!",                                       // Keeps the pipes open.
      "sleep 1000 >/dev/null 2>&1 & echo $!",                       // Does not.
      "sh -c 'trap \"\" TERM; sleep 1000; sleep 1000' & echo $!"};  // Ignores a polite request.
  for (const std::string_view command : commands) {
    const auto started = Steady::now();
    const Ended ended = run(std::string(command));
    EXPECT_LT(Steady::now() - started, seconds(5)) << command;
    EXPECT_FALSE(ended.timed_out) << command;
    EXPECT_EQ(ended.exit_code, 0) << command;
    EXPECT_TRUE(dies(static_cast<pid_t>(std::stol(ended.output)))) << command;
  }
}

// A named pipe: who reads it waits for the one who writes it.
class Signpost {
 public:
  Signpost() {
    char directory[] = "/tmp/hone-test-XXXXXX";
    directory_ = ::mkdtemp(directory);
    EXPECT_EQ(::mkfifo(path().c_str(), 0600), 0);
  }
  Signpost(const Signpost&) = delete;
  Signpost& operator=(const Signpost&) = delete;
  ~Signpost() { std::filesystem::remove_all(directory_); }
  std::string path() const { return directory_ / "fifo"; }

 private:
  std::filesystem::path directory_;
};

async<void> cancel_when_written(WorkerPool& pool, std::string path, std::string& written) {
  const auto read = [&written, path] { std::getline(std::ifstream(path), written); };
  co_await pool.run(read);
  throw Error(ErrorKind::Internal, "this cancels the others");
}

async<void> run_and_keep_failure(std::exception_ptr& failure, ProcessOptions options) {
  Ended ended;
  failure = co_await caught(run_into(ended, std::move(options)));
}

// Cancels the command when it has written to `path`; what it wrote, and its failure.
std::pair<std::string, std::exception_ptr> cancelled_after_writing(const ProcessOptions& options,
                                                                   const std::string& path) {
  std::string written;
  std::exception_ptr failure;
  WorkerPool pool(1);
  const auto start = [&](std::size_t index) {
    return index == 0 ? run_and_keep_failure(failure, options)
                      : cancel_when_written(pool, path, written);
  };
  EXPECT_THROW(run_sync([&] { return for_each_index(2, 2, start); }), Error);
  return {written, failure};
}

TEST_F(Process, DiesWhenItIsCancelled) {
  for (const std::string trap : {"", "trap '' TERM;"}) {
    const Signpost signpost;
    ProcessOptions options;
    options.command =
        trap + "sleep 1000 & echo $$ $! $SECRET_FILE >" + signpost.path() + "; wait; sleep 1000";
    options.files = {{"SECRET_FILE", "secret"}};
    options.grace = milliseconds(100);
    const auto started = Steady::now();
    const auto [written, failure] = cancelled_after_writing(options, signpost.path());
    EXPECT_LT(Steady::now() - started, seconds(5));
    ASSERT_TRUE(failure);
    EXPECT_EQ(to_error(failure).kind(), ErrorKind::Cancelled);
    const auto words = split(written, ' ');
    ASSERT_EQ(words.size(), 3U) << written;
    EXPECT_TRUE(dies(static_cast<pid_t>(std::stol(words[0]))));
    EXPECT_TRUE(dies(static_cast<pid_t>(std::stol(words[1]))));
    EXPECT_FALSE(std::filesystem::exists(words[2]));
  }
}

TEST_F(Process, ManyRunAtOnce) {
  std::vector<Ended> ended(40);
  const auto start = [&](std::size_t index) {
    ProcessOptions options;
    options.command = "cat; exit " + std::to_string(index);
    options.input = std::to_string(index);
    return run_into(ended[index], options);
  };
  run_sync([&] { return for_each_index(ended.size(), 20, start); });
  for (std::size_t i = 0; i < ended.size(); ++i) {
    EXPECT_EQ(ended[i].output, std::to_string(i));
    EXPECT_EQ(ended[i].exit_code, static_cast<int>(i));
  }
}

TEST_F(Process, WhoseStatusSomebodyElseTookIsAnErrorNotASuccess) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_THROW(run("true"), Error);
  std::signal(SIGCHLD, before);
}

}  // namespace
}  // namespace hone::process
