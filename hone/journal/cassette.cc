#include "hone/journal/cassette.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/base/error.h"
#include "hone/yaml/field.h"
#include "hone/yaml/write.h"

namespace hone::journal {
namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kMostBytes = 256 * 1024 * 1024;
constexpr std::string_view kFirstLine = "# A recorded run. `hone import FILE` brings it back.\n";
constexpr std::array<std::string_view, 3> kKeys{"format", "run", "records"};
constexpr std::array<std::string_view, 10> kRecordKeys{
    "kind", "path", "at", "prompt", "digest", "request", "answer", "failed", "redacted", "as_text"};

// Whether the text can stand as a tree: writing the tree gives the very text again.
bool survives_as_tree(const std::string& text) {
  const auto json = try_parse_json(text);
  if (!json || dump(*json) != text) return false;
  const auto written = yaml::parse(yaml::write({{"v", *json}}), "cassette");
  // As text: numbers that became doubles compare equal.
  return dump(yaml::to_json(written.root).at("v")) == text;
}

// The folder of the task file as seen from where the run was started.
std::string portable(const std::string& folder, const std::string& directory) {
  const std::filesystem::path path(folder);
  if (path.is_relative()) return folder;
  const std::filesystem::path relative = path.lexically_relative(directory);
  const bool is_below = !directory.empty() && !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : "";
}

void drop_places(Json& options) {
  if (!options.is_object()) return;
  options["folder"] = portable(options.value("folder", ""), options.value("directory", ""));
  for (const char* name : {"directory", "api_key_file"}) options.erase(name);
}

// The answer without what ties it to a machine. Task and options are JSON texts in the header.
std::string portable_answer(const Record& record) {
  if (record.kind != Kind::Header && record.kind != Kind::Resumed) return record.answer;
  Json json = parse_json(record.answer);
  json.erase("process");
  if (const auto text = json.find("options"); text != json.end() && text->is_string()) {
    Json options = parse_json(text->get_ref<const std::string&>());
    drop_places(options);
    *text = dump(options);
  }
  return dump(json);
}

constexpr std::array kHeaderTexts{"task", "options"};

Json tree_of_header(const std::string& answer) {
  Json json = parse_json(answer);
  for (const char* name : kHeaderTexts) {
    const auto text = json.find(name);
    if (text == json.end() || !text->is_string()) continue;
    const std::string content = text->get<std::string>();
    if (survives_as_tree(content)) *text = parse_json(content);
  }
  return json;
}

std::string answer_of_header(Json json) {
  for (const char* name : kHeaderTexts) {
    const auto tree = json.find(name);
    if (tree != json.end() && !tree->is_string()) *tree = dump(*tree);
  }
  return dump(json);
}

Json entry_of(const Record& record) {
  Json entry = {{"kind", to_string(record.kind)}};
  if (!record.path.empty()) entry["path"] = record.path;
  entry["at"] = record.at.time_since_epoch().count();
  if (!record.prompt.empty()) entry["prompt"] = record.prompt;
  if (record.failed) entry["failed"] = true;
  if (record.redacted) entry["redacted"] = true;
  const std::string answer = portable_answer(record);
  const bool is_header = record.kind == Kind::Header;
  const bool as_tree = (record.request.empty() || survives_as_tree(record.request)) &&
                       survives_as_tree(is_header ? dump(tree_of_header(answer)) : answer);
  if (!as_tree) entry["as_text"] = true;
  if (!record.request.empty()) {
    entry["digest"] = digest_of(record.request);
    entry["request"] = as_tree ? parse_json(record.request) : Json(record.request);
  }
  entry["answer"] = !as_tree    ? Json(answer)
                    : is_header ? tree_of_header(answer)
                                : parse_json(answer);
  return entry;
}

std::string document_of(const yaml::Field& field, bool as_text) {
  if (!as_text) return field.json().text;
  std::string text = field.text();
  if (!try_parse_json(text)) throw field.must_be("JSON");
  return text;
}

void check_request(const Record& record, const std::string& digest, const yaml::Field& request) {
  const std::string now = digest_of(record.request);
  if (now == digest) return;
  throw request.error(
      fmt::format("the request at `{}` was edited: its digest was {}…, it is {}… now", record.path,
                  digest.substr(0, 12), now.substr(0, 12)),
      "its answer was given to the other request: undo the edit, or make the run anew and export "
      "it");
}

template <class Read>
void check_answer(const yaml::Field& answer, const Record& record, Read read) {
  try {
    (void)read(parse_json(record.answer));
  } catch (const Error& error) {
    throw answer.error(
        fmt::format("the answer at `{}` cannot be read: {}", record.path, error.message()),
        "undo the edit");
  }
}

void check(const Record& record, const yaml::Field& answer) {
  if (record.failed) return check_answer(answer, record, core::error_from_json);
  switch (record.kind) {
    case Kind::Header:
      return check_answer(answer, record, header_from_json);
    case Kind::Model:
      return check_answer(answer, record, core::model_reply_from_json);
    case Kind::Process:
      return check_answer(answer, record, core::process_result_from_json);
    case Kind::Event:
      return check_answer(answer, record, core::event_from_json);
    case Kind::Resumed:
    case Kind::Again:
      break;
  }
}

bool flag(const yaml::Fields& fields, std::string_view key) {
  const auto field = fields.find(key);
  return field && field->boolean();
}

std::string text(const yaml::Fields& fields, std::string_view key) {
  const auto field = fields.find(key);
  return field ? field->text() : std::string();
}

Record record_from(const yaml::Field& field) {
  const yaml::Fields fields = field.mapping(kRecordKeys);
  Record record;
  const auto kind = kind_from(fields.get("kind").text());
  if (!kind) throw fields.get("kind").must_be("a kind of record");
  record.kind = *kind;
  record.path = text(fields, "path");
  record.at = Instant(Duration(fields.get("at").whole(0)));
  record.prompt = text(fields, "prompt");
  record.failed = flag(fields, "failed");
  record.redacted = flag(fields, "redacted");
  const bool as_text = flag(fields, "as_text");
  const yaml::Field answer = fields.get("answer");
  record.answer = document_of(answer, as_text);
  if (*kind == Kind::Header && !as_text)
    record.answer = answer_of_header(parse_json(record.answer));
  if (record.is_effect()) {
    record.request = document_of(fields.get("request"), as_text);
    check_request(record, fields.get("digest").text(), fields.get("request"));
  }
  check(record, answer);
  return record;
}

void check_format(const yaml::Field& format) {
  const std::int64_t found = format.whole(1);
  if (found <= kFormat) return;
  throw format.error(
      fmt::format("this cassette has format {}; this hone reads up to {}", found, kFormat),
      "use a newer hone");
}

}  // namespace

std::string to_cassette(std::span<const Record> records) {
  Json entries = Json::array();
  for (const Record& record : records) entries.push_back(entry_of(record));
  const Json document = {
      {"format", kFormat}, {"run", records.front().run}, {"records", std::move(entries)}};
  return std::string(kFirstLine) + yaml::write(document);
}

std::vector<Record> from_cassette(std::string_view text, std::string_view file) {
  const auto document = yaml::parse(text, file, {.bytes = kMostBytes});
  const yaml::Fields fields = yaml::Field(document).mapping(kKeys);
  check_format(fields.get("format"));
  const std::string run = fields.get("run").text();
  std::vector<Record> records;
  for (const yaml::Field& entry : fields.get("records").list()) {
    Record record = record_from(entry);
    const bool first = records.empty();
    if ((record.kind == Kind::Header) != first) {
      throw entry.error("the first record, and no other, is the header of a run");
    }
    record.run = run;
    record.sequence = static_cast<std::int64_t>(records.size());
    records.push_back(std::move(record));
  }
  if (records.empty()) throw fields.get("records").error("there is no record of a run");
  if (header_from_json(parse_json(records.front().answer)).run != run) {
    throw fields.get("run").error("this is not the run that its header names");
  }
  return records;
}

}  // namespace hone::journal
