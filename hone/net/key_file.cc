#include "hone/net/key_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::net {
namespace {

constexpr std::size_t kLongest = 64 * 1024;

class OpenFile {
 public:
  explicit OpenFile(const std::string& file) : handle_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (handle_ >= 0) close(handle_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int handle() const { return handle_; }

 private:
  int handle_;
};

[[noreturn]] void fail(std::string message, std::string hint) {
  throw Error(ErrorKind::InvalidInput, std::move(message), std::move(hint));
}

[[noreturn]] void unreadable(const std::string& file) {
  fail(fmt::format("the key file `{}` cannot be read: {}", file,
                   std::generic_category().message(errno)),
       "check --api-key-file");
}

std::string read_all(int handle, const std::string& file) {
  std::string text;
  std::array<char, 4096> piece;
  while (true) {
    const ssize_t count = read(handle, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) unreadable(file);
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > kLongest)
      fail(fmt::format("the key file `{}` is too long", file), "check --api-key-file");
  }
}

}  // namespace

Secret read_key_file(const std::string& file) {
  const OpenFile opened(file);
  struct stat facts{};
  if (opened.handle() < 0 || fstat(opened.handle(), &facts) != 0) unreadable(file);
  if (!S_ISREG(facts.st_mode))
    fail(fmt::format("the key file `{}` is no file", file), "check --api-key-file");
  if ((facts.st_mode & 077) != 0) {
    fail(fmt::format("others can read the key file `{}`: its mode is {:o}", file,
                     facts.st_mode & 0777),
         fmt::format("run: chmod 600 {}", file));
  }
  const std::string key(trim(read_all(opened.handle(), file)));
  if (key.empty()) fail(fmt::format("the key file `{}` is empty", file), "write the key into it");
  return Secret(key);
}

}  // namespace hone::net
