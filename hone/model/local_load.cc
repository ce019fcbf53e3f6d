#include "hone/model/local_load.h"

#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::model {
namespace {

std::string in_brackets(const std::string& detail) {
  return detail.empty() ? std::string() : " (" + one_line(detail, 200) + ")";
}

Error load_error(const LocalWeights& weights, const EngineLoaded& loaded) {
  const std::string file = weights.path.string();
  switch (loaded.fault) {
    case EngineFault::Unreadable:
      return {ErrorKind::Corrupt,
              "the model file " + file +
                  " cannot be read: it is damaged, incomplete or no GGUF file" +
                  in_brackets(loaded.detail),
              "fetch it again, or name another file with -m local:PATH.gguf"};
    case EngineFault::NotAChat:
      return {ErrorKind::Unsupported,
              "the model file " + file +
                  " holds no chat model: it has no chat template that hone knows",
              "use an instruct model, such as -m local"};
    case EngineFault::NotAWriter:
      return {ErrorKind::Unsupported,
              "the model file " + file +
                  " holds an embedding model: it turns texts into vectors and cannot answer",
              "use an instruct model, such as -m local"};
    case EngineFault::NotAnEncoder:
      return {ErrorKind::Unsupported,
              "the model file " + file + " holds no embedding model: its vectors say little",
              "fetch one with `hone models pull minilm`"};
    case EngineFault::NoMemory:
      return {ErrorKind::Unavailable,
              "there is not enough memory for the model " + file + in_brackets(loaded.detail),
              "lower HONE_LOCAL_CONTEXT or use a smaller model"};
    case EngineFault::Cancelled:
      return {ErrorKind::Cancelled, "loading the model " + file + " was cancelled"};
    default:
      return {ErrorKind::Internal,
              "loading the model " + file + " failed" + in_brackets(loaded.detail)};
  }
}

// Bytes that can be had without swapping; absent where the system does not say.
std::optional<std::int64_t> available_memory() {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  std::int64_t kilobytes = 0;
  while (facts >> name >> kilobytes) {
    if (name == "MemAvailable:") return kilobytes * 1024;
    facts.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

// A model that does not fit would be read from the disk for every single token.
void check_memory(const LocalWeights& weights, const LocalOptions& options) {
  const auto memory = options.memory ? options.memory : available_memory();
  std::error_code unknown;
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(weights.path, unknown));
  if (unknown || !memory || bytes <= *memory) return;
  const auto megabytes = [](std::int64_t count) { return std::to_string(count / 1'000'000); };
  throw Error(ErrorKind::Unavailable,
              "the model file " + weights.path.string() + " has " + megabytes(bytes) +
                  " MB, but only " + megabytes(*memory) + " MB of memory are available",
              "use a smaller model, or end other programs first");
}

}  // namespace

LoadedEngine load_engine(const LocalWeights& weights, const LocalOptions& options, EngineUse use,
                         std::function<bool()> cancelled) {
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(weights.path, unreadable)) {
    throw Error(ErrorKind::NotFound, "there is no model file " + weights.path.string(),
                "check the path, or fetch a model with `hone models pull`");
  }
  check_memory(weights, options);
  auto engine = open_local_engine(options.plugin);
  const EngineModel model{.path = weights.path.string(),
                          .threads = options.threads,
                          .context = options.context,
                          .encodes = use == EngineUse::Encoding,
                          .cancelled = std::move(cancelled)};
  const EngineLoaded loaded = engine->load(model);
  if (loaded.fault != EngineFault::None) throw load_error(weights, loaded);
  return {.engine = std::move(engine), .context = loaded.context};
}

}  // namespace hone::model
