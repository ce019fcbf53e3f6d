#include "hone/model/openai.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <utility>

#include "hone/async/cancel.h"
#include "hone/base/text.h"
#include "hone/core/event.h"
#include "hone/model/openai_wire.h"
#include "hone/core/paid_error.h"

namespace hone::model {
namespace {

constexpr std::string_view kProvider = "https://api.openai.com/";

// One call under way: what has come, in either form, whatever was asked for.
class Exchange {
 public:
  Exchange(core::Context context, const core::ModelRequest& request)
      : context_(std::move(context)), request_(request) {}

  void take(const net::HttpResponse& head, std::string_view bytes) {
    const std::string type = lower(head.header("content-type").value_or(""));
    if (type.find("text/event-stream") == std::string::npos) {
      body_ += bytes;
      return;
    }
    is_stream_ = true;
    const std::string text = stream_.feed(bytes);
    if (request_.drafts && !text.empty()) {
      context_.emit(core::Draft{request_.attempt, text});
    }
  }

  // After a reply with status 2xx.
  core::ModelReply reply(net::HttpResponse response) {
    if (!is_stream_ && !trim(body_).starts_with("data:")) {
      response.body = std::move(body_);
      return openai_reply(read_openai_answer(response), request_);
    }
    if (!is_stream_) stream_.feed(body_);  // A stream that is not called one.
    if (!stream_.is_complete()) {
      throw paid(Error(ErrorKind::Unavailable, "the stream ended in the middle of the answer",
                       "try again; if it stays so, look at the log of the server"));
    }
    return openai_reply(stream_.answer(), request_);
  }

  // After a failure on the way: an answer that had arrived whole is worth more than it.
  core::ModelReply salvaged(const std::exception_ptr& failure) const {
    if (stream_.is_complete()) return openai_reply(stream_.answer(), request_);
    if (stream_.answer().text.empty()) std::rethrow_exception(failure);
    throw paid(to_error(failure));
  }

 private:
  core::PaidError paid(const Error& error) const {
    return {error, openai_usage(stream_.answer(), request_)};
  }

  core::Context context_;
  const core::ModelRequest& request_;
  OpenAiStream stream_;
  std::string body_;
  bool is_stream_ = false;
};

async<void> stream_into(const net::HttpClient& client, net::HttpRequest request, net::BodySink sink,
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

OpenAi::OpenAi(OpenAiOptions options, net::HttpClient client)
    : options_(std::move(options)), client_(client) {
  while (options_.base_url.ends_with('/')) options_.base_url.pop_back();
}

net::HttpRequest OpenAi::http_request(const core::Context& context,
                                      const core::ModelRequest& request) const {
  const OpenAiDialect dialect{.model = options_.model,
                              .is_provider = options_.base_url.starts_with(kProvider),
                              .takes_schemas = takes_schemas_};
  net::HttpRequest http;
  http.method = "POST";
  http.url = options_.base_url + "/chat/completions";
  http.headers = {{"Content-Type", "application/json"}, {"User-Agent", "hone"}};
  if (!options_.key.is_empty()) {
    http.headers.push_back({"Authorization", "Bearer " + options_.key.reveal()});
  }
  http.body = openai_request(dialect, request);
  http.limits.first_byte = request.drafts ? options_.first_byte_of_stream : options_.first_byte;
  http.limits.stall = options_.stall;
  http.limits.total = time_left(context);
  return http;
}

OpenAiServer OpenAi::server() const {
  return {.model = options_.model,
          .base_url = options_.base_url,
          .key_name = options_.key_name,
          .has_key = !options_.key.is_empty()};
}

async<core::ModelReply> OpenAi::complete(core::Context context, const core::ModelRequest& request) {
  const bool asks_for_schema = request.schema.has_value() && takes_schemas_;
  const auto exchange = std::make_shared<Exchange>(context, request);
  net::HttpRequest http = http_request(context, request);
  net::BodySink sink = [exchange](const net::HttpResponse& head, std::string_view bytes) {
    exchange->take(head, bytes);
  };
  net::HttpResponse response;
  auto streaming = stream_into(client_, std::move(http), std::move(sink), &response);
  const std::exception_ptr failure = co_await caught(std::move(streaming));
  if (!failure && asks_for_schema && refuses_schema(response)) {
    takes_schemas_ = false;
    co_return co_await complete(context, request);
  }
  const bool is_answered = response.status >= 200 && response.status < 300;
  if (!failure && !is_answered) throw openai_failure(server(), response, context.clock->now());
  core::ModelReply reply =
      failure ? exchange->salvaged(failure) : exchange->reply(std::move(response));
  if (reply.model.empty()) reply.model = options_.model;
  co_return reply;
}

}  // namespace hone::model
