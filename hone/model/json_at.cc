#include "hone/model/json_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/text.h"

namespace hone::model {
namespace {

constexpr std::size_t kShown = 80;  // Characters of a foreign text in a message.

const Json* find_at(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::string text_at(const Json& object, std::string_view key, std::string otherwise) {
  const Json* found = find_at(object, key);
  if (found == nullptr || !found->is_string()) return otherwise;
  return found->get<std::string>();
}

const Json* object_at(const Json& object, std::string_view key) {
  const Json* found = find_at(object, key);
  return found != nullptr && found->is_object() ? found : nullptr;
}

const Json* array_at(const Json& object, std::string_view key) {
  const Json* found = find_at(object, key);
  return found != nullptr && found->is_array() ? found : nullptr;
}

std::optional<std::int64_t> count_at(const Json& object, std::string_view key) {
  const Json* found = find_at(object, key);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return std::max<std::int64_t>(0, found->get<std::int64_t>());
}

std::string raw_at(const Json& object, std::string_view key) {
  const Json* found = find_at(object, key);
  if (found == nullptr || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : dump(*found);
}

Error not_json(std::string_view what, std::string_view text) {
  return {ErrorKind::Corrupt, fmt::format("{} is not JSON: {}", what, one_line(text, kShown)),
          "check that the base URL is that of the API, not of a web page"};
}

Json reply_json(std::string_view body, bool says_json) {
  const std::string text = to_utf8(body);
  if (auto reply = try_parse_json(text)) return *std::move(reply);
  if (!says_json) throw not_json("the reply", text);
  throw Error(ErrorKind::Unavailable,
              fmt::format("the reply is cut off or no JSON: {}", one_line(text, kShown)),
              "try again; if it stays so, look at the log of the server");
}

}  // namespace hone::model
