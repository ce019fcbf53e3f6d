// What `file://NAME` in a task file stands for: the content of a file beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "hone/yaml/field.h"

namespace hone::task {

// Reads the files that one task file names. Errors are InvalidInput at the place of the name: a
// file that cannot be read, that is not UTF-8, or that is too long.
class Files {
 public:
  static constexpr std::size_t kMostBytes = 32 * 1024 * 1024;  // All files of a task together.

  // `file` is what messages call the task file; relative names start in `folder`.
  Files(std::string file, std::filesystem::path folder);

  // What messages call the task file.
  const std::string& file() const { return file_; }
  // The text of the field, or of the file that it names.
  std::string text(const yaml::Field& field);
  // The value of the field as JSON, or what the file that it names holds: its value if it ends in
  // .json, .yaml or .yml, else its text.
  JsonText value(const yaml::Field& field);
  // What the file with this name holds, read in the same way. `at` is where it was named.
  JsonText value_in(const std::string& name, yaml::Position at);
  // The value of the field, where texts inside of lists and mappings may name files too; those
  // stand for text.
  JsonText value_with_texts(const yaml::Field& field);

 private:
  std::string read(std::string_view name, yaml::Position at);
  yaml::Node value_of(const yaml::Node& node);
  void put_texts(yaml::Node& node);
  JsonText json(const yaml::Field& field, const yaml::Node& node);

  std::string file_;
  std::filesystem::path folder_;
  std::size_t left_ = kMostBytes;
};

}  // namespace hone::task
