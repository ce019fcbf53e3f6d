// Long texts, each stored once by its content, however often records carry it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hone/base/error.h"
#include "hone/sqlite/database.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace hone::journal {

// Takes the long strings out of JSON documents and puts them back. A string becomes
// {"$text":"3,4:120+300"}: the numbers of stored texts, or parts of them (from byte 120, 300
// bytes), which a blank line (\n\n) joins. Prompts that begin alike and go on differently so share
// what they have in common. What is left of the document is shortened by its phrases.
//
// Texts are kept as they stand in the JSON, escapes included; large ones compressed (Zstandard).
// Threads: as the database. Documents are our own: no object in them has the key "$text".
class Texts {
 public:
  // The database has the tables of layout().
  explicit Texts(sqlite::Database& database);
  ~Texts();
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  // Stores what is not stored yet; inside a transaction of the caller.
  std::string fold(std::string_view json);
  // Throws Corrupt when a text is missing or is not what its hash says.
  std::string unfold(std::string_view folded);
  // What was stored since the last commit is not there: the transaction was rolled back.
  void forget();

  // The numbers of the texts that a folded document refers to.
  static std::vector<std::int64_t> references(std::string_view folded);

  // Shorter strings stay where they are.
  static constexpr std::size_t kLongString = 100;
  // Shorter paragraphs are kept together.
  static constexpr std::size_t kLongSection = 256;
  // Shorter texts are not worth the time to compress them.
  static constexpr std::size_t kLargeText = 512;

 private:
  // A section within a stored text.
  struct Place {
    std::int64_t text = 0;
    std::size_t begin = 0;
    std::size_t length = 0;
  };
  struct Item;
  class Items;
  class Reference;

  const std::string& fold_string(std::string_view content);
  std::string refer_to(std::string_view content);
  void keep(std::string_view body, std::span<const std::string_view> sections,
            Reference& reference);
  std::int64_t store(std::string_view body);
  std::int64_t insert(std::int64_t hash, std::string_view body);
  std::optional<std::string> body_of(std::int64_t encoding, std::string_view stored);
  const std::string& text(std::int64_t number);
  std::string_view text_of(const Item& item);
  Error damaged(std::int64_t number, std::string_view how) const;

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
    void operator()(ZSTD_DCtx_s* context) const;
  };

  sqlite::Database& database_;
  sqlite::Statement insert_;
  sqlite::Statement find_;
  sqlite::Statement read_;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> compressor_;
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> decompressor_;
  std::string compressed_;
  // A part of what is stored, to save looking it up: references by strings, places by sections,
  // texts by numbers.
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> strings_;
  std::unordered_map<std::string, Place, Hash, std::equal_to<>> sections_;
  std::unordered_map<std::int64_t, std::string> texts_;
  std::size_t known_size_ = 0;  // Bytes in `strings_` and `sections_`.
  std::size_t texts_size_ = 0;
};

}  // namespace hone::journal
