// One reader for each test runner, inside of this folder. Each gives nothing for the output of
// another runner.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hone/evaluate/test_report.h"

namespace hone::evaluate {

using Lines = std::vector<std::string>;

std::vector<TestFailure> read_ctest(const Lines& lines);
std::vector<TestFailure> read_cargo(const Lines& lines);
std::vector<TestFailure> read_go(const Lines& lines);
std::vector<TestFailure> read_pytest(const Lines& lines);
std::vector<TestFailure> read_node(const Lines& lines);
std::vector<TestFailure> read_tap(const Lines& lines);

// Several lines as one, of bearable length.
std::string message_of(const Lines& lines);
// "file:12" at the start of a line such as "file:12: text" or "file:12:3: text".
std::optional<std::string> place_at(std::string_view line);
// Where the first frame of a JavaScript stack is that is not of the runtime: "(file:5:10)".
std::optional<std::string> place_in_stack(const Lines& lines);
// What stands between two texts.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after);
std::size_t indent_of(std::string_view line);

}  // namespace hone::evaluate
