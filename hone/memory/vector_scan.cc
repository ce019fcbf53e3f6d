#include "hone/memory/vector_scan.h"

#include <bit>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hone::memory {
namespace {

template <class Count>
[[gnu::always_inline]] inline void scan(const std::uint64_t* rows,
                                        std::span<const std::uint64_t> signs,
                                        std::span<std::uint16_t> distances, Count count) {
  const std::size_t words = signs.size();
  for (std::uint16_t& distance : distances) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < words; ++at) sum += count(rows[at] ^ signs[at]);
    distance = static_cast<std::uint16_t>(sum);
    rows += words;
  }
}

float plain_dot(std::span<const float> query, const std::int8_t* high, const std::uint8_t* low) {
  const std::size_t half = query.size() / 2;
  float sum = 0;
  for (std::size_t at = 0; at < half; ++at) {
    sum += query[at] * static_cast<float>(high[at] * 16 + (low[at] & 15)) +
           query[half + at] * static_cast<float>(high[half + at] * 16 + (low[at] >> 4));
  }
  return sum;
}

void plain_scan(const std::uint64_t* rows, std::span<const std::uint64_t> signs,
                std::span<std::uint16_t> distances) {
  scan(rows, signs, distances,
       [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
}

#if defined(__x86_64__)

// Six words are 384 components, eight are 512: the loops over them are unrolled.
template <std::size_t kWords>
__attribute__((target("popcnt"))) void fixed_popcnt_scan(const std::uint64_t* rows,
                                                         std::span<const std::uint64_t> signs,
                                                         std::span<std::uint16_t> distances) {
  std::uint64_t own[kWords];
  for (std::size_t at = 0; at < kWords; ++at) own[at] = signs[at];
  for (std::uint16_t& distance : distances) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < kWords; ++at)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(rows[at] ^ own[at]));
    distance = static_cast<std::uint16_t>(sum);
    rows += kWords;
  }
}

__attribute__((target("popcnt"))) void popcnt_scan(const std::uint64_t* rows,
                                                   std::span<const std::uint64_t> signs,
                                                   std::span<std::uint16_t> distances) {
  if (signs.size() == 6) return fixed_popcnt_scan<6>(rows, signs, distances);
  if (signs.size() == 8) return fixed_popcnt_scan<8>(rows, signs, distances);
  const std::size_t words = signs.size();
  for (std::uint16_t& distance : distances) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < words; ++at)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(rows[at] ^ signs[at]));
    distance = static_cast<std::uint16_t>(sum);
    rows += words;
  }
}

__attribute__((target("avx2,fma"))) __m256 eight(const std::int8_t* high, __m128i nibbles) {
  const __m256i upper =
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(high)));
  const __m256i value =
      _mm256_add_epi32(_mm256_slli_epi32(upper, 4), _mm256_cvtepu8_epi32(nibbles));
  return _mm256_cvtepi32_ps(value);
}

// Dimensions are a multiple of 64, so halves are one of eight.
__attribute__((target("avx2,fma"))) float avx2_dot(std::span<const float> query,
                                                   const std::int8_t* high,
                                                   const std::uint8_t* low) {
  const std::size_t half = query.size() / 2;
  const __m128i mask = _mm_set1_epi8(15);
  __m256 first = _mm256_setzero_ps();
  __m256 second = _mm256_setzero_ps();
  for (std::size_t at = 0; at < half; at += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(low + at));
    const __m128i upper = _mm_and_si128(_mm_srli_epi16(bytes, 4), mask);
    first = _mm256_fmadd_ps(_mm256_loadu_ps(&query[at]),
                            eight(high + at, _mm_and_si128(bytes, mask)), first);
    second =
        _mm256_fmadd_ps(_mm256_loadu_ps(&query[half + at]), eight(high + half + at, upper), second);
  }
  alignas(32) float parts[8];
  _mm256_store_ps(parts, _mm256_add_ps(first, second));
  float sum = 0;
  for (const float part : parts) sum += part;
  return sum;
}

#endif

}  // namespace

void hamming_distances(const std::uint64_t* rows, std::span<const std::uint64_t> signs,
                       std::span<std::uint16_t> distances) {
#if defined(__x86_64__)
  static const bool counts = __builtin_cpu_supports("popcnt") != 0;
  if (counts) return popcnt_scan(rows, signs, distances);
#endif
  plain_scan(rows, signs, distances);
}

float dot_of_twelve_bits(std::span<const float> query, const std::int8_t* high,
                         const std::uint8_t* low) {
#if defined(__x86_64__)
  static const bool wide =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (wide) return avx2_dot(query, high, low);
#endif
  return plain_dot(query, high, low);
}

}  // namespace hone::memory
