#include "hone/prompt/score_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "hone/base/text.h"

namespace hone::prompt {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads a text from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::string_view rest() const { return text_.substr(at_); }
  std::size_t at() const { return at_; }
  bool done() const { return at_ == text_.size(); }
  void skip(std::size_t count) { at_ += count; }
  void back_to(std::size_t at) { at_ = at; }
  void blanks() {
    while (!done() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    const std::size_t start = at_;
    blanks();
    if (lower(rest().substr(0, token.size())) == token) {
      skip(token.size());
      return true;
    }
    at_ = start;
    return false;
  }

  bool take_word(std::string_view word) {
    const std::size_t start = at_;
    if (take(word) && (done() || !is_letter(text_[at_]))) return true;
    at_ = start;
    return false;
  }

  // Not "nan" or "inf", which from_chars reads too.
  std::optional<double> number() {
    const std::size_t start = at_;
    blanks();
    const std::string_view from = rest();
    const std::size_t sign = from.starts_with('-') ? 1 : 0;
    const std::size_t point = sign + (from.substr(sign).starts_with('.') ? 1 : 0);
    double value = 0;
    if (point < from.size() && is_digit(from[point])) {
      const auto [end, failure] = std::from_chars(from.data(), from.data() + from.size(), value);
      skip(static_cast<std::size_t>(end - from.data()));
      if (failure == std::errc() && std::isfinite(value)) return value;
    }
    at_ = start;
    return std::nullopt;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool take_dash(Reader& reader) {
  constexpr std::array<std::string_view, 6> kDashes{"-", "–", "—", "to ", "..", "through "};
  return std::ranges::any_of(kDashes, [&](std::string_view dash) { return reader.take(dash); });
}

std::optional<Scale> ordered(double low, double high) {
  if (!(low < high)) return std::nullopt;
  return Scale{low, high};
}

// "1-5", "1 to 5".
std::optional<Scale> take_range(Reader& reader) {
  const auto low = reader.number();
  if (!low || !take_dash(reader)) return std::nullopt;
  const auto high = reader.number();
  return high ? ordered(*low, *high) : std::nullopt;
}

// "/10", "out of 10".
std::optional<Scale> take_maximum(Reader& reader) {
  const bool slash = reader.take("/");
  if (!slash && !(reader.take_word("out") && reader.take_word("of"))) return std::nullopt;
  const auto high = reader.number();
  // A smaller one would be a fraction, not a scale.
  return high && *high >= 1 ? ordered(0, *high) : std::nullopt;
}

template <class Take>
std::optional<Scale> attempt(Reader& reader, Take take) {
  const std::size_t start = reader.at();
  if (auto scale = take(reader)) return scale;
  reader.back_to(start);
  return std::nullopt;
}

std::optional<Scale> take_percent(Reader& reader) {
  if (!reader.take("%") && !reader.take_word("percent")) return std::nullopt;
  return Scale{0, 100};
}

// What stands between parentheses at the reader; takes it.
std::optional<std::string_view> take_parenthesis(Reader& reader) {
  const std::size_t start = reader.at();
  reader.blanks();
  const std::string_view rest = reader.rest();
  const auto end = rest.find(')');
  if (!rest.starts_with('(') || end == std::string_view::npos || rest.find('\n') < end) {
    reader.back_to(start);
    return std::nullopt;
  }
  reader.skip(end + 1);
  return rest.substr(1, end - 1);
}

// The scale that follows a number; takes it. Another range or number makes it `broken`.
std::optional<Scale> take_scale(Reader& reader, bool* broken) {
  if (auto scale = attempt(reader, take_percent)) return scale;
  if (auto scale = attempt(reader, take_maximum)) return scale;
  const std::size_t start = reader.at();
  if (const auto inside = take_parenthesis(reader)) {
    if (auto scale = scale_from(*inside)) return scale;
    *broken = *broken || has_digit(*inside);
    reader.back_to(start);
  }
  if (reader.take_word("on") && (reader.take_word("a") || reader.take_word("the"))) {
    const auto end = reader.rest().find_first_of(",;\n");
    std::string_view words = reader.rest().substr(0, end);
    if (words.ends_with('.')) words.remove_suffix(1);
    reader.skip(words.size());
    if (auto scale = scale_from(words)) return scale;
    *broken = true;
  }
  reader.back_to(start);
  return std::nullopt;
}

// Whether what follows turns the number into something else: "0,9", "0.4-0.9", "0.2 or 0.9".
bool goes_on(Reader reader) {
  constexpr std::array<std::string_view, 9> kJoins{"-", "–", "—", "~", "/", "->", "→", "±", "+/-"};
  constexpr std::array<std::string_view, 7> kWords{"or",   "to",    "of",   "points",
                                                   "star", "stars", "point"};
  const std::string_view rest = reader.rest();
  if (!rest.empty() && (is_letter(rest[0]) || is_digit(rest[0]) || rest[0] == '?')) return true;
  if (rest.size() > 1 && (rest[0] == ',' || rest[0] == '.') && is_digit(rest[1])) return true;
  for (const std::string_view word : kWords) {
    if (reader.take_word(word)) return true;
  }
  for (const std::string_view join : kJoins) {
    Reader after = reader;
    if (after.take(join) && after.number()) return true;
  }
  return false;
}

}  // namespace

std::optional<Scale> scale_from(std::string_view words) {
  constexpr std::array<std::string_view, 9> kFillers{"score", "scale", "on", "of",     "from",
                                                     "the",   "a",     ":",  "between"};
  Reader reader(trim(words));
  const auto filler = [&](std::string_view word) {
    return word == ":" ? reader.take(word) : reader.take_word(word);
  };
  while (std::ranges::any_of(kFillers, filler)) continue;
  auto scale = attempt(reader, take_maximum);
  if (!scale) scale = attempt(reader, take_range);
  reader.take_word("scale");
  return reader.done() ? scale : std::nullopt;
}

double on_scale(double value, const Scale& scale) {
  const double part = (value - scale.low) / (scale.high - scale.low);
  // So that 0.8 on any scale is the number 0.8.
  constexpr double kPrecision = 1e12;
  return std::round(part * kPrecision) / kPrecision;
}

std::optional<ScoreText> score_at(std::string_view text, std::optional<Scale> stated) {
  Reader reader(text);
  const auto value = reader.number();
  if (!value) return std::nullopt;
  bool broken = false;
  const auto scale = take_scale(reader, &broken);
  if (broken || (scale && stated)) return std::nullopt;
  bool second = false;
  if (scale && (take_scale(reader, &second) || second)) return std::nullopt;
  if (goes_on(reader)) return std::nullopt;
  const auto known = scale ? scale : stated;
  return ScoreText{known ? on_scale(*value, *known) : *value, reader.at()};
}

std::optional<double> score_in(std::string_view text, std::optional<Scale> stated) {
  const std::string_view whole = trim(text);
  const auto score = score_at(whole, stated);
  if (!score || score->length != whole.size()) return std::nullopt;
  return score->value;
}

}  // namespace hone::prompt
