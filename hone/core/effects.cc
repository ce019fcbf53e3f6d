#include "hone/core/effects.h"

namespace hone::core {
namespace {

// Providers keep seeds in 32 bits with a sign, or in doubles.
constexpr std::uint64_t kSeedBits = 0x7fffffff;

}  // namespace

std::string_view to_string(Speaker speaker) {
  switch (speaker) {
    case Speaker::System:
      return "system";
    case Speaker::User:
      return "user";
    case Speaker::Assistant:
      return "assistant";
    case Speaker::Tool:
      return "tool";
  }
  return "user";
}

Sampling sampling_at(const Context& context, Sampling sampling) {
  if (sampling.seed) sampling.seed = context.seed(*sampling.seed) & kSeedBits;
  return sampling;
}

}  // namespace hone::core
