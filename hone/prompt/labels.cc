#include "hone/prompt/labels.h"

#include <algorithm>
#include <array>

#include "hone/base/text.h"
#include "hone/prompt/score_text.h"

namespace hone::prompt {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kDecoration = " \t\r*_`\"'";
constexpr std::array<std::string_view, 5> kLabels{"score", "verdict", "passed", "pass", "valid"};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string_view skipping(std::string_view text, std::string_view characters) {
  const auto first = text.find_first_not_of(characters);
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::string_view word_at(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_word_character);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

// A label and the text after its colon.
struct Label {
  bool is_score = false;
  bool unknown_scale = false;  // "Score (clarity):"
  std::optional<Scale> scale;  // "Score (0-10):"
  std::string_view value;
};

// Takes "(0-10)" between a label and its colon.
std::string_view after_scale(std::string_view text, Label& label) {
  text = skipping(text, kDecoration);
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) return text;
  label.scale = scale_from(text.substr(1, end - 1));
  label.unknown_scale = !label.scale;
  return skipping(text.substr(end + 1), kDecoration);
}

// The label that `text` starts with.
std::optional<Label> label_at(std::string_view text) {
  const std::string_view word = word_at(text);
  const std::string name = lower(word);
  if (std::ranges::find(kLabels, name) == kLabels.end()) return std::nullopt;
  Label label;
  label.is_score = name == "score";
  const std::string_view rest = after_scale(text.substr(word.size()), label);
  const bool assigned = rest.starts_with(':') || rest.starts_with('=');
  if (!assigned || rest.substr(1).starts_with(rest[0])) return std::nullopt;
  label.value = skipping(rest.substr(1), kDecoration);
  return label;
}

std::string_view dash_at(std::string_view text) {
  constexpr std::array<std::string_view, 4> kDashes{"-", "–", "—", "•"};
  const auto found =
      std::ranges::find_if(kDashes, [&](std::string_view dash) { return text.starts_with(dash); });
  return found == kDashes.end() ? std::string_view() : *found;
}

// What may stand between two labels, or between the start of a line and its first label: bullets,
// separators, "1.", and words such as "final".
bool is_lead_in(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords{"final", "overall", "total", "my", "the", "and"};
  while (!(text = skipping(text, " \t\r*_`#+|,;.()")).empty()) {
    const std::string_view dash = dash_at(text);
    const std::string_view word = word_at(text);
    const bool numbered = !word.empty() && to_number(word) && text.substr(word.size(), 1) == ".";
    const bool known = std::ranges::find(kWords, lower(word)) != kWords.end();
    if (dash.empty() && !numbered && !known) return false;
    text.remove_prefix(dash.empty() ? word.size() : dash.size());
  }
  return true;
}

// "reason: …" and the like, which end a value as another label does.
bool starts_with_remark(std::string_view text) {
  constexpr std::array<std::string_view, 7> kRemarks{
      "reason", "feedback", "explanation", "issues", "errors", "suggestions", "confidence"};
  const std::string_view word = word_at(text);
  const std::string_view rest = skipping(text.substr(word.size()), kDecoration);
  return std::ranges::find(kRemarks, lower(word)) != kRemarks.end() && rest.starts_with(':');
}

bool starts_with_label(std::string_view text) {
  text = skipping(text, " \t\r*_`#(,;.|");
  const std::string_view word = word_at(text);
  const std::string_view next = skipping(text.substr(word.size()), kBlanks);
  if (label_at(text) || starts_with_remark(text)) return true;
  return is_lead_in(word) && !word.empty() && label_at(next);
}

// Whether a value is over where `rest` begins, so that nothing there takes it back: "pass, but …".
bool ends_here(std::string_view rest, bool is_score) {
  const bool blank = !rest.empty() && kBlanks.find(rest[0]) != std::string_view::npos;
  rest = skipping(rest, kDecoration);
  if (rest.empty() || starts_with_label(rest)) return true;
  if (rest[0] == '(') return is_score;
  if (rest[0] == '.' || rest[0] == '!') {
    return rest.size() == 1 || kDecoration.find(rest[1]) != std::string_view::npos;
  }
  if (rest[0] == ')' || rest[0] == ';' || rest[0] == '|') return true;
  return blank && !dash_at(rest).empty();
}

struct Value {
  std::optional<bool> flag;
  std::optional<double> score;
  std::size_t length = 0;
  bool ends = false;  // Nothing after it takes it back.
};

std::optional<Value> score_value(const Label& label) {
  if (label.unknown_scale) return std::nullopt;
  const auto score = score_at(label.value, label.scale);
  if (!score) return std::nullopt;
  const bool ends = ends_here(label.value.substr(score->length), true);
  return Value{.flag = {}, .score = score->value, .length = score->length, .ends = ends};
}

std::optional<Value> flag_value(const Label& label) {
  const std::string_view word = word_at(label.value);
  const auto flag = flag_from(word);
  if (!flag) return std::nullopt;
  const std::string_view rest = label.value.substr(word.size());
  const std::string_view next = skipping(rest, kDecoration);
  if (next.starts_with('/') || lower(word_at(next)) == "or") return std::nullopt;
  const bool ends = !*flag || ends_here(rest, false);
  return Value{.flag = flag, .score = {}, .length = word.size(), .ends = ends};
}

// Reads the labels of one line.
class LineReader {
 public:
  LineReader(std::string_view line, Labels& labels) : line_(line), labels_(labels) {}

  void read() {
    std::size_t at = 0;
    while (at < line_.size()) {
      const bool inside_word = at > 0 && is_word_character(line_[at - 1]);
      const auto label = inside_word ? std::nullopt : label_at(line_.substr(at));
      at = label ? read(*label, at) : at + 1;
    }
    if (read_to_ > 0) rest_ = skipping(rest_, " \t\r*_`#+|,;.()-");
    if (!labels_.rest.empty() && !trim(rest_).empty()) labels_.rest += '\n';
    labels_.rest += trim(rest_);
  }

 private:
  std::size_t offset_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - line_.data());
  }

  // Returns where to go on.
  std::size_t read(const Label& label, std::size_t at) {
    if (label.value.empty()) return line_.size();
    const bool counts = is_lead_in(line_.substr(read_to_, at - read_to_));
    const auto value = label.is_score ? score_value(label) : flag_value(label);
    labels_.unreadable = labels_.unreadable || (counts && !(value && value->ends));
    if (!value) return offset_of(label.value);
    if (value->flag) labels_.flags.push_back(*value->flag);
    if (value->score) labels_.scores.push_back(*value->score);
    const std::size_t end = offset_of(label.value) + value->length;
    if (!counts) return end;
    labels_.stated = true;
    read_to_ = end;
    rest_ = line_.substr(end);
    return end;
  }

  std::string_view line_;
  std::string_view rest_ = line_;
  std::size_t read_to_ = 0;  // End of the last value that counts.
  Labels& labels_;
};

// "Reason: the total is wrong" without the first word.
std::string_view without_reason_label(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames{"reason", "feedback", "explanation"};
  const std::string_view from = skipping(text, "*_`# ");
  const std::string_view word = word_at(from);
  if (std::ranges::find(kNames, lower(word)) == kNames.end()) return text;
  const std::string_view rest = skipping(from.substr(word.size()), "*_` ");
  return rest.starts_with(':') ? skipping(rest.substr(1), "*_` ") : text;
}

}  // namespace

Labels labels_in(std::string_view text) {
  Labels labels;
  for (const std::string& line : split(text, '\n')) LineReader(line, labels).read();
  labels.rest = std::string(without_reason_label(labels.rest));
  return labels;
}

std::optional<bool> flag_from(std::string_view word) {
  constexpr std::array<std::string_view, 7> kPass{"true",  "yes",    "pass",    "passed",
                                                  "valid", "accept", "accepted"};
  constexpr std::array<std::string_view, 7> kFail{"false",   "no",     "fail",    "failed",
                                                  "invalid", "reject", "rejected"};
  const std::string name = lower(trim(word));
  if (std::ranges::find(kPass, name) != kPass.end()) return true;
  if (std::ranges::find(kFail, name) != kFail.end()) return false;
  return std::nullopt;
}

}  // namespace hone::prompt
