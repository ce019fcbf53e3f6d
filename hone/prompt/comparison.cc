#include "hone/prompt/comparison.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/text.h"
#include "hone/prompt/verdict_json.h"

namespace hone::prompt {
namespace {

constexpr std::size_t kLongestReply = 64 * 1024;

std::optional<Better> better_from(std::string_view word) {
  word = trim(word);
  while (!word.empty() && std::string_view(".*`\"'").find(word.back()) != word.npos)
    word.remove_suffix(1);
  while (!word.empty() && std::string_view("*`\"'").find(word.front()) != word.npos)
    word.remove_prefix(1);
  const std::string text = lower(word);
  if (text == "a" || text == "text a") return Better::First;
  if (text == "b" || text == "text b") return Better::Second;
  if (text == "tie" || text == "equal" || text == "both") return Better::Tie;
  return std::nullopt;
}

std::string text_in(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return {};
}

// Absent if the object does not say.
std::optional<Comparison> comparison_in(const Json& object) {
  const auto better = better_from(text_in(object, {"better", "winner"}));
  if (!better) return std::nullopt;
  return Comparison{*better, std::string(trim(text_in(object, {"reason", "explanation"})))};
}

}  // namespace

std::variant<Comparison, Unreadable> read_comparison(std::string_view reply) {
  if (reply.size() > kLongestReply) return Unreadable{"it is too long"};
  const auto text = without_thoughts(reply).value_or("");
  if (const auto word = better_from(text)) return Comparison{*word, {}};
  const Objects objects = objects_in(text);
  std::optional<Comparison> found;
  for (const Located& object : objects.found) {
    const auto comparison = comparison_in(parse_json(object.text.text));
    if (!comparison) continue;
    if (found && found->better != comparison->better) return Unreadable{"it names both texts"};
    found = comparison;
  }
  if (!found || objects.too_many)
    return Unreadable{"it does not say `better` as A, B or tie in JSON"};
  return *found;
}

}  // namespace hone::prompt
