#include "hone/model/local_kept.h"

#include <llama.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hone::model {
namespace {

constexpr int kNoRoom = 1;  // What llama_decode says when the context is full.

std::size_t common_start(std::span<const llama_token> one, std::span<const llama_token> other) {
  return static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

// A batch of one sequence; the result of its last token is kept.
class Batch {
 public:
  Batch(std::span<const llama_token> tokens, std::size_t sequence, std::size_t first)
      : batch_(llama_batch_init(static_cast<std::int32_t>(tokens.size()), 0, 1)) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      batch_.token[i] = tokens[i];
      batch_.pos[i] = static_cast<llama_pos>(first + i);
      batch_.n_seq_id[i] = 1;
      batch_.seq_id[i][0] = static_cast<llama_seq_id>(sequence);
      batch_.logits[i] = i + 1 == tokens.size() ? 1 : 0;
    }
    batch_.n_tokens = static_cast<std::int32_t>(tokens.size());
  }
  ~Batch() { llama_batch_free(batch_); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  llama_batch get() const { return batch_; }

 private:
  llama_batch batch_;
};

}  // namespace

KeptSequences::KeptSequences(Options options)
    : options_(std::move(options)), sequences_(static_cast<std::size_t>(options_.count)) {}

// How much of the prompt need not be read if this sequence goes on.
std::size_t KeptSequences::start_in(const Sequence& sequence, std::span<const llama_token> prompt) {
  const std::size_t common = common_start(sequence.tokens, prompt);
  const bool known = sequence.result && sequence.result_length == prompt.size();
  return known ? common : std::min(common, prompt.size() - 1);
}

std::size_t KeptSequences::longest_start(std::span<const llama_token> prompt) const {
  const auto rank = [&](const Sequence& sequence) {
    return std::pair(start_in(sequence, prompt), sequence.used);
  };
  return static_cast<std::size_t>(std::ranges::max_element(sequences_, {}, rank) -
                                  sequences_.begin());
}

std::size_t KeptSequences::least_used_but(std::size_t spared) const {
  std::size_t least = spared == 0 ? 1 : 0;
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    if (i != spared && sequences_[i].used < sequences_[least].used) least = i;
  }
  return least;
}

int KeptSequences::begin(std::span<const llama_token> prompt) {
  current_ = longest_start(prompt);
  const std::size_t common = start_in(sequences_[current_], prompt);
  if (common < length()) {
    if (can_branch()) {
      const std::size_t like = std::exchange(current_, least_used_but(current_));
      copy_start(like, current_, common);
    } else {
      cut(current_, common);
    }
  }
  sequences_[current_].used = ++clock_;
  trunk_ = current_;
  return static_cast<int>(length());
}

void KeptSequences::keep_result(Logits logits) {
  sequences_[current_].result = std::make_shared<const Logits>(std::move(logits));
  sequences_[current_].result_length = length();
}

std::shared_ptr<const KeptSequences::Logits> KeptSequences::result() const {
  const Sequence& now = sequences_[current_];
  return now.result_length == now.tokens.size() ? now.result : nullptr;
}

void KeptSequences::branch() {
  trunk_ = current_;
  current_ = least_used_but(trunk_);
  copy_start(trunk_, current_, sequences_[trunk_].tokens.size());
}

void KeptSequences::leave() {
  forget(current_);
  current_ = trunk_;
}

void KeptSequences::copy_start(std::size_t from, std::size_t to, std::size_t length) {
  forget(to);
  llama_memory_seq_cp(llama_get_memory(options_.context), static_cast<llama_seq_id>(from),
                      static_cast<llama_seq_id>(to), 0, static_cast<llama_pos>(length));
  const auto& tokens = sequences_[from].tokens;
  sequences_[to].tokens.assign(tokens.begin(),
                               tokens.begin() + static_cast<std::ptrdiff_t>(length));
  sequences_[to].used = ++clock_;
  if (sequences_[from].result_length > length) return;
  sequences_[to].result = sequences_[from].result;
  sequences_[to].result_length = sequences_[from].result_length;
}

void KeptSequences::cut(std::size_t sequence, std::size_t length) {
  llama_memory_t memory = llama_get_memory(options_.context);
  if (llama_memory_seq_rm(memory, static_cast<llama_seq_id>(sequence),
                          static_cast<llama_pos>(length), -1)) {
    sequences_[sequence].tokens.resize(length);
    if (sequences_[sequence].result_length > length) sequences_[sequence].result.reset();
  } else {
    // Recurrent models cannot go back part of the way.
    forget(sequence);
  }
}

void KeptSequences::forget(std::size_t sequence) {
  llama_memory_seq_rm(llama_get_memory(options_.context), static_cast<llama_seq_id>(sequence), -1,
                      -1);
  sequences_[sequence] = {};
}

EngineFault KeptSequences::read(std::span<const llama_token> tokens, std::string& detail) {
  const std::size_t most = llama_n_batch(options_.context);
  while (!tokens.empty()) {
    const std::size_t count = std::min(most, tokens.size());
    const EngineFault fault = read_some(tokens.first(count), detail);
    if (fault != EngineFault::None) return fault;
    tokens = tokens.subspan(count);
  }
  return EngineFault::None;
}

EngineFault KeptSequences::read_some(std::span<const llama_token> tokens, std::string& detail) {
  if (options_.cancelled()) return EngineFault::Cancelled;
  int status = decode(tokens);
  while (status == kNoRoom && make_room()) status = decode(tokens);
  if (status != 0) return failed(status, detail);
  auto& kept = sequences_[current_].tokens;
  kept.insert(kept.end(), tokens.begin(), tokens.end());
  return EngineFault::None;
}

int KeptSequences::decode(std::span<const llama_token> tokens) {
  const Batch batch(tokens, current_, length());
  return llama_decode(options_.context, batch.get());
}

// Gives up the sequence that was used longest ago, but neither the current one nor its trunk.
bool KeptSequences::make_room() {
  std::size_t victim = sequences_.size();
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    if (i == current_ || i == trunk_ || sequences_[i].tokens.empty()) continue;
    if (victim == sequences_.size() || sequences_[i].used < sequences_[victim].used) victim = i;
  }
  if (victim == sequences_.size()) return false;
  forget(victim);
  return true;
}

// What was read before the failure stays.
EngineFault KeptSequences::failed(int status, std::string& detail) {
  cut(current_, length());
  if (options_.cancelled()) return EngineFault::Cancelled;
  detail = "decoding failed with status " + std::to_string(status);
  return EngineFault::Internal;
}

}  // namespace hone::model
