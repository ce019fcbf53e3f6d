// Prints the events of a run as JSON, one a line.
#pragma once

#include <cstdint>
#include <optional>

#include "hone/core/event.h"
#include "hone/task/loomflow.h"

namespace hone::app {

// With the profile loomflow, events by its names stand behind those that they tell of. Threads: the
// loop's thread.
class Stream final : public core::EventSink {
 public:
  explicit Stream(const task::TaskFile& file);

  Instant emit(const std::string& run, const core::Event& event, Instant at) override;

 private:
  std::int64_t sequence_ = 0;
  std::optional<task::LoomflowEvents> loomflow_;
};

}  // namespace hone::app
