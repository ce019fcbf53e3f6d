#include "hone/schema/schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/schema/apply.h"
#include "hone/schema/demand.h"
#include "rust/hone_rust.h"

namespace hone::schema {
namespace {

hone_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

// Takes the reply's text over; throws if it is a failure.
std::string taken(std::string_view doing, const hone_reply& reply) {
  std::string text(reply.text.data, reply.text.size);
  hone_string_free(reply.text);
  if (reply.status == HONE_OK) return text;
  const ErrorKind kind = reply.status == HONE_BUG ? ErrorKind::Internal : ErrorKind::InvalidInput;
  throw Error(kind, fmt::format("{}: {}", doing, text));
}

Violation violation(const Json& report) {
  return {.instance = report.at("instance").get<std::string>(),
          .schema = report.at("schema").get<std::string>(),
          .keyword = report.at("keyword").get<std::string>(),
          .message = report.at("message").get<std::string>()};
}

Result result(const Json& report) {
  if (report.at("valid").get<bool>()) return {.valid = true, .share = 1, .violations = {}};
  Result result;
  for (const Json& found : report.at("violations")) result.violations.push_back(violation(found));
  const auto held = report.at("held").get<double>();
  result.share = held / (held + static_cast<double>(result.violations.size()));
  return result;
}

struct Free {
  void operator()(hone_schema* compiled) const { hone_schema_free(compiled); }
};

std::unique_ptr<hone_schema, Free> compiled(std::string_view text, const SchemaOptions& options) {
  const std::uint32_t flags = options.formats == Formats::AsDraft ? HONE_FORMATS_AS_DRAFT : 0;
  hone_reply reply;
  std::unique_ptr<hone_schema, Free> schema(hone_schema_new(bytes(text), flags, &reply));
  taken("reading a JSON Schema", reply);
  return schema;
}

}  // namespace

struct Schema::State {
  std::unique_ptr<hone_schema, Free> compiled;
  Demands demands;
};

Schema::Schema(std::string_view json_text, const SchemaOptions& options) {
  Json tree = parse_json(json_text);
  state_ = std::make_unique<State>(
      State{.compiled = compiled(json_text, options), .demands = Demands(std::move(tree))});
}

Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

Result Schema::check(std::string_view json_text) const {
  const hone_reply reply = hone_schema_check(state_->compiled.get(), bytes(json_text));
  // Written by hone_rust, so none of parse_json's limits is needed.
  return result(Json::parse(taken("checking a JSON text", reply)));
}

Coerced Schema::coerce(std::string_view json_text) const {
  parse_json(json_text);
  Mending mending(std::string(json_text), [this](std::string_view text) { return check(text); });
  while (!mending.is_valid() && mending.try_edits(proposals(state_->demands, mending.text()))) {
  }
  return std::move(mending).coerced();
}

}  // namespace hone::schema
