#include "hone/core/json_form_reader.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone::core {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string from_hex(const std::string& hex, std::string_view member) {
  if (hex.size() % 2 != 0) JsonReader::fail(member);
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) JsonReader::fail(member);
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace

JsonReader::JsonReader(const Json& object) : object_(&object) {
  if (!object.is_object()) {
    throw Error(ErrorKind::Corrupt, "a stored record is damaged: an object was expected");
  }
}

void JsonReader::fail(std::string_view member) {
  throw Error(ErrorKind::Corrupt,
              fmt::format("a stored record is damaged: the member `{}` cannot be read", member));
}

const Json* JsonReader::find(std::string_view name) const {
  const auto found = object_->find(name);
  return found == object_->end() ? nullptr : &*found;
}

JsonReader JsonReader::object(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr || !member->is_object()) fail(name);
  return JsonReader(*member);
}

std::optional<std::string> JsonReader::optional_text(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr) return std::nullopt;
  return text_from_json(*member, name);
}

std::string JsonReader::text(std::string_view name) const {
  return optional_text(name).value_or(std::string());
}

std::int64_t JsonReader::integer(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr) return 0;
  if (!member->is_number_integer()) fail(name);
  return member->get<std::int64_t>();
}

std::uint64_t JsonReader::unsigned_integer(std::string_view name) const {
  return static_cast<std::uint64_t>(integer(name));
}

std::optional<int> JsonReader::optional_int(std::string_view name) const {
  if (find(name) == nullptr) return std::nullopt;
  const std::int64_t value = integer(name);
  using Limits = std::numeric_limits<int>;
  if (value < Limits::min() || value > Limits::max()) fail(name);
  return static_cast<int>(value);
}

std::optional<double> JsonReader::number(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr || member->is_null()) return std::nullopt;
  if (!member->is_number()) fail(name);
  return member->get<double>();
}

bool JsonReader::boolean(std::string_view name) const {
  const Json* member = find(name);
  if (member == nullptr) return false;
  if (!member->is_boolean()) fail(name);
  return member->get<bool>();
}

std::vector<const Json*> JsonReader::elements(std::string_view name) const {
  std::vector<const Json*> found;
  const Json* member = find(name);
  if (member == nullptr) return found;
  if (!member->is_array()) fail(name);
  for (const Json& element : *member) found.push_back(&element);
  return found;
}

std::string text_from_json(const Json& json, std::string_view member) {
  if (json.is_string()) return json.get<std::string>();
  const Json* bytes = nullptr;
  if (json.is_object()) {
    const auto found = json.find("bytes");
    if (found != json.end()) bytes = &*found;
  }
  if (bytes == nullptr || !bytes->is_string()) JsonReader::fail(member);
  return from_hex(bytes->get_ref<const std::string&>(), member);
}

}  // namespace hone::core
