// Asks a model again when the failure may pass: full-jitter exponential backoff, Retry-After.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "hone/core/effects.h"

namespace hone::model {

struct RetryOptions {
  int retries = 2;  // Calls after the first.
  // The longest wait before the first retry; doubles with each. The wait itself is random.
  Duration backoff = std::chrono::milliseconds(250);
  // The longest Retry-After that is waited for when there is no deadline.
  Duration longest_wait = std::chrono::seconds(60);
  // An address at which nothing answers is asked again only within this time from the beginning:
  // with the limit on connecting, such a call ends within 5 s.
  Duration unreachable = std::chrono::seconds(1);
};

// Retries Unavailable and Overloaded, at most `retries` times, and never past the deadline of the
// context: a wait that would pass it fails at once, with the failure itself. Waits as long as the
// server asks, if it does. Drafts of a failed try are retracted. Usage of failed tries is added to
// the reply's, or carried by a PaidError. Threads: as core::Model.
class Retried final : public core::Model {
 public:
  explicit Retried(std::unique_ptr<core::Model> model, RetryOptions options = {});

  async<core::ModelReply> complete(core::Context context,
                                   const core::ModelRequest& request) override;
  std::string name() const override { return model_->name(); }

 private:
  // How long to wait before the next try; absent when there is none.
  std::optional<Duration> wait_after(const std::exception_ptr& failure, int retry, Instant began,
                                     const core::Context& context) const;

  std::unique_ptr<core::Model> model_;
  RetryOptions options_;
};

}  // namespace hone::model
