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

journal::JournalOptions journal_options(const Flags& flags, std::string store) {
  journal::JournalOptions options{.path = std::move(store)};
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

namespace {

// Puts the originals back. Says why some are missing; empty if none is.
std::string_view unsealed(journal::RecordedRun& run, const Flags& flags) {
  const journal::Unsealed result = journal::unseal(run, sealer_of(flags).get());
  run.header = journal::original_header(run);
  if (result == journal::Unsealed::NoKey) {
    return "their originals are sealed and the key is not here";
  }
  return result == journal::Unsealed::NotKept ? "their originals were not kept" : "";
}

}  // namespace

journal::RecordedRun recorded_aloud(journal::RunStore& store, const std::string& id,
                                    const Flags& flags) {
  journal::RecordedRun run = store.recorded(id);
  const std::string_view missing = unsealed(run, flags);
  if (!missing.empty() && !flags.quiet) {
    fmt::print(stderr, "note        placeholders stand for {} texts: {}\n", run.originals.size(),
               missing);
  }
  return run;
}

journal::RecordedRun recorded_whole(journal::RunStore& store, const std::string& id,
                                    const Flags& flags) {
  journal::RecordedRun run = store.recorded(id);
  const std::string_view missing = unsealed(run, flags);
  if (missing.empty()) return run;
  throw Error(ErrorKind::InvalidInput,
              fmt::format("run {} cannot go on: placeholders stand for {} of its texts, and {}", id,
                          run.originals.size(), missing),
              "give the key with HONE_SEAL_KEY or --seal-key-file; without it `hone show` and "
              "`hone replay` show the run");
}

}  // namespace hone::app
