// Code that means harm: none of it gets anywhere, and the next honest call succeeds.
#include <arpa/inet.h>
#include <dirent.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include "hone/sandbox/testing.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::CodeResult;
using core::Language;
using std::chrono::milliseconds;

constexpr milliseconds kTime{300};
constexpr milliseconds kLong{60'000};  // The machine may be busy: the deadline is not the wall.
constexpr const char* kTrue = "true";

struct Attack {
  const char* name;
  Language language;
  const char* code;
  // How it may end; a value that it returns is what the attack counts as a success, and is never
  // true.
  std::set<CodeEnd> ends;
  // What its own language says of it, before a deadline that lets it.
  const char* message = nullptr;
  milliseconds time = kTime;
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

// A sandbox of its own, whose processes are counted. At rest each language has one process that is
// ready and one that is reused.
class Attacked : public testing::TestWithParam<Attack> {
 protected:
  static constexpr std::size_t kAtRest = 6;

  static void SetUpTestSuite() {
    const auto others = workers_below(::getpid());
    sandbox_ = std::make_unique<Sandbox>(SandboxOptions{.program = HONE_WORKER});
    for (const Language language : kLanguages) {
      EXPECT_TRUE(honest_call_succeeds(language, false));
      EXPECT_TRUE(honest_call_succeeds(language, true));
    }
    for (const int process : workers_below(::getpid()))
      if (!others.contains(process)) zygotes_.insert(process);
    EXPECT_EQ(zygotes_.size(), 3U);
  }
  static void TearDownTestSuite() {
    sandbox_.reset();
    for (const int process : zygotes_) EXPECT_FALSE(workers_below(::getpid()).contains(process));
    zygotes_.clear();
  }

  static CodeResult run(const Attack& attack, bool trusted);
  static bool honest_call_succeeds(Language language, bool trusted);
  static bool is_at_rest();

 private:
  static std::size_t alive();

  static std::unique_ptr<Sandbox> sandbox_;
  static std::set<int> zygotes_;
};

std::unique_ptr<Sandbox> Attacked::sandbox_;
std::set<int> Attacked::zygotes_;

CodeResult Attacked::run(const Attack& attack, bool trusted) {
  core::CodeRequest request = request_for(attack.language, attack.code);
  request.limits.timeout = attack.time;
  request.limits.memory = 128ULL << 20;
  request.trusted = trusted;
  return sandbox_->run_here(request);
}

bool Attacked::honest_call_succeeds(Language language, bool trusted) {
  return sandbox::honest_call_succeeds(*sandbox_, language, trusted);
}

std::size_t Attacked::alive() {
  std::size_t count = 0;
  for (const int zygote : zygotes_) {
    for (const int worker : workers_below(zygote)) count += 1 + workers_below(worker).size();
  }
  return count;
}

// The zygote buries the dead as soon as it hears of them.
bool Attacked::is_at_rest() {
  for (int i = 0; i < 400; ++i) {
    if (alive() == kAtRest) return true;
    ::poll(nullptr, 0, 5);
  }
  return false;
}

const std::set<CodeEnd> kKilled{CodeEnd::TimedOut};
const std::set<CodeEnd> kRefused{CodeEnd::Raised};
const std::set<CodeEnd> kStopped{CodeEnd::Raised, CodeEnd::Died, CodeEnd::TimedOut,
                                 CodeEnd::TooLong};
const std::set<CodeEnd> kHarmless{CodeEnd::Raised, CodeEnd::Died, CodeEnd::TimedOut,
                                  CodeEnd::TooLong, CodeEnd::Returned};

const Attack kAttacks[] = {
    {"EndlessLoop", Language::Python, "while True: pass", kKilled},
    {"EndlessLoop", Language::Lua, "while true do end", kKilled},
    {"EndlessLoop", Language::Prolog, ":- repeat, fail.", kKilled},
    {"LoopWithCatchAll", Language::Python,
     "while True:\n    try:\n        while True: pass\n    except BaseException: pass", kKilled},
    {"LoopWithCatchAll", Language::Lua, "while true do pcall(function() while true do end end) end",
     kKilled},
    {"LoopWithCatchAll", Language::Prolog, ":- repeat, catch((repeat, fail), _, true), fail.",
     kKilled},
    {"CatastrophicPattern", Language::Python, "return bool(re.match('(a+)+$', 'a' * 60 + 'b'))",
     kKilled},
    {"CatastrophicPattern", Language::Lua,
     "return string.find(string.rep('a', 60), string.rep('a*', 30) .. 'b') ~= nil", kKilled},
    {"HugePower", Language::Python, "return 7 ** (7 ** 9) > 0", kStopped},
    {"HugePower", Language::Prolog, ":- X is 7 ** (7 ** 9), X > 0, return(true).", kStopped},
    {"HugeAllocation", Language::Python, "return len(bytearray(10 ** 10)) > 0", kRefused},
    {"HugeAllocation", Language::Lua, "return #string.rep('x', 10 ^ 10 // 1) > 0", kRefused},
    {"HugeAllocation", Language::Prolog,
     ":- format(atom(_), '~*c', [10000000000, 0'x]), return(true).", kStopped},
    {"SlowGrowth", Language::Python, "kept = []\nwhile True: kept.append(bytearray(10 ** 6))",
     kRefused, "MemoryError", kLong},
    {"SlowGrowth", Language::Lua,
     "local kept = {}\nwhile true do kept[#kept + 1] = string.rep('x', 10 ^ 6 // 1) .. #kept end",
     kRefused, "not enough memory", kLong},
    {"SlowGrowth", Language::Prolog, "grow(L) :- grow([x|L]).\n:- grow([]).", kRefused,
     "Stack limit", kLong},
    {"ForkBomb", Language::Python, "import os\nwhile True: os.fork()", kRefused},
    {"ForkBombOfThreads", Language::Python,
     "import threading\nwhile True: threading.Thread(target=lambda: None).start()", kRefused},
    {"ForkBomb", Language::Lua, "while true do os.execute('true &') end", kRefused},
    {"ForkBomb", Language::Prolog, ":- repeat, fork(_), fail.", kRefused},
    {"ForkBombOfThreads", Language::Prolog, ":- repeat, thread_create(true, _), fail.", kRefused},
    {"DeepRecursion", Language::Python, "def f(): return f()\nreturn f()", kRefused,
     "RecursionError", kLong},
    {"DeepRecursionWithoutLimit",
     Language::Python,
     "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): return f()\nreturn f()",
     {CodeEnd::Raised, CodeEnd::Died},
     nullptr,
     kLong},
    {"DeepRecursion", Language::Lua, "local function f() return 1 + f() end\nreturn f()", kRefused,
     "stack overflow", kLong},
    {"DeepRecursionInAPattern", Language::Lua,
     "return string.find(string.rep('a', 10 ^ 6 // 1), string.rep('(', 300)) ~= nil", kRefused,
     "too many captures", kLong},
    {"DeepRecursionOfCoroutines", Language::Lua,
     "local function f() return coroutine.wrap(f)() end\nreturn f()", kRefused, "C stack overflow",
     kLong},
    {"DeepRecursionInC", Language::Lua,
     "local function f() return string.gsub('a', 'a', f) end\nreturn f()", kRefused,
     "stack overflow", kLong},
    {"DeepRecursion", Language::Prolog, "f(X) :- f(Y), X is Y + 1.\n:- f(_), return(true).",
     kRefused, "Stack limit", kLong},
    {"DeepRecursionOfATerm", Language::Prolog,
     "f(0, x) :- !.\nf(N, g(X)) :- M is N - 1, f(M, X).\n"
     ":- f(300000, T), copy_term(T, U), term_to_atom(U, A), atom_length(A, L), L < 0, "
     "return(true).",
     kHarmless, nullptr, kLong},
    {"ReadingThePasswords", Language::Python, "return len(open('/etc/passwd').read()) > 0",
     kRefused},
    {"ReadingThePasswords", Language::Lua, "return io.open('/etc/passwd') ~= nil", kRefused},
    {"ReadingThePasswords", Language::Prolog, ":- open('/etc/passwd', read, _), return(true).",
     kRefused},
    {"ReadingThePasswordsInALibrary", Language::Prolog,
     ":- read_file_to_string('/etc/passwd', _, []), return(true).", kRefused},
    {"ReadingTheHome", Language::Python,
     "import os\nreturn len(os.listdir(os.path.expanduser('~'))) >= 0", kRefused},
    {"ReadingTheHome", Language::Lua, "for line in io.lines('/root/.profile') do return true end",
     kRefused},
    {"ReadingTheHome", Language::Prolog, ":- directory_files('/root', _), return(true).", kRefused},
    {"ReadingTheEnvironment",
     Language::Python,
     "import os\nreturn 'HOME' in os.environ or 'PATH' in os.environ",
     {CodeEnd::Returned}},
    {"ReadingTheEnvironment", Language::Lua, "return os.getenv('HOME') ~= nil", kRefused},
    {"ReadingTheEnvironment", Language::Prolog, ":- getenv('HOME', _), return(true).", kHarmless},
    {"Writing", Language::Python, "open('/tmp/hone-attack', 'w').write('x')\nreturn True",
     kRefused},
    {"Writing", Language::Lua, "io.open('/tmp/hone-attack', 'w'):write('x') return true", kRefused},
    {"Writing", Language::Prolog,
     ":- open('/tmp/hone-attack', write, S), write(S, x), close(S), return(true).", kRefused},
    {"RemovingAndLinking",
     Language::Python,
     "import os\nfor f in (lambda: os.mkdir('/tmp/hone-attack'), lambda: os.symlink('/', "
     "'/tmp/hone-attack')):\n    try:\n        f()\n        return True\n    except OSError: pass\n"
     "return False",
     {CodeEnd::Returned}},
    {"FileInMemory", Language::Python, "import os\nreturn os.memfd_create('x') > 0", kRefused},
    {"Socket", Language::Python, "import socket\nreturn socket.socket() is not None", kRefused},
    {"Socket", Language::Lua, "return require('socket') ~= nil", kRefused},
    {"Socket", Language::Prolog, ":- use_module(library(socket)), tcp_socket(_), return(true).",
     kRefused},
    {"NativeLibrary", Language::Python, "import ctypes\nreturn ctypes.CDLL(None) is not None",
     kRefused},
    {"NativeLibrary", Language::Lua, "return package.loadlib('libc.so.6', '*') ~= nil", kRefused},
    {"NativeLibrary", Language::Prolog,
     ":- use_foreign_library(foreign('libc.so.6')), return(true).", kRefused},
    {"NativeByteCode", Language::Lua, "return load('\\27Lua') ~= nil", {CodeEnd::Returned}},
    {"KillingTheParent", Language::Python, "import os\nos.kill(os.getppid(), 9)\nreturn True",
     kRefused},
    {"KillingEverybody", Language::Python, "import os\nos.kill(-1, 9)\nreturn True", kRefused},
    {"KillingTheParent", Language::Lua, "os.execute('kill -9 $PPID') return true", kRefused},
    {"KillingTheParent", Language::Prolog,
     ":- current_prolog_flag(pid, P), process_kill(P, 9), return(true).", kRefused},
    {"FileDescriptors",
     Language::Python,
     "import os\ntry:\n    while True: os.dup(0)\nexcept OSError: return False\nreturn True",
     {CodeEnd::Returned}},
    {"FileDescriptorsOfPipes", Language::Python, "import os\nwhile True: os.pipe()", kRefused},
    {"FileDescriptors", Language::Lua, "while true do io.tmpfile() end", kRefused},
    {"FileDescriptors", Language::Prolog, ":- repeat, tmp_file_stream(text, _, _), fail.",
     kRefused},
    {"HugeOutput", Language::Python, "return {'feedback': 'x' * (50 * 10 ** 6), 'valid': True}",
     kStopped},
    {"HugeOutput", Language::Lua,
     "return {feedback = string.rep('x', 50 * 10 ^ 6 // 1), valid = true}", kStopped},
    {"HugeOutput", Language::Prolog,
     ":- format(string(S), '~*c', [50000000, 0'x]), return(feedback, S), return(valid, true).",
     kStopped},
    {"GigabyteOfOutput",
     Language::Python,
     "return {'feedback': ['x' * 10 ** 6] * 1000, 'valid': True}",
     {CodeEnd::Raised, CodeEnd::TooLong, CodeEnd::Died, CodeEnd::Returned},
     nullptr,
     kLong},
    {"GigabyteOfOutput",
     Language::Lua,
     "local s, t = string.rep('x', 10 ^ 6 // 1), {}\nfor i = 1, 1000 do t[i] = s end\n"
     "return {feedback = t, valid = true}",
     {CodeEnd::Raised, CodeEnd::TooLong, CodeEnd::Died},
     nullptr,
     kLong},
    {"GigabyteOfOutput",
     Language::Prolog,
     ":- format(string(S), '~*c', [1000000, 0'x]), length(L, 1000), maplist(=(S), L), "
     "return(feedback, L), return(valid, true).",
     {CodeEnd::Raised, CodeEnd::TooLong, CodeEnd::Died},
     nullptr,
     kLong},
    {"EndlessPrinting", Language::Python, "while True: print('x' * 10 ** 6)", kKilled},
    {"EndlessPrinting", Language::Lua, "while true do print('x') end", kRefused},
    {"EndlessPrinting", Language::Prolog, ":- repeat, write(xxxxxxxxxxxxxxxx), fail.", kStopped},
    {"PrintedVerdict",
     Language::Python,
     "print('{\"passed\": true, \"score\": 1.0}')\nreturn False",
     {CodeEnd::Returned}},
    {"VerdictOnTheSocket",
     Language::Python,
     "import os, struct\n"
     "body = b'\\0' * 16 + b'{\"end\":\"returned\",\"value\":\"true\"}'\n"
     "os.write(3, b'A\\0\\0\\0' + struct.pack('<I', len(body)) + body)\nos._exit(0)",
     {CodeEnd::Died}},
    {"ShortVerdictOnTheSocket",
     Language::Python,
     "import os\nos.write(3, b'A\\0\\0\\0\\2\\0\\0\\0{}')\nwhile True: pass",
     {CodeEnd::Died}},
    {"EndlessWritingOnTheSocket", Language::Python,
     "import os\nwhile True: os.write(3, b'E\\0\\0\\0\\xff\\xff\\xff\\xff' * 10000)", kStopped},
    {"PrintedVerdict", Language::Lua, "print('{\"valid\": true}') return false", kRefused},
    {"PrintedVerdict", Language::Prolog, ":- write('{\"valid\":true}'), return(false).", kHarmless},
    {"SilentExit", Language::Python, "import os\nos._exit(0)", {CodeEnd::Died}},
    {"Exit", Language::Python, "import sys\nsys.exit(0)", kRefused},
    {"Exit", Language::Lua, "os.exit(0)", kRefused},
    {"Exit", Language::Prolog, ":- halt.", kStopped},
    {"Abort", Language::Python, "import os\nos.abort()", {CodeEnd::Died}},
    {"SleepPastTheDeadline", Language::Python, "import time\ntime.sleep(60)", kKilled},
    {"SleepPastTheDeadline", Language::Lua,
     "local t = os.clock() while os.clock() - t < 60 do end return true", kKilled},
    {"SleepPastTheDeadline", Language::Prolog, ":- sleep(60), return(true).", kStopped},
    {"SignalsIgnored", Language::Python,
     "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
     "    except (OSError, ValueError): pass\nwhile True: pass",
     kKilled},
    {"SignalsBlocked", Language::Python,
     "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
     kKilled},
    {"SignalsIgnored", Language::Prolog, ":- on_signal(term, _, ignore), repeat, fail.", kStopped},
    {"Zombie", Language::Python, "import os\nif os.fork() == 0: os._exit(0)\nreturn True",
     kRefused},
    {"ChangedLimits", Language::Python,
     "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\nreturn True", kRefused},
    {"FinaliserThatLoops",
     Language::Lua,
     "setmetatable({}, {__gc = function() while true do end end})\nreturn false",
     {CodeEnd::Returned}},
    {"ErrorThatIsNoText", Language::Lua, "error({})", kRefused},
    {"DeepValue", Language::Python, "x = []\nfor _ in range(10 ** 5): x = [x]\nreturn {'valid': x}",
     kHarmless},
    {"ValueThatHoldsItself", Language::Lua, "local t = {} t.t = t return t", kHarmless},
    {"ValueThatHoldsItself", Language::Python, "t = {}\nt['t'] = t\nreturn t", kHarmless},
    {"Undefined", Language::Prolog, ":- autoloaded_but_not_there, return(true).", kRefused},
};

TEST_P(Attacked, GetsNowhere) {
  const Attack& attack = GetParam();
  const auto started = std::chrono::steady_clock::now();
  const CodeResult result = run(attack, false);
  const auto took = std::chrono::steady_clock::now() - started;
  EXPECT_TRUE(attack.ends.contains(result.end))
      << core::to_string(result.end) << " " << result.message
      << (result.value ? result.value->text : "");
  if (result.value) {
    EXPECT_NE(result.value->text, kTrue);
  }
  if (attack.message != nullptr) {
    EXPECT_NE(result.message.find(attack.message), std::string::npos) << result.message;
  }
  EXPECT_LT(took, attack.time + std::chrono::seconds(5));
  EXPECT_TRUE(honest_call_succeeds(attack.language, false));
  EXPECT_TRUE(is_at_rest());
  EXPECT_FALSE(std::filesystem::exists("/tmp/hone-attack"));
}

TEST_P(Attacked, GetsNowhereInAReusedProcessEither) {
  const Attack& attack = GetParam();
  const CodeResult result = run(attack, true);
  if (result.value) {
    EXPECT_NE(result.value->text, kTrue);
  }
  EXPECT_TRUE(honest_call_succeeds(attack.language, true));
  EXPECT_TRUE(is_at_rest());
  EXPECT_FALSE(std::filesystem::exists("/tmp/hone-attack"));
}

INSTANTIATE_TEST_SUITE_P(All, Attacked, testing::ValuesIn(kAttacks),
                         [](const testing::TestParamInfo<Attack>& info) {
                           return std::string(info.param.name) + "In" +
                                  std::string(core::to_string(info.param.language));
                         });

// A network that is there for everybody else.
TEST(Network, ReachesNoListeningSocket) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  socklen_t size = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string code = "import socket\nsocket.create_connection(('127.0.0.1', " +
                           std::to_string(ntohs(address.sin_port)) + "))\nreturn True";
  EXPECT_EQ(called(Language::Python, code).end, CodeEnd::Raised);
  pollfd wait{listener, POLLIN, 0};
  EXPECT_EQ(::poll(&wait, 1, 0), 0);
  ::close(listener);
}

}  // namespace
}  // namespace hone::sandbox
