// What the journal keeps: records, in the order in which they happened, of everything in a run that
// touched the world, and of its events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/redact.h"
#include "hone/base/units.h"
#include "hone/core/event.h"
#include "hone/core/json_form.h"
#include "hone/journal/process_identity.h"

namespace hone::journal {

enum class Kind {
  Header,   // How the run began; the first record of every run.
  Model,    // A call of a model.
  Process,  // A process that was run.
  Event,    // Something that happened; `path` is its name.
  Resumed,  // The run goes on in another process.
  Again     // The effect at `path` was under way when the run was interrupted; it is made again.
};
std::string_view to_string(Kind kind);  // "header", "model", …
std::optional<Kind> kind_from(std::string_view text);

// All texts have passed the redactor of the run.
struct Record {
  std::string run;
  std::int64_t sequence = 0;  // From 0, without gaps, within the run.
  Kind kind = Kind::Event;
  std::string path;     // Where in the run: "attempt/1/generate".
  std::string prompt;   // Template of the prompt and its hash: "judge 0123456789ab".
  std::string request;  // Canonical JSON; empty where there is none.
  std::string answer;   // JSON: the answer, the failure, or the event.
  bool failed = false;  // The effect failed; `answer` is an error.
  // Secrets were taken out: what is here is not what was sent or came back.
  bool redacted = false;
  Instant at;
  // How long nobody had worked on the run before this, over all its interruptions. Follows from the
  // records before it; not written.
  Duration paused{};
  // What got its placeholder in this record or just before; goes to the disk sealed, or not at all.
  std::vector<Original> originals;

  bool is_effect() const { return kind == Kind::Model || kind == Kind::Process; }
  bool operator==(const Record&) const = default;
};

// The digest of a request: SHA-256 of its canonical text. Placeholders are numbered by first
// appearance within it, because those of the run depend on what came before.
std::string digest_of(std::string_view request);

// How a run began: enough to run it again.
struct RunHeader {
  std::string run;           // Id.
  std::string hone_version;  // Which hone made it.
  std::string task_name;     // For lists.
  JsonText task;             // The task as it was given.
  JsonText options;          // And its options.
  core::ModelNames models;
  std::uint64_t seed = 0;
  Redaction redaction;      // What is taken out of its texts.
  ProcessIdentity process;  // Who runs it.
  Instant started;

  bool operator==(const RunHeader&) const = default;
};
std::string to_text(const RunHeader& header, Redactor* redactor = nullptr);
RunHeader header_from_json(const Json& json);  // Throws Corrupt.

struct RecordedEvent {
  std::string text;  // As core::journal_text gives it.
  Instant at;
  bool redacted = false;
  Duration paused{};  // As of a Record.
};

// An original as it lies in the store.
struct SealedOriginal {
  std::string placeholder;
  std::string key;  // Which key opens it (SealKey::fingerprint); empty where none was kept.
  std::string sealed;

  bool operator==(const SealedOriginal&) const = default;
};

// Everything that is recorded of one run. Its texts are redacted: they may be shown and exported.
struct RecordedRun {
  RunHeader header;
  bool header_redacted = false;
  std::vector<Record> effects;        // In order; a path may stand more than once after a resume.
  std::vector<RecordedEvent> events;  // Without those that a resume took back.
  // Effects that were under way when the run was interrupted and may have been made twice.
  std::vector<std::string> again;
  std::int64_t next_sequence = 0;
  std::vector<SealedOriginal> sealed;
  // One for each placeholder in its texts; the placeholder itself until unseal() finds the text.
  std::vector<Original> originals;
  Instant last;       // The time of the last record.
  Duration paused{};  // How long nobody worked on it, between interruptions and resumes.
};

// The run that the events make.
core::Run fold(const RecordedRun& recorded);

}  // namespace hone::journal
