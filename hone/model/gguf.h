// Writing GGUF files, version 3: the format of the local engine's models.
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::model {

// Takes bytes, in order.
using Put = std::function<void(std::string_view)>;

// The facts at the head of a file. Threads: one.
class GgufFacts {
 public:
  void add(std::string_view key, std::string_view text);
  void add(std::string_view key, std::uint32_t number);
  void add(std::string_view key, float number);
  void add(std::string_view key, bool value);
  void add(std::string_view key, const std::vector<std::string>& texts);
  void add(std::string_view key, const std::vector<std::int32_t>& numbers);

  std::uint64_t count() const { return count_; }
  const std::string& bytes() const { return bytes_; }

 private:
  void begin(std::string_view key, std::uint32_t type);

  std::uint64_t count_ = 0;
  std::string bytes_;
};

enum class GgufType : std::uint32_t { Float32 = 0, Float16 = 1 };

struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> shape;  // The slowest dimension first.
  GgufType type = GgufType::Float32;
  // Little-endian float32, whatever the type: it is converted when it is written. Outlives the
  // writing.
  std::string_view values;
};

// Writes the whole file. The same facts and tensors give the same bytes on every machine.
void write_gguf(const GgufFacts& facts, const std::vector<GgufTensor>& tensors, const Put& put);

// Rounds to the nearest half-precision number, ties to even (IEEE 754); what is too large becomes
// infinite.
std::uint16_t to_half(float value);

}  // namespace hone::model
