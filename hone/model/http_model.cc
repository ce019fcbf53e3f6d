#include "hone/model/http_model.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/text.h"
#include "hone/core/event.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

// One call under way: what has come, in either form, whatever was asked for.
class Arriving {
 public:
  Arriving(core::Context context, const core::ModelRequest& request,
           std::shared_ptr<AnswerReader> reader)
      : context_(std::move(context)), request_(request), reader_(std::move(reader)) {}

  void take(const net::HttpResponse& head, std::string_view bytes) {
    if (!is_called_stream(head)) {
      body_ += bytes;
      return;
    }
    const std::string text = reader_->feed(bytes);
    if (request_.drafts && !text.empty()) context_.emit(core::Draft{request_.attempt, text});
  }

  // After a reply with status 2xx. Like the next one not inlined: their values would stay in the
  // frame of every call that is under way.
  [[gnu::noinline]] core::ModelReply reply(net::HttpResponse response) {
    if (!is_called_stream(response)) {
      response.body = std::move(body_);
      if (!is_stream(response.body)) return reply_of(reader_->read(response), request_);
      reader_->feed(response.body);  // Its server does not call it one.
    }
    if (!reader_->is_complete()) {
      throw paid(Error(ErrorKind::Unavailable, "the stream ended in the middle of the answer",
                       "try again; if it stays so, look at the log of the server"));
    }
    return reply_of(reader_->answer(), request_);
  }

  // After a failure on the way: an answer that had arrived whole is worth more than it.
  [[gnu::noinline]] core::ModelReply salvaged(const std::exception_ptr& failure) const {
    if (reader_->is_complete()) return reply_of(reader_->answer(), request_);
    const Answer& half = reader_->answer();
    const bool is_free = half.text.empty() && half.tool_calls.empty() && !half.usage;
    if (is_free && !is_own_limit(failure)) std::rethrow_exception(failure);
    Error error = to_error(failure);
    if (is_own_limit(failure)) error = {ErrorKind::Unavailable, error.message(), "try again"};
    if (is_free) throw Error(error);
    throw paid(error);
  }

 private:
  static bool is_called_stream(const net::HttpResponse& head) {
    const std::string type = lower(head.header("content-type").value_or(""));
    return type.find("text/event-stream") != std::string::npos;
  }
  static bool is_stream(std::string_view body) {
    const std::string_view start = trim(body);
    return start.starts_with("data:") || start.starts_with("event:");
  }
  // The limit on one call passed, not the deadline of the run.
  bool is_own_limit(const std::exception_ptr& failure) const {
    if (to_error(failure).kind() != ErrorKind::DeadlineExceeded) return false;
    return !context_.deadline || context_.clock->now() < *context_.deadline;
  }
  core::PaidError paid(const Error& error) const {
    return {error, cost_of_part(reader_->answer(), request_)};
  }

  core::Context context_;
  const core::ModelRequest& request_;
  std::shared_ptr<AnswerReader> reader_;
  std::string body_;  // Of an answer that comes at once.
};

async<void> stream_into(net::HttpClient client, net::HttpRequest& request, net::BodySink sink,
                        net::HttpResponse* response) {
  *response = co_await client.stream(std::move(request), std::move(sink));
}

// Time left until the deadline. Throws DeadlineExceeded when there is none.
std::optional<Duration> time_left(const core::Context& context) {
  if (!context.deadline) return std::nullopt;
  const Duration left = *context.deadline - context.clock->now();
  if (left > Duration{}) return left;
  throw Error(ErrorKind::DeadlineExceeded, "the time of the run was up before the model was asked",
              "raise --time");
}

}  // namespace

ModelServer server_of(const HttpModelOptions& options) {
  return {.model = options.model,
          .base_url = options.base_url,
          .key_name = options.key_name,
          .has_key = !options.key.is_empty()};
}

net::HttpRequest http_request(const HttpModelOptions& options, const core::Context& context,
                              const core::ModelRequest& request) {
  const CallLimits& limits = options.limits;
  net::HttpRequest http;
  http.method = "POST";
  http.headers = {{"Content-Type", "application/json"}, {"User-Agent", "hone"}};
  http.limits.connect = limits.connect;
  http.limits.first_byte = request.drafts ? limits.first_byte_of_stream : limits.first_byte;
  http.limits.stall = limits.stall;
  http.limits.body_bytes = limits.reply_bytes;
  http.limits.total = time_left(context);
  if (!http.limits.total) http.limits.total = limits.total;
  if (limits.total) http.limits.total = std::min(*limits.total, *http.limits.total);
  return http;
}

async<Exchanged> exchange(net::HttpClient client, core::Context context,
                          const core::ModelRequest& request, net::HttpRequest http,
                          std::shared_ptr<AnswerReader> reader) {
  const auto arriving = std::make_shared<Arriving>(context, request, std::move(reader));
  net::BodySink sink = [arriving](const net::HttpResponse& head, std::string_view bytes) {
    arriving->take(head, bytes);
  };
  Exchanged exchanged;
  auto streaming = stream_into(client, http, std::move(sink), &exchanged.response);
  const std::exception_ptr failure = co_await caught(std::move(streaming));
  const int status = exchanged.response.status;
  if (failure) {
    exchanged.reply = arriving->salvaged(failure);
  } else if (status >= 200 && status < 300) {
    exchanged.reply = arriving->reply(exchanged.response);
  }
  co_return exchanged;
}

}  // namespace hone::model
