#include "hone/memory/words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

namespace hone::memory {
namespace {

// Sorted, as they stand in a text.
constexpr std::array<std::string_view, 143> kFiller{
    "a",      "about", "above",   "after", "again",   "all",     "also",    "am",      "an",
    "and",    "any",   "are",     "as",    "at",      "be",      "because", "been",    "before",
    "being",  "below", "between", "both",  "but",     "by",      "can",     "cannot",  "could",
    "did",    "do",    "does",    "doing", "don",     "down",    "during",  "each",    "either",
    "else",   "etc",   "few",     "for",   "from",    "further", "had",     "has",     "have",
    "having", "he",    "her",     "here",  "him",     "his",     "how",     "i",       "if",
    "in",     "into",  "is",      "it",    "its",     "itself",  "just",    "least",   "let",
    "like",   "ll",    "many",    "may",   "me",      "might",   "more",    "most",    "much",
    "must",   "my",    "need",    "needs", "neither", "nor",     "now",     "of",      "off",
    "on",     "once",  "one",     "only",  "or",      "other",   "our",     "out",     "over",
    "own",    "per",   "please",  "re",    "s",       "same",    "shall",   "she",     "should",
    "so",     "some",  "such",    "t",     "than",    "that",    "the",     "their",   "them",
    "then",   "there", "these",   "they",  "this",    "those",   "through", "to",      "too",
    "under",  "until", "up",      "upon",  "us",      "ve",      "very",    "was",     "we",
    "were",   "what",  "when",    "where", "which",   "while",   "who",     "whose",   "why",
    "will",   "with",  "within",  "would", "you",     "your",    "yours",   "yourself"};

// Stems that tasks of all kinds have in common.
const std::set<std::string, std::less<>>& common_stems() {
  static const std::set<std::string, std::less<>> stems = [] {
    std::set<std::string, std::less<>> made;
    for (const std::string_view text :
         {"write make create build give given get set use using used take put add do done want "
          "show "
          "find keep call run work help ensure provide include contain produce generate return "
          "output input result value values data text word words name names list item items "
          "number numbers line lines file files function functions code program script task tasks "
          "answer question example examples first last next new old good best better well right "
          "wrong way ways thing things time always never not no yes every short long short small "
          "large simple clear clearly exactly correct correctly check follow following based "
          "different several two three change whole start end part kind type types form case cases "
          "step steps point points order reader user users people person ask asked say said tell "
          "instead rather unless even still already actually really without against against "
          "explain describe mention state note summarise summarize sentence sentences paragraph "
          "paragraphs page pages brief detail details content information report document topic "
          "important actual own least both than python javascript"}) {
      for (const std::string& word : words_of(text)) made.insert(word);
    }
    return made;
  }();
  return stems;
}

constexpr double kCommonWeight = 0.3;

bool is_vowel(char c) { return std::string_view("aeiouy").find(c) != std::string_view::npos; }
bool has_vowel(std::string_view text) { return std::ranges::any_of(text, is_vowel); }

bool cut(std::string& word, std::string_view ending, std::size_t least) {
  if (!word.ends_with(ending) || word.size() < ending.size() + least) return false;
  word.resize(word.size() - ending.size());
  return true;
}

void cut_plural(std::string& word) {
  if (word.size() < 4 || word.back() != 's') return;
  if (cut(word, "ies", 2)) {
    word += 'y';
  } else if (word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches") ||
             word.ends_with("shes")) {
    word.resize(word.size() - 2);
  } else if (!word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is")) {
    word.pop_back();
  }
}

// "stopp" to "stop", but not "pass".
void undouble(std::string& word) {
  const std::size_t size = word.size();
  if (size < 4 || word[size - 1] != word[size - 2] || is_vowel(word.back())) return;
  if (std::string_view("lsz").find(word.back()) == std::string_view::npos) word.pop_back();
}

// A light English stemmer: what matters is that forms of one word meet, not that stems are words.
std::string stem(std::string word) {
  cut_plural(word);
  for (const std::string_view ending : {"ing", "ed"}) {
    const std::string before = word;
    if (!cut(word, ending, 3)) continue;
    if (!has_vowel(word)) {
      word = before;
      continue;
    }
    undouble(word);
    break;
  }
  for (const std::string_view ending :
       {"ization", "isation", "ational", "ation", "ator", "ment", "ness", "able",
        "ible",    "ally",    "ize",     "ise",   "ate",  "ion",  "ity",  "ful",
        "est",     "er",      "or",      "ly",    "al",   "iz",   "at"}) {
    if (cut(word, ending, 4)) break;
  }
  if (word.size() > 4 && word.back() == 'y') word.back() = 'i';
  if (word.size() > 3 && word.back() == 'e') word.pop_back();
  undouble(word);
  return word;
}

struct Character {
  char32_t code = 0;
  std::size_t length = 1;  // Bytes.
};

// The character at the start of `text`; code 0 for a byte that begins none.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC2 ? 2 : 0;
  if (length == 0 || length > text.size()) return {};
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(at) & 0x3FU);
  }
  return {code, length};
}

enum class Script { None, Latin, Spaced, Dense };

Script script_of(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) {
    return code >= first && code <= last;
  };
  if (within('a', 'z') || within('A', 'Z') || within('0', '9')) return Script::Latin;
  if (code < 0xC0 || within(0x2000, 0x206F) || within(0x3000, 0x303F) || within(0xFF00, 0xFF0F) ||
      code == 0xD7 || code == 0xF7 || within(0xFE00, 0xFE0F)) {
    return Script::None;
  }
  const bool dense = within(0x0E00, 0x0EFF) || within(0x1780, 0x17FF) || within(0x3040, 0x30FF) ||
                     within(0x3400, 0x9FFF) || within(0xF900, 0xFAFF) || within(0x20000, 0x2FFFF);
  if (dense) return Script::Dense;
  if (within(0x2190, 0x2BFF) || within(0x1F000, 0x1FAFF)) return Script::Dense;  // Signs, emoji.
  return Script::Spaced;
}

// Small letters for the alphabets whose capitals stand 32 places before them.
char32_t small(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) {
    return code >= first && code <= last;
  };
  if (within('A', 'Z') || (within(0xC0, 0xDE) && code != 0xD7) || within(0x391, 0x3A9) ||
      within(0x410, 0x42F)) {
    return code + 32;
  }
  return within(0x400, 0x40F) ? code + 80 : code;
}

void append(std::string& text, char32_t code) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    add(0xE0 | (code >> 12));
    add(0x80 | ((code >> 6) & 0x3F));
  } else {
    add(0xF0 | (code >> 18));
    add(0x80 | ((code >> 12) & 0x3F));
    add(0x80 | ((code >> 6) & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

// Collects characters to words.
class Splitter {
 public:
  std::vector<std::string> split(std::string_view text) {
    while (!text.empty()) {
      const Character next = first_character(text);
      take(next.code);
      text.remove_prefix(std::max<std::size_t>(next.length, 1));
    }
    end_word();
    return std::move(words_);
  }

 private:
  void take(char32_t code) {
    const Script script = script_of(code);
    const bool capital = code >= 'A' && code <= 'Z';
    const bool hump = capital && last_ >= 'a' && last_ <= 'z';
    if (script != script_ || hump) end_word();
    script_ = script;
    last_ = code;
    if (script == Script::Dense) return take_dense(code);
    if (script != Script::None) append(word_, small(code));
  }

  void take_dense(char32_t code) {
    std::string character;
    append(character, code);
    if (!dense_.empty()) words_.push_back(dense_ + character);
    alone_ = dense_.empty();
    dense_ = std::move(character);
  }

  void end_word() {
    if (!dense_.empty() && alone_) words_.push_back(dense_);
    dense_.clear();
    if (word_.empty()) return;
    const bool english = script_ == Script::Latin;
    if (!english || !std::ranges::binary_search(kFiller, std::string_view(word_))) {
      words_.push_back(english ? stem(word_) : word_);
    }
    word_.clear();
  }

  std::vector<std::string> words_;
  std::string word_;
  std::string dense_;
  bool alone_ = false;
  Script script_ = Script::None;
  char32_t last_ = 0;
};

}  // namespace

std::vector<std::string> words_of(std::string_view text) { return Splitter().split(text); }

double weight_of(std::string_view word) {
  return common_stems().contains(word) ? kCommonWeight : 1;
}

}  // namespace hone::memory
