#include "hone/journal/phrases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hone::journal {
namespace {

// A phrase is found by its place, for ever: append, never change or move one. Bytes that are
// control characters but not white space stand for them; the last one makes the byte after it a
// byte like any other, or with kMore a phrase of the second row.
constexpr std::array<std::string_view, 24> kFirstRow{R"({"$text":")",
                                                     R"({"model":")",
                                                     R"(","request":{"attempt":)",
                                                     R"(,"messages":[{"speaker":"system","text":)",
                                                     R"(},{"speaker":"user","text":)",
                                                     R"(},{"speaker":"assistant","text":)",
                                                     R"(}],"role":")",
                                                     R"(","sampling":{)",
                                                     R"("temperature":)",
                                                     R"("max_tokens":)",
                                                     R"(,"schema":)",
                                                     R"({"text":)",
                                                     R"(,"finish":"complete")",
                                                     R"(,"model":")",
                                                     R"("usage":{)",
                                                     R"("calls":1,"input":)",
                                                     R"(,"output":)",
                                                     R"("outcome":"passed","score":)",
                                                     R"("outcome":"failed","score":)",
                                                     R"({"event":"evaluated","attempt":{"number":)",
                                                     R"({"event":"reflected","attempt":)",
                                                     R"({"event":"attempt_started","attempt":)",
                                                     R"({"name":")",
                                                     R"("}})"};

constexpr std::array<std::string_view, 40> kSecondRow{R"(,"messages":[{"speaker":"user","text":)",
                                                      R"("evaluation":{)",
                                                      R"(,"interval":[)",
                                                      R"(],"samples":1)",
                                                      R"(,"checks":[)",
                                                      R"(,"issues":[{)",
                                                      R"("message":)",
                                                      R"(,"kind":")",
                                                      R"(,"check":")",
                                                      R"("value":)",
                                                      R"("strategy":")",
                                                      R"("parent":)",
                                                      R"(,"changes":{)",
                                                      R"("resolved":[)",
                                                      R"("carried":[)",
                                                      R"("started":)",
                                                      R"("reflection":{"text":)",
                                                      R"("what_happened":)",
                                                      R"("what_went_wrong":)",
                                                      R"("why":)",
                                                      R"("do_differently":)",
                                                      R"("rule":)",
                                                      R"({"command":)",
                                                      R"(,"environment":{},"files":{)",
                                                      R"("HONE_OUTPUT_FILE":)",
                                                      R"("output_limit":262144)",
                                                      R"("timeout":10000000000})",
                                                      R"({"exit_code":)",
                                                      R"("errors":)",
                                                      R"({"event":"lessons_recalled"})",
                                                      R"({"event":"run_finished","usage":{)",
                                                      R"({"event":"stopped","reason":")",
                                                      R"("selected":)",
                                                      R"("generate":{)",
                                                      R"("evaluate":{)",
                                                      R"("reflect":{)",
                                                      R"("revise":{)",
                                                      R"("criteria":{)",
                                                      R"("suggestions":[)",
                                                      R"("cached":)"};

constexpr std::array<char, 25> kCodes = [] {
  std::array<char, 25> codes{};
  std::size_t count = 0;
  for (char c = 1; count < codes.size(); ++c) {
    if (c != '\t' && c != '\n' && c != '\r' && c != '\v' && c != '\f') codes[count++] = c;
  }
  return codes;
}();
constexpr char kMore = kCodes.back();
constexpr char kRowStart = '0';  // The phrases of the second row are called 0, 1, …

bool is_code(char c) { return c > 0 && c <= kMore && std::ranges::find(kCodes, c) != kCodes.end(); }

struct Phrase {
  std::string_view text;
  std::array<char, 2> code;
  std::uint8_t code_length;
};

std::vector<Phrase> all_phrases() {
  std::vector<Phrase> phrases;
  for (std::size_t i = 0; i < kFirstRow.size(); ++i) {
    phrases.push_back({kFirstRow[i], {kCodes[i], 0}, 1});
  }
  for (std::size_t i = 0; i < kSecondRow.size(); ++i) {
    phrases.push_back(
        {kSecondRow[i], {kMore, static_cast<char>(kRowStart + static_cast<int>(i))}, 2});
  }
  std::ranges::sort(phrases, std::ranges::greater(),
                    [](const Phrase& phrase) { return phrase.text.size(); });
  return phrases;
}

// Those that begin with two characters, the longest first.
constexpr std::size_t kBuckets = 256;
std::size_t bucket(char first, char second) {
  return (static_cast<unsigned char>(first) * 31U + static_cast<unsigned char>(second)) % kBuckets;
}

using Index = std::array<std::vector<Phrase>, kBuckets>;
const Index& index() {
  static const Index made = [] {
    Index index;
    for (const Phrase& phrase : all_phrases()) {
      index[bucket(phrase.text[0], phrase.text[1])].push_back(phrase);
    }
    return index;
  }();
  return made;
}

const Phrase* phrase_at(std::string_view rest) {
  if (rest.size() < 2) return nullptr;
  for (const Phrase& phrase : index()[bucket(rest[0], rest[1])]) {
    if (rest.starts_with(phrase.text)) return &phrase;
  }
  return nullptr;
}

bool may_begin(char c) { return c == '{' || c == '"' || c == ',' || c == '}' || c == ']'; }

}  // namespace

std::string shortened(std::string_view json) {
  std::string stored;
  stored.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const Phrase* phrase = may_begin(c) ? phrase_at(json.substr(at)) : nullptr;
    if (phrase != nullptr) {
      stored.append(phrase->code.data(), phrase->code_length);
      at += phrase->text.size();
      continue;
    }
    if (is_code(c)) stored += kMore;
    stored += c;
    ++at;
  }
  return stored;
}

std::string lengthened(std::string_view stored) {
  std::string json;
  json.reserve(stored.size() * 3);
  for (std::size_t at = 0; at < stored.size(); ++at) {
    const char c = stored[at];
    if (!is_code(c)) {
      json += c;
    } else if (c != kMore) {
      json += kFirstRow[static_cast<std::size_t>(std::ranges::find(kCodes, c) - kCodes.begin())];
    } else if (++at < stored.size()) {
      const auto number = static_cast<std::size_t>(stored[at] - kRowStart);
      if (number < kSecondRow.size()) {
        json += kSecondRow[number];
      } else {
        json += stored[at];
      }
    }
  }
  return json;
}

}  // namespace hone::journal
