// Whatever the bytes are, parsing ends soon with a value or with an Error that names a place.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "hone/yaml/parse.h"

namespace hone::yaml {
namespace {

using Generator = std::mt19937;

std::size_t below(Generator& random, std::size_t limit) { return random() % limit; }

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> texts{
      "task: |\n  Summarise.\n  {{ input.memo }}\ninput: {memo: \"file://memo.txt\"}\n"
      "check:\n  - schema: {type: object, required: [title, summary]}\n  - contains: total\n",
      "- {role: generate, attempt: 1, reply: '{\"title\":\"Q3\"}', usage: {input: 40}}\n"
      "- {role: evaluate, error: {status: 429, retry_after: 0.1}}\n- &a [1, *b, .inf]\n",
      "{a: why?, b: [what??, ?x, ? y : z]}\n",
      "{\"a\": [1, 2.5e3, \"\\u00e9\\ud83d\\ude00\"], \"b\": {\"c\": null, \"d\": true}}",
      "%YAML 1.2\n---\n? complex\n: - >-\n    folded\n    text\n  - 'single '' quoted'\n...\n",
      "a: &x {k: v}\nb: *x\nc: !!str 5\n<<: *x\n\"q\": \"\\x41\\n\"\n# end\n"};
  return texts;
}

std::string random_bytes(Generator& random) {
  static constexpr std::string_view kPieces =
      "{}[]:,-?&*!|>'\"%@`#~ \n\t\\ab01.=<\r\xC3\xA9\x80\xFF";
  std::string text(below(random, 60), ' ');
  const bool any = below(random, 4) == 0;
  for (char& c : text) {
    c = any ? static_cast<char>(random() & 0xFF) : kPieces[below(random, kPieces.size())];
  }
  return text;
}

std::string mutated(Generator& random) {
  std::string text = seeds()[below(random, seeds().size())];
  for (std::size_t changes = 1 + below(random, 4); changes > 0; --changes) {
    const std::size_t at = below(random, text.size() + 1);
    const std::string& other = seeds()[below(random, seeds().size())];
    const std::size_t from = below(random, other.size());
    switch (below(random, 4)) {
      case 0:
        text.insert(at, random_bytes(random).substr(0, 3));
        break;
      case 1:
        text.erase(at, 1 + below(random, 8));
        break;
      case 2:
        text.insert(at, other.substr(from, below(random, 40)));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

void check(const std::string& text) {
  try {
    const Document document = parse(text, "f");
    const Json once = to_json(document.root);
    // What was read is JSON, and JSON reads back as the same value.
    const std::string json = dump(once);
    if (json.size() < 1000) EXPECT_EQ(dump(to_json(parse(json, "f").root)), json) << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::InvalidInput) << text;
    EXPECT_TRUE(error.message().starts_with("f:") || error.message().starts_with("JSON has no"))
        << error.message() << "\n"
        << text;
  }
}

TEST(YamlProperty, RandomBytesAndMutatedDocumentsEndInAValueOrAnError) {
  Generator random(20'221'122);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 20'000; ++i) {
    check(i % 2 == 0 ? random_bytes(random) : mutated(random));
    if (HasFailure()) return;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(YamlProperty, RepeatedPiecesEndSoon) {
  for (const std::string piece :
       {"[",  "{",   "- ", "? ",   "a: ",  "&a ", "!t ", "*a ", "%",    "'",
        "\"", "|\n", ">",  "{a: ", "[a, ", ": ",  "-\n", "#\n", "- - ", "\xC3\xA9"}) {
    std::string text;
    while (text.size() < 20'000) text += piece;
    const auto start = std::chrono::steady_clock::now();
    check(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << piece;
  }
}

}  // namespace
}  // namespace hone::yaml
