// Changes to the store as a whole: runs that come in from elsewhere, and runs that go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hone/journal/record.h"

namespace hone::journal {

// Adds a whole run, or nothing. Throws InvalidInput when a run of this id is there, and what
// sqlite::Database throws.
void add_run(const std::string& path, std::span<const Record> records);

// What a removal came to.
struct Removal {
  std::size_t runs = 0;
  std::int64_t bytes = 0;  // By which the file is smaller.
  // Texts that nobody refers to any more stay while a run goes on, which may be about to: the next
  // removal takes them.
  bool kept_texts = false;
};

// Removes runs, by their whole ids, with all that only they refer to, and makes the file smaller.
// One that goes on is not removed: throws InvalidInput, and all stay. Ids that are not there are
// passed over. Throws what sqlite::Database throws.
Removal remove_runs(const std::string& path, std::span<const std::string> ids);

}  // namespace hone::journal
