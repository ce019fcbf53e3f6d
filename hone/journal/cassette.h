// A run as one readable file, which can be kept with a project, compared line by line, and brought
// back to be shown and replayed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hone/journal/record.h"

namespace hone::journal {

// YAML: one entry a record, with requests and answers as trees and long texts as they are. What
// ties the run to a machine (process, folders, key files) is left out. Only what stands in the
// store in the clear goes in: secrets are placeholders.
std::string to_cassette(std::span<const Record> records);

// The records of a cassette; to_cassette() of them gives the same text again. `file` is what
// messages call it. Throws InvalidInput with file, line and column for what is no cassette, for one
// of a newer format, and for a request that was edited, with both digests: what was answered was an
// answer to the other one. Answers may be edited: a replay tells where that matters.
std::vector<Record> from_cassette(std::string_view text, std::string_view file);

}  // namespace hone::journal
