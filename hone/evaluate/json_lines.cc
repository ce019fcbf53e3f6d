#include "hone/evaluate/json_lines.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

std::string unescaped(std::string name) {
  for (const auto& [escape, meant] : {std::pair("~1", "/"), {"~0", "~"}}) {
    for (auto at = name.find(escape); at != name.npos; at = name.find(escape, at + 1)) {
      name.replace(at, 2, meant);
    }
  }
  return name;
}

// The member or item with this name, or null.
const schema::Span* below(const schema::Span& span, const std::string& name) {
  std::size_t index = span.values.size();
  if (span.kind == schema::Kind::Object) {
    const auto found = std::ranges::find(span.names, name);
    index = static_cast<std::size_t>(found - span.names.begin());
  } else if (span.kind == schema::Kind::Array) {
    std::from_chars(name.data(), name.data() + name.size(), index);
  }
  return index < span.values.size() ? &span.values[index] : nullptr;
}

}  // namespace

JsonLines::JsonLines(std::string_view json, int first) : json_(json), first_(first) {
  if (json.find('\n') != std::string_view::npos) root_ = schema::locate(json);
}

int JsonLines::of(std::string_view pointer) const {
  if (!root_) return first_;
  const schema::Span* span = &*root_;
  const std::vector<std::string> names = split(pointer, '/');
  for (std::size_t i = 1; i < names.size(); ++i) {
    const schema::Span* next = below(*span, unescaped(names[i]));
    if (next == nullptr) break;
    span = next;
  }
  const auto lines = std::ranges::count(json_.substr(0, span->begin), '\n');
  return first_ + static_cast<int>(lines);
}

}  // namespace hone::evaluate
