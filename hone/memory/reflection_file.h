// A lesson as a Markdown file of the Reflexion protocol.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hone/memory/lesson.h"

namespace hone::memory {

// What the protocol says before a principle and before the steps of a procedure.
inline constexpr std::string_view kPrinciplePrefix = "I should follow this rule: ";
inline constexpr std::string_view kProcedurePrefix = "These steps worked: ";

// The form is chosen by how the run ended: five fields when it failed, three when it was partly
// right or a decision, two for a procedure; a principle and a lesson that a person wrote have one.
// A comment at the end keeps what the form has no field for.
std::string render_reflection(const StoredLesson& lesson);

// Reads a file of hone, or of a person: what was edited above the comment counts. Without a comment
// the id is that of `path`, and the advice is the rule, what to do differently, the strategy, the
// decision, or else the first paragraph. Fields that are not there stay empty. Throws InvalidInput
// for a text that is not UTF-8 or says nothing.
StoredLesson read_reflection(std::string_view text, const Owner& owner, std::string_view path);

// "2026-03-01-api-timeout-handling": the date, then at most five words of the advice in lower case.
std::string reflection_file_name(const StoredLesson& lesson);

// The day that such a name begins with; absent for one that begins with none.
std::optional<Instant> day_of_file_name(std::string_view name);

}  // namespace hone::memory
