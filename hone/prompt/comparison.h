// Reads which of two texts a judge finds better.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hone/prompt/verdict.h"

namespace hone::prompt {

enum class Better { First, Second, Tie };

struct Comparison {
  Better better = Better::Tie;
  std::string reason;

  bool operator==(const Comparison&) const = default;
};

// A JSON object with `better` (or `winner`): A, B or tie; or one of these words alone. Several that
// disagree are unreadable, and so is everything else.
std::variant<Comparison, Unreadable> read_comparison(std::string_view reply);

}  // namespace hone::prompt
