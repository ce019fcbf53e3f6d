// Where runs are kept.
#pragma once

#include <memory>
#include <string>

#include "apps/hone/flags.h"
#include "hone/base/redact.h"
#include "hone/journal/journal.h"
#include "hone/journal/run_store.h"

namespace hone::app {

// The path of --store, or $XDG_DATA_HOME/hone/store.db. Throws InvalidInput when neither is known.
std::string store_path(const Flags& flags);
// The same, whose folder exists. Throws Unavailable when it cannot be made.
std::string writable_store_path(const Flags& flags);

// How runs are recorded: in the store, their sensitive parts sealed unless --seal says otherwise.
// Throws what journal::Sealer throws.
journal::JournalOptions journal_options(const Flags& flags);
journal::JournalOptions journal_options(const Flags& flags, std::string store);
// The key of sealed originals, for reading.
std::shared_ptr<journal::Sealer> sealer_of(const Flags& flags);
// Which classes of text --redact names; all of them if it names none.
Redaction redaction_of(const Flags& flags);

// The recorded run with its originals, for commands that repeat it; its header has them put back.
// Says on stderr where placeholders stand for them.
journal::RecordedRun recorded_aloud(journal::RunStore& store, const std::string& id,
                                    const Flags& flags);
// The same for commands that go on with it. Throws InvalidInput where originals are missing: a
// model would be shown placeholders.
journal::RecordedRun recorded_whole(journal::RunStore& store, const std::string& id,
                                    const Flags& flags);

}  // namespace hone::app
