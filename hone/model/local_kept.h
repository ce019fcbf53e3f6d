// Part of the engine plugin: what the model has read, kept so that it need not be read again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hone/model/local_engine.h"

struct llama_context;

namespace hone::model {

// Several sequences of tokens in one context, which share what they have in common: copying a start
// from one to another takes microseconds and no memory. What was used longest ago makes room.
// Threads: one at a time.
class KeptSequences {
 public:
  struct Options {
    llama_context* context = nullptr;  // Outlives this.
    int count = 1;                     // Sequences the context was made for.
    bool divisible = true;             // Whether a start can be kept; not for recurrent models.
    std::function<bool()> cancelled;
  };
  explicit KeptSequences(Options options);

  // Makes the sequence current that begins like `prompt`, up to the longest start that is here, and
  // returns how many tokens of it that are. That is all of the prompt only where result() is known;
  // otherwise at least its last token is left to read. Whatever else began this way stays.
  int begin(std::span<const std::int32_t> prompt);
  // Lets the model read tokens at the end of the current sequence.
  EngineFault read(std::span<const std::int32_t> tokens, std::string& detail);
  std::size_t length() const { return sequences_[current_].tokens.size(); }

  // What the model made of the current sequence's tokens, for a prompt that comes again.
  using Logits = std::vector<float>;
  void keep_result(Logits logits);
  // Null unless keep_result() was called for exactly these tokens.
  std::shared_ptr<const Logits> result() const;

  // Goes on in a copy of the current sequence, which is as it was after leave(). Only where
  // can_branch().
  bool can_branch() const { return options_.divisible && sequences_.size() > 1; }
  void branch();
  void leave();

 private:
  struct Sequence {
    std::vector<std::int32_t> tokens;
    std::uint64_t used = 0;  // When, as a count of begin() and branch().
    std::shared_ptr<const Logits> result;
    std::size_t result_length = 0;  // Tokens that the result follows.
  };

  EngineFault read_some(std::span<const std::int32_t> tokens, std::string& detail);
  int decode(std::span<const std::int32_t> tokens);
  static std::size_t start_in(const Sequence& sequence, std::span<const std::int32_t> prompt);
  std::size_t longest_start(std::span<const std::int32_t> prompt) const;
  std::size_t least_used_but(std::size_t spared) const;
  void copy_start(std::size_t from, std::size_t to, std::size_t length);
  void cut(std::size_t sequence, std::size_t length);
  void forget(std::size_t sequence);
  bool make_room();
  EngineFault failed(int status, std::string& detail);

  Options options_;
  std::vector<Sequence> sequences_;
  std::size_t current_ = 0;
  std::size_t trunk_ = 0;  // What leave() goes back to.
  std::uint64_t clock_ = 0;
};

}  // namespace hone::model
