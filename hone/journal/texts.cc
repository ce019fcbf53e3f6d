#include "hone/journal/texts.h"

#include <fmt/format.h>
#include <zstd.h>

#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "hone/base/digest.h"
#include "hone/base/error.h"
#include "hone/journal/phrases.h"

namespace hone::journal {
namespace {

constexpr std::string_view kMember = R"({"$text":)";
constexpr std::string_view kReferenceEnd = "\"}";
constexpr std::string_view kBlankLine = R"(\n\n)";    // As JSON writes it.
constexpr std::size_t kMostKnown = 16 * 1024 * 1024;  // Bytes.
constexpr std::size_t kLargest = 1024 * 1024 * 1024;  // SQLite takes no larger text.
constexpr int kLevel = 3;                             // What `zstd` itself takes.

enum Encoding : std::int64_t { kPlain = 0, kZstandard = 1 };

// The first 64 bits of the SHA-256.
std::int64_t hash_of(std::string_view body) {
  const std::string digits = sha256(body).substr(0, 16);
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

std::string_view from_first_to_last(std::span<const std::string_view> sections) {
  const std::string_view& last = sections.back();
  const char* const begin = sections.front().data();
  return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

}  // namespace

// One text of a reference, or a part of it.
struct Texts::Item {
  std::int64_t text = 0;
  std::optional<std::pair<std::size_t, std::size_t>> part;  // Begin and length.
};

// Reads items up to the end of the reference: "3,4:120+300" or, of old, [3,4].
class Texts::Items {
 public:
  explicit Items(std::string_view reference) : rest_(reference) {
    rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
  }

  std::optional<Item> next() {
    if (rest_.starts_with(',')) rest_.remove_prefix(1);
    Item item;
    if (!read(item.text)) return std::nullopt;
    std::pair<std::size_t, std::size_t> part;
    if (skip(':') && read(part.first) && skip('+') && read(part.second)) item.part = part;
    return item;
  }
  std::string_view rest() const { return rest_; }

 private:
  template <class Number>
  bool read(Number& number) {
    const auto result = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (result.ec != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(result.ptr - rest_.data()));
    return true;
  }
  bool skip(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

// Writes a reference; parts that follow each other in one text become one.
class Texts::Reference {
 public:
  void add_text(std::int64_t number) {
    flush();
    add(fmt::format_int(number).str());
  }
  void add_place(const Place& place) {
    const bool follows = part_ && part_->text == place.text &&
                         part_->begin + part_->length + kBlankLine.size() == place.begin;
    if (follows) {
      part_->length = place.begin + place.length - part_->begin;
    } else {
      flush();
      part_ = place;
    }
  }
  std::string take() {
    flush();
    return std::string(kMember) + "\"" + items_ + std::string(kReferenceEnd);
  }

 private:
  void flush() {
    if (part_) add(fmt::format("{}:{}+{}", part_->text, part_->begin, part_->length));
    part_.reset();
  }
  void add(std::string_view item) {
    if (!items_.empty()) items_ += ',';
    items_ += item;
  }

  std::string items_;
  std::optional<Place> part_;
};

void Texts::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void Texts::FreeContext::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Texts::Texts(sqlite::Database& database)
    : database_(database),
      insert_(database.prepare("INSERT INTO texts (hash, encoding, body) VALUES (?, ?, ?)")),
      find_(database.prepare("SELECT id, encoding, body FROM texts WHERE hash = ?")),
      read_(database.prepare("SELECT hash, encoding, body FROM texts WHERE id = ?")),
      compressor_(ZSTD_createCCtx()),
      decompressor_(ZSTD_createDCtx()) {}

Texts::~Texts() = default;

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
  return shortened(folded);
}

const std::string& Texts::fold_string(std::string_view content) {
  if (const auto known = strings_.find(content); known != strings_.end()) return known->second;
  if (known_size_ >= kMostKnown) forget();
  std::string reference = refer_to(content);
  known_size_ += content.size();
  return strings_.emplace(content, std::move(reference)).first->second;
}

std::string Texts::refer_to(std::string_view content) {
  Reference reference;
  const std::vector<std::string_view> sections = sections_of(content);
  std::size_t new_from = 0;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto known = sections_.find(sections[i]);
    if (known == sections_.end()) continue;
    const Place place = known->second;  // Keeping others may move it.
    if (i > new_from) {
      const auto fresh = std::span(sections).subspan(new_from, i - new_from);
      keep(from_first_to_last(fresh), fresh, reference);
    }
    reference.add_place(place);
    new_from = i + 1;
  }
  if (new_from < sections.size()) {
    const auto fresh = std::span(sections).subspan(new_from);
    keep(from_first_to_last(fresh), fresh, reference);
  }
  return reference.take();
}

// Sections that nobody knows become one text: together they compress better.
void Texts::keep(std::string_view body, std::span<const std::string_view> sections,
                 Reference& reference) {
  const std::int64_t number = store(body);
  reference.add_text(number);
  for (const std::string_view section : sections) {
    const auto begin = static_cast<std::size_t>(section.data() - body.data());
    if (sections_.try_emplace(std::string(section), Place{number, begin, section.size()}).second) {
      known_size_ += section.size();
    }
  }
}

// Texts of one hash are told apart by what they say.
std::int64_t Texts::store(std::string_view body) {
  const std::int64_t hash = hash_of(body);
  std::optional<std::int64_t> number;
  find_.bind(hash);
  while (!number && find_.step()) {
    if (body_of(find_.integer(1), find_.blob(2)) == body) number = find_.integer(0);
  }
  find_.reset();
  return number ? *number : insert(hash, body);
}

std::int64_t Texts::insert(std::int64_t hash, std::string_view body) {
  Encoding encoding = kPlain;
  std::string_view stored = body;
  if (body.size() >= kLargeText) {
    compressed_.resize(ZSTD_compressBound(body.size()));
    const std::size_t size =
        ZSTD_compressCCtx(compressor_.get(), compressed_.data(), compressed_.size(), body.data(),
                          body.size(), kLevel);
    if (ZSTD_isError(size) == 0 && size < body.size()) {
      encoding = kZstandard;
      stored = std::string_view(compressed_).substr(0, size);
    }
  }
  insert_.bind(hash, std::int64_t{encoding}, sqlite::Blob{stored}).run();
  return database_.last_insert_id();
}

// Absent when it is damaged.
std::optional<std::string> Texts::body_of(std::int64_t encoding, std::string_view stored) {
  if (encoding == kPlain) return std::string(stored);
  if (encoding != kZstandard) return std::nullopt;
  const auto size = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (size > kLargest) return std::nullopt;  // So are the values that tell of an error.
  std::string body(size, '\0');
  const std::size_t read = ZSTD_decompressDCtx(decompressor_.get(), body.data(), body.size(),
                                               stored.data(), stored.size());
  if (ZSTD_isError(read) != 0 || read != body.size()) return std::nullopt;
  return body;
}

void Texts::forget() {
  strings_.clear();
  sections_.clear();
  texts_.clear();
  known_size_ = texts_size_ = 0;
}

Error Texts::damaged(std::int64_t number, std::string_view how) const {
  return {ErrorKind::Corrupt,
          fmt::format("the store `{}` is damaged: text {} is {}", database_.path(), number, how),
          "restore it from a backup, or choose another file with --store"};
}

const std::string& Texts::text(std::int64_t number) {
  if (const auto known = texts_.find(number); known != texts_.end()) return known->second;
  const bool found = read_.bind(number).step();
  std::optional<std::string> body;
  if (found) body = body_of(read_.integer(1), read_.blob(2));
  const bool whole = body && read_.integer(0) == hash_of(*body);
  read_.reset();
  if (!whole) throw damaged(number, found ? "not what it was" : "missing");
  if (texts_size_ >= kMostKnown) {
    texts_.clear();
    texts_size_ = 0;
  }
  texts_size_ += body->size();
  return texts_.emplace(number, *std::move(body)).first->second;
}

namespace {

// The next reference at or after `from`, without its member.
std::size_t find_reference(std::string_view json, std::size_t from) {
  const std::size_t at = json.find(kMember, from);
  return at == std::string_view::npos ? at : at + kMember.size();
}

}  // namespace

std::string_view Texts::text_of(const Item& item) {
  const std::string_view body = text(item.text);
  if (!item.part) return body;
  const auto [begin, length] = *item.part;
  if (begin > body.size() || length > body.size() - begin) throw damaged(item.text, "too short");
  return body.substr(begin, length);
}

std::string Texts::unfold(std::string_view folded) {
  const std::string whole = lengthened(folded);
  const std::string_view document = whole;
  std::string json;
  std::size_t copied = 0;
  for (std::size_t at = 0; (at = find_reference(document, at)) != std::string_view::npos;) {
    json += document.substr(copied, at - kMember.size() - copied);
    json += '"';
    Items items(document.substr(at));
    json += text_of(items.next().value_or(Item{}));
    while (const auto item = items.next()) {
      json += kBlankLine;
      json += text_of(*item);
    }
    json += '"';
    at = copied =
        std::min(document.size(), document.size() - items.rest().size() + kReferenceEnd.size());
  }
  json += document.substr(copied);
  return json;
}

std::vector<std::int64_t> Texts::references(std::string_view folded) {
  const std::string document = lengthened(folded);
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; (at = find_reference(document, at)) != std::string_view::npos;) {
    Items items(std::string_view(document).substr(at));
    while (const auto item = items.next()) numbers.push_back(item->text);
  }
  return numbers;
}

}  // namespace hone::journal
