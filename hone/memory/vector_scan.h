// The two inner loops of a vector scan, by the best instructions that the processor has.
#pragma once

#include <cstdint>
#include <span>

namespace hone::memory {

// How many bits differ between `signs` and each of the distances.size() rows of as many words.
void hamming_distances(const std::uint64_t* rows, std::span<const std::uint64_t> signs,
                       std::span<std::uint16_t> distances);

// The dot product with components of twelve bits: sixteen times `high` plus a nibble of `low`,
// whose lower nibbles belong to the first half of the components.
float dot_of_twelve_bits(std::span<const float> query, const std::int8_t* high,
                         const std::uint8_t* low);

}  // namespace hone::memory
