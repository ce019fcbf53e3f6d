// Edits change what they name and nothing else, over 10,000 generated texts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "hone/prompt/edits.h"
#include "hone/prompt/testing.h"

namespace hone::prompt {
namespace {

constexpr int kCases = 10'000;

// A text in pieces, every second of which an edit replaces.
struct Sample {
  std::vector<std::string> kept;  // One more than there are edits.
  std::vector<Edit> edits;

  std::string before() const { return with(&Edit::search); }
  std::string after() const { return with(&Edit::replace); }

 private:
  std::string with(std::string Edit::* part) const {
    std::string text = kept.front();
    for (std::size_t i = 0; i < edits.size(); ++i) text += edits[i].*part + kept[i + 1];
    return text;
  }
};

class Samples {
 public:
  explicit Samples(std::uint32_t seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(random_); }

  std::string text(int most) {
    static const std::vector<std::string> words{
        "a",  "b ",        "\n",        "\r\n",       "  ",   "x = 1\n", "é",
        "{}", "</search>", "<search>",  "=======\n",  "\xff", "\t",      "\\",
        "\"", "```\n",     "<replace>", "</replace>", "&lt;", "\n\n"};
    std::string made;
    for (int i = below(most + 1); i > 0; --i) made += words[static_cast<std::size_t>(below(20))];
    return made;
  }
  // Search texts have a number, so that each is there once.
  Sample sample() {
    Sample made;
    made.kept.push_back("k" + text(6));
    for (int i = 0, count = 1 + below(5); i < count; ++i) {
      made.edits.push_back({fmt::format("{}#{}#{}", text(2), i, text(2)), text(4)});
      made.kept.push_back(text(6));
    }
    return made;
  }
  std::vector<Edit> shuffled(std::vector<Edit> edits) {
    std::ranges::shuffle(edits, random_);
    return edits;
  }

 private:
  std::mt19937 random_;
};

std::string in_tags(const std::vector<Edit>& edits, const std::string& suffix) {
  std::string reply = "Here:\n";
  for (const Edit& edit : edits) {
    reply += fmt::format("<search{0}>\n{1}\n</search{0}>\n<replace{0}>\n{2}\n</replace{0}>\n",
                         suffix, edit.search, edit.replace);
  }
  return reply;
}

TEST(EditProperties, UntouchedBytesStayAndTheOrderDoesNotMatter) {
  Samples samples(20'261);
  for (int i = 0; i < kCases; ++i) {
    const Sample sample = samples.sample();
    const auto result = apply_edits(sample.before(), samples.shuffled(sample.edits));
    ASSERT_TRUE(std::holds_alternative<std::string>(result))
        << i << ": " << std::get<UnfitEdits>(result).problem << "\n"
        << sample.before();
    ASSERT_EQ(std::get<std::string>(result), sample.after()) << i;
  }
}

TEST(EditProperties, TheFormAskedForCarriesAnyText) {
  Samples samples(20'262);
  for (int i = 0; i < kCases; ++i) {
    const Sample sample = samples.sample();
    const std::string suffix = edit_suffix(sample.before() + sample.after());
    const auto read = read_edits(in_tags(sample.edits, suffix));
    ASSERT_TRUE(std::holds_alternative<std::vector<Edit>>(read))
        << i << ": " << std::get<UnfitEdits>(read).problem;
    ASSERT_EQ(std::get<std::vector<Edit>>(read), sample.edits) << i;
  }
}

// Whatever a model says: the result is refused, or the text with pieces replaced.
RC_GTEST_PROP(EditProperties, AnyEditsAreRefusedOrExact, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n")));
  const auto piece = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n")));
  const auto pairs = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(piece, piece));
  std::vector<Edit> edits;
  for (const auto& [search, replace] : pairs) edits.push_back({search, replace});
  const auto result = apply_edits(text, edits);
  const auto* changed = std::get_if<std::string>(&result);
  if (changed == nullptr) return;
  std::ranges::reverse(edits);
  RC_ASSERT(apply_edits(text, edits) == result);
  std::size_t expected = text.size();
  for (const Edit& edit : edits) {
    RC_ASSERT(text.find(edit.search) == text.rfind(edit.search));
    RC_ASSERT(changed->find(edit.replace) != std::string::npos);
    expected = expected - edit.search.size() + edit.replace.size();
  }
  RC_ASSERT(changed->size() == expected);
}

}  // namespace
}  // namespace hone::prompt
