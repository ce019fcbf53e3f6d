// Ways to hand a run that gave up to somebody else.
#pragma once

#include <functional>
#include <string>

#include "hone/base/json.h"
#include "hone/core/effects.h"
#include "hone/core/roles.h"

namespace hone::reflect {

// What is handed over: {"format": 1, "run", "name", "task", "type", "stop", "selected", "output",
// "evaluation", "reflections": [{"attempt", "outcome", "score", "reasons", and the fields of the
// reflection}], "recalled"}. A reflection for each attempt that has one, in order.
Json chain_of(const core::Run& run);

struct EscalationOptions {
  std::string to;  // A command, or the http(s) address of a webhook.
  Duration timeout = std::chrono::seconds(60);
  // Puts secrets of a reflection into generic words on its way out; may be absent.
  std::function<std::string(std::string_view)> wording = {};
};

// Whether it is the address of a webhook, and no command.
bool is_webhook(std::string_view to);

// Gives the chain as JSON to a command on stdin, or to a webhook as the body of a POST, as one
// process at the path `hand_over/1`; what that answers comes back in one line. Its environment has
// HONE_RUN and HONE_STOP.
//
// The `runner` is that of commands, or a WebhookRunner. Threads: as Escalation. Lifetime: the
// runner outlives it. Errors: those of the runner, and Unavailable when the command does not end
// well.
class HandOver final : public core::Escalation {
 public:
  HandOver(core::Runner& runner, EscalationOptions options);

  async<std::string> escalate(core::Context context, const core::Run& run) override;

 private:
  core::ProcessRequest request_for(const core::Run& run) const;

  core::Runner& runner_;
  EscalationOptions options_;
};

// Runs a request by posting its input, as JSON, to the address that is its command. Status 2xx ends
// it well and any other with exit code 1; the body is its output. Threads: as Runner. Throws what
// net::HttpClient does, DeadlineExceeded after the request's timeout.
class WebhookRunner final : public core::Runner {
 public:
  async<core::ProcessResult> run(core::Context context,
                                 const core::ProcessRequest& request) override;
};

}  // namespace hone::reflect
