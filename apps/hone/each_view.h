// Shows many runs on stderr while they go: a bar on a terminal, a line for each run in a pipe.
#pragma once

#include <chrono>
#include <cstddef>

#include "apps/hone/status_line.h"
#include "hone/core/event.h"

namespace hone::app {

// Threads: the loop's thread. Listens to all of the runs.
class EachView final : public core::EventSink {
 public:
  EachView(Terminal terminal, std::size_t runs, bool quiet);

  Instant emit(const std::string& run, const core::Event& event, Instant at) override;
  bool wants_drafts() const override { return false; }
  // One run has ended, with this exit code.
  void ended(const core::Run& run, int exit_code);
  // Held while something is printed on stdout.
  std::unique_lock<std::mutex> cleared() { return status_line_.cleared(); }
  // All have.
  void end();

 private:
  std::string status(std::size_t columns) const;
  std::string line_of(const core::Run& run) const;

  const Terminal terminal_;
  const std::size_t runs_;
  const bool quiet_;
  std::size_t ended_ = 0;
  std::size_t passed_ = 0;
  std::size_t running_ = 0;
  std::int64_t tokens_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  StatusLine status_line_;  // Last: its thread ends first.
};

}  // namespace hone::app
