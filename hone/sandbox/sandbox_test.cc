#include <gtest/gtest.h>

#include "hone/sandbox/testing.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::Language;

TEST(Sandbox, TellsWhatItRuns) {
  for (const Language language : kLanguages) {
    const Protection protection = sandbox().protection(language);
    EXPECT_FALSE(protection.version.empty()) << core::to_string(language);
    EXPECT_EQ(protection.missing, "") << core::to_string(language);
  }
}

struct ValueCase {
  const char* name;
  Language language;
  const char* code;
  const char* value;
};

const ValueCase kValues[] = {
    {"python return", Language::Python, "return len(output) == 4", "true"},
    {"python result", Language::Python, "result = 0.25", "0.25"},
    {"python changed output", Language::Python, "output = output == 'x'", "false"},
    {"python return in a branch", Language::Python,
     "n = len(output)\nif n > 3:\n    return {'valid': True, 'score': n / 4}\nreturn False",
     R"({"valid": true, "score": 1.0})"},
    {"python function sees globals", Language::Python,
     "import math\ndef f(): return math.pi + k\nk = 1\nreturn f() > 4", "true"},
    {"python annotated", Language::Python, "x: int = 3\ny: str\nreturn x == 3", "true"},
    {"python state", Language::Python, "return state['n'] == 7 and reflection_iteration == 2",
     "true"},
    {"python json and re", Language::Python,
     "return bool(re.search('a+', output)) and json.loads('[1]') == [1]", "true"},
    {"lua return", Language::Lua, "return #output == 4", "true"},
    {"lua result", Language::Lua, "result = 0.25", "0.25"},
    {"lua changed output", Language::Lua, "output = output == 'x'", "false"},
    {"lua table", Language::Lua, "return {valid = true, errors = {'a', 'b'}}",
     R"({"valid":true,"errors":["a","b"]})"},
    {"lua state", Language::Lua, "return state.n == 7 and reflection_iteration == 2", "true"},
    {"lua json", Language::Lua, "return json.decode('{\"a\":[true]}').a", "[true]"},
    {"prolog return", Language::Prolog, "return(valid, true).\nreturn(score, 0.5).",
     R"({"score":0.5, "valid":true})"},
    {"prolog bare return", Language::Prolog, ":- output(O), string_length(O, 4), return(true).",
     "true"},
    {"prolog goal", Language::Prolog, "state(n, N), N > 5, return(valid, true).",
     R"({"valid":true})"},
    {"prolog valid", Language::Prolog, "valid :- output(O), sub_string(O, _, _, _, \"aa\").\n",
     R"({"valid":true})"},
    {"prolog score", Language::Prolog, "score(S) :- S is 3 / 4.", R"({"score":0.75})"},
    {"prolog errors", Language::Prolog, "valid :- fail.\nerror('/title', 'too short').",
     R"({"errors": [ {"message":"too short", "path":"/title"} ], "valid":false})"},
    {"prolog iteration", Language::Prolog, "valid :- reflection_iteration(2).",
     R"({"valid":true})"},
};

class Values : public testing::TestWithParam<ValueCase> {};
TEST_P(Values, AsStated) {
  const auto result = called(GetParam().language, GetParam().code);
  ASSERT_EQ(result.end, CodeEnd::Returned) << result.message;
  ASSERT_TRUE(result.value.has_value()) << result.message;
  EXPECT_EQ(canonical(result.value->text), canonical(GetParam().value));
}
INSTANTIATE_TEST_SUITE_P(All, Values, testing::ValuesIn(kValues));

}  // namespace
}  // namespace hone::sandbox
