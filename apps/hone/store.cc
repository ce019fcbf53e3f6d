#include "apps/hone/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "hone/base/error.h"
#include "hone/journal/layout.h"
#include "hone/journal/originals.h"

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

std::shared_ptr<journal::Sealer> sealer_of(const Flags& flags) {
  return std::make_shared<journal::Sealer>(journal::seal_key_place(flags.seal_key_file));
}

journal::JournalOptions journal_options(const Flags& flags) {
  return journal_options(flags, writable_store_path(flags));
}

journal::JournalOptions journal_options(const Flags& flags, const std::string& path) {
  journal::JournalOptions options{.path = path};
  if (flags.seal != "none") options.sealer = sealer_of(flags);
  return options;
}

Redaction redaction_of(const Flags& flags) {
  if (flags.redact.empty()) return {};
  const auto named = [&](std::string_view name) {
    return std::ranges::find(flags.redact, name) != flags.redact.end();
  };
  const bool all = named("all");
  return {all || named("secrets"), all || named("personal"), all || named("infrastructure")};
}

void unseal_aloud(journal::RecordedRun& run, const Flags& flags) {
  const journal::Unsealed unsealed = journal::unseal(run, sealer_of(flags).get());
  const bool whole = unsealed == journal::Unsealed::All || unsealed == journal::Unsealed::Nothing;
  if (whole || flags.quiet) return;
  const std::string_view reason = unsealed == journal::Unsealed::NoKey
                                      ? "their originals are sealed and the key is not here"
                                      : "their originals were not kept";
  fmt::print(stderr, "note        placeholders stand for {} texts: {}\n", run.originals.size(),
             reason);
}

void unseal_to_go_on(journal::RecordedRun& run, const Flags& flags) {
  switch (journal::unseal(run, sealer_of(flags).get())) {
    case journal::Unsealed::Nothing:
    case journal::Unsealed::All:
      return;
    case journal::Unsealed::NoKey:
      throw Error(
          ErrorKind::InvalidInput,
          fmt::format("run {} has sealed originals, and the key is not here", run.header.run),
          "give it with HONE_SEAL_KEY or --seal-key-file; `hone show` needs none");
    case journal::Unsealed::NotKept:
      throw Error(ErrorKind::InvalidInput,
                  fmt::format("run {} kept no originals of what was taken out of its texts: going "
                              "on would send placeholders",
                              run.header.run),
                  "run the task anew, without --seal none");
  }
}

}  // namespace hone::app
