#include "hone/journal/texts.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <random>

#include "hone/journal/testing.h"
#include "hone/sqlite/transaction.h"

namespace hone::journal {
namespace {

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

TEST_F(TextsTest, AreStoredOnce) {
  TestTexts store(path());
  const std::string text(3000, 'x');
  EXPECT_EQ(store.texts.number_of(text), 1);
  EXPECT_EQ(store.texts.number_of("another"), 2);
  EXPECT_EQ(store.texts.number_of(text), 1);
  EXPECT_EQ(store.count(), 2);
  EXPECT_EQ(store.texts.text(1), text);
  EXPECT_EQ(store.texts.text(2), "another");
}

// Words of a small vocabulary, as prose is: no two texts are alike, all of them compress.
std::string prose(std::mt19937& random, std::size_t length) {
  constexpr std::string_view kWords[] = {"model",   "answer", "total", "is",   "not",
                                         "what",    "the",    "order", "says", "line",
                                         "because", "of",     "a",     "sum"};
  std::string text;
  while (text.size() < length) {
    text += std::string(kWords[random() % std::size(kWords)]) + std::to_string(random() % 50) + ' ';
  }
  return text;
}

TEST_F(TextsTest, AreCompressedAsZstdWould) {
  TestTexts store(path());
  std::mt19937 random(5);
  std::int64_t compressed = 0;
  for (int i = 0; i < 30; ++i) {
    const std::string text = prose(random, 2000 + 500 * static_cast<std::size_t>(i));
    std::string space(ZSTD_compressBound(text.size()), '\0');
    compressed += static_cast<std::int64_t>(
        ZSTD_compress(space.data(), space.size(), text.data(), text.size(), 3));
    EXPECT_EQ(store.texts.text(store.texts.number_of(text)), text);
  }
  EXPECT_LT(static_cast<double>(store.bytes()), 1.03 * static_cast<double>(compressed));
}

TEST_F(TextsTest, FindAgainWhatAnotherProcessStored) {
  TestTexts store(path());
  TestTexts other(path());
  const std::string text(500, 'x');
  EXPECT_EQ(store.texts.number_of(text), other.texts.number_of(text));
  EXPECT_EQ(other.texts.text(store.texts.number_of(text)), text);
  EXPECT_EQ(store.count(), 1);
}

TEST_F(TextsTest, AreStoredAgainAfterARollBack) {
  TestTexts store(path());
  const std::string text(500, 'x');
  {
    const sqlite::Transaction lost(store.database);
    store.texts.number_of(text);
  }
  store.texts.forget();
  EXPECT_EQ(store.texts.text(store.texts.number_of(text)), text);
}

TEST_F(TextsTest, OfOneHashAreToldApart) {
  TestTexts store(path());
  const std::string first(500, 'x');
  const std::string second(500, 'y');
  store.texts.number_of(first);
  store.texts.number_of(second);
  store.database.execute("UPDATE texts SET hash = (SELECT hash FROM texts WHERE id = 2)");
  TestTexts reopened(path());
  EXPECT_EQ(reopened.texts.number_of(first), 3) << "its hash is gone";
  EXPECT_EQ(reopened.texts.number_of(second), 2);
}

TEST_F(TextsTest, ThatAreDamagedOrMissingAreCorrupt) {
  TestTexts store(path());
  const std::int64_t number = store.texts.number_of(std::string(600, 'x'));
  store.database.execute("UPDATE texts SET body = 'other'");
  for (const std::int64_t broken : {number, number + 1}) {
    const Error error = error_of([&] { store.texts.text(broken); });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << error.message();
  }
}

}  // namespace
}  // namespace hone::journal
