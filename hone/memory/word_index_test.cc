#include "hone/memory/word_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "hone/memory/words.h"

namespace hone::memory {
namespace {

class Texts {
 public:
  Texts(std::initializer_list<std::string> texts) {
    Place place = 0;
    for (const std::string& text : texts) index.add(place++, words_of(text));
  }
  std::vector<Place> search(const std::string& text, std::size_t count = 9,
                            const PlaceSet* among = nullptr) {
    std::vector<Place> places;
    for (const Found& found : index.search(words_of(text), count, among))
      places.push_back(found.place);
    return places;
  }
  WordIndex index;
};

TEST(WordIndex, RareWordsComeFirst) {
  Texts texts{"parse dates with a library", "parse numbers", "parse names", "bake bread"};
  EXPECT_EQ(texts.search("parse dates"), (std::vector<Place>{0, 1, 2}));
  EXPECT_EQ(texts.search("bread"), (std::vector<Place>{3}));
  EXPECT_TRUE(texts.search("kubernetes").empty());
  EXPECT_TRUE(texts.search("").empty());
}

TEST(WordIndex, ShortTextsComeBeforeLongOnesWithTheSameWord) {
  Texts texts{"dates and times and zones and calendars of the world", "dates"};
  EXPECT_EQ(texts.search("dates"), (std::vector<Place>{1, 0}));
}

TEST(WordIndex, LooksAmongSome) {
  Texts texts{"parse dates", "parse names", "parse numbers"};
  PlaceSet among;
  among.insert(2);
  EXPECT_EQ(texts.search("parse", 9, &among), (std::vector<Place>{2}));
}

TEST(WordIndex, AWordTellsLessTheMoreTextsHaveIt) {
  Texts texts{"parse dates", "parse names", "parse numbers"};
  const auto weight = [&](const std::string& word) {
    return texts.index.weight(words_of(word).front());
  };
  EXPECT_GT(weight("dates"), weight("parse"));
  EXPECT_GT(weight("kubernetes"), weight("dates"));
  EXPECT_GT(weight("kubernetes"), weight("write"));
}

RC_GTEST_PROP(WordIndex, FindsExactlyWhatSharesAWord, ()) {
  const auto word = rc::gen::element<std::string>("a1", "b1", "c1", "d1");
  const auto texts = *rc::gen::container<std::vector<std::vector<std::string>>>(
      6, rc::gen::container<std::vector<std::string>>(word));
  WordIndex index;
  for (Place place = 0; place < texts.size(); ++place) index.add(place, texts[place]);
  const std::vector<std::string> asked{"a1", "c1"};
  std::vector<Place> expected;
  for (Place place = 0; place < texts.size(); ++place) {
    const auto has = [&](const std::string& one) {
      return std::ranges::find(texts[place], one) != texts[place].end();
    };
    if (has("a1") || has("c1")) expected.push_back(place);
  }
  std::vector<Place> found;
  for (const Found& one : index.search(asked, 9)) found.push_back(one.place);
  std::ranges::sort(found);
  RC_ASSERT(found == expected);
}

}  // namespace
}  // namespace hone::memory
