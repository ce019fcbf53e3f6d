// A lesson as it is stored: advice, where it holds, where it came from and what came of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hone/base/json.h"
#include "hone/base/units.h"
#include "hone/core/run.h"

namespace hone::memory {

// What a lesson is. A rule is a principle of wider use, a candidate for a system prompt; a playbook
// the steps that worked; a decision why one way was taken and not another.
enum class Kind { Lesson, Rule, Playbook, Decision };
std::string_view to_string(Kind kind);  // "lesson", "rule", "playbook", "decision".
std::optional<Kind> kind_from(std::string_view text);

// How the run ended that the lesson was learned from; it chooses the form of the reflection file.
// `Noted` is a lesson that came from no run.
enum class Ending { Failed, Partial, Succeeded, Decided, Noted };
std::string_view to_string(Ending ending);  // "failed", "partial", "succeeded", "decided", "noted".
std::optional<Ending> ending_from(std::string_view text);

// Whose a lesson is. Lessons never cross tenants, and agents only when it is asked for.
struct Owner {
  std::string tenant = "default";
  std::string agent = "default";

  bool operator==(const Owner&) const = default;
};

// Throws InvalidInput for a name that is empty, longer than 64 characters, begins with a dot or has
// anything in it but letters, digits, dots, dashes, underscores and @: names are folders too.
void check_name(std::string_view what, std::string_view name);

// Where a lesson comes from.
struct Provenance {
  std::string run;       // Empty for a lesson that a person wrote.
  int attempt = 0;       // Of that run; 0 without one.
  std::string evidence;  // The sentence that it rests on.

  bool operator==(const Provenance&) const = default;
};

// What came of the runs in which the lesson was shown. A run counts once.
struct Trials {
  int recalled = 0;
  int passed = 0;
  int failed = 0;
  int unknown = 0;

  bool operator==(const Trials&) const = default;
};

struct StoredLesson {
  std::string id;    // 16 hexadecimal digits.
  std::string text;  // The advice: what a prompt shows.
  Owner owner = {};
  Kind kind = Kind::Lesson;
  Ending ending = Ending::Noted;
  std::string task_type = {};
  std::string tool = {};        // The tool or interface it is about; empty for none.
  std::string conditions = {};  // When it holds, in words; empty for always.
  std::string task = {};        // How the task began that it was learned from.
  core::Reflection reflection = {};
  Provenance provenance = {};
  Instant created = {};
  int merged = 0;  // Near-duplicates that were learned later and went into this one.
  Trials trials = {};
  std::vector<std::string> contradicts = {};  // Ids of lessons that advise the opposite.
  bool probation = false;                     // Imported: unproven until a run with it passed.
  bool forgotten = false;                     // Kept, never recalled.

  bool operator==(const StoredLesson&) const = default;
};

// The longest advice, in bytes, and the longest of each other text of a lesson.
inline constexpr std::size_t kLongestText = 2000;
inline constexpr std::size_t kLongestField = 8000;

// The id of what is learned from an attempt: the same whenever it is learned, so that a run that is
// killed and resumed never leaves a second copy.
std::string lesson_id(const Owner& owner, const Provenance& provenance, Kind kind);
// The id of a lesson that a person wrote.
std::string lesson_id(const Owner& owner, std::string_view text, Instant created);

bool is_lesson_id(std::string_view id);

// Equal for texts that differ in case, white space, punctuation and full stops only.
std::string fingerprint(const Owner& owner, std::string_view text);

// Throws InvalidInput for a lesson without text or with one that is too long, with text that is not
// UTF-8, or with a bad name.
void check(const StoredLesson& lesson);

// What an embedder and a search read: conditions, the task it was learned from, the advice.
std::string searched_text(const StoredLesson& lesson);

// `hone lessons list --json` shows this; lessons_from_json reads it and ignores what it does not
// know. `format` is not a member.
Json to_json(const StoredLesson& lesson);
// Throws InvalidInput and names the member. Absent members have their defaults.
StoredLesson lesson_from_json(const Json& json);

}  // namespace hone::memory
