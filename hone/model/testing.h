// What the tests of models share: one call, its reply or failure, and what was told meanwhile.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/async/cancel.h"
#include "hone/async/run_sync.h"
#include "hone/base/error.h"
#include "hone/core/effects.h"
#include "hone/core/testing.h"

namespace hone::model {

// A short way to write a request.
struct Asked {
  core::Role role = core::Role::Generate;
  int attempt = 1;
  std::string text = "Write.";

  operator core::ModelRequest() const {  // NOLINT(google-explicit-constructor)
    core::ModelRequest request;
    request.role = role;
    request.attempt = attempt;
    request.messages = {{core::Speaker::User, text}};
    return request;
  }
};

// Calls models in one run, under a clock that only moves when told, and keeps the events.
class Call final : private core::EventSink {
 public:
  explicit Call(std::string run = "run", core::Budget budget = {})
      : run_(std::move(run)), scene_(budget, this) {}

  core::Context context() {
    core::Context context = scene_.context();
    context.run = run_;
    return context;
  }

  core::ModelReply reply(core::Model& model, const core::ModelRequest& request) {
    return reply_in(context(), model, request);
  }
  core::ModelReply reply_in(const core::Context& in, core::Model& model,
                            const core::ModelRequest& request) {
    core::ModelReply reply;
    run_sync([&] { return complete_into(model, in, request, &reply); });
    return reply;
  }
  std::string text(core::Model& model, const Asked& asked) { return reply(model, asked).text; }

  Error failure(core::Model& model, const core::ModelRequest& request) {
    return failure_in(context(), model, request);
  }
  Error failure_in(const core::Context& in, core::Model& model, const core::ModelRequest& request) {
    try {
      return {ErrorKind::Internal, "there was a reply: " + reply_in(in, model, request).text};
    } catch (const Error& error) {
      return error;
    }
  }

  core::FakeClock& clock() { return scene_.clock(); }
  core::Ledger& ledger() { return scene_.ledger(); }
  const std::vector<core::Event>& events() const { return events_; }

  // The drafts of an attempt, one after the other, and how many there were of all.
  std::string drafted(int attempt) const {
    std::string text;
    for (const core::Event& event : events_) {
      const auto* draft = std::get_if<core::Draft>(&event);
      if (draft != nullptr && draft->attempt == attempt) text += draft->text;
    }
    return text;
  }
  std::size_t drafts() const { return count<core::Draft>(); }

  template <class T>
  std::size_t count() const {
    std::size_t found = 0;
    for (const core::Event& event : events_) found += std::holds_alternative<T>(event) ? 1 : 0;
    return found;
  }

 private:
  static async<void> complete_into(core::Model& model, core::Context context,
                                   const core::ModelRequest& request, core::ModelReply* reply) {
    *reply = co_await model.complete(std::move(context), request);
  }
  Instant emit(const std::string&, const core::Event& event, Instant at) override {
    events_.push_back(event);
    return at;
  }

  std::string run_;
  std::vector<core::Event> events_;
  core::TestScene scene_;
};

}  // namespace hone::model
