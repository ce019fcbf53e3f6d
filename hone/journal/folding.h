// Documents without what stands elsewhere already.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "hone/base/fingerprint.h"
#include "hone/journal/texts.h"

namespace hone::journal {

// Where a long string is kept.
enum class Keep {
  InRun,  // What comes back from models and processes belongs to its run.
  Shared  // What is sent to them may be sent by other runs too: in Texts.
};

// Takes long strings, and paragraphs of them, out of the JSON documents of one run when they have
// been written before. In their place stands a reference: byte 1, what it refers to, byte 2.
//
//   t12        text 12 of Texts
//   3:120+300  of chunk 3 of this run 300 bytes, from byte 120
//
// Chunks are what documents are written to: the next one is numbered higher. Strings stay as JSON
// writes them, escapes included, so that no other byte 1 is in a document.
class Folding {
 public:
  explicit Folding(Texts& texts) : texts_(texts) {}

  // Appends the document to the body of a chunk.
  void fold(std::string_view json, Keep keep, std::int64_t chunk, std::string& body);

  // Shorter strings stay where they are.
  static constexpr std::size_t kLongString = 80;
  // Shorter paragraphs are kept together.
  static constexpr std::size_t kLongSection = 256;

 private:
  struct Place {
    std::int64_t chunk = 0;
    std::size_t begin = 0;
    std::size_t length = 0;
  };
  struct Target;

  bool add_known(const Fingerprint& content, std::string& body) const;
  void add_string(std::string_view content, const Target& target);
  void add_section(std::string_view section, const Target& target);
  void remember(const Fingerprint& content, std::size_t begin, const Target& target);

  Texts& texts_;
  std::unordered_map<Fingerprint, Place, Fingerprint::Hash> places_;
};

// The body of an earlier chunk of the run, or of the same; throws Corrupt when there is none.
using BodyOf = std::function<std::string_view(std::int64_t chunk)>;

// The document as it was. Throws Corrupt when what it refers to is not there.
std::string unfolded(std::string_view folded, const BodyOf& body_of, Texts& texts);

// Calls for every text of Texts that a document refers to.
void for_each_text(std::string_view folded, const std::function<void(std::int64_t)>& take);

}  // namespace hone::journal
