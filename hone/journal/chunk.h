// The records of a run that were written together, as the bytes that go to the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/journal/folding.h"
#include "hone/journal/record.h"

namespace hone::journal {

// What a body is packed after (Packer): typical records, and the last ones of the run that are
// short. Part of the format: chunks are read with what they were written with.
class Window {
 public:
  // Holds until the next call with this string.
  std::string_view text(std::string& scratch) const;
  void add(std::string_view body);

 private:
  std::string last_;
};

// Appends a record to the body of a chunk; `last` is the time of the record before it in the same
// body, which becomes that of this one.
void append_record(const Record& record, std::int64_t chunk, Folding& folding, Instant& last,
                   std::string& body);

// A record of a body; `request` and `answer` are folded. `run` and `sequence` stand outside.
// Throws Corrupt when the bytes are no records.
std::vector<Record> records_in(std::string_view body);

}  // namespace hone::journal
