#include "hone/journal/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "hone/base/error.h"

namespace hone::journal {
namespace {

constexpr char kOpen = '\x01';
constexpr char kClose = '\x02';
constexpr char kText = 't';
constexpr std::string_view kBlankLine = R"(\n\n)";  // As JSON writes it.
constexpr int kDeepest = 100;
constexpr std::size_t kMostPlaces = 50'000;

// The closing quote of the string that begins at `open`.
std::size_t end_of_string(std::string_view json, std::size_t open) {
  std::size_t end = open;
  while ((end = json.find('"', end + 1)) != std::string_view::npos) {
    std::size_t backslashes = 0;
    while (json[end - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return end;
  }
  throw Error(ErrorKind::Internal, "a record is not JSON: a string does not end");
}

// Cuts at blank lines. A long paragraph stands alone; short ones stay together until they are long.
std::vector<std::string_view> sections_of(std::string_view content) {
  std::vector<std::string_view> sections;
  std::size_t start = 0;
  std::size_t paragraph = 0;
  while (true) {
    const std::size_t end = std::min(content.find(kBlankLine, paragraph), content.size());
    const bool is_long = end - paragraph >= Folding::kLongSection;
    if (is_long && paragraph > start) {
      sections.push_back(content.substr(start, paragraph - kBlankLine.size() - start));
      start = paragraph;
    }
    const bool last = end == content.size();
    if (last || end - start >= Folding::kLongSection) {
      sections.push_back(content.substr(start, end - start));
      start = end + kBlankLine.size();
    }
    if (last) return sections;
    paragraph = end + kBlankLine.size();
  }
}

Error damaged() {
  return {ErrorKind::Corrupt, "a record refers to something that is not there",
          "restore the store from a backup, or choose another file with --store"};
}

struct Reference {
  std::optional<std::int64_t> text;
  std::int64_t chunk = 0;
  std::size_t begin = 0;
  std::size_t length = 0;
};

// Reads "12" from the front.
template <class Number>
bool read(std::string_view& text, Number& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return true;
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

Reference reference_from(std::string_view text) {
  Reference reference;
  bool whole = false;
  if (skip(text, kText)) {
    whole = read(text, reference.text.emplace());
  } else {
    whole = read(text, reference.chunk) && skip(text, ':') && read(text, reference.begin) &&
            skip(text, '+') && read(text, reference.length);
  }
  if (!whole || !text.empty()) throw damaged();
  return reference;
}

// Calls with every piece of plain text and every reference of a document.
template <class Plain, class Refers>
void for_each_piece(std::string_view folded, Plain plain, Refers refers) {
  while (true) {
    const std::size_t open = std::min(folded.find(kOpen), folded.size());
    plain(folded.substr(0, open));
    if (open == folded.size()) return;
    const std::size_t close = folded.find(kClose, open);
    if (close == std::string_view::npos) throw damaged();
    refers(reference_from(folded.substr(open + 1, close - open - 1)));
    folded.remove_prefix(close + 1);
  }
}

class Unfolding {
 public:
  Unfolding(const BodyOf& body_of, Texts& texts) : body_of_(body_of), texts_(texts) {}

  // What a reference refers to may hold others, which were written before.
  void add(std::string_view folded, int depth = 0) {
    if (depth > kDeepest) throw damaged();
    for_each_piece(
        folded, [&](std::string_view plain) { json_ += plain; },
        [&](const Reference& reference) {
          if (reference.text) {
            json_ += texts_.text(*reference.text);
          } else {
            add(part(reference), depth + 1);
          }
        });
  }
  std::string take() { return std::move(json_); }

 private:
  std::string_view part(const Reference& reference) const {
    const std::string_view body = body_of_(reference.chunk);
    const bool there =
        reference.begin <= body.size() && reference.length <= body.size() - reference.begin;
    if (!there) throw damaged();
    return body.substr(reference.begin, reference.length);
  }

  const BodyOf& body_of_;
  Texts& texts_;
  std::string json_;
};

}  // namespace

struct Folding::Target {
  Keep keep;
  std::int64_t chunk;
  std::string& body;
};

void Folding::fold(std::string_view json, Keep keep, std::int64_t chunk, std::string& body) {
  const Target target{keep, chunk, body};
  std::size_t copied = 0;
  for (std::size_t open = 0; (open = json.find('"', open)) != std::string_view::npos; ++open) {
    const std::size_t end = end_of_string(json, open);
    const bool is_key = end + 1 < json.size() && json[end + 1] == ':';
    if (end - open > kLongString && !is_key) {
      body += json.substr(copied, open + 1 - copied);
      add_string(json.substr(open + 1, end - open - 1), target);
      copied = end;
    }
    open = end;
  }
  body += json.substr(copied);
}

bool Folding::add_known(const Fingerprint& content, std::string& body) const {
  const auto known = places_.find(content);
  if (known == places_.end()) return false;
  const Place& place = known->second;
  fmt::format_to(std::back_inserter(body), "{}{}:{}+{}{}", kOpen, place.chunk, place.begin,
                 place.length, kClose);
  return true;
}

void Folding::add_string(std::string_view content, const Target& target) {
  if (content.find(kBlankLine) == std::string_view::npos) return add_section(content, target);
  const Fingerprint key = fingerprint(content);
  if (add_known(key, target.body)) return;
  const std::size_t begin = target.body.size();
  const std::vector<std::string_view> sections = sections_of(content);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (i > 0) target.body += kBlankLine;
    add_section(sections[i], target);
  }
  if (sections.size() > 1) remember(key, begin, target);
}

void Folding::add_section(std::string_view section, const Target& target) {
  const Fingerprint key = fingerprint(section);
  if (add_known(key, target.body)) return;
  const std::size_t begin = target.body.size();
  if (target.keep == Keep::Shared && section.size() >= kLongSection) {
    const std::int64_t number = texts_.number_of(section);
    fmt::format_to(std::back_inserter(target.body), "{}{}{}{}", kOpen, kText, number, kClose);
  } else {
    target.body += section;
  }
  if (section.size() >= kLongString) remember(key, begin, target);
}

void Folding::remember(const Fingerprint& content, std::size_t begin, const Target& target) {
  if (places_.size() >= kMostPlaces) places_.clear();
  places_[content] = {target.chunk, begin, target.body.size() - begin};
}

std::string unfolded(std::string_view folded, const BodyOf& body_of, Texts& texts) {
  Unfolding unfolding(body_of, texts);
  unfolding.add(folded);
  return unfolding.take();
}

void for_each_text(std::string_view folded, const std::function<void(std::int64_t)>& take) {
  for_each_piece(
      folded, [](std::string_view) {},
      [&](const Reference& reference) {
        if (reference.text) take(*reference.text);
      });
}

}  // namespace hone::journal
