#include "hone/process/private_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "hone/base/error.h"
#include "hone/process/descriptor.h"
#include "hone/process/environment.h"

namespace hone::process {
namespace {

std::filesystem::path make_private_directory() {
  const char* parent = std::getenv("TMPDIR");
  const bool given = parent != nullptr && *parent != '\0';
  std::string path = fmt::format("{}/hone-XXXXXX", given ? parent : "/tmp");
  if (::mkdtemp(path.data()) == nullptr) {
    fail_with(fmt::format("a temporary directory like {} cannot be made", path), errno);
  }
  return path;
}

void write_whole(const Descriptor& file, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.number(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with(fmt::format("{} cannot be written", path), errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_private(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) fail_with(fmt::format("{} cannot be made", path), errno);
  write_whole(file, content, path);
}

void remove_with_content(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!directory.empty()) std::filesystem::remove_all(directory, ignored);
}

void check_names(const std::map<std::string, std::string>& contents) {
  for (const auto& [name, content] : contents) {
    if (is_variable_name(name)) continue;
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` cannot name a variable", name),
                "use letters, digits and underscores, and no digit first");
  }
}

}  // namespace

PrivateFiles::PrivateFiles(const std::map<std::string, std::string>& contents) {
  check_names(contents);
  if (contents.empty()) return;
  directory_ = make_private_directory();
  try {
    for (const auto& [name, content] : contents) {
      const std::string path = directory_ / name;
      write_private(path, content);
      paths_.emplace(name, path);
    }
  } catch (...) {
    remove_with_content(directory_);
    throw;
  }
}

PrivateFiles::~PrivateFiles() { remove_with_content(directory_); }

}  // namespace hone::process
