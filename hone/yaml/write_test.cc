#include "hone/yaml/write.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/yaml/parse.h"

namespace hone::yaml {
namespace {

Json read_back(const Json& value) { return to_json(parse(write(value), "t.yaml").root); }

TEST(Write, TextOfSeveralLinesStandsAsItIs) {
  const Json value = {{"name", "memo"},
                      {"text", "First: line\n  - second\n\nlast"},
                      {"list", {{{"a", 1}, {"b", "x\ny\n"}}, 2.5, "true", Json::array()}},
                      {"none", nullptr}};
  EXPECT_EQ(write(value), R"(name: memo
text: |-
  First: line
    - second

  last
list:
  - a: 1
    b: |
      x
      y
  - 2.5
  - "true"
  - []
none: null
)");
  EXPECT_EQ(read_back(value), value);
}

TEST(Write, ReadsBackWhatBlocksCannotCarry) {
  for (const std::string text : {"",
                                 "\n",
                                 "\n\n",
                                 "a\n\n\n",
                                 " a\nb",
                                 "\ta\nb",
                                 "a\n \nb",
                                 "a\n\tb",
                                 "a\r\nb",
                                 "a\x01\nb",
                                 "# a\nb",
                                 "--- \na\n...\n",
                                 "a\n# b",
                                 "%YAML\nb",
                                 "null",
                                 "1e3",
                                 "~",
                                 "- a",
                                 "a: b",
                                 "? a",
                                 "? a\n? b",
                                 "\"",
                                 "\\",
                                 "a\n\"b\n'",
                                 "\xC2\x85\na",
                                 "\xE2\x80\xA8\na",
                                 "\xEF\xBB\xBF"
                                 "a\nb",
                                 "\x7F\nb",
                                 "a\n\xF0\x9F\x98\x80",
                                 "|\n-",
                                 ">",
                                 "a\nb ",
                                 "a \n b\n\n  c  \n"}) {
    const Json value = {{"k", {{"text", text}, {"list", {text, text}}}}, {text + "k", text}};
    EXPECT_EQ(read_back(value), value) << write(value);
  }
}

Json any_value(int depth) {
  const int kind = *rc::gen::inRange(0, depth > 2 ? 6 : 8);
  static const std::vector<std::string> kPieces{"a",  "b c", "\n",     "\n\n", " ",  "\t", "#",
                                                ": ", "-",   "\"",     "'",    "|",  "{",  "]",
                                                "\\", "é",   "\u00a0", "\x02", "? ", "0",  "%"};
  if (kind == 0) return Json(nullptr);
  if (kind == 1) return Json(*rc::gen::arbitrary<bool>());
  if (kind == 2) return Json(*rc::gen::arbitrary<std::int64_t>());
  if (kind == 3) return Json(*rc::gen::inRange(-1000000, 1000000) / 1024.0);
  if (kind < 6) {
    std::string text;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) text += *rc::gen::elementOf(kPieces);
    return Json(text);
  }
  Json value = kind == 6 ? Json::array() : Json::object();
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    if (kind == 6) value.push_back(any_value(depth + 1));
    if (kind == 7) value[*rc::gen::elementOf(kPieces) + std::to_string(i)] = any_value(depth + 1);
  }
  return value;
}

RC_GTEST_PROP(Write, EveryValueReadsBackAsItWas, ()) {
  const Json value = {{"v", any_value(0)}};
  RC_ASSERT(read_back(value) == value);
  RC_ASSERT(write(read_back(value)) == write(value));
}

}  // namespace
}  // namespace hone::yaml
