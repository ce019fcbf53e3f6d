#include "hone/journal/record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "hone/base/digest.h"
#include "hone/core/json_form_reader.h"
#include "hone/core/json_form_writer.h"

namespace hone::journal {
namespace {

constexpr std::array<std::string_view, 6> kKinds{"header", "model",   "process",
                                                 "event",  "resumed", "again"};

core::ModelNames read_models(const Json& json) {
  core::ModelNames models;
  if (!json.is_object()) core::JsonReader::fail("models");
  for (const auto& [name, model] : json.items()) {
    const auto role = core::role_from(name);
    if (!role) core::JsonReader::fail("models");
    models[*role] = core::text_from_json(model, "models");
  }
  return models;
}

}  // namespace

std::string_view to_string(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_from(std::string_view text) {
  const auto found = std::ranges::find(kKinds, text);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<Kind>(found - kKinds.begin());
}

namespace {

// Left out when everything is taken out, which is the rule.
void write(core::JsonWriter& writer, const Redaction& redaction) {
  if (redaction == Redaction{}) return;
  writer.key("redacts").begin_array();
  if (redaction.secrets) writer.word("secrets");
  if (redaction.personal) writer.word("personal");
  if (redaction.infrastructure) writer.word("infrastructure");
  writer.end_array();
}

Redaction redaction_from(const core::JsonReader& reader) {
  if (reader.find("redacts") == nullptr) return {};
  Redaction redaction{false, false, false};
  for (const Json* name : reader.elements("redacts")) {
    redaction.secrets |= *name == "secrets";
    redaction.personal |= *name == "personal";
    redaction.infrastructure |= *name == "infrastructure";
  }
  return redaction;
}

}  // namespace

std::string to_text(const RunHeader& header, Redactor* redactor) {
  core::JsonWriter writer(redactor);
  writer.begin_object().key("format").integer(std::int64_t{1});
  writer.key("hone").word(header.hone_version);
  writer.key("run").word(header.run);
  writer.key("task_name").text(header.task_name);
  // As texts: keys of users never stand among ours.
  writer.key("task").text(header.task.text);
  writer.key("options").text(header.options.text);
  writer.key("models").begin_object();
  for (const auto& [role, name] : header.models) writer.key(to_string(role)).text(name);
  writer.end_object().key("seed").integer(header.seed);
  write(writer, header.redaction);
  write(writer.key("process"), header.process);
  writer.key("started").integer(std::int64_t{header.started.time_since_epoch().count()});
  writer.end_object();
  return writer.take();
}

RunHeader header_from_json(const Json& json) {
  const core::JsonReader reader(json);
  RunHeader header;
  header.run = reader.text("run");
  header.hone_version = reader.text("hone");
  header.task_name = reader.text("task_name");
  header.task.text = reader.text("task");
  header.options.text = reader.text("options");
  if (const Json* models = reader.find("models")) header.models = read_models(*models);
  header.seed = reader.unsigned_integer("seed");
  header.redaction = redaction_from(reader);
  if (const Json* process = reader.find("process")) header.process = process_from_json(*process);
  header.started = reader.instant("started");
  return header;
}

std::string digest_of(std::string_view request) { return sha256(with_own_numbers(request)); }

core::Run fold(const RecordedRun& recorded) {
  core::Run run;
  run.id = recorded.header.run;
  run.task.name = recorded.header.task_name;
  run.started = run.finished = recorded.header.started;
  for (const RecordedEvent& event : recorded.events) {
    core::apply(run, core::event_from_json(parse_json(event.text)), event.at);
  }
  return run;
}

}  // namespace hone::journal
