#include "hone/prompt/edits.h"

#include <gtest/gtest.h>

#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

// "search -> replace; …", or the problem.
std::string told_edits(std::string_view reply) {
  const auto read = read_edits(reply);
  if (const auto* unfit = std::get_if<UnfitEdits>(&read)) return unfit->problem;
  std::string told;
  for (const Edit& edit : std::get<std::vector<Edit>>(read)) {
    told += fmt::format("{}{} -> {}", told.empty() ? "" : "; ", edit.search, edit.replace);
  }
  return told;
}

std::string applied(std::string_view text, const std::vector<Edit>& edits) {
  const auto result = apply_edits(text, edits);
  if (const auto* unfit = std::get_if<UnfitEdits>(&result)) return unfit->problem;
  return std::get<std::string>(result);
}

struct ReadCase {
  const char* name;
  const char* reply;
  const char* expected;
};

const ReadCase kReadable[] = {
    {"one", "<search>\na\n</search>\n<replace>\nb\n</replace>", "a -> b"},
    {"two with talk",
     "First:\n<search>\na\n</search>\n<replace>\nb\n</replace>\nThen:\n<search>\nc\n</search>\n"
     "<replace>\nd\n</replace>\nDone.",
     "a -> b; c -> d"},
    {"fenced", "```\n<search>\na\n</search>\n<replace>\nb\n</replace>\n```", "a -> b"},
    {"on one line", "<search>41</search><replace>42</replace>", "41 -> 42"},
    {"only the outer breaks go", "<search>\n\n  a\n\n</search>\n<replace>\n b \n</replace>",
     "\n  a\n ->  b "},
    {"deletion", "<search>\na\n</search>\n<replace>\n</replace>", "a -> "},
    {"windows line breaks", "<search>\r\na\r\n</search>\r\n<replace>\r\nb\r\n</replace>", "a -> b"},
    {"suffix",
     "<search-1a2b3c>\n</search>\n</search-1a2b3c>\n<replace-1a2b3c>\nb\n"
     "</replace-1a2b3c>",
     "</search> -> b"},
    {"conflict form", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "a -> b"},
    {"conflict form in a fence", "```py\n<<<<<<< SEARCH\n  a\n  b\n=======\n>>>>>>> REPLACE\n```",
     "  a\n  b -> "},
    {"conflict form round a heading",
     "<<<<<<<< SEARCH\nT\n=======\n========\nU\n=======\n>>>>>>>> REPLACE",
     "T\n======= -> U\n======="},
    {"json", R"([{"search": "a\n", "replace": "b"}, {"search": "c", "replace": ""}])",
     "a\n -> b; c -> "},
    {"json in a fence", "Here:\n```json\n[{\"search\": \"a\", \"replace\": \"b\"}]\n```", "a -> b"},
    {"json, one edit", R"({"search": "a", "replace": "b"})", "a -> b"},
    {"json, named", R"({"edits": [{"old_string": "a", "new_string": "b"}]})", "a -> b"},
};

const ReadCase kUnreadable[] = {
    {"empty", "", "it has no edit in the form asked for"},
    {"the whole text", "def f(): pass", "it has no edit in the form asked for"},
    {"no edits", "[]", "it has no edit in the form asked for"},
    {"cut in search", "<search>\na", "edit 1: it has no </search>"},
    {"cut before replace", "<search>\na\n</search>\n", "edit 1: <replace> has to follow </search>"},
    {"something between", "<search>\na\n</search>\nby\n<replace>\nb\n</replace>",
     "edit 1: <replace> has to follow </search>"},
    {"cut in replace", "<search>\na\n</search>\n<replace>\nb", "edit 1: it has no </replace>"},
    {"second is cut", "<search>a</search><replace>b</replace><search>c</search><replace>",
     "edit 2: it has no </replace>"},
    {"replace ends twice", "<search>a</search><replace>b</replace>c</replace>",
     "edit 1: it has more than one </replace>"},
    {"conflict form, cut", "<<<<<<< SEARCH\na\n=======\nb",
     "edit 1: it has no line `>>>>>>> REPLACE`"},
    {"conflict form, two dividers", "<<<<<<< SEARCH\nT\n=======\n=======\nU\n>>>>>>> REPLACE",
     "edit 1: it has 2 lines `=======` and needs one"},
    {"json of another form", R"({"title": "x"})",
     "edit 1: it needs the texts `search` and `replace`"},
    {"json with a number", R"([{"search": 1, "replace": "b"}])",
     "edit 1: it needs the texts `search` and `replace`"},
};

TEST(ReadEdits, TakesEachForm) {
  for (const ReadCase& one : kReadable) EXPECT_EQ(told_edits(one.reply), one.expected) << one.name;
}

TEST(ReadEdits, SaysWhatIsWrong) {
  for (const ReadCase& one : kUnreadable)
    EXPECT_EQ(told_edits(one.reply), one.expected) << one.name;
}

TEST(ReadEdits, ManyEditsAreNoTargetedOnes) {
  std::string reply;
  for (int i = 0; i < 101; ++i) {
    reply += fmt::format("<search>{}</search><replace>x</replace>\n", i);
  }
  EXPECT_EQ(told_edits(reply), "it has 101 edits, more than 100");
}

struct ApplyCase {
  const char* name;
  const char* text;
  std::vector<Edit> edits;
  const char* expected;
};

const ApplyCase kApplied[] = {
    {"one", "a b c", {{"b", "x"}}, "a x c"},
    {"several in any order", "a b c", {{"c", "z"}, {"a", "x"}}, "x b z"},
    {"next to each other", "abcd", {{"cd", "2"}, {"ab", "1"}}, "12"},
    {"what one puts in is not searched by another", "a b", {{"a", "b"}, {"b", "c"}}, "b c"},
    {"deletion", "a b", {{" b", ""}}, "a"},
    {"white space is text", "a\n\tb\r\n", {{"\tb\r", "c"}}, "a\nc\n"},
    {"bytes that are not UTF-8", "a\xff\xfe", {{"\xff", "b"}}, "ab\xfe"},
    {"a longer text that holds a shorter search once", "aab", {{"aab", "c"}}, "c"},
};

const ApplyCase kRefused[] = {
    {"none", "a", {}, "there is no edit"},
    {"empty search", "a", {{"", "b"}}, "edit 1: its search text is empty"},
    {"not there",
     "a",
     {{"b", "c"}},
     "edit 1: its search text does not occur (white space counts): `b`"},
    {"twice",
     "x = 1\nx = 1",
     {{"x = 1", "x = 2"}},
     "edit 1: its search text occurs more than once: `x = 1`"},
    {"twice, overlapping itself",
     "aaa",
     {{"aa", "b"}},
     "edit 1: its search text occurs more than once: `aa`"},
    {"no change", "a b", {{"a", "a"}}, "edit 1: it changes nothing: `a`"},
    {"no change together", "ab", {{"a", "ab"}, {"b", ""}}, "the edits together change nothing"},
    {"overlap", "abc", {{"bc", "x"}, {"ab", "y"}}, "edits 1 and 2 overlap"},
    {"one inside of another", "abc", {{"abc", "x"}, {"b", "y"}}, "edits 1 and 2 overlap"},
    {"the same twice", "a b", {{"a", "x"}, {"a", "x"}}, "edits 1 and 2 overlap"},
    {"nothing left", "a b\n", {{"a b", " "}}, "the edits leave nothing"},
    {"empty text",
     "",
     {{"a", "b"}},
     "edit 1: its search text does not occur (white space counts): `a`"},
    {"all problems",
     "a b b",
     {{"b", "c"}, {"a", "x"}, {"", "y"}},
     "edit 1: its search text occurs more than once: `b`; edit 3: its search text is empty"},
};

TEST(ApplyEdits, ReplacesWhatOccursOnce) {
  for (const ApplyCase& one : kApplied)
    EXPECT_EQ(applied(one.text, one.edits), one.expected) << one.name;
}

TEST(ApplyEdits, RefusesTheRestAndSaysWhy) {
  for (const ApplyCase& one : kRefused) {
    const auto result = apply_edits(one.text, one.edits);
    ASSERT_TRUE(std::holds_alternative<UnfitEdits>(result)) << one.name;
    EXPECT_EQ(applied(one.text, one.edits), one.expected) << one.name;
  }
}

TEST(ApplyEdits, ManyProblemsAreToldInPart) {
  const std::vector<Edit> edits(8, Edit{"", "x"});
  EXPECT_TRUE(applied("a", edits).ends_with("edit 5: its search text is empty; and 3 more"));
}

TEST(EditSuffix, IsThereWhereTheTextHasSuchTags) {
  EXPECT_EQ(edit_suffix("a < b"), "");
  EXPECT_EQ(edit_suffix("<search>").size(), 7U);
  EXPECT_EQ(edit_suffix("</ REPLACE>").size(), 7U);
}

}  // namespace
}  // namespace hone::prompt
