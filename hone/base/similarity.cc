#include "hone/base/similarity.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace hone {
namespace {

constexpr std::size_t kShingle = 3;
constexpr std::size_t kFewWords = 12;

using Pieces = std::vector<std::string_view>;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Pieces words_of(std::string_view text) {
  Pieces words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    if (at > start) words.push_back(text.substr(start, at - start));
    while (at < text.size() && is_blank(text[at])) ++at;
  }
  return words;
}

// Code points, without white space.
Pieces characters_of(std::string_view text) {
  const auto goes_on = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  Pieces characters;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at++;
    while (at < text.size() && goes_on(text[at])) ++at;
    if (!is_blank(text[start])) characters.push_back(text.substr(start, at - start));
  }
  return characters;
}

// Sorted, each once.
std::vector<std::uint64_t> shingles_of(const Pieces& pieces) {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  const std::size_t length = std::min(kShingle, pieces.size());
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; length > 0 && i + length <= pieces.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t j = i; j < i + length; ++j) {
      hash = (hash ^ std::hash<std::string_view>()(pieces[j])) * kMultiplier;
    }
    shingles.push_back(hash);
  }
  std::ranges::sort(shingles);
  const auto repeats = std::ranges::unique(shingles);
  shingles.erase(repeats.begin(), repeats.end());
  return shingles;
}

}  // namespace

double similarity(std::string_view left, std::string_view right) {
  if (left == right) return 1;
  const Pieces left_words = words_of(left);
  const Pieces right_words = words_of(right);
  const bool few = std::min(left_words.size(), right_words.size()) < kFewWords;
  const auto a = shingles_of(few ? characters_of(left) : left_words);
  const auto b = shingles_of(few ? characters_of(right) : right_words);
  std::vector<std::uint64_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const std::size_t either = a.size() + b.size() - both.size();
  return either == 0 ? 1 : static_cast<double>(both.size()) / static_cast<double>(either);
}

}  // namespace hone
