// One run between its roles and the journal: what it does is recorded, or answered from the record.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "hone/async/async.h"
#include "hone/async/clock.h"
#include "hone/base/error.h"
#include "hone/base/redact.h"
#include "hone/core/event.h"
#include "hone/journal/journal.h"
#include "hone/journal/kept.h"
#include "hone/journal/log.h"
#include "hone/journal/record.h"
#include "hone/journal/survived.h"

namespace hone::journal {

// An effect that is about to be made.
struct Effect {
  Kind kind = Kind::Model;
  std::string path;     // Its place in the run; no two effects of a run share one.
  std::string prompt;   // Template of the prompt and its hash, if there is one.
  std::string request;  // Canonical JSON, redacted.
  bool redacted = false;
};

// When a recorded answer is that of an effect.
enum class Match {
  Request,  // At the same path the same was asked.
  Path      // Something was asked at the same path; events need not be the recorded ones either.
};

// Made for one run by one of three functions:
//   record  makes every effect and records it
//   resume  answers from the record what was answered, makes the rest again: failures too, but for
//           those that the run went on after
//   replay  answers everything from the record and makes nothing
// Threads: the run's loop thread. Lifetime: outlives the run; the journal outlives it.
class Recording {
 public:
  static std::unique_ptr<Recording> record(Log& journal, const RunHeader& header);
  // `at` is the time now, where it is known: what has passed since the interruption does not count
  // as time of the run. The effects that are made before the first new answer may have been under
  // way when the run was interrupted: the record says so of them (Kind::Again).
  static std::unique_ptr<Recording> resume(Log& journal, RecordedRun past,
                                           const ProcessIdentity& process,
                                           std::optional<Instant> at = {});
  static std::unique_ptr<Recording> replay(RecordedRun past, Match match = Match::Request);

  // What is recorded nowhere in this run is taken over from another one, free of cost, as far as
  // `kept` has it.
  void take_over(Kept kept) {
    kept_originals_ = Originals(kept.originals());
    kept_.emplace(std::move(kept));
  }

  const std::string& run() const { return past_.header.run; }
  // What texts of this run pass before they are written.
  Redactor& redactor() { return redactor_; }

  // The recorded answer to use, or null: make the effect. Throws the recorded failure; Internal
  // when the path was used before; and in a replay InvalidInput when the request differs (with the
  // difference), NotFound when nothing was recorded (with the nearest path).
  const Record* find_answer(const Effect& effect);
  // What the recorded failure at this path has cost; Usage{} if there is none.
  core::Usage spent_at(const std::string& path) const;
  // Queues what came of it, in a plain call.
  void answered(Effect effect, std::string answer, bool redacted, Instant at);
  void failed(Effect effect, const Error& error, Instant at);
  // Returns when all that is queued is on the disk. Throws when it cannot be written; then every
  // effect from here on does, and nothing more is recorded.
  async<void> settled();

  // Takes an event and returns when it happened: `at`, or when it is in the record already, then.
  Instant happened(const core::Event& event, Instant at);

  // To be awaited when the run is over: everything is on the disk. Throws what went wrong with the
  // journal, and for a replay the first place where the run did not go as recorded.
  async<void> close();

  // The time of what happened last, as if all interruptions had come before: so much of the run's
  // time has passed as had then, and what depends on a deadline is decided as it was.
  Instant told() const { return told_; }
  // Nothing has been made yet: all comes from the record.
  bool is_past() const { return replays() || is_past_; }
  bool replays() const { return journal_ == nullptr; }

 private:
  Recording(Log* journal, RecordedRun past);

  void append(Record record);
  void tell(Instant at, Duration paused);
  // Goes on after the first `kept` events of the past; the others are taken back.
  void go_on_after(std::size_t kept);
  void mark_repeated(const Effect& effect);
  const Record* kept_answer(const Effect& effect);
  const Record* live_answer(const Effect& effect);
  void check_digest(const Effect& effect, const Record& recorded);
  Error unrecorded(const Effect& effect) const;
  std::optional<Instant> past_event(const core::Event& event, const std::string& text);
  bool follows(const core::Event& event) const;
  Instant take_event();
  void event_differs(const std::string& text);
  [[noreturn]] void diverge(const Error& error);

  Log* journal_;  // Null in a replay.
  RecordedRun past_;
  ProcessIdentity process_;                     // Who goes on with it, in a resume.
  std::map<std::string, std::size_t> answers_;  // Index of the last effect at a path.
  std::unordered_set<std::size_t> survived_;    // Failures that a resume gives again.
  std::unordered_set<std::string> used_;
  std::size_t next_event_ = 0;
  Match match_ = Match::Request;
  std::optional<Kept> kept_;
  Originals kept_originals_;
  Record taken_;             // The last one that was taken over.
  bool may_repeat_ = false;  // After a resume, until the first new answer.
  bool is_past_ = false;     // Of a resume, until the first effect that is made.
  Redactor redactor_;
  Duration paused_{};  // All interruptions, the last one too.
  Instant now_;
  Instant told_;
  std::optional<Error> divergence_;
  std::optional<Error> unwritten_;  // Why the disk does not have what was to be on it.
};

// The clock of a replay: the time of what happened last; waiting takes none.
class ReplayClock final : public Clock {
 public:
  explicit ReplayClock(const Recording& recording) : recording_(recording) {}
  Instant now() override { return recording_.told(); }
  async<void> sleep_until(Instant) override { co_return; }

 private:
  const Recording& recording_;
};

// The clock of a run that is recorded: that of a replay while it goes through its past.
class RunClock final : public Clock {
 public:
  RunClock(const Recording& recording, Clock& live) : recording_(recording), live_(live) {}
  Instant now() override { return recording_.is_past() ? recording_.told() : live_.now(); }
  async<void> sleep_until(Instant until) override { return live_.sleep_until(until); }

 private:
  const Recording& recording_;
  Clock& live_;
};

}  // namespace hone::journal
