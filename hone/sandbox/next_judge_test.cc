// Nothing that one call does reaches the judge of the next.
#include <gtest/gtest.h>

#include "hone/sandbox/testing.h"

namespace hone::sandbox {
namespace {

using core::CodeEnd;
using core::CodeResult;
using core::Language;

constexpr const char* kTrue = "true";

struct Leak {
  Language language;
  const char* change;
  const char* look;
};

// Changing the judge of the next call: what one call leaves behind, the next does not see.
class NextJudge : public testing::TestWithParam<Leak> {};
TEST_P(NextJudge, IsTheSame) {
  called(GetParam().language, GetParam().change);
  const CodeResult result = called(GetParam().language, GetParam().look);
  EXPECT_TRUE(result.end == CodeEnd::Raised || (result.value && result.value->text != kTrue))
      << core::to_string(result.end);
  EXPECT_TRUE(honest_call_succeeds(sandbox(), GetParam().language, false));
}
INSTANTIATE_TEST_SUITE_P(
    All, NextJudge,
    testing::Values(Leak{Language::Python, "import builtins\nbuiltins.judge = True\nreturn True",
                         "import builtins\nreturn hasattr(builtins, 'judge')"},
                    Leak{Language::Python, "json.dumps = lambda *a, **k: 'true'\nreturn True",
                         "return False"},
                    Leak{Language::Lua, "judge = true return true", "return judge ~= nil"},
                    Leak{Language::Lua, "string.len = function() return 0 end return true",
                         "return string.len('x') == 0"},
                    Leak{Language::Prolog, ":- assertz(judge(true)), return(true).",
                         ":- judge(true), return(true)."},
                    Leak{Language::Prolog, ":- assertz(user:judge(true)), return(true).",
                         ":- user:judge(true), return(true)."}));

TEST(NextJudge, OfAReusedProcessDoesNotSeeTheFactsAndGlobalsOfTheLast) {
  for (const auto& [language, change, look] :
       {Leak{Language::Lua, "judge = true return true", "return judge ~= nil"},
        Leak{Language::Python, "judge = True\nreturn True", "return 'judge' in globals()"},
        Leak{Language::Prolog, "judge(true).\n:- assertz(judge(false)), return(true).",
             ":- judge(true), return(true)."}}) {
    for (const char* code : {change, look}) {
      core::CodeRequest request = request_for(language, code);
      request.trusted = true;
      const CodeResult result = sandbox().run_here(request);
      if (code == look) {
        EXPECT_FALSE(result.value && result.value->text == kTrue);
      }
    }
  }
}

}  // namespace
}  // namespace hone::sandbox
