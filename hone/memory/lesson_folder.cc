#include "hone/memory/lesson_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "hone/base/error.h"
#include "hone/memory/reflection_file.h"

namespace hone::memory {
namespace {

constexpr std::chrono::milliseconds kLockPause{2};

namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = 256 * 1024;

Error failure(const char* doing, const fs::path& path, int code) {
  return Error(ErrorKind::Unavailable,
               fmt::format("{} {}: {}", doing, path.string(), std::strerror(code)),
               "look at the folder's permissions and the space on the disk");
}

bool is_name(const std::string& name) {
  try {
    check_name("a folder", name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The names of the folders, or of the files with this extension, in a folder; links are left out.
std::vector<std::string> names_in(const fs::path& folder, fs::file_type type) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code gone;
    if (entry->symlink_status(gone).type() == type && !gone)
      names.push_back(entry->path().filename().string());
  }
  return names;
}

// Everything or nothing: a temporary file that is synced and then takes the name. With `replaces`
// false an existing file stays and false is returned.
bool write_whole(const fs::path& path, const std::string& text, bool replaces) {
  static std::atomic<int> next = 0;
  const fs::path temporary = path.parent_path() / fmt::format(".hone-{}-{}.tmp", getpid(), next++);
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) throw failure("writing", path, errno);
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       fsync(file) == 0;
  int code = written ? 0 : errno;
  close(file);
  if (written) {
    const int put =
        replaces ? rename(temporary.c_str(), path.c_str()) : link(temporary.c_str(), path.c_str());
    code = put == 0 ? 0 : errno;
  }
  if (!replaces || code != 0) unlink(temporary.c_str());
  if (code == EEXIST && !replaces) return false;
  if (code != 0) throw failure("writing", path, code);
  return true;
}

void make_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw failure("making the folder", folder, failed.value());
}

// The place of `name` in a folder, with a number if the name is taken.
fs::path numbered(const fs::path& folder, const std::string& name, int number) {
  return folder / fmt::format("{}{}.md", name, number == 1 ? "" : fmt::format("-{}", number));
}

}  // namespace

LessonFolder::LessonFolder(fs::path folder) : folder_(std::move(folder)) {
  make_folder(folder_ / ".index");
}

std::string LessonFolder::index_file(const std::string& name) const {
  return (folder_ / ".index" / name).string();
}

fs::path LessonFolder::reflections_of(const std::string& tenant) const {
  if (tenant == Owner().tenant) return folder_ / "reflections";
  return folder_ / "tenants" / tenant / "reflections";
}

FoundFile LessonFolder::look_at(const std::string& path, const Owner& owner) const {
  std::error_code failed;
  FoundFile found{.path = path, .owner = owner};
  found.size = static_cast<std::int64_t>(fs::file_size(folder_ / path, failed));
  found.changed = fs::last_write_time(folder_ / path, failed).time_since_epoch().count();
  return found;
}

void LessonFolder::visit_tenant(const std::string& tenant,
                                const std::function<void(const FoundFile&)>& visit) const {
  const fs::path reflections = reflections_of(tenant);
  for (const std::string& agent : names_in(reflections, fs::file_type::directory)) {
    if (!is_name(agent)) continue;
    for (const std::string& name : names_in(reflections / agent, fs::file_type::regular)) {
      if (!name.ends_with(".md") || name.starts_with('.')) continue;
      const fs::path path = fs::relative(reflections / agent / name, folder_);
      visit(look_at(path.string(), {.tenant = tenant, .agent = agent}));
    }
  }
}

void LessonFolder::visit(const std::function<void(const FoundFile&)>& visit) const {
  visit_tenant(Owner().tenant, visit);
  for (const std::string& tenant : names_in(folder_ / "tenants", fs::file_type::directory)) {
    if (is_name(tenant) && tenant != Owner().tenant) visit_tenant(tenant, visit);
  }
}

std::string LessonFolder::read(const FoundFile& file) const {
  if (file.size > kLargestFile) {
    throw Error(
        ErrorKind::InvalidInput,
        fmt::format("the file has {} bytes, a lesson has at most {}", file.size, kLargestFile),
        "split it: a file is one lesson");
  }
  std::ifstream stream(folder_ / file.path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw failure("reading", folder_ / file.path, errno);
  return std::move(text).str();
}

std::string LessonFolder::write_new(const StoredLesson& lesson) const {
  const fs::path folder = reflections_of(lesson.owner.tenant) / lesson.owner.agent;
  make_folder(folder);
  const std::string text = render_reflection(lesson);
  const std::string name = reflection_file_name(lesson);
  for (int number = 1;; ++number) {
    const fs::path path = numbered(folder, name, number);
    if (write_whole(path, text, false)) return fs::relative(path, folder_).string();
  }
}

void LessonFolder::write(const std::string& path, const StoredLesson& lesson) const {
  write_whole(folder_ / path, render_reflection(lesson), true);
}

void LessonFolder::remove(const std::string& path) const {
  std::error_code failed;
  fs::remove(folder_ / path, failed);
  if (failed) throw failure("removing", folder_ / path, failed.value());
}

void LessonFolder::archive(const std::string& path, const StoredLesson& lesson) const {
  const fs::path from = folder_ / path;
  const std::string year = to_iso8601(lesson.created).substr(0, 4);
  const fs::path folder = from.parent_path() / "archive" / year;
  make_folder(folder);
  for (int number = 1;; ++number) {
    const fs::path to = numbered(folder, from.stem().string(), number);
    if (link(from.c_str(), to.c_str()) == 0) break;
    if (errno != EEXIST) throw failure("moving to the archive:", from, errno);
  }
  remove(path);
}

FolderLock::FolderLock(const std::string& file, std::chrono::milliseconds patience)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) throw failure("locking", file, errno);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
    if (is_held && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(kLockPause);
      continue;
    }
    const int reason = errno;
    close(descriptor_);
    if (!is_held) throw failure("locking", file, reason);
    throw Error(ErrorKind::Unavailable, "another process holds the lesson folder's lock " + file,
                "try again when it has ended");
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace hone::memory
