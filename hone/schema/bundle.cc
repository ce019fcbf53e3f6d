#include "hone/schema/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/text.h"
#include "hone/schema/compile.h"
#include "hone/schema/uri.h"

namespace hone::schema {
namespace {

// The folder of the task file. URIs of files are made from it, so that the text of a bundle does
// not depend on where the folder lies; references may climb as many folders as it has.
constexpr std::string_view kFolder = "task:/8/7/6/5/4/3/2/1/";
constexpr std::string_view kFile = "file://";
// What stands below these are values, not schemas.
constexpr std::array<std::string_view, 4> kValues{"const", "enum", "default", "examples"};

std::string uri_of(std::string_view path) {
  if (path.starts_with('/')) return fmt::format("{}{}", kFile, escaped(path));
  return resolved(kFolder, "./" + escaped(path));
}

std::string path_in_folder(std::string_view uri) {
  std::string_view folder = kFolder;
  std::string up;
  while (!uri.starts_with(folder)) {
    folder = folder.substr(0, folder.rfind('/', folder.size() - 2) + 1);
    up += "../";
  }
  return up + unescaped(uri.substr(folder.size()));
}

// The path of a file as ReadFile takes it; absent for other URIs.
std::optional<std::string> path_of(std::string_view uri) {
  if (uri.starts_with("task:/")) return path_in_folder(uri);
  if (uri.starts_with("file:///")) return unescaped(uri.substr(kFile.size()));
  return std::nullopt;
}

// A reference file://NAME as the URI of that file.
void make_absolute(Json& reference) {
  const auto& text = reference.get_ref<const std::string&>();
  if (!text.starts_with(kFile)) return;
  const std::string_view name = without_fragment(text).substr(kFile.size());
  const std::string_view rest = std::string_view(text).substr(kFile.size() + name.size());
  reference = uri_of(name) + std::string(rest);
}

void make_references_absolute(Json& schema) {
  if (schema.is_array()) {
    for (Json& item : schema) make_references_absolute(item);
  }
  if (!schema.is_object()) return;
  for (auto& [name, member] : schema.items()) {
    if (name == "$ref" && member.is_string()) make_absolute(member);
    if (std::ranges::find(kValues, name) == kValues.end()) make_references_absolute(member);
  }
}

std::string with_absolute_references(const JsonText& text) {
  Json tree = parse_json(text.text);
  Json changed = tree;
  make_references_absolute(changed);
  return changed == tree ? text.text : dump(changed);
}

// Each file is a schema by itself, so that a mistake is told with the file's name.
void check_each(const SchemaOptions& options) {
  for (const Document& document : options.documents) {
    SchemaOptions alone = options;
    alone.base = document.uri;
    try {
      compile(document.text, alone);
    } catch (Error& error) {
      throw error.while_doing(fmt::format("`{}`", path_of(document.uri).value_or(document.uri)));
    }
  }
}

std::string with_documents(const std::string& schema, const SchemaOptions& options) {
  Json tree = parse_json(schema);
  Json documents = Json::object();
  for (const Document& document : options.documents) {
    documents[document.uri] = parse_json(document.text);
  }
  tree[std::string(kBundle)] = {{"base", options.base}, {"documents", std::move(documents)}};
  return dump(tree);
}

}  // namespace

std::vector<Document> referenced(std::string_view json_text, SchemaOptions options,
                                 const std::function<std::string(const std::string& uri)>& read) {
  while (const auto missing = compile(json_text, options).missing) {
    if (options.documents.size() >= kMostDocuments) {
      throw Error(ErrorKind::InvalidInput,
                  fmt::format("the schema refers to more than {} documents", kMostDocuments),
                  "put those that belong together into one file");
    }
    options.documents.push_back({*missing, read(*missing)});
  }
  return std::move(options.documents);
}

bool is_bundle(std::string_view json_text) {
  const Json tree = parse_json(json_text);
  return tree.is_object() && tree.contains(kBundle);
}

JsonText bundled(const JsonText& schema, std::string_view file, const ReadFile& read) {
  const std::string text = with_absolute_references(schema);
  SchemaOptions options{.base = uri_of(file.empty() ? "task" : file)};
  SchemaOptions known = options;  // With what has been read so far.
  const auto read_document = [&](const std::string& uri) {
    const auto path = path_of(uri);
    if (!path) throw not_fetched(uri, text);
    known.documents.push_back({uri, with_absolute_references(read(*path))});
    return known.documents.back().text;
  };
  try {
    options.documents = referenced(text, options, read_document);
  } catch (const Error&) {
    check_each(known);
    throw;
  }
  if (options.documents.empty()) return schema;
  return {with_documents(text, options)};
}

}  // namespace hone::schema
