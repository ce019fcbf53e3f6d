// Where runs are kept.
#pragma once

#include <memory>
#include <string>

#include "apps/hone/flags.h"
#include "hone/base/redact.h"
#include "hone/journal/journal.h"

namespace hone::app {

// The path of --store, or $XDG_DATA_HOME/hone/store.db. Throws InvalidInput when neither is known.
std::string store_path(const Flags& flags);
// The same, whose folder exists. Throws Unavailable when it cannot be made.
std::string writable_store_path(const Flags& flags);

// How runs are recorded: in the store, their sensitive parts sealed unless --seal says otherwise.
// Throws what journal::Sealer throws.
journal::JournalOptions journal_options(const Flags& flags);
journal::JournalOptions journal_options(const Flags& flags, const std::string& path);
// The key of sealed originals, for reading.
std::shared_ptr<journal::Sealer> sealer_of(const Flags& flags);
// Which classes of text --redact names; all of them if it names none.
Redaction redaction_of(const Flags& flags);

// Puts the originals back that a replay needs, and says on stderr when it shows placeholders.
void unseal_aloud(journal::RecordedRun& run, const Flags& flags);
// The same for commands that make calls: they cannot do with placeholders. Throws InvalidInput.
void unseal_to_go_on(journal::RecordedRun& run, const Flags& flags);

}  // namespace hone::app
