#include "hone/template/template.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "hone/base/error.h"

namespace hone::templates {
namespace {

std::string render(std::string_view source, std::string_view context,
                   const TemplateOptions& options = {}) {
  return Template("t", source, options).render(context);
}

// The error of compiling and rendering; fails the test if there is none.
Error error_of(std::string_view source, std::string_view context = "{}",
               const TemplateOptions& options = {}) {
  try {
    Template compiled("judge.jinja", source, options);
    ADD_FAILURE() << "rendered: " << compiled.render(context);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::Internal, ""};
}

TEST(Template, RendersValuesOfItsContext) {
  EXPECT_EQ(
      render("Hello {{ name }}, {{ items | length }} left\n", R"({"name":"Ada","items":[1,2]})"),
      "Hello Ada, 2 left");
}

TEST(Template, IsCompiledOnceAndRenderedManyTimes) {
  const Template compiled("t", "{% for x in xs %}{{ x }},{% endfor %}");
  EXPECT_EQ(compiled.render(R"({"xs":[1,2]})"), "1,2,");
  EXPECT_EQ(compiled.render(R"({"xs":[]})"), "");
}

TEST(Template, TakesVariablesWithoutJson) {
  const Template compiled(
      "t", "{{ text }}|{{ flag }}|{{ list | join('+') }}|{{ list | length }}|{{ json.a[1] }}");
  const std::vector<std::string> list{"a", "\"b\"", "\xff"};
  const JsonText json{R"({"a":[1,{"b":null}]})"};
  const std::vector<Variable> variables{
      {"text", "\\ < é \xff"}, {"flag", true}, {"list", std::span(list)}, {"json", &json}};
  EXPECT_EQ(compiled.render(variables), "\\ < é \uFFFD|True|a+\"b\"+\uFFFD|3|{'b': None}");
  EXPECT_EQ(Template("t", "{{ x is defined }} {{ y }}").render(std::vector<Variable>{{"y", ""}}),
            "False ");
  EXPECT_THROW(Template("t", "{{ x }}").render(std::vector<Variable>{{"y", ""}}), Error);
}

TEST(Template, KeepsCodeAndMarkupAsItIs) {
  EXPECT_EQ(render("{{ code }} {{ code | tojson }}", R"({"code":"a<b && c>'d' \\u003c"})"),
            R"(a<b && c>'d' \u003c "a<b && c>'d' \\u003c")");
}

TEST(Template, ReadsAndWritesJsonInTheOrderOfItsKeys) {
  EXPECT_EQ(
      render("{{ text | fromjson | tojson }}", R"({"text":"{\"b\":1.50,\"a\":[true,null]}"})"),
      R"({"b": 1.5, "a": [true, null]})");
}

TEST(Template, OnlyOwnLinesDropsTheLinesOfBlockTags) {
  constexpr std::string_view kSource = "a\n  {% if true %}\nb\n  {% endif %}\nc\n";
  EXPECT_EQ(render(kSource, "{}"), "a\n  \nb\n  \nc");
  EXPECT_EQ(render(kSource, "{}", {.blocks = Blocks::OwnLines}), "a\nb\nc");
}

TEST(Template, NamesWhatItTakesFromTheContext) {
  const Template compiled(
      "t",
      "{% set own = 1 %}{{ task }}{% for a in attempts %}{{ a.text ~ own ~ range(2) }}{% endfor %}"
      "{{ cycler('x').next() }}");
  EXPECT_EQ(compiled.undeclared_variables(), (std::vector<std::string>{"attempts", "task"}));
}

struct Bad {
  std::string_view name, source, message;
};
constexpr Bad kBad[] = {
    {"an undefined name", "a\n{{ nmae }}", "template `judge.jinja`:2: undefined value"},
    {"an undefined name in a condition", "{% if nmae %}{% endif %}", "undefined value"},
    {"an undefined member", "{{ input.nmae }}", "undefined value"},
    {"an unknown filter", "\n\n{{ input | shuot }}", "`judge.jinja`:3: unknown filter"},
    {"a tag that is not closed", "{% if true %}\n", "unexpected end of input"},
    {"an unknown tag", "{% fi %}", "unknown statement fi"},
    {"a wrong operand", "{{ 1 + 'a' }}", "invalid operation"},
    {"no JSON for fromjson", "{{ 'x' | fromjson }}", "fromjson: the text is not JSON"},
    {"another template", "{% include 'other' %}", "template not found"},
};

TEST(Template, SaysWhatIsWrongAndWhere) {
  for (const Bad& bad : kBad) {
    SCOPED_TRACE(bad.name);
    const Error error = error_of(bad.source, R"({"input":{}})");
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error.message().find(bad.message), std::string::npos) << error.message();
  }
}

TEST(Template, RefusesAContextThatIsNotJson) {
  EXPECT_EQ(error_of("x", "{").kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error_of("x", "\"\xff\"").kind(), ErrorKind::InvalidInput);
  EXPECT_EQ(error_of("x", std::string(100'000, '[')).kind(), ErrorKind::InvalidInput);
}

TEST(Template, StopsWhatNeverEnds) {
  constexpr std::string_view kLoops =
      "{% for a in range(9999) %}{% for b in range(9999) %}{% set x = a * b %}{% endfor %}{% "
      "endfor %}";
  const Error error = error_of(kLoops, "{}", {.fuel = 100'000});
  EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
  EXPECT_NE(error.message().find("does not come to an end"), std::string::npos) << error.message();
  EXPECT_EQ(error_of("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}").kind(),
            ErrorKind::InvalidInput);
}

TEST(Template, MayBeRenderedByManyThreadsAtOnce) {
  const Template compiled("t", "{% for x in range(n) %}{{ x }} {% endfor %}");
  const std::string expected = compiled.render(R"({"n":50})");
  std::vector<std::string> rendered(4);
  std::vector<std::jthread> threads;
  for (std::string& text : rendered) {
    threads.emplace_back([&compiled, &text] {
      for (int i = 0; i < 200; ++i) text = compiled.render(R"({"n":50})");
    });
  }
  threads.clear();
  for (const std::string& text : rendered) EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace hone::templates
