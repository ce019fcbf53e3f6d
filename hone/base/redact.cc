#include "hone/base/redact.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/fingerprint.h"
#include "hone/base/hexadecimal.h"
#include "hone/base/json.h"

namespace hone {
namespace {

// Texts in which nothing was found, so that those that come again with every effect are looked at
// once: the last ones of this thread, of all runs.
class CleanTexts {
 public:
  static CleanTexts& of_thread() {
    thread_local CleanTexts texts;
    return texts;
  }
  // To remember a shorter one costs more than to look at it again.
  static constexpr std::size_t kShortest = 64;

  bool has(const Fingerprint& text) { return place(text) == text; }
  void add(const Fingerprint& text) { place(text) = text; }

 private:
  Fingerprint& place(const Fingerprint& text) { return texts_[text.low % texts_.size()]; }

  std::vector<Fingerprint> texts_ = std::vector<Fingerprint>(4096);
};

// Other classes find other things.
Fingerprint key_of(std::string_view text, const Redaction& redaction) {
  Fingerprint key = fingerprint(text);
  key.high ^= (redaction.secrets ? 1U : 0U) | (redaction.personal ? 2U : 0U) |
              (redaction.infrastructure ? 4U : 0U);
  return key;
}

// The next placeholder at or after `from`; its length is 0 when there is none.
struct Mark {
  std::size_t at = std::string_view::npos;
  std::size_t length = 0;
};

Mark next_mark(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('[', from); at != std::string_view::npos;
       at = text.find('[', at + 1)) {
    if (const std::size_t length = placeholder_length(text.substr(at))) return {at, length};
  }
  return {};
}

// "EMAIL" and 1 of "[EMAIL_1]".
std::pair<std::string_view, int> parts_of(std::string_view placeholder) {
  const std::size_t line = placeholder.rfind('_');
  int number = 0;
  std::from_chars(placeholder.data() + line + 1, placeholder.data() + placeholder.size(), number);
  return {placeholder.substr(1, line - 1), number};
}

std::string escaped(std::string_view text) {
  const std::string quoted = dump(Json(text));
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

const std::string& Redactor::placeholder(std::string_view kind, std::string_view original) {
  if (const auto known = placeholders_.find(original); known != placeholders_.end())
    return known->second;
  auto number = numbers_.find(kind);
  if (number == numbers_.end()) number = numbers_.emplace(kind, 0).first;
  std::string name = fmt::format("[{}_{}]", kind, ++number->second);
  new_.push_back({name, std::string(original)});
  return placeholders_.emplace(original, std::move(name)).first->second;
}

std::string Redactor::redact(std::string_view text) {
  auto result = replaced(text);
  return result ? *std::move(result) : std::string(text);
}

std::optional<std::string> Redactor::replaced(std::string_view text) {
  if (text.size() < CleanTexts::kShortest) return replace(text);
  const Fingerprint key = key_of(text, redaction_);
  CleanTexts& clean = CleanTexts::of_thread();
  if (clean.has(key)) return std::nullopt;
  auto result = replace(text);
  if (!result) clean.add(key);
  return result;
}

std::optional<std::string> Redactor::replace(std::string_view text) {
  auto found = find_sensitive(text, 0, redaction_);
  Mark mark = next_mark(text, 0);
  if (!found && mark.length == 0) return std::nullopt;
  std::string result;
  std::size_t copied = 0;
  while (found || mark.length > 0) {
    const bool literal = mark.length > 0 && (!found || mark.at < found->begin);
    const Sensitive next = literal ? Sensitive{mark.at, mark.at + mark.length, "LITERAL"} : *found;
    result += text.substr(copied, next.begin - copied);
    result += placeholder(next.kind, text.substr(next.begin, next.end - next.begin));
    ++count_;
    copied = next.end;
    if (found && found->begin < copied) found = find_sensitive(text, copied, redaction_);
    if (mark.length > 0 && mark.at < copied) mark = next_mark(text, copied);
  }
  result += text.substr(copied);
  return result;
}

std::vector<Original> Redactor::take_new() { return std::exchange(new_, {}); }

void Redactor::know(const Original& original) {
  const auto [kind, number] = parts_of(original.placeholder);
  auto known = numbers_.find(kind);
  if (known == numbers_.end()) known = numbers_.emplace(kind, 0).first;
  known->second = std::max(known->second, number);
  placeholders_.insert_or_assign(original.text, original.placeholder);
}

bool has_placeholder(std::string_view text) { return next_mark(text, 0).length > 0; }

std::string with_own_numbers(std::string_view redacted) {
  std::string result;
  result.reserve(redacted.size());
  std::map<std::string_view, std::string> names;
  std::map<std::string_view, int> numbers;
  std::size_t copied = 0;
  for (Mark mark = next_mark(redacted, 0); mark.length > 0; mark = next_mark(redacted, copied)) {
    const std::string_view old = redacted.substr(mark.at, mark.length);
    const std::string_view kind = parts_of(old).first;
    std::string& name = names[old];
    if (name.empty()) name = fmt::format("[{}_{}]", kind, ++numbers[kind]);
    result += redacted.substr(copied, mark.at - copied);
    result += name;
    copied = mark.at + mark.length;
  }
  result += redacted.substr(copied);
  return result;
}

Originals::Originals(const std::vector<Original>& originals) {
  for (const Original& original : originals) {
    texts_.emplace(original.placeholder, original.text);
  }
}

std::string Originals::put_back(std::string_view redacted, Form form) const {
  std::string result;
  std::size_t copied = 0;
  for (Mark mark = next_mark(redacted, 0); mark.length > 0;
       mark = next_mark(redacted, mark.at + mark.length)) {
    const auto known = texts_.find(redacted.substr(mark.at, mark.length));
    if (known == texts_.end()) continue;
    result += redacted.substr(copied, mark.at - copied);
    result += form == Form::Json ? escaped(known->second) : known->second;
    copied = mark.at + mark.length;
  }
  result += redacted.substr(copied);
  return form == Form::Json ? with_bytes_put_back(result) : result;
}

// Text that is not UTF-8 stands in JSON as {"bytes":"68656c6c6f"}.
std::string Originals::with_bytes_put_back(std::string json) const {
  constexpr std::string_view kBytes = R"({"bytes":")";
  for (std::size_t at = json.find(kBytes); at != std::string::npos;
       at = json.find(kBytes, at + 1)) {
    const std::size_t begin = at + kBytes.size();
    const std::size_t end = json.find('"', begin);
    if (end == std::string::npos) break;
    const std::string bytes = from_hexadecimal(std::string_view(json).substr(begin, end - begin));
    json.replace(begin, end - begin, to_hexadecimal(put_back(bytes, Form::Plain)));
  }
  return json;
}

}  // namespace hone
