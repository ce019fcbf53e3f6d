#include "hone/task/words.h"

#include <fmt/format.h>

#include "hone/base/text.h"

namespace hone::task {

Error unknown_word(const yaml::Field& field, const std::vector<std::string>& known) {
  const std::string word = one_line(field.text(), 60);
  const auto near = nearest(word, known);
  const std::string question = near ? fmt::format("; did you mean `{}`?", *near) : std::string();
  return field.error(fmt::format("`{}` cannot be `{}`{}", field.name(), word, question),
                     "known here: " + join(known, ", "));
}

Error not_in_this_version(const yaml::Field& field) {
  return field.error(fmt::format("`{}` is not in this version", field.name()), "leave it out");
}

Error value_not_in_this_version(const yaml::Field& field) {
  return field.error(
      fmt::format("`{}` as {} is not in this version", field.name(), yaml::describe(field.node())),
      "leave it out for the default");
}

std::optional<yaml::Field> present(const yaml::Fields& fields, std::string_view key) {
  auto field = fields.find(key);
  if (field && field->is_null()) return std::nullopt;
  return field;
}

}  // namespace hone::task
