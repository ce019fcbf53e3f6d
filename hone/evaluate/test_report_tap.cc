#include <algorithm>
#include <utility>

#include "hone/base/text.h"
#include "hone/evaluate/test_report_readers.h"

namespace hone::evaluate {
namespace {

// "not ok 2 - adds # TODO later"
struct Result {
  bool ok = false;
  std::string name;
  bool excused = false;
};

std::optional<Result> result_of(std::string_view line) {
  line = trim(line);
  Result result{.ok = !line.starts_with("not "), .name = {}};
  if (!result.ok) line = trim(line.substr(4));
  if (line != "ok" && !line.starts_with("ok ")) return std::nullopt;
  line = trim(line.substr(2));
  line.remove_prefix(std::min(line.find_first_not_of("0123456789"), line.size()));
  line = trim(line);
  if (line.starts_with("- ")) line = trim(line.substr(2));
  const auto directive = line.find("# ");
  if (directive != line.npos) {
    const std::string word = lower(line.substr(directive + 2, 4));
    result.excused = word == "todo" || word == "skip";
    if (result.excused) line = trim(line.substr(0, directive));
  }
  result.name = line;
  return result;
}

// The value of a key in a test's YAML block, over as many lines as it takes.
Lines value_of(std::span<const std::string> block, std::string_view key) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::string_view line = trim(block[i]);
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(":")) continue;
    const std::string_view value = trim(line.substr(key.size() + 1));
    const bool is_block = value.empty() || value.starts_with('|') || value.starts_with('>');
    if (!is_block) {
      const bool quoted = value.size() > 1 && (value.front() == '\'' || value.front() == '"');
      return {std::string(quoted ? value.substr(1, value.size() - 2) : value)};
    }
    Lines lines;
    const std::size_t indent = indent_of(block[i]);
    for (++i; i < block.size() && (trim(block[i]).empty() || indent_of(block[i]) > indent); ++i) {
      lines.push_back(block[i]);
    }
    return lines;
  }
  return {};
}

void read_block(TestFailure& failure, std::span<const std::string> block) {
  for (const std::string_view key : {"error", "message"}) {
    if (failure.message.empty()) failure.message = message_of(value_of(block, key));
  }
  if (auto place = place_in_stack(value_of(block, "stack"))) {
    failure.place = *std::move(place);
  } else if (const Lines location = value_of(block, "location"); !location.empty()) {
    failure.place = place_at(location.front()).value_or("");
  }
}

// The lines of the YAML block that follows a result, if there is one.
std::span<const std::string> block_after(const Lines& lines, std::size_t result) {
  if (result + 1 >= lines.size() || trim(lines[result + 1]) != "---") return {};
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(result) + 2;
  const auto end =
      std::find_if(begin, lines.end(), [](const auto& line) { return trim(line) == "..."; });
  return {begin, end};
}

class Reader {
 public:
  explicit Reader(const Lines& lines) : lines_(lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) read(i);
    for (std::size_t i = 0; i < lines.size(); ++i) read_remark(i);
  }

  std::vector<TestFailure> failures;

 private:
  void read(std::size_t at) {
    const std::string_view line = trim(lines_[at]);
    if (line.starts_with("Bail out!"))
      failures.push_back({.test = {}, .place = {}, .message = message_of({lines_[at]})});
    const auto result = result_of(line);
    if (!result) return;
    const std::size_t depth = indent_of(lines_[at]);
    const bool failed = !result->ok && !result->excused;
    if (failed && !has_failed_part(depth)) {
      failures.push_back({.test = result->name, .place = {}, .message = {}});
      read_block(failures.back(), block_after(lines_, at));
    }
    results_.emplace_back(depth, failed);
  }

  // The parts of a group stand in front of it, further in.
  bool has_failed_part(std::size_t depth) const {
    for (auto part = results_.rbegin(); part != results_.rend() && part->first > depth; ++part) {
      if (part->second) return true;
    }
    return false;
  }

  // #   Failed test 'adds'
  // #   at a.t line 4.
  // #          got: '4'
  void read_remark(std::size_t at) {
    std::string_view line = trim(lines_[at]);
    if (!line.starts_with('#') || line.find("Failed test") == line.npos) return;
    const std::string name(between(line, "Failed test '", "'").value_or(""));
    const auto is_meant = [&](const TestFailure& failure) {
      return failure.test == name && failure.message.empty() && failure.place.empty();
    };
    const auto failure = std::ranges::find_if(failures, is_meant);
    if (failure == failures.end()) return;
    Lines said;
    for (std::size_t i = at; i < lines_.size(); ++i) {
      line = trim(lines_[i]);
      const bool goes_on =
          line.starts_with('#') && (i == at || line.find("Failed test") == line.npos);
      if (!goes_on || line.find("Looks like you") != line.npos) break;
      take(line, *failure, said);
    }
    failure->message = message_of(said);
  }

  static void take(std::string_view line, TestFailure& failure, Lines& said) {
    const auto file = line.find(" at ");
    const auto number = between(line, " line ", ".");
    if (failure.place.empty() && file != line.npos && number) {
      failure.place = std::string(*between(line, " at ", " line ")) + ":" + std::string(*number);
    } else if (line.find("Failed test") == line.npos) {
      said.emplace_back(trim(line.substr(1)));
    }
  }

  const Lines& lines_;
  std::vector<std::pair<std::size_t, bool>> results_;  // Depth, and whether it failed.
};

bool is_tap(const Lines& lines) {
  return std::ranges::any_of(lines, [](const std::string& line) {
    return line.starts_with("TAP version ") ||
           (line.starts_with("1..") && line.find_first_not_of("0123456789. ") == line.npos);
  });
}

}  // namespace

std::vector<TestFailure> read_tap(const Lines& lines) {
  return is_tap(lines) ? Reader(lines).failures : std::vector<TestFailure>();
}

}  // namespace hone::evaluate
