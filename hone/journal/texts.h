// Long texts, each stored once by its content, however often records carry it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hone/sqlite/database.h"

namespace hone::journal {

// Takes the long strings out of JSON documents and puts them back. A string becomes
// {"$text":[3,4]}: the numbers of its sections, which a blank line (\n\n) joins. Prompts that
// begin alike and go on differently so share what they have in common.
//
// Sections are kept as they stand in the JSON, escapes included.
// Threads: as the database. Documents are our own: no object in them has the key "$text".
class Texts {
 public:
  // The database has the tables of layout().
  explicit Texts(sqlite::Database& database);

  // Stores what is not stored yet; inside a transaction of the caller.
  std::string fold(std::string_view json);
  // Throws Corrupt when a text is missing or is not what its hash says.
  std::string unfold(std::string_view folded);
  // What was stored since the last commit is not there: the transaction was rolled back.
  void forget();

  // Shorter strings stay where they are.
  static constexpr std::size_t kLongString = 100;
  // Shorter paragraphs are kept together.
  static constexpr std::size_t kLongSection = 256;

 private:
  std::string fold_string(std::string_view content);
  std::int64_t number_of(std::string_view section);
  std::int64_t store(std::string_view section);
  const std::string& section(std::int64_t number);

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  sqlite::Database& database_;
  sqlite::Statement insert_;
  sqlite::Statement find_;
  sqlite::Statement read_;
  // A part of what is stored, to save looking it up.
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
  std::unordered_map<std::int64_t, std::string> sections_;
  std::size_t numbers_size_ = 0;  // Bytes of the sections in `numbers_`.
  std::size_t sections_size_ = 0;
};

}  // namespace hone::journal
