#include "apps/hone/rows.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/hone/data_file.h"
#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone::app {
namespace {

constexpr std::string_view kHint = "write one JSON object a line, such as {\"text\": \"…\"}";

task::InputRow row_of(std::string_view line, std::string place) {
  Json value;
  try {
    value = parse_json(line);
  } catch (Error& failure) {
    throw Error(ErrorKind::InvalidInput, fmt::format("{}: {}", place, failure.message()),
                std::string(kHint));
  }
  if (!value.is_object()) {
    throw Error(ErrorKind::InvalidInput,
                fmt::format("{}: this is no object but {}", place, one_line(line, 40)),
                std::string(kHint));
  }
  return {{dump(value)}, std::move(place)};
}

}  // namespace

std::vector<task::InputRow> rows_of(std::string_view text, const std::string& file) {
  std::vector<task::InputRow> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) rows.push_back(row_of(line, fmt::format("{}:{}", file, number)));
  }
  return rows;
}

std::vector<task::InputRow> read_rows(const std::string& file) {
  return rows_of(read_file_or_stdin(file, "--each"), file == "-" ? "stdin" : file);
}

}  // namespace hone::app
