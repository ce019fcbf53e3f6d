#include "hone/base/redact.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

// Written in two halves so that no scanner takes the test for a leak.
const std::string kOpenAi = std::string("sk-") + "proj-abcdefghij0123456789KLMNOP";
const std::string kAnthropic = std::string("sk-") + "ant-api03-abcdefghij0123456789KLMNOP";

TEST(Redactor, GivesTheSameSecretTheSamePlaceholder) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact("a " + kOpenAi + ", b " + kAnthropic + ", c " + kOpenAi),
            "a [openai_key_1], b [anthropic_key_1], c [openai_key_1]");
  EXPECT_EQ(redactor.redact(kOpenAi), "[openai_key_1]");
  EXPECT_EQ(redactor.count(), 4u);
}

TEST(Redactor, SeesSecretsWhereverTheyStand) {
  for (std::size_t before = 0; before < 150; ++before) {
    for (const std::size_t after : {0, 1, 2, 3, 60, 61, 64, 65, 130}) {
      Redactor redactor;
      const std::string start(before, '.'), end(after, '!');
      EXPECT_EQ(redactor.redact(start + kOpenAi + end), start + "[openai_key_1]" + end) << before;
    }
  }
}

TEST(Redactor, LeavesShortTextsAlone) {
  for (const std::string text : {"", "s", "sk", "sk-", "AKIA", "hf_", "xoxb-", "Bearer "}) {
    EXPECT_EQ(Redactor().redact(text), text);
  }
}

TEST(Redactor, KeepsTheWordBearer) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact("Authorization: Bearer abcdef0123456789xyz"),
            "Authorization: Bearer [bearer_1]");
}

TEST(Redactor, SeesSecretsBehindEscapesOfJson) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact(R"({"text":"keys:\n)" + kOpenAi + "\"}"),
            R"({"text":"keys:\n[openai_key_1]"})");
}

TEST(Redactor, LeavesTextThatOnlyTalksAboutKeys) {
  for (const std::string text :
       {"Set your API key in OPENAI_API_KEY.", "sk-learn is a library",
        "task-012345678901234567890123", "sk-a-name-with-many-hyphens-in-it",
        "Bearer tokens are described in RFC 6750."}) {
    Redactor redactor;
    EXPECT_EQ(redactor.redact(text), text);
  }
}

}  // namespace
}  // namespace hone
