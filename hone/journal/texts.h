// Long texts that runs have in common, each stored once by its content.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hone/base/error.h"
#include "hone/base/fingerprint.h"
#include "hone/journal/packing.h"
#include "hone/sqlite/database.h"

namespace hone::journal {

// The table of texts. Large ones are compressed (Zstandard). Threads: as the database.
class Texts {
 public:
  // The database has the tables of layout().
  explicit Texts(sqlite::Database& database);

  // Stores the text if it is not there yet; inside a transaction of the caller.
  std::int64_t number_of(std::string_view text);
  // Throws Corrupt when it is missing or is not what its hash says. Holds until the next call.
  const std::string& text(std::int64_t number);
  // What was stored since the last commit is not there: the transaction was rolled back.
  void forget();

  // Shorter texts are not worth the time to compress them.
  static constexpr std::size_t kLargeText = 512;

 private:
  std::int64_t find_or_insert(std::string_view text);
  std::int64_t insert(std::int64_t hash, std::string_view text);
  std::optional<std::string> text_of(std::int64_t encoding, std::string_view stored);
  Error damaged(std::int64_t number, std::string_view how) const;

  sqlite::Database& database_;
  sqlite::Statement insert_;
  sqlite::Statement find_;
  sqlite::Statement read_;
  Packer packer_;
  // A part of what is stored, to save looking it up.
  std::unordered_map<Fingerprint, std::int64_t, Fingerprint::Hash> numbers_;
  std::unordered_map<std::int64_t, std::string> texts_;
  std::size_t texts_size_ = 0;
};

}  // namespace hone::journal
