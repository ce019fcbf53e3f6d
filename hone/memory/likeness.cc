#include "hone/memory/likeness.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "hone/base/text.h"
#include "hone/memory/words.h"

namespace hone::memory {
namespace {

// The share of all words that two texts have in common, above which they say the same; and from
// which they are about the same.
constexpr double kSame = 0.8;
constexpr double kAbout = 0.5;

constexpr std::array kNegations{"not",    "never",   "no",        "don't",   "avoid", "without",
                                "cannot", "doesn't", "shouldn't", "mustn't", "stop",  "won't"};
constexpr std::array kOpposites{
    std::pair{"before", "after"},         std::pair{"more", "less"},
    std::pair{"include", "exclude"},      std::pair{"first", "last"},
    std::pair{"long", "short"},           std::pair{"add", "remove"},
    std::pair{"enable", "disable"},       std::pair{"lower", "upper"},
    std::pair{"increase", "decrease"},    std::pair{"maximum", "minimum"},
    std::pair{"above", "below"},          std::pair{"with", "without"},
    std::pair{"ascending", "descending"}, std::pair{"early", "late"}};

struct Parts {
  std::set<std::string> words;
  std::set<std::string> numbers;
  std::set<std::string> plain;  // As they stand, in lower case.
  bool negated = false;
};

std::set<std::string> plain_words(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lower(text) + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '\'') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

Parts parts_of(std::string_view text) {
  Parts parts{.plain = plain_words(text)};
  for (std::string& word : words_of(text)) {
    const bool number = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    (number ? parts.numbers : parts.words).insert(std::move(word));
  }
  int negations = 0;
  for (const char* word : kNegations) {
    negations += parts.plain.contains(word) ? 1 : 0;
    for (const std::string& stem : words_of(word)) parts.words.erase(stem);
  }
  parts.negated = negations % 2 != 0;
  return parts;
}

double common_share(const std::set<std::string>& left, const std::set<std::string>& right) {
  if (left.empty() && right.empty()) return 1;
  std::vector<std::string> both;
  std::ranges::set_intersection(left, right, std::back_inserter(both));
  return static_cast<double>(both.size()) /
         static_cast<double>(left.size() + right.size() - both.size());
}

bool have_opposites(const Parts& left, const Parts& right) {
  const auto apart = [&](const char* one, const char* two) {
    return left.plain.contains(one) && !left.plain.contains(two) && right.plain.contains(two) &&
           !right.plain.contains(one);
  };
  return std::ranges::any_of(kOpposites, [&](const auto& pair) {
    return apart(pair.first, pair.second) || apart(pair.second, pair.first);
  });
}

}  // namespace

bool says_the_same(std::string_view left, std::string_view right) {
  const Parts one = parts_of(left);
  const Parts two = parts_of(right);
  return one.negated == two.negated && one.numbers == two.numbers && !have_opposites(one, two) &&
         common_share(one.words, two.words) > kSame;
}

bool says_the_opposite(std::string_view left, std::string_view right) {
  const Parts one = parts_of(left);
  const Parts two = parts_of(right);
  const bool apart = one.negated != two.negated || have_opposites(one, two);
  return apart && !one.words.empty() && common_share(one.words, two.words) >= kAbout;
}

}  // namespace hone::memory
