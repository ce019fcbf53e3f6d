#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

struct Test {
  std::string name;
  bool failed = false;
  Lines said;
  std::string panicked_at;
};

class Reader {
 public:
  void read(const std::string& line) {
    const std::string_view text = trim(line);
    if (text.starts_with("=== ")) return follow(text);
    if (text.starts_with("--- ")) return end(text);
    if (line.starts_with("# ")) return begin_build();
    if (text == "FAIL" || text.starts_with("FAIL\t") || text.starts_with("ok  \t")) return leave();
    if (building_) return read_error(line);
    if (current_ < tests_.size()) read_said(line);
  }

  std::vector<TestFailure> failures() const {
    std::vector<TestFailure> failures = errors_;
    for (const Test& test : tests_) {
      if (test.failed && !(test.said.empty() && has_failed_part(test)))
        failures.push_back(failure(test));
    }
    return failures;
  }

 private:
  Test& test(std::string_view name) {
    const auto found = std::ranges::find(tests_, name, &Test::name);
    current_ = static_cast<std::size_t>(found - tests_.begin());
    if (found == tests_.end())
      tests_.push_back({.name = std::string(name), .said = {}, .panicked_at = {}});
    return tests_[current_];
  }

  void leave() {
    current_ = tests_.size();
    building_ = false;
  }

  void begin_build() {
    leave();
    building_ = true;
  }

  // === RUN   TestAdd
  void follow(std::string_view text) {
    building_ = false;
    const auto name = text.rfind(' ');
    test(trim(text.substr(name)));
  }

  // --- FAIL: TestAdd (0.00s)
  void end(std::string_view text) {
    const auto name = between(text, ": ", " (");
    if (!name) return;
    Test& ended = test(*name);
    ended.failed = text.starts_with("--- FAIL: ");
    if (!ended.failed) leave();
  }

  void read_error(const std::string& line) {
    const auto place = place_at(line);
    if (!place) return;
    const auto message = line.find(": ");
    errors_.push_back(
        {.test = {},
         .place = *place,
         .message = message_of({message == line.npos ? line : line.substr(message + 2)})});
  }

  void read_said(const std::string& line) {
    Test& test = tests_[current_];
    const bool panics = !test.said.empty() && test.said.front().starts_with("panic: ");
    if (!panics && (line.starts_with("    ") || line.starts_with("panic: "))) {
      test.said.emplace_back(trim(line));
    }
    const bool is_frame = line.starts_with('\t') && line.find("_test.go:") != line.npos;
    if (!is_frame || !test.panicked_at.empty()) return;
    const std::string_view frame = trim(line);
    test.panicked_at = place_at(frame.substr(0, frame.find(' '))).value_or("");
  }

  bool has_failed_part(const Test& whole) const {
    return std::ranges::any_of(tests_, [&](const Test& test) {
      return test.failed && test.name.starts_with(whole.name + "/");
    });
  }

  static TestFailure failure(const Test& test) {
    TestFailure failure{.test = test.name,
                        .place = test.panicked_at,
                        .message = message_of({join(test.said, "; ")})};
    const auto place = test.said.empty() ? std::nullopt : place_at(test.said.front());
    if (!place) return failure;
    failure.place = *place;
    const std::string_view text = failure.message;
    failure.message = std::string(trim(text.substr(place->size() + 1)));
    return failure;
  }

  std::vector<Test> tests_;
  std::vector<TestFailure> errors_;
  std::size_t current_ = 0;
  bool building_ = false;
};

bool is_go(const Lines& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.starts_with("FAIL\t") || line.find("--- FAIL: ") != line.npos;
  });
}

}  // namespace

std::vector<TestFailure> read_go(const Lines& lines) {
  if (!is_go(lines)) return {};
  Reader reader;
  for (const std::string& line : lines) reader.read(line);
  return reader.failures();
}

}  // namespace hone::evaluate
