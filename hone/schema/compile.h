// Schemas as the Rust library compiles them, inside of this folder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/schema/schema.h"

struct hone_schema;

namespace hone::schema {

struct FreeCompiled {
  void operator()(hone_schema* compiled) const;
};

// Either a compiled schema, or the URI of a document that it needs and was not given.
struct Compiled {
  std::unique_ptr<hone_schema, FreeCompiled> schema;
  std::optional<std::string> missing;
};

// Throws InvalidInput for what is no schema.
Compiled compile(std::string_view json_text, const SchemaOptions& options);

// Why the document at `uri`, which the schema needs, is not there.
Error not_fetched(std::string_view uri, std::string_view json_text);

// What the library says about a JSON text. Throws InvalidInput.
Result report_on(const hone_schema* compiled, std::string_view json_text);

}  // namespace hone::schema
