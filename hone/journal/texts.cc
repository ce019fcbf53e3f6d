#include "hone/journal/texts.h"

#include <fmt/format.h>

#include <utility>

#include "hone/base/digest.h"

namespace hone::journal {
namespace {

constexpr std::size_t kMostNumbers = 100'000;
constexpr std::size_t kMostRead = 16 * 1024 * 1024;  // Bytes.

enum Encoding : std::int64_t { kPlain = 0, kPacked = 1 };

}  // namespace

Texts::Texts(sqlite::Database& database)
    : database_(database),
      insert_(database.prepare("INSERT INTO texts (hash, encoding, body) VALUES (?, ?, ?)")),
      find_(database.prepare("SELECT id, encoding, body FROM texts WHERE hash = ?")),
      read_(database.prepare("SELECT hash, encoding, body FROM texts WHERE id = ?")) {}

std::int64_t Texts::number_of(std::string_view text) {
  const Fingerprint key = fingerprint(text);
  if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  if (numbers_.size() >= kMostNumbers) numbers_.clear();
  return numbers_[key] = find_or_insert(text);
}

// Texts of one hash are told apart by what they say.
std::int64_t Texts::find_or_insert(std::string_view text) {
  const std::int64_t hash = short_sha256(text);
  std::optional<std::int64_t> number;
  find_.bind(hash);
  while (!number && find_.step()) {
    if (text_of(find_.integer(1), find_.blob(2)) == text) number = find_.integer(0);
  }
  find_.reset();
  return number ? *number : insert(hash, text);
}

std::int64_t Texts::insert(std::int64_t hash, std::string_view text) {
  Encoding encoding = kPlain;
  std::string_view stored = text;
  if (text.size() >= kLargeText) {
    const std::string_view packed = packer_.pack(text);
    if (packed.size() < text.size()) {
      encoding = kPacked;
      stored = packed;
    }
  }
  insert_.bind(hash, std::int64_t{encoding}, sqlite::Blob{stored}).run();
  return database_.last_insert_id();
}

// Absent when it is damaged.
std::optional<std::string> Texts::text_of(std::int64_t encoding, std::string_view stored) {
  if (encoding == kPlain) return std::string(stored);
  if (encoding != kPacked) return std::nullopt;
  return packer_.unpack(stored);
}

void Texts::forget() {
  numbers_.clear();
  texts_.clear();
  texts_size_ = 0;
}

Error Texts::damaged(std::int64_t number, std::string_view how) const {
  return {ErrorKind::Corrupt,
          fmt::format("the store `{}` is damaged: text {} is {}", database_.path(), number, how),
          "restore it from a backup, or choose another file with --store"};
}

const std::string& Texts::text(std::int64_t number) {
  if (const auto known = texts_.find(number); known != texts_.end()) return known->second;
  const bool found = read_.bind(number).step();
  std::optional<std::string> text;
  if (found) text = text_of(read_.integer(1), read_.blob(2));
  const bool whole = text && read_.integer(0) == short_sha256(*text);
  read_.reset();
  if (!whole) throw damaged(number, found ? "not what it was" : "missing");
  if (texts_size_ >= kMostRead) {
    texts_.clear();
    texts_size_ = 0;
  }
  texts_size_ += text->size();
  return texts_.emplace(number, *std::move(text)).first->second;
}

}  // namespace hone::journal
