// Shows a run on stderr while it goes: lines of the transcript as they come and, on a terminal, one
// status line below them that lives.
#pragma once

#include <cstdint>
#include <string>

#include "apps/hone/status_line.h"
#include "hone/core/event.h"

namespace hone::app {

// Threads: emit() on the loop's thread.
class View final : public core::EventSink {
 public:
  // Events go on to `next`, whose times are kept.
  View(Terminal terminal, core::EventSink& next);

  Instant emit(const std::string& run, const core::Event& event, Instant at) override;
  bool wants_drafts() const override { return terminal_.is_terminal || next_.wants_drafts(); }

 private:
  void add(const core::Event& event, Instant at);
  void add_draft(const std::string& text);
  // What there is to print about the event; empty for nothing.
  std::string lines_for(const core::Event& event) const;
  std::string status(std::size_t columns) const;

  const Terminal terminal_;
  core::EventSink& next_;
  core::Run run_;
  int attempt_ = 0;
  std::size_t drafted_ = 0;  // Bytes streamed in this attempt.
  std::string draft_line_;   // The last line of them that is not empty.
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  StatusLine status_line_;  // Last: its thread ends first.
};

}  // namespace hone::app
