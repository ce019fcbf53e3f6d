#include "hone/base/redact.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace hone {
namespace {

// A credential is a prefix and then at least `length` characters of its alphabet. The published
// formats: OpenAI, Anthropic, AWS, GitHub, GitLab, Slack, Google, Hugging Face and RFC 6750
// bearers.
struct Rule {
  std::string_view kind;
  std::string_view prefix;
  std::size_t length;
};
constexpr std::array kRules{Rule{"anthropic_key", "sk-ant-", 20},
                            Rule{"openai_key", "sk-proj-", 20},
                            Rule{"openai_key", "sk-svcacct-", 20},
                            Rule{"openrouter_key", "sk-or-", 20},
                            Rule{"openai_key", "sk-", 20},
                            Rule{"aws_key", "AKIA", 16},
                            Rule{"aws_key", "ASIA", 16},
                            Rule{"github_token", "ghp_", 36},
                            Rule{"github_token", "gho_", 36},
                            Rule{"github_token", "ghs_", 36},
                            Rule{"github_token", "github_pat_", 22},
                            Rule{"gitlab_token", "glpat-", 20},
                            Rule{"slack_token", "xoxb-", 20},
                            Rule{"slack_token", "xoxp-", 20},
                            Rule{"google_key", "AIza", 35},
                            Rule{"huggingface_token", "hf_", 30},
                            Rule{"groq_key", "gsk_", 40},
                            Rule{"bearer", "Bearer ", 16}};

bool in_alphabet(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
         c == '~' || c == '+' || c == '/';
}

// Characters that are rare in text, of which each rule has one among its first kReach.
constexpr std::array kRare{'-', '_', 'A', 'B'};
constexpr std::size_t kReach = 7;
static_assert(std::ranges::all_of(kRules, [](const Rule& rule) {
  return std::ranges::find_first_of(rule.prefix.substr(0, kReach), kRare) !=
         rule.prefix.substr(0, kReach).end();
}));

// Looks at every byte instead of stopping early: so the compiler makes it wide.
bool has_rare(std::string_view text) {
  unsigned char any = 0;
  for (const char c : text) {
    for (const char rare : kRare) any |= static_cast<unsigned char>(c == rare);
  }
  return any != 0;
}

// Whether any rule begins with this character.
constexpr std::array<bool, 256> first_characters() {
  std::array<bool, 256> table{};
  for (const Rule& rule : kRules) table[static_cast<unsigned char>(rule.prefix.front())] = true;
  return table;
}
constexpr std::array<bool, 256> kFirst = first_characters();

// The first place from `at` on where a rule may begin, or the end: most text is passed over by the
// block, and the rest by one look-up a byte.
std::size_t next_start(std::string_view text, std::size_t at) {
  constexpr std::size_t kBlock = 128 - kReach;
  while (at < text.size()) {
    const std::size_t end = std::min(text.size(), at + kBlock);
    if (!has_rare(text.substr(at, kBlock + kReach))) {
      at = end;
      continue;
    }
    for (; at < end; ++at) {
      if (kFirst[static_cast<unsigned char>(text[at])]) return at;
    }
  }
  return text.size();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// In JSON inside of text, the n of \\n is no part of the word that follows.
bool ends_escape(std::string_view before) {
  return before.size() > 1 && before[before.size() - 2] == '\\' &&
         std::string_view("bfnrt").find(before.back()) != std::string_view::npos;
}

// A secret has digits or both cases: "sk-this-is-just-a-hyphenated-name" is none.
bool looks_random(std::string_view text) {
  bool digit = false;
  for (const char c : text) digit = digit || std::isdigit(static_cast<unsigned char>(c)) != 0;
  return digit;
}

std::size_t secret_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && in_alphabet(rest[length])) ++length;
  while (length > 0 && rest[length - 1] == '.') --length;
  return length;
}

}  // namespace

std::string Redactor::placeholder(std::string_view kind, std::string_view secret) {
  ++count_;
  if (const auto known = placeholders_.find(secret); known != placeholders_.end())
    return known->second;
  auto number = numbers_.find(kind);
  if (number == numbers_.end()) number = numbers_.emplace(kind, 0).first;
  std::string name = fmt::format("[{}_{}]", kind, ++number->second);
  placeholders_.emplace(secret, name);
  return name;
}

std::string Redactor::redact(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = next_start(text, 0); at < text.size(); at = next_start(text, at + 1)) {
    if (at > 0 && is_word(text[at - 1]) && !ends_escape(text.substr(0, at))) continue;
    for (const Rule& rule : kRules) {
      if (!text.substr(at).starts_with(rule.prefix)) continue;
      const std::string_view rest = text.substr(at + rule.prefix.size());
      const std::size_t length = secret_length(rest);
      if (length < rule.length || !looks_random(rest.substr(0, length))) continue;
      // Keep the word Bearer: it says what stood there.
      const std::size_t keep = rule.prefix.ends_with(' ') ? rule.prefix.size() : 0;
      result += text.substr(copied, at + keep - copied);
      const std::size_t end = at + rule.prefix.size() + length;
      result += placeholder(rule.kind, text.substr(at + keep, end - at - keep));
      copied = end;
      at = end - 1;
      break;
    }
  }
  if (copied == 0) return std::string(text);
  result += text.substr(copied);
  return result;
}

}  // namespace hone
