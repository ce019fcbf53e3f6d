#include "hone/yaml/builder.h"

#include <fmt/format.h>
#include <yaml-cpp/mark.h>

#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/yaml/scalar.h"

namespace hone::yaml {
namespace {

constexpr std::string_view kPlain = "?";
constexpr std::string_view kText = "tag:yaml.org,2002:str";

std::size_t children_of(const Node& node) {
  if (const auto* list = node.get_if<Node::List>()) return list->size();
  const auto* mapping = node.get_if<Node::Mapping>();
  return mapping == nullptr ? 0 : mapping->size();
}

const Node& child_of(const Node& node, std::size_t index) {
  if (const auto* list = node.get_if<Node::List>()) return list->at(index);
  return std::get<Node::Mapping>(node.value).at(index).value;
}

std::string with_questions(std::string text) {
  for (std::size_t at = 0; (at = text.find(kHiddenQuestion, at)) != std::string::npos; ++at) {
    text.replace(at, kHiddenQuestion.size(), "?");
  }
  return text;
}

// Whether the scalar at the start of `text` ends if it is in quotes.
bool closes(std::string_view text) {
  const char quote = text.front();
  if (quote != '\'' && quote != '"') return true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool skips = quote == '"' ? text[i] == '\\' : text.substr(i).starts_with("''");
    if (skips) {
      ++i;
    } else if (text[i] == quote) {
      return true;
    }
  }
  return false;
}

// The size of a value in the unit of Limits::repeated; stops counting past `most`.
std::size_t weight(const Node& node, std::size_t most) {
  const auto* text = node.get_if<std::string>();
  std::size_t sum = 1 + (text == nullptr ? 0 : text->size() / 100);
  const std::size_t children = children_of(node);
  for (std::size_t i = 0; i < children && sum <= most; ++i) sum += weight(child_of(node, i), most);
  return sum;
}

}  // namespace

Places::Places(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') starts_.push_back(i + 1);
  }
}

Position Places::at(const YAML::Mark& mark) const {
  const auto line = static_cast<std::size_t>(std::max(mark.line, 0));
  const auto bytes = static_cast<std::size_t>(std::max(mark.column, 0));
  if (line >= starts_.size()) return {mark.line + 1, mark.column + 1};
  const std::string_view before = text_.substr(starts_[line], bytes);
  return {mark.line + 1, static_cast<int>(width(before)) + 1};
}

std::string_view Places::from(const YAML::Mark& mark) const {
  const auto line = static_cast<std::size_t>(std::max(mark.line, 0));
  const auto column = static_cast<std::size_t>(std::max(mark.column, 0));
  if (line >= starts_.size()) return {};
  return text_.substr(std::min(text_.size(), starts_[line] + column));
}

Position Places::text_at(const YAML::Mark& mark) const {
  const std::string_view text = from(mark);
  const Position start = at(mark);
  if (text.starts_with('"') || text.starts_with('\'')) return {start.line, start.column + 1};
  if (!text.starts_with('|') && !text.starts_with('>')) return start;
  std::string_view rest = text;
  while (true) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return start;
    rest.remove_prefix(end + 1);
    const std::size_t indentation = rest.find_first_not_of(' ');
    if (indentation == std::string_view::npos) return start;
    if (rest[indentation] == '\n' || rest[indentation] == '\r') continue;
    return {start.line + 1, static_cast<int>(indentation) + 1};
  }
}

Builder::Builder(std::string_view text, std::string_view file, const Limits& limits,
                 Questions questions)
    : places_(text), file_(file), limits_(limits), questions_(questions) {}

void Builder::fail(Position at, std::string_view message, std::string hint) const {
  throw error_at(file_, at, message, std::move(hint));
}

void Builder::OnDocumentStart(const YAML::Mark& mark) {
  if (!ended_) return;
  fail(places_.at(mark), "something follows the end of the document",
       "one file holds one document; put a second one (after `---`) into a file of its own");
}

void Builder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expects_key()) fail(places_.at(mark), "a key is missing in front of this `:`");
  put({nullptr, places_.at(mark)}, anchor);
}

void Builder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       const std::string& raw) {
  const std::string text = questions_ == Questions::Hidden ? with_questions(raw) : raw;
  const Position at = places_.at(mark);
  if (tag != kPlain && tag != "!" && tag != kText) {
    fail(at, fmt::format("the tag `{}` is not supported", one_line(tag, 40)), "leave it out");
  }
  if (tag != kPlain) {
    last_text_ = places_.from(mark);
    last_text_at_ = at;
  }
  if (expects_key()) {
    if (text == "<<" && tag == kPlain) {
      fail(at, "merge keys (`<<`) are not part of YAML 1.2", "write the keys out");
    }
    return put_key(at, text);
  }
  if (tag != kPlain) return put({text, at, places_.text_at(mark)}, anchor);
  auto value = plain_scalar(text);
  if (!value) fail(at, fmt::format("the number {} is too large", one_line(text, 40)));
  put({*std::move(value), at, at}, anchor);
}

std::optional<Position> Builder::innermost() const {
  if (open_.empty()) return std::nullopt;
  return open_.back().node.at;
}

std::optional<Position> Builder::open_quote() const {
  const auto start = last_text_.find_first_of("'\"|>");  // Behind an anchor or a tag.
  if (start == std::string_view::npos || closes(last_text_.substr(start))) return std::nullopt;
  return last_text_at_;
}

void Builder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                              YAML::EmitterStyle::value) {
  open(mark, tag, anchor, {Node::List(), places_.at(mark)});
}

void Builder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) {
  open(mark, tag, anchor, {Node::Mapping(), places_.at(mark)});
}

void Builder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const Position at = places_.at(mark);
  const auto path = anchors_.find(anchor);
  const Node* const original = path == anchors_.end() ? nullptr : find(path->second);
  if (original == nullptr) fail(at, "this alias stands inside of what it refers to");
  if (expects_key()) {
    const auto* text = original->get_if<std::string>();
    if (text == nullptr) fail(at, "a key must be text");
    return put_key(at, *text);
  }
  charge(*original, at);
  Node copy = *original;
  copy.at = at;
  attach(std::move(copy));
}

void Builder::charge(const Node& node, Position alias) {
  repeated_ += weight(node, limits_.repeated);
  if (repeated_ <= limits_.repeated) return;
  fail(alias, fmt::format("the aliases up to here repeat more than {} values", limits_.repeated),
       "write less of the document through aliases (*name)");
}

bool Builder::expects_key() const {
  if (open_.empty()) return false;
  const Frame& frame = open_.back();
  return frame.node.get_if<Node::Mapping>() != nullptr && !frame.has_key;
}

void Builder::put_key(Position at, std::string key) {
  Frame& frame = open_.back();
  const auto [first, is_new] = frame.keys.emplace(key, at);
  if (!is_new) {
    fail(at,
         fmt::format("the key `{}` stands here and at {}:{}", one_line(key, 40), first->second.line,
                     first->second.column),
         "keep one of them");
  }
  std::get<Node::Mapping>(frame.node.value).push_back({std::move(key), at, {}});
  frame.has_key = true;
}

void Builder::put(Node node, YAML::anchor_t anchor) {
  if (anchor != YAML::NullAnchor) anchors_[anchor] = next_path();
  attach(std::move(node));
}

void Builder::attach(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = open_.back();
  if (auto* list = std::get_if<Node::List>(&frame.node.value)) {
    list->push_back(std::move(node));
    return;
  }
  std::get<Node::Mapping>(frame.node.value).back().value = std::move(node);
  frame.has_key = false;
}

void Builder::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                   Node node) {
  const Position at = places_.at(mark);
  if (tag != kPlain && tag != "!") {
    fail(at, fmt::format("the tag `{}` is not supported", one_line(tag, 40)), "leave it out");
  }
  if (expects_key()) fail(at, fmt::format("a key must be text, this is {}", describe(node)));
  if (open_.size() >= limits_.depth) {
    fail(at, fmt::format("the document nests deeper than {}", limits_.depth));
  }
  if (anchor != YAML::NullAnchor) anchors_[anchor] = next_path();
  open_.push_back({std::move(node), {}, false});
}

void Builder::close() {
  Node node = std::move(open_.back().node);
  open_.pop_back();
  attach(std::move(node));
}

Builder::Path Builder::next_path() const {
  Path path;
  for (const Frame& frame : open_) {
    // The member that waits for its value is in the mapping already.
    path.push_back(children_of(frame.node) - (frame.has_key ? 1 : 0));
  }
  return path;
}

// The completed value at `path`; null while it is still open.
const Node* Builder::find(const Path& path) const {
  const Path here = next_path();
  const auto fork = std::ranges::mismatch(path, here);
  if (fork.in1 == path.end()) return nullptr;
  const Node* node = &open_[static_cast<std::size_t>(fork.in1 - path.begin())].node;
  for (auto index = fork.in1; index != path.end(); ++index) node = &child_of(*node, *index);
  return node;
}

}  // namespace hone::yaml
