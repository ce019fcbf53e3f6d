#include "hone/process/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "hone/base/error.h"

namespace hone::process {
namespace {

bool has(const std::vector<std::string>& variables, const std::string& variable) {
  return std::ranges::find(variables, variable) != variables.end();
}

TEST(Environment, KeepsWhatIsOursAndPassesTheRestOn) {
  ::setenv("HONE_STORE", "secret", 1);
  ::setenv("OPENAI_API_KEY", "secret", 1);
  ::setenv("ANTHROPIC_API_KEY", "secret", 1);
  ::setenv("SHONE_ON", "public", 1);
  const auto variables = child_environment({});
  for (const std::string& variable : variables) {
    EXPECT_FALSE(is_private(variable.substr(0, variable.find('=')))) << variable;
    EXPECT_EQ(variable.find("secret"), std::string::npos) << variable;
  }
  EXPECT_TRUE(has(variables, "SHONE_ON=public"));
}

TEST(Environment, AddedVariablesReplaceInheritedOnesAndMayHaveOurNames) {
  ::setenv("SHONE_ON", "old", 1);
  const auto variables = child_environment({{"SHONE_ON", "new=er"}, {"HONE_ATTEMPT", "2"}});
  EXPECT_TRUE(has(variables, "SHONE_ON=new=er"));
  EXPECT_TRUE(has(variables, "HONE_ATTEMPT=2"));
  EXPECT_FALSE(has(variables, "SHONE_ON=old"));
}

TEST(Environment, NamesOfVariables) {
  struct Case {
    std::string_view name;
    bool good;
  };
  for (const Case& test : {Case{"A", true}, Case{"_a9", true}, Case{"", false}, Case{"9a", false},
                           Case{"a=b", false}, Case{"a/b", false}, Case{"ü", false}}) {
    EXPECT_EQ(is_variable_name(test.name), test.good) << test.name;
  }
}

TEST(Environment, RejectsWhatCannotBeAVariable) {
  EXPECT_THROW(child_environment({{"A=B", "1"}}), Error);
  EXPECT_THROW(child_environment({{"A", std::string("1\0002", 3)}}), Error);
}

}  // namespace
}  // namespace hone::process
