#include "hone/core/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hone/base/error.h"

namespace hone::core {
namespace {

constexpr std::array<std::string_view, 3> kFinishes{"complete", "length", "interrupted"};
constexpr std::array<std::string_view, 14> kReasons{
    "passed",    "max_attempts",  "plateau",         "oscillation", "diminishing",
    "stable",    "duplicate",     "repeated_issues", "budget",      "deadline",
    "cancelled", "user_accepted", "escalated",       "error"};

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view to_string(Finish finish) { return kFinishes[static_cast<std::size_t>(finish)]; }
std::optional<Finish> finish_from(std::string_view text) {
  return find_name<Finish>(kFinishes, text);
}
std::string_view to_string(StopReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }
std::optional<StopReason> stop_reason_from(std::string_view text) {
  return find_name<StopReason>(kReasons, text);
}

const Attempt& Run::attempt(int number) const {
  if (number < 1 || number > static_cast<int>(attempts.size())) {
    throw Error(ErrorKind::NotFound, fmt::format("run {} has no attempt {}", id, number),
                fmt::format("its attempts are 1 to {}", attempts.size()));
  }
  return attempts[static_cast<std::size_t>(number - 1)];
}

const Attempt* Run::find_selected() const { return selected ? &attempt(*selected) : nullptr; }

namespace {

// An output comes before none.
bool is_better(const Attempt& left, const Attempt& right) {
  const bool left_ended = left.output.finish != Finish::Interrupted;
  const bool right_ended = right.output.finish != Finish::Interrupted;
  if (left_ended != right_ended) return left_ended;
  return compare(left.evaluation, right.evaluation) > 0;
}

}  // namespace

const Attempt* Run::find_best() const {
  const Attempt* best = nullptr;
  for (const Attempt& candidate : attempts) {
    if (best == nullptr || is_better(candidate, *best)) best = &candidate;
  }
  return best;
}

const Attempt* Run::find_same(const Output& output) const {
  const auto found = std::ranges::find_if(attempts, [&](const Attempt& attempt) {
    return attempt.output.text == output.text && attempt.output.finish == output.finish;
  });
  return found == attempts.end() ? nullptr : &*found;
}

}  // namespace hone::core
