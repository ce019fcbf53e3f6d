#include "hone/base/redact.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone {
namespace {

// Written in two halves so that no scanner takes the test for a leak.
const std::string kOpenAi = std::string("sk-") + "proj-abcdefghij0123456789KLMNOP";
const std::string kAnthropic = std::string("sk-") + "ant-api03-abcdefghij0123456789KLMNOP";

TEST(Redactor, GivesTheSameSecretTheSamePlaceholder) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact("a " + kOpenAi + ", b " + kAnthropic + ", c " + kOpenAi),
            "a [OPENAI_KEY_1], b [ANTHROPIC_KEY_1], c [OPENAI_KEY_1]");
  EXPECT_EQ(redactor.redact(kOpenAi), "[OPENAI_KEY_1]");
  EXPECT_EQ(redactor.count(), 4u);
}

TEST(Redactor, SeesSecretsWhereverTheyStand) {
  for (std::size_t before = 0; before < 150; ++before) {
    for (const std::size_t after : {0, 1, 2, 3, 60, 61, 64, 65, 130}) {
      Redactor redactor;
      const std::string start(before, '.'), end(after, '!');
      EXPECT_EQ(redactor.redact(start + kOpenAi + end), start + "[OPENAI_KEY_1]" + end) << before;
    }
  }
}

// Texts in which nothing was found are remembered, those of other classes and with secrets are not.
TEST(Redactor, LooksAgainAtTextsThatHadSecretsOrPassedWithOtherClasses) {
  const std::string text = std::string(200, '.') + " Write to ada@example.org.";
  const std::string expected = std::string(200, '.') + " Write to [EMAIL_1].";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Redactor().redact(text), expected) << i;
  Redactor redactor;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(redactor.redact(text), expected) << i;

  const std::string mails = std::string(200, '-') + " Write to bob@example.org.";
  const std::string keys = std::string(200, '-') + " The key is " + kOpenAi;
  const std::string hosts = std::string(200, '-') + " The host is 10.0.0.1.";
  const Redaction none{false, false, false};
  for (const std::string& clean : {mails, keys, hosts}) {
    EXPECT_EQ(Redactor(none).redact(clean), clean);
    EXPECT_NE(Redactor().redact(clean), clean);
  }
  EXPECT_NE(Redactor({false, true, false}).redact(mails), mails);
  EXPECT_NE(Redactor({true, false, false}).redact(keys), keys);
  EXPECT_NE(Redactor({false, false, true}).redact(hosts), hosts);
}

TEST(Redactor, NumbersEachKindByFirstAppearance) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact("b@example.org, a@example.org, 10.0.0.1, b@example.org"),
            "[EMAIL_1], [EMAIL_2], [ADDRESS_1], [EMAIL_1]");
  const std::vector<Original> expected = {
      {"[EMAIL_1]", "b@example.org"}, {"[EMAIL_2]", "a@example.org"}, {"[ADDRESS_1]", "10.0.0.1"}};
  EXPECT_EQ(redactor.take_new(), expected);
  EXPECT_TRUE(redactor.take_new().empty());
  EXPECT_EQ(redactor.redact("c@example.org"), "[EMAIL_3]");
  EXPECT_EQ(redactor.take_new().size(), 1u);
}

TEST(Redactor, SeesSecretsBehindEscapesOfJson) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact(R"({"text":"keys:\n)" + kOpenAi + "\"}"),
            R"({"text":"keys:\n[OPENAI_KEY_1]"})");
}

TEST(Redactor, LeavesTheClassesThatAreSwitchedOff) {
  Redactor redactor({.personal = false});
  EXPECT_EQ(redactor.redact("a@example.org 10.0.0.1"), "a@example.org [ADDRESS_1]");
}

TEST(Redactor, TellsTextThatLooksLikeAPlaceholderFromOne) {
  Redactor redactor;
  EXPECT_EQ(redactor.redact("[EMAIL_1] is a@example.org, not [EMAIL_X] or [WORD_1]"),
            "[LITERAL_1] is [EMAIL_1], not [EMAIL_X] or [WORD_1]");
  const Originals originals(redactor.take_new());
  EXPECT_EQ(originals.put_back("[LITERAL_1] is [EMAIL_1], [EMAIL_2]", Originals::Form::Plain),
            "[EMAIL_1] is a@example.org, [EMAIL_2]");
}

TEST(Redactor, GoesOnWithWhatAnEarlierOneFound) {
  Redactor redactor;
  redactor.know({"[EMAIL_2]", "a@example.org"});
  redactor.know({"[ADDRESS_1]", "[ADDRESS_1]"});
  EXPECT_EQ(redactor.redact("a@example.org b@example.org [ADDRESS_1] 10.0.0.1"),
            "[EMAIL_2] [EMAIL_3] [ADDRESS_1] [ADDRESS_2]");
  EXPECT_EQ(redactor.count(), 4u);
}

TEST(OwnNumbers, AreEqualWhateverTheRunHadFoundBefore) {
  EXPECT_EQ(with_own_numbers("[EMAIL_7] [EMAIL_3] [EMAIL_7] [HOST_2] [OTHER_9]"),
            "[EMAIL_1] [EMAIL_2] [EMAIL_1] [HOST_1] [OTHER_9]");
  EXPECT_EQ(with_own_numbers("nothing"), "nothing");
}

TEST(Originals, ArePutBackIntoBytes) {
  const Originals originals({{"[EMAIL_1]", "a@b.example"}});
  EXPECT_EQ(originals.put_back(R"({"bytes":"ff5b454d41494c5f315d"})", Originals::Form::Json),
            R"({"bytes":"ff6140622e6578616d706c65"})");
}

// Secrets, placeholders and what JSON escapes.
const std::vector<std::string> kPieces = {
    "a@example.org",
    "b@example.org",
    "[EMAIL_1]",
    "[EMAIL_2]",
    "[LITERAL_1]",
    "[",
    "]",
    " ",
    "\n",
    "\"",
    "\\",
    "10.0.0.7",
    "https://u:p4ss\"@example.org/",
    "ä",
    kOpenAi,
    "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"};

std::string any_text() {
  const auto piece = rc::gen::elementOf(kPieces);
  std::string text;
  for (const std::string& part : *rc::gen::container<std::vector<std::string>>(piece)) text += part;
  return text;
}

RC_GTEST_PROP(Redactor, CanBeUndone, ()) {
  Redactor redactor;
  std::vector<std::string> texts;
  std::vector<std::string> redacted;
  for (int i = 0; i < 3; ++i) {
    texts.push_back(any_text());
    redacted.push_back(dump(Json(redactor.redact(texts.back()))));
  }
  const Originals originals(redactor.take_new());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    RC_ASSERT(originals.put_back(redacted[i], Originals::Form::Json) == dump(Json(texts[i])));
  }
}

// Without the originals a replay shows what it recorded. What stands together changes its company:
// pieces are apart.
RC_GTEST_PROP(Redactor, LeavesWhatItRedactedOnceItKnowsIt, ()) {
  Redactor first;
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  const std::string redacted = first.redact(join(texts, " "));
  Redactor second;
  for (const Original& original : first.take_new()) {
    second.know({original.placeholder, original.placeholder});
  }
  RC_ASSERT(second.redact(redacted) == redacted);
  RC_ASSERT(second.take_new().empty());
}

}  // namespace
}  // namespace hone
