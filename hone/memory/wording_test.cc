#include "hone/memory/wording.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hone::memory {
namespace {

TEST(Wording, SaysWhatASecretWasInsteadOfIt) {
  const std::string key = "sk-proj-" + std::string("abcdEFGH0123456789abcd");
  const std::pair<std::string, std::string> cases[] = {
      {"The key " + key + " was refused.", "The key a credential was refused."},
      {"Log in with password: hunter2!", "Log in with password: a credential"},
      {"api_key=abc123 is wrong", "api_key=a credential is wrong"},
      {"Ask jane.doe@example.com, please.", "Ask an e-mail address, please."},
      {"Call +49 170 1234567 first.", "Call a telephone number first."},
      {"The host db7.prod.internal timed out.", "The host an internal address timed out."},
      {"See http://10.0.3.7:8080/status.", "See an internal address."},
      {"10.0.3.7 does not answer", "an internal address does not answer"},
      {"https://git.corp/repo?x=1 moved", "an internal address moved"}};
  for (const auto& [text, clean] : cases) EXPECT_EQ(generic(text), clean);
}

TEST(Wording, LeavesAdviceAlone) {
  for (const std::string text :
       {"Check the token: it expires after an hour.", "Version 1.2.3 has no such flag.",
        "Use [item_1] as the name.", "See https://docs.python.org/3/library/json.html.",
        "Bind to 127.0.0.1, not to all.", "a+b@c", "2 + 3 = 5", "日本語、русский, 🎉",
        "Passwords need a salt.", "+1", "x@y"}) {
    EXPECT_EQ(generic(text), text);
  }
}

TEST(Wording, CleansEveryTextOfALesson) {
  StoredLesson lesson{.text = "Mail a.b@example.org."};
  lesson.task = lesson.conditions = lesson.provenance.evidence = lesson.text;
  lesson.reflection = {lesson.text, lesson.text, lesson.text, lesson.text,
                       lesson.text, lesson.text, lesson.text, lesson.text};
  const StoredLesson clean = generic(lesson);
  const std::string said = "Mail an e-mail address.";
  EXPECT_EQ(clean.text, said);
  EXPECT_EQ(clean.task, said);
  EXPECT_EQ(clean.conditions, said);
  EXPECT_EQ(clean.provenance.evidence, said);
  EXPECT_EQ(clean.reflection, (core::Reflection{said, said, said, said, said, said, said, said}));
}

RC_GTEST_PROP(Wording, SaysTheSameTheSecondTime, (const std::string& text)) {
  RC_ASSERT(generic(generic(text)) == generic(text));
}

}  // namespace
}  // namespace hone::memory
