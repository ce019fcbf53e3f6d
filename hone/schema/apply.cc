#include "hone/schema/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "hone/base/json.h"
#include "hone/schema/number.h"

namespace hone::schema {
namespace {

std::string below(const std::string& pointer, std::string_view name) {
  std::string path = pointer + '/';
  for (const char c : name) {
    if (c == '~') {
      path += "~0";
    } else if (c == '/') {
      path += "~1";
    } else {
      path += c;
    }
  }
  return path;
}

bool is_container_text(std::string_view text, char open, char close) {
  return text.starts_with(open) && text.ends_with(close) && try_parse_json(text).has_value();
}

// Every JSON text that a string stands for and whose type is allowed.
std::set<std::string> from_string(const std::string& value, Types allowed) {
  std::set<std::string> found;
  if ((allowed & kFraction) != 0) {
    if (const auto number = as_number(value)) found.insert(*number);
  } else if ((allowed & kInteger) != 0) {
    if (const auto integer = as_integer(value)) found.insert(*integer);
  }
  if ((allowed & kBoolean) != 0 && (value == "true" || value == "false")) found.insert(value);
  if ((allowed & kObject) != 0 && is_container_text(value, '{', '}')) found.insert(value);
  if ((allowed & kArray) != 0 && is_container_text(value, '[', ']')) found.insert(value);
  return found;
}

std::set<std::string> from_number(std::string_view text, Types allowed) {
  std::set<std::string> found;
  if ((allowed & kString) != 0) found.insert(fmt::format("\"{}\"", text));
  if ((allowed & kInteger) != 0) {
    if (const auto integer = as_integer(text)) found.insert(*integer);
  }
  return found;
}

std::optional<std::string> replacement(Kind kind, std::string_view text, Types allowed) {
  std::set<std::string> found;
  if (kind == Kind::String) found = from_string(unquoted(text), allowed);
  if (kind == Kind::Number) found = from_number(text, allowed);
  if (kind == Kind::Boolean && (allowed & kString) != 0) found.insert(fmt::format("\"{}\"", text));
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

class Search {
 public:
  Search(const Demands& demands, std::string_view text) : demands_(demands), text_(text) {}

  void visit(const Span& span, const Schemas& schemas, const std::string& pointer) {
    if (schemas.empty()) return;
    const std::string_view value = text_.substr(span.begin, span.end - span.begin);
    const Types allowed = demands_.types(schemas);
    if ((demands_.type_of(span.kind, value) & allowed) == 0) {
      propose(span, value, allowed, pointer);
      return;
    }
    for (std::size_t i = 0; i < span.values.size(); ++i) {
      if (span.kind == Kind::Object) {
        visit(span.values[i], demands_.of_property(schemas, span.names[i]),
              below(pointer, span.names[i]));
      } else {
        visit(span.values[i], demands_.of_item(schemas, i), below(pointer, std::to_string(i)));
      }
    }
  }

  std::vector<Proposal> found;

 private:
  void propose(const Span& span, std::string_view value, Types allowed,
               const std::string& pointer) {
    const auto text = replacement(span.kind, value, allowed);
    if (!text) return;
    found.push_back({.edit = {.pointer = pointer, .from = std::string(value), .to = *text},
                     .begin = span.begin,
                     .end = span.end});
  }

  const Demands& demands_;
  std::string_view text_;
};

std::string with(const std::string& text, const std::vector<Proposal>& proposals) {
  std::string edited;
  std::size_t position = 0;
  for (const Proposal& proposal : proposals) {
    edited.append(text, position, proposal.begin - position).append(proposal.edit.to);
    position = proposal.end;
  }
  return edited.append(text, position);
}

}  // namespace

std::vector<Proposal> proposals(const Demands& demands, std::string_view text) {
  Search search(demands, text);
  search.visit(locate(text), demands.root(), "");
  return std::move(search.found);
}

Mending::Mending(std::string text, std::function<Result(std::string_view)> check)
    : text_(std::move(text)), check_(std::move(check)), best_(check_(text_)) {}

bool Mending::has_wrong_type() const {
  return std::ranges::any_of(best_.violations, [](const Violation& violation) {
    const std::string& keyword = violation.keyword;
    return keyword == "type" || keyword == "anyOf" || keyword == "oneOf";
  });
}

bool Mending::try_edits(const std::vector<Proposal>& proposals) {
  if (proposals.empty()) return false;
  if (try_all(proposals)) return true;
  bool any = false;
  // From the end, so that the places of the others stay where they are.
  for (auto proposal = proposals.rbegin(); proposal != proposals.rend(); ++proposal) {
    any = try_one(*proposal) || any;
  }
  return any;
}

bool Mending::try_all(const std::vector<Proposal>& proposals) {
  std::string text = with(text_, proposals);
  Result result = check_(text);
  const std::size_t left = result.violations.size() + proposals.size();
  if (result.share < best_.share || left > best_.violations.size()) return false;
  make(std::move(text), std::move(result), proposals);
  return true;
}

bool Mending::try_one(const Proposal& proposal) {
  std::string text = with(text_, {proposal});
  Result result = check_(text);
  if (result.share < best_.share) return false;
  make(std::move(text), std::move(result), {proposal});
  return true;
}

void Mending::make(std::string text, Result result, const std::vector<Proposal>& made) {
  text_ = std::move(text);
  best_ = std::move(result);
  for (const Proposal& proposal : made) edits_.push_back(proposal.edit);
}

Coerced Mending::coerced() && {
  return {.text = std::move(text_), .edits = std::move(edits_), .result = std::move(best_)};
}

}  // namespace hone::schema
