// Finds the values of a JSON text that have another type than the schema demands, and replaces
// those whose replacement does no harm.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/schema/demand.h"
#include "hone/schema/schema.h"

namespace hone::schema {

struct Proposal {
  Edit edit;
  std::size_t begin = 0;  // What it replaces in the text.
  std::size_t end = 0;
};

// In the order of the text, without overlap.
std::vector<Proposal> proposals(const Demands& demands, std::string_view text);

// A text on its way from the input to the coerced output.
class Mending {
 public:
  // `check` grades a text; no edit that lowers its share is made.
  Mending(std::string text, std::function<Result(std::string_view)> check);

  const std::string& text() const { return text_; }
  // Whether a violation tells of a value of the wrong type: where none does, there is nothing to
  // propose.
  bool has_wrong_type() const;
  // Makes all proposals at once if each mends a violation, or else those that do no harm by
  // themselves. False if none was made.
  bool try_edits(const std::vector<Proposal>& proposals);
  Coerced coerced() &&;

 private:
  void make(std::string text, Result result, const std::vector<Proposal>& made);
  bool try_all(const std::vector<Proposal>& proposals);
  bool try_one(const Proposal& proposal);

  std::string text_;
  std::function<Result(std::string_view)> check_;
  Result best_;  // Of text_.
  std::vector<Edit> edits_;
};

}  // namespace hone::schema
