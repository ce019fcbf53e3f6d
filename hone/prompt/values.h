// The values of a prompt's variables, inside of this folder.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hone/base/json.h"
#include "hone/template/template.h"

namespace hone::prompt {

// Each name is a literal and is given once.
class Values {
 public:
  // A text that outlives the values: most of a prompt is the task and an output.
  void refer(std::string_view name, std::string_view text) { add(name, text); }
  void text(std::string_view name, std::string text) { add(name, std::move(text)); }
  void flag(std::string_view name, bool flag) { add(name, flag); }
  void texts(std::string_view name, std::vector<std::string> texts) { add(name, std::move(texts)); }
  // Any other value.
  void json(std::string_view name, JsonText json) { add(name, std::move(json)); }

  // They refer to these values.
  std::vector<templates::Variable> variables() const;

 private:
  using Value =
      std::variant<std::string_view, std::string, bool, std::vector<std::string>, JsonText>;
  struct Entry {
    std::string_view name;
    Value value;
  };

  void add(std::string_view name, Value value) { entries_.push_back({name, std::move(value)}); }

  std::vector<Entry> entries_;
};

}  // namespace hone::prompt
