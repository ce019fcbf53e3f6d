// The forms in which one reflection is asked for and shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hone/core/run.h"

namespace hone::core {

// After the table of the Reflexion protocol, and one sentence as Shinn et al.'s heirs have it.
enum class ReflectionForm {
  Full,       // Of a failure, five fields: what happened, what went wrong, why, what to do, a rule.
  Short,      // Of what is partly right, three: what happened, what went wrong, what to do.
  Procedure,  // Of a success, two: the strategy and why it worked.
  Decision,   // Of a choice, three: the decision, the alternatives, why this one.
  Sentence    // The one thing to do differently.
};
std::string_view to_string(ReflectionForm form);  // "full", "short", "procedure", …

// From this score on a failed attempt is partly right.
inline constexpr double kPartlyRight = 0.5;
// What the protocol asks for after such an outcome. An attempt that could not be judged failed.
ReflectionForm form_after(const Evaluation& evaluation);

struct ReflectionSection {
  std::string heading;  // Empty for a sentence.
  std::string text;     // Empty for what the reflection does not say.

  bool operator==(const ReflectionSection&) const = default;
};

// The fields of the form, in its order. A decision stands in `rule`, its alternatives in
// `what_happened` and its reasons in `why`; a strategy in `procedure`.
std::vector<ReflectionSection> sections(const Reflection& reflection, ReflectionForm form);

// The same as Markdown: a heading and a paragraph each, "Not stated." for what is not.
std::string rendered(const Reflection& reflection, ReflectionForm form);

// What the reflection comes to, in one sentence: its rule, what to do differently, or its text.
std::string sentence_of(const Reflection& reflection);

}  // namespace hone::core
