#include "apps/hone/store.h"

#include <fmt/format.h>

#include <filesystem>

#include "hone/base/error.h"
#include "hone/journal/layout.h"

namespace hone::app {
std::string store_path(const Flags& flags) {
  if (!flags.store.empty()) {
    const auto scheme = flags.store.find("://");
    if (scheme == std::string::npos) return flags.store;
    throw Error(
        ErrorKind::InvalidInput,
        fmt::format("stores at {} are not in this version", flags.store.substr(0, scheme + 3)),
        "name a file");
  }
  return journal::default_store_path();
}

std::string writable_store_path(const Flags& flags) {
  const std::string path = store_path(flags);
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code failure;
  if (!folder.empty()) std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::Unavailable,
                fmt::format("the folder {} of the store cannot be made: {}", folder.string(),
                            failure.message()),
                "name another store with --store FILE");
  }
  if (flags.store.empty()) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failure);
  }
  return path;
}

}  // namespace hone::app
