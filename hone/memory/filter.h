// Conditions on the members of a lesson, as JSON:
//
//   {"task_type": "code", "recalled": {"$gte": 3}, "$not": {"tool": ["curl", "wget"]}}
//
// Operators: $eq $ne $gt $gte $lt $lte $in $nin $exists on a member, $and $or (lists) and $not
// around conditions. A bare value means $eq, a list $in. Members are those of the JSON form of a
// lesson, `provenance.run` for nested ones. What cannot be compared does not fit; so an absent
// member fits $ne, $nin, `$exists: false` and `$not` only.
#pragma once

#include <memory>
#include <string_view>

#include "hone/base/json.h"
#include "hone/memory/lesson.h"

namespace hone::memory {

// A value: copied freely. Threads: any.
class Filter {
 public:
  // Fits everything.
  Filter();
  // Throws InvalidInput for text that is no JSON object, for an operator that does not exist and
  // for an operand of the wrong type.
  explicit Filter(std::string_view text);

  bool is_empty() const;
  bool fits(const StoredLesson& lesson) const;
  // The same of any JSON object.
  bool fits(const Json& members) const;

 private:
  std::shared_ptr<const Json> condition_;
};

}  // namespace hone::memory
