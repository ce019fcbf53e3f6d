#include "hone/yaml/parse.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hone::yaml {
namespace {

std::string json_of(std::string_view text) { return dump(to_json(parse(text, "t.yaml").root)); }

std::string failure_of(std::string_view text, const Limits& limits = {}) {
  try {
    parse(text, "t.yaml", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    return error.message();
  }
  return "it was accepted";
}

TEST(Yaml, TypesPlainScalarsByTheCoreSchemaOnly) {
  struct Case {
    std::string text;
    std::string json;
  };
  const Case cases[] = {
      {"yes", R"("yes")"},
      {"no", R"("no")"},
      {"on", R"("on")"},
      {"off", R"("off")"},
      {"y", R"("y")"},
      {"true", "true"},
      {"True", "true"},
      {"TRUE", "true"},
      {"tRUE", R"("tRUE")"},
      {"'true'", R"("true")"},
      {"\"true\"", R"("true")"},
      {"false", "false"},
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"nUll", R"("nUll")"},
      {"'null'", R"("null")"},
      {"''", R"("")"},
      {"# nothing", "null"},
      {"17", "17"},
      {"017", "17"},
      {"+17", "17"},
      {"-17", "-17"},
      {"0o17", "15"},
      {"0o18", R"("0o18")"},
      {"0x1F", "31"},
      {"0x", R"("0x")"},
      {"1_000", R"("1_000")"},
      {"12:30", R"("12:30")"},
      {"2001-12-14", R"("2001-12-14")"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9.223372036854776e+18"},
      {"0.5", "0.5"},
      {".5", "0.5"},
      {"5.", "5.0"},
      {".", R"(".")"},
      {"1e3", "1000.0"},
      {"1e", R"("1e")"},
      {"-1.5E-2", "-0.015"},
      {"1e-999", "0.0"},
      {"1.2.3", R"("1.2.3")"},
      {"'42'", R"("42")"},
      {"!!str 42", R"("42")"},
      {"! 42", R"("42")"},
      {"|\n  42\n", R"("42\n")"},
      {">-\n  a\n  b\n", R"("a b")"},
      {"a b", R"("a b")"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(json_of(c.text), c.json) << c.text;
  }
}

TEST(Yaml, InfinityAndNanAreNumbersThatJsonHasNot) {
  EXPECT_EQ(std::get<double>(parse(".inf", "t").root.value), INFINITY);
  EXPECT_EQ(std::get<double>(parse("-.Inf", "t").root.value), -INFINITY);
  EXPECT_TRUE(std::isnan(std::get<double>(parse(".nan", "t").root.value)));
  EXPECT_THROW(to_json(parse("[.inf]", "t").root), Error);
}

TEST(Yaml, ReadsCollectionsInOrder) {
  EXPECT_EQ(json_of("b: 1\na:\n- x\n- {y: [], 1: ~}\n"), R"({"b":1,"a":["x",{"y":[],"1":null}]})");
  EXPECT_EQ(json_of("? a\n: b\n"), R"({"a":"b"})");
  EXPECT_EQ(json_of("---\na: 1\n...\n"), R"({"a":1})");
  EXPECT_EQ(json_of("%YAML 1.2\n---\na: 1\n"), R"({"a":1})");
  EXPECT_EQ(json_of("\xEF\xBB\xBF"
                    "a: 1\r\nb: 2\r\n"),
            R"({"a":1,"b":2})");
}

TEST(Yaml, QuestionMarksEndNoWord) {
  EXPECT_EQ(json_of("{a: Is it kind?, b: [what??, http://h/?q=1], c?: d}"),
            R"({"a":"Is it kind?","b":["what??","http://h/?q=1"],"c?":"d"})");
  EXPECT_EQ(json_of("a: x?\n'b?': \"y?\"\nc: |\n  z? # ?\n# why?\n"),
            R"({"a":"x?","b?":"y?","c":"z? # ?\n"})");
  EXPECT_EQ(json_of("? a?\n: [? b : c?]\n"), R"({"a?":[{"b":"c?"}]})");
  EXPECT_EQ(json_of("[&a? x, *a?]"), R"(["x","x"])");
  EXPECT_EQ(json_of("[\xEF\xB7\x90, 'y?']"), "[\"\xEF\xB7\x90\",\"y?\"]");
  const Document document = parse("[a??, b]", "t.yaml");
  EXPECT_EQ(std::get<Node::List>(document.root.value)[1].at, (Position{1, 7}));
  EXPECT_EQ(failure_of("[x?, \"\\?\"]"),
            "t.yaml:1:9: this is not YAML: unknown escape character: ?");
}

TEST(Yaml, KnowsThePlaceOfEveryValue) {
  const Document document = parse("a: 1\nüü: {b: [x,\n   \"y\"]}\n", "t.yaml");
  const auto& members = std::get<Node::Mapping>(document.root.value);
  EXPECT_EQ(document.root.at, (Position{1, 1}));
  EXPECT_EQ(members[0].value.at, (Position{1, 4}));
  EXPECT_EQ(members[1].at, (Position{2, 1}));
  EXPECT_EQ(members[1].value.at, (Position{2, 5}));
  const auto& list = std::get<Node::Mapping>(members[1].value.value)[0].value;
  EXPECT_EQ(list.at, (Position{2, 9}));
  EXPECT_EQ(std::get<Node::List>(list.value)[1].at, (Position{3, 4}));
}

TEST(Yaml, ReadsJson) {
  EXPECT_EQ(json_of(R"({"a":1,"b":[true,null,"x\/\u00e9\n"],"c":{}})"),
            R"({"a":1,"b":[true,null,"x/é\n"],"c":{}})");
  EXPECT_EQ(json_of("{\n\t\"a\": \"tab\",\n\t\"b\": 2\n}\n"), R"({"a":"tab","b":2})");
  EXPECT_EQ(json_of(R"(["\ud83d\ude00","\\ud83d\\ude00"])"), R"(["😀","\\ud83d\\ude00"])");
}

TEST(Yaml, CopiesWhatAliasesReferTo) {
  EXPECT_EQ(json_of("a: &x {b: 1}\nc: *x\nd: [*x, &y 2, *y]\n"),
            R"({"a":{"b":1},"c":{"b":1},"d":[{"b":1},2,2]})");
  EXPECT_EQ(json_of("- &k key\n- {*k : 1}\n"), R"(["key",{"key":1}])");
  EXPECT_EQ(json_of("a: &x 1\nb: &x 2\nc: *x\n"), R"({"a":1,"b":2,"c":2})");
  EXPECT_EQ(json_of("- &a [1, &b [2]]\n- [0, *b, *a]\n"), "[[1,[2]],[0,[2],[1,[2]]]]");
}

TEST(Yaml, SaysWhereAndWhatIsWrong) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: the key `a` stands here and at 1:1"},
      {"{a: 1, 'a': 2}", "t.yaml:1:8: the key `a` stands here and at 1:2"},
      {"{1: x, \"1\": y}", "t.yaml:1:8: the key `1` stands here and at 1:2"},
      {"a: &x {b: 1}\nc:\n  <<: *x\n", "t.yaml:3:3: merge keys (`<<`) are not part of YAML 1.2"},
      {"a: 1\n---\nb: 2\n", "t.yaml:2:1: something follows the end of the document"},
      {"a: 1\n...\nb: 2\n", "t.yaml:3:1: something follows the end of the document"},
      {"{a: 1} ]\n", "t.yaml:1:8: this bracket closes nothing"},
      {"{a: 1} b\n", "t.yaml:1:8: something follows the end of the document"},
      {"- a\nb: 1\n", "t.yaml:2:1: something follows the end of the document"},
      {"a: \"b\"\nc: 'it''s\nd: 1\n", "t.yaml:2:4: the text in quotes does not end"},
      {"a: &x \"b\\\"\n", "t.yaml:1:4: the text in quotes does not end"},
      {"a: 'x'\nb: 1\n c: 2\n", "t.yaml:3:3: this `:` starts a value where none can stand"},
      {"a: [1, 2\n", "t.yaml:1:4: this `[` is not closed by `]`, or a `,` is missing behind it"},
      {"a: {b: 1\n", "t.yaml:1:4: this `{` is not closed by `}`, or a `,` is missing behind it"},
      {"a: b: c\n", "t.yaml:1:5: this `:` starts a value where none can stand"},
      {"a:\n\tb: 1\n", "t.yaml:2:1: a tab cannot indent YAML"},
      {"a: 'x\n", "t.yaml:1:4: the text in quotes does not end"},
      {"a: *x\n", "t.yaml:1:4: this alias refers to no anchor"},
      {"a: &x [1, *x]\n", "t.yaml:1:11: this alias stands inside of what it refers to"},
      {"[a]: 1\n", "t.yaml:1:1: a key must be text, this is a list"},
      {": 1\n", "t.yaml:1:1: a key is missing in front of this `:`"},
      {"!!binary aGk=\n", "t.yaml:1:1: the tag `tag:yaml.org,2002:binary` is not supported"},
      {"a: !x {b: 1}\n", "t.yaml:1:4: the tag `!x` is not supported"},
      {"a: 1e999\n", "t.yaml:1:4: the number 1e999 is too large"},
      {"a: \"b\xFF\"\n", "t.yaml:1:1: this line is not UTF-8"},
      {"a: 1\nb: \x01\n", "t.yaml:2:4: a control character stands here"},
      {std::string("a\0b", 3), "t.yaml:1:2: a control character stands here"},
      {"a: 1\n b: 2\n", "t.yaml:2:3: this `:` starts a value where none can stand"},
      {"a: @x\n", "t.yaml:1:4: this character cannot start a value"},
  };
  for (const Case& c : cases) EXPECT_EQ(failure_of(c.text), c.message) << c.text;
}

TEST(Yaml, LimitsDepthLengthAndAliases) {
  EXPECT_EQ(failure_of(std::string(101, '[') + std::string(101, ']')),
            "t.yaml:1:101: the document nests deeper than 100");
  EXPECT_EQ(failure_of(std::string(100, '[') + std::string(100, ']')), "it was accepted");
  EXPECT_NE(failure_of(std::string(100'000, '[')), "it was accepted");
  EXPECT_EQ(failure_of("abc", {.bytes = 2}), "t.yaml:1:1: the file has 3 bytes, more than 2");

  std::string bomb = "- &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    bomb += "- &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) bomb += "*a" + std::to_string(i - 1) + (j < 8 ? ", " : "]\n");
  }
  EXPECT_NE(failure_of(bomb).find("repeat more than 10000 values"), std::string::npos);

  std::string long_text = "- &t " + std::string(900'000, 'x') + "\n";
  EXPECT_EQ(failure_of(long_text + "- *t\n"), "it was accepted");
  EXPECT_NE(failure_of(long_text + "- *t\n- *t\n").find("repeat more than"), std::string::npos);
}

TEST(Yaml, LongDocumentsTakeLinearTime) {
  std::string many_keys;
  for (int i = 0; i < 30'000; ++i) many_keys += "key" + std::to_string(i) + ": [a, 1, \"b\"]\n";
  const auto start = std::chrono::steady_clock::now();
  const Document document = parse(many_keys, "t.yaml");
  EXPECT_EQ(std::get<Node::Mapping>(document.root.value).size(), 30'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace hone::yaml
