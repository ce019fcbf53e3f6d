// What the journaled effects have in common.
#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/core/context.h"
#include "hone/journal/recording.h"

namespace hone::journal {

// The answer from the record, or that of `call`, which is on the disk before it is returned. A
// cancellation that arrives with the answer loses nothing: the answer is queued in the same
// resumption, and the wait for the disk does not listen.
template <class Reply>
async<Reply> journaled(Recording& recording, core::Context context, Effect effect,
                       async<Reply> call, Reply (*read)(const Json&)) {
  if (const Record* past = recording.find_answer(effect)) co_return read(parse_json(past->answer));
  std::optional<Reply> reply;
  std::exception_ptr failure;
  try {
    reply = co_await std::move(call);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    recording.failed(effect, to_error(failure), context.clock->now());
  } else {
    const std::size_t before = recording.redactor().count();
    std::string answer = core::journal_text(*reply, &recording.redactor());
    const bool redacted = recording.redactor().count() > before;
    recording.answered(effect, std::move(answer), redacted, context.clock->now());
  }
  co_await pending_cancellation_waits(true);
  const std::exception_ptr unwritten = co_await caught(recording.settled());
  co_await pending_cancellation_waits(false);
  if (unwritten) std::rethrow_exception(unwritten);
  if (failure) std::rethrow_exception(failure);
  co_return *std::move(reply);
}

}  // namespace hone::journal
