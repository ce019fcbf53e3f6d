#include "hone/journal/texts.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "hone/base/digest.h"
#include "hone/base/error.h"

namespace hone::journal {
namespace {

constexpr std::string_view kReference = R"({"$text":[)";
constexpr std::string_view kReferenceEnd = "]}";
constexpr std::string_view kBlankLine = R"(\n\n)";   // As JSON writes it.
constexpr std::size_t kMostKnown = 8 * 1024 * 1024;  // Bytes.

// The first 64 bits of the SHA-256.
std::int64_t hash_of(std::string_view section) {
  const std::string digits = sha256(section).substr(0, 16);
  std::uint64_t hash = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  return static_cast<std::int64_t>(hash);
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

Texts::Texts(sqlite::Database& database)
    : database_(database),
      insert_(database.prepare("INSERT INTO texts (hash, encoding, body) VALUES (?, 0, ?)")),
      find_(database.prepare("SELECT id, body FROM texts WHERE hash = ? AND encoding = 0")),
      read_(database.prepare("SELECT hash, encoding, body FROM texts WHERE id = ?")) {}

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
  if (const auto known = numbers_.find(section); known != numbers_.end()) return known->second;
  const std::int64_t number = store(section);
  if (numbers_size_ >= kMostKnown) forget();
  numbers_.emplace(section, number);
  numbers_size_ += section.size();
  return number;
}

// Texts of one hash are told apart by what they say.
std::int64_t Texts::store(std::string_view section) {
  const std::int64_t hash = hash_of(section);
  std::optional<std::int64_t> number;
  find_.bind(hash);
  while (!number && find_.step()) {
    if (find_.blob(1) == section) number = find_.integer(0);
  }
  find_.reset();
  if (number) return *number;
  insert_.bind(hash, sqlite::Blob{section}).run();
  return database_.last_insert_id();
}

void Texts::forget() {
  numbers_.clear();
  numbers_size_ = 0;
  sections_.clear();
  sections_size_ = 0;
}

const std::string& Texts::section(std::int64_t number) {
  if (const auto known = sections_.find(number); known != sections_.end()) return known->second;
  const bool found = read_.bind(number).step();
  std::string body(found ? read_.blob(2) : std::string_view());
  const bool whole = found && read_.integer(1) == 0 && read_.integer(0) == hash_of(body);
  read_.reset();
  if (!whole) {
    throw Error(ErrorKind::Corrupt,
                fmt::format("the store `{}` is damaged: text {} is {}", database_.path(), number,
                            found ? "not what it was" : "missing"),
                "restore it from a backup, or choose another file with --store");
  }
  if (sections_size_ >= kMostKnown) {
    sections_.clear();
    sections_size_ = 0;
  }
  sections_size_ += body.size();
  return sections_.emplace(number, std::move(body)).first->second;
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
