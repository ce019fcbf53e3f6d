// The border between hone and the plugin that holds the inference engine. Standard types only, and
// failures as values, so that nothing of hone is needed to build a plugin.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hone::model {

enum class EngineFault {
  None,
  Unreadable,    // The file is no GGUF, is damaged, or holds an unknown architecture.
  NotAChat,      // The model has no chat template that the engine knows.
  NotAWriter,    // The model turns texts into vectors and cannot write.
  NotAnEncoder,  // The model writes; its vectors of texts mean little.
  TooLong,       // Prompt and answer do not fit the context; see input_tokens.
  NoMemory,      // The context could not be made.
  Cancelled,     // The callback said so.
  Internal,      // The engine failed; see detail.
};

struct EngineModel {
  std::string path;  // A GGUF file.
  int threads = 1;
  int context = 8192;               // Tokens; the model's own limit caps it.
  bool encodes = false;             // It is to turn texts into vectors, not to write.
  std::function<bool()> cancelled;  // Asked often, from any thread. Must not throw. May be empty.
};

struct EngineLoaded {
  EngineFault fault = EngineFault::None;
  std::string detail;  // The engine's own words for a fault; may be empty.
  int context = 0;     // Tokens that prompt and answer may have together.
};

struct EngineVectors {
  EngineFault fault = EngineFault::None;
  std::string detail;
  std::vector<std::vector<float>> vectors;  // Of length 1, one for each text.
};

struct EngineMessage {
  std::string role;  // "system", "user", "assistant".
  std::string text;
};

struct EngineRequest {
  std::vector<EngineMessage> messages;
  int max_tokens = 0;      // Longest answer.
  int least_tokens = 0;    // The answer may be cut down to this where the context is short.
  double temperature = 0;  // 0 takes the likeliest token every time.
  double top_p = 1;
  std::uint32_t seed = 0;
  std::string schema;                // JSON Schema that the answer has to fit; empty for none.
  std::vector<std::string> choices;  // Short answers whose probability is wanted.
  std::function<void(std::string_view)> piece;  // Bytes as they come; may split a character.
  std::function<bool()> cancelled;              // As in EngineModel.
};

struct EngineReply {
  EngineFault fault = EngineFault::None;
  std::string detail;
  bool complete = false;              // The model ended its answer; false at the longest answer.
  int input_tokens = 0;               // Of the whole prompt, template included.
  int cached_tokens = 0;              // Those of them that an earlier call had already read.
  int output_tokens = 0;              // Tokens of the answer, without the end mark.
  std::string note;                   // Why the schema is not enforced, or not wholly.
  std::vector<double> probabilities;  // Of the choices, relative to each other; or empty.
  double prompt_seconds = 0;
  double answer_seconds = 0;
  double constraint_seconds = 0;  // The part of answer_seconds that the schema took.
};

// One model in memory with the state of several conversations. Threads: one at a time. Nothing here
// throws.
class LocalEngine {
 public:
  virtual ~LocalEngine() = default;
  // Reads the model; once, before anything else.
  virtual EngineLoaded load(const EngineModel& model) = 0;
  // Answers. The longest start that the prompt has in common with earlier calls is not read again.
  virtual EngineReply complete(const EngineRequest& request) = 0;
  // The vectors of texts, by a model that was loaded to encode. Texts longer than its context are
  // cut there.
  virtual EngineVectors encode(const std::vector<std::string>& texts) = 0;
};

// What a plugin exports under this name: a factory of engines. The number changes with this file.
inline constexpr const char* kEngineFactory = "hone_local_engine_3";
using EngineFactory = LocalEngine* (*)();

// Whether there is a plugin to load.
bool has_local_engine(const std::filesystem::path& plugin = {});

// Loads the plugin and makes an engine. An empty path looks for it beside the program and in
// ../lib/hone from there. Throws Unsupported when there is none.
std::unique_ptr<LocalEngine> open_local_engine(const std::filesystem::path& plugin = {});

}  // namespace hone::model
