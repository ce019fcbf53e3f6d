// Shows a run on stderr while it goes: lines of the transcript as they come and, on a terminal, one
// status line below them that lives.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "apps/hone/terminal.h"
#include "hone/core/event.h"

namespace hone::app {

// Threads: emit() on the loop's thread; the status line is drawn by a thread of its own, and only
// on a terminal.
class View final : public core::EventSink {
 public:
  // Events go on to `next`, whose times are kept.
  View(Terminal terminal, core::EventSink& next);
  ~View() override;
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  Instant emit(const std::string& run, const core::Event& event, Instant at) override;

 private:
  void show(const core::Event& event);
  void print(std::string_view lines);
  void draw_status();
  void erase_status();
  void keep_drawing();
  std::string status() const;

  const Terminal terminal_;
  core::EventSink& next_;
  core::Run run_;
  int attempt_ = 0;
  std::size_t drafted_ = 0;  // Bytes streamed in this attempt.
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  bool drawn_ = false;
  bool ended_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread drawing_;
};

}  // namespace hone::app
