#include "hone/schema/uri.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace hone::schema {
namespace {

struct Reference {
  std::string_view text, expected;
};
// RFC 3986, 5.4, but for the forms that no schema uses.
constexpr Reference kReferences[] = {
    {"g:h", "g:h"},
    {"g", "http://a/b/c/g"},
    {"./g", "http://a/b/c/g"},
    {"g/", "http://a/b/c/g/"},
    {"/g", "http://a/g"},
    {"//g", "http://g"},
    {"?y", "http://a/b/c/d;p?y"},
    {"g?y", "http://a/b/c/g?y"},
    {"#s", "http://a/b/c/d;p?q#s"},
    {"g#s", "http://a/b/c/g#s"},
    {"", "http://a/b/c/d;p?q"},
    {".", "http://a/b/c/"},
    {"..", "http://a/b/"},
    {"../g", "http://a/b/g"},
    {"../..", "http://a/"},
    {"../../g", "http://a/g"},
    {"../../../g", "http://a/g"},
    {"./../g", "http://a/b/g"},
    {"g/../h", "http://a/b/c/h"},
    {"g#s/../x", "http://a/b/c/g#s/../x"},
};

TEST(Uri, ResolvesReferencesAsTheStandardSays) {
  for (const Reference& reference : kReferences) {
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", reference.text), reference.expected) << reference.text;
  }
  EXPECT_EQ(resolved("task:/2/1/x.json", "../y.json#/a"), "task:/2/y.json#/a");
  EXPECT_EQ(resolved("", "y.json"), "y.json");
}

TEST(Uri, SplitsAtTheFragment) {
  EXPECT_EQ(without_fragment("a/b#c#d"), "a/b");
  EXPECT_EQ(fragment_of("a/b#c#d"), "c#d");
  EXPECT_EQ(fragment_of("a/b"), "");
}

TEST(Uri, LeavesEscapesAloneThatAreNone) {
  EXPECT_EQ(unescaped("a%2Fb%"), "a/b%");
  EXPECT_EQ(unescaped("%zz%4"), "%zz%4");
  EXPECT_EQ(escaped("a b/ü#"), "a%20b/%C3%BC%23");
}

RC_GTEST_PROP(Uri, EveryPathComesBack, (const std::string& path)) {
  RC_ASSERT(unescaped(escaped(path)) == path);
}

}  // namespace
}  // namespace hone::schema
