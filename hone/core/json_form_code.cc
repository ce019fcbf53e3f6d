// Requests to run code and their answers, as the journal keeps them.
#include <nlohmann/json.hpp>

#include "hone/core/json_form.h"
#include "hone/core/json_form_reader.h"
#include "hone/core/json_form_writer.h"

namespace hone::core {
namespace {

void write(JsonWriter& writer, const CodeLimits& limits) {
  writer.begin_object();
  if (limits.cpu) writer.key("cpu").integer(std::int64_t{limits.cpu->count()});
  writer.key("memory").integer(limits.memory);
  writer.key("output").integer(std::uint64_t{limits.output});
  if (limits.processes > 0) writer.key("processes").integer(std::uint64_t{limits.processes});
  writer.key("timeout").integer(std::int64_t{limits.timeout.count()});
  writer.end_object();
}

}  // namespace

std::string journal_text(const CodeRequest& request, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("code").text(request.code);
  writer.key("language").word(to_string(request.language));
  write(writer.key("limits"), request.limits);
  writer.key("role").word(to_string(request.role));
  writer.text_member("shared", request.shared);
  writer.text_member("test", request.test);
  writer.key("use").word(to_string(request.use));
  writer.key("variables").text(request.variables.text);
  writer.end_object();
  return writer.take();
}

std::string journal_text(const CodeResult& result, Redactor* redactor) {
  JsonWriter writer(redactor);
  writer.begin_object();
  writer.key("end").word(to_string(result.end));
  if (result.value) writer.key("value").text(result.value->text);
  writer.text_member("message", result.message);
  if (result.line) writer.key("line").integer(std::int64_t{*result.line});
  if (result.column) writer.key("column").integer(std::int64_t{*result.column});
  writer.end_object();
  return writer.take();
}

CodeResult code_result_from_json(const Json& json) {
  const JsonReader reader(json);
  CodeResult result;
  result.end = reader.word("end", code_end_from, CodeEnd::Died);
  if (auto value = reader.optional_text("value")) result.value = JsonText{*std::move(value)};
  result.message = reader.text("message");
  result.line = reader.optional_int("line");
  result.column = reader.optional_int("column");
  return result;
}

}  // namespace hone::core
