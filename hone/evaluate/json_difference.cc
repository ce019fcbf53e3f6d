#include "hone/evaluate/json_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kShownColumns = 80;

std::string below(const std::string& path, std::string_view name) {
  std::string result = path + '/';
  for (const char c : name) {  // RFC 6901
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string_view kind_of(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  if (value.is_null()) return "null";
  return "a number";
}

// Exact for all 64-bit integers and doubles: a long double holds both here.
long double number_of(const Json& value) {
  if (value.is_number_unsigned()) return static_cast<long double>(value.get<std::uint64_t>());
  if (value.is_number_integer()) return static_cast<long double>(value.get<std::int64_t>());
  return static_cast<long double>(value.get<double>());
}

using Members = std::map<std::string_view, const Json*>;
Members members_of(const Json& object) {
  Members members;
  for (const auto& [name, value] : object.items()) members.emplace(name, &value);
  return members;
}

class Comparison {
 public:
  void compare(const std::string& path, const Json& found, const Json& expected) {
    if (issues_.size() >= kMostDifferences) return;
    const auto kind = kind_of(expected);
    if (kind_of(found) != kind) {
      add(path, "type", fmt::format("must be {}, but is {}", kind, kind_of(found)));
    } else if (found.is_object()) {
      compare_objects(path, members_of(found), members_of(expected));
    } else if (found.is_array()) {
      compare_arrays(path, found, expected);
    } else if (found.is_number() ? number_of(found) != number_of(expected) : found != expected) {
      const std::string shown = one_line(dump(found), kShownColumns);
      add(path, "value", fmt::format("is {}, which is not the expected value", shown));
    }
  }
  std::vector<core::Issue> take() { return std::move(issues_); }

 private:
  void compare_objects(const std::string& path, const Members& found, const Members& expected) {
    for (const auto& [name, value] : expected) {
      const auto same = found.find(name);
      if (same == found.end()) {
        add(below(path, name), "missing", "is missing");
      } else {
        compare(below(path, name), *same->second, *value);
      }
    }
    for (const auto& [name, value] : found) {
      if (!expected.contains(name)) add(below(path, name), "extra", "is not expected");
    }
  }

  void compare_arrays(const std::string& path, const Json& found, const Json& expected) {
    if (found.size() != expected.size()) {
      add(path, "items",
          fmt::format("has {} items, but must have {}", found.size(), expected.size()));
    }
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
      compare(below(path, std::to_string(i)), found[i], expected[i]);
    }
  }

  void add(const std::string& path, std::string_view kind, std::string_view finding) {
    if (issues_.size() >= kMostDifferences) return;
    core::Issue issue;
    issue.path = path;
    issue.kind = kind;
    issue.message = fmt::format("{} {}", path.empty() ? "the output" : path, finding);
    issues_.push_back(std::move(issue));
  }

  std::vector<core::Issue> issues_;
};

}  // namespace

std::vector<core::Issue> differences(const Json& found, const Json& expected) {
  Comparison comparison;
  comparison.compare("", found, expected);
  return comparison.take();
}

}  // namespace hone::evaluate
