#include "hone/journal/survived.h"

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace hone::journal {
namespace {

// The attempt that an effect belongs to; 0 for none.
int attempt_of(std::string_view path) {
  constexpr std::string_view kAttempt = "attempt/";
  int number = 0;
  if (!path.starts_with(kAttempt)) return number;
  std::from_chars(path.data() + kAttempt.size(), path.data() + path.size(), number);
  return number;
}

// When each attempt began and was evaluated, as numbers of events.
struct Course {
  std::map<int, std::size_t> began;
  std::map<int, std::size_t> evaluated;

  explicit Course(const RecordedRun& run) {
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      const core::Event event = core::event_from_json(parse_json(run.events[i].text));
      if (const auto* start = std::get_if<core::AttemptStarted>(&event)) began[start->number] = i;
      if (const auto* end = std::get_if<core::Evaluated>(&event))
        evaluated[end->attempt.number] = i;
    }
  }

  bool comes_after(int attempt, int earlier) const {
    if (attempt == earlier || earlier == 0) return true;
    const auto begin = began.find(attempt);
    const auto end = evaluated.find(earlier);
    return begin != began.end() && end != evaluated.end() && begin->second > end->second;
  }
};

}  // namespace

std::unordered_set<std::size_t> survived_failures(const RecordedRun& run) {
  std::vector<std::size_t> failures;
  std::vector<int> attempts;
  for (std::size_t i = 0; i < run.effects.size(); ++i) {
    attempts.push_back(attempt_of(run.effects[i].path));
    if (run.effects[i].failed) failures.push_back(i);
  }
  std::unordered_set<std::size_t> survived;
  if (failures.empty()) return survived;
  const Course course(run);
  for (const std::size_t failure : failures) {
    for (std::size_t later = failure + 1; later < run.effects.size(); ++later) {
      if (!course.comes_after(attempts[later], attempts[failure])) continue;
      if (run.effects[later].path == run.effects[failure].path) continue;
      survived.insert(failure);
      break;
    }
  }
  return survived;
}

}  // namespace hone::journal
