// Requests, answers and failures of effects, as the journal keeps them.
#include <array>
#include <nlohmann/json.hpp>

#include "hone/core/json_form.h"
#include "hone/core/json_form_reader.h"
#include "hone/core/json_form_writer.h"

namespace hone::core {
namespace {

constexpr std::array kErrorKinds{
    ErrorKind::InvalidInput, ErrorKind::NotFound,         ErrorKind::Unavailable,
    ErrorKind::Overloaded,   ErrorKind::DeadlineExceeded, ErrorKind::BudgetExhausted,
    ErrorKind::Cancelled,    ErrorKind::Refused,          ErrorKind::Unsupported,
    ErrorKind::Corrupt,      ErrorKind::Internal};

std::optional<ErrorKind> error_kind_from(std::string_view text) {
  for (const ErrorKind kind : kErrorKinds) {
    if (to_string(kind) == text) return kind;
  }
  return std::nullopt;
}

void write(JsonWriter& writer, const Sampling& sampling) {
  writer.begin_object();
  if (sampling.max_tokens) writer.key("max_tokens").integer(sampling.max_tokens->count);
  if (sampling.seed) writer.key("seed").integer(*sampling.seed);
  writer.number_member("temperature", sampling.temperature);
  writer.number_member("top_p", sampling.top_p);
  writer.end_object();
}

void write(JsonWriter& writer, std::string_view name,
           const std::map<std::string, std::string>& texts) {
  writer.key(name).begin_object();
  for (const auto& [key, text] : texts) writer.key(key).text(text);
  writer.end_object();
}

}  // namespace

void write_usage(JsonWriter& writer, const Usage& usage) {
  writer.begin_object();
  writer.integer_member("calls", usage.calls);
  writer.integer_member("input", usage.input.count);
  writer.integer_member("output", usage.output.count);
  writer.integer_member("cached", usage.cached.count);
  if (usage.usd) writer.key("usd").number(usage.usd->amount);
  if (usage.estimated) writer.key("estimated").boolean(true);
  writer.end_object();
}

Usage usage_from_json(const Json& json) {
  const JsonReader reader(json);
  Usage usage;
  usage.calls = reader.integer("calls");
  usage.input.count = reader.integer("input");
  usage.output.count = reader.integer("output");
  usage.cached.count = reader.integer("cached");
  if (const auto usd = reader.number("usd")) usage.usd = Usd{*usd};
  usage.estimated = reader.boolean("estimated");
  return usage;
}

std::string journal_text(const ModelRequest& request, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("attempt").integer(std::int64_t{request.attempt});
  writer.key("messages").begin_array();
  for (const Message& message : request.messages) {
    writer.begin_object().key("speaker").word(to_string(message.speaker));
    writer.key("text").text(message.text);
    writer.end_object();
  }
  writer.end_array();
  writer.key("role").word(to_string(request.role));
  write(writer.key("sampling"), request.sampling);
  if (request.schema) writer.key("schema").text(request.schema->text);
  writer.end_object();
  return writer.take();
}

std::string journal_text(const ProcessRequest& request, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("command").text(request.command);
  write(writer, "environment", request.environment);
  write(writer, "files", request.files);
  writer.key("input").text(request.input);
  writer.key("output_limit").integer(std::uint64_t{request.output_limit});
  writer.key("role").word(to_string(request.role));
  writer.key("timeout").integer(std::int64_t{request.timeout.count()});
  writer.end_object();
  return writer.take();
}

std::string journal_text(const ModelReply& reply, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.text_member("text", reply.text);
  writer.key("finish").word(to_string(reply.finish));
  writer.text_member("model", reply.model);
  write_usage(writer.key("usage"), reply.usage);
  writer.end_object();
  return writer.take();
}

ModelReply model_reply_from_json(const Json& json) {
  const JsonReader reader(json);
  ModelReply reply;
  reply.text = reader.text("text");
  reply.finish = reader.word("finish", finish_from, Finish::Complete);
  reply.model = reader.text("model");
  if (const Json* usage = reader.find("usage")) reply.usage = usage_from_json(*usage);
  return reply;
}

std::string journal_text(const ProcessResult& result, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  if (result.exit_code) writer.key("exit_code").integer(std::int64_t{*result.exit_code});
  if (result.signal) writer.key("signal").integer(std::int64_t{*result.signal});
  if (result.timed_out) writer.key("timed_out").boolean(true);
  writer.text_member("output", result.output);
  writer.text_member("errors", result.errors);
  if (result.truncated) writer.key("truncated").boolean(true);
  writer.end_object();
  return writer.take();
}

ProcessResult process_result_from_json(const Json& json) {
  const JsonReader reader(json);
  ProcessResult result;
  result.exit_code = reader.optional_int("exit_code");
  result.signal = reader.optional_int("signal");
  result.timed_out = reader.boolean("timed_out");
  result.output = reader.text("output");
  result.errors = reader.text("errors");
  result.truncated = reader.boolean("truncated");
  return result;
}

std::string journal_text(const Error& error, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("kind").word(to_string(error.kind()));
  writer.text_member("message", error.message());
  writer.text_member("hint", error.hint());
  if (const auto wait = error.retry_after()) {
    writer.key("retry_after_ms").integer(std::int64_t{wait->count()});
  }
  writer.end_object();
  return writer.take();
}

Error error_from_json(const Json& json) {
  const JsonReader reader(json);
  Error error(reader.word("kind", error_kind_from, ErrorKind::Internal), reader.text("message"),
              reader.text("hint"));
  if (reader.find("retry_after_ms") != nullptr) {
    error.wait(std::chrono::milliseconds(reader.integer("retry_after_ms")));
  }
  return error;
}

}  // namespace hone::core
