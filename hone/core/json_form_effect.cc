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

std::optional<Speaker> speaker_from(std::string_view text) {
  for (const Speaker speaker :
       {Speaker::System, Speaker::User, Speaker::Assistant, Speaker::Tool}) {
    if (to_string(speaker) == text) return speaker;
  }
  return std::nullopt;
}

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

// Lists are left out when they are empty: records of before they were known keep their digests.
void write(JsonWriter& writer, const std::vector<ToolCall>& calls) {
  if (calls.empty()) return;
  writer.key("tool_calls").begin_array();
  for (const ToolCall& call : calls) {
    writer.begin_object();
    writer.text_member("arguments", call.arguments.text);
    writer.text_member("id", call.id);
    writer.text_member("name", call.name);
    writer.end_object();
  }
  writer.end_array();
}

void write(JsonWriter& writer, const std::vector<Tool>& tools) {
  if (tools.empty()) return;
  writer.key("tools").begin_array();
  for (const Tool& tool : tools) {
    writer.begin_object();
    writer.text_member("description", tool.description);
    writer.text_member("name", tool.name);
    writer.text_member("schema", tool.schema.text);
    writer.end_object();
  }
  writer.end_array();
}

void write_texts(JsonWriter& writer, std::string_view name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  writer.key(name).begin_array();
  for (const std::string& text : texts) writer.text(text);
  writer.end_array();
}

void write(JsonWriter& writer, const Message& message) {
  writer.begin_object().key("speaker").word(to_string(message.speaker));
  writer.key("text").text(message.text);
  writer.text_member("tool_call", message.tool_call);
  write(writer, message.tool_calls);
  writer.end_object();
}

std::vector<ToolCall> tool_calls_from(const JsonReader& reader) {
  std::vector<ToolCall> calls;
  for (const Json* element : reader.elements("tool_calls")) {
    const JsonReader call(*element);
    calls.push_back({call.text("id"), call.text("name"), JsonText{call.text("arguments")}});
  }
  return calls;
}

void write_numbers(JsonWriter& writer, std::string_view name, const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  writer.key(name).begin_array();
  for (const double number : numbers) writer.number(number);
  writer.end_array();
}

std::vector<double> numbers_from(const JsonReader& reader, std::string_view name) {
  std::vector<double> numbers;
  for (const Json* element : reader.elements(name)) {
    if (!element->is_number()) JsonReader::fail(name);
    numbers.push_back(element->get<double>());
  }
  return numbers;
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
  writer.integer_member("reasoning", usage.reasoning.count);
  writer.integer_member("cache_written", usage.cache_written.count);
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
  usage.reasoning.count = reader.integer("reasoning");
  usage.cache_written.count = reader.integer("cache_written");
  return usage;
}

std::string journal_text(const ModelRequest& request, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("attempt").integer(std::int64_t{request.attempt});
  write_texts(writer, "choices", request.choices);
  writer.key("messages").begin_array();
  for (const Message& message : request.messages) write(writer, message);
  writer.end_array();
  writer.key("role").word(to_string(request.role));
  write(writer.key("sampling"), request.sampling);
  if (request.schema) writer.key("schema").text(request.schema->text);
  write_texts(writer, "stop", request.stop);
  write(writer, request.tools);
  writer.end_object();
  return writer.take();
}

namespace {

Sampling sampling_from(const JsonReader& reader) {
  Sampling sampling;
  if (reader.find("max_tokens") != nullptr) sampling.max_tokens = {reader.integer("max_tokens")};
  if (reader.find("seed") != nullptr) sampling.seed = reader.unsigned_integer("seed");
  sampling.temperature = reader.number("temperature");
  sampling.top_p = reader.number("top_p");
  return sampling;
}

Message message_from(const JsonReader& reader) {
  Message message;
  message.speaker = reader.word("speaker", speaker_from, Speaker::User);
  message.text = reader.text("text");
  message.tool_call = reader.text("tool_call");
  message.tool_calls = tool_calls_from(reader);
  return message;
}

std::vector<std::string> texts_from(const JsonReader& reader, std::string_view name) {
  std::vector<std::string> texts;
  for (const Json* text : reader.elements(name)) texts.push_back(text_from_json(*text, name));
  return texts;
}

}  // namespace

ModelRequest model_request_from_json(const Json& json) {
  const JsonReader reader(json);
  ModelRequest request;
  request.role = reader.word("role", role_from, Role::Generate);
  request.attempt = reader.small("attempt");
  for (const Json* message : reader.elements("messages")) {
    request.messages.push_back(message_from(JsonReader(*message)));
  }
  request.sampling = sampling_from(reader.object("sampling"));
  if (reader.find("schema") != nullptr) request.schema = JsonText{reader.text("schema")};
  for (const Json* element : reader.elements("tools")) {
    const JsonReader tool(*element);
    request.tools.push_back(
        {tool.text("name"), tool.text("description"), JsonText{tool.text("schema")}});
  }
  request.choices = texts_from(reader, "choices");
  request.stop = texts_from(reader, "stop");
  return request;
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
  write(writer, reply.tool_calls);
  write_numbers(writer, "probabilities", reply.probabilities);
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
  reply.tool_calls = tool_calls_from(reader);
  reply.probabilities = numbers_from(reader, "probabilities");
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
  const auto* paid = dynamic_cast<const PaidError*>(&error);
  if (paid != nullptr && paid->usage() != Usage{}) write_usage(writer.key("usage"), paid->usage());
  writer.end_object();
  return writer.take();
}

PaidError error_from_json(const Json& json) {
  const JsonReader reader(json);
  Error error(reader.word("kind", error_kind_from, ErrorKind::Internal), reader.text("message"),
              reader.text("hint"));
  if (reader.find("retry_after_ms") != nullptr) {
    error.wait(std::chrono::milliseconds(reader.integer("retry_after_ms")));
  }
  const Json* usage = reader.find("usage");
  return {error, usage == nullptr ? Usage{} : usage_from_json(*usage)};
}

}  // namespace hone::core
