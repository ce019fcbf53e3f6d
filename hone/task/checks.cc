#include "hone/task/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hone/base/error.h"
#include "hone/task/code_checks.h"
#include "hone/task/judged_checks.h"
#include "hone/task/plain_checks.h"
#include "hone/task/words.h"

namespace hone::task {
namespace {

constexpr std::array<std::string_view, 13> kCheckKeys{
    "schema", "contains", "equals", "regex",    "command", "judge", "name",
    "python", "lua",      "prolog", "criteria", "compare", "tests"};

// The one key of a check that is not its name.
yaml::Field kind_of(const yaml::Fields& fields) {
  std::optional<yaml::Field> kind;
  for (const yaml::Field& field : fields.all()) {
    if (field.name() == "check.name") continue;
    if (kind) {
      throw field.error(
          fmt::format("one check cannot be `{}` and `{}`", kind->name(), field.name()),
          "start each check with `- ` on a line of its own");
    }
    kind = field;
  }
  if (kind) return *std::move(kind);
  throw fields.field().error(
      "this check does not say what it checks",
      "known here: schema, contains, equals, regex, command, python, lua, prolog, tests, judge, "
      "criteria, compare");
}

Check read_check(const yaml::Field& field, Files& files) {
  const yaml::Fields fields = field.mapping(kCheckKeys);
  const yaml::Field kind = kind_of(fields);
  Check check{.name = kind.name().substr(std::string_view("check.").size()), .options = {}};
  if (check.name == "schema") {
    check.options = read_schema(kind, files);
  } else if (check.name == "contains") {
    check.options = ContainsCheck{texts(kind)};
  } else if (check.name == "equals") {
    check.options = EqualsCheck{files.value(kind)};
  } else if (check.name == "regex") {
    check.options = read_regex(kind);
  } else if (check.name == "command") {
    check.options = read_command(kind);
  } else if (check.name == "judge") {
    check.options = read_judge(kind, files, &check.always);
  } else if (check.name == "criteria") {
    check.options = read_criteria(kind, files);
  } else if (check.name == "compare") {
    check.options = read_compare(kind, files);
  } else if (check.name == "tests") {
    check.options = read_tests(kind, files);
  } else if (const auto language = core::language_from(check.name)) {
    check.options = read_code(kind, *language, files);
  }
  if (const auto name = present(fields, "name")) check.name = nonempty(*name);
  return check;
}

}  // namespace

bool CriteriaCheck::asks_a_model() const {
  const auto is_judged = [](const CriterionEntry& criterion) {
    return !criterion.pattern && !criterion.command;
  };
  return criteria.empty() || std::ranges::any_of(criteria, is_judged);
}

bool Check::asks_a_model() const {
  if (const auto* several = std::get_if<CriteriaCheck>(&options)) return several->asks_a_model();
  return std::holds_alternative<JudgeCheck>(options) ||
         std::holds_alternative<CompareCheck>(options);
}

std::vector<Check> read_checks(const yaml::Field& field, Files& files) {
  if (field.node().get_if<yaml::Node::Mapping>() != nullptr) {
    throw field.must_be("a list", "start each check with `- `");
  }
  std::vector<Check> checks;
  for (const yaml::Field& item : field.list()) checks.push_back(read_check(item, files));
  return checks;
}

}  // namespace hone::task
