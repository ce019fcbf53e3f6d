// Part of the engine plugin: a JSON Schema as a constraint on what the model writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct hone_constraint;
struct hone_vocabulary;
struct llama_vocab;

namespace hone::model {

// The tokens of one model, prepared once for all constraints. Threads: one at a time.
class Vocabulary {
 public:
  // Throws std::runtime_error for a model without a token that ends an answer.
  explicit Vocabulary(const llama_vocab& vocab);
  int size() const { return size_; }

 private:
  friend class Constraint;
  struct Free {
    void operator()(hone_vocabulary* vocabulary) const;
  };
  std::unique_ptr<hone_vocabulary, Free> vocabulary_;
  int size_;
};

// Where one answer stands in its schema. White space between the tokens of JSON is at most one
// blank or one new line with its indent. Threads: one at a time.
class Constraint {
 public:
  // Keywords that cannot be enforced are passed over, with a note; a schema that cannot be used at
  // all throws std::runtime_error.
  Constraint(const Vocabulary& vocabulary, const std::string& schema);

  const std::string& note() const { return note_; }
  // Goes on by the token if it may come next. Throws std::runtime_error when the limits of time and
  // size are reached.
  bool take(std::int32_t token);
  // The tokens that may come next, in order. Throws as take().
  const std::vector<std::int32_t>& allowed();
  // The document is complete and nothing may follow.
  bool is_done() const;

 private:
  struct Free {
    void operator()(hone_constraint* constraint) const;
  };
  std::unique_ptr<hone_constraint, Free> constraint_;
  std::vector<std::uint32_t> words_;
  std::vector<std::int32_t> allowed_;
  std::string note_;
};

}  // namespace hone::model
