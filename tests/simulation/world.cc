#include "tests/simulation/world.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "hone/async/one_shot.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/journal/layout.h"
#include "hone/sqlite/migrate.h"
#include "hone/sqlite/transaction.h"

namespace hone::simulation {
namespace {

using std::chrono::milliseconds;

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

Duration delay(double share) { return milliseconds(1 + static_cast<int>(share * 400)); }

core::Usage usage_of(const core::ModelRequest& request, const std::string& text) {
  core::Usage usage{.calls = 1};
  for (const core::Message& message : request.messages) {
    usage.input += core::estimate_tokens(message.text);
  }
  usage.output = core::estimate_tokens(text);
  usage.usd = Usd{1e-6 * static_cast<double>(usage.total().count)};
  return usage;
}

}  // namespace

double chance(std::uint64_t seed, const std::string& what, std::uint64_t number) {
  std::uint64_t hash = mixed(seed + 0x9e3779b97f4a7c15ULL * (number + 1));
  for (const char c : what) hash = mixed(hash ^ static_cast<unsigned char>(c));
  return static_cast<double>(hash >> 11) / static_cast<double>(1ULL << 53);
}

bool Fate::step(VirtualTime& time) {
  if (dead_) return false;
  if (!left_ || (*left_)-- > 0) return true;
  dead_ = true;
  time.hurry();
  return false;
}

void Fate::check() const {
  if (dead_) throw Error(ErrorKind::Cancelled, "the simulated process is dead");
}

double quality_in(const std::string& text) {
  const auto at = text.rfind("quality ");
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + 8, nullptr);
}

async<core::ModelReply> SimulatedModel::complete(core::Context context,
                                                 const core::ModelRequest& request) {
  fate_.step(time_);
  fate_.check();
  const std::string path(context.path.text());
  const int number = ++ledgers_.tries[path];
  ++ledgers_.calls;
  const Duration takes = delay(chance(seed_, "delay" + path));
  co_await time_.sleep_until(time_.now() + takes);
  fate_.step(time_);
  fate_.check();
  fail_sometimes(context, number);
  ++ledgers_.answered[path];
  co_return reply(context, request);
}

void SimulatedModel::fail(double kind) {
  if (kind < 0.3) {
    Error busy(ErrorKind::Overloaded, "the simulated model is busy");
    throw busy.wait(milliseconds(50));
  }
  if (kind < 0.6) throw Error(ErrorKind::Unavailable, "the connection broke");
  if (kind < 0.8) throw Error(ErrorKind::DeadlineExceeded, "no answer came in time");
  if (kind < 0.9) throw Error(ErrorKind::Refused, "the provider declines");
  const core::Usage paid{.calls = 1, .input = {100}};
  throw core::PaidError({ErrorKind::Unavailable, "half an answer"}, paid);
}

// By the number of the try, of which a resumed run makes more.
void SimulatedModel::fail_sometimes(const core::Context& context, int number) const {
  if (ledgers_.calls == faults_.call_number) fail(faults_.kind);
  const auto place = static_cast<std::uint64_t>(number);
  const std::string path(context.path.text());
  if (chance(seed_, "call" + path, place) >= faults_.call) return;
  fail(chance(seed_, "kind" + path, place));
}

core::ModelReply SimulatedModel::reply(const core::Context& context,
                                       const core::ModelRequest& request) const {
  core::ModelReply reply;
  const std::string path(context.path.text());
  reply.model = "simulated-1";
  reply.text = text(path, request);
  if (chance(seed_, "half" + path) < faults_.half) {
    reply.finish = core::Finish::Length;
    reply.text.resize(reply.text.size() / 2);
  }
  reply.usage = usage_of(request, reply.text);
  return reply;
}

std::string SimulatedModel::text(const std::string& path, const core::ModelRequest& request) const {
  if (request.role == core::Role::Evaluate) return verdict(path, request);
  if (request.role == core::Role::Reflect) return "It lacks a total. Add one: " + path;
  const double kind = chance(seed_, "text" + path);
  if (kind < 0.1) return "The same answer, quality 0.25";
  const double quality = chance(seed_, "quality" + path);
  if (kind < 0.2) {
    return fmt::format(R"({{"evaluation":{{"outcome":"passed"}},"run":"x","quality ":{:.2f}}})",
                       quality);
  }
  const std::string secret = kind < 0.3 && faults_.call > 0 ? fmt::format(" with {}", kSecret) : "";
  return fmt::format("Answer {} for {}{}, quality {:.2f}", kind, path, secret, quality);
}

std::string SimulatedModel::verdict(const std::string& path,
                                    const core::ModelRequest& request) const {
  if (chance(seed_, "judge" + path) < faults_.judge) {
    static const std::array<std::string, 5> kNoVerdicts{
        "I would rather not say.", R"({"passed": true, "score": 0.1})", R"({"score": 7.5})",
        R"({"passed": true} {"passed": false})", ""};
    return kNoVerdicts[static_cast<std::size_t>(5 * chance(seed_, "which" + path))];
  }
  const double quality = quality_in(request.messages.at(1).text);
  return fmt::format(R"({{"passed": {}, "score": {:.2f}, "reason": "quality"}})", quality >= 0.8,
                     quality);
}

async<core::ProcessResult> SimulatedRunner::run(core::Context context,
                                                const core::ProcessRequest& request) {
  fate_.step(time_);
  fate_.check();
  const std::string path(context.path.text());
  co_await time_.sleep_until(time_.now() + delay(chance(seed_, "process" + path)));
  fate_.step(time_);
  fate_.check();
  if (chance(seed_, "start" + path) < faults_.process) {
    throw Error(ErrorKind::Unavailable, "no process can be started");
  }
  core::ProcessResult result;
  result.exit_code = quality_in(request.input) >= 0.3 ? 0 : 1;
  co_return result;
}

SimulatedDisk::SimulatedDisk(const std::string& path, std::uint64_t seed, const Faults& faults,
                             Ledgers& ledgers, Fate& fate, VirtualTime& time)
    : seed_(seed),
      faults_(faults),
      ledgers_(ledgers),
      fate_(fate),
      time_(time),
      database_(sqlite::Database::open({.path = path})),
      table_((sqlite::migrate(database_, journal::layout()), database_), &sealer_) {
  database_.execute("PRAGMA synchronous=OFF");
}

SimulatedDisk::~SimulatedDisk() = default;

void SimulatedDisk::write() {
  fate_.check();
  const bool fails = ++ledgers_.writes == faults_.write_number;
  if (fails || chance(seed_, "disk", ++writes_) < faults_.disk) {
    throw Error(ErrorKind::Unavailable, "the disk is full");
  }
  sqlite::Transaction transaction(database_);
  for (const journal::Record& record : queue_) HONE_CHECK(table_.add(record));
  HONE_CHECK(table_.write().empty());
  transaction.commit();
  queue_.clear();
}

async<void> SimulatedDisk::durable(std::string run) {
  (void)run;
  const OneShot done;
  std::exception_ptr failure;
  time_.after(milliseconds(2), [&] {
    try {
      fate_.step(time_);
      write();
    } catch (...) {
      failure = std::current_exception();
    }
    done.set();
  });
  co_await done.wait();
  if (failure) std::rethrow_exception(failure);
}

void SimulatedDisk::settle_death() {
  if (chance(seed_, "death", writes_) < 0.5 || queue_.empty()) return;
  sqlite::Transaction transaction(database_);
  for (const journal::Record& record : queue_) HONE_CHECK(table_.add(record));
  HONE_CHECK(table_.write().empty());
  transaction.commit();
}

}  // namespace hone::simulation
