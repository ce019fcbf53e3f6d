// A schema and the files that its references lead to, as one text that needs nothing else: so a
// task that was recorded can be repeated when the files are gone.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "hone/base/json.h"
#include "hone/schema/schema.h"

namespace hone::schema {

// The value of a file as JSON text. `path` is relative to the folder of the task file, or absolute.
// Throws what says why it cannot be read.
using ReadFile = std::function<JsonText(const std::string& path)>;

// The schema with the files it needs, and those that they need, in a member `x-bundle`; the same
// text if it needs none. `file` is the schema's own file, relative to the folder of the task file
// or absolute; empty if the schema stands in the task file itself.
//
// `$ref: "file://NAME"` starts in the folder of the task file, wherever it stands; a plain relative
// reference starts beside the file it stands in, or at the $id of its document. Throws InvalidInput
// for references to the network, which is never asked, to anything else that is no file, to a place
// that is not there, and for a file that is no schema.
JsonText bundled(const JsonText& schema, std::string_view file, const ReadFile& read);

inline constexpr std::string_view kBundle = "x-bundle";
// The schema brings files along.
bool is_bundle(std::string_view json_text);
// More files than this are a mistake.
inline constexpr std::size_t kMostDocuments = 200;

// All documents that a schema needs beside those it has been given, in the order in which they are
// asked for. `read` gets the absolute URI, without a fragment, and throws for one it has not.
std::vector<Document> referenced(std::string_view json_text, SchemaOptions options,
                                 const std::function<std::string(const std::string& uri)>& read);

}  // namespace hone::schema
