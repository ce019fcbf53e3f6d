// Builds our values from the events of yaml-cpp, while it checks what yaml-cpp lets pass.
#pragma once

#include <yaml-cpp/eventhandler.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/yaml/parse.h"

namespace YAML {
struct Mark;
}

namespace hone::yaml {

// Stands for a `?` (see parse.cc); a code point that is no character.
inline constexpr std::string_view kHiddenQuestion = "\xEF\xB7\x90";
enum class Questions { Hidden, AsWritten };

// Where the lines of a text start; turns the marks of yaml-cpp (bytes, from 0) into positions.
class Places {
 public:
  explicit Places(std::string_view text);
  Position at(const YAML::Mark& mark) const;
  // The text from there on.
  std::string_view from(const YAML::Mark& mark) const;
  // Where the text of a scalar that begins there has its first character.
  Position text_at(const YAML::Mark& mark) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

// Takes the events of one document. Its functions throw Error through yaml-cpp.
class Builder final : public YAML::EventHandler {
 public:
  Builder(std::string_view text, std::string_view file, const Limits& limits, Questions questions);

  Node take() { return std::move(root_); }
  const Places& places() const { return places_; }
  // Where the innermost list or mapping begins that is not complete.
  std::optional<Position> innermost() const;
  // Where text in quotes begins that does not end. yaml-cpp ends it with the file instead, if that
  // ends with a line.
  std::optional<Position> open_quote() const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override { ended_ = true; }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  using Path = std::vector<std::size_t>;  // Indices of children, from the root.
  // A list or mapping whose children are still coming.
  struct Frame {
    Node node;
    std::unordered_map<std::string, Position> keys;
    bool has_key = false;  // The last member of the mapping waits for its value.
  };

  bool expects_key() const;
  void put_key(Position at, std::string key);
  void put(Node node, YAML::anchor_t anchor);
  void attach(Node node);
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node node);
  void close();
  Path next_path() const;
  const Node* find(const Path& path) const;
  void charge(const Node& node, Position alias);
  [[noreturn]] void fail(Position at, std::string_view message, std::string hint = {}) const;

  Places places_;
  std::string_view file_;
  Limits limits_;
  Questions questions_;
  Node root_;
  bool ended_ = false;
  std::string_view last_text_;  // From the last scalar that is not plain to the end of the file.
  Position last_text_at_;
  std::vector<Frame> open_;
  std::unordered_map<YAML::anchor_t, Path> anchors_;
  std::size_t repeated_ = 0;
};

}  // namespace hone::yaml
