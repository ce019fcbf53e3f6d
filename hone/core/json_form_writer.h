// Writes JSON as text without building a tree: the journal does so for every effect of every run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hone/base/redact.h"
#include "hone/core/usage.h"

namespace hone::core {

// Calls come in the order of the document; what they write is JSON if every begin has its end.
class JsonWriter {
 public:
  // With a redactor, texts and the keys of users (not words) pass it.
  explicit JsonWriter(Redactor* redactor = nullptr) : redactor_(redactor) { out_.reserve(512); }

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  // Text of users and models; {"bytes": hex} when it is not UTF-8.
  void text(std::string_view value);
  // A name of ours.
  void word(std::string_view value);
  void integer(std::int64_t value);
  void integer(std::uint64_t value);
  void number(double value);  // null when it is not finite.
  void boolean(bool value);

  // Members that are left out when they are empty or have no value.
  void text_member(std::string_view name, std::string_view value);
  void integer_member(std::string_view name, std::int64_t value);
  void number_member(std::string_view name, std::optional<double> value);

  std::string take() { return std::move(out_); }

 private:
  void separate();
  void escaped(std::string_view value);

  Redactor* redactor_;
  std::string out_;
  bool first_ = true;  // Nothing stands before the next value in its container.
};

void write_usage(JsonWriter& writer, const Usage& usage);

}  // namespace hone::core
