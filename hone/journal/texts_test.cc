#include "hone/journal/texts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "hone/base/json.h"
#include "hone/journal/layout.h"
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
  EXPECT_EQ(folded, R"({"text":{"$text":[1]},"n":1})");
  EXPECT_EQ(store.texts.fold(json), folded);
  EXPECT_EQ(store.count(), 1);
  EXPECT_EQ(store.texts.unfold(folded), json);
  EXPECT_EQ(store.texts.fold(document("short")), document("short"));
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
  EXPECT_EQ(reopened.texts.fold(first), R"({"text":{"$text":[3]},"n":1})") << "its hash is gone";
  EXPECT_EQ(reopened.texts.fold(second), R"({"text":{"$text":[2]},"n":1})");
}

TEST_F(TextsTest, ThatAreDamagedOrMissingAreCorrupt) {
  TestTexts store(path());
  const std::string folded = store.texts.fold(document(std::string(500, 'x')));
  store.database.execute("UPDATE texts SET body = 'other'");
  EXPECT_EQ(error_of([&] { store.texts.unfold(folded); }).kind(), ErrorKind::Corrupt);
  for (const char* broken : {R"({"$text":[77]})", R"({"$text":[x]})"}) {
    EXPECT_EQ(error_of([&] { store.texts.unfold(broken); }).kind(), ErrorKind::Corrupt) << broken;
  }
}

// Text with blank lines, quotes and backslashes in all lengths.
std::string any_long_text() {
  const auto part = rc::gen::elementOf(
      std::vector<std::string>{"\n\n", "\n", "\\", "\\n", "\"", "{\"$text\":[1]}", "ä",
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
