// Time, memory, cancellation, and what happens where protection is missing.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>

#include "hone/base/error.h"
#include "hone/sandbox/testing.h"
#include "hone/sandbox/workers.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::CodeRequest;
using core::CodeResult;
using core::Language;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

const char* endless(Language language) {
  if (language == Language::Python) return "while True: pass";
  return language == Language::Lua ? "while true do end" : ":- repeat, fail.";
}

// The least of five: others use this machine too.
TEST(Deadline, IsKeptToFiveMilliseconds) {
  for (const Language language : kLanguages) {
    CodeRequest request = request_for(language, endless(language));
    request.limits.timeout = milliseconds(100);
    auto least = steady_clock::duration::max();
    for (int i = 0; i < 5; ++i) {
      const auto started = steady_clock::now();
      EXPECT_EQ(sandbox().run_here(request).end, CodeEnd::TimedOut);
      least = std::min(least, steady_clock::now() - started);
    }
    EXPECT_GE(least, milliseconds(100));
    EXPECT_LT(least, milliseconds(110)) << core::to_string(language);
  }
}

TEST(Limits, OfProcessorTimeEndTheProcess) {
  CodeRequest request = request_for(Language::Lua, endless(Language::Lua));
  request.limits.timeout = std::chrono::seconds(60);
  request.limits.cpu = std::chrono::seconds(1);
  const CodeResult result = sandbox().run_here(request);
  EXPECT_EQ(result.end, CodeEnd::Died);
  EXPECT_EQ(result.message, "it used more processor time than it may");
}

TEST(Limits, OfMemoryAreTheRequests) {
  CodeRequest request = request_for(Language::Python, "return len(bytearray(100 * 10 ** 6)) > 0");
  request.limits.timeout = std::chrono::seconds(30);
  request.limits.memory = 64ULL << 20;
  EXPECT_EQ(sandbox().run_here(request).message, "MemoryError");
  request.limits.memory = 256ULL << 20;
  EXPECT_EQ(sandbox().run_here(request).end, CodeEnd::Returned);
}

TEST(Limits, OfTheAnswerAreTheRequests) {
  CodeRequest request = request_for(Language::Lua, "return {feedback = string.rep('x', 1000)}");
  request.limits.output = 500;
  EXPECT_EQ(sandbox().run_here(request).end, CodeEnd::TooLong);
  request.limits.output = 2000;
  EXPECT_EQ(sandbox().run_here(request).end, CodeEnd::Returned);
}

TEST(Cancelling, EndsTheCall) {
  Workers workers(HONE_WORKER, false);
  process::Pipe cancel = process::make_pipe();
  CodeRequest request = request_for(Language::Lua, endless(Language::Lua));
  request.limits.timeout = std::chrono::seconds(60);
  std::thread other([&] { cancel.write.close(); });
  EXPECT_THROW(workers.call(request, cancel.read), Error);
  other.join();
}

struct BadCode {
  Language language;
  const char* code;
  int line;
  int column;
};

TEST(Errors, OfSyntaxHaveLineAndColumn) {
  for (const BadCode& bad : {BadCode{Language::Python, "x = 1\nif x\n  y", 2, 5},
                             BadCode{Language::Lua, "local x = 1\nif x them end", 2, 6},
                             BadCode{Language::Lua, "return (1", 1, 10},
                             BadCode{Language::Prolog, "valid.\nfoo(. x", 2, 5}}) {
    const CodeResult result = called(bad.language, bad.code);
    EXPECT_EQ(result.end, CodeEnd::NotCode) << bad.code;
    EXPECT_EQ(result.line, bad.line) << bad.code;
    EXPECT_EQ(result.column, bad.column) << bad.code;
    EXPECT_FALSE(result.message.empty());
  }
}

TEST(Errors, OfRunningCodeHaveTheLine) {
  EXPECT_EQ(called(Language::Python, "x = 1\ndef f():\n  return 1 / 0\nreturn f()").line, 3);
  EXPECT_EQ(called(Language::Lua, "local x\nreturn x.y").line, 2);
  EXPECT_EQ(called(Language::Prolog, "valid.\n:- X is foo + 1, return(X).").line, 2);
}

TEST(Values, ThatAreNoJsonAreNamed) {
  EXPECT_NE(called(Language::Python, "return float('nan')").message.find("float"),
            std::string::npos);
  EXPECT_EQ(called(Language::Lua, "return print_nothing").value, std::nullopt);
  EXPECT_EQ(called(Language::Lua, "return 0 / 0").message, "a number that is not finite");
  EXPECT_EQ(called(Language::Lua, "return function() end").message, "a function");
  EXPECT_EQ(called(Language::Prolog, "return(foo(bar)).").message,
            "the term foo(bar), which is no JSON");
  EXPECT_EQ(called(Language::Prolog, "return(valid, true).\nreturn(valid, false).").message,
            "`valid` twice, as true and false");
  EXPECT_EQ(called(Language::Prolog, ":- fail.").message,
            "nothing: the goal on line 1 of it failed");
}

CodeRequest test_request(std::string code, std::string test) {
  CodeRequest request;
  request.use = core::CodeUse::Test;
  request.code = std::move(code);
  request.test = std::move(test);
  return request;
}

TEST(Tests, PassFailAndTellTheValue) {
  const char* code = "def f(x: List[int]) -> int:\n    return len(x)";
  EXPECT_EQ(sandbox().run_here(test_request(code, "assert f([1]) == 1")).end, CodeEnd::Returned);
  EXPECT_EQ(sandbox().run_here(test_request(code, "assert f([1]) == 2")).end, CodeEnd::Raised);
  EXPECT_EQ(sandbox().run_here(test_request("def f(", "assert f([1]) == 2")).end, CodeEnd::Raised);
  CodeRequest value = test_request(code, "assert f([1]) == 2");
  value.use = core::CodeUse::Value;
  EXPECT_EQ(sandbox().run_here(value).value, JsonText{"\"1\""});
}

TEST(Tests, AreNotPassedByCodeThatEndsOrLooksAround) {
  for (const char* code :
       {"import sys; sys.exit(0)", "import os; os._exit(0)", "raise SystemExit",
        "import sys\ntry:\n    sys._getframe(1).f_globals['test'] = 1\nexcept ValueError: raise",
        "import os\nos.write(3, b'A' * 100)\nos._exit(0)"}) {
    EXPECT_NE(sandbox().run_here(test_request(code, "assert False")).end, CodeEnd::Returned)
        << code;
  }
}

TEST(SharedNamespace, KeepsWhatEarlierCallsDefinedAlsoAfterATimeout) {
  CodeRequest define = test_request("leaked = 41", "assert True");
  define.shared = "kept";
  EXPECT_EQ(sandbox().run_here(define).end, CodeEnd::Returned);
  for (const char* loop : {"while True: pass",
                           "while True:\n    try:\n        while True: pass\n    except "
                           "BaseException: pass"}) {
    CodeRequest runaway = test_request(loop, "assert True");
    runaway.shared = "kept";
    runaway.limits.timeout = milliseconds(100);
    EXPECT_EQ(sandbox().run_here(runaway).end, CodeEnd::TimedOut);
    CodeRequest use = test_request("", "assert leaked == 41");
    use.shared = "kept";
    EXPECT_EQ(sandbox().run_here(use).end, CodeEnd::Returned);
  }
}

// From here on this thread, and what it starts, has a kernel without Landlock.
void take_landlock_away() {
  constexpr unsigned kCreateRuleset = 444;
  const sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCreateRuleset, 0, 1),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38),
                                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(filter), const_cast<sock_filter*>(filter)};
  ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

TEST(MissingProtection, IsToldAndRefusesCodeUnlessWeak) {
  std::thread poor([] {
    take_landlock_away();
    Sandbox strict({.program = HONE_WORKER});
    EXPECT_EQ(strict.protection(Language::Lua).missing, "landlock");
    try {
      strict.run_here(request_for(Language::Lua, "return true"));
      ADD_FAILURE() << "it ran";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
      EXPECT_EQ(error.message(), "code is not run here: this system lacks landlock");
    }
    Sandbox weak({.program = HONE_WORKER, .weak = true});
    EXPECT_EQ(weak.run_here(request_for(Language::Lua, "return true")).value, JsonText{"true"});
  });
  poor.join();
}

TEST(MissingProgram, IsAnErrorThatSaysSo) {
  Sandbox none({.program = "/nowhere/hone-worker"});
  EXPECT_THROW(none.run_here(request_for(Language::Lua, "return true")), Error);
}

}  // namespace
}  // namespace hone::sandbox
