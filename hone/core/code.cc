#include "hone/core/code.h"

#include <array>
#include <utility>

namespace hone::core {
namespace {

constexpr std::array<std::pair<Language, std::string_view>, 3> kLanguages{
    {{Language::Python, "python"}, {Language::Lua, "lua"}, {Language::Prolog, "prolog"}}};
constexpr std::array<std::pair<CodeUse, std::string_view>, 3> kUses{
    {{CodeUse::Check, "check"}, {CodeUse::Test, "test"}, {CodeUse::Value, "value"}}};
constexpr std::array<std::pair<CodeEnd, std::string_view>, 6> kEnds{
    {{CodeEnd::Returned, "returned"},
     {CodeEnd::Raised, "raised"},
     {CodeEnd::NotCode, "not_code"},
     {CodeEnd::TimedOut, "timed_out"},
     {CodeEnd::Died, "died"},
     {CodeEnd::TooLong, "too_long"}}};

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  return names.front().second;
}

template <class Names>
auto value_in(const Names& names, std::string_view text)
    -> std::optional<typename Names::value_type::first_type> {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Language language) { return name_in(kLanguages, language); }
std::optional<Language> language_from(std::string_view text) { return value_in(kLanguages, text); }
std::string_view to_string(CodeUse use) { return name_in(kUses, use); }
std::string_view to_string(CodeEnd end) { return name_in(kEnds, end); }
std::optional<CodeEnd> code_end_from(std::string_view text) { return value_in(kEnds, text); }

}  // namespace hone::core
