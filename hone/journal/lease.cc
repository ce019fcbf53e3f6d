#include "hone/journal/lease.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "hone/base/error.h"

namespace hone::journal {
namespace {

std::int64_t nanoseconds(Instant at) { return at.time_since_epoch().count(); }
Instant instant(std::int64_t nanoseconds) { return Instant(Duration(nanoseconds)); }

std::int64_t random_number() {
  std::random_device random;
  const auto high = static_cast<std::uint64_t>(random()) << 32;
  return static_cast<std::int64_t>((high | random()) >> 1);
}

LeaseOptions with_clock(LeaseOptions options) {
  if (!options.now) {
    options.now = [] {
      return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    };
  }
  return options;
}

struct Holder {
  std::int64_t id = 0;
  ProcessIdentity process;
  Instant expires;
};

std::optional<Holder> holder_of(sqlite::Database& database, std::int64_t run) {
  auto row = database.prepare(
      "SELECT holders.id, host, boot, process, started, expires FROM leases "
      "JOIN holders ON holders.id = leases.holder WHERE run = ?");
  if (!row.bind(run).step()) return std::nullopt;
  Holder holder;
  holder.id = row.integer(0);
  holder.process = {std::string(row.text(1)), row.integer(3), row.integer(4),
                    std::string(row.text(2))};
  holder.expires = instant(row.integer(5));
  return holder;
}

Error taken(const std::string& name, const ProcessIdentity& process) {
  return {ErrorKind::Unavailable,
          fmt::format("run {} goes on in process {} on {}", name, process.id, process.host),
          "wait for it, or end that process first; see `hone list`"};
}

}  // namespace

Leases::Leases(sqlite::Database& database, LeaseOptions options)
    : database_(database), options_(with_clock(std::move(options))), holder_(random_number()) {}

void Leases::enter() {
  const ProcessIdentity self = this_process();
  beaten_ = options_.now();
  database_
      .prepare(
          "INSERT OR REPLACE INTO holders (id, host, boot, process, started, expires) VALUES "
          "(?, ?, ?, ?, ?, ?)")
      .bind(holder_, self.host, self.boot, self.id, self.started,
            nanoseconds(beaten_ + options_.length))
      .run();
  entered_ = true;
}

void Leases::take(std::int64_t number, const std::string& name) {
  const auto holder = holder_of(database_, number);
  const bool others = holder && holder->id != holder_;
  if (others && is_alive(holder->process) && holder->expires > options_.now()) {
    throw taken(name, holder->process);
  }
  if (!entered_) enter();
  database_.prepare("INSERT OR REPLACE INTO leases (run, holder) VALUES (?, ?)")
      .bind(number, holder_)
      .run();
  held_.insert(number);
  holds_any_ = true;
}

void Leases::release(std::int64_t number) {
  database_.prepare("DELETE FROM leases WHERE run = ? AND holder = ?").bind(number, holder_).run();
  held_.erase(number);
}

bool Leases::holds(std::int64_t number) {
  if (held_.contains(number)) return true;
  auto row = database_.prepare("SELECT holder FROM leases WHERE run = ?");
  const bool ours = row.bind(number).step() && row.integer(0) == holder_;
  if (ours) held_.insert(number);
  return ours;
}

void Leases::forget() {
  held_.clear();
  entered_ = false;
}

bool Leases::is_due() const {
  return holds_any_ && (!entered_ || options_.now() >= beaten_ + interval());
}

void Leases::beat() { enter(); }

void Leases::release_all() {
  database_.prepare("DELETE FROM leases WHERE holder = ?").bind(holder_).run();
  database_.prepare("DELETE FROM holders WHERE id = ?").bind(holder_).run();
  // Those of the dead, whose leases were taken over.
  database_.execute("DELETE FROM holders WHERE id NOT IN (SELECT holder FROM leases)");
  held_.clear();
  entered_ = holds_any_ = false;
}

std::optional<Instant> lease_end(sqlite::Database& database, std::string_view run) {
  auto row = database.prepare(
      "SELECT expires FROM runs JOIN leases ON leases.run = runs.number "
      "JOIN holders ON holders.id = leases.holder WHERE runs.id = ?");
  if (!row.bind(run).step()) return std::nullopt;
  return instant(row.integer(0));
}

}  // namespace hone::journal
