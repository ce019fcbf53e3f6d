// Code that is run in a sandbox: an effect beside models and processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hone/async/async.h"
#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/context.h"
#include "hone/core/usage.h"

namespace hone::core {

enum class Language { Python, Lua, Prolog };
std::string_view to_string(Language language);  // "python", "lua", "prolog".
std::optional<Language> language_from(std::string_view text);

// What the code is for.
enum class CodeUse {
  Check,  // Judges the variables; what it returns is the value.
  Test,   // Python only: runs `code`, then `test`; the value is true, a failure raises.
  Value   // Python only: runs `code`; the value is the text of what `test` asserts about.
};
std::string_view to_string(CodeUse use);  // "check", "test", "value".

// How much one call may use. No file can be opened, no network reached.
struct CodeLimits {
  Duration timeout = std::chrono::seconds(2);  // Then the process is killed.
  std::optional<Duration> cpu;                 // Absent: a second more than the time.
  std::uint64_t memory = 256 * 1024 * 1024;    // Bytes of address space beside the language.
  std::size_t output = 1024 * 1024;            // Longest answer in bytes.
  std::uint32_t processes = 0;  // At once, beside its own; threads count. What is left is killed.

  bool operator==(const CodeLimits&) const = default;
};

struct CodeRequest {
  Language language = Language::Python;
  CodeUse use = CodeUse::Check;
  std::string code;
  JsonText variables{"{}"};  // Of a check: an object; each member is a variable.
  std::string test;          // Of Test and Value: one snippet.
  CodeLimits limits;
  // Runs in a process that earlier calls have used: faster, for code of one's own.
  bool trusted = false;
  // Requests with the same name share one namespace and see what earlier ones defined, in order.
  // Only for the exact replay of runs that were made so; empty: every request is on its own.
  std::string shared = {};
  Role role = Role::Evaluate;

  bool operator==(const CodeRequest&) const = default;
};

enum class CodeEnd {
  Returned,  // `value` is there, unless `message` says why it is no JSON.
  Raised,    // An error of the code's own, in `message`.
  NotCode,   // It does not compile.
  TimedOut,
  Died,    // The process ended without an answer: it exited, crashed or used too much.
  TooLong  // Its answer is longer than the limit.
};
std::string_view to_string(CodeEnd end);  // "returned", …
std::optional<CodeEnd> code_end_from(std::string_view text);

struct CodeResult {
  CodeEnd end = CodeEnd::Returned;
  std::optional<JsonText> value;  // Absent where nothing was returned.
  std::string message;
  std::optional<int> line;    // Of the code, from 1.
  std::optional<int> column;  // In characters, from 1.

  bool operator==(const CodeResult&) const = default;
};

// Runs code. Threads: as Model. Errors: Unsupported when the language is not built in or the system
// lacks the protection that is asked for, Unavailable when no process can be started, Cancelled,
// DeadlineExceeded for the deadline of the context.
class CodeRunner {
 public:
  virtual ~CodeRunner() = default;
  virtual async<CodeResult> run(Context context, const CodeRequest& request) = 0;
};

}  // namespace hone::core
