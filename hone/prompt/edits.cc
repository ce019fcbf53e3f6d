#include "hone/prompt/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/prompt/marks.h"

namespace hone::prompt {
namespace {

constexpr std::string_view kSearch = "search";
constexpr std::string_view kReplace = "replace";
// Fewer signs at the start of a line are no conflict marker.
constexpr std::size_t kLeastSigns = 5;

using Read = std::variant<std::vector<Edit>, UnfitEdits>;

bool is_suffix(char c) { return c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

std::string without_outer_breaks(std::string_view text) {
  for (const std::string_view line_break : {"\r\n", "\n"}) {
    if (text.starts_with(line_break)) {
      text.remove_prefix(line_break.size());
      break;
    }
  }
  for (const std::string_view line_break : {"\r\n", "\n"}) {
    if (text.ends_with(line_break)) {
      text.remove_suffix(line_break.size());
      break;
    }
  }
  return std::string(text);
}

struct Tag {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string suffix;
};

// The first "<search>" or "<search-1a2b3c>".
std::optional<Tag> next_search(std::string_view reply) {
  for (auto at = reply.find("<search"); at != std::string_view::npos;
       at = reply.find("<search", at + 1)) {
    const std::size_t name_end = at + 1 + kSearch.size();
    const auto* end = std::find_if_not(reply.begin() + static_cast<std::ptrdiff_t>(name_end),
                                       reply.end(), is_suffix);
    if (end == reply.end() || *end != '>') continue;
    const auto close = static_cast<std::size_t>(end - reply.begin());
    const auto suffix = reply.substr(name_end, close - name_end);
    if (suffix.empty() || suffix.front() == '-') return Tag{at, close + 1, std::string(suffix)};
  }
  return std::nullopt;
}

// Reads one block after the other.
class Scan {
 public:
  explicit Scan(std::string_view reply) : rest_(reply) {}

  // What stands before `mark`, which is passed over.
  std::optional<std::string_view> until(std::string_view mark) {
    const auto at = rest_.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = rest_.substr(0, at);
    rest_.remove_prefix(at + mark.size());
    return before;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

UnfitEdits unfit(std::size_t number, std::string_view what) {
  return {fmt::format("edit {}: {}", number, what)};
}

std::variant<Edit, UnfitEdits> read_tags(Scan& scan, const std::string& suffix,
                                         std::size_t number) {
  const auto open = fmt::format("<{}{}>", kReplace, suffix);
  const auto close_search = fmt::format("</{}{}>", kSearch, suffix);
  const auto close_replace = fmt::format("</{}{}>", kReplace, suffix);
  const auto search = scan.until(close_search);
  if (!search) return unfit(number, "it has no " + close_search);
  const auto between = scan.until(open);
  if (!between || !trim(*between).empty()) {
    return unfit(number, fmt::format("{} has to follow {}", open, close_search));
  }
  const auto replace = scan.until(close_replace);
  if (!replace) return unfit(number, "it has no " + close_replace);
  const auto next = next_search(scan.rest());
  const auto gap = scan.rest().substr(0, next ? next->start : std::string_view::npos);
  if (gap.find(close_replace) != std::string_view::npos) {
    return unfit(number, "it has more than one " + close_replace);
  }
  return Edit{without_outer_breaks(*search), without_outer_breaks(*replace)};
}

Read read_tagged(std::string_view reply) {
  std::vector<Edit> edits;
  Scan scan(reply);
  while (const auto tag = next_search(scan.rest())) {
    scan.until(scan.rest().substr(tag->start, tag->end - tag->start));
    auto edit = read_tags(scan, tag->suffix, edits.size() + 1);
    if (auto* problem = std::get_if<UnfitEdits>(&edit)) return std::move(*problem);
    edits.push_back(std::get<Edit>(std::move(edit)));
  }
  return edits;
}

// The number of signs of a line like "<<<<<<< SEARCH" or "======="; 0 for other lines.
std::size_t signs_of(std::string_view line, char sign, std::string_view label) {
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  const std::size_t signs = std::min(line.find_first_not_of(sign), line.size());
  const std::string_view after = trim(line.substr(signs));
  return signs >= kLeastSigns && (after.empty() || after == label) ? signs : 0;
}

// Lines that end without a line break, as they are.
std::string joined(const std::vector<std::string>& lines, std::size_t from, std::size_t to) {
  return join(std::span(lines).subspan(from, to - from), "\n");
}

// The lines of one conflict block, after its first.
struct Conflict {
  std::size_t divider = 0;
  std::size_t end = 0;
  std::size_t dividers = 0;
};

std::optional<Conflict> find_conflict(const std::vector<std::string>& lines, std::size_t from,
                                      std::size_t signs) {
  Conflict found;
  for (std::size_t i = from; i < lines.size(); ++i) {
    if (signs_of(lines[i], '=', "") == signs) {
      found.divider = i;
      ++found.dividers;
    } else if (signs_of(lines[i], '>', "REPLACE") == signs) {
      found.end = i;
      return found;
    }
  }
  return std::nullopt;
}

Read read_conflicts(std::string_view reply) {
  const std::vector<std::string> lines = split(reply, '\n');
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t signs = signs_of(lines[i], '<', "SEARCH");
    if (signs == 0) continue;
    const std::size_t number = edits.size() + 1;
    const auto block = find_conflict(lines, i + 1, signs);
    if (!block) return unfit(number, "it has no line `>>>>>>> REPLACE`");
    if (block->dividers != 1) {
      return unfit(number, fmt::format("it has {} lines `=======` and needs one", block->dividers));
    }
    edits.push_back(
        {joined(lines, i + 1, block->divider), joined(lines, block->divider + 1, block->end)});
    i = block->end;
  }
  return edits;
}

std::optional<std::string> text_under(const Json& object, std::span<const char* const> keys) {
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return std::nullopt;
}

std::optional<Edit> edit_from(const Json& value) {
  // As they are spelled elsewhere.
  constexpr std::array kSearches{"search", "find", "old", "old_string"};
  constexpr std::array kReplaces{"replace", "replacement", "new", "new_string"};
  if (!value.is_object()) return std::nullopt;
  auto search = text_under(value, kSearches);
  auto replace = text_under(value, kReplaces);
  if (!search || !replace) return std::nullopt;
  return Edit{*std::move(search), *std::move(replace)};
}

Read read_json(const Json& json) {
  const bool named = json.is_object() && json.contains("edits");
  const Json& value = named ? json["edits"] : json;
  const Json list = value.is_array() ? value : Json::array({value});
  std::vector<Edit> edits;
  for (const Json& item : list) {
    auto edit = edit_from(item);
    if (!edit) return unfit(edits.size() + 1, "it needs the texts `search` and `replace`");
    edits.push_back(*std::move(edit));
  }
  return edits;
}

bool has_conflict(std::string_view reply) {
  return std::ranges::any_of(split(reply, '\n'), [](const std::string& line) {
    return signs_of(line, '<', "SEARCH") > 0;
  });
}

Read read_any(std::string_view reply) {
  if (next_search(reply)) return read_tagged(reply);
  if (has_conflict(reply)) return read_conflicts(reply);
  const auto json = json_in_text(reply);
  if (json && json->is_structured()) return read_json(*json);
  return std::vector<Edit>();
}

}  // namespace

Read read_edits(std::string_view reply) {
  Read read = read_any(reply);
  const auto* edits = std::get_if<std::vector<Edit>>(&read);
  if (edits == nullptr) return read;
  if (edits->empty()) return UnfitEdits{"it has no edit in the form asked for"};
  if (edits->size() > kMostEdits) {
    return UnfitEdits{fmt::format("it has {} edits, more than {}", edits->size(), kMostEdits)};
  }
  return read;
}

std::string edit_suffix(std::string_view text) {
  const std::array texts{text};
  const std::string search = mark_for(kSearch, texts).substr(kSearch.size());
  const std::string replace = mark_for(kReplace, texts).substr(kReplace.size());
  return search.size() > replace.size() ? search : replace;
}

}  // namespace hone::prompt
