#include "hone/model/retried.h"

#include <cmath>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/error.h"
#include "hone/core/paid_error.h"
#include "hone/net/http_client.h"

namespace hone::model {
namespace {

// Passes events on and remembers whether there were drafts among them.
class DraftWatch final : public core::EventSink {
 public:
  explicit DraftWatch(core::EventSink& next) : next_(next) {}

  Instant emit(const std::string& run, const core::Event& event, Instant at) override {
    if (std::holds_alternative<core::Draft>(event)) has_drafts_ = true;
    return next_.emit(run, event, at);
  }
  bool wants_drafts() const override { return next_.wants_drafts(); }
  bool has_drafts() const { return has_drafts_; }

 private:
  core::EventSink& next_;
  bool has_drafts_ = false;
};

async<void> complete_into(core::Model& model, core::Context context,
                          const core::ModelRequest& request, core::ModelReply* reply) {
  *reply = co_await model.complete(std::move(context), request);
}

// Not inlined: its event would stay in the frame of every call.
[[gnu::noinline]] void retract(const core::Context& context, int attempt,
                               const std::exception_ptr& failure) {
  context.emit(core::Retracted{attempt, to_error(failure).message()});
}

// One try; what it threw, or null.
async<std::exception_ptr> try_once(core::Model& model, core::Context context,
                                   const core::ModelRequest& request, core::ModelReply* reply) {
  DraftWatch watch(*context.events);
  core::EventSink* const events = std::exchange(context.events, &watch);
  const std::exception_ptr failure = co_await caught(complete_into(model, context, request, reply));
  context.events = events;
  if (failure && watch.has_drafts()) retract(context, request.attempt, failure);
  co_return failure;
}

bool is_unreachable(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const net::Unreachable&) {
    return true;
  } catch (...) {
    return false;
  }
}

bool may_pass(const Error& error) {
  return error.kind() == ErrorKind::Unavailable || error.kind() == ErrorKind::Overloaded;
}

// Between 0 and 1.
double fraction(core::Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1.0p-53;
}

[[noreturn]] void rethrow_with(const std::exception_ptr& failure, const core::Usage& spent) {
  if (spent == core::Usage{}) std::rethrow_exception(failure);
  throw core::PaidError(to_error(failure), spent);
}

}  // namespace

Retried::Retried(std::unique_ptr<core::Model> model, RetryOptions options)
    : model_(std::move(model)), options_(options) {}

async<core::ModelReply> Retried::complete(core::Context context,
                                          const core::ModelRequest& request) {
  const Instant began = context.clock->now();
  core::Usage spent;
  for (int retry = 0;; ++retry) {
    core::ModelReply reply;
    const std::exception_ptr failure = co_await try_once(*model_, context, request, &reply);
    if (!failure) {
      reply.usage += spent;
      co_return reply;
    }
    spent += core::usage_of(failure);
    const auto wait = wait_after(failure, retry, began, context);
    if (!wait) rethrow_with(failure, spent);
    const Instant until = context.clock->now() + *wait;
    const std::exception_ptr interrupted = co_await caught(context.clock->sleep_until(until));
    if (interrupted) rethrow_with(interrupted, spent);
  }
}

std::optional<Duration> Retried::wait_after(const std::exception_ptr& failure, int retry,
                                            Instant began, const core::Context& context) const {
  const Error error = to_error(failure);
  const Instant now = context.clock->now();
  if (!may_pass(error) || retry >= options_.retries) return std::nullopt;
  if (is_unreachable(failure) && now - began > options_.unreachable) return std::nullopt;
  const Duration longest = options_.backoff * (1 << retry);
  Duration wait{std::llround(fraction(*context.random) * static_cast<double>(longest.count()))};
  if (error.retry_after()) wait = *error.retry_after();
  if (context.deadline && now + wait >= *context.deadline) return std::nullopt;
  if (!context.deadline && wait > options_.longest_wait) return std::nullopt;
  return wait;
}

}  // namespace hone::model
