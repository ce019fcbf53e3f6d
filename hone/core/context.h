// What every role and effect call carries instead of hidden state.
#pragma once

#include <cstdint>
#include <string_view>

#include "hone/async/clock.h"
#include "hone/base/shared_text.h"
#include "hone/base/units.h"
#include "hone/core/budget.h"
#include "hone/core/event.h"

namespace hone::core {

// Random numbers, as an interface, so that a run can be repeated. Threads: one loop thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;
};

// A pseudo-random sequence that depends on its seed alone (splitmix64).
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() override;

 private:
  std::uint64_t state_;
};

// Copied freely; what it points to outlives the run.
struct Context {
  SharedText run;   // Id of the run.
  SharedText path;  // Where in the run this call stands: "attempt/2/evaluate/1-judge/ask/1".
  int attempt = 0;  // The attempt being made or judged; 0 outside of attempts.
  Deadline deadline;
  Ledger* ledger = nullptr;
  EventSink* events = nullptr;
  Clock* clock = nullptr;
  Random* random = nullptr;

  // The same for a step below this one. The parent names its steps before it starts any of them, so
  // that paths do not depend on the order in which calls end.
  Context at(std::string_view step) const;
  Context at(std::string_view step, int index) const;  // "step/3"
  // The same, counting what it spends in `scope` too.
  Context counting_in(Ledger& scope) const;

  // Tells all listeners; returns when it happened (see EventSink).
  Instant emit(const Event& event) const;
  // A number that depends on the seed of the run and on the path alone.
  std::uint64_t seed(std::uint64_t run_seed) const;
};

}  // namespace hone::core
