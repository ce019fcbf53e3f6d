// Prints the events of a run as JSON, one a line.
#pragma once

#include <cstdint>

#include "hone/core/event.h"

namespace hone::app {

// Threads: the loop's thread.
class Stream final : public core::EventSink {
 public:
  Instant emit(const std::string& run, const core::Event& event, Instant at) override;

 private:
  std::int64_t sequence_ = 0;
};

}  // namespace hone::app
