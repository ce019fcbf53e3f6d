#include "hone/model/text_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "hone/base/error.h"

namespace hone::model {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

Error unreadable(const std::string& path, int reason) {
  return {ErrorKind::InvalidInput,
          fmt::format("`{}` cannot be read: {}", path, std::strerror(reason))};
}

}  // namespace

std::string read_text_file(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) throw unreadable(path, errno);
  std::string text;
  std::array<char, 64 * 1024> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    text.append(buffer.data(), count);
    if (text.size() <= most) continue;
    throw Error(ErrorKind::InvalidInput, fmt::format("`{}` is longer than {} bytes", path, most));
  }
  if (std::ferror(file.get()) != 0) throw unreadable(path, errno);
  return text;
}

}  // namespace hone::model
