// The share against a count by hand, over random schemas of objects.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hone/base/json.h"
#include "hone/schema/schema.h"

namespace hone::schema {
namespace {

std::vector<std::string> some_names() {
  std::vector<std::string> names;
  for (const char* name : {"a", "b", "c", "d"}) {
    if (*rc::gen::arbitrary<bool>()) names.emplace_back(name);
  }
  return names;
}

Json some_schema() {
  Json schema = Json::object();
  if (*rc::gen::arbitrary<bool>()) schema["type"] = "object";
  for (const std::string& name : some_names()) schema["properties"][name] = {{"type", "integer"}};
  if (*rc::gen::arbitrary<bool>()) schema["required"] = some_names();
  if (*rc::gen::arbitrary<bool>()) schema["additionalProperties"] = false;
  return schema;
}

Json some_document() {
  Json document = Json::object();
  for (const std::string& name : some_names()) {
    document[name] = *rc::gen::arbitrary<bool>() ? Json(1) : Json("x");
  }
  return document;
}

struct Count {
  int held = 0, failed = 0;
  void add(bool holds) { ++(holds ? held : failed); }
};

Count counted(const Json& schema, const Json& document) {
  Count count;
  if (schema.contains("type")) count.add(true);
  for (const Json& name : schema.value("required", Json::array())) {
    count.add(document.contains(name.get<std::string>()));
  }
  const Json properties = schema.value("properties", Json::object());
  int surplus = 0;
  for (const auto& [name, value] : document.items()) {
    if (properties.contains(name))
      count.add(value.is_number());
    else
      ++surplus;
  }
  if (schema.contains("additionalProperties")) {
    count.held += surplus == 0 ? 1 : 0;
    count.failed += surplus;
  }
  return count;
}

RC_GTEST_PROP(Share, EqualsTheCountByHand, ()) {
  Json schema = some_schema();
  Json document = some_document();
  const Count count = counted(schema, document);
  // The same, one level down: the library treats small schemas in ways of their own.
  if (*rc::gen::arbitrary<bool>()) {
    schema = {{"items", schema}};
    document = Json::array({document});
  }
  if (*rc::gen::arbitrary<bool>()) schema["$id"] = "https://example.test/s";
  const Result result = Schema(dump(schema)).check(dump(document));
  RC_ASSERT(result.valid == (count.failed == 0));
  RC_ASSERT(static_cast<int>(result.violations.size()) == count.failed);
  const double share =
      result.valid ? 1 : static_cast<double>(count.held) / (count.held + count.failed);
  RC_ASSERT(result.share == share);
}

}  // namespace
}  // namespace hone::schema
