// Regular expressions of Perl's kind (PCRE2) that cannot run away.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace hone::evaluate {

// A compiled pattern over UTF-8 text; \w, \d and \b know Unicode. `^` and `$` stand for the ends of
// the whole text unless the pattern says (?m). Threads: any number at once.
class Pattern {
 public:
  // Throws InvalidInput with the offset of the mistake.
  explicit Pattern(std::string source);
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  enum class Answer { Absent, Found, GaveUp };
  struct Result {
    Answer answer = Answer::Absent;
    std::size_t begin = 0;  // Bytes, of the first match.
    std::size_t end = 0;
  };
  // Looks for the first match. The same text always takes the same number of steps; after
  // kMostSteps and some for each byte (tens of milliseconds for a text of usual length) it gives
  // up.
  Result find(std::string_view text) const;

  const std::string& source() const { return source_; }

  static constexpr std::size_t kMostSteps = 1'000'000;
  static constexpr std::size_t kMostStepsPerByte = 8;

 private:
  struct Compiled;
  std::string source_;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace hone::evaluate
