// What a fork takes over from the run that it leaves.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "hone/journal/record.h"

namespace hone::journal {

struct Effect;

// Outputs and reflections before the fork are kept as they are, whatever would be asked for them
// now. Evaluations are kept where the request is the same but for its sampling: so a check that
// changed is made again, and one that only has another place among the checks is not.
// Threads: as Recording.
class Kept {
 public:
  // Hears of every record that is taken over.
  using Taken = std::function<void(const Record&)>;

  // Attempts before number `at` are kept.
  Kept(RecordedRun original, int at, Taken taken = {});

  // Nothing but what has an equal request, wherever it stands: for going on with a run whose
  // options changed.
  static Kept by_request(RecordedRun original, Taken taken = {});

  // What was recorded for this effect, or null: it is to be made. The answer has its cost still.
  const Record* take(const Effect& effect);
  // What its placeholders stand for, see unseal().
  const std::vector<Original>& originals() const { return original_.originals; }

 private:
  const Record* find(const Effect& effect) const;
  const Record* find_same_request(const Effect& effect, int attempt) const;
  const Record* at_path(const std::string& path) const;

  RecordedRun original_;
  std::optional<int> at_;  // Absent: by request.
  Taken taken_;
  std::map<std::string, std::size_t> by_path_;  // The last record there.
  std::multimap<std::string, std::size_t> by_request_;
  std::unordered_set<const Record*> used_;
};

// The same answer without its cost: it was paid for by the other run.
std::string free_of_cost(const Record& record);

}  // namespace hone::journal
