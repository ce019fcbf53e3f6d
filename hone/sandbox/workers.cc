#include "hone/sandbox/workers.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "hone/base/error.h"

namespace hone::sandbox {
namespace {

using core::CodeRequest;
using core::CodeResult;

constexpr int kMostCalls = 1000;  // Of one reused process: what it leaks is bounded.
// A shared namespace is ended by an alarm of its own first, which keeps it.
constexpr std::chrono::seconds kAfterAlarm{1};

Moment end_of(const CodeRequest& request) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::nanoseconds>(request.limits.timeout);
}

// What a call started would live on beside the next.
bool is_reused(const CodeRequest& request) {
  return request.trusted && request.limits.processes == 0;
}

WorkerLimits limits_of(const CodeRequest& request, bool weak) {
  WorkerLimits limits;
  limits.memory = request.limits.memory;
  limits.longest_answer = static_cast<std::uint32_t>(request.limits.output);
  limits.processes = request.limits.processes;
  limits.weak = weak;
  limits.reused = is_reused(request) || !request.shared.empty();
  const Duration time =
      request.limits.cpu.value_or(request.limits.timeout + std::chrono::seconds(1));
  // Processor time adds up over the calls of a process that is kept.
  if (!limits.reused || request.limits.cpu)
    limits.cpu_seconds =
        static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::seconds>(time).count());
  return limits;
}

Error built_without(core::Language language) {
  return {ErrorKind::Unsupported,
          fmt::format("this hone was built without {}", core::to_string(language)),
          "run ./setup, then build it again"};
}

Error unprotected(const std::string& missing) {
  return {ErrorKind::Unsupported,
          fmt::format("code is not run here: this system lacks {}", missing),
          "see `hone doctor`; `--sandbox=weak` runs it without that protection"};
}

}  // namespace

CodeResult Workers::call(const CodeRequest& request, const process::Descriptor& cancelled) {
  CodeResult result = call_by_kind(request, cancelled);
  make_ready(request.language);
  return result;
}

CodeResult Workers::call_by_kind(const CodeRequest& request, const process::Descriptor& cancelled) {
  if (!request.shared.empty()) return call_shared(request, cancelled);
  return is_reused(request) ? call_reused(request, cancelled) : call_fresh(request, cancelled);
}

// Not before the answer: making a process takes a processor from the one that answers.
void Workers::make_ready(core::Language language) {
  const std::lock_guard guard(lock_);
  process::Descriptor& ready = ready_[language];
  const auto zygote = zygotes_.find(language);
  if (ready.is_open() || zygote == zygotes_.end()) return;
  try {
    ready = zygote->second->start_worker();
  } catch (const Error&) {
    return;  // The next call finds out and starts a zygote.
  }
}

std::shared_ptr<Zygote> Workers::zygote(core::Language language) {
  const std::lock_guard starting(starting_[static_cast<std::size_t>(language)]);
  {
    const std::lock_guard guard(lock_);
    if (const auto found = zygotes_.find(language); found != zygotes_.end()) return found->second;
    if (program_.empty()) program_ = find_worker_program();
  }
  auto zygote = std::make_shared<Zygote>(program_, language);
  const std::lock_guard guard(lock_);
  return zygotes_[language] = std::move(zygote);
}

std::shared_ptr<Zygote> Workers::protected_zygote(core::Language language) {
  auto found = zygote(language);
  const Protection& protection = found->protection();
  if (protection.version.empty()) throw built_without(language);
  if (!protection.missing.empty() && !weak_) throw unprotected(protection.missing);
  return found;
}

void Workers::forget(core::Language language, const std::shared_ptr<Zygote>& zygote) {
  const std::lock_guard guard(lock_);
  const auto found = zygotes_.find(language);
  if (found == zygotes_.end() || found->second != zygote) return;
  zygotes_.erase(found);
  ready_.erase(language);
}

process::Descriptor Workers::take_ready(core::Language language) {
  const std::lock_guard guard(lock_);
  return std::exchange(ready_[language], process::Descriptor());
}

Worker Workers::worker_of(Zygote& zygote, const CodeRequest& request) {
  const WorkerLimits limits = limits_of(request, weak_);
  process::Descriptor ready = take_ready(request.language);
  if (!ready.is_open()) return Worker(zygote.start_worker(), limits);
  try {
    return Worker(std::move(ready), limits);
  } catch (const Error&) {
    // Somebody killed it while it waited.
    return Worker(zygote.start_worker(), limits);
  }
}

// A zygote that somebody killed is started again, once.
Worker Workers::make_worker(const CodeRequest& request) {
  const auto first = protected_zygote(request.language);
  try {
    return worker_of(*first, request);
  } catch (const Error& failure) {
    if (failure.kind() != ErrorKind::Unavailable) throw;
    forget(request.language, first);
  }
  return worker_of(*protected_zygote(request.language), request);
}

CodeResult Workers::call_fresh(const CodeRequest& request, const process::Descriptor& cancelled) {
  Worker worker = make_worker(request);
  return worker.answer(request, end_of(request), cancelled);
}

std::unique_ptr<Worker> Workers::idle_worker(const Key& key) {
  const std::lock_guard guard(lock_);
  auto& idle = idle_[key];
  if (idle.empty()) return nullptr;
  auto worker = std::move(idle.back());
  idle.pop_back();
  return worker;
}

CodeResult Workers::call_reused(const CodeRequest& request, const process::Descriptor& cancelled) {
  const Key key{request.language, request.limits.memory, request.limits.output};
  auto worker = idle_worker(key);
  if (!worker) worker = std::make_unique<Worker>(make_worker(request));
  CodeResult result = worker->answer(request, end_of(request), cancelled);
  if (worker->is_usable() && worker->calls() < kMostCalls) {
    const std::lock_guard guard(lock_);
    idle_[key].push_back(std::move(worker));
  }
  return result;
}

Workers::Shared& Workers::shared(const std::string& name) {
  const std::lock_guard guard(lock_);
  auto& found = shared_[name];
  if (!found) found = std::make_unique<Shared>();
  return *found;
}

CodeResult Workers::call_shared(const CodeRequest& request, const process::Descriptor& cancelled) {
  Shared& space = shared(request.shared);
  const std::lock_guard busy(space.busy);
  if (!space.worker || !space.worker->is_usable()) {
    space.worker = std::make_unique<Worker>(make_worker(request));
    for (const CodeRequest& earlier : space.earlier) {
      space.worker->answer(earlier, end_of(earlier) + kAfterAlarm, cancelled);
      if (!space.worker->is_usable()) break;
    }
  }
  CodeResult result = space.worker->answer(request, end_of(request) + kAfterAlarm, cancelled);
  if (space.worker->is_usable()) space.earlier.push_back(request);
  return result;
}

}  // namespace hone::sandbox
