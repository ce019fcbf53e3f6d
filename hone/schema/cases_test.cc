// Runs tests/schema/cases.json, a table in the format of the official JSON-Schema-Test-Suite with
// two more keys: `drafts` for each group, and instead of `valid` the list of violations, each as
// "pointer keyword".
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/base/json.h"
#include "hone/schema/schema.h"

namespace hone::schema {
namespace {

Json table() {
  std::ifstream file("tests/schema/cases.json");
  EXPECT_TRUE(file) << "run from the source folder";
  return parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

const std::map<std::string, std::string> kDrafts{
    {"draft7", "http://json-schema.org/draft-07/schema#"},
    {"2019-09", "https://json-schema.org/draft/2019-09/schema"},
    {"2020-12", "https://json-schema.org/draft/2020-12/schema"},
};

std::string in_draft(const Json& schema, const std::string& draft) {
  Json dated = {{"$schema", kDrafts.at(draft)}};
  for (const auto& [name, value] : schema.items()) dated[name] = value;
  return dump(dated);
}

std::vector<std::string> found_by(const Schema& schema, const Json& instance) {
  const Result result = schema.check(dump(instance));
  EXPECT_EQ(result.valid, result.violations.empty());
  EXPECT_EQ(result.valid, result.share == 1);
  std::vector<std::string> found;
  for (const Violation& one : result.violations) found.push_back(one.instance + " " + one.keyword);
  return found;
}

TEST(Schema, FindsTheViolationsOfTheTableInEveryDraft) {
  std::size_t cases = 0;
  for (const Json& group : table()) {
    for (const Json& draft : group.at("drafts")) {
      SCOPED_TRACE(group.at("description").get<std::string>() + ", " + draft.get<std::string>());
      const Schema schema(in_draft(group.at("schema"), draft));
      for (const Json& test : group.at("tests")) {
        const auto expected = test.at("violations").get<std::vector<std::string>>();
        EXPECT_EQ(found_by(schema, test.at("data")), expected) << test.at("data");
        ++cases;
      }
    }
  }
  EXPECT_GE(cases, 300U);
}

}  // namespace
}  // namespace hone::schema
