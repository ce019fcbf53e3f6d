#include "hone/model/gguf.h"

#include <bit>
#include <cstring>

#include "hone/base/error.h"

namespace hone::model {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kAlignment = 32;
enum Type : std::uint32_t {
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9
};

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_text(std::string& bytes, std::string_view text) {
  append(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
}

std::size_t padded(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

std::size_t size_of(const GgufTensor& tensor) {
  return tensor.type == GgufType::Float16 ? tensor.values.size() / 2 : tensor.values.size();
}

std::string head(const GgufFacts& facts, const std::vector<GgufTensor>& tensors) {
  std::string bytes = "GGUF";
  append(bytes, kVersion);
  append(bytes, static_cast<std::uint64_t>(tensors.size()));
  append(bytes, facts.count());
  bytes += facts.bytes();
  std::uint64_t offset = 0;
  for (const GgufTensor& tensor : tensors) {
    append_text(bytes, tensor.name);
    append(bytes, static_cast<std::uint32_t>(tensor.shape.size()));
    // The file names the fastest dimension first.
    for (auto size = tensor.shape.rbegin(); size != tensor.shape.rend(); ++size)
      append(bytes, *size);
    append(bytes, static_cast<std::uint32_t>(tensor.type));
    append(bytes, offset);
    offset += padded(size_of(tensor));
  }
  bytes.resize(padded(bytes.size()));
  return bytes;
}

std::string halves_of(std::string_view values) {
  std::string bytes;
  bytes.reserve(values.size() / 2);
  for (std::size_t at = 0; at < values.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, values.data() + at, sizeof value);
    append(bytes, to_half(value));
  }
  return bytes;
}

}  // namespace

void GgufFacts::begin(std::string_view key, std::uint32_t type) {
  append_text(bytes_, key);
  append(bytes_, type);
  ++count_;
}

void GgufFacts::add(std::string_view key, std::string_view text) {
  begin(key, kString);
  append_text(bytes_, text);
}

void GgufFacts::add(std::string_view key, std::uint32_t number) {
  begin(key, kUint32);
  append(bytes_, number);
}

void GgufFacts::add(std::string_view key, float number) {
  begin(key, kFloat32);
  append(bytes_, number);
}

void GgufFacts::add(std::string_view key, bool value) {
  begin(key, kBool);
  append(bytes_, static_cast<std::uint8_t>(value ? 1 : 0));
}

void GgufFacts::add(std::string_view key, const std::vector<std::string>& texts) {
  begin(key, kArray);
  append(bytes_, std::uint32_t{kString});
  append(bytes_, static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) append_text(bytes_, text);
}

void GgufFacts::add(std::string_view key, const std::vector<std::int32_t>& numbers) {
  begin(key, kArray);
  append(bytes_, std::uint32_t{kInt32});
  append(bytes_, static_cast<std::uint64_t>(numbers.size()));
  for (const std::int32_t number : numbers) append(bytes_, number);
}

std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  // From 65520 on the nearest half is infinite.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  const int exponent = static_cast<int>(magnitude >> 23) - 112;  // Of the half.
  std::uint32_t mantissa = magnitude & 0x7fffff;
  int shift = 13;
  std::uint32_t result = static_cast<std::uint32_t>(exponent) << 10;
  if (exponent <= 0) {
    if (exponent < -10) return sign;
    mantissa |= 0x800000;
    shift += 1 - exponent;
    result = 0;
  }
  result += mantissa >> shift;
  const std::uint32_t rest = mantissa & ((1U << shift) - 1);
  const std::uint32_t middle = 1U << (shift - 1);
  // A carry out of the mantissa raises the exponent, as it should.
  if (rest > middle || (rest == middle && (result & 1) != 0)) ++result;
  return static_cast<std::uint16_t>(sign | result);
}

void write_gguf(const GgufFacts& facts, const std::vector<GgufTensor>& tensors, const Put& put) {
  put(head(facts, tensors));
  for (const GgufTensor& tensor : tensors) {
    const std::string halves =
        tensor.type == GgufType::Float16 ? halves_of(tensor.values) : std::string();
    put(tensor.type == GgufType::Float16 ? std::string_view(halves) : tensor.values);
    put(std::string(padded(size_of(tensor)) - size_of(tensor), '\0'));
  }
}

}  // namespace hone::model
