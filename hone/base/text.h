// Small questions about text that several folders ask.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

std::string_view trim(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string lower(std::string_view text);  // ASCII letters only.
bool contains_word(std::string_view text, std::string_view word);

// At most `columns` characters (code points) of the text with its white space collapsed to single
// blanks, with "…" where something was cut.
std::string one_line(std::string_view text, std::size_t columns);
// The text up to the first sentence end, trimmed; the whole text if there is none.
std::string first_sentence(std::string_view text);
// The number of code points; invalid bytes count one each.
std::size_t width(std::string_view text);

bool is_utf8(std::string_view text);
// The text with every invalid byte replaced by U+FFFD.
std::string to_utf8(std::string_view text);

// The candidate closest to `word` by edit distance, if it is close enough to be a typo.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// Parses the whole of `text` as a decimal number.
std::optional<double> to_number(std::string_view text);

}  // namespace hone
