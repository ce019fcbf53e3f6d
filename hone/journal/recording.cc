#include "hone/journal/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "hone/async/cancel.h"
#include "hone/base/digest.h"
#include "hone/core/json_form_writer.h"
#include "hone/journal/difference.h"

namespace hone::journal {
namespace {

bool is_kept(const core::Event& event) {
  return !std::holds_alternative<core::Draft>(event) &&
         !std::holds_alternative<core::Retracted>(event) &&
         !std::holds_alternative<core::Committed>(event);
}

void redact(Json& json, Redactor& redactor) {
  if (json.is_string()) json = redactor.redact(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& member : json) redact(member, redactor);
}

// The placeholders of another run are not those of this one.
std::string redacted_json(std::string_view text, Redactor& redactor) {
  Json json = parse_json(text);
  redact(json, redactor);
  return dump(json);
}

// What a resume leaves behind: how many events still hold, and who goes on.
std::string resumed_text(std::size_t events, const ProcessIdentity& process) {
  core::JsonWriter writer;
  writer.begin_object().key("events").integer(std::uint64_t{events});
  write(writer.key("process"), process);
  writer.end_object();
  return writer.take();
}

// The events before the run stopped.
std::size_t events_before_stop(const RecordedRun& past) {
  std::size_t count = 0;
  while (count < past.events.size() &&
         !past.events[count].text.starts_with(R"({"event":"stopped")")) {
    ++count;
  }
  return count;
}

// Into the answer. The request stays as it was: it is compared with one that is redacted.
void put_back(Record& effect, const Originals& originals) {
  if (!effect.redacted || originals.empty()) return;
  effect.answer = originals.put_back(effect.answer, Originals::Form::Json);
}

}  // namespace

Recording::Recording(Log* journal, RecordedRun past)
    : journal_(journal),
      past_(std::move(past)),
      redactor_(past_.header.redaction),
      paused_(past_.paused),
      now_(past_.header.started),
      told_(now_ + paused_) {
  for (const Original& original : past_.originals) redactor_.know(original);
  const Originals originals(past_.originals);
  for (Record& effect : past_.effects) put_back(effect, originals);
  for (std::size_t i = 0; i < past_.effects.size(); ++i) answers_[past_.effects[i].path] = i;
}

std::unique_ptr<Recording> Recording::record(Log& journal, const RunHeader& header) {
  RecordedRun nothing;
  nothing.header.run = header.run;
  nothing.header.started = header.started;
  nothing.header.redaction = header.redaction;
  std::unique_ptr<Recording> recording(new Recording(&journal, std::move(nothing)));
  Record first;
  first.kind = Kind::Header;
  first.answer = to_text(header, &recording->redactor_);
  first.redacted = recording->redactor_.count() > 0;
  first.at = header.started;
  recording->append(std::move(first));
  return recording;
}

std::unique_ptr<Recording> Recording::resume(Log& journal, RecordedRun past,
                                             const ProcessIdentity& process,
                                             std::optional<Instant> at) {
  journal.claim(past.header.run, past.next_sequence);
  std::unique_ptr<Recording> recording(new Recording(&journal, std::move(past)));
  recording->process_ = process;
  recording->may_repeat_ = true;
  recording->survived_ = survived_failures(recording->past_);
  recording->is_past_ = true;
  if (at) {
    recording->now_ = std::max(*at, recording->past_.last);
    recording->paused_ += recording->now_ - recording->past_.last;
    recording->told_ = recording->past_.header.started + recording->paused_;
  }
  recording->go_on_after(events_before_stop(recording->past_));
  return recording;
}

std::unique_ptr<Recording> Recording::replay(RecordedRun past, Match match) {
  std::unique_ptr<Recording> recording(new Recording(nullptr, std::move(past)));
  recording->match_ = match;
  return recording;
}

void Recording::append(Record record) {
  if (unwritten_) return;
  record.run = past_.header.run;
  record.sequence = past_.next_sequence++;
  record.originals = redactor_.take_new();
  now_ = std::max(now_, record.at);
  journal_->append(std::move(record));
}

void Recording::tell(Instant at, Duration paused) {
  now_ = std::max(now_, at);
  told_ = std::max(told_, at + (paused_ - paused));
}

void Recording::go_on_after(std::size_t kept) {
  past_.events.resize(kept);
  Record record;
  record.kind = Kind::Resumed;
  record.answer = resumed_text(kept, process_);
  record.at = now_;
  append(std::move(record));
}

void Recording::mark_repeated(const Effect& effect) {
  if (!may_repeat_) return;
  Record record;
  record.kind = Kind::Again;
  record.path = effect.path;
  record.answer = "{}";
  record.at = now_;
  append(std::move(record));
}

void Recording::diverge(const Error& error) {
  if (!divergence_) divergence_ = error;
  throw Error(*divergence_);
}

void Recording::check_digest(const Effect& effect, const Record& recorded) {
  if (match_ == Match::Path || effect.request == recorded.request) return;
  if (digest_of(effect.request) == digest_of(recorded.request)) return;
  const std::string cause =
      effect.prompt == recorded.prompt
          ? ""
          : fmt::format(" (the prompt changed from {} to {})", recorded.prompt, effect.prompt);
  diverge(Error(ErrorKind::InvalidInput,
                fmt::format("the request at `{}` is not the recorded one{}:\n{}", effect.path,
                            cause, difference(recorded.request, effect.request)),
                "run the task anew, or use the options it was recorded with"));
}

Error Recording::unrecorded(const Effect& effect) const {
  const core::Run run = fold(past_);
  const bool all_used = used_.size() > answers_.size();
  // A cancellation between two effects left no other trace.
  if (run.stop && run.stop->reason == core::StopReason::Cancelled && all_used) {
    return {ErrorKind::Cancelled, run.stop->detail};
  }
  std::vector<std::string> paths;
  for (const auto& [path, index] : answers_) paths.push_back(path);
  const std::string nearest = nearest_path(effect.path, paths);
  const std::string what =
      nearest.empty() ? "no effect of this run is"
                      : fmt::format("the nearest effect that is recorded is `{}`", nearest);
  return {ErrorKind::NotFound, fmt::format("nothing is recorded at `{}`; {}", effect.path, what),
          run.stop ? "run the task anew, or use the options it was recorded with"
                   : fmt::format("`hone resume {}` goes on from here", past_.header.run)};
}

namespace {

Record record_of(Effect effect, Instant at) {
  Record record;
  record.kind = effect.kind;
  record.path = std::move(effect.path);
  record.prompt = std::move(effect.prompt);
  record.request = std::move(effect.request);
  record.redacted = effect.redacted;
  record.at = at;
  return record;
}

}  // namespace

// The answer stands in the record of this run too, as one to what is asked now.
const Record* Recording::kept_answer(const Effect& effect) {
  const Record* original = kept_ ? kept_->take(effect) : nullptr;
  if (original == nullptr) return nullptr;
  Record whole = *original;
  put_back(whole, kept_originals_);
  const std::size_t before = redactor_.count();
  taken_ = record_of(effect, now_);
  taken_.failed = original->failed;
  taken_.answer = free_of_cost(whole);
  if (whole.redacted) taken_.answer = redacted_json(taken_.answer, redactor_);
  taken_.redacted = taken_.redacted || redactor_.count() > before;
  append(taken_);
  taken_.answer = free_of_cost(whole);
  if (taken_.failed) throw core::error_from_json(parse_json(taken_.answer));
  return &taken_;
}

const Record* Recording::live_answer(const Effect& effect) {
  const Record* kept = kept_answer(effect);
  if (kept != nullptr) return kept;
  mark_repeated(effect);
  is_past_ = false;
  return nullptr;
}

const Record* Recording::find_answer(const Effect& effect) {
  if (divergence_) throw Error(*divergence_);
  if (unwritten_) throw Error(*unwritten_);
  if (!used_.insert(effect.path).second) {
    throw Error(
        ErrorKind::Internal,
        fmt::format("two effects of run {} have the path `{}`", past_.header.run, effect.path),
        "this is a bug in hone; please report it with the command that led here");
  }
  const auto found = answers_.find(effect.path);
  if (found == answers_.end()) {
    if (replays()) diverge(unrecorded(effect));
    return live_answer(effect);
  }
  const Record& recorded = past_.effects[found->second];
  const bool is_open = recorded.failed && !survived_.contains(found->second);
  if (is_open && !replays()) {
    const Record* kept = kept_answer(effect);
    if (kept == nullptr) is_past_ = false;
    return kept;
  }
  check_digest(effect, recorded);
  tell(recorded.at, recorded.paused);
  if (recorded.failed) throw core::error_from_json(parse_json(recorded.answer));
  return &recorded;
}

core::Usage Recording::spent_at(const std::string& path) const {
  const auto found = answers_.find(path);
  if (found == answers_.end() || !past_.effects[found->second].failed) return {};
  return core::error_from_json(parse_json(past_.effects[found->second].answer)).usage();
}

void Recording::answered(Effect effect, std::string answer, bool redacted, Instant at) {
  may_repeat_ = false;
  Record record = record_of(std::move(effect), at);
  record.answer = std::move(answer);
  record.redacted = record.redacted || redacted;
  append(std::move(record));
}

void Recording::failed(Effect effect, const Error& error, Instant at) {
  may_repeat_ = false;
  Record record = record_of(std::move(effect), at);
  const std::size_t before = redactor_.count();
  record.answer = core::journal_text(error, &redactor_);
  record.redacted = record.redacted || redactor_.count() > before;
  record.failed = true;
  append(std::move(record));
}

// Roles take some failures for an answer. Nothing that comes of this one is recorded: a run that is
// resumed goes on from what is on the disk.
async<void> Recording::settled() {
  if (replays()) co_return;
  const std::exception_ptr failure = co_await caught(journal_->durable(past_.header.run));
  if (!failure) co_return;
  if (!unwritten_) unwritten_ = to_error(failure);
  std::rethrow_exception(failure);
}

void Recording::event_differs(const std::string& text) {
  if (!replays()) return go_on_after(next_event_);
  const bool ended =
      !past_.events.empty() && past_.events.back().text.starts_with(R"({"event":"run_finished")");
  // Of a run that was killed the record ends early: the next effect will say so.
  if (divergence_ || (next_event_ == past_.events.size() && !ended)) return;
  const std::string change = next_event_ < past_.events.size()
                                 ? difference(past_.events[next_event_].text, text)
                                 : "it goes on where the record ends";
  divergence_ = Error(
      ErrorKind::InvalidInput,
      fmt::format("event {} of the run is not the recorded one:\n{}", next_event_ + 1, change),
      "run the task anew, or use the options it was recorded with");
}

// Whether an event of this name is what happened next in the past.
bool Recording::follows(const core::Event& event) const {
  return next_event_ < past_.events.size() &&
         past_.events[next_event_].text.starts_with(
             fmt::format(R"({{"event":"{}")", core::name_of(event)));
}

Instant Recording::take_event() {
  const RecordedEvent& event = past_.events[next_event_++];
  tell(event.at, event.paused);
  return event.at;
}

// When this happened, if it is what happened next in the past. Of attempts at once another one may
// be the first to come near the end of the budget: warnings are taken as they come.
std::optional<Instant> Recording::past_event(const core::Event& event, const std::string& text) {
  const bool warns = std::holds_alternative<core::BudgetWarning>(event);
  while (!warns && follows(core::BudgetWarning())) ++next_event_;
  const bool is_past = next_event_ < past_.events.size();
  if (is_past && past_.events[next_event_].text == text) return take_event();
  if (warns || match_ == Match::Path) {
    if (follows(event)) return take_event();
    return is_past || replays() ? std::optional(now_) : std::nullopt;
  }
  if (is_past || replays()) event_differs(text);
  return std::nullopt;
}

Instant Recording::happened(const core::Event& event, Instant at) {
  if (!is_kept(event)) return replays() ? now_ : at;
  const std::size_t before = redactor_.count();
  std::string text = core::journal_text(event, &redactor_);
  if (const auto past = past_event(event, text)) return *past;
  if (replays()) return now_;
  at = std::max(at, now_);  // The clock of the machine may have been set back.
  Record record;
  record.path = core::name_of(event);
  record.answer = std::move(text);
  record.redacted = redactor_.count() > before;
  record.at = at;
  append(std::move(record));
  return at;
}

async<void> Recording::close() {
  if (divergence_) throw Error(*divergence_);
  if (unwritten_) throw Error(*unwritten_);
  co_await settled();
}

}  // namespace hone::journal
