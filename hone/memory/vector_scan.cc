#include "hone/memory/vector_scan.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hone::memory {
namespace {

using Distances = std::span<std::int16_t, kScanRows>;

float plain_dot(std::span<const float> query, const std::int8_t* high, const std::uint8_t* low) {
  const std::size_t half = query.size() / 2;
  float sum = 0;
  for (std::size_t at = 0; at < half; ++at) {
    sum += query[at] * static_cast<float>(high[at] * 16 + (low[at] & 15)) +
           query[half + at] * static_cast<float>(high[half + at] * 16 + (low[at] >> 4));
  }
  return sum;
}

void plain_scan(const std::uint64_t* block, std::span<const std::uint64_t> signs,
                Distances distances) {
  for (std::size_t row = 0; row < kScanRows; ++row) {
    int sum = 0;
    for (std::size_t word = 0; word < signs.size(); ++word)
      sum += std::popcount(block[word * kScanRows + row] ^ signs[word]);
    distances[row] = static_cast<std::int16_t>(sum);
  }
}

#if defined(__x86_64__)

__attribute__((target("popcnt"))) void popcnt_scan(const std::uint64_t* block,
                                                   std::span<const std::uint64_t> signs,
                                                   Distances distances) {
  for (std::size_t row = 0; row < kScanRows; ++row) {
    long long sum = 0;
    for (std::size_t word = 0; word < signs.size(); ++word)
      sum += __builtin_popcountll(block[word * kScanRows + row] ^ signs[word]);
    distances[row] = static_cast<std::int16_t>(sum);
  }
}

// Bits of each byte, by a table of nibbles (Muła, Kurz and Lemire, "Faster population counts using
// AVX2 instructions", 2018).
__attribute__((target("avx2"))) __m256i bits_of_bytes(__m256i bytes) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                         1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i mask = _mm256_set1_epi8(15);
  const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(bytes, mask));
  const __m256i high =
      _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask));
  return _mm256_add_epi8(low, high);
}

// Bytes hold the bits of 31 words.
constexpr std::size_t kMostWordsInBytes = 31;

__attribute__((target("avx2"))) void avx2_scan(const std::uint64_t* block,
                                               std::span<const std::uint64_t> signs,
                                               Distances distances) {
  for (std::size_t row = 0; row < kScanRows; row += 4) {
    __m256i sum = _mm256_setzero_si256();
    for (std::size_t word = 0; word < signs.size(); ++word) {
      const auto* rows = reinterpret_cast<const __m256i*>(block + word * kScanRows + row);
      const __m256i own = _mm256_set1_epi64x(static_cast<long long>(signs[word]));
      sum = _mm256_add_epi8(sum, bits_of_bytes(_mm256_xor_si256(_mm256_loadu_si256(rows), own)));
    }
    alignas(32) std::uint64_t sums[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums),
                       _mm256_sad_epu8(sum, _mm256_setzero_si256()));
    for (std::size_t at = 0; at < 4; ++at)
      distances[row + at] = static_cast<std::int16_t>(sums[at]);
  }
}

__attribute__((target("avx512f,avx512vl,avx512bw,avx512vpopcntdq"))) void avx512_scan(
    const std::uint64_t* block, std::span<const std::uint64_t> signs, Distances distances) {
  for (std::size_t row = 0; row < kScanRows; row += 8) {
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t word = 0; word < signs.size(); ++word) {
      const __m512i rows = _mm512_loadu_si512(block + word * kScanRows + row);
      const __m512i own = _mm512_set1_epi64(static_cast<long long>(signs[word]));
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(rows, own)));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&distances[row]), _mm512_cvtepi64_epi16(sum));
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

Instructions look() {
  for (const Instructions best : {Instructions::Avx512, Instructions::Avx2, Instructions::Popcnt}) {
    if (has(best)) return best;
  }
  return Instructions::Plain;
}

}  // namespace

bool has(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::Popcnt) return __builtin_cpu_supports("popcnt") != 0;
  if (instructions == Instructions::Avx2)
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (instructions == Instructions::Avx512) {
    return has(Instructions::Avx2) && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vpopcntdq") != 0;
  }
#endif
  return instructions == Instructions::Plain;
}

Instructions best_instructions() {
  static const Instructions best = look();
  return best;
}

void hamming_distances(const std::uint64_t* block, std::span<const std::uint64_t> signs,
                       Distances distances, Instructions instructions) {
#if defined(__x86_64__)
  const bool fits = signs.size() <= kMostWordsInBytes;
  if (instructions == Instructions::Avx512) return avx512_scan(block, signs, distances);
  if (instructions == Instructions::Avx2 && fits) return avx2_scan(block, signs, distances);
  if (instructions != Instructions::Plain) return popcnt_scan(block, signs, distances);
#endif
  plain_scan(block, signs, distances);
}

float dot_of_twelve_bits(std::span<const float> query, const std::int8_t* high,
                         const std::uint8_t* low, Instructions instructions) {
#if defined(__x86_64__)
  if (instructions >= Instructions::Avx2) return avx2_dot(query, high, low);
#endif
  return plain_dot(query, high, low);
}

}  // namespace hone::memory
