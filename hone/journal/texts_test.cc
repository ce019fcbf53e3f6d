#include "hone/journal/texts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zstd.h>

#include <nlohmann/json.hpp>
#include <random>

#include "hone/base/json.h"
#include "hone/journal/layout.h"
#include "hone/journal/phrases.h"
#include "hone/journal/testing.h"
#include "hone/sqlite/transaction.h"

namespace hone::journal {
namespace {

sqlite::Database open_store(const std::string& path) {
  auto database = sqlite::Database::open({.path = path});
  sqlite::migrate(database, layout());
  return database;
}

struct TestTexts {
  explicit TestTexts(const std::string& path) : database(open_store(path)), texts(database) {}
  std::int64_t count() { return database.integer("SELECT count(*) FROM texts"); }
  std::int64_t bytes() {
    return database.integer("SELECT coalesce(sum(length(body)), 0) FROM texts");
  }
  sqlite::Database database;
  Texts texts;
};

class TextsTest : public StoreTest {};

std::string document(const std::string& text) { return dump(Json{{"text", text}, {"n", 1}}); }

TEST_F(TextsTest, StoreWhatIsLongOnceAndLeaveWhatIsShort) {
  TestTexts store(path());
  const std::string json = document(std::string(3000, 'x'));
  const std::string folded = store.texts.fold(json);
  EXPECT_EQ(lengthened(folded), R"({"text":{"$text":"1"},"n":1})");
  EXPECT_EQ(store.texts.fold(json), folded);
  EXPECT_EQ(store.count(), 1);
  EXPECT_EQ(store.texts.unfold(folded), json);
  EXPECT_EQ(lengthened(store.texts.fold(document("short"))), document("short"));
}

TEST_F(TextsTest, ShareTheParagraphsOfPromptsThatGrow) {
  TestTexts store(path());
  const std::string task(5000, 't');
  std::string prompt = "# Task\n\n" + task;
  for (int attempt = 1; attempt <= 10; ++attempt) {
    prompt += "\n\n" + std::string(1000, static_cast<char>('a' + attempt));
    const std::string json = document(prompt + "\n\nNow judge it.");
    EXPECT_EQ(store.texts.unfold(store.texts.fold(json)), json);
  }
  store.texts.fold(document(task));
  EXPECT_LT(store.bytes(), 5000 + 10 * 1000 + 200);
}

TEST_F(TextsTest, OfAnEarlierLayoutAreRead) {
  TestTexts store(path());
  store.texts.fold(document(std::string(300, 'x')));
  store.texts.fold(document(std::string(300, 'y')));
  EXPECT_EQ(
      store.texts.unfold(R"({"text":{"$text":[1,2]},"n":1})"),
      R"({"text":")" + std::string(300, 'x') + R"(\n\n)" + std::string(300, 'y') + R"(","n":1})");
}

// Words of a small vocabulary, as prose is: no two texts are alike, all of them compress.
std::string prose(std::mt19937& random, std::size_t length) {
  constexpr std::string_view kWords[] = {"model",   "answer", "total", "is",   "not",
                                         "what",    "the",    "order", "says", "line",
                                         "because", "of",     "a",     "sum"};
  std::string text;
  while (text.size() < length) {
    text += std::string(kWords[random() % std::size(kWords)]) + std::to_string(random() % 50);
    text += random() % 12 == 0 ? "\n\n" : " ";
  }
  return text;
}

TEST_F(TextsTest, AreCompressedAsZstdWould) {
  TestTexts store(path());
  std::mt19937 random(5);
  std::int64_t compressed = 0;
  for (int i = 0; i < 30; ++i) {
    const std::string text = dump(Json(prose(random, 2000 + 500 * static_cast<std::size_t>(i))));
    std::string space(ZSTD_compressBound(text.size()), '\0');
    compressed += static_cast<std::int64_t>(
        ZSTD_compress(space.data(), space.size(), text.data(), text.size(), 3));
    const std::string json = R"({"text":)" + text + "}";
    EXPECT_EQ(store.texts.unfold(store.texts.fold(json)), json);
  }
  EXPECT_LT(static_cast<double>(store.bytes()), 1.03 * static_cast<double>(compressed));
}

TEST_F(TextsTest, TellWhatADocumentRefersTo) {
  TestTexts store(path());
  const std::string shared(3000, 's');
  store.texts.fold(document("one\n\n" + shared));
  const std::string folded = store.texts.fold(document(shared + "\n\n" + std::string(400, 'z')));
  EXPECT_EQ(lengthened(folded), R"({"text":{"$text":"1:7+3000,2"},"n":1})");
  EXPECT_EQ(Texts::references(folded), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(Texts::references(R"({"a":{"$text":[3,4]},"b":{"$text":[5]}})"),
            (std::vector<std::int64_t>{3, 4, 5}));
}

TEST_F(TextsTest, FindAgainWhatAnotherProcessStored) {
  TestTexts store(path());
  TestTexts other(path());
  const std::string json = document(std::string(500, 'x'));
  EXPECT_EQ(store.texts.fold(json), other.texts.fold(json));
  EXPECT_EQ(other.texts.unfold(store.texts.fold(json)), json);
  EXPECT_EQ(store.count(), 1);
}

TEST_F(TextsTest, AreStoredAgainAfterARollBack) {
  TestTexts store(path());
  const std::string json = document(std::string(500, 'x'));
  {
    const sqlite::Transaction lost(store.database);
    store.texts.fold(json);
  }
  store.texts.forget();
  EXPECT_EQ(store.texts.unfold(store.texts.fold(json)), json);
}

TEST_F(TextsTest, OfOneHashAreToldApart) {
  TestTexts store(path());
  const std::string first = document(std::string(500, 'x'));
  const std::string second = document(std::string(500, 'y'));
  store.texts.fold(first);
  store.texts.fold(second);
  store.database.execute("UPDATE texts SET hash = (SELECT hash FROM texts WHERE id = 2)");
  TestTexts reopened(path());
  EXPECT_EQ(lengthened(reopened.texts.fold(first)), R"({"text":{"$text":"3"},"n":1})")
      << "its hash is gone";
  EXPECT_EQ(lengthened(reopened.texts.fold(second)), R"({"text":{"$text":"2"},"n":1})");
}

TEST_F(TextsTest, ThatAreDamagedOrMissingAreCorrupt) {
  TestTexts store(path());
  const std::string folded = store.texts.fold(document(std::string(500, 'x')));
  store.database.execute("UPDATE texts SET body = 'other'");
  EXPECT_EQ(error_of([&] { store.texts.unfold(folded); }).kind(), ErrorKind::Corrupt);
  for (const char* broken : {R"({"$text":"77"})", R"({"$text":[x]})", R"({"$text":)",
                             R"({"$text":"1:1+900"})", R"({"$text":"1:900+1"})"}) {
    EXPECT_EQ(error_of([&] { store.texts.unfold(broken); }).kind(), ErrorKind::Corrupt) << broken;
  }
}

// Text with blank lines, quotes and backslashes in all lengths.
std::string any_long_text() {
  const auto part = rc::gen::elementOf(std::vector<std::string>{
      "\n\n", "\n", std::string(600, 'z'), "\\", "\\n", "\"", "{\"$text\":[1]}", "ä",
      std::string(90, 'p'), std::string(300, 'q'), "\\\\n\n", "word "});
  const auto parts = *rc::gen::container<std::vector<std::string>>(part);
  std::string text;
  for (const std::string& piece : parts) text += piece;
  return text;
}

TEST_F(TextsTest, ComeBackByteForByte) {
  TestTexts store(path());
  store.database.execute("PRAGMA synchronous=OFF");
  const auto comes_back = [&] {
    const Json json = {{any_long_text(), any_long_text()}, {"list", {any_long_text(), 7, nullptr}}};
    const std::string text = dump(json);
    RC_ASSERT(store.texts.unfold(store.texts.fold(text)) == text);
  };
  EXPECT_TRUE(rc::check("texts come back", comes_back));
}

}  // namespace
}  // namespace hone::journal
