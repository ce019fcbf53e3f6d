// What surrounds a simulated run: models, processes and a disk that fail in every way they can, as
// one seed says. What they answer depends on the seed and the place in the run alone, so that a run
// that is interrupted gets the same answers as one that is not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hone/core/effects.h"
#include "hone/journal/log.h"
#include "hone/journal/record_table.h"
#include "hone/journal/seal.h"
#include "tests/simulation/virtual_time.h"

namespace hone::simulation {

inline constexpr const char* kSecret = "sk-proj-abcdefghij0123456789KLMNOPqrst";

// Seals what was taken out of the texts of simulated runs.
inline const journal::SealKeyPlace kSealKey{.key = std::string(64, '7'), .file = {}};

// How often things go wrong, of 1.
struct Faults {
  double call = 0;     // A try of a call fails: 429, 503, disconnect, timeout, refusal.
  double judge = 0;    // A judge's reply is no verdict.
  double half = 0;     // An answer is cut off.
  double process = 0;  // A process cannot be started.
  double disk = 0;     // A write fails.
  double jump = 0;     // The clock of the machine is set, later or back, between two lives.
  // The n-th write of the first life fails, or the n-th call, as chance() says of `kind`.
  std::uint64_t write_number = 0;
  std::uint64_t call_number = 0;
  double kind = 0;
};

// A random number in [0, 1) that depends on its arguments alone.
double chance(std::uint64_t seed, const std::string& what, std::uint64_t number = 0);

// Counts what the outside saw, over all lives of one run.
struct Ledgers {
  std::map<std::string, int> answered;  // By path: calls that were answered to the end.
  std::map<std::string, int> tries;     // By path.
  std::uint64_t calls = 0;
  std::uint64_t writes = 0;
};

// Ends the life of the process at the n-th thing that happens.
class Fate {
 public:
  explicit Fate(std::optional<std::uint64_t> steps) : left_(steps) {}
  // Something happens; false when the process is dead. `time` hurries to its end then.
  bool step(VirtualTime& time);
  bool is_dead() const { return dead_; }
  // Throws Cancelled when the process is dead.
  void check() const;

 private:
  std::optional<std::uint64_t> left_;
  bool dead_ = false;
};

class SimulatedModel final : public core::Model {
 public:
  SimulatedModel(std::uint64_t seed, const Faults& faults, Ledgers& ledgers, Fate& fate,
                 VirtualTime& time)
      : seed_(seed), faults_(faults), ledgers_(ledgers), fate_(fate), time_(time) {}
  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return "simulated:1"; }

 private:
  [[noreturn]] static void fail(double kind);
  void fail_sometimes(const core::Context& context, int number) const;
  core::ModelReply reply(const core::Context& context, const core::ModelRequest& request) const;
  std::string text(const std::string& path, const core::ModelRequest& request) const;
  std::string verdict(const std::string& path, const core::ModelRequest& request) const;

  std::uint64_t seed_;
  const Faults& faults_;
  Ledgers& ledgers_;
  Fate& fate_;
  VirtualTime& time_;
};

// Passes outputs of a quality of at least 0.3.
class SimulatedRunner final : public core::Runner {
 public:
  SimulatedRunner(std::uint64_t seed, const Faults& faults, Fate& fate, VirtualTime& time)
      : seed_(seed), faults_(faults), fate_(fate), time_(time) {}
  async<core::ProcessResult> run(core::Context context,
                                 const core::ProcessRequest& request) override;

 private:
  std::uint64_t seed_;
  const Faults& faults_;
  Fate& fate_;
  VirtualTime& time_;
};

// The quality that an output states; 0 where it states none.
double quality_in(const std::string& text);

// Writes records to a real store, later, in groups, and not at all once the process is dead.
// Threads: the simulation's.
class SimulatedDisk final : public journal::Log {
 public:
  SimulatedDisk(const std::string& path, std::uint64_t seed, const Faults& faults, Ledgers& ledgers,
                Fate& fate, VirtualTime& time);
  ~SimulatedDisk() override;

  void append(journal::Record record) override {
    if (!fate_.is_dead()) queue_.push_back(std::move(record));
  }
  async<void> durable(std::string run) override;
  // The process died: what was on its way got there, or not.
  void settle_death();

 private:
  void write();

  std::uint64_t seed_;
  const Faults& faults_;
  Ledgers& ledgers_;
  Fate& fate_;
  VirtualTime& time_;
  std::uint64_t writes_ = 0;
  sqlite::Database database_;
  journal::Sealer sealer_{kSealKey};
  journal::RecordTable table_;
  std::vector<journal::Record> queue_;
};

}  // namespace hone::simulation
