#include "hone/yaml/field.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace hone::yaml {
namespace {

constexpr std::array<std::string_view, 4> kKnown{"attempts", "threshold", "check", "deep"};

struct Case {
  std::string text;
  std::function<void(const Fields&)> read;
  std::string message;
  std::string hint;
};

TEST(Field, SaysWhatMustStandThereAndWhatStandsThere) {
  const Case cases[] = {
      {"attempts: three", [](const Fields& f) { f.get("attempts").whole(1); },
       "t:1:11: `attempts` must be a whole number, this is the text \"three\"", ""},
      {"attempts: 1.5", [](const Fields& f) { f.get("attempts").whole(1); },
       "t:1:11: `attempts` must be a whole number, this is the number 1.5", ""},
      {"attempts: 0", [](const Fields& f) { f.get("attempts").whole(1); },
       "t:1:11: `attempts` must be a whole number of at least 1, this is the whole number 0", ""},
      {"attempts: 11", [](const Fields& f) { f.get("attempts").whole(1, 10); },
       "t:1:11: `attempts` must be a whole number from 1 to 10, this is the whole number 11", ""},
      {"threshold: 1.2", [](const Fields& f) { f.get("threshold").number(0, 1); },
       "t:1:12: `threshold` must be a number from 0 to 1, this is the number 1.2", ""},
      {"threshold: .nan", [](const Fields& f) { f.get("threshold").number(0, 1); },
       "t:1:12: `threshold` must be a number from 0 to 1, this is the number nan", ""},
      {"attempts: many", [](const Fields& f) { f.get("attempts").count(1); },
       "t:1:11: `attempts` must be a whole number, such as 500 or 20k, this is the text \"many\"",
       ""},
      {"attempts: 0k", [](const Fields& f) { f.get("attempts").count(1); },
       "t:1:11: `attempts` must be a whole number of at least 1, this is the text \"0k\"", ""},
      {"attempts: soon", [](const Fields& f) { f.get("attempts").duration(); },
       "t:1:11: `attempts` must be a time, such as 90s or 250ms, this is the text \"soon\"", ""},
      {"attempts: -1", [](const Fields& f) { f.get("attempts").duration(); },
       "t:1:11: `attempts` must be a number from 0 to 1000000000, this is the whole number -1", ""},
      {"threshold: yes", [](const Fields& f) { f.get("threshold").boolean(); },
       "t:1:12: `threshold` must be true or false, this is the text \"yes\"", ""},
      {"check: 42", [](const Fields& f) { f.get("check").text(); },
       "t:1:8: `check` must be text, this is the whole number 42", "put it in quotes"},
      {"check:", [](const Fields& f) { f.get("check").text(); },
       "t:1:1: `check` must be text, this is nothing", ""},
      {"check: x", [](const Fields& f) { f.get("check").list(); },
       "t:1:8: `check` must be a list, this is the text \"x\"", ""},
      {"deep: [1]", [](const Fields& f) { f.get("deep").mapping(kKnown); },
       "t:1:7: `deep` must be a mapping, this is a list", ""},
      {"deep: {attempts: x}",
       [](const Fields& f) { f.get("deep").mapping(kKnown).get("attempts").whole(0); },
       "t:1:18: `deep.attempts` must be a whole number, this is the text \"x\"", ""},
      {"deep: {}", [](const Fields& f) { f.get("deep").mapping(kKnown).get("check"); },
       "t:1:7: the key `check` is missing in `deep`", ""},
      {"deep: {}", [](const Fields& f) { f.get("check"); }, "t:1:1: the key `check` is missing",
       ""},
      {"check: {x: .inf}", [](const Fields& f) { f.get("check").json(); },
       "t:1:8: JSON has no number inf", ""},
      {"a: 1\nb: 2", [](const Fields&) {}, "t:1:1: unknown key `a`",
       "known here: attempts, threshold, check, deep"},
      {"check: 1\nchek: 2", [](const Fields&) {},
       "t:2:1: unknown key `chek`; did you mean `check`?", ""},
      {"deep: {atempts: 1}", [](const Fields& f) { f.get("deep").mapping(kKnown); },
       "t:1:8: unknown key `atempts` in `deep`; did you mean `attempts`?", ""},
      {"[]", [](const Fields&) {}, "t:1:1: the document must be a mapping, this is a list", ""},
  };
  for (const Case& c : cases) {
    const Document document = parse(c.text, "t");
    try {
      c.read(Field(document).mapping(kKnown));
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), c.message);
      EXPECT_EQ(error.hint(), c.hint) << c.message;
    }
  }
}

TEST(Field, ReadsWhatFits) {
  const Document document =
      parse("attempts: 3\nthreshold: 1\ncheck: [a, ~]\ndeep: {check: {b: [1.5]}}\n", "t");
  const Fields fields = Field(document).mapping(kKnown);
  EXPECT_EQ(fields.get("attempts").whole(1, 3), 3);
  EXPECT_EQ(fields.get("threshold").number(0, 1), 1.0);
  const auto items = fields.get("check").list();
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].text(), "a");
  EXPECT_TRUE(items[1].is_null());
  const Fields deep = fields.get("deep").mapping(kKnown);
  EXPECT_EQ(deep.get("check").json().text, R"({"b":[1.5]})");
  EXPECT_FALSE(deep.find("attempts"));
  EXPECT_EQ(fields.all().size(), 4u);
  const Document quantities = parse("[20k, 500, 1.5, 2m]", "t");
  const auto values = Field(quantities).list();
  EXPECT_EQ(values[0].count(1), 20'000);
  EXPECT_EQ(values[1].count(1), 500);
  EXPECT_EQ(values[2].duration(), std::chrono::milliseconds(1500));
  EXPECT_EQ(values[3].duration(), std::chrono::minutes(2));
}

}  // namespace
}  // namespace hone::yaml
