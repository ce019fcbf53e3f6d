#include "hone/model/gguf.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/model/bert_weights.h"

namespace hone::model {
namespace {

double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int mantissa = half & 1023;
  const double size = exponent == 0    ? std::ldexp(mantissa, -24)
                      : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                       : std::ldexp(mantissa + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

TEST(Half, IsTheNearestAndTheEvenOneOfTwo) {
  struct Case {
    float value;
    std::uint16_t half;
  };
  for (const auto& [value, half] :
       {Case{0, 0}, Case{-0.0F, 0x8000}, Case{1, 0x3c00}, Case{-2, 0xc000}, Case{65504, 0x7bff},
        Case{65519.996F, 0x7bff}, Case{65520, 0x7c00}, Case{INFINITY, 0x7c00},
        Case{0x1p-24F, 0x0001}, Case{0x1p-25F, 0x0000}, Case{0x1.8p-24F, 0x0002},
        Case{0x1p-14F, 0x0400}, Case{0x1.ff8p-15F, 0x03ff}, Case{0x1.ffcp-15F, 0x0400},
        Case{1 + 0x1p-11F, 0x3c00}, Case{1 + 0x1.8p-10F, 0x3c02}}) {
    EXPECT_EQ(to_half(value), half) << value;
  }
  EXPECT_TRUE(std::isnan(value_of(to_half(NAN))));
}

RC_GTEST_PROP(Half, NoOtherHalfIsNearer, ()) {
  const auto half = *rc::gen::inRange<std::uint16_t>(0, 0x7bff);
  const double low = value_of(half);
  const double high = value_of(static_cast<std::uint16_t>(half + 1));
  const double share = *rc::gen::inRange(0, 1001) / 1000.0;
  const auto value = static_cast<float>(low + (high - low) * share);
  const double found = value_of(to_half(value));
  RC_ASSERT(std::abs(found - value) <= std::min(std::abs(low - value), std::abs(high - value)));
  RC_ASSERT(to_half(-value) == (to_half(value) | 0x8000));
}

std::string written(const BertParts& parts) {
  std::string bytes;
  write_bert_gguf(parts, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string tensors_file(const Json& head, std::string_view values) {
  const std::string text = dump(head);
  const std::uint64_t length = text.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  return file + text + std::string(values);
}

// An encoder with one matrix of two rows, one bias and a tensor that nobody needs.
BertParts small_encoder() {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const Json head = parse_json(
      R"({"__metadata__": {"format": "pt"},
          "embeddings.word_embeddings.weight":
              {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]},
          "encoder.layer.0.attention.self.query.bias":
              {"dtype": "F32", "shape": [2], "data_offsets": [16, 24]},
          "pooler.dense.bias": {"dtype": "F32", "shape": [2], "data_offsets": [16, 24]}})");
  return {.name = "tiny",
          .licence = "MIT",
          .config = R"({"model_type": "bert", "num_hidden_layers": 1, "hidden_size": 2,
                        "max_position_embeddings": 8, "intermediate_size": 4,
                        "num_attention_heads": 1, "layer_norm_eps": 1e-12, "type_vocab_size": 2})",
          .vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[\nun\n##like\n",
          .tensors = tensors_file(head, {reinterpret_cast<const char*>(values), sizeof values})};
}

TEST(BertWeights, BecomeAFileWithItsFactsItsPiecesAndItsTensors) {
  const std::string file = written(small_encoder());
  EXPECT_TRUE(file.starts_with(std::string("GGUF\x03\0\0\0\x02\0\0\0\0\0\0\0", 16)));
  EXPECT_NE(file.find("\u2581un"), std::string::npos);
  EXPECT_EQ(file.find("##"), std::string::npos);
  EXPECT_NE(file.find("token_embd.weight"), std::string::npos);
  EXPECT_NE(file.find("blk.0.attn_q.bias"), std::string::npos);
  EXPECT_EQ(file.find("pooler"), std::string::npos);
  // Four halves with room to the next 32 bytes, then two floats with the same.
  const std::string_view data = std::string_view(file).substr(file.size() - 64);
  EXPECT_EQ(data.substr(0, 8), std::string_view("\x00\x3c\x00\x40\x00\x42\x00\x44", 8));
  float bias[2];
  std::memcpy(bias, data.data() + 32, sizeof bias);
  EXPECT_EQ(bias[0], 5);
  EXPECT_EQ(bias[1], 6);
  EXPECT_EQ(written(small_encoder()), file);
}

TEST(BertWeights, WhatIsDamagedOrUnknownIsCorrupt) {
  std::vector<BertParts> broken(9, small_encoder());
  broken[0].tensors.resize(4);
  broken[1].tensors.resize(40);
  broken[2].tensors.resize(broken[2].tensors.size() - 12);
  broken[3].tensors = tensors_file(parse_json(R"({"surprise.weight": {}})"), "");
  broken[4].tensors = tensors_file(parse_json(R"({"embeddings.LayerNorm.bias":
                     {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}})"),
                                   "xx");
  broken[5].vocabulary = "only\nwords\n";
  broken[6].config = "{}";
  broken[7].config = "not JSON";
  broken[8].tensors = tensors_file(parse_json(R"({"embeddings.LayerNorm.bias":
                     {"dtype": "F32", "shape": [4611686018427387905], "data_offsets": [0, 4]}})"),
                                   "xxxx");
  for (std::size_t number = 0; number < broken.size(); ++number) {
    try {
      written(broken[number]);
      ADD_FAILURE() << "case " << number;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << "case " << number << ": " << error.message();
    }
  }
}

}  // namespace
}  // namespace hone::model
