// Takes what is sensitive out of text before it reaches a disk.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/sensitive.h"

namespace hone {

// What was taken out, and what stands in its place: "[EMAIL_1]".
struct Original {
  std::string placeholder;
  std::string text;

  bool operator==(const Original&) const = default;
};

// Replaces secrets, personal data and infrastructure by typed placeholders. One Redactor serves one
// run: the same original gets the same placeholder, numbered by first appearance within its kind.
// Text that looks like a placeholder of ours is itself replaced ([LITERAL_1]), so that every
// placeholder in a redacted text has one meaning.
// Threads: one at a time.
class Redactor {
 public:
  explicit Redactor(Redaction redaction = {}) : redaction_(redaction) {}

  // The text without what is sensitive; equal to the input if there was nothing.
  std::string redact(std::string_view text);
  // The same, or nothing if there was nothing: most text needs no copy.
  std::optional<std::string> replaced(std::string_view text);
  // How many places were replaced so far, repeats included.
  std::size_t count() const { return count_; }
  const Redaction& redaction() const { return redaction_; }

  // What got its placeholder since the last call.
  std::vector<Original> take_new();
  // Goes on with what an earlier redactor of the run had found. An original whose text is its own
  // placeholder stands for one that nobody knows any more: it stays as it is.
  void know(const Original& original);

 private:
  // What became of a text; absent if it is the text itself.
  std::optional<std::string> replace(std::string_view text);
  const std::string& placeholder(std::string_view kind, std::string_view original);

  Redaction redaction_;
  std::map<std::string, std::string, std::less<>> placeholders_;  // By original.
  std::map<std::string, int, std::less<>> numbers_;               // By kind.
  std::vector<Original> new_;
  std::size_t count_ = 0;
};

// The redacted text with its placeholders numbered by first appearance in this text alone: equal
// for equal texts whatever the run had found before. Digests are made of it.
std::string with_own_numbers(std::string_view redacted);
bool has_placeholder(std::string_view text);

// Puts originals back where their placeholders stand.
class Originals {
 public:
  enum class Form { Plain, Json };  // In JSON they are escaped as it wants them.

  Originals() = default;
  explicit Originals(const std::vector<Original>& originals);

  bool empty() const { return texts_.empty(); }
  // Placeholders that it does not know stay.
  std::string put_back(std::string_view redacted, Form form) const;

 private:
  std::string with_bytes_put_back(std::string json) const;

  std::map<std::string, std::string, std::less<>> texts_;  // By placeholder.
};

}  // namespace hone
