#include "hone/prompt/marks.h"

#include <algorithm>

#include "hone/base/digest.h"
#include "hone/base/text.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kFirstDigits = 6;

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool is_tag(std::string_view after_bracket, std::string_view name) {
  std::string_view text = without_blanks(after_bracket);
  if (text.starts_with('/')) text = without_blanks(text.substr(1));
  return text.size() >= name.size() && lower(text.substr(0, name.size())) == name;
}

bool contains_tag(std::string_view text, std::string_view name) {
  for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (is_tag(text.substr(at + 1), name)) return true;
  }
  return false;
}

std::string hash_of(std::span<const std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all += sha256(text);
  return sha256(all);
}

}  // namespace

std::string mark_for(std::string_view name, std::span<const std::string_view> texts) {
  std::string mark(name);
  const auto taken = [&](std::string_view text) { return contains_tag(text, mark); };
  if (std::ranges::none_of(texts, taken)) return mark;
  const std::string hash = hash_of(texts);
  for (std::size_t digits = kFirstDigits; digits <= hash.size(); ++digits) {
    mark = std::string(name) + "-" + hash.substr(0, digits);
    if (std::ranges::none_of(texts, taken)) break;
  }
  return mark;
}

}  // namespace hone::prompt
