// Listens to a run and records its events, except the drafts.
#pragma once

#include "hone/core/event.h"
#include "hone/journal/recording.h"

namespace hone::journal {

// Drafts and what becomes of them (Draft, Retracted, Committed) are not recorded: their text is in
// other records. In a replay, and for what a resume repeats, events happen when they did first.
// Threads: the run's loop thread. `next` hears every event, at the time it is recorded with.
class Recorder final : public core::EventSink {
 public:
  Recorder(Recording& recording, core::EventSink& next) : recording_(recording), next_(next) {}

  Instant emit(const std::string& run, const core::Event& event, Instant at) override {
    const Instant when = recording_.happened(event, at);
    next_.emit(run, event, when);
    return when;
  }
  bool wants_drafts() const override { return next_.wants_drafts(); }

 private:
  Recording& recording_;
  core::EventSink& next_;
};

}  // namespace hone::journal
