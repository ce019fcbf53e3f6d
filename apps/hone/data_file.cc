#include "apps/hone/data_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "hone/base/error.h"

namespace hone::app {

std::string read_file_or_stdin(const std::string& file, std::string_view flag) {
  std::stringstream text;
  if (file == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream stream(file, std::ios::binary);
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) {
    throw Error(ErrorKind::InvalidInput, fmt::format("the file `{}` cannot be read", file),
                fmt::format("check {}", flag));
  }
  return text.str();
}

}  // namespace hone::app
