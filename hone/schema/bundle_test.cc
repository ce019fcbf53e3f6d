#include "hone/schema/bundle.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "hone/base/error.h"

namespace hone::schema {
namespace {

using Files = std::map<std::string, std::string>;

ReadFile reading(const Files& files) {
  return [&files](const std::string& path) {
    const auto found = files.find(path);
    if (found == files.end()) throw Error(ErrorKind::NotFound, "there is no file " + path);
    return JsonText{found->second};
  };
}

JsonText bundle_of(const std::string& schema, const Files& files, std::string_view file = "") {
  return bundled({schema}, file, reading(files));
}

std::string message_of(const std::string& schema, const Files& files) {
  try {
    bundle_of(schema, files);
  } catch (const Error& error) {
    return error.message() + " | " + error.hint();
  }
  return "no error";
}

struct Found {
  const char* name;
  std::string schema;
  Files files;
  std::string wrong;  // An instance that the schema in the files refuses.
  std::string right;
  std::string file = "";
};

std::vector<Found> found() {
  const std::string integer = R"({"type":"integer"})";
  return {
      {"beside the task", R"({"$ref":"file://a.json"})", {{"a.json", integer}}, "\"x\"", "1"},
      {"without the scheme", R"({"$ref":"a.json"})", {{"a.json", integer}}, "\"x\"", "1"},
      {"in a folder", R"({"$ref":"file://d/a.json"})", {{"d/a.json", integer}}, "\"x\"", "1"},
      {"above", R"({"$ref":"file://../s/a.json"})", {{"../s/a.json", integer}}, "\"x\"", "1"},
      {"absolute", R"({"$ref":"file:///s/a.json"})", {{"/s/a.json", integer}}, "\"x\"", "1"},
      {"with a blank", R"({"$ref":"file://a b.json"})", {{"a b.json", integer}}, "\"x\"", "1"},
      {"a part of it",
       R"({"properties":{"n":{"$ref":"file://a.json#/$defs/n"}}})",
       {{"a.json", R"({"$defs":{"n":{"type":"integer"}}})"}},
       R"({"n":"x"})",
       R"({"n":1})"},
      {"an anchor",
       R"({"$ref":"a.json#n"})",
       {{"a.json", R"({"$defs":{"n":{"$anchor":"n","type":"integer"}}})"}},
       "\"x\"",
       "1"},
      {"nested, beside the file",
       R"({"$ref":"d/a.json"})",
       {{"d/a.json", R"({"$ref":"b.json"})"}, {"d/b.json", integer}},
       "\"x\"",
       "1"},
      {"nested, beside the task",
       R"({"$ref":"d/a.json"})",
       {{"d/a.json", R"({"$ref":"file://b.json"})"}, {"b.json", integer}},
       "\"x\"",
       "1"},
      {"nested, above",
       R"({"$ref":"../d/a.json"})",
       {{"../d/a.json", R"({"$ref":"../../b.json"})"}, {"../../b.json", integer}},
       "\"x\"",
       "1"},
      {"round in a circle",
       R"({"properties":{"n":{"type":"integer"},"c":{"$ref":"a.json"}}})",
       {{"a.json", R"({"properties":{"c":{"$ref":"b.json"}}})"},
        {"b.json", R"({"properties":{"c":{"$ref":"a.json"}},"required":["n"]})"}},
       R"({"c":{"c":{}}})",
       R"({"c":{"c":{"n":1}}})"},
      {"a schema in a file of its own",
       R"({"$ref":"b.json"})",
       {{"d/b.json", integer}},
       "\"x\"",
       "1",
       "d/a.json"},
      {"draft 7, where a reference stands alone",
       R"({"$schema":"http://json-schema.org/draft-07/schema#","$ref":"a.json"})",
       {{"a.json",
         R"({"definitions":{"n":{"type":"integer"}},"allOf":[{"$ref":"#/definitions/n"}]})"}},
       "\"x\"",
       "1"},
      {"a file with an $id",
       R"({"$ref":"a.json"})",
       {{"a.json",
         R"({"$id":"https://example.test/a","$ref":"#/$defs/n","$defs":{"n":{"type":"integer"}}})"}},
       "\"x\"",
       "1"},
  };
}

TEST(Bundle, HoldsWhatTheReferencesLeadTo) {
  for (const Found& one : found()) {
    SCOPED_TRACE(one.name);
    const Schema schema(bundle_of(one.schema, one.files, one.file).text);
    EXPECT_FALSE(schema.check(one.wrong).valid);
    EXPECT_TRUE(schema.check(one.right).valid);
  }
}

TEST(Bundle, IsTheSameTextWhereNothingIsReferredTo) {
  for (const char* text :
       {R"({ "type" : "object" })", "true", R"({"$ref":"#/$defs/a","$defs":{"a":{}}})"}) {
    EXPECT_EQ(bundle_of(text, {}).text, text);
    EXPECT_FALSE(is_bundle(text));
  }
}

TEST(Bundle, DoesNotSayWhereTheTaskLies) {
  const std::string text = bundle_of(R"({"$ref":"file://d/a.json"})",
                                     {{"d/a.json", R"({"$ref":"b.json"})"}, {"d/b.json", "true"}})
                               .text;
  EXPECT_TRUE(is_bundle(text));
  EXPECT_EQ(
      text,
      R"({"$ref":"task:/8/7/6/5/4/3/2/1/d/a.json","x-bundle":{"base":"task:/8/7/6/5/4/3/2/1/task",)"
      R"("documents":{"task:/8/7/6/5/4/3/2/1/d/a.json":{"$ref":"b.json"},)"
      R"("task:/8/7/6/5/4/3/2/1/d/b.json":true}}})");
}

TEST(Bundle, LeavesValuesAloneThatLookLikeReferences) {
  const std::string text =
      bundle_of(R"({"const":{"$ref":"file://no.json"},"not":{"$ref":"a.json"}})",
                {{"a.json", "false"}})
          .text;
  EXPECT_NE(text.find(R"("const":{"$ref":"file://no.json"})"), std::string::npos) << text;
}

TEST(Bundle, CoercesAndGradesByWhatStandsInFiles) {
  const Files files{
      {"order.json", R"({"type":"object","properties":{"total":{"$ref":"types.json#/$defs/money"}},
                                      "required":["total","items"]})"},
      {"types.json",
       R"({"$id":"https://example.test/types","$defs":{"money":{"type":"integer","minimum":1}}})"}};
  const Schema schema(bundle_of(R"({"$ref":"file://order.json"})", files).text);
  EXPECT_EQ(schema.coerce(R"({"total":"5","items":[]})").text, R"({"total":5,"items":[]})");
  // type, items is missing; total: type, required, minimum.
  EXPECT_DOUBLE_EQ(schema.check(R"({"total":5})").share, 4.0 / 5);
}

struct Refused {
  const char* name;
  std::string schema;
  Files files;
  std::string said;
};

TEST(Bundle, SaysWhatToDoAboutAReferenceThatLeadsNowhere) {
  const Refused cases[] = {
      {"the network",
       R"({"$ref":"https://example.test/a.json"})",
       {},
       "the schema refers to https://example.test/a.json, and schemas are never fetched | save it "
       "beside the task file and refer to it as `file://NAME`"},
      {"the network, from an $id",
       R"({"$id":"http://example.test/s/b.json","$ref":"a.json"})",
       {},
       "the schema refers to http://example.test/s/a.json, and"},
      {"the network, from a file",
       R"({"$ref":"a.json"})",
       {{"a.json", R"({"$ref":"http://example.test/"})"}},
       "the schema refers to http://example.test/, and"},
      {"something else",
       R"({"$ref":"urn:a:b"})",
       {},
       "the reference to urn:a:b leads to another document"},
      {"no such file", R"({"$ref":"a.json"})", {}, "there is no file a.json"},
      {"no schema",
       R"({"$ref":"a.json"})",
       {{"a.json", R"({"type":"txt"})"}},
       R"(`a.json`: reading a JSON Schema: the schema at /type: "txt" is not a type)"},
      {"no such place",
       R"({"$ref":"a.json#/$defs/x"})",
       {{"a.json", "{}"}},
       "/$defs/x leads nowhere"}};
  for (const Refused& one : cases) {
    const std::string message = message_of(one.schema, one.files);
    EXPECT_NE(message.find(one.said), std::string::npos) << one.name << ": " << message;
  }
}

TEST(Bundle, EndsWhereFilesReferToEverMoreFiles) {
  int files = 0;
  const ReadFile endless = [&](const std::string&) {
    return JsonText{R"({"$ref":"f)" + std::to_string(++files) + R"(.json"})"};
  };
  EXPECT_THROW(bundled({R"({"$ref":"f0.json"})"}, "", endless), Error);
  EXPECT_EQ(files, static_cast<int>(kMostDocuments));
}

}  // namespace
}  // namespace hone::schema
