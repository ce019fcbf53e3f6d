#include "hone/schema/compile.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "hone/base/json.h"
#include "hone/schema/uri.h"
#include "rust/hone_rust.h"

namespace hone::schema {
namespace {

// The base of a schema that nobody said a place of.
constexpr std::string_view kNowhere = "json-schema:///";

hone_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

std::string text_of(const hone_reply& reply) {
  std::string text(reply.text.data, reply.text.size);
  hone_string_free(reply.text);
  return text;
}

void throw_failure(std::string_view doing, int status, const std::string& text) {
  if (status == HONE_OK) return;
  const ErrorKind kind = status == HONE_BUG ? ErrorKind::Internal : ErrorKind::InvalidInput;
  throw Error(kind, fmt::format("{}: {}", doing, text));
}

std::string library(const SchemaOptions& options) {
  if (options.base.empty() && options.documents.empty()) return {};
  Json documents = Json::object();
  for (const Document& document : options.documents) {
    documents[document.uri] = parse_json(document.text);
  }
  return dump({{"base", options.base}, {"documents", std::move(documents)}});
}

// The text of hone_schema_check about a text that is not valid.
class Report {
 public:
  explicit Report(std::string_view text) : rest_(text) {}

  Result result() {
    Result result;
    const auto held = static_cast<double>(number());
    while (!rest_.empty()) result.violations.push_back(violation());
    result.share = held / (held + static_cast<double>(result.violations.size()));
    return result;
  }

 private:
  std::size_t number() {
    std::size_t value = 0;
    const auto end = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value).ptr;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()) + 1);
    return value;
  }

  std::string field() {
    const std::size_t length = number();
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }

  Violation violation() {
    Violation violation;
    violation.instance = field();
    violation.schema = field();
    violation.keyword = field();
    violation.message = field();
    return violation;
  }

  std::string_view rest_;
};

bool is_draft_of(std::string_view json_text, std::string_view uri) {
  const auto tree = try_parse_json(json_text);
  if (!tree || !tree->is_object()) return false;
  const auto draft = tree->find("$schema");
  if (draft == tree->end() || !draft->is_string()) return false;
  return without_fragment(draft->get_ref<const std::string&>()) == uri;
}

}  // namespace

void FreeCompiled::operator()(hone_schema* compiled) const { hone_schema_free(compiled); }

Compiled compile(std::string_view json_text, const SchemaOptions& options) {
  const std::uint32_t flags = options.formats == Formats::AsDraft ? HONE_FORMATS_AS_DRAFT : 0;
  const std::string documents = library(options);
  hone_reply reply;
  Compiled compiled;
  compiled.schema.reset(hone_schema_new(bytes(json_text), bytes(documents), flags, &reply));
  std::string text = text_of(reply);
  if (reply.status == HONE_MISSING) {
    compiled.missing = std::move(text);
  } else {
    throw_failure("reading a JSON Schema", reply.status, text);
  }
  return compiled;
}

Error not_fetched(std::string_view uri, std::string_view json_text) {
  if (is_draft_of(json_text, uri)) {
    return {ErrorKind::InvalidInput,
            fmt::format("$schema names {}, which is no draft that is known here", uri),
            "use draft 4, 6, 7, 2019-09 or 2020-12, or leave $schema out"};
  }
  if (uri.starts_with("http://") || uri.starts_with("https://")) {
    return {ErrorKind::InvalidInput,
            fmt::format("the schema refers to {}, and schemas are never fetched", uri),
            "save it beside the task file and refer to it as `file://NAME`"};
  }
  if (uri.starts_with(kNowhere)) uri.remove_prefix(kNowhere.size());
  return {ErrorKind::InvalidInput,
          fmt::format("the reference to {} leads to another document, which is not here", uri),
          "refer to a place in the schema (`#/…`), or to a file beside the task as `file://NAME`"};
}

Result report_on(const hone_schema* compiled, std::string_view json_text) {
  const hone_reply reply = hone_schema_check(compiled, bytes(json_text));
  const std::string text = text_of(reply);
  throw_failure("checking a JSON text", reply.status, text);
  if (text.empty()) return {.valid = true, .share = 1, .violations = {}};
  return Report(text).result();
}

}  // namespace hone::schema
