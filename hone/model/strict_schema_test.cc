#include "hone/model/strict_schema.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace hone::model {
namespace {

std::string strict(const std::string& schema, SchemaLimits limits = SchemaLimits::Bounds) {
  const auto made = strict_schema(parse_json(schema), limits);
  return made ? dump(*made) : "";
}

TEST(StrictSchema, ClosesObjectsAndRequiresWhatMayBeNull) {
  EXPECT_EQ(strict(R"({"$schema":"x","type":"object","properties":{"a":{"type":"string"},
                       "b":{"type":["integer","null"],"default":null}},"required":["a"]})"),
            R"({"type":"object","properties":{"a":{"type":"string"},)"
            R"("b":{"type":["integer","null"]}},"required":["a","b"],)"
            R"("additionalProperties":false})");
}

TEST(StrictSchema, ReachesIntoItemsChoicesAndDefinitions) {
  const std::string inner =
      R"({"type":"object","properties":{"x":{"type":"number"}},"required":["x"]})";
  const std::string schema = R"({"type":"object","properties":{"list":{"type":"array","items":)" +
                             inner + R"(},"one":{"anyOf":[)" + inner +
                             R"(,{"type":"null"}]},"ref":{"$ref":"#/$defs/d"}},)" +
                             R"("required":["list","ref"],"$defs":{"d":)" + inner + "}}";
  const std::string made = strict(schema);
  std::size_t closed = 0;
  for (auto at = made.find("\"additionalProperties\":false"); at != std::string::npos;
       at = made.find("\"additionalProperties\":false", at + 1)) {
    ++closed;
  }
  EXPECT_EQ(closed, 4U) << made;
  EXPECT_NE(made.find(R"("required":["list","one","ref"])"), std::string::npos) << made;
}

TEST(StrictSchema, IsNotMadeWhereItWouldAskForSomethingElse) {
  const char* const schemas[] = {
      R"({"type":"array","items":{"type":"string"}})",
      R"({"type":"object"})",
      R"({"type":"object","properties":{}})",
      R"({"type":"object","properties":{"a":{"type":"string"}}})",
      R"({"type":"object","properties":{"a":true},"required":["a"]})",
      R"({"type":"object","properties":{"a":{"type":"object"}},"required":["a"]})",
      R"({"type":"object","properties":{"a":{"type":"array"}},"required":["a"]})",
      R"({"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]})",
      R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]})",
      R"({"type":"object","properties":{"a":{}},"required":["a"],
          "additionalProperties":{"type":"string"}})",
      R"({"type":"object","properties":{"a":{}},"required":["a"],"patternProperties":{}})",
      R"({"type":"object","properties":{"a":{}},"required":["a"],"oneOf":[]})",
      R"(true)",
  };
  for (const char* schema : schemas) EXPECT_EQ(strict(schema), "") << schema;
}

TEST(StrictSchema, KeepsBoundsWhereTheyAreEnforcedOnly) {
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":"integer","minimum":0}},"required":["a"]})";
  EXPECT_NE(strict(schema).find(R"("minimum":0)"), std::string::npos);
  EXPECT_EQ(strict(schema, SchemaLimits::NoBounds), "");
}

TEST(StrictSchema, EndsAtTheDepthThatProvidersTake) {
  std::string schema = R"({"type":"string"})";
  for (int i = 0; i < 12; ++i) {
    schema = R"({"type":"object","properties":{"a":)" + schema + R"(},"required":["a"]})";
  }
  EXPECT_EQ(strict(schema), "");
}

}  // namespace
}  // namespace hone::model
