// JSON Schema: checks JSON texts, grades them, and mends types where nothing is lost.
//
// Drafts 4, 6, 7, 2019-09 and 2020-12 by `$schema`; 2020-12 without one. References lead to places
// inside the schema and to documents that were given with it (bundle.h reads them from files);
// nothing is ever fetched or read here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"

namespace hone::schema {

// Whether `format` is an assertion.
enum class Formats {
  Asserted,  // In every draft: date, date-time, time, duration, email, hostname, ipv4, ipv6, uri,
             // uri-reference, uuid, regex, json-pointer and the iri forms; other names never fail.
  AsDraft,   // Where the draft says so: up to draft 7. The official test suite assumes this.
};

// A schema to which others may refer.
struct Document {
  std::string uri;   // Absolute, without a fragment.
  std::string text;  // JSON.
  bool operator==(const Document&) const = default;
};

struct SchemaOptions {
  Formats formats = Formats::Asserted;
  std::string base = {};  // Absolute URI of the schema, from which relative references lead, unless
                          // it has an $id; empty for none.
  std::vector<Document> documents = {};  // To which references may lead.
};

// One assertion that does not hold.
struct Violation {
  // JSON pointer of the value, of the missing property, or of the property that is too much.
  std::string instance;
  // JSON pointer of the keyword, inside the schema and with references resolved.
  std::string schema;
  std::string keyword;  // "required", "type", …; "false" for a schema that allows nothing.
  std::string message;  // "`summary` is required"
  bool operator==(const Violation&) const = default;
};

struct Result {
  bool valid = false;
  // held / (held + violations), in [0, 1]; 1 exactly if valid. An assertion is a keyword that can
  // fail by itself, counted at each value of the kind at which it looks: `required` once a name,
  // `minimum` at numbers only. properties, items, allOf, $ref, if and the like only lead to
  // assertions; anyOf, oneOf, not, contains and propertyNames are one each. (In a schema that the
  // library brings along, such as a meta-schema, `required` counts only where it fails.)
  double share = 0;
  // All of them, in the order of the document; what is missing stands behind what is there.
  std::vector<Violation> violations;

  bool operator==(const Result&) const = default;
};

// A value that got the type which the schema demands.
struct Edit {
  std::string pointer;
  std::string from;  // JSON text before,
  std::string to;    // and after.
  bool operator==(const Edit&) const = default;
};

struct Coerced {
  std::string text;  // The input byte for byte, but for the edits.
  std::vector<Edit> edits;
  Result result;  // What check() says of the text.
};

// A compiled schema. Immutable: any number of threads may use it at once.
class Schema {
 public:
  // Throws InvalidInput with the place inside the schema if it is not a valid schema, if a
  // reference leads nowhere or to a document that was not given, or if the text is not JSON. A
  // bundle (bundle.h) brings its base and its documents along.
  explicit Schema(std::string_view json_text, SchemaOptions options = {});
  ~Schema();
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;

  // Throws InvalidInput if the text is not JSON or nests deeper than 200.
  Result check(std::string_view json_text) const;

  // Gives values the one type that the schema demands at their place, where nothing is lost:
  //   "5", "5.0"       -> 5       for integer (in the range of 64 bits; 5.0 is an integer itself,
  //                               but not in draft 4, where it becomes 5)
  //   "5.5", "1e3"     -> 5.5     for number (JSON's grammar, no more digits than a double keeps)
  //   "true", "false"  -> true    for boolean
  //   5, 1.50, true    -> "1.50"  for string, as it was written
  //   "{…}", "[…]"     -> {…}     for object and array, if the text is JSON; its values in turn
  // Places are found through properties, additionalProperties, items, prefixItems, references,
  // allOf with a single branch, and the only branch of anyOf or oneOf that
  // takes the value's type. A choice of types is left alone unless one conversion alone fits.
  // null never changes. An edit that would lower the share is not made; a valid text stays as it
  // is; coercing twice changes nothing more. Throws InvalidInput if the text is not JSON.
  Coerced coerce(std::string_view json_text) const;
  // The same for a text that is known to be JSON.
  Coerced coerce(JsonText json) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace hone::schema
