#include "hone/memory/vector_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "hone/memory/vector_scan.h"

namespace hone::memory {
namespace {

using Vector = std::vector<float>;

Vector unit(std::mt19937& random, std::size_t dimensions) {
  std::normal_distribution<float> normal;
  Vector vector(dimensions);
  for (float& part : vector) part = normal(random);
  const float length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0F));
  for (float& part : vector) part /= length;
  return vector;
}

float dot(const Vector& left, const Vector& right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0F);
}

TEST(VectorIndex, FindsTheNearestFirst) {
  std::mt19937 random(1);
  VectorIndex index(384);
  std::vector<Vector> vectors;
  for (Place place = 0; place < 3000; ++place) {
    vectors.push_back(unit(random, 384));
    index.set(place, vectors.back());
  }
  for (const Place place : {0U, 17U, 2999U}) {
    const auto found = index.nearest(vectors[place], 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].place, place);
    EXPECT_NEAR(found[0].cosine, 1, 1e-3);
    EXPECT_GE(found[1].cosine, found[2].cosine);
    EXPECT_NEAR(found[1].cosine, dot(vectors[place], vectors[found[1].place]), 1e-3);
  }
}

TEST(VectorIndex, FindsWhatAnExactScanFinds) {
  std::mt19937 random(2);
  VectorIndex index(512);
  std::vector<Vector> vectors;
  for (Place place = 0; place < 1500; ++place) {
    vectors.push_back(unit(random, 512));
    index.set(place, vectors.back());
  }
  int right = 0;
  for (int query = 0; query < 20; ++query) {
    Vector asked = vectors[static_cast<std::size_t>(query) * 7];
    const Vector noise = unit(random, 512);
    for (std::size_t at = 0; at < asked.size(); ++at) asked[at] += noise[at];
    Place exact = 0;
    for (Place place = 1; place < vectors.size(); ++place) {
      if (dot(asked, vectors[place]) > dot(asked, vectors[exact])) exact = place;
    }
    right += index.nearest(asked, 1).front().place == exact ? 1 : 0;
  }
  EXPECT_EQ(right, 20);
}

TEST(VectorIndex, LeavesOutWhatWasRemovedOrIsNotAmong) {
  std::mt19937 random(3);
  VectorIndex index(64);
  const Vector one = unit(random, 64);
  for (Place place = 0; place < 5; ++place) index.set(place, one);
  index.remove(0);
  PlaceSet among;
  for (const Place place : {0U, 2U, 4U, 900U}) among.insert(place);
  const auto places = [](const std::vector<Near>& found) {
    std::vector<Place> list;
    for (const Near& near : found) list.push_back(near.place);
    return list;
  };
  EXPECT_EQ(places(index.nearest(one, 9)), (std::vector<Place>{1, 2, 3, 4}));
  EXPECT_EQ(places(index.nearest(one, 9, &among)), (std::vector<Place>{2, 4}));
  among.remove(2);
  EXPECT_EQ(places(index.nearest(one, 9, &among)), (std::vector<Place>{4}));
  index.set(0, one);
  EXPECT_EQ(places(index.nearest(one, 1)), (std::vector<Place>{0}));
}

TEST(VectorIndex, AFewAmongManyAreFound) {
  std::mt19937 random(4);
  VectorIndex index(64);
  const Vector near = unit(random, 64);
  Vector far = near;
  for (float& part : far) part = -part;
  for (Place place = 0; place < 20'000; ++place) index.set(place, place == 12'345 ? far : near);
  PlaceSet among;
  among.insert(12'345);
  ASSERT_EQ(index.nearest(near, 3, &among).size(), 1U);
  EXPECT_NEAR(index.nearest(near, 3, &among).front().cosine, -1, 1e-3);
}

TEST(VectorIndex, WithoutVectorsNothingIsNear) {
  std::mt19937 random(5);
  const VectorIndex index(64);
  EXPECT_TRUE(index.nearest(unit(random, 64), 3).empty());
}

TEST(VectorIndex, TheZeroVectorIsNearNothing) {
  std::mt19937 random(6);
  VectorIndex index(64);
  index.set(0, Vector(64));
  EXPECT_EQ(index.nearest(unit(random, 64), 1).front().cosine, 0);
}

class VectorScan : public testing::TestWithParam<Instructions> {
 protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "this processor does not have these instructions";
  }
};

// The fast loops against the plain words of what they do.
TEST_P(VectorScan, CountsTheBitsThatDiffer) {
  std::mt19937_64 random(7);
  for (const std::size_t words : {1U, 4U, 6U, 8U, 31U, 32U, 40U}) {
    std::vector<std::uint64_t> signs(words);
    std::vector<std::uint64_t> block(words * kScanRows);
    for (auto& word : signs) word = random();
    for (auto& word : block) word = random();
    for (std::size_t word = 0; word < words; ++word) block[word * kScanRows + 5] = ~signs[word];
    std::array<std::int16_t, kScanRows> distances;
    hamming_distances(block.data(), signs, distances, GetParam());
    for (std::size_t row = 0; row < kScanRows; ++row) {
      int expected = 0;
      for (std::size_t word = 0; word < words; ++word)
        expected += std::popcount(block[word * kScanRows + row] ^ signs[word]);
      ASSERT_EQ(distances[row], expected) << words << " words, row " << row;
    }
  }
}

TEST_P(VectorScan, MultipliesTwelveBits) {
  std::mt19937 random(8);
  for (const std::size_t size : {64U, 256U, 384U}) {
    const Vector query = unit(random, size);
    std::vector<std::int8_t> high(size);
    std::vector<std::uint8_t> low(size / 2);
    for (auto& part : high) part = static_cast<std::int8_t>(random());
    for (auto& part : low) part = static_cast<std::uint8_t>(random());
    double expected = 0;
    for (std::size_t at = 0; at < size; ++at) {
      const int nibble = at < size / 2 ? low[at] & 15 : low[at - size / 2] >> 4;
      expected += query[at] * (high[at] * 16 + nibble);
    }
    const float found = dot_of_twelve_bits(query, high.data(), low.data(), GetParam());
    EXPECT_NEAR(found, expected, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(All, VectorScan,
                         testing::Values(Instructions::Plain, Instructions::Popcnt,
                                         Instructions::Avx2, Instructions::Avx512));

RC_GTEST_PROP(VectorIndex, CosinesAreExactToAThousandth, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  VectorIndex index(128);
  const Vector one = unit(random, 128);
  const Vector two = unit(random, 128);
  index.set(3, one);
  RC_ASSERT(std::abs(index.cosine(two, 3) - dot(one, two)) < 1e-3F);
  const Vector kept = index.get(3);
  for (std::size_t at = 0; at < kept.size(); ++at) RC_ASSERT(std::abs(kept[at] - one[at]) < 1e-3F);
}

}  // namespace
}  // namespace hone::memory
