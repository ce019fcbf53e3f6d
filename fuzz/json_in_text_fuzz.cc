// JSON, and JSON inside of a model's text: what is found is JSON that can be written and read
// again.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "fuzz/require.h"
#include "hone/base/error.h"
#include "hone/base/json.h"

namespace {

using namespace hone;
using hone::fuzz::require;

// The value of a whole text that is JSON.
std::optional<Json> whole(std::string_view text) {
  try {
    return parse_json(text);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::InvalidInput, "what is no JSON is InvalidInput");
    return std::nullopt;
  }
}

void write_and_read(const Json& value) {
  require(parse_json(dump(value)) == value, "compact text reads back the same");
  require(parse_json(dump_pretty(value)) == value, "indented text reads back the same");
  const std::string canonical = dump_canonical(value);
  require(dump_canonical(parse_json(canonical)) == canonical, "canonical text is its own");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = whole(text);
  const auto found = json_in_text(text);
  if (found) write_and_read(*found);
  if (parsed) require(found == parsed, "a text that is JSON is its own value");
  return 0;
}
