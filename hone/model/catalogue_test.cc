#include "hone/model/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hone/base/error.h"

namespace hone::model {
namespace {

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

TEST(Catalogue, BuiltInModelsAreWholeAndTellTheirLicence) {
  const Catalogue catalogue = built_in_catalogue();
  ASSERT_FALSE(catalogue.models.empty());
  std::set<std::string> names;
  for (const CatalogueModel& model : catalogue.models) {
    SCOPED_TRACE(model.name);
    EXPECT_TRUE(names.insert(model.name).second);
    EXPECT_TRUE(is_sha256(model.sha256));
    EXPECT_TRUE(model.file.ends_with(".gguf"));
    EXPECT_EQ(model.file.find('/'), std::string::npos);
    EXPECT_GT(model.bytes, 1'000'000);
    EXPECT_GT(model.context, 0);
    EXPECT_FALSE(model.licence.empty());
    EXPECT_FALSE(model.sources.empty());
  }
}

TEST(Catalogue, EveryBuiltInPackageIsPinnedAndHasAPlaceOfItsOwn) {
  for (const CatalogueModel& model : built_in_catalogue().models) {
    for (const WeightsSource& source : model.sources) {
      if (!source.url.empty()) continue;
      std::set<int> parts;
      std::set<std::string> hashes;
      for (const WeightsPackage& package : source.packages) {
        SCOPED_TRACE(package.name);
        EXPECT_TRUE(is_sha256(package.sha256));
        EXPECT_FALSE(package.version.empty());
        EXPECT_TRUE(hashes.insert(package.sha256).second);
        EXPECT_TRUE(parts.insert(package.part()).second);
      }
      EXPECT_FALSE(source.packages.empty());
      EXPECT_EQ(*parts.rbegin() - *parts.begin() + 1, static_cast<int>(parts.size()));
    }
  }
}

TEST(Catalogue, AFileIsFetchedSafelyAndBearsTheNameOfTheModel) {
  int files = 0;
  for (const CatalogueModel& model : built_in_catalogue().models) {
    for (const WeightsSource& source : model.sources) {
      if (source.url.empty()) continue;
      ++files;
      EXPECT_TRUE(source.url.starts_with("https://")) << source.url;
      EXPECT_TRUE(source.url.ends_with("/" + model.file)) << source.url;
    }
  }
  EXPECT_GT(files, 0);
}

TEST(Catalogue, TheDefaultIsTheQwenCoderInTwentyTwoParts) {
  const Catalogue catalogue = built_in_catalogue();
  const CatalogueModel& model = catalogue.get("");
  EXPECT_EQ(model.name, "qwen2.5-coder-1.5b");
  EXPECT_EQ(model.sources.at(0).packages.size(), 22U);
}

TEST(Catalogue, AnUnknownNameIsAnsweredWithTheNearestKnown) {
  const Catalogue catalogue = built_in_catalogue();
  EXPECT_EQ(catalogue.find("gpt"), nullptr);
  try {
    catalogue.get("smollm2-153m");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput);
    EXPECT_NE(error.hint().find("did you mean `smollm2-135m`"), std::string::npos);
  }
}

TEST(Catalogue, PartsAreNumbersAtTheEndOfTheName) {
  struct Case {
    const char* name;
    int part;
  };
  for (const Case& each : {Case{"weights-part2", 2}, Case{"weights-part10", 10},
                           Case{"weights2", 2}, Case{"weights", 0}, Case{"7", 7}, Case{"", 0}}) {
    const WeightsPackage package{.name = each.name, .version = {}, .sha256 = {}};
    EXPECT_EQ(package.part(), each.part) << each.name;
  }
}

TEST(Catalogue, TextThatIsNoCatalogueIsCorrupt) {
  for (const char* text : {"", "[]", "{}", R"({"format": 2, "default": "a", "models": []})",
                           R"({"format": 1, "default": "a", "models": [{"name": 3}]})"}) {
    try {
      parse_catalogue(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << text;
    }
  }
}

}  // namespace
}  // namespace hone::model
