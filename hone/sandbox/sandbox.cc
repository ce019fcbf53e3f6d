#include "hone/sandbox/sandbox.h"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <algorithm>
#include <exception>
#include <utility>

#include "hone/async/worker_pool.h"
#include "hone/base/error.h"
#include "hone/sandbox/workers.h"

namespace hone::sandbox {
namespace {

// One call on its way through a thread that may block.
struct Call {
  core::CodeRequest request;
  process::Pipe cancel = process::make_pipe();
  core::CodeResult result;
};

// The time that is left for the run, where it is less than the request's own.
std::optional<Duration> shortened(const core::Context& context, const core::CodeRequest& request) {
  if (!context.deadline || context.clock == nullptr) return std::nullopt;
  const Duration left = *context.deadline - context.clock->now();
  if (left >= request.limits.timeout) return std::nullopt;
  return std::max(left, Duration::zero());
}

}  // namespace

class Sandbox::State {
 public:
  explicit State(const SandboxOptions& options)
      : workers(options.program, options.weak), pool(options.at_once) {}

  Workers workers;
  WorkerPool pool;
};

Sandbox::Sandbox(SandboxOptions options) : state_(std::make_shared<State>(options)) {}
Sandbox::~Sandbox() = default;

async<core::CodeResult> Sandbox::run(core::Context context, const core::CodeRequest& request) {
  const auto call = std::make_shared<Call>();
  call->request = request;
  const auto left = shortened(context, request);
  if (left) call->request.limits.timeout = *left;
  const auto cancel = [weak = std::weak_ptr(call)](boost::asio::cancellation_type) {
    if (const auto running = weak.lock()) running->cancel.write.close();
  };
  const auto cancellation = co_await boost::asio::this_coro::cancellation_state;
  auto slot = cancellation.slot();
  const auto work = [state = state_, call] {
    call->result = state->workers.call(call->request, call->cancel.read);
  };
  if (slot.is_connected()) slot.assign(cancel);
  if (cancellation.cancelled() != boost::asio::cancellation_type::none) call->cancel.write.close();
  co_await state_->pool.run(work);
  slot.clear();
  if (left && call->result.end == core::CodeEnd::TimedOut) {
    throw Error(ErrorKind::DeadlineExceeded, "the time of the run ended while a check was running");
  }
  co_return std::move(call->result);
}

core::CodeResult Sandbox::run_here(const core::CodeRequest& request) {
  return state_->workers.call(request, process::Descriptor());
}

Protection Sandbox::protection(core::Language language) {
  return state_->workers.protection(language);
}

}  // namespace hone::sandbox
