#include "hone/journal/folding.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "hone/base/json.h"
#include "hone/journal/testing.h"

namespace hone::journal {
namespace {

// One run, each document in a chunk of its own.
struct Chunks {
  explicit Chunks(const std::string& path)
      : database(open_store(path)), texts(database), folding(texts) {}

  std::string fold(const std::string& json, Keep keep = Keep::InRun) {
    std::string& body = bodies[++last];
    folding.fold(json, keep, last, body);
    return body;
  }
  std::string unfold(std::string_view folded) {
    const BodyOf body_of = [&](std::int64_t chunk) -> std::string_view {
      const auto found = bodies.find(chunk);
      if (found == bodies.end()) throw Error(ErrorKind::Corrupt, "no such chunk");
      return found->second;
    };
    return unfolded(folded, body_of, texts);
  }

  sqlite::Database database;
  Texts texts;
  Folding folding;
  std::map<std::int64_t, std::string> bodies;
  std::int64_t last = 0;
};

class FoldingTest : public StoreTest {};

std::string document(const std::string& text) { return dump(Json{{"text", text}, {"n", 1}}); }

TEST_F(FoldingTest, WritesALongStringOfARunOnce) {
  Chunks run(path());
  const std::string json = document(std::string(3000, 'x'));
  EXPECT_EQ(run.fold(json), json);
  const std::string again = run.fold(json);
  EXPECT_EQ(again,
            "{\"text\":\"\x01"
            "1:9+3000\x02\",\"n\":1}");
  EXPECT_EQ(run.unfold(again), json);
  EXPECT_EQ(run.fold(document("short")), document("short"));
  EXPECT_EQ(run.fold(document("short")), document("short"));
}

TEST_F(FoldingTest, PutsWhatIsSentWhereOtherRunsFindIt) {
  Chunks first(path());
  Chunks second(path());
  const std::string json = document(std::string(3000, 'x'));
  const std::string folded = first.fold(json, Keep::Shared);
  EXPECT_EQ(folded, "{\"text\":\"\x01t1\x02\",\"n\":1}");
  EXPECT_EQ(second.fold(json, Keep::Shared), folded);
  EXPECT_EQ(second.unfold(folded), json);
  EXPECT_EQ(first.database.integer("SELECT count(*) FROM texts"), 1);
}

TEST_F(FoldingTest, DoesNotShareWhatCameBackBefore) {
  Chunks run(path());
  const std::string answer(3000, 'a');
  run.fold(document(answer));
  const std::string json = document("Judge this:\n\n" + answer);
  EXPECT_EQ(run.unfold(run.fold(json, Keep::Shared)), json);
  EXPECT_EQ(run.database.integer("SELECT count(*) FROM texts"), 0);
  EXPECT_LT(run.bodies[2].size(), 100u);
}

TEST_F(FoldingTest, SharesTheParagraphsOfPromptsThatGrow) {
  Chunks run(path());
  const std::string task(5000, 't');
  std::string prompt = "# Task\n\n" + task;
  std::size_t bytes = 0;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    prompt += "\n\n" + std::string(1000, static_cast<char>('a' + attempt));
    const std::string json = document(prompt + "\n\nNow judge it.");
    const std::string folded = run.fold(json);
    EXPECT_EQ(run.unfold(folded), json);
    bytes += folded.size();
  }
  EXPECT_LT(bytes, 5000 + 10 * 1000 + 2000u);
}

TEST_F(FoldingTest, TellsWhichTextsADocumentRefersTo) {
  Chunks run(path());
  const std::string shared(3000, 's');
  run.fold(document("one\n\n" + shared), Keep::Shared);
  const std::string folded =
      run.fold(document(std::string(400, 'z') + "\n\n" + shared), Keep::Shared);
  std::vector<std::int64_t> texts;
  for_each_text(run.bodies[1], [&](std::int64_t text) { texts.push_back(text); });
  for_each_text(folded, [&](std::int64_t text) { texts.push_back(text); });
  EXPECT_EQ(texts, (std::vector<std::int64_t>{1, 2})) << "the third one is found in chunk 1";
}

TEST_F(FoldingTest, WhatIsNotThereIsCorrupt) {
  Chunks run(path());
  run.fold(document(std::string(500, 'x')));
  for (const char* broken : {"\x01t77\x02", "\x01t\x02", "\x01",
                             "\x01"
                             "1:1+900\x02",
                             "\x01"
                             "1:900+1\x02",
                             "\x01"
                             "9:1+1\x02",
                             "\x01"
                             "1:1\x02",
                             "\x01"
                             "1:1+1x\x02",
                             "\x01\x02"}) {
    EXPECT_EQ(error_of([&] { run.unfold(broken); }).kind(), ErrorKind::Corrupt) << broken;
  }
  run.bodies[5] =
      "\x01"
      "5:0+7\x02";
  EXPECT_EQ(error_of([&] { run.unfold(run.bodies[5]); }).kind(), ErrorKind::Corrupt)
      << "it refers to itself";
}

// Text with blank lines, quotes and backslashes in all lengths.
std::string any_long_text() {
  const auto part = rc::gen::elementOf(std::vector<std::string>{
      "\n\n", "\n", std::string(600, 'z'), "\\", "\\n", "\"", "\x01t1\x02", "ä",
      std::string(90, 'p'), std::string(300, 'q'), "\\\\n\n", "word "});
  const auto parts = *rc::gen::container<std::vector<std::string>>(part);
  std::string text;
  for (const std::string& piece : parts) text += piece;
  return text;
}

TEST_F(FoldingTest, GivesEveryDocumentBackByteForByte) {
  Chunks run(path());
  run.database.execute("PRAGMA synchronous=OFF");
  const auto comes_back = [&] {
    const Json json = {{any_long_text(), any_long_text()}, {"list", {any_long_text(), 7, nullptr}}};
    const std::string text = dump(json);
    const Keep keep = *rc::gen::element(Keep::InRun, Keep::Shared);
    RC_ASSERT(run.unfold(run.fold(text, keep)) == text);
  };
  EXPECT_TRUE(rc::check("documents come back", comes_back));
}

}  // namespace
}  // namespace hone::journal
