// The only ways in which a run touches the world: models and processes (clock and randomness are in
// context.h). Everything else is plain code over these, which is why a run can be recorded, resumed
// and replayed. Wrappers (budget, journal, retries, traces) implement the same interfaces.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hone/async/async.h"
#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/context.h"
#include "hone/core/run.h"
#include "hone/core/usage.h"

namespace hone::core {

enum class Speaker { System, User, Assistant, Tool };
std::string_view to_string(Speaker speaker);  // "system", "user", "assistant", "tool".

// A model asks for a tool.
struct ToolCall {
  std::string id;      // The provider's; the tool's answer repeats it.
  std::string name;    // Of a Tool of the request.
  JsonText arguments;  // As the model wrote them: not always JSON, nor of the tool's schema.

  bool operator==(const ToolCall&) const = default;
};

// What a model may ask for.
struct Tool {
  std::string name;         // Letters, digits, `_` and `-`, at most 64: what every provider takes.
  std::string description;  // For the model: what it does and when to use it.
  JsonText schema;          // JSON Schema of its arguments, an object.

  bool operator==(const Tool&) const = default;
};

struct Message {
  Speaker speaker = Speaker::User;
  std::string text;
  std::vector<ToolCall> tool_calls = {};  // Of an Assistant: what it asked for.
  std::string tool_call = {};             // Of a Tool: the id of the call that it answers.
  // Bytes at the start of the text that later prompts of the run repeat, for the prompt caches of
  // providers. A hint: it changes no answer and stays out of the journal.
  std::size_t shared = 0;

  bool operator==(const Message&) const = default;
};

struct Sampling {
  std::optional<double> temperature;  // Absent: the provider's or model's default.
  std::optional<double> top_p;
  std::optional<Tokens> max_tokens;  // Longest answer; absent: 2,048.
  std::optional<std::uint64_t> seed;

  bool operator==(const Sampling&) const = default;
};
inline constexpr Tokens kDefaultMaxTokens{2048};

// The sampling of one call: the seed in it, where there is one, becomes one for this path, in 31
// bits, which every provider takes.
Sampling sampling_at(const Context& context, Sampling sampling);

// Which template made a prompt, so that a replay can say that it changed.
struct PromptIdentity {
  std::string name;  // "judge"
  std::string hash;  // First 12 digits of the SHA-256 of its text.

  bool operator==(const PromptIdentity&) const = default;
};

struct ModelRequest {
  Role role = Role::Generate;
  int attempt = 1;  // The attempt being made or judged.
  std::vector<Message> messages;
  Sampling sampling;
  std::optional<JsonText> schema;  // Ask for JSON of this schema where the provider can.
  PromptIdentity prompt;
  bool drafts = false;  // Send the text to the context's listeners as it streams (event Draft).
  std::vector<Tool> tools = {};  // What the model may ask for.
  // Short answers, such as "yes" and "no", whose probability as the start of the answer is wanted.
  // A provider that cannot tell ignores it.
  std::vector<std::string> choices = {};
  // Texts before which the answer ends, at most four; a provider that cannot goes on.
  std::vector<std::string> stop = {};

  bool operator==(const ModelRequest&) const = default;
};

struct ModelReply {
  std::string text;
  Finish finish = Finish::Complete;
  std::string model;  // The name the provider gives.
  Usage usage;        // One call, and those of failed tries.
  std::vector<ToolCall> tool_calls = {};
  // Of each choice of the request, in order; they need not sum to 1. Empty: it could not be told.
  std::vector<double> probabilities = {};

  bool operator==(const ModelReply&) const = default;
};

// A language model. Threads: called on a loop thread; one Model may serve many runs at once.
class Model {
 public:
  virtual ~Model() = default;
  // Throws Error: Unavailable, Overloaded, DeadlineExceeded, Refused (the provider's policy),
  // InvalidInput (a key, a name, a prompt that does not fit), NotFound, Unsupported. Honours
  // context.deadline and terminal cancellation; an answer that has arrived is never dropped.
  virtual async<ModelReply> complete(Context context, const ModelRequest& request) = 0;
  // As users write it: "openai:gpt-4.1", "local:qwen2.5-coder-1.5b".
  virtual std::string name() const = 0;
};

struct ProcessRequest {
  std::string command;                             // For /bin/sh -c.
  std::string input;                               // On stdin.
  std::string directory;                           // Working directory; empty for the current one.
  std::map<std::string, std::string> environment;  // Added to the scrubbed one.
  std::map<std::string, std::string> files;     // Variable to content: a private file, whose path
                                                // the variable holds, for as long as it runs.
  Duration timeout = std::chrono::seconds(60);  // Then the whole process group is killed.
  std::size_t output_limit = 256 * 1024;        // Bytes kept of stdout and of stderr each.
  Role role = Role::Evaluate;                   // For whom it runs.

  bool operator==(const ProcessRequest&) const = default;
};

struct ProcessResult {
  std::optional<int> exit_code;  // Absent when a signal ended it.
  std::optional<int> signal;
  bool timed_out = false;
  std::string output;
  std::string errors;
  bool truncated = false;  // More came than was kept.

  bool succeeded() const { return exit_code == 0 && !timed_out; }
  bool operator==(const ProcessResult&) const = default;
};

// Runs processes. Threads: as Model.
class Runner {
 public:
  virtual ~Runner() = default;
  // Throws Unavailable when the process cannot be started.
  virtual async<ProcessResult> run(Context context, const ProcessRequest& request) = 0;
};

}  // namespace hone::core
