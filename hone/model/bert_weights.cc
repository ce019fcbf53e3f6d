#include "hone/model/bert_weights.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "hone/base/error.h"
#include "hone/base/json.h"
#include "hone/base/text.h"

namespace hone::model {
namespace {

using Names = std::map<std::string_view, std::string_view>;

const Names kOutside{{"embeddings.word_embeddings", "token_embd"},
                     {"embeddings.token_type_embeddings", "token_types"},
                     {"embeddings.position_embeddings", "position_embd"},
                     {"embeddings.LayerNorm", "token_embd_norm"}};
const Names kInLayers{{"attention.self.query", "attn_q"},
                      {"attention.self.key", "attn_k"},
                      {"attention.self.value", "attn_v"},
                      {"attention.output.dense", "attn_output"},
                      {"attention.output.LayerNorm", "attn_output_norm"},
                      {"intermediate.dense", "ffn_up"},
                      {"output.dense", "ffn_down"},
                      {"output.LayerNorm", "layer_output_norm"}};
// The classifier's part, which no vector needs, and what numbers the positions.
constexpr std::array<std::string_view, 2> kUnused{"pooler.", "embeddings.position_ids"};
constexpr std::string_view kLayer = "encoder.layer.";

constexpr std::uint32_t kMean = 1;        // Pooling.
constexpr std::uint32_t kMostlyHalf = 1;  // Type of the file.
constexpr std::int32_t kOrdinary = 1;     // Types of tokens.
constexpr std::int32_t kControl = 3;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::Corrupt, "the published weights cannot be converted: " + what,
              "fetch them again; nothing was kept of them");
}

const Json& member(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) refuse(std::string("`") + name + "` is missing");
  return *found;
}

// The engine's name for a tensor; absent for one that is not needed.
std::optional<std::string> engine_name(std::string_view name) {
  if (name.starts_with("bert.")) name.remove_prefix(5);
  for (const std::string_view unused : kUnused) {
    if (name.starts_with(unused)) return std::nullopt;
  }
  const std::size_t dot = name.rfind('.');
  std::string_view stem = name.substr(0, dot);
  std::string layer;
  if (stem.starts_with(kLayer)) {
    stem.remove_prefix(kLayer.size());
    const std::size_t end = stem.find('.');
    layer = "blk." + std::string(stem.substr(0, end)) + ".";
    stem.remove_prefix(std::min(stem.size(), end + 1));
  }
  const Names& names = layer.empty() ? kOutside : kInLayers;
  const auto found = names.find(stem);
  if (dot == std::string_view::npos || found == names.end())
    refuse("there is an unknown tensor `" + std::string(name) + "`");
  return layer + std::string(found->second) + std::string(name.substr(dot));
}

struct Safetensors {
  Json head;
  std::string_view values;
};

Safetensors open_tensors(std::string_view file) {
  std::uint64_t length = 0;
  if (file.size() < sizeof length) refuse("the tensors are cut off");
  std::memcpy(&length, file.data(), sizeof length);
  file.remove_prefix(sizeof length);
  if (length > file.size()) refuse("the head of the tensors is cut off");
  return {.head = parse_json(file.substr(0, length)), .values = file.substr(length)};
}

GgufTensor tensor_of(const Json& entry, std::string name, std::string_view values) {
  GgufTensor tensor{.name = std::move(name), .shape = {}, .values = {}};
  if (member(entry, "dtype") != "F32") refuse("`" + tensor.name + "` is not of type F32");
  std::uint64_t count = 1;
  for (const Json& size : member(entry, "shape")) {
    tensor.shape.push_back(size.get<std::uint64_t>());
    // No product of sizes that fit the file overflows on its way.
    count = tensor.shape.back() > values.size() || count > values.size()
                ? values.size() + 1
                : count * tensor.shape.back();
  }
  const Json& offsets = member(entry, "data_offsets");
  const auto begin = offsets.at(0).get<std::uint64_t>();
  const auto end = offsets.at(1).get<std::uint64_t>();
  if (begin > end || end > values.size() || end - begin != count * sizeof(float))
    refuse("`" + tensor.name + "` does not lie inside the file");
  tensor.values = values.substr(begin, end - begin);
  const bool is_position =
      tensor.name.starts_with("position_") || tensor.name.starts_with("token_types");
  if (tensor.shape.size() == 2 && !is_position) tensor.type = GgufType::Float16;
  return tensor;
}

std::vector<GgufTensor> tensors_of(const Safetensors& file) {
  std::vector<GgufTensor> tensors;
  for (const auto& [name, entry] : file.head.items()) {
    if (name == "__metadata__") continue;
    auto known = engine_name(name);
    if (known) tensors.push_back(tensor_of(entry, std::move(*known), file.values));
  }
  return tensors;
}

bool is_control(std::string_view piece) {
  return piece.size() > 2 && piece.starts_with('[') && piece.ends_with(']');
}

// The engine marks the beginnings of words, the vocabulary what goes on inside them.
std::string engine_piece(const std::string& piece) {
  if (is_control(piece)) return piece;
  return piece.starts_with("##") ? piece.substr(2) : "\u2581" + piece;
}

void add_vocabulary(GgufFacts& facts, std::string_view text) {
  std::vector<std::string> pieces;
  std::vector<std::int32_t> types;
  std::map<std::string, std::uint32_t, std::less<>> controls;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string& piece : split(text, '\n')) {
    const bool control = is_control(piece);
    if (control) controls.emplace(piece, static_cast<std::uint32_t>(pieces.size()));
    pieces.push_back(engine_piece(piece));
    types.push_back(control ? kControl : kOrdinary);
  }
  facts.add("tokenizer.ggml.model", std::string_view("bert"));
  facts.add("tokenizer.ggml.pre", std::string_view("default"));
  facts.add("tokenizer.ggml.tokens", pieces);
  facts.add("tokenizer.ggml.token_type", types);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kRoles{
      {{"unknown", "[UNK]"},
       {"seperator", "[SEP]"},  // As the format spells it.
       {"padding", "[PAD]"},
       {"mask", "[MASK]"},
       {"bos", "[CLS]"},
       {"eos", "[SEP]"}}};
  for (const auto& [role, piece] : kRoles) {
    const auto found = controls.find(piece);
    if (found == controls.end()) refuse("the vocabulary has no " + std::string(piece));
    facts.add("tokenizer.ggml." + std::string(role) + "_token_id", found->second);
  }
}

GgufFacts facts_of(const BertParts& parts) {
  const Json config = parse_json(parts.config);
  const auto number = [&](const char* name) { return member(config, name).get<std::uint32_t>(); };
  if (member(config, "model_type") != "bert") refuse("they are of another architecture");
  GgufFacts facts;
  facts.add("general.architecture", std::string_view("bert"));
  facts.add("general.name", std::string_view(parts.name));
  facts.add("general.license", std::string_view(parts.licence));
  facts.add("general.file_type", kMostlyHalf);
  facts.add("bert.block_count", number("num_hidden_layers"));
  facts.add("bert.context_length", number("max_position_embeddings"));
  facts.add("bert.embedding_length", number("hidden_size"));
  facts.add("bert.feed_forward_length", number("intermediate_size"));
  facts.add("bert.attention.head_count", number("num_attention_heads"));
  facts.add("bert.attention.layer_norm_epsilon", member(config, "layer_norm_eps").get<float>());
  facts.add("bert.attention.causal", false);
  facts.add("bert.pooling_type", kMean);
  facts.add("tokenizer.ggml.token_type_count", number("type_vocab_size"));
  add_vocabulary(facts, parts.vocabulary);
  return facts;
}

}  // namespace

void write_bert_gguf(const BertParts& parts, const Put& put) {
  try {
    const GgufFacts facts = facts_of(parts);
    const std::vector<GgufTensor> tensors = tensors_of(open_tensors(parts.tensors));
    write_gguf(facts, tensors, put);
  } catch (const Json::exception& error) {
    refuse(error.what());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::InvalidInput) throw;
    refuse(error.message());
  }
}

}  // namespace hone::model
