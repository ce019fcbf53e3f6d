// The JSON forms of the words, as results, streams and the journal carry them.
#pragma once

#include <string>

#include "hone/base/json.h"
#include "hone/core/effects.h"
#include "hone/core/event.h"
#include "hone/core/run.h"

namespace hone::core {

// One evaluation object, as `hone eval --json` prints it.
Json to_json(const Evaluation& evaluation);
Json to_json(const Usage& usage);
Json to_json(const Attempt& attempt);
// The result of a run, as `hone run --json` prints it; `models` are the names by role.
Json to_json(const Run& run);
// One event with its payload, to be read back by event_from_json.
Json to_json(const Event& event);
Event event_from_json(const Json& json);  // Throws Corrupt.

// Requests and replies of effects. The canonical text of a request is what digests are made of.
Json to_json(const ModelRequest& request);
Json to_json(const ModelReply& reply);
ModelReply model_reply_from_json(const Json& json);  // Throws Corrupt.
Json to_json(const ProcessRequest& request);
Json to_json(const ProcessResult& result);
ProcessResult process_result_from_json(const Json& json);  // Throws Corrupt.

}  // namespace hone::core
