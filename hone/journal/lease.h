// Who may write a run: the holder of its lease. Two processes never run the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "hone/base/units.h"
#include "hone/journal/process_identity.h"
#include "hone/sqlite/database.h"

namespace hone::journal {

struct LeaseOptions {
  // A holder that has not been heard of for so long has lost its leases. One whose process is dead,
  // on this machine, has lost them at once.
  std::chrono::milliseconds length = std::chrono::seconds(30);
  std::function<Instant()> now;  // The clock of the machine, unless a test has another.
};

// The leases of one Journal, which is one holder; its random number is the fence: a lease that
// somebody else has taken has another one. Every function runs inside a transaction of the caller.
// Threads: as the database.
class Leases {
 public:
  Leases(sqlite::Database& database, LeaseOptions options);

  // Takes the lease of run `number`, `name` for people. Throws Unavailable when somebody else has
  // it.
  void take(std::int64_t number, const std::string& name);
  void release(std::int64_t number);
  // Whether the lease is still ours. What was found is remembered until look_again().
  bool holds(std::int64_t number);
  // Somebody else has written since.
  void look_again() { held_.clear(); }
  // What was taken since the last commit is not ours: the transaction was rolled back.
  void forget();

  // Whether it is time to tell that we are alive, and telling it.
  bool is_due() const;
  void beat();
  // When the next one is due.
  std::chrono::milliseconds interval() const { return options_.length / 3; }
  // At the end: all of them.
  void release_all();
  bool any() const { return holds_any_; }

 private:
  void enter();

  sqlite::Database& database_;
  LeaseOptions options_;
  std::int64_t holder_;
  bool entered_ = false;    // There is a row of this holder.
  bool holds_any_ = false;  // Something may have to be released.
  Instant beaten_;
  std::unordered_set<std::int64_t> held_;
};

// Until when the lease of the run with this id holds; absent if nobody has it.
std::optional<Instant> lease_end(sqlite::Database& database, std::string_view run);

}  // namespace hone::journal
