#include "hone/model/local_engine.h"

#include <dlfcn.h>

#include <array>
#include <system_error>

#include "hone/base/error.h"

namespace hone::model {
namespace {

constexpr const char* kPlugin = "libhone_local.so";

// Empty when there is none.
std::filesystem::path find_plugin() {
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::array candidates = {folder / kPlugin, folder.parent_path() / "lib" / "hone" / kPlugin};
  for (const std::filesystem::path& candidate : candidates) {
    if (std::filesystem::exists(candidate, ignored)) return candidate;
  }
  return {};
}

[[noreturn]] void fail_to_open(const std::filesystem::path& plugin) {
  const char* reason = dlerror();
  throw Error(ErrorKind::Unsupported,
              "the local model's engine " + plugin.string() +
                  " cannot be loaded: " + (reason != nullptr ? reason : "no reason given"),
              "build hone again, or use another model with -m");
}

}  // namespace

bool has_local_engine(const std::filesystem::path& plugin) {
  std::error_code ignored;
  return std::filesystem::exists(plugin.empty() ? find_plugin() : plugin, ignored);
}

std::unique_ptr<LocalEngine> open_local_engine(const std::filesystem::path& plugin) {
  const std::filesystem::path path = plugin.empty() ? find_plugin() : plugin;
  if (path.empty()) {
    throw Error(
        ErrorKind::Unsupported,
        "the local model's engine, " + std::string(kPlugin) + ", is not beside this program",
        "install hone whole, or use another model with -m");
  }
  // Never closed: the engine keeps threads and tables of its own until the process ends.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail_to_open(path);
  void* symbol = dlsym(library, kEngineFactory);
  if (symbol == nullptr) fail_to_open(path);
  return std::unique_ptr<LocalEngine>(reinterpret_cast<EngineFactory>(symbol)());
}

}  // namespace hone::model
