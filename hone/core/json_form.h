// The JSON forms of the words: as results and streams show them, and as the journal keeps them.
//
// What users see (to_json, stream_json) follows the published contract to the letter. What the
// journal keeps (journal_text) is complete: reading it back gives an equal value. Text that is not
// UTF-8 is kept there as {"bytes": "68656c6c6f"}, members with their default value are left out,
// and instants are nanoseconds since 1970.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/redact.h"
#include "hone/core/code.h"
#include "hone/core/effects.h"
#include "hone/core/event.h"
#include "hone/core/paid_error.h"
#include "hone/core/run.h"

namespace hone::core {

// Names of models by the role they serve, as users write them.
using ModelNames = std::map<Role, std::string>;

// One evaluation object, as `hone eval --json` prints it.
Json to_json(const Evaluation& evaluation);
// What one attempt has cost.
Json to_json(const Usage& usage);
Json to_json(const Attempt& attempt);
// {"format": 1, "error": {"kind", "message", "hint"}}, for a failure after a run had begun.
Json to_json(const Error& error);
// The result of a run, as `hone run --json` prints it. A role that `models` does not name is named
// by the outputs it made.
Json to_json(const Run& run, const ModelNames& models);

// One event of a stream (--stream): event, run, at, sequence, then what happened.
Json stream_json(const Event& event, const std::string& run, Instant at, std::int64_t sequence);

// The complete form of one event. With a redactor, text passes it on its way.
std::string journal_text(const Event& event, Redactor* redactor = nullptr);
Event event_from_json(const Json& json);  // Throws Corrupt.

// The canonical form of a request: sorted keys, equal text for equal requests. Digests are made of
// it. It leaves out what does not change the answer: `drafts`, `shared`, the identity of the
// prompt's template (it is recorded beside it) and the directory of a process.
std::string journal_text(const ModelRequest& request, Redactor* redactor = nullptr);
std::string journal_text(const ProcessRequest& request, Redactor* redactor = nullptr);
// Whether the code is trusted changes no answer either.
std::string journal_text(const CodeRequest& request, Redactor* redactor = nullptr);

std::string journal_text(const ModelReply& reply, Redactor* redactor = nullptr);
std::string journal_text(const ProcessResult& result, Redactor* redactor = nullptr);
std::string journal_text(const CodeResult& result, Redactor* redactor = nullptr);
ModelRequest model_request_from_json(const Json& json);    // Throws Corrupt.
ModelReply model_reply_from_json(const Json& json);        // Throws Corrupt.
ProcessResult process_result_from_json(const Json& json);  // Throws Corrupt.
CodeResult code_result_from_json(const Json& json);        // Throws Corrupt.

// A failure of an effect with what it has cost (see PaidError), and back.
std::string journal_text(const Error& error, Redactor* redactor = nullptr);
PaidError error_from_json(const Json& json);  // Throws Corrupt.

}  // namespace hone::core
