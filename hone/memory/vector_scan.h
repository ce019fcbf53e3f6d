// The two inner loops of a vector scan, by the best instructions that the processor has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hone::memory {

// Signs are kept in blocks of so many rows, and in each block by columns: word w of row r stands at
// w * kScanRows + r. So a scan reads in order, eight rows at a time.
inline constexpr std::size_t kScanRows = 2048;

enum class Instructions { Plain, Popcnt, Avx2, Avx512 };
// Whether this processor has them.
bool has(Instructions instructions);
// The best that it has.
Instructions best_instructions();

// How many bits differ between `signs` and each row of a block.
void hamming_distances(const std::uint64_t* block, std::span<const std::uint64_t> signs,
                       std::span<std::int16_t, kScanRows> distances,
                       Instructions instructions = best_instructions());

// The dot product with components of twelve bits: sixteen times `high` plus a nibble of `low`,
// whose lower nibbles belong to the first half of the components.
float dot_of_twelve_bits(std::span<const float> query, const std::int8_t* high,
                         const std::uint8_t* low, Instructions instructions = best_instructions());

}  // namespace hone::memory
