// Reads YAML 1.2 (core schema), and JSON as the part of YAML that it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "hone/base/error.h"
#include "hone/yaml/node.h"

namespace hone::yaml {

struct Limits {
  std::size_t bytes = 8 * 1024 * 1024;  // Length of the document.
  std::size_t depth = 100;              // Nested lists and mappings.
  std::size_t repeated = 10'000;  // Values (100 bytes of text count as one) that aliases copy.
};

struct Document {
  std::string file;  // As messages name it.
  Node root;
};

// Types follow the core schema and only plain scalars have one: yes, no, on and off are text, 017
// is 17, 0o17 is 15, whatever is quoted is text. Integers beyond 64 bits become numbers. An empty
// document is null.
//
// Throws InvalidInput as "file:line:column: …" for what is no YAML, several documents, duplicate
// keys, merge keys (`<<`), tags other than `!!str`, aliases of something they stand in, and past
// the limits.
Document parse(std::string_view text, std::string_view file, const Limits& limits = {});

// An error about one place of a file: "task.yaml:3:5: …".
Error error_at(std::string_view file, Position at, std::string_view message, std::string hint = {});

}  // namespace hone::yaml
