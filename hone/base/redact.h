// Takes secrets out of text before it reaches a disk. The rules are data (redact_rules.inc).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace hone {

// Replaces credentials by typed placeholders such as [openai_key_1]. One Redactor serves one run:
// the same secret gets the same placeholder, numbered by first appearance.
// Threads: one at a time.
class Redactor {
 public:
  // The text without secrets; equal to the input if there were none.
  std::string redact(std::string_view text);
  // How many secrets were replaced so far, repeats included.
  std::size_t count() const { return count_; }

 private:
  std::string placeholder(std::string_view kind, std::string_view secret);

  std::map<std::string, std::string, std::less<>> placeholders_;
  std::map<std::string, int, std::less<>> numbers_;
  std::size_t count_ = 0;
};

}  // namespace hone
