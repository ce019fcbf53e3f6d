#include "hone/journal/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone::journal {
namespace {

constexpr std::size_t kMostPlaces = 3;
constexpr std::size_t kMostLines = 4;
constexpr std::size_t kColumns = 100;
constexpr std::size_t kLead = 30;  // What is shown of a long line before its first difference.

// A window of a long line around the first difference from its counterpart.
std::string shown(const std::string& line, std::size_t first_difference) {
  const std::size_t start = first_difference > kLead ? first_difference - kLead : 0;
  if (start == 0 || line.size() <= kColumns) return one_line(line, kColumns);
  return "…" + one_line(to_utf8(std::string_view(line).substr(start)), kColumns);
}

std::string shown_lines(char sign, std::span<const std::string> lines, const std::string& other) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
    const auto differs = std::ranges::mismatch(lines[i], other).in1 - lines[i].begin();
    const auto position = i == 0 ? static_cast<std::size_t>(differs) : 0;
    text += fmt::format("\n{} {}", sign, shown(lines[i], position));
  }
  if (lines.size() > kMostLines) {
    text += fmt::format("\n{} … {} more lines", sign, lines.size() - kMostLines);
  }
  return text;
}

class Comparing {
 public:
  void compare(const std::string& place, const Json& recorded, const Json& now) {
    if (recorded == now) return;
    if (recorded.is_object() && now.is_object()) return compare_members(place, recorded, now);
    if (recorded.is_array() && now.is_array()) return compare_elements(place, recorded, now);
    if (recorded.is_string() && now.is_string()) return compare_texts(place, recorded, now);
    add(place, fmt::format("\n- {}\n+ {}", one_line(dump(recorded), kColumns),
                           one_line(dump(now), kColumns)));
  }

  std::string take() {
    std::string text = fmt::format("{}", fmt::join(places_, "\n"));
    if (found_ > places_.size()) {
      text += fmt::format("\n… and {} more places", found_ - places_.size());
    }
    return text;
  }

 private:
  void add(const std::string& place, const std::string& change) {
    if (++found_ <= kMostPlaces) places_.push_back(fmt::format("{}:{}", place, change));
  }

  void compare_members(const std::string& place, const Json& recorded, const Json& now) {
    std::set<std::string> names;
    for (const auto& [name, member] : recorded.items()) names.insert(name);
    for (const auto& [name, member] : now.items()) names.insert(name);
    for (const std::string& name : names) {
      compare(join_place(place, name), member_of(recorded, name), member_of(now, name));
    }
  }

  void compare_elements(const std::string& place, const Json& recorded, const Json& now) {
    for (std::size_t i = 0; i < std::max(recorded.size(), now.size()); ++i) {
      compare(join_place(place, fmt::format("{}", i)),
              i < recorded.size() ? recorded[i] : Json(nullptr),
              i < now.size() ? now[i] : Json(nullptr));
    }
  }

  void compare_texts(const std::string& place, const Json& recorded, const Json& now) {
    const auto before = split(recorded.get_ref<const std::string&>(), '\n');
    const auto after = split(now.get_ref<const std::string&>(), '\n');
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t same = 0;
    while (same < shorter && before[same] == after[same]) ++same;
    std::size_t tail = 0;
    while (tail < shorter - same && before.rbegin()[static_cast<std::ptrdiff_t>(tail)] ==
                                        after.rbegin()[static_cast<std::ptrdiff_t>(tail)]) {
      ++tail;
    }
    const auto old_lines = std::span(before).subspan(same, before.size() - tail - same);
    const auto new_lines = std::span(after).subspan(same, after.size() - tail - same);
    const std::string old_first = old_lines.empty() ? "" : old_lines.front();
    const std::string new_first = new_lines.empty() ? "" : new_lines.front();
    const std::string where =
        before.size() > 1 || after.size() > 1 ? fmt::format("{}, line {}", place, same + 1) : place;
    add(where, shown_lines('-', old_lines, new_first) + shown_lines('+', new_lines, old_first));
  }

  static std::string join_place(const std::string& place, const std::string& name) {
    return place.empty() ? name : place + "/" + name;
  }
  static Json member_of(const Json& object, const std::string& name) {
    const auto found = object.find(name);
    return found == object.end() ? Json(nullptr) : *found;
  }

  std::vector<std::string> places_;
  std::size_t found_ = 0;
};

}  // namespace

std::string difference(std::string_view recorded, std::string_view now) {
  Comparing comparing;
  comparing.compare("", parse_json(recorded), parse_json(now));
  return comparing.take();
}

std::string nearest_path(std::string_view path, std::span<const std::string> paths) {
  std::string best;
  std::size_t longest = 0;
  for (const std::string& candidate : paths) {
    const auto same =
        static_cast<std::size_t>(std::ranges::mismatch(path, candidate).in1 - path.begin());
    if (same < longest) continue;
    best = candidate;
    longest = same;
  }
  return best;
}

}  // namespace hone::journal
