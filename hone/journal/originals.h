// Gives a recorded run back what was taken out of its texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hone/core/event.h"
#include "hone/journal/record.h"
#include "hone/journal/seal.h"

namespace hone::journal {

// What became of the originals of a run.
enum class Unsealed {
  Nothing,  // Nothing had been taken out.
  All,
  NoKey,   // They are there, and no key is.
  NotKept  // Some were never kept: --seal none, or the run came from an exported file.
};

// Fills `run.originals` and puts them back into its header. Requests, answers and events stay
// redacted; a Recording made of the run puts the originals back into what it answers. Throws
// Corrupt when a sealed original was changed, and InvalidInput when they were sealed with another
// key than this one. `sealer` may be null: there is no key.
Unsealed unseal(RecordedRun& run, Sealer* sealer);

// The run with its originals put back, as far as they are known.
core::Run original_run(const RecordedRun& run);
// Its events, the same way.
std::vector<core::Event> original_events(const RecordedRun& run);

// For which place an original is sealed: it opens in its run and for its placeholder only.
std::string seal_place(std::string_view run, std::string_view placeholder);

// How much was taken out of a run: originals by kind ("EMAIL"), and the places where they stood.
struct Redacted {
  std::map<std::string, int> originals;
  int places = 0;
};
Redacted redacted_in(const RecordedRun& run);

// The placeholders in the texts of a run, each once, with themselves as text.
std::vector<Original> placeholders_of(const RecordedRun& run);

}  // namespace hone::journal
