// Processes that code may start, and the process that is ready for the next call.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include "hone/sandbox/testing.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::CodeRequest;
using core::CodeResult;
using core::Language;
using std::chrono::milliseconds;

CodeResult called_with(std::uint32_t processes, const char* code, bool trusted = false) {
  CodeRequest request = request_for(Language::Python, code);
  request.limits.timeout = std::chrono::seconds(30);
  request.limits.processes = processes;
  request.trusted = trusted;
  return sandbox().run_here(request);
}

constexpr const char* kThreeThreads = R"py(import threading
wait = threading.Event()
threads = [threading.Thread(target=wait.wait) for _ in range(3)]
try:
    for thread in threads: thread.start()
finally: wait.set()
for thread in threads: thread.join()
return 1.0)py";

TEST(Processes, AreAsManyAsTheRequestAllows) {
  for (const std::uint32_t processes : {0, 2})
    EXPECT_EQ(called_with(processes, kThreeThreads).message,
              "RuntimeError: can't start new thread");
  const CodeResult result = called_with(3, kThreeThreads);
  EXPECT_EQ(result.value, JsonText{"1.0"}) << result.message;
}

TEST(Processes, AreCountedForEachCallAlone) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([] { EXPECT_EQ(called_with(3, kThreeThreads).value, JsonText{"1.0"}); });
  }
  for (std::thread& caller : callers) caller.join();
}

// Each starts the next and waits for it; the value is how many there were beside the first.
TEST(Processes, OfProcessesCountToo) {
  const CodeResult result = called_with(4, R"py(import os
depth = 0
while True:
    try: child = os.fork()
    except OSError:
        if depth == 0: raise
        os._exit(depth)
    if child:
        deepest = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if depth == 0: return {'score': deepest / 10, 'valid': False}
        os._exit(deepest)
    depth += 1)py");
  ASSERT_TRUE(result.value) << result.message;
  EXPECT_EQ(canonical(result.value->text), R"({"score":0.4,"valid":false})");
}

bool is_running(int process) { return std::filesystem::exists("/proc/" + std::to_string(process)); }

TEST(Processes, EndWithTheCall) {
  for (const bool trusted : {false, true}) {
    const CodeResult result = called_with(4, R"py(import os
child = os.fork()
if child == 0:
    os.fork()
    while True: pass
return {'feedback': str(child), 'valid': True})py",
                                          trusted);
    ASSERT_TRUE(result.value) << result.message;
    const int child = std::stoi(parse_json(result.value->text)["feedback"].get<std::string>());
    for (int i = 0; i < 1000 && is_running(child); ++i)
      std::this_thread::sleep_for(milliseconds(5));
    EXPECT_FALSE(is_running(child));
  }
}

TEST(Processes, EndAtTheDeadline) {
  const auto others = workers_below(::getpid());
  Sandbox own({.program = HONE_WORKER});
  CodeRequest request =
      request_for(Language::Python, "import os\nos.fork()\nos.fork()\nwhile True: pass");
  request.limits.timeout = milliseconds(200);
  request.limits.processes = 8;
  EXPECT_EQ(own.run_here(request).end, CodeEnd::TimedOut);
  for (const int zygote : workers_below(::getpid())) {
    if (others.contains(zygote)) continue;
    // What a dead worker had started is passed on to the zygote, which ends it: so there is one,
    // the one that is ready, and it stays one.
    int calm = 0;
    // Before the limit of processor time would end them.
    for (int i = 0; i < 200 && calm < 20; ++i) {
      calm = workers_below(zygote).size() > 1 ? 0 : calm + 1;
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_EQ(calm, 20);
  }
}

// What was forked and returns like its parent is not the worker.
TEST(Processes, HaveNoSayInTheAnswer) {
  EXPECT_EQ(called_with(1, R"py(import os, time
if os.fork() == 0: return True
time.sleep(0.2)
return False)py")
                .value,
            JsonText{"false"});
}

TEST(Processes, HaveNoOtherRightsThanTheCall) {
  for (const char* code :
       {"import os\nos.kill(os.getpid(), 9)", "open('/etc/passwd')", "import os\nos.setsid()",
        "import os\nos.setpgid(0, 0)", "import socket\nsocket.socket()",
        "import os\nos.execv('/bin/true', ['true'])", "import os\nos.setuid(0)"}) {
    EXPECT_EQ(called_with(4, code).end, CodeEnd::Raised) << code;
  }
}

TEST(FreshCalls, HaveAProcessEach) {
  std::set<std::string> processes;
  constexpr std::size_t kCalls = 50;
  for (std::size_t i = 0; i < kCalls; ++i) {
    const CodeResult result = called(Language::Python, R"py(import os, builtins
used = hasattr(builtins, 'used')
builtins.used = True
return {'feedback': str(os.getpid()), 'valid': not used})py");
    ASSERT_TRUE(result.value) << result.message;
    const Json value = parse_json(result.value->text);
    EXPECT_EQ(value["valid"], true);
    processes.insert(value["feedback"].get<std::string>());
  }
  EXPECT_EQ(processes.size(), kCalls);
}

// What is ready fits any limits.
TEST(FreshCalls, HaveTheirOwnLimitsEach) {
  CodeRequest request = request_for(Language::Python, "return len(bytearray(100 * 10 ** 6)) > 0");
  request.limits.timeout = std::chrono::seconds(30);
  for (int i = 0; i < 4; ++i) {
    request.limits.memory = (i % 2 == 0 ? 64ULL : 256ULL) << 20;
    EXPECT_EQ(sandbox().run_here(request).end, i % 2 == 0 ? CodeEnd::Raised : CodeEnd::Returned);
  }
}

TEST(FreshCalls, GoOnWhenSomebodyKilledTheProcessThatWaits) {
  const auto others = workers_below(::getpid());
  Sandbox own({.program = HONE_WORKER});
  const CodeRequest request = request_for(Language::Lua, "return true");
  EXPECT_EQ(own.run_here(request).value, JsonText{"true"});
  int killed = 0;
  for (const int zygote : workers_below(::getpid())) {
    if (others.contains(zygote)) continue;
    // The one that answered may still be dying when the one that waits is not there yet.
    for (auto workers = workers_below(zygote); killed == 0 || !workers.empty();
         workers = workers_below(zygote)) {
      for (const int worker : workers) killed += ::kill(worker, SIGKILL) == 0 ? 1 : 0;
      std::this_thread::yield();
    }
  }
  EXPECT_GE(killed, 1);
  EXPECT_EQ(own.run_here(request).value, JsonText{"true"});
}

}  // namespace
}  // namespace hone::sandbox
