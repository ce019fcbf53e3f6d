// The real encoder, pulled when it is not here, against values that another program computed from
// the published weights: tests/lessons/minilm_reference.jsonl has texts, their length in tokens and
// their vectors, by an implementation of BERT in single precision with the makers' own tokenizer.
#include "hone/model/local_embedder.h"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hone/base/json.h"
#include "hone/model/local_testing.h"

namespace hone::model {
namespace {

double dot(const std::vector<float>& left, const std::vector<float>& right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

class Encoder : public testing::Test {
 protected:
  void SetUp() override {
    if (*kPlugin == '\0') GTEST_SKIP() << "built without the local model";
    const Fetched& weights = encoder_weights();
    if (!weights.weights) GTEST_SKIP() << "no weights of MiniLM: " << weights.reason;
    const CatalogueModel model = built_in_catalogue().get("minilm");
    if (!embedder)
      embedder = std::make_unique<LocalEmbedder>(model, weights.weights->path, options());
  }
  static void TearDownTestSuite() { embedder.reset(); }

  std::vector<float> of(const std::string& text) {
    return embedder->embed(std::span(&text, 1)).front();
  }

  static inline std::unique_ptr<core::Embedder> embedder;
};

TEST_F(Encoder, GivesTheVectorsOfTheReference) {
  std::ifstream file("tests/lessons/minilm_reference.jsonl");
  std::string line;
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    const Json row = parse_json(line);
    const auto expected = row["vector"].get<std::vector<float>>();
    EXPECT_GE(dot(of(row["text"]), expected), 0.999) << row["text"];
  }
  EXPECT_GE(rows, 10);
}

TEST_F(Encoder, GivesVectorsOfLengthOneAndTheSameForTheSameText) {
  const std::vector<std::string> texts{"Retry with backoff.", "", "Retry with backoff."};
  const auto vectors = embedder->embed(texts);
  ASSERT_EQ(vectors.size(), 3U);
  EXPECT_EQ(vectors[0], vectors[2]);
  for (const auto& vector : vectors) {
    EXPECT_EQ(vector.size(), embedder->dimensions());
    EXPECT_NEAR(dot(vector, vector), 1, 1e-4);
  }
}

TEST_F(Encoder, KnowsWhatIsMeantInOtherWords) {
  const auto asked = of("how do I stop the retry storm when the payment service times out");
  EXPECT_GT(dot(asked, of("Use exponential backoff so clients do not hammer a slow API.")),
            dot(asked, of("The bakery opens at six and sells rye bread.")) + 0.2);
}

TEST_F(Encoder, ReadsTextsOfAnyLength) {
  EXPECT_EQ(of(std::string(100'000, 'x')).size(), embedder->dimensions());
  std::string long_text;
  for (int word = 0; word < 2000; ++word) long_text += "word ";
  EXPECT_EQ(of(long_text + "one"), of(long_text + "other"));
}

TEST_F(Encoder, IsNamedAfterItsWeights) {
  EXPECT_EQ(embedder->name(), "minilm-" + built_in_catalogue().get("minilm").sha256.substr(0, 8));
}

TEST_F(Encoder, AModelThatWritesIsNoEncoder) {
  if (!small().weights) GTEST_SKIP() << "no weights of SmolLM2: " << small().reason;
  CatalogueModel model = built_in_catalogue().get("minilm");
  LocalEmbedder wrong(model, small().weights->path, options());
  const std::string text = "text";
  try {
    wrong.embed(std::span(&text, 1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_NE(error.message().find("holds no embedding model"), std::string::npos);
  }
}

TEST(LocalEmbedder, IsFoundOnlyWhereItsWeightsAreWhole) {
  CatalogueModel model = built_in_catalogue().get("minilm");
  model.file = "no-such-file.gguf";
  EXPECT_EQ(find_local_embedder({.default_name = "", .models = {model}}, options()), nullptr);
  EXPECT_EQ(find_local_embedder({.default_name = "", .models = {}}, options()), nullptr);
}

// Finds models in a folder of its own.
class OwnCache {
 public:
  OwnCache() {
    const char* set = std::getenv("XDG_CACHE_HOME");
    if (set != nullptr) before_ = set;
    fs::create_directories(folder_ / "hone" / "models");
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~OwnCache() {
    if (before_) {
      setenv("XDG_CACHE_HOME", before_->c_str(), 1);
    } else {
      unsetenv("XDG_CACHE_HOME");
    }
    fs::remove_all(folder_);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("hone-embedder-cache-" + std::to_string(getpid()));
  std::optional<std::string> before_;
};

TEST_F(Encoder, IsChosenWhereItsWeightsAreAndNotWhereTheyAreCutOff) {
  const fs::path weights = encoder_weights().weights->path;
  const Catalogue catalogue = built_in_catalogue();
  const OwnCache cache;
  const fs::path file = models_folder() / catalogue.get("minilm").file;
  EXPECT_EQ(find_local_embedder(catalogue, options()), nullptr);
  fs::create_symlink(weights, file);
  const auto found = find_local_embedder(catalogue, options());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name(), embedder->name());
  fs::remove(file);
  std::ofstream(file) << "GGUF";
  EXPECT_EQ(find_local_embedder(catalogue, options()), nullptr);
}

TEST(LocalEmbedder, AFileThatIsNoModelIsAnErrorInWords) {
  if (*kPlugin == '\0') GTEST_SKIP() << "built without the local model";
  const fs::path file = fs::temp_directory_path() / ("no-model-" + std::to_string(getpid()));
  std::ofstream(file) << "text";
  LocalEmbedder broken(built_in_catalogue().get("minilm"), file, options());
  const std::string text = "text";
  try {
    broken.embed(std::span(&text, 1));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
  }
  fs::remove(file);
}

}  // namespace
}  // namespace hone::model
