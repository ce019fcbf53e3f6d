// Reads the complete JSON forms back. Whatever does not fit throws Corrupt and names the member.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/usage.h"

namespace hone::core {

// One JSON object whose members are read by name; absent members have their default value.
// It refers to the tree, which outlives it.
class JsonReader {
 public:
  explicit JsonReader(const Json& object);

  // The member, or null.
  const Json* find(std::string_view name) const;
  // The member as an object; throws Corrupt when it is absent.
  JsonReader object(std::string_view name) const;

  std::string text(std::string_view name) const;
  std::optional<std::string> optional_text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  std::uint64_t unsigned_integer(std::string_view name) const;
  std::optional<int> optional_int(std::string_view name) const;
  int small(std::string_view name) const { return optional_int(name).value_or(0); }
  std::optional<double> number(std::string_view name) const;
  bool boolean(std::string_view name) const;
  Instant instant(std::string_view name) const { return Instant(Duration(integer(name))); }

  // The enumerator that the member names; `fallback` when it is absent.
  template <class Enum>
  Enum word(std::string_view name, std::optional<Enum> (*from)(std::string_view),
            Enum fallback) const {
    const auto found = optional_text(name);
    if (!found) return fallback;
    if (const auto value = from(*found)) return *value;
    fail(name);
  }

  // The elements of an array; none when it is absent.
  std::vector<const Json*> elements(std::string_view name) const;

  [[noreturn]] static void fail(std::string_view member);

 private:
  const Json* object_;
};

// Text in either of its forms.
std::string text_from_json(const Json& json, std::string_view member);
Usage usage_from_json(const Json& json);

}  // namespace hone::core
