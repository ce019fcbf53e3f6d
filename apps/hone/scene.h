// What every command that runs roles needs around them: clock, ledger, randomness, context.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "hone/async/clock.h"
#include "hone/core/context.h"

namespace hone::app {

// Owns what a Context points to.
class Scene {
 public:
  Scene(core::Budget budget, std::optional<std::uint64_t> seed)
      : ledger_(budget), seed_(seed.value_or(std::random_device()())), random_(seed_) {}

  core::Context context(std::string run, core::EventSink& events) {
    return context(std::move(run), events, clock_, clock_.now());
  }
  // Of a run that began at `started`: from then on its budget of time counts.
  core::Context context(std::string run, core::EventSink& events, Clock& clock, Instant started) {
    core::Context context{.run = std::move(run)};
    context.ledger = &ledger_;
    context.events = &events;
    context.clock = &clock;
    context.random = &random_;
    if (ledger_.budget().time) context.deadline = started + *ledger_.budget().time;
    return context;
  }

  Clock& clock() { return clock_; }
  core::Random& random() { return random_; }
  std::uint64_t seed() const { return seed_; }

 private:
  core::Ledger ledger_;
  SystemClock clock_;
  std::uint64_t seed_;
  core::SeededRandom random_;
};

}  // namespace hone::app
