// Reads members of foreign JSON that may be absent or of another type. For sources only: they
// include <nlohmann/json.hpp> first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/base/json.h"

namespace hone::model {

// The text under `key`, or `otherwise` if there is none or it is no text.
std::string text_at(const Json& object, std::string_view key, std::string otherwise = {});
// The object under `key`, or null.
const Json* object_at(const Json& object, std::string_view key);
// The elements under `key`, or null if that is no array.
const Json* array_at(const Json& object, std::string_view key);
// The number under `key` if it is one; never negative.
std::optional<std::int64_t> count_at(const Json& object, std::string_view key);
// JSON as it stands under `key`: a text as it is, anything else written out; empty if absent.
std::string raw_at(const Json& object, std::string_view key);

// Corrupt, with the beginning of what came instead of JSON.
Error not_json(std::string_view what, std::string_view text);
// The body of a reply as JSON. Throws Unavailable for JSON that is cut off, else not_json().
Json reply_json(std::string_view body, bool says_json);

}  // namespace hone::model
