#include "hone/journal/texts.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/journal/hexadecimal.h"

namespace hone::journal {
namespace {

constexpr std::string_view kReference = R"({"$text":[)";
constexpr std::string_view kReferenceEnd = "]}";
constexpr std::string_view kBlankLine = R"(\n\n)";  // As JSON writes it.
constexpr std::size_t kHashBytes = 16;
constexpr std::size_t kMostKnown = 10'000;

std::string hash_of(std::string_view section) {
  return from_hexadecimal(sha256(section)).substr(0, kHashBytes);
}

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
    const bool is_long = end - paragraph >= Texts::kLongSection;
    if (is_long && paragraph > start) {
      sections.push_back(content.substr(start, paragraph - kBlankLine.size() - start));
      start = paragraph;
    }
    const bool last = end == content.size();
    if (last || end - start >= Texts::kLongSection) {
      sections.push_back(content.substr(start, end - start));
      start = end + kBlankLine.size();
    }
    if (last) return sections;
    paragraph = end + kBlankLine.size();
  }
}

}  // namespace

std::string Texts::fold(std::string_view json) {
  std::string folded;
  folded.reserve(json.size() / 2);
  std::size_t copied = 0;
  for (std::size_t open = 0; (open = json.find('"', open)) != std::string_view::npos; ++open) {
    const std::size_t end = end_of_string(json, open);
    const bool is_key = end + 1 < json.size() && json[end + 1] == ':';
    if (end - open > kLongString && !is_key) {
      folded += json.substr(copied, open - copied);
      folded += fold_string(json.substr(open + 1, end - open - 1));
      copied = end + 1;
    }
    open = end;
  }
  folded += json.substr(copied);
  return folded;
}

std::string Texts::fold_string(std::string_view content) {
  std::string reference(kReference);
  for (const std::string_view section : sections_of(content)) {
    if (reference.size() > kReference.size()) reference += ',';
    reference += fmt::format_int(number_of(section)).str();
  }
  reference += kReferenceEnd;
  return reference;
}

std::int64_t Texts::number_of(std::string_view section) {
  std::string hash = hash_of(section);
  if (const auto known = numbers_.find(hash); known != numbers_.end()) return known->second;
  const std::int64_t number = store(hash, section);
  if (numbers_.size() >= kMostKnown) numbers_.clear();
  numbers_.emplace(std::move(hash), number);
  return number;
}

std::int64_t Texts::store(const std::string& hash, std::string_view section) {
  auto find = database_.prepare("SELECT id FROM texts WHERE hash = ?");
  if (find.bind(sqlite::Blob{hash}).step()) return find.integer(0);
  database_.prepare("INSERT INTO texts (hash, encoding, body) VALUES (?, 0, ?)")
      .bind(sqlite::Blob{hash}, sqlite::Blob{section})
      .run();
  return database_.last_insert_id();
}

void Texts::forget() { numbers_.clear(); }

const std::string& Texts::section(std::int64_t number) {
  if (const auto known = sections_.find(number); known != sections_.end()) return known->second;
  auto find = database_.prepare("SELECT hash, encoding, body FROM texts WHERE id = ?");
  const bool found = find.bind(number).step();
  if (!found || find.integer(1) != 0 || hash_of(find.blob(2)) != find.blob(0)) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("the store `{}` is damaged: text {} is {}", database_.path(), number,
                            found ? "not what it was" : "missing"),
                "restore it from a backup, or choose another file with --store");
  }
  if (sections_.size() >= kMostKnown) sections_.clear();
  return sections_.emplace(number, std::string(find.blob(2))).first->second;
}

std::string Texts::unfold(std::string_view folded) {
  std::string json;
  std::size_t copied = 0;
  for (std::size_t at = 0; (at = folded.find(kReference, at)) != std::string_view::npos;) {
    json += folded.substr(copied, at - copied);
    json += '"';
    const char* const end = folded.data() + folded.size();
    const char* rest = folded.data() + at + kReference.size();
    for (bool first = true; rest < end && *rest != ']'; first = false) {
      std::int64_t number = 0;
      rest = std::from_chars(rest + (first ? 0 : 1), end, number).ptr;
      if (!first) json += kBlankLine;
      json += section(number);
    }
    json += '"';
    at = copied = std::min<std::size_t>(
        folded.size(), static_cast<std::size_t>(rest - folded.data()) + kReferenceEnd.size());
  }
  json += folded.substr(copied);
  return json;
}

}  // namespace hone::journal
