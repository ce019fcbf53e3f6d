#include "hone/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hone/base/error.h"
#include "hone/base/text.h"

namespace hone {
namespace {

// Builds the tree while it checks what nlohmann's own parser lets pass.
class TreeBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit TreeBuilder(std::size_t depth) : depth_(depth) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return fail(fmt::format("the number {} is too large", text));
    return put(value);
  }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return fail("binary data is not JSON"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (stands_twice(name)) return fail(fmt::format("the key \"{}\" stands twice", name));
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    position_ = position;
    const std::string_view what = error.what();
    // "[…] parse error at line 1, column 2: syntax error while parsing value - …"
    const auto reason = what.find(" - ");
    return fail(std::string(reason == std::string_view::npos ? what : what.substr(reason + 3)));
  }

  Json take() { return std::move(root_); }
  const std::string& reason() const { return reason_; }
  std::optional<std::size_t> position() const { return position_; }

 private:
  // Few members are compared one by one, many by a set of their names.
  bool stands_twice(const std::string& name) {
    constexpr std::size_t kFew = 16;
    const auto& members = stack_.back()->get_ref<const Json::object_t&>();
    auto& keys = keys_.back();
    if (members.size() < kFew) {
      return std::ranges::any_of(members, [&](const auto& member) { return member.first == name; });
    }
    if (keys.empty()) {
      for (const auto& member : members) keys.insert(member.first);
    }
    return !keys.insert(name).second;
  }
  Json* place(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    // Past the lookup of operator[], which makes large objects quadratic; key() saw no duplicate.
    auto& members = parent.get_ref<Json::object_t&>();
    return &members.Container::emplace_back(std::move(key_), std::move(value)).second;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (stack_.size() >= depth_) return fail(fmt::format("it nests deeper than {}", depth_));
    stack_.push_back(place(std::move(container)));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }
  bool fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return false;
  }

  std::size_t depth_;
  Json root_;
  // Stable: a container gets children only while it is the innermost open one.
  std::vector<Json*> stack_;
  // One for each container of stack_; empty while it has few members.
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
  std::string reason_;
  std::optional<std::size_t> position_;
};

std::string place_of(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1);
  return fmt::format("line {}, column {}", line, std::max<std::size_t>(1, column));
}

std::optional<Json> parse(std::string_view text, const JsonLimits& limits, std::string* reason) {
  if (text.size() > limits.bytes) {
    *reason = fmt::format("it has {} bytes, more than {}", text.size(), limits.bytes);
    return std::nullopt;
  }
  TreeBuilder builder(limits.depth);
  if (Json::sax_parse(text, &builder)) return builder.take();
  *reason = builder.reason();
  if (builder.position()) *reason = place_of(text, *builder.position()) + ": " + *reason;
  return std::nullopt;
}

Json sorted(const Json& value) {
  if (value.is_array()) {
    Json items = Json::array();
    for (const Json& item : value) items.push_back(sorted(item));
    return items;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, const Json*>> members;
  for (const auto& [name, member] : value.items()) members.emplace_back(name, &member);
  std::ranges::sort(members, {}, &std::pair<std::string, const Json*>::first);
  Json object = Json::object();
  for (const auto& [name, member] : members) object[name] = sorted(*member);
  return object;
}

std::string dump_with(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// The end of the bracketed value that starts at `text[start]`, by counting brackets outside of
// strings; npos if it does not end.
std::size_t closing_bracket(std::string_view text, std::size_t start) {
  std::size_t open = 0;
  bool quoted = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++open;
    if ((c == '}' || c == ']') && --open == 0) return i;
  }
  return std::string_view::npos;
}

// Whether a bracket opens JSON rather than prose such as "{this}" or "[1".
bool opens_json(std::string_view text) {
  const auto next = text.find_first_not_of(" \t\r\n", 1);
  if (next == std::string_view::npos) return false;
  return text.front() == '{' ? text[next] == '"' || text[next] == '}'
                             : text[next] == '{' || text[next] == '[';
}

// Never takes a piece out of JSON that is broken: the piece may say the opposite of the whole.
std::optional<Json> last_in_prose(std::string_view text) {
  std::optional<Json> last;
  for (std::size_t at = 0; (at = text.find_first_of("{[", at)) != std::string_view::npos;) {
    const std::size_t end = closing_bracket(text, at);
    const bool is_json = opens_json(text.substr(at));
    if (end == std::string_view::npos && is_json) break;
    std::optional<Json> value;
    if (end != std::string_view::npos) value = try_parse_json(text.substr(at, end - at + 1));
    at = value || is_json ? end + 1 : at + 1;
    if (value) last = std::move(value);
  }
  return last;
}

std::optional<Json> last_in_fences(std::string_view text) {
  std::optional<Json> last;
  for (std::size_t at = 0; (at = text.find("```", at)) != std::string_view::npos;) {
    const auto start = text.find('\n', at);
    if (start == std::string_view::npos) break;
    const auto end = text.find("```", start);
    const auto body = text.substr(start, end == std::string_view::npos ? end : end - start);
    if (auto value = try_parse_json(trim(body))) last = std::move(value);
    if (end == std::string_view::npos) break;
    at = end + 3;
  }
  return last;
}

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  std::string reason;
  if (auto value = parse(text, limits, &reason)) return *std::move(value);
  throw Error(ErrorKind::InvalidInput, "this is not JSON: " + reason);
}

std::optional<Json> try_parse_json(std::string_view text, const JsonLimits& limits) {
  std::string reason;
  return parse(text, limits, &reason);
}

std::string dump(const Json& value) { return dump_with(value, -1); }
std::string dump_pretty(const Json& value) { return dump_with(value, 2); }
std::string dump_canonical(const Json& value) { return dump(sorted(value)); }

std::string dotted_path(std::string_view pointer) {
  std::string dotted;
  for (std::size_t i = pointer.starts_with('/') ? 1 : 0; i < pointer.size(); ++i) {
    const bool escaped = pointer[i] == '~' && i + 1 < pointer.size();
    if (pointer[i] == '/') {
      dotted += '.';
    } else if (escaped) {
      dotted += pointer[++i] == '1' ? '/' : '~';
    } else {
      dotted += pointer[i];
    }
  }
  return dotted;
}

std::optional<Json> json_in_text(std::string_view text) {
  const std::string_view whole = trim(text);
  if (auto value = try_parse_json(whole)) return value;
  if (auto value = last_in_fences(whole)) return value;
  return last_in_prose(whole);
}

}  // namespace hone
