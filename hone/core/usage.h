// What calls cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hone/base/units.h"

namespace hone::core {

// Who asks a model. `Embed` turns text into a vector; the others are the four roles of a run.
enum class Role { Generate, Evaluate, Reflect, Revise, Embed };
inline constexpr std::size_t kRoles = 5;
std::string_view to_string(Role role);  // "generate", "evaluate", …
std::optional<Role> role_from(std::string_view text);

// The cost of some calls. The sum of no calls is Usage{}.
struct Usage {
  std::int64_t calls = 0;
  Tokens input;            // Prompt tokens, cached ones included.
  Tokens output;           // Tokens written, hidden reasoning included.
  Tokens cached;           // Prompt tokens that the provider had already read.
  std::optional<Usd> usd;  // Absent when a price is unknown; never 0 for "unknown".
  bool estimated = false;  // Some of it was counted by hone because a provider did not tell.
  Tokens reasoning = {};   // Part of `output`: hidden reasoning, as far as providers tell.
  Tokens cache_written =
      {};  // Part of `input`: newly kept by the provider, where it charges for it.

  Tokens total() const { return {input.count + output.count}; }
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};
Usage operator+(Usage left, const Usage& right);

// Usage by role. Small where few roles have any: a run keeps several for each attempt.
class UsageByRole {
 public:
  // Good until another role is asked for.
  Usage& operator[](Role role);
  const Usage& operator[](Role role) const;
  Usage total() const;
  UsageByRole& operator+=(const UsageByRole& other);
  friend bool operator==(const UsageByRole& left, const UsageByRole& right);

 private:
  struct Entry {
    Role role;
    Usage usage;
  };
  std::vector<Entry> entries_;
};

// Tokens of a text nobody counted: about one for four bytes, and one for each character of scripts
// that do not use spaces. Deterministic; used for reservations and marked as estimated elsewhere.
Tokens estimate_tokens(std::string_view text);

}  // namespace hone::core
