// JSON Schemas in the narrow form that providers enforce while they write.
#pragma once

#include <optional>

#include "hone/base/json.h"

namespace hone::model {

// Which keywords of values a provider enforces.
enum class SchemaLimits {
  Bounds,   // Numbers, lengths of arrays and patterns too (OpenAI).
  NoBounds  // Types and structure only (Anthropic).
};

// A schema that accepts a part of what `schema` accepts, in the form that providers demand: every
// object closed, all its properties required. Absent where that would change what is asked for: a
// property that may be left out but not be null, an object with free keys, a keyword that is not
// enforced, a root that is no object.
// Source: OpenAI, "Structured model outputs: supported schemas"; Anthropic, "Structured outputs".
std::optional<Json> strict_schema(const Json& schema, SchemaLimits limits);

}  // namespace hone::model
